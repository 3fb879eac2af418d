"""An attendee's session in a meeting: it follows the roster and resumes by itself."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Mapping
from types import TracebackType
from typing import Self

from carillon.attendees import Attendee, AttendeeInfo, Capabilities
from carillon.calling import FacadeCalls
from carillon.connection import Connection
from carillon.control import Credentials, Json, Meeting, find_gateway
from carillon.errors import CarillonError, Status, StatusCode
from carillon.events import EventStream
from carillon.media.session_media import SessionMedia
from carillon.messages.checking import MAXIMUM_DATA_BYTES, Payload, make_request
from carillon.messages.stream import MessageStream
from carillon.messages.values import Accepted
from carillon.methods import SET_MUTED
from carillon.options import SessionOptions
from carillon.resuming import ResumingConnection
from carillon.session_parts import SessionComponents
from carillon.transcripts.session_transcripts import SessionTranscripts
from carillon.unclosed import MadeAt
from carillon.v1 import common_pb2, presence_pb2
from carillon.video.session_video import SessionVideo


def join(
    meeting: Meeting | Json | str,
    attendee: Credentials | Json,
    options: SessionOptions = SessionOptions(),
) -> Session:
    """A session to be entered with `async with`.

    `meeting` is what the control plane answered, as `Meeting` or as its JSON, or a meeting id with
    `options.gateway_url`; `attendee` is what it answered for the attendee, or `Credentials`.
    Raises `CarillonError` `INVALID_ARGUMENT` for JSON that describes neither.
    """
    if isinstance(meeting, str):
        meeting = Meeting(meeting)
    elif not isinstance(meeting, Meeting):
        meeting = Meeting.from_json(meeting)
    if not isinstance(attendee, Credentials):
        attendee = Credentials.from_json(attendee)
    return Session(meeting, attendee, options)


class Session:
    """One attendee in one meeting. Made by `join`, entered with `async with`.

    Entering returns when the roster is whole, or raises `CarillonError` with the session status
    that says why not. Leaving the block leaves the meeting. A lost connection is noticed within
    three keep-alives and resumed by itself for `SessionOptions.reconnect_seconds`; calls wait
    meanwhile. A session that nobody holds any more before it has ended leaves the meeting, too,
    with a `ResourceWarning` that says where it was made.
    """

    def __init__(self, meeting: Meeting, credentials: Credentials, options: SessionOptions) -> None:
        self._meeting = meeting
        self._options = options
        self._own_id = credentials.attendee_id
        self._made_at = MadeAt.here()

        # Nothing that runs knows this object, so it is collected when its program forgets it.
        async def live() -> Connection:
            return await connection.live()

        self._call = FacadeCalls(live)
        self._parts = SessionComponents(meeting.meeting_id, credentials, options, self._call)
        connection = self._connection = ResumingConnection(self._own_id, options, self._parts)
        self._muting = asyncio.Lock()

    # What is known

    @property
    def meeting_id(self) -> str:
        """The id of the meeting that was joined."""
        return self._meeting.meeting_id

    @property
    def attendee_id(self) -> str:
        """This session's own participant id."""
        return self._own_id

    @property
    def primary_meeting_id(self) -> str | None:
        """The meeting that is seen and heard here, where the one that was joined is its replica."""
        return self._parts.promotion.primary_meeting_id or None

    @property
    def is_replica(self) -> bool:
        """Whether the meeting is a replica, in which this session only watches unless promoted."""
        return self.primary_meeting_id is not None

    @property
    def promoted_as(self) -> AttendeeInfo | None:
        """As whom this session acts in the primary meeting; `None` while it does not."""
        return self._parts.promotion.promoted_as

    @property
    def roster(self) -> Mapping[str, Attendee]:
        """The participants by id; it stays up to date.

        This session's is among them, in a replica only while it is promoted: the participants there
        are those of the primary meeting. When another instance takes the roster over, whoever it
        has not heard of yet stays in it, and is dropped when the time to come back has passed.
        """
        return self._parts.roster.attendees

    @property
    def limits(self) -> common_pb2.Limits:
        """The limits in force; `common.proto` has the fields and their units."""
        return self._parts.limits

    @property
    def capabilities(self) -> Capabilities:
        """What this attendee may do; while it is promoted, what it may do in the primary."""
        return self._parts.roster.capabilities

    @property
    def gateway(self) -> str:
        """The name of the gateway's instance, for logs."""
        return self._parts.gateway

    @property
    def status(self) -> Status | None:
        """How the session ended; `None` before that."""
        return self._connection.status

    def events(self) -> EventStream:
        """The events from now on, after a `Joined` for everybody who is in the meeting now.

        Any number of consumers may have one each; `EventStream` says what becomes of a slow one.
        """
        return self._parts.roster.events()

    def messages(self, topic: str | None = None) -> MessageStream:
        """The data messages on a topic, or on all, that others send from now on.

        A stream that is made before the session is entered, or in its block before anything is
        awaited, misses nothing: it begins with what the meeting keeps for those who join late.
        After a lost connection it goes on where it was, with nothing twice. Any number of consumers
        may have one each; `MessageStream` says what becomes of a slow one.
        """
        return self._parts.inbox.open(topic)

    @property
    def video(self) -> SessionVideo:
        """What others publish, what of it this session gets, and what it publishes itself."""
        return self._parts.video

    @property
    def media(self) -> SessionMedia:
        """The session's way to packets, and how they fare."""
        return self._parts.media

    @property
    def transcripts(self) -> SessionTranscripts:
        """What is said while a transcription runs, and in which language it is read here."""
        return self._parts.transcripts

    @property
    def slow_streams(self) -> int:
        """How many streams of any kind have ended because they were read too slowly."""
        return self._parts.slow_streams

    # Calls

    async def mute(self) -> None:
        """Returns when the server has muted this attendee for everybody."""
        await self._set_muted(True)

    async def unmute(self) -> None:
        """Raises `FAILED_PRECONDITION`, `MUTED_BY_OPERATOR` when an operator does not allow it."""
        await self._set_muted(False)

    async def send(
        self,
        topic: str,
        data: Payload,
        lifetime_ms: int = 0,
        recipients: Iterable[str] = (),
    ) -> Accepted:
        """Sends a data message to everybody else; returns when it is on disk there.

        `topic` has 1-36 of the characters `A-Z a-z 0-9 _ -`. Text is sent as UTF-8, bytes as they
        are, a list or a dictionary as JSON; 2048 bytes at most. With a lifetime it is also kept for
        those who join within it, 300,000 ms at most. `recipients` are the attendee ids of those
        who get it; empty: all.

        Messages are sent in the order of the calls, many under way at a time, and each is delivered
        once: while the connection or the service behind it is away, this waits and repeats.

        Raises `InvalidMessageError`, `ThrottledError` when the meeting has too many messages,
        `OutboxFullError` when too many wait here, and `CarillonError`: `FAILED_PRECONDITION` when
        the session is not open, or in a replica that is not promoted; `DEADLINE_EXCEEDED` when it
        is not known what became of the message.
        """
        self._connection.require_open()
        request = make_request(
            topic,
            data,
            lifetime_ms,
            recipients,
            maximum_bytes=self.limits.data_message_bytes or MAXIMUM_DATA_BYTES,
        )
        return await self._parts.outbox.send(request)

    async def promote(self, credentials: Credentials) -> AttendeeInfo:
        """Promotes this session to an attendee of the primary meeting, and returns that attendee.

        Others hear, see and read this session under that attendee's id, as if it had joined there.
        The promotion takes a seat. It ends when `demote` is called, when the connection is lost,
        or when the server ends it; the latter two emit `Demoted`. A session that is already
        promoted acts as the new attendee instead.

        Raises `CarillonError`, whose `session_status` is `AUDIO_AUTHENTICATION_REJECTED` for
        credentials that are not of an attendee of the primary, and in a meeting that is no replica;
        `AUDIO_CALL_AT_CAPACITY` when the primary is full; `AUDIO_SERVICE_UNAVAILABLE` while a
        service is away for too long; and `AUDIO_INTERNAL_SERVER_ERROR` for all else.
        """
        return await self._parts.promotion.promote(credentials)

    async def demote(self) -> bool:
        """Ends the promotion, and returns whether the session was promoted. Idempotent.

        It returns when no attendee of the primary meeting hears this session any more. The session
        then only watches, and emits no `Demoted`.
        """
        return await self._parts.promotion.demote()

    async def leave(self) -> None:
        """Leaves the meeting; the last event is `Ended`. Idempotent.

        While the gateway is not reached nobody can be told: the others then see this attendee drop.
        """
        await self._connection.leave()
        self._connection.end(Status())
        await self._connection.stop()
        await self._parts.outbox.stop()

    async def _set_muted(self, is_muted: bool) -> None:
        async with self._muting:
            muted = self._parts.muted
            if is_muted:
                # Who mutes stays muted here, whatever becomes of the call.
                muted.change(lambda _: True)
            with muted.asking(is_muted):
                await self._call(SET_MUTED, presence_pb2.SetMutedRequest(is_muted=is_muted))

    # Life

    async def __aenter__(self) -> Self:
        if not self._connection.is_new:
            raise RuntimeError("A session is entered once; call join() for another.")
        try:
            endpoint = self._options.gateway_url or await find_gateway(self._meeting)
            await self._connection.start(endpoint)
        except CarillonError as error:
            self._connection.end(error.status)
            raise
        except BaseException:
            self._connection.end(Status(StatusCode.CANCELLED, message="Joining was given up."))
            raise
        # The block runs before this, up to its first await.
        asyncio.get_running_loop().call_soon(self._parts.forget_backlog)
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        await self.leave()

    def __del__(self) -> None:
        connection: ResumingConnection | None = getattr(self, "_connection", None)
        if connection is not None and connection.is_running:
            self._made_at.warn(self, "call leave() or use async with")
            connection.abandon_soon()

    def __repr__(self) -> str:
        return f"<Session of {self._own_id} in {self._meeting.meeting_id}>"
