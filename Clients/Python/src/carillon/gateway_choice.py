"""The choice of the gateway at which a session starts or resumes."""

from __future__ import annotations

from collections.abc import Sequence

_MOST_KNOWN = 64


class GatewayChoice:
    """The gateway of the session, and the gateway to try next after a loss."""

    def __init__(self, endpoint: str = "") -> None:
        self.next = endpoint
        """The endpoint of the gateway that has the session, or of the gateway to try next."""
        self._known: list[str] = []

    def take(self, endpoints: Sequence[str]) -> None:
        """Stores the endpoints at which the session can be resumed.

        This method ignores an empty list.
        """
        if endpoints:
            self._known = list(endpoints[:_MOST_KNOWN])

    def lose(self) -> None:
        """Selects another gateway, because the current one is lost or drains."""
        # A single known endpoint may be the current gateway under another address.
        if len(self._known) < 2:
            return
        index = self._known.index(self.next) + 1 if self.next in self._known else 0
        for other in self._known[index:] + self._known[:index]:
            if other != self.next:
                self.next = other
                return
