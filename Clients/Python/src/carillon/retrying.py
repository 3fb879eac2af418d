"""The pauses between retries."""

from __future__ import annotations

import random

FIRST_PAUSE_SECONDS = 0.1
LONGEST_PAUSE_SECONDS = 1.0


class Backoff:
    """Exponential backoff with a random part.

    All clients of a gateway lose their connections at the same time. The random part spreads their
    reconnects.
    """

    def __init__(self) -> None:
        self._longest_next = FIRST_PAUSE_SECONDS

    def next_seconds(self) -> float:
        """Returns the next pause: a random time between 50 % and 100 % of the current maximum."""
        longest = self._longest_next
        self._longest_next = min(2 * longest, LONGEST_PAUSE_SECONDS)
        return longest * random.uniform(0.5, 1)

    def reset(self) -> None:
        """Makes the next pause short again. Called after a success."""
        self._longest_next = FIRST_PAUSE_SECONDS
