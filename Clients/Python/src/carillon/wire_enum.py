"""Mappings between the enums of this package and their numbers on the wire."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Generic, TypeVar

Ours = TypeVar("Ours")
Theirs = TypeVar("Theirs", bound=int)


class WireEnum(Generic[Ours, Theirs]):
    """The mapping of one enum, in both directions.

    This version reads a number that it does not know as `unknown`, so that it can read messages of
    newer versions.
    """

    def __init__(self, numbers: Mapping[Ours, Theirs], unknown: Ours) -> None:
        self._numbers = dict(numbers)
        self._values: dict[int, Ours] = {number: value for value, number in numbers.items()}
        self._unknown = unknown

    def pack(self, value: Ours) -> Theirs:
        """Returns the number of a value. Raises `KeyError` for a value that is not of the enum."""
        return self._numbers[value]

    def read(self, number: int) -> Ours:
        """Returns the enum value that has this number on the wire."""
        return self._values.get(number, self._unknown)
