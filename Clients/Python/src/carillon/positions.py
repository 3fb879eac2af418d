"""Positions in numbered streams: how far a reader has read each stream."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from carillon.v1 import common_pb2


class Position(NamedTuple):
    """The number of an event, and the epoch in which that number counts."""

    epoch: int = 0
    """The epoch. Epochs are only compared for equality."""
    number: int = 0
    """The sequence of a stored event, or the tick of a volatile event; rises within an epoch."""

    def is_ahead_of(self, other: Position) -> bool:
        """Returns whether an event at this position is new to a reader at the other position."""
        return self.epoch != other.epoch or self.number > other.number


class ReadPosition:
    """The position of one reader. The reader has read all events up to this position."""

    def __init__(self) -> None:
        self.last = Position()
        """The position of the last event that the reader has read."""

    def advance(self, position: Position) -> bool:
        """Moves to a position if it is ahead of the last one. Returns whether the reader moved."""
        if not position.is_ahead_of(self.last):
            return False
        self.last = position
        return True


class Positions:
    """The last position of each stream that a session follows."""

    def __init__(self) -> None:
        self._last: dict[str, Position] = {}

    def note(self, positions: Iterable[common_pb2.StreamPosition]) -> None:
        """Notes the positions of an item. The last position of each stream counts."""
        for position in positions:
            self._last[position.stream] = Position(position.epoch, position.sequence)

    def packed(self) -> list[common_pb2.StreamPosition]:
        """Returns all positions as wire messages."""
        return [
            common_pb2.StreamPosition(stream=stream, epoch=last.epoch, sequence=last.number)
            for stream, last in self._last.items()
        ]

    def clear(self) -> None:
        """Removes all positions. Called when a keep-alive contains these positions."""
        self._last.clear()
