"""A gateway for tests: a ROUTER socket that speaks the protocol of `proto/README.md` step by step.

The gateway shares only the generated messages with the client.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Self, TypeVar

import zmq
import zmq.asyncio
from google.protobuf.message import Message

from carillon.v1 import (
    common_pb2 as common,
    gateway_pb2,
    messaging_pb2 as messaging,
    presence_pb2 as presence,
    rpc_pb2 as rpc,
)
from golden import FACADE, fnv1a, methods, varint

M = TypeVar("M", bound=Message)

MEETING = "5f0c6c5e-2a0b-4a51-9d3c-0e6f1a2b3c4d"
ADA = "a1a1a1a1-0000-4000-8000-000000000001"
GRACE = "b2b2b2b2-0000-4000-8000-000000000002"
LIN = "c3c3c3c3-0000-4000-8000-000000000003"
TOKEN = "token-of-ada"
SESSION = bytes(range(16))
NAMES = {ADA: "ada", GRACE: "grace", LIN: "lin"}
METHODS = {fnv1a(name): name for name, *_ in methods()}
LONG = 600_000
"""A keep-alive interval in milliseconds that is longer than any test."""


@dataclass
class Call:
    """A request that arrived, with methods to answer it."""

    gateway: ScriptedGateway
    route: bytes
    header: rpc.RequestHeader
    body: bytes

    @property
    def method(self) -> str:
        if self.header.kind == rpc.REQUEST_KIND_CANCEL:
            return "CANCEL"
        return METHODS[self.header.method].partition("/")[2]

    def read(self, kind: type[M]) -> M:
        return kind.FromString(self.body)

    async def reply(self, reply: Message) -> None:
        header = rpc.ReplyHeader(call_id=self.header.call_id, kind=rpc.REPLY_KIND_REPLY)
        await self.gateway.send(self.route, header, reply)

    async def fail(self, code: int, **fields: Any) -> None:
        header = rpc.ReplyHeader(
            call_id=self.header.call_id,
            kind=rpc.REPLY_KIND_REPLY,
            status=common.Status(code=number(code), **fields),
        )
        await self.gateway.send(self.route, header)

    @property
    def message(self) -> messaging.SendDataMessageRequest:
        """The request of a SendDataMessage call."""
        return self.read(messaging.SendDataMessageRequest)

    async def accept(self, sequence: int, *, is_repeat: bool = False) -> None:
        """Answers a SendDataMessage call: the message has this sequence in the log."""
        accepted = messaging.AcceptedAt(
            epoch=5,
            sequence=sequence,
            timestamp_ms=1_000 + sequence,
            message_id=f"m-{sequence}",
            is_repeat=is_repeat,
        )
        await self.reply(messaging.SendDataMessageReply(accepted=accepted))

    async def throttle(self, retry_after_ms: int) -> None:
        throttled = messaging.Throttled(retry_after_ms=retry_after_ms)
        await self.reply(messaging.SendDataMessageReply(throttled=throttled))

    async def item(self, item: Message) -> None:
        header = rpc.ReplyHeader(call_id=self.header.call_id, kind=rpc.REPLY_KIND_ITEM)
        await self.gateway.send(self.route, header, item)

    async def end(self, status: common.Status | None = None) -> None:
        header = rpc.ReplyHeader(
            call_id=self.header.call_id, kind=rpc.REPLY_KIND_END, status=status
        )
        await self.gateway.send(self.route, header)


class ScriptedGateway:
    """A gateway that answers only keep-alives and Stop by itself. The test answers other calls."""

    def __init__(self, endpoint: str) -> None:
        self.endpoint = endpoint
        self.is_silent = False
        self.route = b""
        """The ZeroMQ routing id of the client that sent the last Start."""
        self.sent_item_bytes = 0
        self._context: zmq.asyncio.Context | None = None
        self._socket: zmq.asyncio.Socket | None = None
        self._reader: asyncio.Task[None] | None = None
        self._calls: asyncio.Queue[Call] = asyncio.Queue()
        self._keep_alives: asyncio.Queue[gateway_pb2.KeepAliveRequest] = asyncio.Queue()

    async def __aenter__(self) -> Self:
        self.listen()
        return self

    async def __aexit__(self, *_: object) -> None:
        self.vanish()

    def listen(self) -> None:
        # The gateway has its own context. A client does not detect the loss of a peer in its own
        # context.
        self._context = zmq.asyncio.Context()
        self._socket = self._context.socket(zmq.ROUTER)
        self._socket.linger = 0
        self._socket.setsockopt(zmq.ROUTER_MANDATORY, 1)
        self._socket.bind(self.endpoint)
        self._reader = asyncio.create_task(self._read())

    def vanish(self) -> None:
        """Closes the socket, which looks to clients like a SIGKILL of the gateway."""
        if self._reader is not None:
            self._reader.cancel()
        if self._socket is not None:
            self._socket.close(0)
        self._socket = None

    def destroy(self) -> None:
        if self._socket is not None:
            self._socket.close(0)

    async def _read(self) -> None:
        socket = self._socket
        while socket is not None:
            route, frame = await socket.recv_multipart()
            length, at = frame[0], 1
            if length > 127:
                length, at = length - 128 + frame[1] * 128, 2
            header = rpc.RequestHeader.FromString(frame[at : at + length])
            call = Call(self, route, header, frame[at + length :])
            assert header.version == 1 and header.call_id != 0
            if call.method == "KeepAlive":
                self._keep_alives.put_nowait(call.read(gateway_pb2.KeepAliveRequest))
                if not self.is_silent:
                    await call.reply(gateway_pb2.KeepAliveReply())
            elif call.method == "Stop":
                # The client may already have closed the connection.
                with contextlib.suppress(zmq.ZMQError):
                    await call.reply(gateway_pb2.StopReply())
                self._calls.put_nowait(call)
                with contextlib.suppress(zmq.ZMQError):
                    await self.end()
            else:
                self._calls.put_nowait(call)

    async def next(self, method: str) -> Call:
        call = await self.next_call()
        assert call.method == method, f"{call.method} came, not {method}"
        return call

    async def next_call(self) -> Call:
        return await self._calls.get()

    def take_calls(self) -> list[Call]:
        """Returns all calls that arrived since the last use of this method."""
        return [self._calls.get_nowait() for _ in range(self._calls.qsize())]

    async def next_keep_alive(self) -> gateway_pb2.KeepAliveRequest:
        return await self._keep_alives.get()

    # Sending

    async def send(self, route: bytes, header: rpc.ReplyHeader, body: Message | None = None) -> int:
        packed = header.SerializeToString()
        frame = varint(len(packed)) + packed + (body.SerializeToString() if body else b"")
        await self.send_bytes(frame, route)
        return len(frame)

    async def send_bytes(self, frame: bytes, route: bytes | None = None) -> None:
        assert self._socket is not None
        await self._socket.send_multipart([self.route if route is None else route, frame])

    async def events(
        self, *events: gateway_pb2.SessionEvent, at: tuple[int, int] | None = None
    ) -> None:
        """Sends one item with these events and the roster's position after them."""
        item = gateway_pb2.SessionEvents(events=events)
        if at is not None:
            item.positions.add(stream="roster", epoch=at[0], sequence=at[1])
        await self.send_item(item)

    async def messages(self, *messages: gateway_pb2.SessionEvent, epoch: int = 5) -> None:
        """Sends one item with these data messages, each with its position."""
        item = gateway_pb2.SessionEvents(events=messages)
        for message in messages:
            sequence = message.data_message.sequence
            item.positions.add(stream="messages", epoch=epoch, sequence=sequence)
        await self.send_item(item)

    async def send_item(self, item: gateway_pb2.SessionEvents) -> None:
        header = rpc.ReplyHeader(kind=rpc.REPLY_KIND_ITEM)
        self.sent_item_bytes += await self.send(self.route, header, item)

    async def end(self, code: int = common.STATUS_CODE_OK, **fields: Any) -> None:
        status = common.Status(code=number(code), **fields) if code or fields else None
        await self.send(self.route, rpc.ReplyHeader(kind=rpc.REPLY_KIND_END, status=status))

    async def expect_start(self) -> gateway_pb2.StartRequest:
        call = await self.next("Start")
        self.route = call.route
        self.sent_item_bytes = 0
        return call.read(gateway_pb2.StartRequest)

    async def admit(
        self,
        *present: presence.RosterEntry,
        at: tuple[int, int] = (7, 10),
        keep_alive_ms: int = LONG,
        **started: Any,
    ) -> gateway_pb2.StartRequest:
        """Answers a Start with a roster of ada and the given attendees."""
        request = await self.expect_start()
        entries = [entry(ADA), *present]
        snapshot = presence.RosterSnapshot(
            meeting_id=MEETING, epoch=at[0], sequence=at[1], entries=entries
        )
        await self.events(started_event(keep_alive_ms, **started))
        await self.events(gateway_pb2.SessionEvent(roster_snapshot=snapshot), at=at)
        return request


def number(value: int) -> Any:
    """Returns an enum number for a field, including numbers that the type stubs lack."""
    return value


def started_event(keep_alive_ms: int = LONG, **fields: Any) -> gateway_pb2.SessionEvent:
    started = gateway_pb2.SessionStarted(
        session_id=SESSION,
        keep_alive_ms=keep_alive_ms,
        limits=common.Limits(max_attendees=250),
        meeting_id=MEETING,
        gateway="gateway-a",
    )
    started.MergeFrom(gateway_pb2.SessionStarted(**fields))
    return gateway_pb2.SessionEvent(session_started=started)


def entry(attendee_id: str, **fields: Any) -> presence.RosterEntry:
    made = presence.RosterEntry(attendee=info(attendee_id), **fields)
    if not made.volume:
        made.volume = (
            common.VOLUME_LEVEL_MUTED if made.is_muted else common.VOLUME_LEVEL_NOT_SPEAKING
        )
    return made


def info(attendee_id: str) -> common.AttendeeInfo:
    return common.AttendeeInfo(
        attendee_id=attendee_id, external_user_id=NAMES[attendee_id.partition("#")[0]]
    )


def presence_event(
    state: presence.AttendeeState, *attendee_ids: str, **fields: Any
) -> gateway_pb2.SessionEvent:
    changes = [
        presence.PresenceChange(attendee=info(attendee_id), state=state, **fields)
        for attendee_id in attendee_ids
    ]
    return gateway_pb2.SessionEvent(presence_changed=presence.PresenceChanged(changes=changes))


def joined(*attendee_ids: str, **fields: Any) -> gateway_pb2.SessionEvent:
    return presence_event(presence.ATTENDEE_STATE_JOINED, *attendee_ids, **fields)


def left(*attendee_ids: str) -> gateway_pb2.SessionEvent:
    return presence_event(presence.ATTENDEE_STATE_LEFT, *attendee_ids)


def dropped(*attendee_ids: str) -> gateway_pb2.SessionEvent:
    return presence_event(presence.ATTENDEE_STATE_DROPPED, *attendee_ids)


def mute(attendee_id: str, is_muted: bool = True, **fields: Any) -> gateway_pb2.SessionEvent:
    change = presence.MuteChange(attendee_id=attendee_id, is_muted=is_muted, **fields)
    return gateway_pb2.SessionEvent(mute_changed=presence.MuteChanged(changes=[change]))


def data_message(
    sequence: int,
    data: bytes | str = "",
    *,
    topic: str = "chat",
    sender: str = GRACE,
    **fields: Any,
) -> gateway_pb2.SessionEvent:
    """Returns the event of a message, by default from grace on the topic `chat`."""
    message = messaging.DataMessage(
        sequence=sequence,
        topic=topic,
        data=data.encode() if isinstance(data, str) else data,
        timestamp_ms=1_000 + sequence,
        message_id=f"m-{sequence}",
        **fields,
    )
    if sender:
        message.sender.CopyFrom(info(sender))
    return gateway_pb2.SessionEvent(data_message=message)


def levels(
    epoch: int,
    tick: int,
    volumes: Mapping[str, int] | None = None,
    signals: Mapping[str, int] | None = None,
) -> gateway_pb2.SessionEvent:
    changed = presence.LevelsChanged(epoch=epoch, tick=tick)
    for attendee_id, level in (volumes or {}).items():
        changed.volumes.add(attendee_id=attendee_id, level=number(level))
    for attendee_id, strength in (signals or {}).items():
        changed.signals.add(attendee_id=attendee_id, strength=number(strength))
    return gateway_pb2.SessionEvent(levels_changed=changed)


__all__ = [
    "ADA",
    "FACADE",
    "GRACE",
    "LIN",
    "MEETING",
    "SESSION",
    "TOKEN",
    "Call",
    "ScriptedGateway",
    "data_message",
    "dropped",
    "entry",
    "info",
    "joined",
    "left",
    "levels",
    "mute",
    "presence_event",
    "started_event",
]
