"""An attendee's session in a meeting: it follows the roster and resumes by itself."""

from __future__ import annotations

import asyncio
import logging
import random
from collections.abc import Iterable, Mapping
from enum import Enum
from types import TracebackType
from typing import Any, Self

import zmq

from carillon.attendees import Attendee, Capabilities, MediaDirection, read_capabilities
from carillon.connection import Connection
from carillon.control import Credentials, Json, Meeting, find_gateway
from carillon.errors import CarillonError, SessionStatus, Status, StatusCode, may_resume
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
from carillon.inbox import Inbox
from carillon.media.format import AudioMode
from carillon.media.session_media import SessionMedia
from carillon.messages import Accepted, MessageStream, Sender
from carillon.methods import SET_MUTED, STOP, Reply, Request, UnaryMethod
from carillon.outbox import Outbox
from carillon.roster import Roster
from carillon.session_transcripts import SessionTranscripts
from carillon.session_video import SessionVideo
from carillon.sending import MAXIMUM_DATA_BYTES, Payload, make_request
from carillon.streams import BoundedStream
from carillon.version import VERSION
from carillon.v1 import common_pb2, gateway_pb2

logger = logging.getLogger("carillon.session")

RECONNECT_TIMEOUT = 180.0
"""Seconds that a lost session is tried for, as the facade has it."""

_ATTEMPT_SECONDS = 5.0
_CALL_SECONDS = 5.0
_STOP_SECONDS = 2.0
_DROP_AFTER_SECONDS = 5
_FIRST_PAUSE = 0.1
_LONGEST_PAUSE = 1.0


def join(
    meeting: Meeting | Json | str,
    attendee: Credentials | Json,
    *,
    gateway_url: str | None = None,
    is_muted: bool = False,
    audio: MediaDirection = MediaDirection.SEND_RECEIVE,
    audio_mode: AudioMode = AudioMode.STEREO_48K,
    transcript_language: str = "",
    spoken_language: str = "",
    start_timeout: float = 15.0,
    reconnect_timeout: float = RECONNECT_TIMEOUT,
    event_limit: int = 1024,
    message_limit: int = 4096,
    send_limit: int = 1024,
    send_limit_bytes: int = 1 << 20,
    client_name: str = f"carillon-python {VERSION}",
    context: zmq.Context[Any] | None = None,
) -> Session:
    """A session to be entered with `async with`.

    `meeting` is what the control plane answered, as `Meeting` or as its JSON, or a meeting id;
    `attendee` is what it answered for the attendee, or `Credentials`. `gateway_url` is the ZeroMQ
    endpoint, and needed only when `meeting` does not tell it. `audio` is what of audio this session
    uses, `audio_mode` how it wants what it hears. `transcript_language` is the language to read
    transcripts in, `spoken_language` the one this attendee speaks; `Session.transcripts` can change
    both. Times are in seconds. `event_limit` is how many events may wait for one consumer of
    `Session.events`, `Session.video.events`, `Session.media.events` or `Session.transcripts`,
    `message_limit` how many data messages for one of `Session.messages`. `send_limit` and
    `send_limit_bytes` bound the messages of `Session.send` that have no answer yet.
    """
    if isinstance(meeting, str):
        meeting = Meeting(meeting)
    elif not isinstance(meeting, Meeting):
        meeting = Meeting.from_json(meeting)
    if not isinstance(attendee, Credentials):
        attendee = Credentials.from_json(attendee)
    return Session(
        meeting,
        attendee,
        gateway_url=gateway_url,
        is_muted=is_muted,
        audio=audio,
        audio_mode=audio_mode,
        transcript_language=transcript_language,
        spoken_language=spoken_language,
        start_timeout=start_timeout,
        reconnect_timeout=reconnect_timeout,
        event_limit=event_limit,
        message_limit=message_limit,
        send_limit=send_limit,
        send_limit_bytes=send_limit_bytes,
        client_name=client_name,
        context=context,
    )


class _State(Enum):
    NEW = "new"
    LIVE = "live"
    RECONNECTING = "reconnecting"
    ENDED = "ended"


class Session:
    """One attendee in one meeting. Made by `join`, entered with `async with`.

    Entering returns when the roster is whole, or raises `CarillonError` with the session status
    that says why not. Leaving the block leaves the meeting. A lost connection is noticed within
    three keep-alives and resumed by itself until `reconnect_timeout` has passed; calls wait
    meanwhile.
    """

    def __init__(
        self,
        meeting: Meeting,
        credentials: Credentials,
        *,
        gateway_url: str | None,
        is_muted: bool,
        audio: MediaDirection,
        audio_mode: AudioMode,
        transcript_language: str,
        spoken_language: str,
        start_timeout: float,
        reconnect_timeout: float,
        event_limit: int,
        message_limit: int,
        send_limit: int,
        send_limit_bytes: int,
        client_name: str,
        context: zmq.Context[Any] | None,
    ) -> None:
        self._meeting = meeting
        self._credentials = credentials
        self._endpoint = gateway_url or ""
        self._start_timeout = start_timeout
        self._reconnect_timeout = reconnect_timeout
        self._event_limit = event_limit
        self._client_name = client_name
        self._context = context

        self._roster = Roster(credentials.attendee_id, credentials.external_user_id)
        self._inbox = Inbox(message_limit)
        sender = Sender(credentials.attendee_id, credentials.external_user_id)
        self._outbox = Outbox(send_limit, send_limit_bytes, sender)
        self._video = SessionVideo(
            credentials.attendee_id, event_limit, self._ask, self._require_open
        )
        self._media = SessionMedia(
            event_limit, audio, audio_mode, lambda: self._wants_muted, context
        )
        self._transcripts = SessionTranscripts(
            event_limit, transcript_language, spoken_language, self._ask, self._require_open
        )
        self._positions: dict[str, tuple[int, int]] = {}
        self._session_id = b""
        self._wants_muted = is_muted
        self._limits = common_pb2.Limits()
        self._capabilities = Capabilities()
        self._gateway = ""

        self._state = _State.NEW
        self._status: Status | None = None
        self._connection: Connection | None = None
        self._settled = asyncio.Event()  # Live or ended: calls need not wait.
        self._muting = asyncio.Lock()
        self._streams: list[EventStream] = []
        self._slow_streams = 0
        self._keeper: asyncio.Task[None] | None = None
        self._missing_timer: asyncio.TimerHandle | None = None
        self._missing_video_timer: asyncio.TimerHandle | None = None

    # What is known

    @property
    def meeting_id(self) -> str:
        return self._meeting.meeting_id

    @property
    def attendee_id(self) -> str:
        """This session's own participant id."""
        return self._credentials.attendee_id

    @property
    def roster(self) -> Mapping[str, Attendee]:
        """The participants by id, this one among them; it stays up to date."""
        return self._roster.attendees

    @property
    def limits(self) -> common_pb2.Limits:
        """The limits in force; `common.proto` has the fields and their units."""
        return self._limits

    @property
    def capabilities(self) -> Capabilities:
        """What this attendee may do."""
        return self._capabilities

    @property
    def gateway(self) -> str:
        """The name of the gateway's instance, for logs."""
        return self._gateway

    @property
    def status(self) -> Status | None:
        """How the session ended; `None` before that."""
        return self._status

    def events(self) -> EventStream:
        """The events from now on, after a `Joined` for everybody who is in the meeting now.

        Any number of consumers may have one each; `EventStream` says what becomes of a slow one.
        """
        stream = EventStream(
            [Joined(attendee) for attendee in self.roster.values()],
            self._event_limit,
            self._forget,
        )
        self._streams.append(stream)
        if self._status is not None:
            stream.push(Ended(self._status))
        return stream

    def messages(self, topic: str | None = None) -> MessageStream:
        """The data messages on a topic, or on all, that others send from now on.

        A stream that is made before the session is entered, or in its block before anything is
        awaited, misses nothing: it begins with what the meeting keeps for those who join late.
        After a lost connection it goes on where it was, with nothing twice. Any number of consumers
        may have one each; `MessageStream` says what becomes of a slow one.
        """
        return self._inbox.open(topic)

    @property
    def video(self) -> SessionVideo:
        """What others publish, what of it this session gets, and what it publishes itself."""
        return self._video

    @property
    def media(self) -> SessionMedia:
        """Where the packets of this session go, and how it goes with them."""
        return self._media

    @property
    def transcripts(self) -> SessionTranscripts:
        """What is said while a transcription runs, and in which language it is read here."""
        return self._transcripts

    @property
    def slow_streams(self) -> int:
        """How many streams of any kind have ended because they were read too slowly."""
        parts = (self._inbox, self._video, self._media, self._transcripts)
        return self._slow_streams + sum(part.slow_streams for part in parts)

    def _forget(self, stream: BoundedStream[Any]) -> None:
        if stream.was_too_slow:
            self._slow_streams += 1
        if stream in self._streams:
            self._streams.remove(stream)

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
        self._require_open()
        request = make_request(
            topic,
            data,
            lifetime_ms,
            recipients,
            maximum_bytes=self._limits.data_message_bytes or MAXIMUM_DATA_BYTES,
        )
        return await self._outbox.send(request)

    async def leave(self) -> None:
        """Leaves the meeting; the last event is `Ended`. Idempotent.

        While the gateway is not reached nobody can be told: the others then see this attendee drop.
        """
        if self._state is _State.LIVE and self._connection is not None:
            connection = self._connection
            try:
                await connection.channel.unary(
                    STOP,
                    gateway_pb2.StopRequest(),
                    timeout=_STOP_SECONDS,
                    options=connection.options,
                )
            except CarillonError as error:
                logger.info("The gateway did not answer Stop: %s", error)
        self._end(Status())
        await self._stop_keeper()

    async def _set_muted(self, is_muted: bool) -> None:
        async with self._muting:
            before, self._wants_muted = self._wants_muted, is_muted
            while True:
                await self._settled.wait()
                connection = self._require_open()
                try:
                    await connection.channel.unary(
                        SET_MUTED,
                        gateway_pb2.SetLocalMutedRequest(is_muted=is_muted),
                        timeout=_CALL_SECONDS,
                        options=connection.options,
                    )
                    return
                except CarillonError:
                    if connection.outcome is not None:
                        continue  # Start says it again; then ask again, to be sure.
                    if not is_muted:
                        self._wants_muted = before
                    raise

    async def _ask(self, method: UnaryMethod[Request, Reply], request: Request) -> Reply:
        """Calls a method; when the connection is lost, again on the next one."""
        while True:
            await self._settled.wait()
            connection = self._require_open()
            try:
                return await connection.channel.unary(
                    method, request, timeout=_CALL_SECONDS, options=connection.options
                )
            except CarillonError:
                if connection.outcome is None:
                    raise

    def _require_open(self) -> Connection:
        if self._connection is None or self._state in (_State.NEW, _State.ENDED):
            status = self._status or Status()
            raise CarillonError(
                StatusCode.FAILED_PRECONDITION,
                status.session_status,
                status.reason,
                "The session is not open.",
            )
        return self._connection

    # Life

    async def __aenter__(self) -> Self:
        if self._state is not _State.NEW:
            raise RuntimeError("A session is entered once; call join() for another.")
        try:
            if not self._endpoint:
                self._endpoint = await find_gateway(self._meeting)
            connection = await self._connect_until(self._start_timeout)
        except CarillonError as error:
            self._end(error.status)
            raise
        except BaseException:
            self._end(Status(StatusCode.CANCELLED, message="Joining was given up."))
            raise
        self._keeper = asyncio.create_task(self._keep(connection), name="carillon session")
        # The block runs before this, up to its first await.
        asyncio.get_running_loop().call_soon(self._inbox.forget_early)
        asyncio.get_running_loop().call_soon(self._transcripts.forget_early)
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        await self.leave()

    async def _stop_keeper(self) -> None:
        keeper, self._keeper = self._keeper, None
        if keeper is not None and keeper is not asyncio.current_task():
            keeper.cancel()
            await asyncio.wait([keeper])
        if self._connection is not None:
            self._connection.close()
        await self._outbox.stop()

    async def _keep(self, connection: Connection) -> None:
        """Runs one connection after the other until the session has ended."""
        try:
            pause = _FIRST_PAUSE
            while True:
                await connection.run()
                connection.close()
                if self._status is not None:
                    return
                # A session that ends as soon as it is resumed is not asked for at full speed.
                pause = _FIRST_PAUSE if connection.is_proven else min(2 * pause, _LONGEST_PAUSE)
                connection = await self._reconnect(pause)
        except CarillonError as error:
            self._end(error.status)
        except Exception:
            logger.exception("The session of %s failed", self.attendee_id)
            self._end(
                Status(
                    StatusCode.INTERNAL_ERROR,
                    SessionStatus.AUDIO_DISCONNECTED,
                    message="A defect in the client ended the session; its log has the cause.",
                )
            )
        finally:
            connection.close()

    async def _reconnect(self, pause: float) -> Connection:
        try:
            return await self._connect_until(self._reconnect_timeout, pause)
        except CarillonError as error:
            if not may_resume(error.status):
                raise
            raise CarillonError(
                StatusCode.UNAVAILABLE,
                SessionStatus.AUDIO_DISCONNECTED,
                error.reason,
                f"It was not resumed in {self._reconnect_timeout:g} s: {error.message}",
            ) from error

    async def _connect_until(self, timeout: float, pause: float = 0.0) -> Connection:
        """Tries, with growing pauses of random length, until a Start succeeds or time is up."""
        loop = asyncio.get_running_loop()
        deadline = loop.time() + timeout
        while True:
            if pause > 0:
                await asyncio.sleep(min(pause * random.uniform(0.5, 1), deadline - loop.time()))
            try:
                return await self._connect(min(_ATTEMPT_SECONDS, deadline - loop.time()))
            except CarillonError as error:
                pause = min(max(2 * pause, _FIRST_PAUSE), _LONGEST_PAUSE)
                if not may_resume(error.status) or loop.time() + pause >= deadline:
                    raise
                logger.info("Start failed, and is tried again: %s", error)

    async def _connect(self, timeout: float) -> Connection:
        connection = Connection(
            self._endpoint, context=self._context, on_item=self._take, on_outcome=self._lose
        )
        self._connection = connection
        try:
            await connection.start(self._start_request(), timeout)
        except BaseException as error:
            connection.close()
            if isinstance(error, CarillonError):
                self._suspend(error.status)
            raise
        return connection

    def _start_request(self) -> gateway_pb2.StartRequest:
        request = gateway_pb2.StartRequest(
            meeting_id=self.meeting_id,
            attendee_id=self.attendee_id,
            join_token=self._credentials.join_token,
            session_id=self._session_id,
            is_muted=self._wants_muted,
            client_name=self._client_name[:64],
        )
        self._media.declare(request)
        self._transcripts.declare(request)
        if self._session_id:
            request.video.CopyFrom(self._video.choices())
            for stream, (epoch, sequence) in self._positions.items():
                request.positions.add(stream=stream, epoch=epoch, sequence=sequence)
        return request

    # What arrives

    def _take(self, item: gateway_pb2.SessionEvents) -> None:
        for event in item.events:
            if event.WhichOneof("event") == "session_started":
                self._begin(event.session_started)
                continue
            if event.WhichOneof("event") == "events_lost":
                self._tell(StreamGap(event.events_lost.stream))
                continue
            self._video.take(event)
            self._media.take(event)
            for change in self._roster.apply(event):
                if (
                    isinstance(change, CapabilitiesChanged)
                    and change.attendee.attendee_id == self.attendee_id
                ):
                    self._capabilities = change.capabilities
                self._tell(change)
        self._inbox.take(item)
        self._transcripts.take(item)
        for position in item.positions:
            self._positions[position.stream] = (position.epoch, position.sequence)
        # Who was lost together with the owner of a stream has as long to come back as anybody.
        seconds = self._limits.drop_after_seconds or _DROP_AFTER_SECONDS
        loop = asyncio.get_running_loop()
        if self._roster.has_missing and self._missing_timer is None:
            self._missing_timer = loop.call_later(seconds, self._confirm_missing)
        if self._video.has_missing and self._missing_video_timer is None:
            self._missing_video_timer = loop.call_later(seconds, self._confirm_missing_video)

    def _confirm_missing(self) -> None:
        self._missing_timer = None
        for change in self._roster.confirm_missing():
            self._tell(change)

    def _confirm_missing_video(self) -> None:
        self._missing_video_timer = None
        self._video.confirm_missing()

    def _begin(self, started: gateway_pb2.SessionStarted) -> None:
        self._session_id = started.session_id
        self._limits = started.limits
        self._capabilities = read_capabilities(started.capabilities)
        self._gateway = started.gateway
        if self._state is _State.RECONNECTING:
            incomplete = tuple(started.incomplete_streams)
            self._tell(Reconnected(started.is_resumed, started.is_recovered, incomplete))
        self._state = _State.LIVE
        self._settled.set()
        if self._connection is not None:
            self._outbox.attach(self._connection)

    def _lose(self, connection: Connection) -> None:
        """A connection came to its end: nothing more is sent on it."""
        outcome = connection.outcome
        if connection is not self._connection or outcome is None:
            return
        if outcome.is_loss or may_resume(outcome.status):
            self._suspend(outcome.status)
        elif self._state is _State.LIVE:
            self._end(outcome.status)

    def _suspend(self, status: Status) -> None:
        if self._state is _State.LIVE:
            self._state = _State.RECONNECTING
            self._settled.clear()
            self._outbox.detach()
            self._tell(Reconnecting(status))

    def _end(self, status: Status) -> None:
        if self._status is None:
            self._status = status
            self._state = _State.ENDED
            self._settled.set()
            for timer in (self._missing_timer, self._missing_video_timer):
                if timer is not None:
                    timer.cancel()
            self._outbox.close(status)
            self._inbox.close()
            self._video.close()
            self._transcripts.close()
            self._media.close(status)
            self._tell(Ended(status))

    def _tell(self, event: Event) -> None:
        for stream in list(self._streams):
            stream.push(event)
