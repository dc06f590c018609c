"""Hiding of secrets in everything that leaves the process.

A `Redactor` knows values and replaces them wherever they come back. `redact_argv` and `redact_url` find
what looks like a secret in a command line or a URL of which nobody said so.
"""

import hashlib
import re
from collections.abc import Iterable, Mapping, Sequence
from urllib.parse import parse_qsl, unquote, urlsplit, urlunsplit

from mcp_check_core.model.json_value import Json, canonical_json
from mcp_check_core.report.halved_secrets import HalvedSecrets
from mcp_check_core.report.secret_forms import SHORTEST, secret_forms

HIDDEN = "***"
"""What stands for a hidden part of a URL; unlike brackets it keeps the URL readable for a parser."""


class Redactor:
    """Replaces known secrets, in every form of `secret_forms`, by `[redacted:NAME]`.

    Where a secret is part of that mark itself, it is `[redacted]` or `***`.

    One compiled alternation goes once over a text. Marks that are there already are left alone, so that
    redacting twice changes nothing. What a cut left of a secret goes as well.
    """

    def __init__(self, secrets: Mapping[str, str]) -> None:
        """Take the secrets as a mapping of names, which are shown, to values, which never are."""
        self.names_not_redactable: tuple[str, ...] = tuple(
            sorted(_shown(name) for name, value in secrets.items() if 0 < len(value) < SHORTEST)
        )
        owners: dict[str, str] = {}
        for name, value in secrets.items():
            for form in secret_forms(value):
                owners.setdefault(form, name)
        marks_of = {name: _safe_mark(name, owners) for name in secrets}
        self._marks: dict[str, str] = {form: marks_of[name] for form, name in owners.items()}
        self._halved = HalvedSecrets(self._marks)
        marks = sorted({re.escape(mark) for mark in self._marks.values()})
        forms = [re.escape(form) for form in sorted(self._marks, key=lambda form: (-len(form), form))]
        self._pattern = re.compile("|".join(marks + forms)) if forms else None

    def text(self, text: str) -> str:
        """Replace every secret in a text."""
        if self._pattern is None:
            return text
        hidden = self._pattern.sub(lambda match: self._marks.get(match[0], match[0]), text)
        return self._halved.hidden(hidden)

    def value(self, value: Json) -> Json:
        """Replace every secret in all texts of a JSON value, names of members and equal numbers included."""
        if self._pattern is None or value is None or isinstance(value, bool):
            return value
        if isinstance(value, str):
            return self.text(value)
        if isinstance(value, int | float):
            return self._number(value)
        if isinstance(value, Mapping):
            members: dict[str, Json] = {}
            for name, member in value.items():
                members[self._free_name(name, members)] = self.value(member)
            return members
        items: list[Json] = []
        for item in value:
            items.append(self.value(item))  # noqa: PERF401 - a comprehension doubles the stack
        return items

    def bytes(self, data: bytes) -> bytes:
        """Replace every secret in bytes that are mostly UTF-8; bad bytes stay as they are."""
        return self.text(data.decode("utf-8", "surrogateescape")).encode("utf-8", "surrogateescape")

    def _number(self, value: float) -> Json:
        if isinstance(value, int) and value.bit_length() > 512:
            return value
        return self._marks.get(str(value), value)

    def _free_name(self, name: str, taken: Mapping[str, Json]) -> str:
        hidden = free = self.text(name)
        count = 1
        while free in taken:
            count += 1
            free = f"{hidden} ({count})"
        return free


def url_secrets(url: str) -> dict[str, str]:
    """Name what is secret in a URL: user, password and the values of the query, decoded and as written.

    A URL that cannot be split is a secret as a whole.
    """
    try:
        parts = urlsplit(url)
    except ValueError:
        return {"url": url}
    user_info = parts.netloc.rpartition("@")[0]
    user, _, password = user_info.partition(":")
    found = {"url-user": user, "url-password": password}
    for name, value in parse_qsl(parts.query, keep_blank_values=True):
        _add(found, f"url-query-{name}" if value else "url-query", value or name)
    for piece in parts.query.split("&"):
        name, _, value = piece.partition("=")
        _add(found, f"url-query-{unquote(name)}" if value else "url-query", value or name)
    _add(found, "url-user", unquote(user))
    _add(found, "url-password", unquote(password))
    return {name: value for name, value in found.items() if value}


def redact_url(url: str) -> str:
    """Hide user info, the values of the query and the fragment of a URL."""
    try:
        parts = urlsplit(url)
    except ValueError:
        return "[redacted: a URL that cannot be parsed]"
    user_info, at, host = parts.netloc.rpartition("@")
    pieces = [_hidden_query_piece(piece) for piece in parts.query.split("&") if piece]
    netloc = f"{HIDDEN}{at}{host}" if user_info or at else host
    return urlunsplit((parts.scheme, netloc, parts.path, "&".join(pieces), HIDDEN if parts.fragment else ""))


def command_digest(argv: Sequence[str]) -> str:
    """SHA-256 in hex over the canonical JSON of an argv that is redacted already."""
    return hashlib.sha256(canonical_json(list(argv))).hexdigest()


def redact_argv(argv: Sequence[str]) -> tuple[str, ...]:
    """Hide what looks like a secret in a command line.

    That is: the value of an option, variable or header whose name says so, the user info and query of
    URLs, words behind `Bearer` and `Basic`, and tokens that are known by their prefix.
    """
    return _Argv(argv).hidden


def argv_secrets(argv: Sequence[str]) -> dict[str, str]:
    """Name what `redact_argv` hides, so that a `Redactor` finds it in what the server says."""
    return _Argv(argv).secrets


_SECRET_WORDS = re.compile(
    "(?:(?:api|auth|access|secret|private)?(?:key|token|secret)|pass(?:word|wd|phrase)?|pwd|auth(?:orization)?"
    "|credentials?|bearer|cookie|jwt|pat|dsn|sig(?:nature)?)",
    re.IGNORECASE,
)
_WORD = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+")
_NAME = r"[A-Za-z][\w.-]{0,80}"
_VALUE = r"\"[^\"]*\"|'[^']*'|\S+"
_OPTION = re.compile(rf"--?({_NAME})")
_ASSIGNED = re.compile(rf"(?<![\w.-])(--?)?({_NAME})(=)({_VALUE})")
_SPACED = re.compile(rf"(?<!\S)(--?)({_NAME})(\s+)({_VALUE})")
_HEADER = re.compile(rf"({_NAME})(:\s*)(\S.*)", re.DOTALL)
_URL_USER = re.compile(r"(?<=://)([^\s/?#]+)(?=@)")
_URL_QUERY = re.compile(r"(?<=[?&])([^\s=&?#]{1,200})=([^\s&#]+)")
_SCHEMED = re.compile(r"\b(bearer|basic)\s+([^\s'\"]{8,})", re.IGNORECASE)
_KNOWN = re.compile(
    r"\b(?:gh[pousr]_\w{20,}|github_pat_\w{20,}|glpat-[\w-]{16,}|sk-[\w-]{16,}|xox[a-z]-[\w-]{10,}"
    r"|AKIA[0-9A-Z]{16}|AIza[\w-]{30,}|npm_\w{30,}|pypi-[\w-]{30,}|hf_\w{20,}"
    r"|eyJ[\w-]{8,}\.[\w-]{8,}\.[\w-]*)"
)


def _names_a_secret(name: str) -> bool:
    """Judge an option, variable or header by the last word of its name: `apiKey` yes, `token-file` no."""
    words = _WORD.findall(name)
    return bool(words) and _SECRET_WORDS.fullmatch(words[-1]) is not None


class _Argv:
    """One pass over an argv, which hides secrets and remembers them."""

    def __init__(self, argv: Sequence[str]) -> None:
        self.secrets: dict[str, str] = {}
        words: list[str] = []
        pending: str | None = None
        for word in argv:
            if pending is not None and not word.startswith("--"):
                words.append(self._mark(pending, word))
                pending = None
                continue
            option = _OPTION.fullmatch(word)
            pending = option[1] if option and _names_a_secret(option[1]) else None
            words.append(self._word(word))
        self.hidden = tuple(words)

    def _mark(self, name: str, value: str) -> str:
        _add(self.secrets, name, value.strip("\"'"))
        return f"[redacted:{_shown(name)}]"

    def _word(self, word: str) -> str:
        if "://" in word:
            word = _URL_USER.sub(lambda match: self._url_user(match[1]), word)
            word = _URL_QUERY.sub(lambda match: self._url_query(match[1], match[2]), word)
        header = _HEADER.fullmatch(word)
        if header and _names_a_secret(header[1]):
            return f"{header[1]}{header[2]}{self._mark(header[1], header[3])}"
        for pattern in (_ASSIGNED, _SPACED):
            word = pattern.sub(self._named, word)
        word = _SCHEMED.sub(lambda match: f"{match[1]} {self._mark(match[1].lower(), match[2])}", word)
        return _KNOWN.sub(lambda match: self._mark("token", match[0]), word)

    def _named(self, match: re.Match[str]) -> str:
        dashes, name, between, value = match.groups("")
        if not _names_a_secret(name) or value.startswith(("[redacted:", HIDDEN)):
            return match[0]
        return f"{dashes}{name}{between}{self._mark(name, value)}"

    def _url_user(self, user_info: str) -> str:
        user, _, password = user_info.partition(":")
        for name, value in (("url-user", user), ("url-password", password)):
            _add(self.secrets, name, value)
            _add(self.secrets, name, unquote(value))
        return HIDDEN

    def _url_query(self, name: str, value: str) -> str:
        _add(self.secrets, f"url-query-{name}", value)
        _add(self.secrets, f"url-query-{name}", unquote(value))
        return f"{name}={HIDDEN}"


def _safe_mark(name: str, forms: Iterable[str]) -> str:
    """The mark of a secret; without the name, or without a word, where a secret is part of the mark."""
    marks = (f"[redacted:{_shown(name)}]", "[redacted]")
    return next((mark for mark in marks if not any(form in mark for form in forms)), HIDDEN)


def _hidden_query_piece(piece: str) -> str:
    name, equals, _ = piece.partition("=")
    return f"{name}={HIDDEN}" if equals else HIDDEN


def _add(secrets: dict[str, str], name: str, value: str) -> None:
    """Add a value under a name that is free, once."""
    if not value or value in secrets.values():
        return
    free, count = name, 1
    while secrets.get(free):
        count += 1
        free = f"{name}-{count}"
    secrets[free] = value


def _shown(name: str) -> str:
    """A name as it may stand in a mark: one printable word."""
    return re.sub(r"[^\w.-]", "_", name, flags=re.ASCII)
