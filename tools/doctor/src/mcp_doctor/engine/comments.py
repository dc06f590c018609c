"""Comments in the source that hold findings back."""

from collections.abc import Iterator
from dataclasses import dataclass, field

from mcp_check_core.model.finding import Finding
from mcp_check_core.report.ignore_comments import IgnoreComment, held_by, read_ignore_comments
from mcp_doctor.discover.read import Reader


@dataclass(slots=True)
class Comments:
    """The comments of the files that findings point at, read when they are asked for."""

    reader: Reader | None = None
    _by_file: dict[str, tuple[IgnoreComment, ...]] = field(default_factory=dict)

    def reason(self, finding: Finding) -> str | None:
        """Say why a comment holds a finding back, None if none does."""
        file = finding.location.file
        comment = held_by(finding, self._of(file)) if file is not None else None
        return None if comment is None else f"{comment.reason} (comment in {file}, line {comment.line})"

    def problems(self) -> Iterator[str]:
        """Say which comments hold nothing back because something is wrong with them."""
        for file in sorted(self._by_file):
            for comment in self._by_file[file]:
                if comment.problem is not None:
                    yield f"{file}:{comment.line}: this comment holds nothing back: {comment.problem}"

    def _of(self, file: str) -> tuple[IgnoreComment, ...]:
        if file not in self._by_file:
            source = self.reader.kept(file) if self.reader is not None else None
            self._by_file[file] = read_ignore_comments(source.decode("utf-8", "replace")) if source else ()
        return self._by_file[file]
