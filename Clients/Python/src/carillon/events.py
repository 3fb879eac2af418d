"""What a session tells: one dataclass for each kind of event, and the stream a consumer reads."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Self

from carillon.attendees import Attendee, Capabilities, SignalStrength, VolumeLevel
from carillon.errors import EventsLostError, Status


@dataclass(frozen=True)
class Event:
    """Any of the events of this module."""


@dataclass(frozen=True)
class AttendeeEvent(Event):
    """An event about one attendee, with the attendee as the roster has it after the event."""

    attendee: Attendee


@dataclass(frozen=True)
class Joined(AttendeeEvent):
    """An attendee is in the meeting. Also comes first for each one that already was."""


@dataclass(frozen=True)
class Left(AttendeeEvent):
    """An attendee left on purpose, or was removed. It is as the roster had it last."""


@dataclass(frozen=True)
class Dropped(AttendeeEvent):
    """An attendee was lost, or was gone when a lost connection came back."""


@dataclass(frozen=True)
class Muted(AttendeeEvent):
    """An attendee was muted, by itself or by an operator (`attendee.is_muted_by_operator`)."""


@dataclass(frozen=True)
class Unmuted(AttendeeEvent):
    """An attendee is not muted any more."""


@dataclass(frozen=True)
class VolumeChanged(AttendeeEvent):
    """An attendee is louder or quieter; muting and unmuting count."""

    volume: VolumeLevel


@dataclass(frozen=True)
class SignalChanged(AttendeeEvent):
    """An attendee is better or worse connected."""

    signal: SignalStrength


@dataclass(frozen=True)
class CapabilitiesChanged(AttendeeEvent):
    """What an attendee may do has changed."""

    capabilities: Capabilities


@dataclass(frozen=True)
class Reconnecting(Event):
    """The connection was lost, or the gateway asked to resume. `status` says why."""

    status: Status


@dataclass(frozen=True)
class Reconnected(Event):
    """The session goes on. What was missed comes after this, one way or the other."""

    is_resumed: bool
    """The session was still there: nobody was told that this attendee left or dropped."""
    is_recovered: bool
    """What was missed comes as it happened; otherwise as the difference of two rosters."""


@dataclass(frozen=True)
class Ended(Event):
    """The last event: the session is over. `status.session_status` says how."""

    status: Status


class EventStream:
    """The events of one consumer, in order: iterate over it with `async for`.

    It begins with a `Joined` for each attendee in the meeting at the time it was made, and ends
    after `Ended`. At most `limit` later events wait; one more, and the consumer gets those that
    wait and then `EventsLostError`. Nothing is left out silently. One task reads it at a time.
    """

    def __init__(
        self, initial: Iterable[Event], limit: int, on_close: Callable[[EventStream], None]
    ) -> None:
        self._initial = deque(initial)
        self._events: deque[Event] = deque()
        self._limit = limit
        self._on_close = on_close
        self._error: EventsLostError | None = None
        self._is_over = False
        self._news = asyncio.Event()

    def __aiter__(self) -> Self:
        return self

    async def __anext__(self) -> Event:
        if self._initial:
            return self._initial.popleft()
        while not self._events:
            if self._error is not None:
                error, self._error = self._error, None
                raise error
            if self._is_over:
                raise StopAsyncIteration
            self._news.clear()
            await self._news.wait()
        return self._events.popleft()

    def close(self) -> None:
        """Takes no more events; those that wait can still be read. Idempotent."""
        self._is_over = True
        self._news.set()
        self._on_close(self)

    def push(self, event: Event) -> None:
        """Adds an event; called by the session. The end of a session always has room."""
        if self._is_over:
            return
        if len(self._events) >= self._limit and not isinstance(event, Ended):
            self._error = EventsLostError(self._limit)
            return self.close()
        self._events.append(event)
        self._news.set()
        if isinstance(event, Ended):
            self.close()
