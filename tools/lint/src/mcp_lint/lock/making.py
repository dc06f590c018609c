"""Make a lock of what a server lists now, or say why it cannot be locked."""

from collections import Counter
from collections.abc import Mapping

from mcp_check_core.model.bounds import cut_text
from mcp_check_core.model.json_value import Json
from mcp_check_core.report.redact import Redactor
from mcp_lint.facts.definitions import DEPTH_BOUND, Definitions
from mcp_lint.lock.document import Launch, Lock, LockError, Spoken


def make_lock(
    definitions: Definitions,
    spoken: Spoken,
    launch: Launch,
    redactor: Redactor,
    former: Lock | None = None,
) -> Lock:
    """Make the lock of a server. Raises LockError for definitions that cannot be pinned.

    What a saved list does not say (instructions, launch command, era) is kept from the `former` lock.
    """
    _refuse_unpinnable(definitions)
    kept = former if former is not None else None
    known = definitions.instructions_known
    saved = launch.kind == "file"
    lock = Lock(
        tools=tuple(tool.raw for tool in definitions.all_tools),
        instructions=definitions.instructions if known or kept is None else kept.instructions,
        instructions_known=known or (kept is not None and kept.instructions_known),
        server_name=definitions.server.name or (kept.server_name if kept and saved else None),
        server_version=definitions.server.version or (kept.server_version if kept and saved else None),
        spoken=kept.spoken if kept and saved else spoken,
        launch=kept.launch if kept and saved else launch,
        package=kept.package if kept else None,
    )
    _refuse_secrets(lock, redactor)
    return lock


def _refuse_unpinnable(definitions: Definitions) -> None:
    listing = definitions.listing
    if listing.problem is not None or not listing.whole:
        raise LockError(f"tools/list cannot be read whole: {listing.problem or 'a part is missing'}")
    if definitions.deep:
        names = ", ".join(map(repr, definitions.deep[:3]))
        raise LockError(f"the definition of {names} is nested over {DEPTH_BOUND} levels, and is not read")
    nameless = [tool.label for tool in definitions.all_tools if tool.name is None]
    if nameless:
        raise LockError(f"entry {nameless[0]} of the list has no name, so that it cannot be pinned")
    counts = Counter(tool.name for tool in definitions.all_tools)
    twice = [name for name, count in counts.items() if count > 1]
    if twice:
        raise LockError(f"two tools are called {cut_text(str(twice[0]), 80)!r}; a lock could pin either")


def _refuse_secrets(lock: Lock, redactor: Redactor) -> None:
    texts: Mapping[str, Json] = {
        "definitions": list(lock.tools),
        "instructions": lock.instructions,
        "name": lock.server_name,
        "version": lock.server_version,
    }
    for where, value in texts.items():
        if redactor.value(value) != value:
            raise LockError(f"the server repeats a secret of its command or environment in its {where}")
