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
"""The name of the stream of data messages in `StreamPosition`."""
TRANSCRIPTS = "transcripts"
"""The name of the stream of transcripts in `StreamPosition`."""


@dataclass(frozen=True)
class Event:
    """The base class of the events in this module."""


@dataclass(frozen=True)
class AttendeeEvent(Event):
    """An event about one attendee."""

    attendee: Attendee
    """The attendee after the event; for `Left` and `Dropped`, the last state in the roster."""


@dataclass(frozen=True)
class Joined(AttendeeEvent):
    """An attendee joined. A new stream starts with one such event for each attendee present."""


@dataclass(frozen=True)
class Left(AttendeeEvent):
    """An attendee left the meeting, or a host or an operator removed the attendee."""


@dataclass(frozen=True)
class Dropped(AttendeeEvent):
    """An attendee lost its connection, or was no longer present when this session reconnected."""


@dataclass(frozen=True)
class Muted(AttendeeEvent):
    """An attendee became muted, by itself or by an operator (`attendee.is_muted_by_operator`)."""


@dataclass(frozen=True)
class Unmuted(AttendeeEvent):
    """An attendee was unmuted."""


@dataclass(frozen=True)
class VolumeChanged(AttendeeEvent):
    """The volume level of an attendee changed. A mute or an unmute changes the level too."""

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

    The session can only watch the primary meeting, as before the promotion. `status.session_status`
    is `AUDIO_AUTHENTICATION_REJECTED` if a control request deleted the attendee from the primary
    meeting, otherwise `AUDIO_INTERNAL_SERVER_ERROR`. After a loss of the connection, this event
    follows `Reconnected`; a session that ends before it reconnects emits only `Ended`.
    """

    attendee: AttendeeInfo
    """The attendee of the primary meeting that the session was promoted to."""
    status: Status
    """Why the promotion ended; never `OK`."""


@dataclass(frozen=True)
class Reconnecting(Event):
    """The session lost its connection, or the gateway requested a resume.

    `status` is the reason.
    """

    status: Status


@dataclass(frozen=True)
class Reconnected(Event):
    """The session is connected again. The events that it missed follow."""

    is_resumed: bool
    """Whether the server kept the session, so that other attendees got no `Left` or `Dropped` about
    this session's attendee."""
    is_recovered: bool
    """Whether each missed event follows; otherwise only the changes of the roster follow."""
    incomplete_streams: tuple[str, ...] = ()
    """The streams that lost items permanently, for example `messages` or `transcripts`."""

    @property
    def has_all_messages(self) -> bool:
        """Whether every missed data message follows. A later `StreamGap` can still report a loss.

        If false, the session missed some messages permanently, or the gateway started a new session
        and does not know which messages the old session missed.
        """
        return self._has_all(MESSAGES)

    @property
    def has_all_transcripts(self) -> bool:
        """Whether every missed transcript follows. A later `StreamGap` can still report a loss.

        If false, final results from the time without a connection may be missing.
        """
        return self._has_all(TRANSCRIPTS)

    def _has_all(self, stream: str) -> bool:
        is_continued = self.is_resumed or self.is_recovered
        return is_continued and stream not in self.incomplete_streams


@dataclass(frozen=True)
class StreamGap(Event):
    """A stream lost items permanently, and the server detected the loss after `Reconnected`."""

    stream: str
    """The name of the stream, for example `messages` or `transcripts`."""


@dataclass(frozen=True)
class Ended(Event):
    """The session ended. No event follows this event; `status.session_status` is the reason."""

    status: Status


class EventStream(BoundedStream[Event]):
    """The events of one consumer, in order, to iterate over with `async for`.

    The stream starts with a `Joined` for each attendee who is in the meeting at the creation of the
    stream, and ends after `Ended`. At most `limit` later events wait. If one more arrives, the
    consumer gets the waiting events and then `EventsLostError`. The session drops no event without
    that error. Only one task may read the stream at a time.
    """

    def _is_last(self, item: Event) -> bool:
        return isinstance(item, Ended)
