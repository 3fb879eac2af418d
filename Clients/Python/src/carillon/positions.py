"""How far a reader has come in numbered streams."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from carillon.v1 import common_pb2


class Position(NamedTuple):
    """The number of an event, and the numbering it belongs to."""

    epoch: int = 0
    """Epochs are compared for equality only."""
    number: int = 0
    """A sequence, or the tick of a volatile event: it rises within its epoch."""

    def is_ahead_of(self, other: Position) -> bool:
        """Whether an event here is new to a reader that has come to the other position."""
        return self.epoch != other.epoch or self.number > other.number


class ReadPosition:
    """How far one reader has come: what is not ahead of that is known to it."""

    def __init__(self) -> None:
        self.last = Position()
        """The position of the last event."""

    def advance(self, position: Position) -> bool:
        """Whether this is ahead of all that came before; then it is the last one."""
        if not position.is_ahead_of(self.last):
            return False
        self.last = position
        return True


class Positions:
    """The last position of each stream that a session follows."""

    def __init__(self) -> None:
        self._last: dict[str, Position] = {}

    def note(self, positions: Iterable[common_pb2.StreamPosition]) -> None:
        """The positions of an item; the last one of a stream counts."""
        for position in positions:
            self._last[position.stream] = Position(position.epoch, position.sequence)

    def packed(self) -> list[common_pb2.StreamPosition]:
        """All of them, as requests carry them."""
        return [
            common_pb2.StreamPosition(stream=stream, epoch=last.epoch, sequence=last.number)
            for stream, last in self._last.items()
        ]

    def clear(self) -> None:
        """What was noted so far has been told."""
        self._last.clear()
