"""What a user of a session has asked for, as the next Start declares it."""

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
    """One thing that is chosen by calls, and declared again after a lost connection.

    While a call is under way its value is `wanted`: a Start that comes between its attempts
    declares it, and the attempts are idempotent. When the call succeeds its value is `settled`,
    when it is refused or given up what was settled is wanted again. One call is under way at a
    time; the owner's lock sees to that.

    What the server changes meanwhile goes by `change`, so that a call that fails brings back
    nothing that is gone.
    """

    def __init__(self, settled: Value) -> None:
        self._settled = settled
        self._request: _Request[Value] | None = None

    @property
    def settled(self) -> Value:
        """What the last call that succeeded has chosen, or the server has made of it."""
        return self._settled

    @property
    def wanted(self) -> Value:
        """What a Start declares now."""
        return self._settled if self._request is None else self._request.value

    @property
    def is_asking(self) -> bool:
        """Whether a call is under way."""
        return self._request is not None

    @contextmanager
    def asking(self, wanted: Value) -> Iterator[None]:
        """Within the block a call asks for a value; leaving it without an error settles it."""
        assert self._request is None, "One call of a choice is under way at a time."
        self._request = request = _Request(wanted)
        try:
            yield
            self._settled = request.value
        finally:
            self._request = None

    def change(self, change: Callable[[Value], Value]) -> None:
        """Makes something else of what is settled, and of what a call asks for."""
        self._settled = change(self._settled)
        if self._request is not None:
            self._request.value = change(self._request.value)
