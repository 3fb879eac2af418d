"""A client of the signaling protocol. It acts like a browser and checks received frames."""

from __future__ import annotations

import asyncio
import ssl
import time
from collections.abc import Callable
from contextlib import suppress
from typing import Any, Self

from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed
from websockets.typing import Origin, Subprotocol

from carillon import Credentials
from carillon.signaling import signaling_pb2 as wire
from installation import Installation

MARKER = "_aws_wt_session"
QUERY = "?X-Chime-Control-Protocol-Version=3&X-Amzn-Chime-Send-Close-On-Error=1"
SECONDS = 30.0
"""The timeout for a frame or a close, in seconds."""

Frame = wire.SdkSignalFrame
FrameType = wire.SdkSignalFrame.Type


def face_of(installation: Installation, meeting_id: str) -> str:
    """Returns the signaling URL of a meeting."""
    return f"ws://127.0.0.1:{installation.rest_port}/control/{meeting_id}{QUERY}"


def encoded(kind: str, **fields: Any) -> bytes:
    """Returns a browser's frame in wire format."""
    frame = Frame(timestamp_ms=int(time.time() * 1000), type=kind, **fields)
    return b"\x05" + frame.SerializeToString()


class SignalingClient:
    """`async with SignalingClient(url, token) as client` connects a client, which has not joined
    yet.

    The client checks each received frame against invariant 13 of the protocol: binary, the byte 2,
    a timestamp.
    """

    def __init__(
        self,
        url: str,
        token: str,
        *,
        origin: str | None = None,
        tls: ssl.SSLContext | None = None,
    ) -> None:
        self.frames: list[Frame] = []
        """All received frames, including PONGs."""
        self.close_code: int | None = None
        self.breaches: list[str] = []
        self._url = url
        self._protocols = [Subprotocol(MARKER), Subprotocol(token)]
        self._origin = Origin(origin) if origin else None
        self._tls = tls
        self._news = asyncio.Condition()
        self._mark = 0
        self._socket: ClientConnection | None = None
        self._reader: asyncio.Task[None] | None = None

    async def __aenter__(self) -> Self:
        self._socket = await connect(
            self._url,
            subprotocols=self._protocols,
            origin=self._origin,
            ssl=self._tls,
            compression=None,
            ping_interval=None,
            max_size=None,
            open_timeout=SECONDS,
        )
        assert self._socket.subprotocol == MARKER, "the token may not be answered"
        self._reader = asyncio.create_task(self._read())
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.socket.close()
        if self._reader is not None:
            await self._reader
        assert self.breaches == []

    @property
    def socket(self) -> ClientConnection:
        assert self._socket is not None
        return self._socket

    async def _read(self) -> None:
        try:
            async for message in self.socket:
                async with self._news:
                    self._take(message)
                    self._news.notify_all()
        except ConnectionClosed:
            pass
        async with self._news:
            self.close_code = self.socket.close_code
            self._news.notify_all()

    def _take(self, message: str | bytes) -> None:
        if isinstance(message, str) or len(message) < 2 or message[0] != 2:
            self.breaches.append(f"no frame: {message[:40]!r}")
            return
        frame = Frame.FromString(message[1:])
        now = time.time() * 1000
        if abs(frame.timestamp_ms - now) > 60_000:
            self.breaches.append(f"a frame of another time: {frame.timestamp_ms}")
        self.frames.append(frame)

    async def send(self, kind: str, **fields: Any) -> None:
        """Sends a frame. A frame after the server's close is dropped, as in a browser."""
        with suppress(ConnectionClosed):
            await self.socket.send(encoded(kind, **fields))

    async def ping(self, number: int) -> None:
        await self.send("PING_PONG", ping_pong=wire.SdkPingPongFrame(type="PING", ping_id=number))

    async def say(self, topic: str, data: bytes, lifetime_ms: int | None = None) -> None:
        message = wire.SdkDataMessagePayload(topic=topic, data=data, lifetime_ms=lifetime_ms)
        await self.send("DATA_MESSAGE", data_message=wire.SdkDataMessageFrame(messages=[message]))

    async def next(self, kind: str, where: Callable[[Frame], bool] = lambda _: True) -> Frame:
        """Skips frames until one has the given type, and returns that frame."""
        number = FrameType.Value(kind)

        def found() -> bool:
            return any(frame.type == number and where(frame) for frame in self.frames[self._mark :])

        await self.until(lambda: found() or self.close_code is not None, f"{kind}")
        for place in range(self._mark, len(self.frames)):
            frame = self.frames[place]
            if frame.type == number and where(frame):
                self._mark = place + 1
                return frame
        raise AssertionError(f"{kind} did not come before {self.close_code}: {self.kinds}")

    async def until(self, condition: Callable[[], bool], what: str = "it") -> None:
        try:
            async with asyncio.timeout(SECONDS), self._news:
                await self._news.wait_for(condition)
        except TimeoutError:
            raise TimeoutError(f"{what} did not come; there were {self.kinds}.") from None

    async def closed(self) -> int:
        """Waits until the server closes, and returns the close code."""
        await self.until(lambda: self.close_code is not None, "a close")
        assert self.close_code is not None
        return self.close_code

    async def join(self, audio_session_id: int = 7, **fields: Any) -> Frame:
        """Joins without media and returns the first presence, which is the whole roster.

        The client may still subscribe later. With `wants_no_media=False` the roster arrives after
        the subscription.
        """
        details = wire.SdkClientDetails(app_name="protocol-tests")
        request = wire.SdkJoinFrame(
            protocol_version=2,
            flags=2,
            client_details=details,
            audio_session_id=audio_session_id,
            wants_compressed_sdp=True,
            **{"wants_no_media": True, **fields},
        )
        await self.send("JOIN", join=request)
        await self.next("JOIN_ACK")
        await self.next("INDEX")
        return await self.next("AUDIO_STREAM_ID_INFO")

    async def leave(self) -> None:
        await self.send("LEAVE", leave=wire.SdkLeaveFrame())
        await self.next("LEAVE_ACK")

    @property
    def kinds(self) -> list[str]:
        """The types of all frames that the client has received so far."""
        return [FrameType.Name(frame.type) for frame in self.frames]

    @property
    def streams(self) -> list[Any]:
        """All presence entries that the client has received so far."""
        return [stream for frame in self.frames for stream in frame.audio_stream_id_info.streams]

    @property
    def messages(self) -> list[Any]:
        """All data messages that the client has received so far."""
        return [message for frame in self.frames for message in frame.data_message.messages]

    async def hears(self, *data: bytes, topic: str = "chat") -> None:
        """Waits until exactly these messages of a topic have arrived, in this order."""

        def heard() -> list[bytes]:
            return [message.data for message in self.messages if message.topic == topic]

        await self.until(lambda: len(heard()) >= len(data), f"{data!r}")
        assert heard() == list(data)


def client_of(
    installation: Installation,
    meeting_id: str,
    who: Credentials,
    *,
    origin: str | None = None,
    modality: str = "",
) -> SignalingClient:
    """Returns a client with these credentials. The modality `#content` makes it a content share."""
    token = who.join_token + modality
    return SignalingClient(face_of(installation, meeting_id), token, origin=origin)
