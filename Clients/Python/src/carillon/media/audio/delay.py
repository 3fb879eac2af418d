"""How long packets have to wait for those that are late."""

from __future__ import annotations

from bisect import bisect_left, insort
from collections import deque
from enum import Enum

from carillon.media.audio.opus import FRAME_SAMPLES

_PACKETS = 250
"""What is remembered: 5 s."""
_LATE_SHARE = 0.01
_LATER_PULLS = 5
_SOONER_PULLS = 50
_REST_PULLS = 250


class Lateness:
    """How much later than the quickest one nearly all of the last packets come.

    One in a hundred may come later still. Times are in samples, of any origin.
    """

    def __init__(self) -> None:
        self._recent: deque[int] = deque()
        self._sorted: list[int] = []

    def take(self, transit: int) -> None:
        """`transit` is a packet's arrival minus its timestamp."""
        if len(self._recent) == _PACKETS:
            del self._sorted[bisect_left(self._sorted, self._recent.popleft())]
        self._recent.append(transit)
        insort(self._sorted, transit)

    @property
    def quickest(self) -> int:
        """The least transit; 0 before any."""
        return self._sorted[0] if self._sorted else 0

    @property
    def value(self) -> int:
        """The lateness; 0 before any packet."""
        count = len(self._sorted)
        return self._sorted[count - 1 - int(count * _LATE_SHARE)] - self.quickest if count else 0


class Step(Enum):
    """What to do with the packet whose turn it is."""

    KEEP = 0
    LATER = 1
    """Make up a frame first, so that it and all that follow wait longer."""
    SOONER = 2
    """Play it and the next one in the time of one."""


class Pace:
    """Decides when to play later and sooner, by how long packets waited at the last pulls.

    Too little for 100 ms makes them wait longer. A packet too much for a second makes them wait
    less, but not within five seconds of a step to later.
    """

    def __init__(self) -> None:
        self._waits: list[int] = []
        self._since_later = _REST_PULLS

    def stretch(self) -> None:
        """What follows is played later."""
        self._waits.clear()
        self._since_later = 0

    def step(self, wait: int, least: int, most: int) -> Step:
        """Called once for each packet that is played, with how long it may wait; in samples."""
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
