"""All that was read of a server's source; rules see this and nothing else."""

from dataclasses import dataclass

from mcp_doctor.facts.code import BareCatch, SdkUse, StdoutWrite, Transport
from mcp_doctor.facts.requirement import Declared
from mcp_doctor.facts.tool_decl import ToolDecl, Unresolved


@dataclass(frozen=True, slots=True)
class LanguageFacts:
    """What the adapter of one language found."""

    language: str
    tools: tuple[ToolDecl, ...] = ()
    unresolved: tuple[Unresolved, ...] = ()
    writes: tuple[StdoutWrite, ...] = ()
    catches: tuple[BareCatch, ...] = ()
    uses: tuple[SdkUse, ...] = ()
    transports: frozenset[Transport] = frozenset()


@dataclass(frozen=True, slots=True)
class ServerSource:
    """The facts of all languages together, and what the manifests ask for."""

    languages: tuple[LanguageFacts, ...] = ()
    declared: tuple[Declared, ...] = ()

    @property
    def tools(self) -> tuple[ToolDecl, ...]:
        """The tools of all languages, by place."""
        found = (tool for facts in self.languages for tool in facts.tools)
        return tuple(sorted(found, key=lambda tool: tool.place))

    @property
    def unresolved(self) -> tuple[Unresolved, ...]:
        """The registrations whose name could not be resolved, by place."""
        found = (one for facts in self.languages for one in facts.unresolved)
        return tuple(sorted(found, key=lambda one: one.place))

    @property
    def writes(self) -> tuple[StdoutWrite, ...]:
        """The writes to stdout of all languages."""
        return tuple(write for facts in self.languages for write in facts.writes)

    @property
    def catches(self) -> tuple[BareCatch, ...]:
        """The bare catches of all languages."""
        return tuple(catch for facts in self.languages for catch in facts.catches)

    @property
    def uses(self) -> tuple[SdkUse, ...]:
        """The uses of SDKs of all languages."""
        return tuple(use for facts in self.languages for use in facts.uses)

    @property
    def transports(self) -> frozenset[Transport]:
        """The ways in which the server can be started, as far as they were seen."""
        return frozenset().union(*(facts.transports for facts in self.languages))
