"""References that do not keep alive what nobody else holds."""

from __future__ import annotations

import weakref
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, Concatenate, ParamSpec, Self, TypeVar

Thing = TypeVar("Thing")
Arguments = ParamSpec("Arguments")


class LooseReference(weakref.ref[Thing]):
    """A reference by which somebody hands things on to a reader: weak, but strong in `held`.

    A task that waits for a reader's news is often held by that wait alone. Without `held` the
    reader and the task would be collected together, while the task still waits.
    """

    __slots__ = ("_held", "_waits")
    _held: Thing | None
    _waits: int

    def __new__(cls, thing: Thing, on_gone: Callable[[Any], None] | None = None) -> Self:
        """`on_gone` gets this reference when the thing is gone, on whatever thread that is."""
        reference = super().__new__(cls, thing, on_gone)
        reference._held = None
        reference._waits = 0
        hash(reference)  # Known from now on, also when the thing is gone.
        return reference

    @contextmanager
    def held(self) -> Iterator[None]:
        """Somebody waits: the thing lives as long as this reference does. May be nested."""
        self._held = self()
        self._waits += 1
        try:
            yield
        finally:
            self._waits -= 1
            if not self._waits:
                self._held = None

    def calling(
        self, method: Callable[Concatenate[Thing, Arguments], object]
    ) -> Callable[Arguments, None]:
        """A function that calls a method of the thing, and does nothing when that is gone."""

        def call(*arguments: Arguments.args, **named: Arguments.kwargs) -> None:
            if (thing := self()) is not None:
                method(thing, *arguments, **named)

        return call
