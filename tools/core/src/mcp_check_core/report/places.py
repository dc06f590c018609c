"""Where findings are in a repository, for the formats that point into one."""

from mcp_check_core.model.report import Target, TargetKind


def repository_path(target: Target, file: str) -> str:
    """Give the path of a file from the folder that a check was started in.

    Paths of findings are relative to the folder that was checked. A program that merges reports of several
    targets gives its findings paths of the repository, and a target of another kind than source.
    """
    folder = target.cwd if target.kind is TargetKind.SOURCE else None
    outside = folder in (None, "", ".") or str(folder).startswith(("..", "/"))
    return file if outside else f"{folder}/{file}"
