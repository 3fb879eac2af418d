"""Applications that create meetings as fast as possible: many connections in one process.

Python's own HTTP clients cost more than the gateway, so these callers write requests by hand on
persistent connections and sign the requests with the standard library.
"""

from __future__ import annotations

import hashlib
import hmac
import json
import resource
import selectors
import socket
import time
import urllib.parse
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property

from ControlAPI.house import REGION, Key

PAUSE_SECONDS = 0.02
"""The pause before the retry of an unanswered request."""

PATIENCE = 60.0


@dataclass
class Load:
    """The parameters of a load: the gateway, the key, the connections and the duration."""

    url: str
    key: Key
    connections: int
    seconds: float

    @property
    def place(self) -> tuple[str, int]:
        parts = urllib.parse.urlsplit(self.url)
        return parts.hostname or "", parts.port or 80

    @cached_property
    def host(self) -> str:
        return "{}:{}".format(*self.place)

    def request(self, method: str, target: str, body: bytes = b"") -> bytes:
        """Returns a whole request, signed with the current time."""
        now = time.strftime("%Y%m%dT%H%M%SZ", time.gmtime())
        headers = {"host": self.host, "x-amz-date": now}
        if body:
            headers["content-type"] = "application/json"
        names = ";".join(sorted(headers))
        signed = "".join(f"{name}:{headers[name]}\n" for name in sorted(headers))
        digest = hashlib.sha256(body).hexdigest()
        canonical = f"{method}\n{target}\n\n{signed}\n{names}\n{digest}"
        scope = f"{now[:8]}/{REGION}/chime/aws4_request"
        text = f"AWS4-HMAC-SHA256\n{now}\n{scope}\n" + _digest(canonical)
        code = hmac.new(self._signing_key(now[:8]), text.encode(), hashlib.sha256).hexdigest()
        lines = [f"{method} {target} HTTP/1.1", *(f"{k}: {v}" for k, v in headers.items())]
        lines.append(
            f"authorization: AWS4-HMAC-SHA256 Credential={self.key.access_key_id}/{scope}, "
            f"SignedHeaders={names}, Signature={code}"
        )
        if method != "GET":
            lines.append(f"content-length: {len(body)}")
        return ("\r\n".join(lines) + "\r\n\r\n").encode() + body

    def _signing_key(self, day: str) -> bytes:
        known: dict[str, bytes] = self.__dict__.setdefault("_keys", {})
        if day not in known:
            key = b"AWS4" + self.key.secret_access_key.encode()
            for part in (day, REGION, "chime", "aws4_request"):
                key = hmac.digest(key, part.encode(), "sha256")
            known[day] = key
        return known[day]


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


@dataclass
class Answers:
    """The results of a load."""

    meeting_seconds: list[float] = field(default_factory=list)
    attendee_seconds: list[float] = field(default_factory=list)
    """The response times of the requests that the caller sent only once."""

    attendees: dict[str, str] = field(default_factory=dict)
    """The attendee of each meeting; "" if the load ended before the attendee was created."""

    retried: int = 0
    """The number of retries of requests that got no answer."""

    outage: float = 0.0
    """The longest time without any answer, in seconds."""

    seconds: float = 0.0
    """The time from the first request to the last answer."""

    processor_seconds: float = 0.0

    @property
    def per_second(self) -> float:
        """The meetings and attendees created per second, excluding the outage."""
        made = len(self.attendees) + sum(map(bool, self.attendees.values()))
        return made / (self.seconds - self.outage)

    @classmethod
    def together(cls, parts: Iterable[Answers]) -> Answers:
        whole = cls()
        for part in parts:
            whole.meeting_seconds += part.meeting_seconds
            whole.attendee_seconds += part.attendee_seconds
            whole.attendees |= part.attendees
            whole.retried += part.retried
            whole.outage = max(whole.outage, part.outage)
            whole.seconds = max(whole.seconds, part.seconds)
            whole.processor_seconds += part.processor_seconds
        return whole


class Caller:
    """One connection with one request in flight."""

    def __init__(self, load: Load, name: str) -> None:
        self._load = load
        self._name = name
        self._number = 0
        self.socket: socket.socket | None = None
        self.meeting = ""
        self.attempts = 0
        self.began = 0.0
        self._received = b""

    def connect(self) -> bool:
        try:
            self.socket = socket.create_connection(self._load.place, timeout=PATIENCE)
        except OSError:
            return False
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self._received = b""
        return True

    def send(self) -> bool:
        """Sends the next request to create something, or sends the last request again."""
        assert self.socket is not None
        if self.attempts == 0:
            self.began = time.perf_counter()
        self.attempts += 1
        try:
            self.socket.sendall(self._next())
        except OSError:
            return False
        return True

    def _next(self) -> bytes:
        if self.meeting:
            target = f"/meetings/{self.meeting}/attendees"
            return self._load.request("POST", target, b'{"ExternalUserId":"ada"}')
        token = f"{self._name}-{self._number}"
        body = {
            "ClientRequestToken": token,
            "MediaRegion": REGION,
            "ExternalMeetingId": token,
        }
        return self._load.request("POST", "/meetings", json.dumps(body).encode())

    def receive(self) -> tuple[int, bytes] | None:
        """Returns the whole answer, or `None` while it is incomplete. Raises an error if the
        connection failed.
        """
        assert self.socket is not None
        more = self.socket.recv(65_536)
        if not more:
            raise ConnectionResetError
        self._received += more
        head, found, body = self._received.partition(b"\r\n\r\n")
        if not found:
            return None
        lower = head.lower()
        length = int(lower.partition(b"content-length:")[2].partition(b"\r\n")[0])
        if len(body) < length:
            return None
        self._received = b""
        return int(head[9:12]), body

    def take(self, body: bytes, answers: Answers) -> None:
        """Records what the gateway created."""
        seconds = time.perf_counter() - self.began
        if self.meeting:
            answers.attendees[self.meeting] = json.loads(body)["Attendee"]["AttendeeId"]
            times = answers.attendee_seconds
            self.meeting = ""
            self._number += 1
        else:
            self.meeting = json.loads(body)["Meeting"]["MeetingId"]
            answers.attendees[self.meeting] = ""
            times = answers.meeting_seconds
        if self.attempts == 1:
            times.append(seconds)
        self.attempts = 0


class Crew:
    """The connections of one process."""

    def __init__(self, load: Load, name: str) -> None:
        self._selector = selectors.DefaultSelector()
        self._callers = [Caller(load, f"{name}-{number}") for number in range(load.connections)]
        self._later: list[tuple[float, Caller]] = [(0.0, caller) for caller in self._callers]
        self._end = time.perf_counter() + load.seconds
        self.answers = Answers()

    def run(self) -> None:
        begun = last = time.perf_counter()
        while self._later or self._selector.get_map():
            assert time.perf_counter() < self._end + PATIENCE, "The gateway does not come back."
            now = time.perf_counter()
            due = [caller for at, caller in self._later if at <= now]
            self._later = [(at, caller) for at, caller in self._later if at > now]
            for caller in due:
                self._begin(caller)
            for key, _ in self._selector.select(PAUSE_SECONDS if self._later else 1.0):
                if self._hear(key.data):
                    now = time.perf_counter()
                    self.answers.outage = max(self.answers.outage, now - last)
                    last = now
        self.answers.seconds = last - begun

    def _begin(self, caller: Caller) -> None:
        if caller.socket is None and caller.connect():
            assert caller.socket is not None
            self._selector.register(caller.socket, selectors.EVENT_READ, caller)
        if caller.socket is None or not caller.send():
            self._again(caller)

    def _again(self, caller: Caller) -> None:
        if caller.socket is not None:
            self._selector.unregister(caller.socket)
            caller.socket.close()
            caller.socket = None
        self._later.append((time.perf_counter() + PAUSE_SECONDS, caller))

    def _hear(self, caller: Caller) -> bool:
        """Processes an answer and returns whether the gateway created something."""
        try:
            answer = caller.receive()
        except OSError:
            self.answers.retried += 1
            self._again(caller)
            return False
        if answer is None:
            return False
        status, body = answer
        if status >= 500:
            self.answers.retried += 1
            self._again(caller)
            return False
        assert status == 200, body
        caller.take(body, self.answers)
        if time.perf_counter() < self._end:
            if not caller.send():
                self._again(caller)
        elif caller.socket is not None:
            self._selector.unregister(caller.socket)
            caller.socket.close()
        return True


def create(load: Load, name: str) -> Answers:
    """Creates meetings until the time of `load` is over. `name` distinguishes these meetings from
    others."""
    before = resource.getrusage(resource.RUSAGE_SELF)
    crew = Crew(load, name)
    crew.run()
    after = resource.getrusage(resource.RUSAGE_SELF)
    crew.answers.processor_seconds = (
        after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    )
    return crew.answers


def check(load: Load, attendees: Mapping[str, str]) -> list[str]:
    """Requests everything that the gateway created and returns what is missing."""
    missing = []
    caller = Caller(load, "check")
    assert caller.connect() and caller.socket is not None
    for meeting, attendee in attendees.items():
        caller.socket.sendall(load.request("GET", f"/meetings/{meeting}/attendees"))
        while (answer := caller.receive()) is None:
            pass
        status, body = answer
        found = [each["AttendeeId"] for each in json.loads(body).get("Attendees", [])]
        # If the end of the meeting interrupted the request to create an attendee, the attendee may
        # or may not exist.
        if status != 200 or (attendee and found != [attendee]):
            missing.append(f"{meeting}: {status} {found} instead of {attendee}")
    caller.socket.close()
    return missing
