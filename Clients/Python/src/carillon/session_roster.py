"""The roster of one session, and the events of the session itself."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from carillon.attendees import Attendee, Capabilities, read_capabilities
from carillon.control import Credentials
from carillon.errors import Status
from carillon.events import (
    CapabilitiesChanged,
    Ended,
    Event,
    EventStream,
    Joined,
    Reconnected,
    Reconnecting,
    StreamGap,
)
from carillon.roster import Roster
from carillon.session_part import SessionComponent
from carillon.streams import Subscribers
from carillon.v1 import gateway_pb2


class SessionRoster(SessionComponent[Event]):
    """`Session.roster` and `Session.events()`.

    This component declares nothing in a `Start`, because a `Start` that resumes a session already
    states the last position in the roster's stream.
    """

    def __init__(self, credentials: Credentials, limit: int) -> None:
        super().__init__(Subscribers())
        self._joined_id = self._own_id = credentials.attendee_id
        self._limit = limit
        self._roster = Roster(credentials.attendee_id, credentials.external_user_id)
        self._capabilities = Capabilities()
        self._joined_capabilities = Capabilities()
        self._end: Status | None = None

    @property
    def attendees(self) -> Mapping[str, Attendee]:
        """The participants by participant id, as a live view."""
        return self._roster.attendees

    @property
    def capabilities(self) -> Capabilities:
        """What this session's attendee may do."""
        return self._capabilities

    def events(self) -> EventStream:
        """Returns a stream of events, which starts with a `Joined` for each attendee present."""
        joined = [Joined(attendee) for attendee in self.attendees.values()]
        stream = EventStream(joined, self._limit, self._subscribers)
        if self._end is not None:
            stream.push(Ended(self._end))
        self._subscribers.add(stream, EventStream.push)
        return stream

    # The session

    def begin(self, started: gateway_pb2.SessionStarted) -> None:
        """Stores the capabilities after a `Start` succeeded."""
        self._joined_capabilities = read_capabilities(started.capabilities)
        self._capabilities = self._joined_capabilities

    def act_as(self, attendee_id: str | None, capabilities: Capabilities | None) -> None:
        """Gives the session the identity of an attendee with these capabilities.

        `None` restores the attendee who joined and its capabilities.
        """
        self._own_id = attendee_id or self._joined_id
        self._capabilities = capabilities or self._joined_capabilities

    def tell(self, event: Event) -> None:
        """Publishes an event that does not change the roster."""
        self._subscribers.publish(event)

    def suspend(self, status: Status) -> None:
        """Publishes the loss of the connection. A call of `resume` or `close` follows."""
        self._subscribers.publish(Reconnecting(status))

    def resume(self, started: gateway_pb2.SessionStarted) -> None:
        """Publishes that the session is connected again. The missed events follow."""
        incomplete = tuple(started.incomplete_streams)
        self._subscribers.publish(Reconnected(started.is_resumed, started.is_recovered, incomplete))

    def take(self, item: gateway_pb2.SessionEvents) -> None:
        """Applies an item, and publishes the changes of the roster and the gaps in streams."""
        for event in item.events:
            if event.WhichOneof("event") == "events_lost":
                self._subscribers.publish(StreamGap(event.events_lost.stream))
            self._tell(self._roster.apply(event))

    @property
    def has_missing(self) -> bool:
        """Whether there are missing attendees, who may still reconnect."""
        return self._roster.has_missing

    def confirm_missing(self) -> None:
        """Drops the attendees who are still missing. Called when the time to reconnect is over."""
        self._tell(self._roster.confirm_missing())

    def close(self, status: Status) -> None:
        """Publishes `Ended`, the last event. Idempotent."""
        if self._end is None:
            self._end = status
            self._subscribers.publish(Ended(status))

    def _tell(self, changes: Iterable[Event]) -> None:
        for change in changes:
            match change:
                case CapabilitiesChanged(attendee, capabilities):
                    if attendee.attendee_id == self._own_id:
                        self._capabilities = capabilities
            self._subscribers.publish(change)
