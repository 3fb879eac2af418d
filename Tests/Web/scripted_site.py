"""The page without a server: its files, scripted responses, and scripted signaling."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from playwright.async_api import Page, Route, WebSocketRoute

from carillon.signaling import signaling_pb2 as wire

WEB = Path(__file__).parents[2] / "Clients" / "Web"
ADDRESS = "http://localhost:9"
"""No server listens at this address: the browser answers all requests."""
POLICY = (
    "default-src 'self'; connect-src 'self' ws: wss:; object-src 'none'; base-uri 'none'; "
    "frame-ancestors 'none'; require-trusted-types-for 'script'"
)
_TYPES = {
    ".html": "text/html",
    ".css": "text/css",
    ".js": "text/javascript",
    ".svg": "image/svg+xml",
    ".json": "application/json",
}
_PAGES = {
    "/": "index.html",
    "/embed": "index.html",
    "/operator": "operator.html",
    "/example": "example.html",
}
APPLICATION = "http://localhost:8"
"""The origin of an application that may show `/embed` in a frame."""

Frame = wire.SdkSignalFrame
Answer = tuple[int, Any]


def frame(kind: str, **fields: Any) -> Any:
    """Returns a frame of the server with its type and fields."""
    return Frame(timestamp_ms=int(time.time() * 1000), type=kind, **fields)


class ScriptedFace:
    """The server of one connection. It accepts every join; the test then makes it send frames."""

    def __init__(self, socket: WebSocketRoute, roster: list[dict[str, Any]]) -> None:
        self.received: list[Any] = []
        self._socket = socket
        self.roster = roster
        socket.on_message(self._take)

    def send(self, *frames: Any) -> None:
        for each in frames:
            self._socket.send(b"\x02" + each.SerializeToString())

    async def close(self, code: int) -> None:
        await self._socket.close(code=code)

    def _take(self, message: str | bytes) -> None:
        assert isinstance(message, bytes)
        received = Frame.FromString(message[1:])
        self.received.append(received)
        if received.type == Frame.PING_PONG:
            answer = wire.SdkPingPongFrame(type=wire.PONG, ping_id=received.ping_pong.ping_id)
            self.send(frame("PING_PONG", ping_pong=answer))
        elif received.type == Frame.JOIN:
            self.send(
                frame("JOIN_ACK", joinack=wire.SdkJoinAckFrame()),
                frame("INDEX", index=wire.SdkIndexFrame()),
                self.presence(self.roster),
            )
        elif received.type == Frame.SUBSCRIBE:
            # This frame contains no answer to the offer, so the session starts without media.
            self.send(frame("SUBSCRIBE_ACK", suback=wire.SdkSubscribeAckFrame()))
        elif received.type == Frame.LEAVE:
            self.send(frame("LEAVE_ACK", leave_ack=wire.SdkLeaveAckFrame()))

    @staticmethod
    def presence(streams: list[dict[str, Any]]) -> Any:
        return frame(
            "AUDIO_STREAM_ID_INFO",
            audio_stream_id_info=wire.SdkAudioStreamIdInfoFrame(
                streams=[wire.SdkAudioStreamIdInfo(**stream) for stream in streams]
            ),
        )


class ScriptedSite:
    """Answers all requests of a page."""

    def __init__(self, roster: list[dict[str, Any]]) -> None:
        self.answers: dict[str, Answer | Callable[[Any], Answer]] = {}
        """The answers by method and path: each is a status and a JSON body, or a function that
        returns both for the request's body.
        """
        self.faces: list[ScriptedFace] = []
        self.policy_breaches: list[str] = []
        self.is_down = False
        """Whether signaling closes every connection immediately."""
        self.attempts = 0
        """The number of connections that signaling closed while it was down."""
        self.roster = roster

    async def serve(self, page: Page) -> None:
        page.on("console", self._console)
        await page.route("**/*", self._answer)
        await page.route_web_socket("**/control/**", self._connect)

    @property
    def face(self) -> ScriptedFace:
        """The server of the newest connection."""
        return self.faces[-1]

    async def _connect(self, socket: WebSocketRoute) -> None:
        if self.is_down:
            self.attempts += 1
            await socket.close(code=1011)
            return
        self.faces.append(ScriptedFace(socket, self.roster))

    def _console(self, message: Any) -> None:
        if "Content Security Policy" in message.text:
            self.policy_breaches.append(message.text)

    async def _answer(self, route: Route) -> None:
        request = route.request
        path = urlsplit(request.url).path
        known = self.answers.get(f"{request.method} {path}")
        if known is not None:
            status, body = known(request.post_data_json) if callable(known) else known
            await route.fulfill(
                status=status, content_type="application/json", body=json.dumps(body)
            )
            return
        file = WEB / _PAGES.get(path, path.lstrip("/"))
        if not file.is_file():
            await route.fulfill(status=404, content_type="application/json", body="{}")
            return
        policy = POLICY
        if path == "/embed":
            policy = policy.replace("frame-ancestors 'none'", f"frame-ancestors {APPLICATION}")
        headers = {"content-security-policy": policy, "content-type": _TYPES[file.suffix]}
        await route.fulfill(status=200, headers=headers, body=file.read_text())
