"""The playout delay of the jitter buffer."""

from __future__ import annotations

from bisect import bisect_left, insort
from collections import deque
from enum import Enum

from carillon.media.audio.opus import FRAME_SAMPLES

_PACKETS = 250
"""The number of packets that are measured: 5 s of audio."""
_LATE_SHARE = 0.01
"""The share of packets that may be late."""
_TOLERATED_SHARE = 0.015
"""The share of late packets above which the delay grows. The difference from `_LATE_SHARE` keeps
the
delay from moving back and forth at random."""
_LATER_PULLS = 5
_MUCH_LATER_PULLS = 2
_SOONER_PULLS = 50


class Lateness:
    """The transit times of the last packets, and their lateness: the time above the minimum.

    Times are in samples since any fixed moment.
    """

    def __init__(self) -> None:
        self._recent: deque[int] = deque()
        self._sorted: list[int] = []

    def take(self, transit: int) -> None:
        """Adds a packet. `transit` is the packet's time of arrival minus the packet's timestamp."""
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
        """The lateness that only 1 % of the packets exceed; 0 before the first packet."""
        return self._exceeded_by(_LATE_SHARE)

    @property
    def tolerated(self) -> int:
        """The lateness that only 1.5 % of the packets exceed; 0 before the first packet."""
        return self._exceeded_by(_TOLERATED_SHARE)

    def _exceeded_by(self, share: float) -> int:
        count = len(self._sorted)
        return self._sorted[count - 1 - int(count * share)] - self.quickest if count else 0


class Step(Enum):
    """How to play the next packet."""

    KEEP = 0
    LATER = 1
    """Insert a concealed frame first, so that this and all later packets wait longer."""
    SOONER = 2
    """Play this packet and the next in the time of one packet, so that later packets wait less."""


class Pace:
    """Decides whether to play later or sooner, from the transit of packets since the last time.

    The transit of a packet is the time of its playout, minus its timestamp. If the transit of a
    packet was too short, the buffer delays later packets. This happens at most once per 100 ms, or
    once per 40 ms if the transit was too short by more than a frame. If all transits within a
    second were too long, the buffer plays later packets sooner.
    """

    def __init__(self) -> None:
        self._transits: list[int] = []

    def restart(self) -> None:
        """Starts a new measurement, because the transit of packets has changed."""
        self._transits.clear()

    def step(self, transit: int, least: int, most: int) -> Step:
        """Returns how to play the next packet. Called once for each packet.

        `least` and `most` limit the transit. All three are in samples.
        """
        self._transits.append(transit)
        missing = least - min(self._transits)
        pulls = _MUCH_LATER_PULLS if missing > FRAME_SAMPLES else _LATER_PULLS
        if missing > 0 and len(self._transits) >= pulls:
            self.restart()
            return Step.LATER
        if len(self._transits) < _SOONER_PULLS:
            return Step.KEEP
        is_long = min(self._transits) > most
        self.restart()
        return Step.SOONER if is_long else Step.KEEP
