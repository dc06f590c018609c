"""What the user asks the rules to look for beyond what holds everywhere."""

from dataclasses import dataclass
from enum import StrEnum


class Profile(StrEnum):
    """A directory of servers with demands of its own."""

    ANTHROPIC_DIRECTORY = "anthropic-directory"
    OPENAI_DIRECTORY = "openai-directory"


@dataclass(frozen=True, slots=True)
class Settings:
    """The settings of one run."""

    profile: Profile | None = None
