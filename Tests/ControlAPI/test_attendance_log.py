"""The record of meetings matches presence's log, even for short stays and the last attendee."""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import random
import signal
import subprocess
import sys
import threading
import time
import uuid
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import Any, Self

import pytest
import zmq

from carillon.v1 import gateway_pb2, presence_pb2, rpc_pb2
from ControlAPI.guests import ask, get, until, visit
from ControlAPI.house import House, Key, running
from ControlAPI.receiver import Receiver
from ControlAPI.test_kill import gateway_process

TOLD_WITHIN = 1.0
"""The promised time limit for reporting a departure, in seconds."""

REVIVED_WITHIN = 12.0
"""The time limit for reporting a departure if a gateway must restart first, in seconds."""

WORDS = {
    presence_pb2.PRESENCE_REASON_CLIENT: "Client",
    presence_pb2.PRESENCE_REASON_CONNECTION_LOST: "ConnectionLost",
    presence_pb2.PRESENCE_REASON_GATEWAY_LOST: "GatewayLost",
    presence_pb2.PRESENCE_REASON_ATTENDEE_DELETED: "AttendeeDeleted",
    presence_pb2.PRESENCE_REASON_MEETING_ENDED: "MeetingEnded",
}

LINGER = """
import asyncio, json, sys, carillon
async def linger(meeting, attendee):
    joining = carillon.join(
        carillon.Meeting.from_json(meeting), carillon.Credentials.from_json(attendee)
    )
    async with joining:
        print("in", flush=True)
        await asyncio.Event().wait()
asyncio.run(linger(*map(json.loads, sys.argv[1:])))
"""


@dataclass(frozen=True)
class Change:
    """An attendee joined or left."""

    kind: str
    attendee: str
    reason: str | None
    at_ms: int


@dataclass
class PresenceLog:
    """The events that presence publishes, received on its own socket."""

    house: House
    changes: dict[str, list[tuple[Change, float]]] = field(default_factory=dict)

    def __enter__(self) -> Self:
        self._context = zmq.Context()
        self._socket = self._context.socket(zmq.SUB)
        self._socket.connect(f"ipc://{self.house.runtime}/presence-a.events.sock")
        self._socket.setsockopt(zmq.RCVTIMEO, 100)
        self._is_over = threading.Event()
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._is_over.set()
        self._reader.join()
        self._context.destroy(linger=0)

    def _read(self) -> None:
        self._socket.subscribe(b"roster/")
        while not self._is_over.is_set():
            with contextlib.suppress(zmq.Again):
                self._take(self._socket.recv())

    def _take(self, frame: bytes) -> None:
        _, meeting, packed = frame.split(b"/", 2)
        size, length = 0, 0
        while True:
            size |= (packed[length] & 0x7F) << 7 * length
            length += 1
            if packed[length - 1] < 0x80:
                break
        header = rpc_pb2.EventHeader.FromString(packed[length : length + size])
        if header.sequence == 0:
            return
        body = gateway_pb2.SessionEvents.FromString(packed[length + size :])
        heard = self.changes.setdefault(meeting.decode(), [])
        for event in body.events:
            for change in event.presence_changed.changes:
                heard.append((read(change), time.monotonic()))

    def of(self, meeting: str) -> list[Change]:
        return [change for change, _ in self.changes.get(meeting, [])]


def read(change: presence_pb2.PresenceChange) -> Change:
    name = change.attendee.external_user_id
    if change.state == presence_pb2.ATTENDEE_STATE_JOINED:
        return Change("AttendeeJoined", name, None, change.joined_at_ms)
    is_drop = change.state == presence_pb2.ATTENDEE_STATE_DROPPED
    kind = "AttendeeDropped" if is_drop else "AttendeeLeft"
    return Change(kind, name, WORDS[change.reason], change.departed_at_ms)


def milliseconds(text: str) -> int:
    return round(datetime.fromisoformat(text).timestamp() * 1_000)


def told(receiver: Receiver, meeting: str) -> list[Change]:
    kinds = ("AttendeeJoined", "AttendeeLeft", "AttendeeDropped")
    return [
        Change(e["Type"], e["ExternalUserId"], e.get("Reason"), milliseconds(e["Time"]))
        for e in receiver.of(meeting)
        if e["Type"] in kinds
    ]


def lines(changes: list[Change]) -> list[str]:
    """Returns changes as lines. Attendees whom the end of the meeting removes have no order."""
    others = [c for c in changes if c.reason != "MeetingEnded"]
    ended = [f"{c.attendee} {c.reason}" for c in changes if c.reason == "MeetingEnded"]
    return [f"{c.attendee} {c.kind} {c.reason}" for c in others] + sorted(ended)


def differences(receiver: Receiver, log: PresenceLog, meeting: str) -> list[str]:
    """Returns the differences between the receiver's events and presence's log."""
    found, wanted = told(receiver, meeting), log.of(meeting)
    if lines(found) != lines(wanted):
        return [f"told {lines(found)}", f"said {lines(wanted)}"]
    # Responses truncate times to milliseconds, and a floating-point number may be slightly below a
    # whole millisecond.
    return [
        f"{one} is not {other}"
        for one, other in zip(found, wanted, strict=True)
        if one.reason != "MeetingEnded" and abs(one.at_ms - other.at_ms) > 1
    ]


def is_told(receiver: Receiver, log: PresenceLog, meeting: str) -> bool:
    return not differences(receiver, log, meeting)


@pytest.fixture(scope="module")
def brisk() -> Iterator[House]:
    """An installation that drops lost attendees after a short time."""
    with running(CARILLON_DROP_AFTER_SECONDS="1", CARILLON_GATEWAY_GRACE_SECONDS="1") as house:
        yield house


@pytest.fixture(scope="module")
def signer(brisk: House) -> Key:
    return brisk.make_key("attendance")


@pytest.fixture
def receiver(brisk: House, signer: Key) -> Iterator[Receiver]:
    with Receiver() as receiver:
        status, made = ask(brisk, signer, "POST", "webhooks", {"Url": receiver.url})
        assert status == 200, made
        yield receiver
        ask(brisk, signer, "DELETE", f"webhooks/{made['Webhook']['WebhookId']}")


@pytest.fixture
def log(brisk: House) -> Iterator[PresenceLog]:
    with PresenceLog(brisk) as log:
        yield log


class Story:
    """A meeting that attendees join and leave at random."""

    def __init__(self, house: House, key: Key, seed: str) -> None:
        self._random = random.Random(seed)
        self._api = house.client(key)
        self._names = 0
        self.meeting: dict[str, Any] = self._api.create_meeting(
            ClientRequestToken=str(uuid.uuid4()), MediaRegion="us-east-1", ExternalMeetingId=seed
        )["Meeting"]

    @property
    def identity(self) -> str:
        return str(self.meeting["MeetingId"])

    async def play(self) -> None:
        for _ in range(3):
            choices = [self.short_stay, self.two_at_a_time, self.killed_client, self.deleted]
            await self._random.choice(choices)()
        if self._random.random() < 0.5:
            await self.short_stay()
            await self.end()
            return
        async with visit(self.meeting, await self._guest()):
            await self.end()

    async def _guest(self) -> dict[str, Any]:
        self._names += 1
        name = f"guest-{self._names}"
        create = partial(self._api.create_attendee, MeetingId=self.identity, ExternalUserId=name)
        made: dict[str, Any] = (await asyncio.to_thread(create))["Attendee"]
        return made

    async def short_stay(self) -> None:
        async with visit(self.meeting, await self._guest()):
            await asyncio.sleep(self._random.choice([0, 0, 0.05, 0.3]))

    async def two_at_a_time(self) -> None:
        async with visit(self.meeting, await self._guest()):
            await self.short_stay()

    async def killed_client(self) -> None:
        with lingering(self.meeting, await self._guest()):
            await asyncio.sleep(self._random.choice([0, 0.1]))
        # The lost attendee may be the last attendee, or another attendee may join before presence
        # drops the lost attendee.
        await asyncio.sleep(self._random.choice([0, 1.5]))

    async def deleted(self) -> None:
        guest = await self._guest()
        async with visit(self.meeting, guest):
            delete = partial(
                self._api.delete_attendee,
                MeetingId=self.identity,
                AttendeeId=guest["AttendeeId"],
            )
            await asyncio.to_thread(delete)

    async def end(self) -> None:
        await asyncio.to_thread(self._api.delete_meeting, MeetingId=self.identity)


@contextlib.contextmanager
def lingering(meeting: dict[str, Any], attendee: dict[str, Any]) -> Iterator[None]:
    """Runs a client in a separate process and kills it."""
    words = [sys.executable, "-c", LINGER, json.dumps(meeting), json.dumps(attendee)]
    source = Path(__file__).parents[2] / "Clients" / "Python" / "src"
    process = subprocess.Popen(
        words,
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONPATH": str(source)},
    )
    assert process.stdout is not None
    try:
        assert process.stdout.readline() == "in\n"
        yield
    finally:
        process.kill()
        process.wait()
        process.stdout.close()


@pytest.mark.parametrize("seed", range(3))
def test_the_attendance_record_equals_the_log_of_presence(
    seed: int, brisk: House, signer: Key, receiver: Receiver, log: PresenceLog
) -> None:
    stories = [Story(brisk, signer, f"seed-{seed}-{number}") for number in range(3)]

    async def play() -> None:
        await asyncio.gather(*(story.play() for story in stories))

    asyncio.run(play())
    for story in stories:
        meeting = story.identity
        with contextlib.suppress(TimeoutError):
            asyncio.run(
                asyncio.wait_for(
                    until("all events of the meeting", partial(is_told, receiver, log, meeting)), 10
                )
            )
        assert not differences(receiver, log, meeting)
        # The attendance contains the same departures as the log.
        found = get(brisk, signer, f"meetings/{meeting}/attendance")["Sessions"]
        departures = sorted((c.attendee, c.reason) for c in log.of(meeting) if c.reason)
        assert sorted((s["ExternalUserId"], s["Reason"]) for s in found) == departures
        # Each guest joins only once, so the name identifies the stay. A floating-point number may
        # be slightly below a whole millisecond.
        times = {(c.attendee, c.reason is None): c.at_ms for c in log.of(meeting)}
        for stay in found:
            name = stay["ExternalUserId"]
            assert abs(milliseconds(stay["JoinedAt"]) - times[name, True]) <= 1
            if stay["Reason"] != "MeetingEnded":
                assert abs(milliseconds(stay["LeftAt"]) - times[name, False]) <= 1


@pytest.mark.alone
def test_the_last_leave_of_a_meeting_is_reported_within_a_second(
    brisk: House, signer: Key, receiver: Receiver, log: PresenceLog
) -> None:
    story = Story(brisk, signer, "alone")

    async def play() -> None:
        guest = await story._guest()
        for number in (2, 4):
            async with visit(story.meeting, guest):
                pass
            await until(
                "the events of the stay",
                lambda expected=number: len(told(receiver, story.identity)) == expected,
            )
        await story.killed_client()
        await until("six events", lambda: len(told(receiver, story.identity)) == 6)
        # The gateway lists the events that it sent to the webhook's receiver.
        listed = get(brisk, signer, f"meetings/{story.identity}/events")["Events"]
        kinds = ("AttendeeJoined", "AttendeeLeft", "AttendeeDropped")
        assert [e["Type"] for e in listed if e["Type"] in kinds] == [
            *("AttendeeJoined", "AttendeeLeft") * 2,
            *("AttendeeJoined", "AttendeeDropped"),
        ]

    asyncio.run(play())
    assert not differences(receiver, log, story.identity)
    heard = [at for _, at in log.changes[story.identity]]
    came = {a.event["Id"]: a.at for a in reversed(receiver.arrivals)}
    events = [e for e in receiver.of(story.identity) if e["Type"].startswith("AttendeeJ")]
    events += [e for e in receiver.of(story.identity) if e.get("Reason")]
    ordered = sorted(events, key=lambda event: int(event["Sequence"]))
    late = [came[event["Id"]] - at for event, at in zip(ordered, heard, strict=True)]
    assert max(late) < TOLD_WITHIN, late


@pytest.mark.alone
def test_another_gateway_reports_the_leave_of_the_only_attendee_of_a_dead_gateway(
    brisk: House, signer: Key, receiver: Receiver, log: PresenceLog
) -> None:
    story = Story(brisk, signer, "widow")

    async def play() -> None:
        with lingering(story.meeting, await story._guest()):
            await until("the first event", lambda: len(told(receiver, story.identity)) == 1)
            # Kill the gateway, so that neither attendee can send anything.
            former = gateway_process(brisk)
            os.kill(former, signal.SIGKILL)
        await until("the leave in the log", lambda: len(log.of(story.identity)) == 2)
        gone = time.monotonic()
        await until("both events", lambda: len(told(receiver, story.identity)) == 2)
        assert time.monotonic() - gone < REVIVED_WITHIN

    asyncio.run(play())
    assert not differences(receiver, log, story.identity)


@pytest.mark.parametrize("ends", [True, False], ids=["the meeting is deleted", "nobody deletes it"])
def test_the_record_has_the_time_of_the_leave_although_the_meeting_ends_later(
    ends: bool, brisk: House, signer: Key, receiver: Receiver
) -> None:
    """Uses only the times of events, which do not depend on the machine's load."""
    story = Story(brisk, signer, "two-seconds")

    async def play() -> tuple[int, int, int]:
        joining = time.time_ns()
        async with visit(story.meeting, await story._guest()):
            await asyncio.sleep(2)
            leaving = time.time_ns()
        left = time.time_ns()
        if ends:
            await asyncio.sleep(6)
            await story.end()
        await until("both events", lambda: len(told(receiver, story.identity)) == 2)
        return joining // 1_000_000, leaving // 1_000_000, left // 1_000_000

    joining, leaving, left = asyncio.run(play())
    came, went = told(receiver, story.identity)
    assert (came.kind, went.kind, went.reason) == ("AttendeeJoined", "AttendeeLeft", "Client")
    (stay,) = get(brisk, signer, f"meetings/{story.identity}/attendance")["Sessions"]
    assert stay["Reason"] == "Client"
    for came_at, went_at in [
        (came.at_ms, went.at_ms),
        (milliseconds(stay["JoinedAt"]), milliseconds(stay["LeftAt"])),
    ]:
        assert joining <= came_at <= leaving - 2_000
        assert leaving - 1 <= went_at <= left + 1_000
