"""The events of a session: one dataclass per kind of event, and the stream to read them."""

from __future__ import annotations

from dataclasses import dataclass

from carillon.attendees import (
    Attendee,
    AttendeeInfo,
    Capabilities,
    SignalStrength,
    VolumeLevel,
)
from carillon.errors import Status
from carillon.streams import BoundedStream

MESSAGES = "messages"
"""The stream of data messages, as `StreamPosition` names it."""
TRANSCRIPTS = "transcripts"
"""The stream of transcripts, as `StreamPosition` names it."""


@dataclass(frozen=True)
class Event:
    """Any of the events of this module."""


@dataclass(frozen=True)
class AttendeeEvent(Event):
    """An event about one attendee, with the attendee as the roster has it after the event."""

    attendee: Attendee


@dataclass(frozen=True)
class Joined(AttendeeEvent):
    """An attendee is in the meeting. A stream begins with one for each attendee present."""


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
    """An attendee was unmuted."""


@dataclass(frozen=True)
class VolumeChanged(AttendeeEvent):
    """An attendee is louder or quieter; muting and unmuting count."""

    volume: VolumeLevel


@dataclass(frozen=True)
class SignalChanged(AttendeeEvent):
    """The signal strength of an attendee changed."""

    signal: SignalStrength


@dataclass(frozen=True)
class CapabilitiesChanged(AttendeeEvent):
    """The capabilities of an attendee changed."""

    capabilities: Capabilities


@dataclass(frozen=True)
class Demoted(Event):
    """The promotion of this session ended without a call of `Session.demote`.

    The session only watches the primary meeting again. `status.session_status` says why:
    `AUDIO_AUTHENTICATION_REJECTED` if the attendee was deleted from the primary meeting,
    `AUDIO_INTERNAL_SERVER_ERROR` for every other reason. If the connection was lost, this event
    follows `Reconnected`; a session that ends before it reconnects emits only `Ended`.
    """

    attendee: AttendeeInfo
    """The attendee of the primary meeting as whom the session acted."""
    status: Status
    """Why the promotion ended; never `OK`."""


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
    incomplete_streams: tuple[str, ...] = ()
    """Streams, `messages` or `transcripts` for two, of which something is lost for good."""

    @property
    def has_all_messages(self) -> bool:
        """Every data message that was missed comes after this, unless a `StreamGap` comes.

        Otherwise some are lost for good, or nobody can tell: the session had to begin anew.
        """
        return self._has_all(MESSAGES)

    @property
    def has_all_transcripts(self) -> bool:
        """The same of what was said: else final results of that time may be missing."""
        return self._has_all(TRANSCRIPTS)

    def _has_all(self, stream: str) -> bool:
        is_continued = self.is_resumed or self.is_recovered
        return is_continued and stream not in self.incomplete_streams


@dataclass(frozen=True)
class StreamGap(Event):
    """Something of a stream is lost for good, which became known only after `Reconnected`."""

    stream: str
    """`messages` or `transcripts` for two."""


@dataclass(frozen=True)
class Ended(Event):
    """The last event: the session is over. `status.session_status` says how."""

    status: Status


class EventStream(BoundedStream[Event]):
    """The events of one consumer, in order: iterate over it with `async for`.

    It begins with a `Joined` for each attendee in the meeting at the time it was made, and ends
    after `Ended`. At most `limit` later events wait; one more, and the consumer gets those that
    wait and then `EventsLostError`. Nothing is left out silently. One task reads it at a time.
    """

    def _is_last(self, item: Event) -> bool:
        return isinstance(item, Ended)
