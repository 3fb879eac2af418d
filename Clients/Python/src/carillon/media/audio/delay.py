"""The playout delay of the jitter buffer."""

from __future__ import annotations

from bisect import bisect_left, insort
from collections import deque
from enum import Enum

from carillon.media.audio.opus import FRAME_SAMPLES

_PACKETS = 250
"""The number of packets that are measured: 5 s."""
_LATE_SHARE = 0.01
_LATER_PULLS = 5
_SOONER_PULLS = 50
_REST_PULLS = 250


class Lateness:
    """The lateness of the last packets: the 99th percentile of their transit above the minimum.

    Times are in samples, with any origin.
    """

    def __init__(self) -> None:
        self._recent: deque[int] = deque()
        self._sorted: list[int] = []

    def take(self, transit: int) -> None:
        """Adds a packet. `transit` is its time of arrival minus its timestamp."""
        if len(self._recent) == _PACKETS:
            del self._sorted[bisect_left(self._sorted, self._recent.popleft())]
        self._recent.append(transit)
        insort(self._sorted, transit)

    @property
    def quickest(self) -> int:
        """The minimum transit; 0 before the first packet."""
        return self._sorted[0] if self._sorted else 0

    @property
    def value(self) -> int:
        """The lateness; 0 before the first packet."""
        count = len(self._sorted)
        return self._sorted[count - 1 - int(count * _LATE_SHARE)] - self.quickest if count else 0


class Step(Enum):
    """How to play the next packet."""

    KEEP = 0
    LATER = 1
    """Insert a concealed frame first, so that this and all later packets wait longer."""
    SOONER = 2
    """Play this packet and the next one in the time of one, so that later packets wait less."""


class Pace:
    """Decides when to play later or sooner, by how long packets waited since the last decision.

    If a packet waited too little, it plays later, but at most once in 100 ms. If all packets of a
    second waited too long, it plays sooner. Within five seconds after it played later, a wait is
    too long only if it exceeds the limit by more than a packet.
    """

    def __init__(self) -> None:
        self._waits: list[int] = []
        self._since_later = _REST_PULLS

    def stretch(self) -> None:
        """Records that later packets are played later."""
        self._waits.clear()
        self._since_later = 0

    def step(self, wait: int, least: int, most: int) -> Step:
        """Returns how to play the next packet. Called once for each packet.

        `wait` is how long the packet waited. `least` and `most` limit the wait. All are in samples.
        """
        self._waits.append(wait)
        self._since_later += 1
        if len(self._waits) >= _LATER_PULLS and min(self._waits) < least:
            self.stretch()
            return Step.LATER
        if len(self._waits) < _SOONER_PULLS:
            return Step.KEEP
        spare = min(self._waits) - most
        self._waits.clear()
        rest = FRAME_SAMPLES if self._since_later < _REST_PULLS else 0
        return Step.SOONER if spare > rest else Step.KEEP
