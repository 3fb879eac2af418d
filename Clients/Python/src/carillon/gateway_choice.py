"""At which gateway a session is opened or resumed next."""

from __future__ import annotations

from collections.abc import Sequence

_MOST_KNOWN = 64


class GatewayChoice:
    """The gateway where the session is, and after a loss another one, if there are others."""

    def __init__(self, endpoint: str = "") -> None:
        self.next = endpoint
        """Where the session is, or is tried."""
        self._known: list[str] = []

    def take(self, endpoints: Sequence[str]) -> None:
        """The gateway has said where the session may be resumed; nothing: it does not know."""
        if endpoints:
            self._known = list(endpoints[:_MOST_KNOWN])

    def lose(self) -> None:
        """The present gateway is lost, or sends its clients away: another one is next."""
        # The only one that is known may be the present one, by another way than its own address.
        if len(self._known) < 2:
            return
        index = self._known.index(self.next) + 1 if self.next in self._known else 0
        for other in self._known[index:] + self._known[:index]:
            if other != self.next:
                self.next = other
                return
