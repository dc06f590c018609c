"""Where something stands in a source file."""

from dataclasses import dataclass

from mcp_check_core.model.finding import Location


@dataclass(frozen=True, slots=True, order=True)
class Place:
    """A stretch of a file. `file` is relative to the root, with slashes; lines and columns count from 1."""

    file: str
    line: int
    column: int
    end_line: int
    end_column: int

    def location(self, tool: str | None = None, parameter: str | None = None) -> Location:
        """Give it as the location of a finding."""
        return Location(
            tool=tool,
            parameter=parameter,
            file=self.file,
            line=self.line,
            column=self.column,
            end_line=self.end_line,
            end_column=self.end_column,
        )

    def contains(self, other: "Place") -> bool:
        """Tell whether the other stretch lies within this one."""
        return (
            self.file == other.file
            and (self.line, self.column) <= (other.line, other.column)
            and (other.end_line, other.end_column) <= (self.end_line, self.end_column)
        )
