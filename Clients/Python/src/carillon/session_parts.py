"""What a session has beside its connection: its parts, and what a Start puts back of them."""

from __future__ import annotations

from typing import Any

from carillon.attendees import AttendeeInfo, Capabilities
from carillon.calling import FacadeCalls
from carillon.choice import Choice
from carillon.connection import Connection
from carillon.control import Credentials
from carillon.errors import Status
from carillon.media.session_media import SessionMedia
from carillon.messages.inbox import Inbox
from carillon.messages.outbox import Outbox
from carillon.missing import MissingTimer
from carillon.options import SessionOptions
from carillon.positions import Positions
from carillon.promotion import SessionPromotion
from carillon.session_part import SessionComponent
from carillon.session_roster import SessionRoster
from carillon.transcripts.session_transcripts import SessionTranscripts
from carillon.v1 import common_pb2, gateway_pb2
from carillon.video.session_video import SessionVideo

_CLIENT_NAME_CHARACTERS = 64


class SessionComponents:
    """All that outlives the connections of a session; `ResumingConnection` says what happens.

    A Start declares the session, how far each stream was read, and what was chosen in each part.
    The messages without an answer are sent again by the outbox, on the next connection.
    """

    def __init__(
        self, meeting_id: str, credentials: Credentials, options: SessionOptions, call: FacadeCalls
    ) -> None:
        own_id = credentials.attendee_id
        sender = AttendeeInfo(own_id, credentials.external_user_id)
        self.limits = common_pb2.Limits()
        """The limits in force."""
        self.gateway = ""
        """The name of the gateway's instance, for logs."""
        self.muted = Choice(options.is_muted)
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
        self._client_name = options.client_name[:_CLIENT_NAME_CHARACTERS]
        self._session_id = b""
        self._positions = Positions()

    @property
    def slow_streams(self) -> int:
        """How many streams of any kind have ended because they were read too slowly."""
        return sum(part.slow_streams for part in self._all)

    def forget_backlog(self) -> None:
        """Streams that are made from now on begin with what is known now."""
        for part in self._all:
            part.forget_backlog()

    # What happens to the connection: a ConnectionOwner

    def start_request(self) -> gateway_pb2.StartRequest:
        """A Start that begins the session, or puts it back as it was left."""
        request = gateway_pb2.StartRequest(
            meeting_id=self._meeting_id,
            attendee_id=self._credentials.attendee_id,
            join_token=self._credentials.join_token,
            session_id=self._session_id,
            is_muted=self.muted.wanted,
            client_name=self._client_name,
            # There are none before the first Start has succeeded.
            positions=self._positions.packed(),
        )
        for part in self._all:
            part.declare(request)
        return request

    def on_started(self, connection: Connection, started: gateway_pb2.SessionStarted) -> None:
        """The session has begun, or goes on, on this connection."""
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
        """An item of the session stream came."""
        for part in self._all:
            part.take(item)
        self.promotion.take(item)
        self._positions.note(item.positions)
        for timer in self._missing:
            timer.watch(self.limits.drop_after_seconds)

    def _act_as(self, attendee: AttendeeInfo | None, may: Capabilities | None) -> None:
        attendee_id = attendee.attendee_id if attendee is not None else None
        self.roster.act_as(attendee_id, may)
        self.outbox.send_as(attendee)
        self.video.act_as(attendee_id)

    def on_suspended(self, status: Status) -> None:
        """The connection is lost, and another one is tried for."""
        self.outbox.detach()
        self.promotion.suspend()
        self.roster.suspend(status)

    def on_ended(self, status: Status) -> None:
        """The session is over."""
        for timer in self._missing:
            timer.cancel()
        self.outbox.close(status)
        # The roster comes last: nothing of the session is told after its `Ended`.
        for part in reversed(self._all):
            part.close(status)
