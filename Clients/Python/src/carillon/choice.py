"""Choices that a program makes with calls, and that the next `Start` declares again."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Generic, TypeVar

Value = TypeVar("Value")


@dataclass
class _Request(Generic[Value]):
    value: Value


class Choice(Generic[Value]):
    """A value that a call sets and that a `Start` declares again after a lost connection.

    While a call is in flight, the value of the call is `wanted`. A `Start` between two attempts of
    the call declares this value. The attempts are idempotent. If the call succeeds, its value
    becomes `settled`. After a failure or cancellation of the call, `wanted` becomes the settled
    value again. Only one call may be in flight at a time; a lock in the object that contains this
    choice ensures this.

    `change` applies a change by the server to the settled value, and also to the value of a call in
    flight. So a failed call does not restore a value that the server has removed.
    """

    def __init__(self, settled: Value) -> None:
        self._settled = settled
        self._request: _Request[Value] | None = None

    @property
    def settled(self) -> Value:
        """The value of the last successful call, with the later changes by the server."""
        return self._settled

    @property
    def wanted(self) -> Value:
        """The value that a `Start` declares now."""
        return self._settled if self._request is None else self._request.value

    @property
    def is_asking(self) -> bool:
        """Whether a call is in flight."""
        return self._request is not None

    @contextmanager
    def asking(self, wanted: Value) -> Iterator[None]:
        """Sets `wanted` during the block. If the block raises no error, also sets `settled`."""
        assert self._request is None, "One call of a choice is under way at a time."
        self._request = request = _Request(wanted)
        try:
            yield
            self._settled = request.value
        finally:
            self._request = None

    def change(self, change: Callable[[Value], Value]) -> None:
        """Applies a change to the settled value, and to the value of a call in flight."""
        self._settled = change(self._settled)
        if self._request is not None:
            self._request.value = change(self._request.value)
