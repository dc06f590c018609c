"""The sentences of the human formats. What comes back may hold hostile text; the formats sanitise it."""

import shlex
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from mcp_check_core.model.bounds import cut_text
from mcp_check_core.model.json_value import Json
from mcp_check_core.report import wording
from mcp_trust_check.consistency import unanswered
from mcp_trust_check.render.view import Shown, View

_SKIPPED_SHOWN = 20
_NAMES_SHOWN = 10
_NAME_BOUND = 80
_HELD_SHOWN = 50


def command_text(view: View) -> str:
    """Name what was checked: the server's command."""
    return cut_text(shlex.join(view.document["target"]["command"] or ()))


def server_text(view: View) -> str:
    """Say how the server calls itself and which protocol it speaks; empty where that is not known."""
    server = view.document["target"]["server"] or {}
    name = " ".join(part for part in (server.get("name"), server.get("version")) if part)
    protocol = f"protocol {server['protocol']}" if server.get("protocol") else ""
    return ", ".join(cut_text(part, _NAME_BOUND) for part in (name, protocol) if part)


def reason_texts(view: View) -> list[str]:
    """Say, a sentence for each rule that fired, the worst first, why the decision is what it is."""
    by_rule: dict[str, list[Mapping[str, Any]]] = {}
    for reason in view.document["reasons"]:
        by_rule.setdefault(reason["rule"], []).append(reason)
    return [_reason(view, rule, reasons) for rule, reasons in by_rule.items()]


def no_reason(view: View) -> str:
    """Say what SHIP stands on."""
    count = len(view.findings)
    rest = f"; {wording.plural(count, 'lesser finding')}, listed below" if count else ""
    return f"no rule that blocks or asks for a fix has fired{rest}"


def score_text(view: View) -> str:
    """Give the combined score and what it is the mean of, or why there is none."""
    combined = view.document["combined"]
    without = [f"{one['tool']}" for one in combined["without"]]
    if combined["value"] is not None:
        left = f"; without {', '.join(without)}" if without else ""
        over = " and ".join(combined["over"])
        return f"{combined['value']:.1f} ({combined['grade']}), the mean of {over}{left}"
    if combined["partialScore"] is not None:
        return f"none, since a tool did not finish; {combined['partialScore']:.1f} over those that did"
    if view.in_state("incomplete"):
        return "none, since a tool did not finish"
    return "none, since there was nothing that may be judged"


def gate_text(view: View) -> str:
    """Say what the gate asked for, and what the command exits with."""
    gate = view.document["gate"]
    code = gate["exitCode"]
    if view.document["interrupted"] and code == 130:
        return f"{view.document['interrupted']}; exit code {code}"
    if gate["broken"]:
        return f"fails: {gate['broken']}; exit code {code}"
    if code != 0:
        return f"the check is incomplete; exit code {code}"
    if view.decision != "SHIP" and gate["failOn"] == "never":
        return f"--fail-on is never, so this {view.decision} exits with 0 all the same"
    return f"holds (--fail-on {gate['failOn']}); exit code 0"


def review_text(view: View) -> str:
    """Say whether a person should look at the result."""
    if view.document["needsHumanReview"]:
        return "a person should look at this; only SHIP with HIGH confidence goes without"
    return "not needed"


def counts_text(view: View) -> str:
    """Count what decides and what does not."""
    document = view.document
    lesser = sum(shown.decision is None for shown in view.findings)
    parts = [
        f"{document['blockerCount']} that block",
        f"{document['fixCount']} to fix first",
        f"{lesser} lesser",
    ]
    if document["suppressed"]:
        parts.append(f"{len(document['suppressed'])} suppressed")
    return ", ".join(parts)


def coverage_text(view: View) -> str:
    """Say how many tools of the server were exercised."""
    percent = view.document["coveragePercent"]
    return "not known" if percent is None else f"{percent:g} % of the server's tools were exercised"


def not_checked(view: View) -> list[str]:
    """Say, a sentence each, what was not checked and why; nothing that was left out is missing here."""
    return [
        *_tools_left_out(view),
        *(text for one in view.document["tools"].items() for text in _within(*one)),
    ]


def limit_texts(view: View) -> list[str]:
    """Say which bounds were reached."""
    return [
        f"{hit['tool']}: {hit['limit']} = {_short(hit['value'])} ({cut_text(hit['where'])})"
        for hit in view.document["limitsHit"]
    ]


def held_texts(view: View) -> list[str]:
    """Say what is held back and why, a sentence each."""
    held = view.document["suppressed"]
    texts = [f"{one['tool']}: {one['ruleId']}: {cut_text(one['reason'])}" for one in held[:_HELD_SHOWN]]
    more = len(held) - _HELD_SHOWN
    return [*texts, f"{more} more, in the JSON report"] if more > 0 else texts


def seen_by_text(shown: Shown) -> str:
    """Name the tools that saw a finding where it is more than one; empty otherwise."""
    if len(shown.seen_by) == 1:
        return ""
    return "seen by " + " and ".join(f"{short} ({rule})" for short, rule, _ in shown.seen_by)


def _short(value: Json) -> str:
    return cut_text(wording.json_text(value), 60)


def _some(names: Sequence[str]) -> str:
    more = len(names) - _NAMES_SHOWN
    return ", ".join(names[:_NAMES_SHOWN]) + (f" and {more} more" if more > 0 else "")


def _reason(view: View, rule: str, reasons: list[Mapping[str, Any]]) -> str:
    tools = " and ".join(dict.fromkeys(reason["tool"] for reason in reasons))
    head = f"{reasons[0]['decision']}: {reasons[0]['means']} [{rule}, {tools}]"
    if rule == "tool-incomplete":
        known = view.document["tools"]
        why = "; ".join(f"{reason['tool']}: {known[reason['tool']]['reason']}" for reason in reasons)
        return f"{head}: {cut_text(why, wording.MESSAGE_BOUND)}"
    faults = list(
        dict.fromkeys(
            (one.finding.rule_id, wording.place(one.finding.location))
            for reason in reasons
            for one in view.behind(reason["tool"], reason["findings"])
        )
    )
    named = _some(
        [" at ".join(filter(None, (rule_id, cut_text(place, _NAME_BOUND)))) for rule_id, place in faults]
    )
    return f"{head}: {named}" if named else head


def _tools_left_out(view: View) -> Iterator[str]:
    by_reason: dict[str, list[str]] = {}
    for short, tool in view.in_state("skipped", "not_in_this_version").items():
        by_reason.setdefault(tool["reason"], []).append(short)
    for short, tool in view.in_state("incomplete").items():
        by_reason.setdefault(f"did not finish: {tool['reason']}", []).append(short)
    for reason, names in by_reason.items():
        yield f"{', '.join(names)}: {cut_text(reason, wording.MESSAGE_BOUND)}"


def _within(short: str, tool: Mapping[str, Any]) -> Iterator[str]:
    document = tool["document"]
    if tool["ranAgain"]:
        yield f"{short} was run a second time, alone, and only that counts: {cut_text(tool['ranAgain'])}"
    if document is None:
        return
    by_reason: dict[str, list[str]] = {}
    for skipped in document["coverage"]["skipped"]:
        by_reason.setdefault(skipped["reason"], []).append(skipped["tool"])
    for number, (reason, names) in enumerate(by_reason.items()):
        if number == _SKIPPED_SHOWN:
            yield f"{short}: {len(by_reason) - number} more reasons for tools left out, in the JSON report"
            break
        count = wording.plural(len(names), "tool")
        yield f"{short}: {count} not checked ({_some(names)}): {cut_text(reason)}"
    for reason, names in unanswered(document).items():
        yield f"{short}: {_some(names)}: {cut_text(reason)}"
    missing = document["details"].get("notInThisVersion")
    if isinstance(missing, list) and missing:
        count = wording.plural(len(missing), "kind")
        yield f"{short}: {count} of checks are not in this version; the JSON report names them"
