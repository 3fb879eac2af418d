"""A handwritten WebSocket, which can do what no client does."""

from __future__ import annotations

import asyncio
import base64
import os
import socket
import ssl
from collections.abc import Callable
from typing import Self

from carillon.signaling import signaling_pb2 as wire
from eventually import due
from Web.signaling_client import MARKER, SECONDS

BINARY, TEXT, CONTINUATION, CLOSE, PING, PONG = 2, 1, 0, 8, 9, 10


class RawSocket:
    """A connection after its upgrade. It answers no frame automatically, not even a ping."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader = reader
        self._writer = writer
        self.pings = 0

    @classmethod
    async def open(
        cls,
        url: str,
        token: str,
        *,
        receive_buffer: int | None = None,
        tls: ssl.SSLContext | None = None,
    ) -> Self:
        """Connects. With a small `receive_buffer`, little data is in flight to a client that does
        not read.
        """
        host, _, rest = url.partition("://")[2].partition("/")
        name, _, port = host.partition(":")
        plain = socket.socket()
        if receive_buffer is not None:
            plain.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, receive_buffer)
        plain.setblocking(False)
        await asyncio.get_running_loop().sock_connect(plain, (name, int(port)))
        reader, writer = await asyncio.open_connection(
            sock=plain, limit=4_096, ssl=tls, server_hostname=name if tls else None
        )
        key = base64.b64encode(os.urandom(16)).decode()
        head = (
            f"GET /{rest} HTTP/1.1\r\nHost: {host}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            f"Sec-WebSocket-Key: {key}\r\nSec-WebSocket-Version: 13\r\n"
            f"Sec-WebSocket-Protocol: {MARKER}, {token}\r\n\r\n"
        )
        writer.write(head.encode())
        async with due("the answer to a handshake", SECONDS):
            answer = await reader.readuntil(b"\r\n\r\n")
        if not answer.startswith(b"HTTP/1.1 101"):
            writer.close()
            raise ConnectionRefusedError(answer.decode(errors="replace"))
        return cls(reader, writer)

    def write(
        self,
        payload: bytes,
        opcode: int = BINARY,
        *,
        is_final: bool = True,
        is_masked: bool = True,
        reserved: int = 0,
        claims: int | None = None,
    ) -> None:
        """Sends a frame (RFC 6455). `claims` overrides the length in the frame's header."""
        length = len(payload) if claims is None else claims
        head = bytes([(0x80 if is_final else 0) | reserved << 4 | opcode])
        bit = 0x80 if is_masked else 0
        if length < 126:
            head += bytes([bit | length])
        elif length < 65_536:
            head += bytes([bit | 126]) + length.to_bytes(2)
        else:
            head += bytes([bit | 127]) + length.to_bytes(8)
        self._writer.write(head + (b"\0\0\0\0" if is_masked else b"") + payload)

    def write_raw(self, data: bytes) -> None:
        self._writer.write(data)

    async def close_code(self, seconds: float = SECONDS) -> int | None:
        """Reads until the server closes. Returns the close code, or `None` without a close
        frame."""
        try:
            async with due("the end of a connection", seconds):
                while True:
                    opcode, payload = await self.read()
                    if opcode == CLOSE:
                        return int.from_bytes(payload[:2]) if payload else 1005
        except (asyncio.IncompleteReadError, ConnectionError):
            return None

    async def next_frame(self, where: Callable[[wire.SdkSignalFrame], bool]) -> wire.SdkSignalFrame:
        """Reads until the server sends a matching frame of the protocol."""
        async with due("a frame of the protocol", SECONDS):
            while True:
                opcode, payload = await self.read()
                if opcode == BINARY:
                    frame = wire.SdkSignalFrame.FromString(payload[1:])
                    if where(frame):
                        return frame

    async def read(self) -> tuple[int, bytes]:
        """Returns the next frame of the server."""
        head = await self._reader.readexactly(2)
        length = head[1] & 0x7F
        if length == 126:
            length = int.from_bytes(await self._reader.readexactly(2))
        elif length == 127:
            length = int.from_bytes(await self._reader.readexactly(8))
        opcode = head[0] & 0x0F
        self.pings += opcode == PING
        return opcode, await self._reader.readexactly(length)

    def abort(self) -> None:
        self._writer.transport.abort()
