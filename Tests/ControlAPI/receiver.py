"""A receiver of webhooks with a configurable behavior. It records all requests."""

from __future__ import annotations

import base64
import hashlib
import hmac
import http.server
import json
import threading
import time
from dataclasses import dataclass, field
from enum import Enum
from types import TracebackType
from typing import Any, Self

PATIENCE = 90.0


class Mood(Enum):
    """How the receiver answers."""

    TAKES = 200
    FAILS = 500
    HANGS = 0
    CLOSES = -1


@dataclass
class Arrival:
    """One request, and whether the receiver accepted it."""

    headers: dict[str, str]
    body: bytes
    taken: bool
    at: float
    """The time of the arrival, on the clock `time.monotonic`."""

    @property
    def event(self) -> dict[str, Any]:
        found: dict[str, Any] = json.loads(self.body)
        return found


@dataclass
class Receiver:
    """Listens on loopback while its context is active."""

    mood: Mood = Mood.TAKES
    port: int = 0
    arrivals: list[Arrival] = field(default_factory=list)
    _news: threading.Condition = field(default_factory=threading.Condition)
    _released: threading.Event = field(default_factory=threading.Event)

    def __enter__(self) -> Self:
        receiver = self

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["Content-Length"]))
                receiver.answer(self, dict(self.headers.items()), body)

            def log_message(self, format: str, *args: Any) -> None:
                pass

        self._server = http.server.ThreadingHTTPServer(("127.0.0.1", self.port), Handler)
        self._server.daemon_threads = True
        self.port = self._server.server_address[1]
        threading.Thread(target=self._server.serve_forever, daemon=True).start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        at: TracebackType | None,
    ) -> None:
        self._released.set()
        self._server.shutdown()
        self._server.server_close()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}/events?from=carillon"

    def answer(
        self, request: http.server.BaseHTTPRequestHandler, headers: dict[str, str], body: bytes
    ) -> None:
        mood = self.mood
        with self._news:
            lower = {name.lower(): value for name, value in headers.items()}
            self.arrivals.append(Arrival(lower, body, mood is Mood.TAKES, time.monotonic()))
            self._news.notify_all()
        if mood is Mood.HANGS:
            self._released.wait(PATIENCE)
        if mood in (Mood.HANGS, Mood.CLOSES):
            request.close_connection = True
            return
        request.send_response(mood.value)
        request.send_header("Content-Length", "2")
        request.end_headers()
        request.wfile.write(b"{}")

    def wait(self, condition: Any) -> None:
        """Waits until the arrivals fulfil a condition."""
        with self._news:
            assert self._news.wait_for(lambda: condition(self), PATIENCE), self.summary()

    def summary(self) -> list[tuple[str, int, bool]]:
        return [(a.event["Type"], a.event["Sequence"], a.taken) for a in self.arrivals]

    @property
    def taken(self) -> list[dict[str, Any]]:
        """The accepted events without duplicates, in the order of their first arrival."""
        found = {a.event["Id"]: a.event for a in self.arrivals if a.taken}
        return list(found.values())

    def of(self, meeting: str) -> list[dict[str, Any]]:
        return [event for event in self.taken if event["MeetingId"] == meeting]


def check_signature(arrival: Arrival, secret: str) -> None:
    """Checks a signature by the Standard Webhooks specification."""
    identity, seconds = arrival.headers["webhook-id"], arrival.headers["webhook-timestamp"]
    assert identity == arrival.event["Id"]
    assert abs(time.time() - int(seconds)) < PATIENCE
    key = base64.b64decode(secret.removeprefix("whsec_"))
    signed = f"{identity}.{seconds}.".encode() + arrival.body
    code = base64.b64encode(hmac.new(key, signed, hashlib.sha256).digest()).decode()
    assert hmac.compare_digest(arrival.headers["webhook-signature"], f"v1,{code}")
