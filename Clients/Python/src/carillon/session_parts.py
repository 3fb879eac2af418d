"""A session's components, which remain after a connection has ended."""

from __future__ import annotations

from typing import Any

from carillon.attendees import AttendeeInfo, Capabilities
from carillon.calling import FacadeCalls
from carillon.connection import Connection
from carillon.control import Credentials
from carillon.errors import Status
from carillon.media.session_media import SessionMedia
from carillon.messages.inbox import Inbox
from carillon.messages.outbox import Outbox
from carillon.missing import MissingTimer
from carillon.options import SessionOptions
from carillon.own_mute import OwnMute, reported_mutes
from carillon.positions import Positions
from carillon.promotion import SessionPromotion
from carillon.session_part import SessionComponent
from carillon.session_roster import SessionRoster
from carillon.transcripts.session_transcripts import SessionTranscripts
from carillon.v1 import common_pb2, gateway_pb2
from carillon.video.session_video import SessionVideo

_CLIENT_NAME_CHARACTERS = 64


class SessionComponents:
    """The components of a session. `ResumingConnection` reports connection changes to this object.

    A `Start` declares the session, the position in each stream, and the choices of each component.
    The outbox sends unanswered messages again on the next connection.
    """

    def __init__(
        self, meeting_id: str, credentials: Credentials, options: SessionOptions, call: FacadeCalls
    ) -> None:
        own_id = credentials.attendee_id
        sender = AttendeeInfo(own_id, credentials.external_user_id)
        self.limits = common_pb2.Limits()
        """The limits in force."""
        self.gateway = ""
        """The instance name of the gateway, for logs."""
        self.muted = OwnMute(options.is_muted)
        self.roster = SessionRoster(credentials, options.event_limit)
        self.inbox = Inbox(options.message_limit)
        self.outbox = Outbox(options.send_limit, options.send_limit_bytes, sender)
        self.video = SessionVideo(own_id, options.event_limit, call)
        self.media = SessionMedia(options, lambda: self.muted.wanted)
        self.transcripts = SessionTranscripts(options, call)
        self.promotion = SessionPromotion(call, act_as=self._act_as, tell=self.roster.tell)
        self._all: tuple[SessionComponent[Any], ...] = (
            self.roster,
            self.inbox,
            self.video,
            self.media,
            self.transcripts,
        )
        self._missing = (
            MissingTimer(lambda: self.roster.has_missing, self.roster.confirm_missing),
            MissingTimer(lambda: self.video.has_missing, self.video.confirm_missing),
        )
        self._meeting_id = meeting_id
        self._credentials = credentials
        # The attendee that the session acts as: during a promotion, an attendee of the primary
        # meeting.
        self._actor_id = own_id
        self._client_name = options.client_name[:_CLIENT_NAME_CHARACTERS]
        self._session_id = b""
        self._positions = Positions()

    @property
    def slow_streams(self) -> int:
        """The number of streams, of any kind, that ended because of a slow reader."""
        return sum(part.slow_streams for part in self._all)

    def forget_backlog(self) -> None:
        """Drops the backlogs. Later streams start with the current state."""
        for part in self._all:
            part.forget_backlog()

    # ConnectionOwner

    def start_request(self) -> gateway_pb2.StartRequest:
        """Returns a `Start` that begins the session, or resumes it with the program's choices."""
        request = gateway_pb2.StartRequest(
            meeting_id=self._meeting_id,
            attendee_id=self._credentials.attendee_id,
            join_token=self._credentials.join_token,
            session_id=self._session_id,
            is_muted=self.muted.declare(),
            client_name=self._client_name,
            # The positions are empty until the first `Start` has succeeded.
            positions=self._positions.packed(),
        )
        for part in self._all:
            part.declare(request)
        return request

    def on_started(self, connection: Connection, started: gateway_pb2.SessionStarted) -> None:
        """From now on, uses the connection on which the session started or resumed."""
        is_resuming = self._session_id != b""
        self._session_id = started.session_id
        self.limits = started.limits
        self.gateway = started.gateway
        self.roster.begin(started)
        if is_resuming:
            self.roster.resume(started)
        self.promotion.begin(started)
        self.outbox.attach(connection)

    def on_item(self, item: gateway_pb2.SessionEvents) -> None:
        """Passes an item of the session stream to the components."""
        for part in self._all:
            part.take(item)
        for is_muted in reported_mutes(item, self._actor_id):
            self.muted.learn(is_muted)
        self.promotion.take(item)
        self._positions.note(item.positions)
        for timer in self._missing:
            timer.watch(self.limits.drop_after_seconds)

    def _act_as(self, attendee: AttendeeInfo | None, may: Capabilities | None) -> None:
        attendee_id = attendee.attendee_id if attendee is not None else None
        self._actor_id = attendee_id or self._credentials.attendee_id
        self.roster.act_as(attendee_id, may)
        self.outbox.send_as(attendee)
        self.video.act_as(attendee_id)

    def on_suspended(self, status: Status) -> None:
        """Suspends the components until the session reconnects."""
        self.outbox.detach()
        self.promotion.suspend()
        self.roster.suspend(status)

    def on_ended(self, status: Status) -> None:
        """Closes all components."""
        for timer in self._missing:
            timer.cancel()
        self.outbox.close(status)
        # The loop closes the roster last, because the `Ended` of the roster is the last event of
        # the session.
        for part in reversed(self._all):
            part.close(status)
