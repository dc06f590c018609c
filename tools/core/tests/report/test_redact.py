import base64
import hashlib
import json
import re
import time
from collections.abc import Callable
from urllib.parse import quote, quote_plus

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mcp_check_core.model.bounds import cut_bytes, cut_tail, cut_text
from mcp_check_core.report.redact import (
    Redactor,
    argv_secrets,
    command_digest,
    redact_argv,
    redact_url,
    url_secrets,
)
from mcp_check_core.report.secret_forms import SHORTEST, secret_forms

SECRET = 'p@ss/w"ord\\with é+&='
characters = st.characters(exclude_categories=["Cs"], exclude_characters="[]")
secrets = st.text(characters, min_size=SHORTEST, max_size=40).filter(
    lambda text: len(text.strip()) >= SHORTEST
)
names = st.from_regex(r"[A-Z]{1,3}", fullmatch=True)
around = st.text(st.sampled_from("ab \n<>/=%"), max_size=9)


def embedded_base64(secret: str, before: int, after: str) -> str:
    return base64.b64encode(b"x" * before + secret.encode() + after.encode()).decode()


FORMS: dict[str, Callable[[str], str]] = {
    "raw": lambda text: text,
    "json": lambda text: json.dumps(text, ensure_ascii=False)[1:-1],
    "json ascii": lambda text: json.dumps(text)[1:-1],
    "json solidus": lambda text: json.dumps(text)[1:-1].replace("/", "\\/"),
    "json twice": lambda text: json.dumps(json.dumps(text))[3:-3],
    "url path": quote,
    "url component": lambda text: quote(text, safe=""),
    "url lower": lambda text: re.sub("%..", lambda match: match[0].lower(), quote(text, safe="")),
    "url form": quote_plus,
    "browser component": lambda text: quote(text, safe="!'()*"),
    "base64": lambda text: base64.b64encode(text.encode()).decode(),
    "base64 url-safe": lambda text: base64.urlsafe_b64encode(text.encode()).decode().rstrip("="),
}


@pytest.mark.parametrize("form", FORMS)
def test_a_secret_is_hidden_in_each_form(form: str) -> None:
    written = FORMS[form](SECRET)
    redactor = Redactor({"API_TOKEN": SECRET})
    assert redactor.text(f"<{written}> and {written}") == "<[redacted:API_TOKEN]> and [redacted:API_TOKEN]"
    assert redactor.bytes(f"\n{written}".encode()) == b"\n[redacted:API_TOKEN]"


@given(secrets, st.sampled_from(sorted(FORMS)), around, around)
def test_no_form_of_a_secret_is_left(secret: str, form: str, before: str, after: str) -> None:
    written = FORMS[form](secret)
    hidden = Redactor({"N": secret}).text(before + written + after)
    assert written not in hidden
    assert "[redacted:N]" in hidden


@given(secrets, st.integers(0, 7), st.text(max_size=5))
def test_a_secret_inside_a_longer_base64_text_is_hidden(secret: str, before: int, after: str) -> None:
    written = embedded_base64(secret, before, after.encode("utf-8", "replace").decode())
    for alphabet in (written, written.replace("+", "-").replace("/", "_")):
        hidden = Redactor({"N": secret}).text(alphabet)
        kept = "".join(hidden.split("[redacted:N]"))
        assert len(kept) <= len(alphabet) - (len(secret.encode()) * 8 // 6 - 2)


@given(st.dictionaries(names, secrets, max_size=4), st.text(characters, max_size=60))
def test_redacting_twice_changes_nothing(known: dict[str, str], text: str) -> None:
    redactor = Redactor(known)
    once = redactor.text(text + "".join(known.values()))
    assert redactor.text(once) == once
    assert not any(value in once for value in known.values())


def test_the_longer_secret_goes_first() -> None:
    redactor = Redactor({"SHORT": "password", "LONG": "password-and-more"})
    assert redactor.text("password-and-more password") == "[redacted:LONG] [redacted:SHORT]"


def test_values_too_short_are_named_and_left() -> None:
    redactor = Redactor({"PIN": "1234567", "B": "1234567", "TOKEN": "12345678", "EMPTY": ""})
    assert redactor.names_not_redactable == ("B", "PIN")
    assert redactor.text("1234567 12345678") == "1234567 [redacted:TOKEN]"


def test_a_value_of_json_is_redacted_throughout() -> None:
    redactor = Redactor({"T": "12345678", "U": "hunter2-hunter2"})
    value = redactor.value(
        {"hunter2-hunter2": ["hunter2-hunter2", {"a": None, "b": True}], "n": 12345678, "m": 9}
    )
    assert value == {"[redacted:U]": ["[redacted:U]", {"a": None, "b": True}], "n": "[redacted:T]", "m": 9}


def test_names_that_become_equal_are_both_kept() -> None:
    redactor = Redactor({"T": "hunter2-hunter2"})
    hidden = redactor.value({"hunter2-hunter2": 1, "aHVudGVyMi1odW50ZXIy": 2})
    assert hidden == {"[redacted:T]": 1, "[redacted:T] (2)": 2}


def test_bad_bytes_stay_as_they_are() -> None:
    assert (
        Redactor({"T": "hunter2-hunter2"}).bytes(b"\xff\xc3hunter2-hunter2\x80")
        == b"\xff\xc3[redacted:T]\x80"
    )


def test_a_deep_value_is_no_trouble() -> None:
    value: list[object] = ["hunter2-hunter2"]
    for _ in range(500):
        value = [value]
    assert "hunter2" not in repr(Redactor({"T": "hunter2-hunter2"}).value(value))  # type: ignore[arg-type]


def test_the_token_behind_a_scheme_and_the_login_of_basic_are_secrets_too() -> None:
    login = base64.b64encode(b"someone:open sesame").decode()
    redactor = Redactor({"Authorization": "Bearer abcdefgh12345678", "Proxy": f"Basic {login}"})
    for text in ("abcdefgh12345678", "open sesame", "someone:open sesame", login):
        assert text not in redactor.text(f"server says {text}!")


def test_a_name_is_one_printable_word() -> None:
    assert Redactor({"A\x1b[1m]\n": "hunter2-hunter2"}).text("hunter2-hunter2") == "[redacted:A__1m__]"


def test_a_value_with_blanks_around_is_hidden_without_them() -> None:
    assert Redactor({"T": " hunter2-hunter2\n"}).text("x hunter2-hunter2 y") == "x [redacted:T] y"


@pytest.mark.parametrize(
    ("name", "secret", "mark"),
    [("PASSWORD1", "PASSWORD1", "[redacted]"), ("T", "redacted", "***"), ("T", "redacted:T", "[redacted]")],
)
def test_a_mark_never_holds_the_secret(name: str, secret: str, mark: str) -> None:
    assert Redactor({name: secret}).text(f"<{secret}>") == f"<{mark}>"


def test_no_secret_no_change() -> None:
    text = "[redacted:T] anything"
    assert Redactor({}).text(text) is text
    assert secret_forms("short") == set()


def test_redaction_of_a_megabyte_is_quick() -> None:
    redactor = Redactor({f"T{number}": f"secret-{number}-" + "é/" * 20 for number in range(20)})
    text = "secret- and so on, and once more " * 32_000 + "… [first 1 of 2 bytes]"
    started = time.process_time()
    redactor.text(text)
    assert time.process_time() - started < 3


@pytest.mark.parametrize(
    ("argv", "hidden"),
    [
        (["--api-key", "abc"], ["--api-key", "[redacted:api-key]"]),
        (["--apiKey=abc"], ["--apiKey=[redacted:apiKey]"]),
        (["--token=abc", "x"], ["--token=[redacted:token]", "x"]),
        (["--token", "-abc"], ["--token", "[redacted:token]"]),
        (["--token", "--verbose"], ["--token", "--verbose"]),
        (["-e", "GITHUB_TOKEN=abc"], ["-e", "GITHUB_TOKEN=[redacted:GITHUB_TOKEN]"]),
        (["-H", "X-Api-Key: a b"], ["-H", "X-Api-Key: [redacted:X-Api-Key]"]),
        (["-H", "Authorization: Bearer abc"], ["-H", "Authorization: [redacted:Authorization]"]),
        (["Authorization:${AUTH}"], ["Authorization:[redacted:Authorization]"]),
        (["postgres://u:p@h/db"], ["postgres://***@h/db"]),
        (["--dsn", "postgres://u:p@h/db"], ["--dsn", "[redacted:dsn]"]),
        (["--db=postgres://u:p@h/db"], ["--db=postgres://***@h/db"]),
        (["https://h/mcp?key=abc&x=1#f"], ["https://h/mcp?key=***&x=***#f"]),
        (["sh", "-c", "FOO_KEY='a b' node x"], ["sh", "-c", "FOO_KEY=[redacted:FOO_KEY] node x"]),
        (
            ["sh", "-c", "srv --password q --port 1"],
            ["sh", "-c", "srv --password [redacted:password] --port 1"],
        ),
        (["curl", "bearer abcdefgh1"], ["curl", "bearer [redacted:bearer]"]),
        (["ghp_" + "a" * 36], ["[redacted:token]"]),
        (["x=sk-" + "a1" * 12], ["x=[redacted:token]"]),
        (["--max-tokens", "5"], ["--max-tokens", "5"]),
        (["--token-file", "f"], ["--token-file", "f"]),
        (["--keyword", "f"], ["--keyword", "f"]),
        (["npx", "-y", "@scope/server", "/tmp"], ["npx", "-y", "@scope/server", "/tmp"]),
        (["https://host/@scope/x"], ["https://host/@scope/x"]),
        (["C:\\x\\y.exe", "a=b", "--port=1"], ["C:\\x\\y.exe", "a=b", "--port=1"]),
        (["--api-key"], ["--api-key"]),
        ([], []),
    ],
)
def test_secrets_of_a_command_line(argv: list[str], hidden: list[str]) -> None:
    assert list(redact_argv(argv)) == hidden
    assert redact_argv(hidden) == tuple(hidden)


def test_what_was_hidden_in_a_command_line_is_hidden_in_what_the_server_says() -> None:
    argv = ["--api-key", "k-12345678", "--db=postgres://someone:p%40ssword@h/", "A_TOKEN='t-12345678'"]
    redactor = Redactor(argv_secrets(argv))
    said = redactor.text("k-12345678 p@ssword p%40ssword t-12345678")
    assert said == "[redacted:api-key] [redacted:url-password-2] [redacted:url-password] [redacted:A_TOKEN]"


@pytest.mark.parametrize(
    ("url", "hidden"),
    [
        ("https://h/mcp", "https://h/mcp"),
        ("https://u:p@h:8/p?a=b&c#f", "https://***@h:8/p?a=***&***#***"),
        ("https://u@[::1]:8/", "https://***@[::1]:8/"),
        ("https://u:p@w@h/", "https://***@h/"),
        ("https://h/?a=b=c&&d=", "https://h/?a=***&d=***"),
        ("http://[bad", "[redacted: a URL that cannot be parsed]"),
        ("", ""),
    ],
)
def test_urls(url: str, hidden: str) -> None:
    assert redact_url(url) == hidden


def test_secrets_of_a_url_decoded_and_as_written() -> None:
    found = url_secrets("https://u%41:p@h/?a=b%2fc&d#f")
    assert set(found.values()) == {"u%41", "uA", "p", "b/c", "b%2fc", "d"}
    assert all(name.startswith("url-") for name in found)


def test_a_url_without_secrets_names_none() -> None:
    assert url_secrets("https://h/mcp") == {}
    assert url_secrets("http://[bad") == {"url": "http://[bad"}


@given(secrets, secrets)
def test_a_redacted_url_and_its_redactor_leave_no_secret(user: str, value: str) -> None:
    url = f"https://{quote(user, safe='')}@example.org/mcp?k={quote(value, safe='')}"
    shown = redact_url(url)
    assert quote(user, safe="") not in shown
    assert quote(value, safe="") not in shown
    redactor = Redactor(url_secrets(url))
    for secret in (user, value):
        assert secret not in redactor.text(f"<{secret}>")


def test_the_digest_of_a_command_is_over_its_canonical_json() -> None:
    expected = hashlib.sha256('["python","é.py"]'.encode()).hexdigest()
    assert command_digest(["python", "é.py"]) == expected
    assert command_digest(["python é.py"]) != expected


@given(st.integers(0, 30))
def test_a_secret_that_a_cut_left_half_is_hidden(bound: int) -> None:
    secret = "correct-horse-battery"
    redactor = Redactor({"T": secret, "U": "correct-mule"})
    for cut in (cut_text(f"xyz {secret}", bound), cut_bytes(f"xyz {secret}".encode(), bound)):
        hidden = redactor.text(cut)
        assert "cor" not in hidden
        assert hidden.startswith("xyz "[:bound])
        assert redactor.text(hidden) == hidden


@given(st.integers(0, 30))
def test_a_secret_of_which_a_cut_left_the_end_is_hidden(bound: int) -> None:
    redactor = Redactor({"T": "correct-horse-battery", "U": "mule-battery"})
    hidden = redactor.text(cut_tail(b"correct-horse-battery xyz", bound))
    assert "ery" not in hidden
    assert hidden.endswith(" xyz"[-bound:] if bound else "")
    assert redactor.text(hidden) == hidden


def test_both_ends_of_several_cuts_are_looked_at() -> None:
    redactor = Redactor({"T": "correct-horse-battery"})
    text = "[last 9 of 99 bytes] …battery, a correct… [first 9 of 99 bytes] and correct stays… "
    assert redactor.text(text) == (
        "[last 9 of 99 bytes] …[redacted:T], a [redacted:T]… [first 9 of 99 bytes] and correct stays… "
    )


def test_a_cut_without_a_secret_stays() -> None:
    text = cut_text("nothing to hide " * 9, 20)
    assert Redactor({"T": "hunter2-hunter2"}).text(text) == text
