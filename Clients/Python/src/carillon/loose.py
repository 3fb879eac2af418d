"""Weak references that can keep their object alive while a task waits in this object."""

from __future__ import annotations

import weakref
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, Concatenate, ParamSpec, Self, TypeVar

Thing = TypeVar("Thing")
Arguments = ParamSpec("Arguments")


class LooseReference(weakref.ref[Thing]):
    """A weak reference that becomes strong within `held`.

    A session refers to its readers with these references. Often only a reader refers to the task
    that waits in this reader. Without `held`, Python would collect reader and task while the task
    waits.
    """

    __slots__ = ("_held", "_waits")
    _held: Thing | None
    _waits: int

    def __new__(cls, thing: Thing, on_gone: Callable[[Any], None] | None = None) -> Self:
        """Creates the reference.

        After Python has freed the object, Python calls `on_gone` with this reference, on any
        thread.
        """
        reference = super().__new__(cls, thing, on_gone)
        reference._held = None
        reference._waits = 0
        hash(reference)  # Caches the hash, which Python cannot compute for a freed object.
        return reference

    @contextmanager
    def held(self) -> Iterator[None]:
        """Keeps the object alive within the block, unless this reference itself is freed.

        Blocks may be nested.
        """
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
        """Returns a function that calls a method of the object until the object is freed."""

        def call(*arguments: Arguments.args, **named: Arguments.kwargs) -> None:
            if (thing := self()) is not None:
                method(thing, *arguments, **named)

        return call
