from datetime import date
from pathlib import Path

import pytest

from mcp_check_core.cli.errors import CommandError
from mcp_check_core.cli.suppression import CONFIG, PYPROJECT, Suppressing, SuppressionOptions, read_policy
from mcp_check_core.model.report import Report
from mcp_check_core.report.baseline import IN_BASELINE
from tools.core.tests.report.builders import CRASH, HANG, RULES, collector, finished, report_with

TODAY = date(2026, 11, 30)
OWN = "[[suppress]]\nrule = 'fuzz/crash'\nreason = 'own'\n"
SHARED = "[[tool.mcp-trust-check.suppress]]\nrule = 'fuzz/crash'\nreason = 'shared'\n"
DIED = CRASH.finding("It died.")
SLOW = HANG.finding("It hangs.")


def policy(folder: Path, options: SuppressionOptions | None = None) -> Suppressing:
    return read_policy(options or SuppressionOptions(), RULES, folder=folder, today=TODAY)


def reasons(suppressing: Suppressing, report: Report | None = None) -> list[str]:
    applied = suppressing.policy.apply(report or report_with(DIED))
    return [held.reason for held in applied.suppressed]


@pytest.mark.parametrize(
    ("files", "expected"),
    [
        ({}, []),
        ({CONFIG: OWN}, ["own"]),
        ({PYPROJECT: SHARED}, ["shared"]),
        ({PYPROJECT: "[project]\nname = 'x'\n", CONFIG: OWN}, ["own"]),
    ],
)
def test_suppressions_are_found_in_the_folder(
    tmp_path: Path, files: dict[str, str], expected: list[str]
) -> None:
    for name, text in files.items():
        (tmp_path / name).write_text(text)
    assert reasons(policy(tmp_path)) == expected
    assert reasons(policy(tmp_path, SuppressionOptions(no_config=True))) == []


def test_a_file_may_be_named(tmp_path: Path) -> None:
    (tmp_path / CONFIG).write_text(OWN)
    named = tmp_path / "else" / PYPROJECT
    named.parent.mkdir()
    named.write_text(SHARED)
    assert reasons(policy(tmp_path, SuppressionOptions(config=named))) == ["shared"]
    other = tmp_path / "mine.toml"
    other.write_text(OWN)
    assert reasons(policy(tmp_path, SuppressionOptions(config=other))) == ["own"]


def test_two_places_at_once_are_refused(tmp_path: Path) -> None:
    (tmp_path / CONFIG).write_text(OWN)
    (tmp_path / PYPROJECT).write_text(SHARED)
    with pytest.raises(CommandError, match=r"both mcp-trust.toml and pyproject.toml hold suppressions"):
        policy(tmp_path)
    with pytest.raises(CommandError, match="--config or --no-config, not both"):
        policy(tmp_path, SuppressionOptions(config=tmp_path / CONFIG, no_config=True))


def test_what_cannot_be_read_is_one_sentence_with_the_name_of_the_file(tmp_path: Path) -> None:
    (tmp_path / CONFIG).write_text("[[suppress]]\nrul = 'x'\n")
    with pytest.raises(CommandError, match=r"mcp-trust\.toml': suppress entry 1 has an unknown key 'rul'"):
        policy(tmp_path)
    missing = tmp_path / "missing"
    with pytest.raises(CommandError, match=r"cannot read the configuration '.*missing': No such file"):
        policy(tmp_path, SuppressionOptions(config=missing))
    with pytest.raises(CommandError, match=r"cannot read the baseline '.*missing': No such file"):
        policy(tmp_path, SuppressionOptions(baseline=missing, no_config=True))
    newer = tmp_path / "newer.json"
    newer.write_text('{"schemaVersion": 9, "accepted": []}')
    with pytest.raises(CommandError, match=r"--baseline: '.*newer.json' cannot be used: It is of version 9"):
        policy(tmp_path, SuppressionOptions(baseline=newer, no_config=True))
    with pytest.raises(CommandError, match="there is no folder"):
        policy(tmp_path, SuppressionOptions(write_baseline=missing / "b.json", no_config=True))


def test_a_baseline_is_written_and_then_gates_what_is_new(tmp_path: Path) -> None:
    file = tmp_path / "baseline.json"
    writing = policy(tmp_path, SuppressionOptions(write_baseline=file))
    report = writing.policy.apply(report_with(DIED))
    writing.conclude(report, "mcp-fuzz")
    first = file.read_bytes()
    both = SuppressionOptions(baseline=file, write_baseline=file)
    reading = policy(tmp_path, both)
    again = reading.policy.apply(report_with(DIED, SLOW))
    assert again.findings == (SLOW,)
    assert reasons(reading) == [IN_BASELINE]
    reading.conclude(again, "mcp-fuzz")
    assert file.read_bytes() != first
    assert policy(tmp_path, both).policy.apply(report_with(DIED, SLOW)).findings == ()


def test_no_baseline_is_written_of_an_incomplete_run(tmp_path: Path) -> None:
    file = tmp_path / "baseline.json"
    writing = policy(tmp_path, SuppressionOptions(write_baseline=file))
    with pytest.raises(CommandError, match="the run is incomplete, so that no baseline was written"):
        writing.conclude(finished(collector()), "mcp-fuzz")
    assert not file.exists()


def test_entries_of_no_use_are_notes_or_with_strictness_an_error(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / CONFIG).write_text(
        "[[suppress]]\nrule = 'fuzz/crash'\nreason = 'r'\nuntil = 2026-11-29\n"
        "[[suppress]]\nrule = 'fuzz/hang'\nreason = 'r'\n"
        "[[suppress]]\nfingerprint = '0123456789abcdef'\nreason = 'r'\n"
    )
    policy(tmp_path).conclude(report_with(DIED), "mcp-fuzz")
    notes = capsys.readouterr().err.splitlines()
    assert [line.partition(" (")[0] for line in notes] == [
        f"mcp-fuzz: note: suppress entry {number}" for number in (1, 2, 3)
    ]
    strict = policy(tmp_path, SuppressionOptions(strict_suppressions=True))
    with pytest.raises(CommandError, match="2 entries are expired or of no use"):
        strict.conclude(report_with(DIED), "mcp-fuzz")


def test_strictness_says_nothing_where_every_entry_is_of_use(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / CONFIG).write_text(OWN)
    strict = policy(tmp_path, SuppressionOptions(strict_suppressions=True))
    strict.conclude(strict.policy.apply(report_with(DIED)), "mcp-fuzz")
    assert capsys.readouterr().err == ""
