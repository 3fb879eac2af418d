"""Unwrapping of RTP counters, which wrap around after their last number."""

from __future__ import annotations


class Unwrapper:
    """Extends the numbers of a counter of `bits` bits as if it never wrapped around.

    Of the possible extended numbers, `unwrap` returns the one that is nearest to the highest number
    so far, above or below that number. The first number is returned unchanged.
    """

    def __init__(self, bits: int) -> None:
        self._size = 1 << bits
        self._highest: int | None = None

    def unwrap(self, number: int) -> int:
        """Returns the extended number, which is near the highest one so far."""
        unwrapped = self.peek(number)
        self._highest = unwrapped if self._highest is None else max(self._highest, unwrapped)
        return unwrapped

    def peek(self, number: int) -> int:
        """Returns what `unwrap` would return, without a change of the highest number."""
        if self._highest is None:
            return number
        half = self._size // 2
        return self._highest + (number - self._highest + half) % self._size - half

    def restart(self) -> None:
        """Forgets the highest number, so that `unwrap` returns the next number unchanged."""
        self._highest = None
