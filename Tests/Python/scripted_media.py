"""A media service for tests: a ROUTER socket that takes tickets and packets as in `media.proto`.

The service shares no packet code with the client.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable
from typing import Self

import zmq
import zmq.asyncio

from carillon.v1 import gateway_pb2, media_pb2

TICKET = bytes(range(100, 116))
OPUS, VP8, H264 = 111, 96, 102
LEVEL = 1
OWN_AUDIO, MIXED_AUDIO = 0x1111, 0x2222

Change = Callable[[bytes], Iterable[bytes]]


class ScriptedMedia:
    """Echoes the ticket, collects packets, and answers each packet with the result of `change`."""

    def __init__(self, endpoint: str, ticket: bytes = TICKET) -> None:
        self.endpoint = endpoint
        self.ticket = ticket
        self.is_silent = False
        """Whether the service ignores tickets."""
        self.tickets = 0
        """The number of tickets that arrived."""
        self.change: Change = lambda packet: ()
        self.packets: asyncio.Queue[bytes] = asyncio.Queue()
        self.first_frames: list[bytes] = []
        """The first frame of each connection."""
        self._routes: set[bytes] = set()
        self._route = b""
        self._context: zmq.asyncio.Context | None = None
        self._socket: zmq.asyncio.Socket | None = None
        self._reader: asyncio.Task[None] | None = None

    async def __aenter__(self) -> Self:
        self.listen()
        return self

    async def __aexit__(self, *_: object) -> None:
        self.vanish()

    def listen(self) -> None:
        # Media has its own context. A client does not detect the loss of a peer in its own context.
        self._context = zmq.asyncio.Context()
        self._socket = self._context.socket(zmq.ROUTER)
        self._socket.linger = 0
        self._socket.bind(self.endpoint)
        self._reader = asyncio.create_task(self._read())

    def vanish(self) -> None:
        """Closes the socket, which looks to clients like a SIGKILL of media."""
        if self._reader is not None:
            self._reader.cancel()
        if self._socket is not None:
            self._socket.close(0)
        self._socket = None

    async def _read(self) -> None:
        socket = self._socket
        while socket is not None:
            route, *frames = await socket.recv_multipart()
            if route not in self._routes:
                self._routes.add(route)
                self.first_frames.append(frames[0])
            for frame in frames:
                if frame == self.ticket:
                    self.tickets += 1
                    if not self.is_silent:
                        self._route = route
                        await self.send(frame)
                else:
                    self.packets.put_nowait(frame)
                    answer = list(self.change(frame))
                    if answer:
                        await self.send(*answer)

    async def send(self, *frames: bytes) -> None:
        """Sends a message with these packets to the connection that a client bound last."""
        assert self._socket is not None
        await self._socket.send_multipart([self._route, *frames])


def media_format(**fields: int) -> media_pb2.MediaFormat:
    made = media_pb2.MediaFormat(
        audio_level_extension_id=LEVEL,
        audio_send_ssrc=OWN_AUDIO,
        audio_receive_ssrc=MIXED_AUDIO,
        max_packet_bytes=1_200,
        audio_packet_ms=20,
        audio_mode=media_pb2.AUDIO_MODE_MONO_48K,
    )
    made.payloads.add(payload_type=OPUS, encoding="opus", clock_rate=48_000)
    made.payloads.add(payload_type=VP8, encoding="VP8", clock_rate=90_000)
    made.payloads.add(payload_type=H264, encoding="H264", clock_rate=90_000)
    for name, value in fields.items():
        setattr(made, name, value)
    return made


def media_moved(
    endpoint: str, ticket: bytes = TICKET, term: int = 1, **fields: int
) -> gateway_pb2.SessionEvent:
    moved = media_pb2.MediaMoved(
        endpoint=endpoint, ticket=ticket, term=term, format=media_format(**fields)
    )
    return gateway_pb2.SessionEvent(media_moved=moved)
