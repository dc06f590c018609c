"""Why a whole run is to stop, once somebody wants it to."""

from dataclasses import dataclass, field

import anyio


@dataclass(slots=True)
class Stop:
    """Set once, with the reason; tools that run are asked to end then, others do not start."""

    reason: str | None = None
    by_user: bool = False
    _event: anyio.Event = field(default_factory=anyio.Event)

    def because(self, reason: str, *, by_user: bool = False) -> None:
        """Ask for the stop; the first reason stays."""
        if self.reason is None:
            self.reason, self.by_user = reason, by_user
            self._event.set()

    async def wait(self) -> None:
        """Wait until the run is to stop."""
        await self._event.wait()
