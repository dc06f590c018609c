import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from mcp_check_core.model.finding import Severity
from mcp_check_core.model.report import Outcome, RuleResult
from mcp_check_core.report.document import finding_document
from mcp_check_core.report.journal import Journal, read_journal
from mcp_check_core.report.json_format import DocumentError
from mcp_check_core.report.redact import Redactor
from tools.core.tests.report.builders import CRASH, HANG, RULES, collector


def written(path: Path) -> None:
    run = collector(journal=Journal(path))
    run.found(CRASH.finding("it died", evidence={"signal": 11}))
    run.found(CRASH.finding("it died again"))
    run.answered(CRASH.id, judged=1, of=2)
    run.not_run(HANG.id, "no time")


def test_a_journal_says_what_was_known(tmp_path: Path) -> None:
    path = tmp_path / "journal.jsonl"
    written(path)
    contents = read_journal(path)
    assert contents.tool == "mcp-fuzz"
    assert contents.announced == tuple(rule.id for rule in RULES)
    assert [finding_document(finding) for finding in contents.findings] == [
        finding_document(CRASH.finding("it died", evidence={"signal": 11}))
    ]
    assert contents.answers == (
        RuleResult(CRASH.id, Outcome.FAIL, findings=1, judged=1, of=2),
        RuleResult(HANG.id, Outcome.NOT_RUN, "no time"),
    )
    assert not contents.torn


def test_a_journal_is_there_before_the_run_ends(tmp_path: Path) -> None:
    path = tmp_path / "journal.jsonl"
    run = collector(journal=Journal(path))
    assert read_journal(path).findings == ()
    run.found(CRASH.finding("it died"))
    assert len(read_journal(path).findings) == 1


def test_every_cut_of_a_journal_can_be_read(tmp_path: Path) -> None:
    path = tmp_path / "journal.jsonl"
    written(path)
    data = path.read_bytes()
    cut = tmp_path / "cut.jsonl"
    for length in range(len(data) + 1):
        cut.write_bytes(data[:length])
        contents = read_journal(cut)
        assert contents.torn == (length > 0 and data[length - 1 : length] != b"\n")
        assert len(contents.findings) == (data[:length].count(b'{"finding"') - _open_finding(data[:length]))


def _open_finding(data: bytes) -> int:
    return int(data.rpartition(b"\n")[2].startswith(b'{"finding"'))


@pytest.mark.parametrize(
    "line", [b"nonsense", b"[]", b'{"finding": {}}', b'{"other": 1}', b"", b'{"answer": {"rule": 1}}']
)
def test_a_broken_line_in_the_middle_is_refused_by_its_number(tmp_path: Path, line: bytes) -> None:
    path = tmp_path / "journal.jsonl"
    written(path)
    path.write_bytes(line + b"\n" + path.read_bytes())
    with pytest.raises(DocumentError, match="Line 1 of the journal cannot be read"):
        read_journal(path)


def test_no_more_than_the_bound_is_read_and_that_is_said(tmp_path: Path) -> None:
    path = tmp_path / "journal.jsonl"
    written(path)
    first = path.read_bytes().index(b"\n") + 1
    contents = read_journal(path, max_bytes=first)
    assert contents.torn
    assert contents.findings == ()
    assert contents.announced


def test_the_worst_finding_of_a_fingerprint_is_read(tmp_path: Path) -> None:
    path = tmp_path / "journal.jsonl"
    run = collector(journal=Journal(path))
    for severity in (Severity.WARNING, Severity.ERROR, Severity.INFO):
        run.found(CRASH.finding(severity.value, severity=severity))
    assert [finding.message for finding in read_journal(path).findings] == ["error"]


def test_a_journal_holds_no_secret(tmp_path: Path) -> None:
    path = tmp_path / "journal.jsonl"
    secret = "hunter2-hunter2"
    run = collector(journal=Journal(path), redactor=Redactor({"TOKEN": secret}))
    run.found(CRASH.finding(f"said {secret}"))
    run.could_not_tell(HANG.id, f"because {secret}")
    assert secret.encode() not in path.read_bytes()
    assert path.read_bytes().count(b"[redacted:TOKEN]") == 2


@pytest.mark.skipif(sys.platform == "win32", reason="modes are POSIX")
def test_a_journal_is_for_its_owner_alone(tmp_path: Path) -> None:
    path = tmp_path / "journal.jsonl"
    Journal(path).close()
    assert path.stat().st_mode & 0o077 == 0


def test_a_folder_that_is_not_there_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        Journal(tmp_path / "missing" / "journal.jsonl")


@pytest.mark.skipif(sys.platform == "win32", reason="SIGKILL is POSIX")
def test_a_journal_survives_a_kill(tmp_path: Path) -> None:
    path = tmp_path / "journal.jsonl"
    program = f"""
import os, signal
from pathlib import Path
from mcp_check_core.report.journal import Journal
from mcp_check_core.model.report import RuleResult, Outcome
journal = Journal(Path({str(path)!r}))
journal.started("mcp-fuzz", "2.0.0", ["fuzz/crash"])
journal.answer(RuleResult("fuzz/crash", Outcome.PASS))
os.kill(os.getpid(), signal.SIGKILL)
"""
    done = subprocess.run([sys.executable, "-c", program], env=dict(os.environ), check=False, timeout=30)
    assert done.returncode == -signal.SIGKILL
    contents = read_journal(path)
    assert contents.announced == ("fuzz/crash",)
    assert contents.answers == (RuleResult("fuzz/crash", Outcome.PASS),)
    assert not contents.torn
