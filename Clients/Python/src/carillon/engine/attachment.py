"""The attachment of an engine to one instance of the `transcription` service.

The attachment uses its own socket, because speech arrives in raw frames, which `Channel` does not
support.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging

import zmq
import zmq.asyncio
from google.protobuf.message import DecodeError, Message

from carillon.engine.report import REPORT_BYTES, Report, apart, nothing
from carillon.engine.talker import Talker, Work
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


class Attachment:
    """One attachment. `run` attaches once, and works until either side ends the attachment.

    If the service rejects a result in a report, the engine drops, counts and logs the result, and
    the attachment continues.
    """

    def __init__(self, endpoint: str, request: pb.AttachEngineRequest, work: Work) -> None:
        self.endpoint = endpoint
        self.is_attached = False
        self._request = request
        self._work = work
        self._talkers: dict[str, Talker] = {}
        self._pending = Report()
        self._has_news = asyncio.Event()
        self._answered: asyncio.Future[tuple[Status, bytes]] | None = None
        self._last_call = _ATTACH_CALL
        self._interval = 1.0
        self._most_bytes = REPORT_BYTES

    async def run(self) -> None:
        """Attaches the engine. Raises `CarillonError` with the reason when the attachment ends."""
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
            # The service may have ended already.
            with contextlib.suppress(zmq.ZMQError, TimeoutError):
                async with asyncio.timeout(1):
                    await socket.send(pack_frame(header), zmq.NOBLOCK)
            socket.close()

    async def _send(
        self, socket: zmq.asyncio.Socket, call: int, key: int, request: Message
    ) -> None:
        header = rpc_pb2.RequestHeader(
            version=VERSION, call_id=call, kind=rpc_pb2.REQUEST_KIND_CALL, method=key
        )
        await socket.send(pack_frame(header, request.SerializeToString()))

    # Receiving

    async def _receive_always(self, socket: zmq.asyncio.Socket, tasks: asyncio.TaskGroup) -> None:
        while True:
            frames = await socket.recv_multipart()
            try:
                for frame, *raw in split_message(frames):
                    header, body = read_reply([frame, *raw])
                    self._take(header, body, raw, tasks)
            except (MalformedFrameError, DecodeError) as error:
                raise CarillonError(
                    StatusCode.INTERNAL_ERROR,
                    message=f"Transcription sent unreadable bytes: {error}",
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
            self._answered.set_result((status, body))

    def _take_item(self, item: pb.EngineItem, raw: list[bytes], tasks: asyncio.TaskGroup) -> None:
        match item.WhichOneof("item"):
            case "attached":
                self.is_attached = True
                self._interval = max(1, item.attached.report_seconds) / 2
                self._most_bytes = item.attached.max_result_bytes or REPORT_BYTES
            case "stream_started":
                started = item.stream_started
                talker = Talker(started, self._work, self._say, self._most_bytes)
                self._talkers[started.stream_id] = talker
                running = tasks.create_task(talker.run())
                # If `run` returns before the end of the talker's stream, the engine has given up
                # the talker. The engine then passes neither more speech nor the end of the stream
                # to the talker.
                running.add_done_callback(lambda _: self._talkers.pop(started.stream_id, None))
            case "audio":
                if hearing := self._talkers.get(item.audio.stream_id):
                    hearing.hear(item.audio, raw[0] if raw else b"")
                else:
                    self._say(Report(credit=1))
            case "stream_ended":
                if done := self._talkers.pop(item.stream_ended.stream_id, None):
                    done.end()

    # Reporting

    def _say(self, report: Report) -> None:
        self._pending.add(report)
        self._has_news.set()

    async def _report_always(self, socket: zmq.asyncio.Socket) -> None:
        while True:
            # If there is nothing to report during the interval, the engine sends an empty report as
            # a keep-alive.
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(self._interval):
                    await self._has_news.wait()
            self._has_news.clear()
            if not self.is_attached:
                continue  # The service accepts reports only after the attachment.
            said, self._pending = self._pending, Report()
            for request in said.requests(self._request.engine_id, self._most_bytes):
                await self._report(socket, request)

    async def _report(self, socket: zmq.asyncio.Socket, request: pb.ReportResultsRequest) -> None:
        """Sends a report. If the service rejects the report, sends each result alone.

        Raises `CarillonError` if the attachment has ended, or if the service rejects a report
        without results.
        """
        status, reply = await self._ask(socket, request)
        if status.is_ok:
            self._count(request, reply)
        elif status.code is not StatusCode.INVALID_ARGUMENT or not request.results:
            raise CarillonError.of(status)
        elif len(parts := apart(request)) > 1:
            for part in parts:
                await self._report(socket, part)
        else:
            await self._lose(socket, request, status)

    async def _lose(
        self, socket: zmq.asyncio.Socket, request: pb.ReportResultsRequest, status: Status
    ) -> None:
        """Counts and logs a rejected result, and retracts the utterance if the result was final."""
        (result,) = request.results
        self._work.counters.refused += 1
        logger.error(
            "Utterance %d of a talker is lost; transcription refused it: %s",
            result.utterance,
            CarillonError.of(status),
        )
        if result.is_final and result.alternatives:
            end = pb.ReportResultsRequest(engine_id=request.engine_id, results=[nothing(result)])
            await self._ask(socket, end)

    def _count(self, request: pb.ReportResultsRequest, reply: pb.ReportResultsReply) -> None:
        counters, dropped = self._work.counters, reply.dropped_results
        counters.results += len(request.results) - dropped
        counters.dropped += dropped
        if dropped:
            logger.warning(
                "Transcription dropped %d results: their talkers are gone, they run backwards in "
                "time, or they break a rule.",
                dropped,
            )

    async def _ask(
        self, socket: zmq.asyncio.Socket, request: pb.ReportResultsRequest
    ) -> tuple[Status, pb.ReportResultsReply]:
        """Sends a report and returns the answer.

        Raises `CarillonError` if no answer arrives in time, or if the answer is unreadable.
        """
        self._last_call += 1
        self._answered = asyncio.get_running_loop().create_future()
        await self._send(socket, self._last_call, REPORT, request)
        try:
            # `wait_for` would lose a cancellation if the answer arrived in the same turn of the
            # event loop.
            async with asyncio.timeout(_REPORT_SECONDS):
                status, body = await self._answered
            return status, pb.ReportResultsReply.FromString(body)
        except TimeoutError:
            message = f"{self.endpoint} did not answer in time."
            raise CarillonError(StatusCode.UNAVAILABLE, message=message) from None
        except DecodeError as error:
            message = f"Transcription sent unreadable bytes: {error}"
            raise CarillonError(StatusCode.INTERNAL_ERROR, message=message) from error
