"""The attachment of an engine to one instance of transcription.

It has a socket of its own: speech comes in raw frames, which calls of clients do not have.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
from concurrent.futures import Executor
from dataclasses import dataclass

import zmq
import zmq.asyncio
from google.protobuf.message import DecodeError, Message

from carillon.engine.speech import Recognizer
from carillon.engine.talker import Report, Talker
from carillon.errors import CarillonError, Status, StatusCode
from carillon.frames import (
    VERSION,
    MalformedFrameError,
    method_key,
    pack_frame,
    read_reply,
    split_message,
)
from carillon.v1 import rpc_pb2, transcription_pb2 as pb

logger = logging.getLogger("carillon.engine")

_SERVICE = "carillon.v1.TranscriptionEngine/"
ATTACH = method_key(_SERVICE + "Attach")
REPORT = method_key(_SERVICE + "Report")
_ATTACH_CALL = 1
_REPORT_SECONDS = 10.0


@dataclass(frozen=True)
class _Work:
    recognize: Recognizer
    executor: Executor
    partial_seconds: float | None


class Attachment:
    """`run()` attaches once and works until that ends, whoever ends it."""

    def __init__(
        self,
        endpoint: str,
        request: pb.AttachEngineRequest,
        recognize: Recognizer,
        executor: Executor,
        partial_seconds: float | None = None,
    ) -> None:
        self.endpoint = endpoint
        self.is_attached = False
        self._request = request
        self._work = _Work(recognize, executor, partial_seconds)
        self._talkers: dict[str, Talker] = {}
        self._pending = Report()
        self._has_news = asyncio.Event()
        self._answered: asyncio.Future[Status] | None = None
        self._last_call = _ATTACH_CALL
        self._interval = 1.0

    async def run(self) -> None:
        """Raises `CarillonError` with the reason when the attachment ended."""
        context = zmq.asyncio.Context.instance()
        socket: zmq.asyncio.Socket = context.socket(zmq.DEALER)
        socket.linger = 200
        socket.setsockopt(zmq.IMMEDIATE, 1)
        socket.setsockopt(zmq.HEARTBEAT_IVL, 2_000)
        socket.setsockopt(zmq.HEARTBEAT_TIMEOUT, 6_000)
        socket.connect(self.endpoint)
        try:
            await self._send(socket, _ATTACH_CALL, ATTACH, self._request)
            async with asyncio.TaskGroup() as tasks:
                tasks.create_task(self._report_always(socket))
                await self._receive_always(socket, tasks)
        except* CarillonError as group:
            raise group.exceptions[0] from None
        finally:
            self.is_attached = False
            header = rpc_pb2.RequestHeader(
                version=VERSION, call_id=_ATTACH_CALL, kind=rpc_pb2.REQUEST_KIND_CANCEL
            )
            # Perhaps nobody is there to be told.
            with contextlib.suppress(zmq.ZMQError, TimeoutError):
                await asyncio.wait_for(socket.send(pack_frame(header), zmq.NOBLOCK), 1)
            socket.close()

    async def _send(
        self, socket: zmq.asyncio.Socket, call: int, key: int, request: Message
    ) -> None:
        header = rpc_pb2.RequestHeader(
            version=VERSION, call_id=call, kind=rpc_pb2.REQUEST_KIND_CALL, method=key
        )
        await socket.send(pack_frame(header, request.SerializeToString()))

    # What comes

    async def _receive_always(self, socket: zmq.asyncio.Socket, tasks: asyncio.TaskGroup) -> None:
        while True:
            frames = await socket.recv_multipart()
            try:
                for frame, *raw in split_message(frames):
                    header, body = read_reply([frame, *raw])
                    self._take(header, body, raw, tasks)
            except (MalformedFrameError, DecodeError) as error:
                raise CarillonError(
                    StatusCode.INTERNAL_ERROR, message=f"Transcription is not understood: {error}"
                ) from error

    def _take(
        self,
        header: rpc_pb2.ReplyHeader,
        body: bytes,
        raw: list[bytes],
        tasks: asyncio.TaskGroup,
    ) -> None:
        if header.kind == rpc_pb2.REPLY_KIND_ITEM and header.call_id == _ATTACH_CALL:
            self._take_item(pb.EngineItem.FromString(body), raw, tasks)
            return
        status = Status.of(header.status) if header.HasField("status") else Status(StatusCode.OK)
        if header.kind == rpc_pb2.REPLY_KIND_END or header.call_id == 0:
            raise CarillonError.of(status)
        if self._answered is not None and not self._answered.done():
            self._answered.set_result(status)

    def _take_item(self, item: pb.EngineItem, raw: list[bytes], tasks: asyncio.TaskGroup) -> None:
        match item.WhichOneof("item"):
            case "attached":
                self.is_attached = True
                self._interval = max(1, item.attached.report_seconds) / 2
            case "stream_started":
                started = item.stream_started
                work = self._work
                talker = Talker(
                    started, work.recognize, work.executor, self._say, work.partial_seconds
                )
                self._talkers[started.stream_id] = talker
                tasks.create_task(talker.run())
            case "audio":
                if hearing := self._talkers.get(item.audio.stream_id):
                    hearing.hear(item.audio, raw[0] if raw else b"")
                else:
                    self._say(Report(credit=1))
            case "stream_ended":
                if done := self._talkers.pop(item.stream_ended.stream_id, None):
                    done.end()

    # What goes

    def _say(self, report: Report) -> None:
        self._pending.add(report)
        self._has_news.set()

    async def _report_always(self, socket: zmq.asyncio.Socket) -> None:
        while True:
            # Without news a word of life is due after the interval.
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self._has_news.wait(), self._interval)
            self._has_news.clear()
            if not self.is_attached:
                continue  # There are no talkers yet either.
            said, self._pending = self._pending, Report()
            request = pb.ReportResultsRequest(
                engine_id=self._request.engine_id,
                results=said.results,
                progress=[
                    pb.EngineProgress(stream_id=stream, through_sample=through)
                    for stream, through in said.progress.items()
                ],
                failures=said.failures,
                credit=said.credit,
            )
            self._last_call += 1
            self._answered = asyncio.get_running_loop().create_future()
            await self._send(socket, self._last_call, REPORT, request)
            try:
                status = await asyncio.wait_for(self._answered, _REPORT_SECONDS)
            except TimeoutError:
                raise CarillonError(
                    StatusCode.UNAVAILABLE, message=f"{self.endpoint} did not answer in time."
                ) from None
            if not status.is_ok:
                raise CarillonError.of(status)
