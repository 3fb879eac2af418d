"""Enums of this package and their numbers on the wire."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Generic, TypeVar

Ours = TypeVar("Ours")
Theirs = TypeVar("Theirs", bound=int)


class WireEnum(Generic[Ours, Theirs]):
    """One enum both ways.

    A number that this version does not know reads as `unknown`: an older reader does not fail.
    """

    def __init__(self, numbers: Mapping[Ours, Theirs], unknown: Ours) -> None:
        self._numbers = dict(numbers)
        self._values: dict[int, Ours] = {number: value for value, number in numbers.items()}
        self._unknown = unknown

    def pack(self, value: Ours) -> Theirs:
        """The number of a value. Raises `KeyError` for what is no value of the enum."""
        return self._numbers[value]

    def read(self, number: int) -> Ours:
        """The value of a number."""
        return self._values.get(number, self._unknown)
