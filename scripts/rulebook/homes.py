"""Where rules live: the library and the five tools, each with its folders and how its registry is written."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from types import ModuleType

from mcp_check_core.model.json_value import Json
from mcp_check_core.model.rule import Rule
from mcp_check_core.report.schema import schema_text

ROOT = Path(__file__).resolve().parents[2]
_DECLARATION = "RULE = Rule("


@dataclass(frozen=True, slots=True)
class Home:
    """The library or a tool as far as its rules are concerned.

    `short` begins the ids of its rules. `template` names the form of a rule and `facts`, as `module:name`,
    the type that one reads whose form leaves that open. `example` is the kind of block that its pages hold,
    and `schema_module` the module of the function that makes the schema of its report.
    """

    short: str
    folder: str
    package: str
    template: str = "rule"
    facts: str = "mcp_check_core.wire.connector:NotConnectedError"
    example: str = "python server"
    schema_module: str = "report_schema"

    @property
    def source(self) -> Path:
        """The folder of the import package, relative to the root."""
        return Path(self.folder, "src", self.package)

    @property
    def rules(self) -> Path:
        """The folder of rules and their pages, relative to the root."""
        return self.source / "rules"

    @property
    def cases(self) -> Path:
        """The folder that holds a folder of cases for each rule, relative to the root."""
        return Path(self.folder, "tests", "rules")

    @property
    def registry(self) -> Path:
        """The module that lists the rules, relative to the root; core has none."""
        return self.source / "registry.py"


CORE = Home("core", "tools/core", "mcp_check_core")
TOOLS = (
    Home(
        "doctor",
        "tools/doctor",
        "mcp_doctor",
        "declared",
        example="python source",
        schema_module="contract.document_schema",
    ),
    Home(
        "guard",
        "tools/stdio_guard",
        "mcp_stdio_guard",
        "block",
        example="jsonl wire",
        schema_module="contract.document_schema",
    ),
    Home("fuzz", "tools/fuzz", "mcp_fuzz", facts="mcp_fuzz.facts.call:ToolCalls"),
    Home("reality", "tools/reality", "mcp_reality_check", facts="mcp_reality_check.facts.call:ToolCalls"),
    Home("lint", "tools/lint", "mcp_lint", "judged", example="json tools"),
)
HOMES = (CORE, *TOOLS)


def schema_of(tool: Home) -> str | None:
    """Make the schema of a tool's report and write it as it is committed; None where it has none."""
    name = f"{tool.package}.{tool.schema_module}"
    if (
        find_spec(tool.package) is None
        or find_spec(name.rpartition(".")[0]) is None
        or find_spec(name) is None
    ):
        return None
    module = import_module(name)
    make: Callable[[], dict[str, Json]] = getattr(module, tool.schema_module.rpartition(".")[2])
    return schema_text(make())


def home_of(short: str) -> Home:
    """Find a home by its short name. Raises KeyError."""
    return {home.short: home for home in HOMES}[short]


def announced(tool: Home) -> tuple[Rule, ...]:
    """Give the rules that a tool announces, those of core among them; none where it has no registry."""
    name = f"{tool.package}.registry"
    if find_spec(name) is None:
        return ()
    rules: tuple[Rule, ...] = import_module(name).RULES
    return rules


def registered(home: Home) -> tuple[Rule, ...]:
    """Give the rules whose ids begin with the short name; those of core are what the tools announce."""
    everywhere = {rule.id: rule for tool in TOOLS for rule in announced(tool)}
    return tuple(rule for rule in everywhere.values() if rule.id.startswith(f"{home.short}/"))


def declared(home: Home) -> dict[str, str]:
    """Map the id of each rule that a module declares at its top level to that module.

    For a tool these are the modules in `rules`; of core, those whose text declares a rule.
    """
    found: dict[str, str] = {}
    for module in _modules(home):
        for value in vars(module).values():
            for rule in _rules_in(value):
                if rule.id.startswith(f"{home.short}/"):
                    found.setdefault(rule.id, module.__name__)
    return found


def _modules(home: Home) -> Iterator[ModuleType]:
    folder = home.source if home is CORE else home.rules
    for path in sorted((ROOT / folder).rglob("*.py")):
        if home is not CORE or _DECLARATION in path.read_text("utf-8"):
            parts = path.relative_to(ROOT / home.source.parent).with_suffix("").parts
            yield import_module(".".join(parts).removesuffix(".__init__"))


def _rules_in(value: object) -> Iterator[Rule]:
    """Give the rule that a value is, holds as `rule`, or has as items."""
    if isinstance(value, Rule):
        yield value
    elif isinstance(value, tuple):
        for item in value:
            yield from _rules_in(item)
    elif isinstance(rule := getattr(value, "rule", None), Rule):
        yield rule
