"""An attendee's session in a meeting, with the roster and with automatic reconnects."""

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
    """Returns a session, which joins the meeting when the program enters it with `async with`.

    `meeting` is a `Meeting`, the JSON of a meeting from the control plane, or a meeting id together
    with `options.gateway_url`. `attendee` is `Credentials`, or the JSON of an attendee from the
    control plane. Raises `CarillonError` `INVALID_ARGUMENT` if the JSON is not that of a meeting or
    an attendee.
    """
    if isinstance(meeting, str):
        meeting = Meeting(meeting)
    elif not isinstance(meeting, Meeting):
        meeting = Meeting.from_json(meeting)
    if not isinstance(attendee, Credentials):
        attendee = Credentials.from_json(attendee)
    return Session(meeting, attendee, options)


class Session:
    """One attendee in one meeting. Create it with `join` and enter it with `async with`.

    Entering returns when the roster is complete. If entering fails, `async with` raises a
    `CarillonError` whose `session_status` is the cause. Leaving the block leaves the meeting. The
    session detects a lost connection within three keep-alives and tries to reconnect for
    `SessionOptions.reconnect_seconds`; calls wait during that time. A session that Python collects
    before its end also leaves the meeting. Such a session then emits a `ResourceWarning` that names
    the line that created the session.
    """

    def __init__(self, meeting: Meeting, credentials: Credentials, options: SessionOptions) -> None:
        self._meeting = meeting
        self._options = options
        self._own_id = credentials.attendee_id
        self._made_at = MadeAt.here()

        # No task may refer to this session, so that Python can collect a session that the program
        # drops.
        async def live() -> Connection:
            return await connection.live()

        self._call = FacadeCalls(live)
        self._parts = SessionComponents(meeting.meeting_id, credentials, options, self._call)
        connection = self._connection = ResumingConnection(self._own_id, options, self._parts)
        self._muting = asyncio.Lock()

    # State

    @property
    def meeting_id(self) -> str:
        """The id of the meeting that the session joined."""
        return self._meeting.meeting_id

    @property
    def attendee_id(self) -> str:
        """This session's own participant id."""
        return self._own_id

    @property
    def primary_meeting_id(self) -> str | None:
        """The meeting that this replica shows; `None` if the session's meeting is no replica."""
        return self._parts.promotion.primary_meeting_id or None

    @property
    def is_replica(self) -> bool:
        """Whether the meeting is a replica, where a session can only watch until promoted."""
        return self.primary_meeting_id is not None

    @property
    def promoted_as(self) -> AttendeeInfo | None:
        """The attendee of the primary meeting that the session is promoted to, or `None`."""
        return self._parts.promotion.promoted_as

    @property
    def roster(self) -> Mapping[str, Attendee]:
        """The participants by participant id, as a live view.

        The view includes this session's own participant. In a replica it contains the participants
        of the primary meeting, and this session only while it is promoted. After another server
        instance takes over the roster, that instance may not list all participants yet. The view
        keeps missing participants for `Limits.drop_after_seconds` and then drops them.
        """
        return self._parts.roster.attendees

    @property
    def limits(self) -> common_pb2.Limits:
        """The limits in force. `common.proto` describes the fields and their units."""
        return self._parts.limits

    @property
    def capabilities(self) -> Capabilities:
        """What this attendee may do; while promoted, the rights in the primary meeting."""
        return self._parts.roster.capabilities

    @property
    def gateway(self) -> str:
        """The instance name of the gateway, for logs."""
        return self._parts.gateway

    @property
    def status(self) -> Status | None:
        """Why the session ended; `None` before its end."""
        return self._connection.status

    def events(self) -> EventStream:
        """Returns a stream of events, which starts with a `Joined` for each attendee present.

        Each consumer opens its own stream; the session does not limit the number of streams.
        `EventStream` describes what happens to a slow consumer.
        """
        return self._parts.roster.events()

    def messages(self, topic: str | None = None) -> MessageStream:
        """Returns a stream of the data messages that others send, on one topic or on all (`None`).

        To miss no message, open the stream before you enter the session, or in the session's block
        before the first `await`. Such a stream starts with the messages that the meeting keeps for
        late joiners. After a reconnect, the stream continues at the same position and repeats no
        message. Each consumer opens its own stream; the session does not limit the number of
        streams. `MessageStream` describes what happens to a slow consumer.
        """
        return self._parts.inbox.open(topic)

    @property
    def video(self) -> SessionVideo:
        """The video sources of others, this session's tiles, and the video that it publishes."""
        return self._parts.video

    @property
    def media(self) -> SessionMedia:
        """The media of this session: its connection for packets, and the events about media."""
        return self._parts.media

    @property
    def transcripts(self) -> SessionTranscripts:
        """The results and the status of the live transcription, and the chosen languages."""
        return self._parts.transcripts

    @property
    def slow_streams(self) -> int:
        """The number of streams, of any kind, that ended because of a slow reader."""
        return self._parts.slow_streams

    # Calls

    async def mute(self) -> None:
        """Mutes this attendee for all others. Returns after the server has muted the attendee."""
        await self._set_muted(True)

    async def unmute(self) -> None:
        """Unmutes this attendee.

        Raises `CarillonError` `FAILED_PRECONDITION` with reason `MUTED_BY_OPERATOR` if an operator
        muted the attendee.
        """
        await self._set_muted(False)

    async def send(
        self,
        topic: str,
        data: Payload,
        lifetime_ms: int = 0,
        recipients: Iterable[str] = (),
    ) -> Accepted:
        """Sends a data message to all others. Returns after the server wrote the message to disk.

        `topic` consists of 1-36 characters `A-Z a-z 0-9 _ -`. `data` is at most 2048 bytes: the
        session sends text as UTF-8, bytes unchanged, and a list or a dictionary as JSON. The server
        keeps the message for `lifetime_ms`, at most 300,000 ms, for attendees who join later.
        `recipients` are the attendee ids of the receivers; if empty, all others receive the
        message.

        The session sends messages in the order of the calls, with several in flight at a time.
        While the gateway or the `messaging` service is unavailable, this call waits and retries.
        The server delivers each message once.

        Raises `InvalidMessageError`. Raises `ThrottledError` if the meeting has too many messages,
        and `OutboxFullError` if too many messages of this session wait for an answer. Raises
        `CarillonError` `FAILED_PRECONDITION` if the session is not open, or if the session is in a
        replica and not promoted. Raises `CarillonError` `DEADLINE_EXCEEDED` if the session does not
        know whether the server delivered the message.
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

        Other attendees of the primary meeting receive this session's media and messages under that
        attendee's id. The promotion takes a seat. The promotion ends when the program calls
        `demote`, when the session loses its connection, or when the server ends the promotion. In
        the last two cases, the session emits `Demoted`. If the session is already promoted, the new
        attendee replaces the former one.

        Raises `CarillonError`. Its `session_status` is `AUDIO_AUTHENTICATION_REJECTED` if the
        credentials belong to no attendee of the primary meeting, or if the meeting is not a
        replica. It is `AUDIO_CALL_AT_CAPACITY` if the primary meeting is full,
        `AUDIO_SERVICE_UNAVAILABLE` if a service is unavailable for too long, and otherwise
        `AUDIO_INTERNAL_SERVER_ERROR`.
        """
        return await self._parts.promotion.promote(credentials)

    async def demote(self) -> bool:
        """Ends the promotion, and returns whether the session was promoted. Idempotent.

        This method returns when no attendee of the primary meeting receives this session any
        longer. After that, the session can only watch. The session emits no `Demoted`.
        """
        return await self._parts.promotion.demote()

    async def leave(self) -> None:
        """Leaves the meeting and emits `Ended` as the last event. Idempotent.

        If the session does not reach the gateway, others get a `Dropped` event for this attendee,
        not `Left`.
        """
        await self._connection.leave()
        self._connection.end(Status())
        await self._connection.stop()
        await self._parts.outbox.stop()

    async def _set_muted(self, is_muted: bool) -> None:
        async with self._muting:
            muted = self._parts.muted
            if is_muted:
                # If the call fails, this client still sends no sound.
                muted.change(lambda _: True)
            with muted.asking(is_muted):
                await self._call(SET_MUTED, presence_pb2.SetMutedRequest(is_muted=is_muted))

    # Lifecycle

    async def __aenter__(self) -> Self:
        if not self._connection.is_new:
            raise RuntimeError("A session can be entered only once; call join() again.")
        try:
            endpoint = self._options.gateway_url or await find_gateway(self._meeting)
            await self._connection.start(endpoint)
        except CarillonError as error:
            self._connection.end(error.status)
            raise
        except BaseException:
            self._connection.end(
                Status(StatusCode.CANCELLED, message="The program left before the start.")
            )
            raise
        # The `async with` block runs up to its first await before this callback runs.
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
