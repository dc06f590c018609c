"""What single clients refuse, read from the data file."""

import tomllib
from dataclasses import dataclass
from functools import cache
from importlib.resources import files


@dataclass(frozen=True, slots=True)
class ClientFact:
    """One fact: the clients, the kind of check, its limit and prefix where it has them, source and date."""

    kind: str
    clients: tuple[str, ...]
    source: str
    seen: str
    limit: int = 0
    prefix: str = ""


@cache
def identities() -> tuple[str, ...]:
    """Give the names by which known clients introduce themselves."""
    text = files(__package__).joinpath("data/identities.toml").read_text(encoding="utf-8")
    return tuple(tomllib.loads(text)["names"])


@cache
def client_facts() -> tuple[ClientFact, ...]:
    """Read the facts in the order of the file."""
    text = files(__package__).joinpath("data/clients.toml").read_text(encoding="utf-8")
    return tuple(
        ClientFact(**{**entry, "clients": tuple(entry["clients"])}) for entry in tomllib.loads(text)["fact"]
    )
