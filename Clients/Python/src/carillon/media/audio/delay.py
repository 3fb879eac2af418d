"""The playout delay of the jitter buffer."""

from __future__ import annotations

from bisect import bisect_left, insort
from collections import deque
from enum import Enum

from carillon.media.audio.opus import FRAME_SAMPLES, SAMPLE_RATE

MOST_DELAY_SECONDS = 0.24
"""The maximum lateness for which the buffer waits, in seconds."""

_MOST_DELAY = int(MOST_DELAY_SECONDS * SAMPLE_RATE)
_FIRST_DELAY = FRAME_SAMPLES
"""The minimum lateness that is assumed until `_ENOUGH` packets are measured, in samples."""
_ENOUGH = 100
_PACKETS = 250
"""The number of packets that are measured: 5 s of audio."""
_LATE_SHARE = 0.01
"""The share of packets that may be late."""
_TOLERATED_SHARE = 0.015
"""The share of late packets above which the delay grows. The difference from `_LATE_SHARE` keeps
the delay from moving back and forth at random."""
_WINDOW = 5 * SAMPLE_RATE
"""The minimum time for which a packet remains the quickest packet, in samples. The maximum is twice
as long."""
_BURST = SAMPLE_RATE // 500
"""The maximum time between the arrivals of two packets of the same stall, in samples: 2 ms."""
_JUMP = 2 * SAMPLE_RATE
"""The smallest change of the transit that shows a restart of the sender's clock, in samples."""
_LATER_PULLS = 5
_MUCH_LATER_PULLS = 2
_SOONER_PULLS = 50


class Lateness:
    """The lateness of the last packets: how much longer each took than the quickest packet.

    The quickest packet is that of the last 5 to 10 s. Times are in samples since any fixed moment.
    The transit of a packet is the time of its arrival, minus its timestamp.
    """

    def __init__(self) -> None:
        self._recent: deque[int] = deque()
        self._sorted: list[int] = []
        self._window: int | None = None
        """The start of the present window for the quickest packet."""
        self._quickest = 0
        self._quickest_before: int | None = None
        """The minimum transit of the previous window, if that window ended when this one began."""
        self._last_transit = 0
        self._last_arrival = 0

    def take(self, transit: int, arrival: int) -> None:
        """Adds a packet that arrived at `arrival`."""
        follows = arrival - self._last_arrival < _BURST and transit < self._last_transit
        self._move_window(transit, arrival)
        self._last_transit, self._last_arrival = transit, arrival
        # Of the packets that a stall delayed, the measurement includes only the first.
        if self._sorted and follows:
            return
        if len(self._recent) == _PACKETS:
            del self._sorted[bisect_left(self._sorted, self._recent.popleft())]
        self._recent.append(transit)
        insort(self._sorted, transit)

    @property
    def quickest(self) -> int:
        """The minimum transit; 0 before the first packet."""
        before = self._quickest_before
        return self._quickest if before is None else min(self._quickest, before)

    @property
    def value(self) -> int:
        """The lateness that only 1 % of the packets exceed, up to 240 ms."""
        return self._exceeded_by(_LATE_SHARE)

    @property
    def tolerated(self) -> int:
        """The lateness that only 1.5 % of the packets exceed, up to 240 ms."""
        return self._exceeded_by(_TOLERATED_SHARE)

    def _exceeded_by(self, share: float) -> int:
        count = len(self._sorted)
        measured = self._sorted[count - 1 - int(count * share)] - self.quickest if count else 0
        return min(max(measured, _FIRST_DELAY if count < _ENOUGH else 0), _MOST_DELAY)

    def _move_window(self, transit: int, arrival: int) -> None:
        if self._window is None or abs(transit - self._last_transit) >= _JUMP:
            self._recent.clear()
            self._sorted.clear()
            self._window, self._quickest, self._quickest_before = arrival, transit, None
        elif (elapsed := arrival - self._window) >= _WINDOW:
            # The clocks may drift apart in a long pause, so the minimum ignores packets before the
            # pause.
            self._quickest_before = self._quickest if elapsed < 2 * _WINDOW else None
            self._window, self._quickest = arrival, transit
        self._quickest = min(self._quickest, transit)


class Step(Enum):
    """How to play the next packet."""

    KEEP = 0
    LATER = 1
    """Insert a concealed frame before this packet, so that it and all later packets wait longer."""
    SOONER = 2
    """Play this packet and the next in the time of one packet, so that later packets wait less."""


class Pace:
    """Decides whether to play later or sooner, from the transit of packets since the last decision.

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
