"""What a run of guard is to do, decided before anything starts."""

from dataclasses import dataclass
from enum import StrEnum

from mcp_check_core.model.json_value import Json


class Profile(StrEnum):
    """A named set of defaults."""

    CUSTOM = "custom"
    SMOKE = "smoke"
    REGISTRY = "registry"
    CI = "ci"
    STRICT = "strict"


@dataclass(frozen=True, slots=True)
class RequestPlan:
    """A request to send after the handshake."""

    method: str
    params: dict[str, Json] | None = None


@dataclass(frozen=True, slots=True)
class Plan:
    """How often to start the server, and what to ask it.

    `extras` ask for lists and unspoken versions. In the first run `hold_s` seconds pass between the answer to
    initialize and `initialized`, and the wire is watched for `watch_s` seconds after that answer at least;
    for longer where the server, or the machine, was slow to start.
    """

    profile: Profile = Profile.CUSTOM
    repeat: int = 1
    extras: bool = True
    requests: tuple[RequestPlan, ...] = ()
    hold_s: float = 0.05
    watch_s: float = 0.3


@dataclass(frozen=True, slots=True)
class ProfileDefaults:
    """What a profile stands for where the command line says nothing else."""

    repeat: int = 1
    json: bool = False
    extras: bool = True


DEFAULTS = {
    Profile.CUSTOM: ProfileDefaults(),
    Profile.SMOKE: ProfileDefaults(extras=False),
    Profile.REGISTRY: ProfileDefaults(repeat=2),
    Profile.CI: ProfileDefaults(json=True),
    Profile.STRICT: ProfileDefaults(repeat=2, json=True),
}


def make_plan(profile: Profile, repeat: int | None, requests: tuple[RequestPlan, ...]) -> Plan:
    """Put the command line over the profile."""
    defaults = DEFAULTS[profile]
    return Plan(
        profile=profile,
        repeat=defaults.repeat if repeat is None else repeat,
        extras=defaults.extras,
        requests=requests,
    )
