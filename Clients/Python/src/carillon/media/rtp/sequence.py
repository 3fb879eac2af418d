"""Counters of RTP that begin again after their last number."""

from __future__ import annotations


class Unwrapper:
    """Gives numbers of a counter of `bits` bits as if it never began again.

    Each number is taken as the nearest to the highest so far, whichever way it went. The first one
    stands for itself.
    """

    def __init__(self, bits: int) -> None:
        self._size = 1 << bits
        self._highest: int | None = None

    def unwrap(self, number: int) -> int:
        """The number without its bounds: near the highest one so far."""
        if self._highest is None:
            self._highest = number
            return number
        half = self._size // 2
        step = (number - self._highest + half) % self._size - half
        unwrapped = self._highest + step
        self._highest = max(self._highest, unwrapped)
        return unwrapped

    def restart(self) -> None:
        """The next number has nothing to do with those before."""
        self._highest = None
