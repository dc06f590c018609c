"""Read a fixtures file that an option names."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from mcp_check_core.cli.errors import CommandError
from mcp_check_core.inputs.fixtures import MAX_BYTES, Fixtures, FixturesError, Probe, expand, read_fixtures
from mcp_check_core.model.json_value import Json


@dataclass(frozen=True, slots=True)
class ReadyProbe:
    """A call with the values of its variables put in; they are for the server and no output."""

    probe: Probe
    arguments: dict[str, Json]


@dataclass(frozen=True, slots=True)
class ReadyFixtures:
    """The calls of a file that are not skipped, those that are, and the values that a redactor must know."""

    ready: tuple[ReadyProbe, ...]
    skipped: tuple[Probe, ...]
    secrets: tuple[str, ...]


def fixtures_file(path: Path, environ: Mapping[str, str], option: str) -> ReadyFixtures:
    """Read a file and put in its variables. Raises CommandError, one line that names file and place."""
    try:
        with path.open("rb") as file:
            fixtures = read_fixtures(file.read(MAX_BYTES + 1))
        return _ready(fixtures, environ, str(path.resolve().parent))
    except OSError as problem:
        raise CommandError(f"{option}: {path}: {problem.strerror or problem}") from None
    except FixturesError as problem:
        raise CommandError(f"{option}: {path}: {problem}") from None


def _ready(fixtures: Fixtures, environ: Mapping[str, str], folder: str) -> ReadyFixtures:
    wanted = [probe for probe in fixtures.probes if not probe.skip]
    return ReadyFixtures(
        ready=tuple(ReadyProbe(probe, expand(probe, environ, folder)) for probe in wanted),
        skipped=tuple(probe for probe in fixtures.probes if probe.skip),
        secrets=fixtures.values(environ),
    )
