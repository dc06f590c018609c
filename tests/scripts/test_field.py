"""The script from end to end, on made-up packages: install, capture, run, sample, and a stop in between."""

import json
import signal
import subprocess
import sys
import time
from pathlib import Path

import psutil
import pytest

from scripts.fieldwork.cli import main
from tests.scripts.stubs import Stubs, row

SCRIPT = Path(__file__).parents[2] / "scripts" / "field.py"


def test_install_once_and_go_on_after_a_failure(stubs: Stubs, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(stubs.words("install")) == 1
    told = capsys.readouterr()
    assert told.out == "3 of 4 servers are installed\n"
    assert "absent: not installed: exit code 1 – npm error 404 Not Found: absent" in told.err
    assert main(stubs.words("install", "planted", "mended")) == 0
    assert main(stubs.words("install", "--jobs", "2", "--limit", "3")) == 0
    assert stubs.asked == ["planted", "mended", "dead", "absent"]
    assert main(stubs.words("install", "absent", "--retry")) == 1
    assert stubs.asked.count("absent") == 2


def test_guard_over_a_field(stubs: Stubs, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    main(stubs.words("install"))
    capsys.readouterr()
    out, markdown = tmp_path / "out", tmp_path / "table.md"
    words = stubs.words(
        "run", "guard", "--out", str(out), "--markdown", str(markdown), "--", "--timeout", "5s"
    )
    assert main(words) == 1
    lines = {line.split()[0]: line for line in capsys.readouterr().out.splitlines() if line}
    assert lines["planted"].split()[2:4] == ["fail", "40"]
    assert lines["mended"].split()[2:4] == ["pass", "100"]
    assert "did not start" in lines["dead"]
    assert "404 Not Found" in lines["absent"]
    assert "counted as run: 2; not counted: 1 did not start, 1 not installed" in lines["servers:"]
    assert {path.name for path in out.glob("*.json")} == {"planted.json", "mended.json", "dead.json"}
    assert len(markdown.read_text().splitlines()) == 9
    document = json.loads((out / "mended.json").read_text())
    assert document["status"] == "pass"


def test_fuzz_counts_its_calls_and_its_findings_can_be_sampled(
    stubs: Stubs, capsys: pytest.CaptureFixture[str]
) -> None:
    main(stubs.words("install", "planted"))
    assert main(stubs.words("run", "fuzz", "planted")) == 0
    assert "tools judged 4 of 4" in capsys.readouterr().out
    assert main(stubs.words("sample", "fuzz/crash", "--seed", "3", "--count", "5")) == 0
    head, *rows = capsys.readouterr().out.splitlines()
    assert head.startswith("server\tversion\ttool\trule")
    assert rows
    assert {line.split("\t")[0] for line in rows} == {"planted"}
    assert main(stubs.words("sample", "fuzz/no-such-rule")) == 1


def test_a_kept_report_is_not_made_again(stubs: Stubs, capsys: pytest.CaptureFixture[str]) -> None:
    main(stubs.words("install", "mended"))
    main(stubs.words("run", "guard", "mended"))
    report = stubs.cache / "reports" / "guard" / "mended.json"
    made = report.stat().st_mtime_ns
    capsys.readouterr()
    assert main(stubs.words("run", "guard", "mended", "--resume")) == 0
    assert report.stat().st_mtime_ns == made
    assert "pass" in capsys.readouterr().out
    main(stubs.words("run", "guard", "mended"))
    assert report.stat().st_mtime_ns != made


def test_a_tool_that_takes_too_long_is_ended(stubs: Stubs, capsys: pytest.CaptureFixture[str]) -> None:
    stubs.index([row("silent")])
    stubs.programs["silent"] = "hostile/silent.py"
    stubs.lay_out()
    main(stubs.words("install"))
    assert main(stubs.words("run", "guard", "--time-limit", "1s")) == 1
    shown = capsys.readouterr().out
    assert "ended by us after 1 s" in shown
    assert "cut short" in shown


def test_options_that_a_tool_does_not_know(stubs: Stubs, capsys: pytest.CaptureFixture[str]) -> None:
    main(stubs.words("install", "mended"))
    assert main(stubs.words("run", "guard", "mended", "--", "--no-such-option")) == 1
    shown = capsys.readouterr().out
    assert "no report: exit code 2" in shown
    assert "--no-such-option" in shown
    assert main(stubs.words("run", "guard", "mended", "--resume")) == 0, "what made no report is run again"


def test_capture_writes_the_form_of_the_corpus(
    stubs: Stubs, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    stubs.record("mended", ["get_bookmark", "search_bookmarks", "list_by_tag", "of_old"])
    main(stubs.words("install"))
    out = tmp_path / "fresh"
    assert main(stubs.words("capture", "--out", str(out))) == 1
    told = capsys.readouterr()
    assert "mended: 4 tools; gone: of_old; new: count_bookmarks" in told.err
    assert "2 of 4 servers captured; 1 have other tools than recorded" in told.out
    document = json.loads((out / "mended.json").read_text())
    assert list(document) == ["source", "initialize", "instructions", "tools"]
    assert document["source"]["version"] == "1.0.0"
    assert document["initialize"]["serverInfo"]["name"] == "bookmarks"
    assert len(document["tools"]) == 4
    lines = [line.split("\t") for line in (out / "INDEX.tsv").read_text().splitlines()]
    rows = {cells[0]: dict(zip(lines[0], cells, strict=True)) for cells in lines[1:]}
    assert (rows["planted"]["non_json_stdout_lines"], rows["mended"]["non_json_stdout_lines"]) == ("1", "0")
    assert rows["mended"]["readOnlyHint_tools"] == "4"
    assert rows["dead"]["notes"].startswith("FAILED: it ended with exit code")
    assert rows["absent"]["notes"].startswith("FAILED: not installed")


def test_a_fresh_capture_is_a_corpus_itself(stubs: Stubs, tmp_path: Path) -> None:
    main(stubs.words("install", "mended"))
    out = tmp_path / "fresh"
    assert main(stubs.words("capture", "mended", "--out", str(out))) == 0
    again = ["--corpus", str(out), "--cache", str(stubs.cache)]
    assert main([*again, "run", "guard"]) == 0
    assert stubs.asked == ["mended"]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("install", "nobody"), "the index has no server 'nobody'"),
        (("capture", "--out", "{corpus}"), "the recorded corpus would be overwritten"),
        (("run", "guard", "--time-limit", "soon"), "'soon' is not a duration"),
    ],
)
def test_what_cannot_be_done(
    stubs: Stubs, capsys: pytest.CaptureFixture[str], words: tuple[str, ...], said: str
) -> None:
    given = [word.format(corpus=stubs.corpus) for word in words]
    code = main(stubs.words(*given))
    told = capsys.readouterr()
    assert code == 2
    assert said in told.err
    assert "Traceback" not in told.err + told.out
    assert len(told.err.splitlines()) == 1


def test_a_server_that_was_never_installed(stubs: Stubs, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(stubs.words("run", "guard", "planted")) == 1
    told = capsys.readouterr()
    assert "not installed" in told.out
    assert "never installed" in told.out
    assert stubs.asked == []


def test_no_corpus(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--corpus", str(tmp_path), "install"]) == 2
    assert "INDEX.tsv: cannot be read" in capsys.readouterr().err


def test_ctrl_c_ends_the_client_and_the_next_run_goes_on(stubs: Stubs) -> None:
    stubs.index([row("mended"), row("stuck"), row("planted")])
    words = [sys.executable, str(SCRIPT), *stubs.words("install")]
    process = subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=stubs.environment)
    try:
        half = stubs.cache / "servers" / "stuck" / "half"
        wait_for(half, process)
        children = psutil.Process(process.pid).children(recursive=True)
        process.send_signal(signal.SIGINT)
        _, told = process.communicate(timeout=30)
    finally:
        process.kill()
        process.wait()
    assert process.returncode == 130
    assert told.splitlines()[-1].startswith(b"field: interrupted;")
    assert b"Traceback" not in told
    assert psutil.wait_procs(children, timeout=5)[1] == []
    (stubs.log.parent / "free").touch()
    assert main(stubs.words("install")) == 0
    assert stubs.asked == ["mended", "stuck", "stuck", "planted"]
    assert not half.exists()


def wait_for(path: Path, process: subprocess.Popen[bytes]) -> None:
    """Wait until a file is there; there is no event for it outside the process that makes it."""
    deadline = time.monotonic() + 30
    while not path.exists():
        assert process.poll() is None
        assert time.monotonic() < deadline
        time.sleep(0.02)
