"""What the command exits with: the gate over decision and score."""

from dataclasses import dataclass

from mcp_check_core.cli.exit_code import ExitCode
from mcp_trust_check.decision import Decision
from mcp_trust_check.fail_on import FailOn
from mcp_trust_check.judgement import Judgement
from mcp_trust_check.tool_state import State


@dataclass(frozen=True, slots=True)
class Gate:
    """What a result must keep to: the decision, and a combined score of at least `fail_under` (0: any)."""

    fail_on: FailOn = FailOn.NEVER
    fail_under: float = 0.0

    def broken_by(self, judgement: Judgement) -> str | None:
        """Say why the gate does not hold, or None. A score that is missing fails a score gate."""
        decision = judgement.decision
        if self.fail_on is FailOn.REVIEW and judgement.needs_human_review:
            return f"{decision} with {judgement.confidence.level} confidence, and --fail-on is review"
        failing = {
            FailOn.BLOCK: (Decision.BLOCK,),
            FailOn.FIX: (Decision.BLOCK, Decision.FIX_FIRST),
        }.get(self.fail_on, ())
        if decision in failing:
            return f"the decision is {decision}, and --fail-on is {self.fail_on}"
        value = judgement.combined.value
        if self.fail_under > 0 and value is None:
            return f"there is no combined score, and --fail-under is {self.fail_under:g}"
        if self.fail_under > 0 and value is not None and value < self.fail_under:
            return f"the combined score {value:g} is under {self.fail_under:g} (--fail-under)"
        return None

    def exit_code(self, judgement: Judgement, *, interrupted: bool) -> ExitCode:
        """Choose the exit code. An incomplete check is unusable, unless what it saw blocks all the same."""
        if interrupted:
            return ExitCode.INTERRUPTED
        if self.broken_by(judgement) is not None:
            return ExitCode.GATE
        incomplete = any(state.state is State.INCOMPLETE for state in judgement.states)
        if incomplete and judgement.decision is not Decision.BLOCK:
            return ExitCode.UNUSABLE
        return ExitCode.OK
