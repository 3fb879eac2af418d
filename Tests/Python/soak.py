"""Checks that no service grows while attendees of a crowd join and leave for some time.

.venv/bin/python Tests/Python/soak.py                    20 minutes, 500 attendees
.venv/bin/python Tests/Python/soak.py --minutes 60 --attendees 200 --rate 20

Two instances of each service serve the crowd. In each meeting Ada and Grace stay, talk and show a
camera, and the program checks what they receive. All others are guests. A few guests per second
leave, are removed, drop, or are cut off and reconnect before they leave. New guests replace them.
Each seat keeps its gateway, so the load of each service stays constant. The size of each service
must stay constant too.

Presence and each gateway keep up to 1,024 events of each meeting, from which clients catch up. At
this load, these windows would fill for most of an hour, and this would look like growth. So
visitors who join, mute and leave fill these windows before guests join. The event of a join is four
times as large as other events. The first quarter of the run fills allocators, caches, and the
messages that the services keep for 180 s. This quarter is not judged, so a run of less than twelve
minutes is too short. All slopes over the rest are Theil-Sen estimates: the median of the slopes
between any two samples. No single step or peak affects this median. The limits for each process
are:

- Memory grows by at most 64 KiB per minute, or by 0.1 % of its size if that is more. At this rate,
  the memory would take most of a day to double. By default, an instance handles about 1,200
  messages and 90 joins per minute, so the limit detects a leak of 55 bytes per message or 730 bytes
  per attendee.
  Memory is anonymous memory (`Pss_Anon` of proc(5)). Pages of programs and their files vary with
  the load of the machine and are only printed (`Pss`).
- Descriptors grow by at most 0.5 per minute. About 90 clients per minute join and leave at each
  gateway, so the limit detects a leak of one connection in 180.
- No gauge of waiting or kept items grows: its median over the last quarter of the judged time is at
  most that over the first quarter, plus the variation that `GAUGES` allows.
"""

from __future__ import annotations

import argparse
import asyncio
import itertools
import random
import statistics
import sys
from collections import Counter, deque
from collections.abc import Awaitable, Callable, Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

import zmq

import carillon
from carillon import (
    AttendeeEvent,
    CarillonError,
    Credentials,
    Meeting,
    Reconnected,
    SessionOptions,
    StreamGap,
    ThrottledError,
)
from carillon.messages import MessageStream
from churn import OWNERS
from cluster import Cluster
from held_meeting import TOPIC, HeldMeeting, Member, _know_the_same, _soon
from installation import Process, Wire

CHAT = "chat"
"""The topic of the guests' messages; `TOPIC` is that of Ada and Grace."""

KEEP_ALIVE_MS = 2_000
"""The keep-alive interval. All clients share one process, which may be slow at times."""

SAMPLE_SECONDS = 5.0
STAYING = {"ada", "grace"}
"""The names of the attendees in `HeldMeeting`, who stay in each meeting."""
ARRIVING_AT_ONCE = 16
WINDOW_EVENTS = 1_024
"""The number of roster events and messages of a meeting that presence and gateways keep."""

VISITORS = 4
"""The number of visitors whose events fill the event windows of a meeting."""
EVENTS_OF_VISIT = 3

REMEMBERED = 100
"""The program deletes a guest who left only after this number of other guests have left, so that
attendees see the drop first."""

# Limits

MEMORY_KB_PER_MINUTE = 64.0
MEMORY_SHARE_PER_MINUTE = 0.001
DESCRIPTORS_PER_MINUTE = 0.5


@dataclass(frozen=True)
class Gauge:
    """A gauge of waiting or kept items in a service, and its allowed variation."""

    name: str
    more: float = 0.0
    share: float = 0.0

    def most(self, before: float) -> float:
        return before + max(self.more, self.share * before)


GAUGES = {
    "presence": [
        Gauge("carillon_presence_waiting_requests", more=2),
        Gauge("carillon_presence_attendees", more=5, share=0.05),
    ],
    "messaging": [
        Gauge("carillon_messaging_waiting_requests", more=2),
        Gauge("carillon_messaging_messages", more=100, share=0.05),
        Gauge("carillon_messaging_kept_messages", more=100, share=0.05),
        # This gauge includes sessions that dropped in the last 180 s. Three guests leave per
        # second, a quarter of them by a drop. So all instances together have 135 such sessions,
        # with a standard deviation of 10. The difference of two such numbers has a standard
        # deviation of 14.
        Gauge("carillon_messaging_sessions", more=35, share=0.05),
    ],
    "video-tiles": [
        Gauge("carillon_video_tiles_waiting_requests", more=2),
        Gauge("carillon_video_tiles_receivers", more=5, share=0.05),
    ],
    "media": [
        Gauge("carillon_media_sessions", more=5, share=0.05),
        Gauge("carillon_media_connections", more=2),
        # Media sets these sizes once.
        Gauge("carillon_media_udp_receive_buffer_bytes"),
        Gauge("carillon_media_udp_send_buffer_bytes"),
        Gauge("carillon_media_waiting_handshake_steps", more=2),
    ],
    "transcription": [
        Gauge("carillon_transcription_backlog_seconds", more=0.1),
        Gauge("carillon_transcription_streams", more=1),
    ],
    "gateway": [
        Gauge("carillon_gateway_client_queue_bytes", more=64 << 10),
        Gauge("carillon_gateway_waiting_starts", more=2),
        Gauge("carillon_gateway_webhook_pending_events", more=2),
        Gauge("carillon_gateway_sessions", more=5, share=0.05),
        Gauge("carillon_gateway_rest_connections", more=5),
    ],
}


@dataclass(frozen=True)
class Point:
    """A measured value and its time."""

    minute: float
    value: float


Series = Sequence[Point]

_MOST_POINTS = 400
"""The maximum number of points for a slope. From a longer series, `slope` takes every n-th
point."""


def slope(series: Series) -> float:
    """Returns the Theil-Sen slope of a series per minute; 0 for a single point."""
    some = series[:: len(series) // _MOST_POINTS + 1]
    slopes = [
        (later.value - earlier.value) / (later.minute - earlier.minute)
        for earlier, later in itertools.combinations(some, 2)
        if later.minute > earlier.minute
    ]
    return statistics.median(slopes) if slopes else 0.0


def since(series: Series, share: float) -> list[Point]:
    """Returns the points of a series after a share of its time, such as 0.25."""
    first, last = series[0].minute, series[-1].minute
    return [point for point in series if point.minute >= first + share * (last - first)]


def level(series: Series, begin: float, end: float) -> float:
    """Returns the median of one part of a series, which has at least one point. `begin` and `end`
    are fractions of the length of the series."""
    first = min(int(begin * len(series)), len(series) - 1)
    return statistics.median(
        point.value for point in series[first : max(first + 1, int(end * len(series)))]
    )


def most_memory_slope(kilobytes: float) -> float:
    """Returns the permitted growth of a process of this size, in KB per minute."""
    return max(MEMORY_KB_PER_MINUTE, MEMORY_SHARE_PER_MINUTE * kilobytes)


@dataclass
class History:
    """The measurements of one process after the first quarter of the time."""

    name: str
    memory: Series
    """The anonymous memory of the process, in KB."""
    pss: Series
    descriptors: Series
    gauges: Sequence[tuple[Gauge, Series]]

    def faults(self) -> list[str]:
        """Returns the values that grew beyond their limits."""
        found = []
        rise, most = slope(self.memory), most_memory_slope(level(self.memory, 0, 0.1))
        if rise > most:
            found.append(f"its memory grows by {rise:.1f} KB a minute, of {most:.1f} at most")
        rise = slope(self.descriptors)
        if rise > DESCRIPTORS_PER_MINUTE:
            found.append(f"it has {rise:.2f} descriptors more each minute")
        for gauge, series in self.gauges:
            before, after = level(series, 0, 0.25), level(series, 0.75, 1)
            if after > gauge.most(before):
                found.append(f"{gauge.name} rises from {before:.0f} to {after:.0f}")
        return [f"{self.name}: {each}" for each in found]

    @property
    def row(self) -> str:
        memory, files = self.memory, self.descriptors
        first = level(memory, 0, 0.1)
        return (
            f"{self.name:16} {first / 1024:8.2f} {level(memory, 0.9, 1) / 1024:8.2f} "
            f"{slope(memory):+9.1f} {slope(since(memory, 0.5)):+9.1f} "
            f"{most_memory_slope(first):6.1f} {level(self.pss, 0.9, 1) / 1024:8.2f} "
            f"{level(files, 0, 0.1):6.0f} {level(files, 0.9, 1):6.0f} {slope(files):+8.3f}"
        )

    @property
    def gauge_rows(self) -> list[str]:
        return [
            f"{self.name:16} {gauge.name.removeprefix('carillon_'):40} "
            f"{level(series, 0, 0.25):8.0f} {level(series, 0.75, 1):8.0f} "
            f"{gauge.most(level(series, 0, 0.25)):8.0f} {slope(series):+9.2f} "
            f"{max(point.value for point in series):9.0f}"
            for gauge, series in self.gauges
        ]


def table(histories: Sequence[History]) -> str:
    """Returns a table of memory (in MB), of its slopes (in KB per minute) and of the gauges."""
    head = (
        f"{'':16} {'memory':>17} {'KB/min':>9} {'2nd half':>9} {'most':>6} {'Pss':>8} "
        f"{'descriptors':>13} {'a minute':>8}"
    )
    gauges = f"{'':57} {'first':>8} {'last':>8} {'most':>8} {'a minute':>9} {'largest':>9}"
    lines = [head, *(history.row for history in histories), "", gauges]
    return "\n".join(lines + [row for history in histories for row in history.gauge_rows])


# Measuring


class Recorder:
    """Measures every process of an installation, and keeps the values."""

    def __init__(self, cluster: Cluster) -> None:
        self._cluster = cluster
        self._begun = asyncio.get_running_loop().time()
        self._seen: dict[tuple[str, str], list[Point]] = {}

    @property
    def minutes(self) -> float:
        return (asyncio.get_running_loop().time() - self._begun) / 60

    async def record(self, minutes: float) -> None:
        """Records measurements for `minutes`. Fails if a process has ended or its metrics time
        out."""
        for number in itertools.count():
            due = self._begun + number * SAMPLE_SECONDS
            await asyncio.sleep(due - asyncio.get_running_loop().time())
            if self.minutes > minutes:
                return
            async with asyncio.timeout(30):
                await asyncio.gather(*(self._look(each) for each in self._cluster.processes))

    async def _look(self, process: Process) -> None:
        if not process.is_running:
            raise RuntimeError(f"{process.name} has ended")
        now = self.minutes
        place = Path(f"/proc/{process.pid}")
        fields = (line.split() for line in (place / "smaps_rollup").read_text().splitlines()[1:])
        sizes = {words[0]: float(words[1]) for words in fields}
        values = {
            "memory": sizes["Pss_Anon:"],
            "pss": sizes["Pss:"],
            "descriptors": float(sum(1 for _ in (place / "fd").iterdir())),
        }
        metrics = await self._cluster.metrics(process)
        values |= {gauge.name: metrics.sum(gauge.name) for gauge in gauges_of(process)}
        for what, value in values.items():
            self._seen.setdefault((process.name, what), []).append(Point(now, value))

    def last(self, what: str) -> float:
        """Returns the sum of the last values of all processes."""
        return sum(series[-1].value for (_, each), series in self._seen.items() if each == what)

    def histories(self) -> list[History]:
        """Returns the history of each process, without the first quarter."""

        def judged(process: Process, what: str) -> Series:
            return since(self._seen[process.name, what], 0.25)

        return [
            History(
                each.name,
                judged(each, "memory"),
                judged(each, "pss"),
                judged(each, "descriptors"),
                [(gauge, judged(each, gauge.name)) for gauge in gauges_of(each)],
            )
            for each in self._cluster.processes
        ]


def gauges_of(process: Process) -> list[Gauge]:
    return GAUGES[process.name[:-2]]


# Attendees


class SoakedMeeting(HeldMeeting):
    """A meeting in which guests join, leave and chat. The soak checks what Ada and Grace
    receive."""

    def __init__(self, cluster: Cluster, meeting: Meeting) -> None:
        super().__init__(cluster, meeting)
        self.guests: dict[str, carillon.Session] = {}
        self.chat: list[int] = []
        """The sequences of the guests' accepted messages."""
        self._chat_heard: dict[str, list[int]] = {}

    async def open(self, urls: Sequence[str]) -> None:
        await super().open(urls)
        for member in self.members:
            self._chat_heard[member.name] = []
            reading = self._read_chat(member.name, member.session.messages(CHAT))
            self._tasks.add(asyncio.create_task(reading))

    async def fill_windows(self, context: zmq.Context[Any]) -> None:
        """Fills the event windows: visitors join and leave, and Ada sends messages."""
        visits = -(-WINDOW_EVENTS // EVENTS_OF_VISIT // VISITORS)
        await asyncio.gather(
            self._fill_messages(),
            *(self._visit(number, visits, context) for number in range(VISITORS)),
        )

    async def _visit(self, number: int, visits: int, context: zmq.Context[Any]) -> None:
        credentials = await self._credentials(f"visitor-{number}")
        url = self.cluster.client_url(self.cluster.instances("gateway")[number % 2])
        for _ in range(visits):
            options = SessionOptions(gateway_url=url, context=context)
            async with carillon.join(self.meeting, credentials, options) as session:
                await session.mute()
        await self.cluster.control.delete_attendee(self.meeting, credentials.attendee_id)

    async def _fill_messages(self) -> None:
        session = self.members[0].session
        left = WINDOW_EVENTS
        while left:
            try:
                await session.send("window", f"{left} are left")
                left -= 1
            except ThrottledError:
                await asyncio.sleep(0.1)

    async def _read_chat(self, name: str, messages: MessageStream) -> None:
        async for message in messages:
            self._chat_heard[name].append(message.sequence)

    async def _hear(self, member: Member) -> None:
        """Keeps only the events of Ada and Grace, because guests leave."""
        async for event in member.session.events():
            if not isinstance(event, AttendeeEvent) or event.attendee.external_user_id in STAYING:
                member.events.append(event)

    async def violations(self) -> list[str]:
        """Returns the violations, after guests who dropped have left the roster."""
        self._names = STAYING | set(self.guests)
        for member in self.members:
            for _ in range(3):
                await _soon(partial(self._knows_all, member))
        found = [
            *(fault for name in self._chat_heard for fault in self._chat_faults(name)),
            *(fault for name, guest in self.guests.items() for fault in self._lacks(name, guest)),
        ]
        found = [f"{self.id[:8]}: {each}" for each in found]
        ada = self.members[0].session
        for name, guest in self.guests.items():
            if not await _soon(partial(_know_the_same, guest, ada)):
                found.append(f"{self.id[:8]}: {name} does not know what ada knows")
        return found + await super().violations()

    def _lacks(self, name: str, guest: carillon.Session) -> list[str]:
        return [] if guest.status is None else [f"{name} is out: {guest.status}"]

    def _chat_faults(self, name: str) -> list[str]:
        heard = self._chat_heard[name]
        found = []
        if lost := set(self.chat) - set(heard):
            found.append(f"{name} lacks {len(lost)} messages of guests: {sorted(lost)[:5]}")
        if heard != sorted(set(heard)):
            found.append(f"{name} hears guests twice, or out of order")
        return found


FATES = ("left", "was removed", "dropped", "came back and left")
"""The ways in which guests leave, in the words that the program prints."""


@dataclass
class Guest:
    """A guest in a seat, with the way in which the guest will leave."""

    name: str
    fate: str
    credentials: Credentials
    session: carillon.Session
    wire: Wire | None
    stack: AsyncExitStack


@dataclass
class Seat:
    """A seat for a guest in a meeting, at one gateway."""

    meeting: SoakedMeeting
    gateway: str
    guest: Guest | None = None
    is_busy: bool = False


@dataclass
class Outcome:
    """The result of a soak run."""

    came: int = 0
    went: Counter[str] = field(default_factory=Counter)
    """The number of guests who left, by how they left."""
    muted: int = 0
    sent: int = 0
    refused: int = 0
    slowest: float = 0.0
    """The largest delay of the clients' loop since the last report, in seconds."""
    histories: list[History] = field(default_factory=list)
    violations: list[str] = field(default_factory=list)

    @property
    def faults(self) -> list[str]:
        return self.violations + [each for one in self.histories for each in one.faults()]

    def __str__(self) -> str:
        went = ", ".join(f"{fate}: {count}" for fate, count in sorted(self.went.items()))
        lines = [
            table(self.histories),
            "",
            f"{self.came} guests came; who went {went or 'was nobody'}; {self.muted} mutes",
            f"{self.sent} messages were sent, {self.refused} of them refused",
        ]
        return "\n".join(lines + [f"    {fault}" for fault in self.faults[:40]])


class Crowd:
    """The guests of all meetings, who join, chat, mute and leave."""

    def __init__(
        self, cluster: Cluster, seats: Sequence[Seat], outcome: Outcome, seed: int
    ) -> None:
        self._cluster = cluster
        self._seats = seats
        self._outcome = outcome
        self._random = random.Random(seed)
        self._numbers = itertools.count()
        self._tasks: set[asyncio.Task[None]] = set()
        self._gone: deque[tuple[str, str]] = deque()
        self.context: zmq.Context[Any] = zmq.Context()
        self.context.max_sockets = 8 * len(seats) + 1_024

    async def fill(self) -> None:
        turns = asyncio.Semaphore(ARRIVING_AT_ONCE)

        async def come(seat: Seat) -> None:
            async with turns:
                await self._come(seat)

        await asyncio.gather(*(come(seat) for seat in self._seats))

    async def act(
        self, action: Callable[[Seat], Awaitable[None]], rate: float, seconds: float
    ) -> None:
        """Makes guests act `rate` times per second, each guest in one action at a time."""
        loop = asyncio.get_running_loop()
        begun = loop.time()
        for number in range(1, int(seconds * rate) + 1):
            due = begun + number / rate
            await asyncio.sleep(max(0.0, due - loop.time()))
            self._outcome.slowest = max(self._outcome.slowest, loop.time() - due)
            free = [seat for seat in self._seats if not seat.is_busy]
            if free:
                seat = self._random.choice(free)
                seat.is_busy = True
                task = asyncio.create_task(self._do(action, seat))
                self._tasks.add(task)
                task.add_done_callback(self._tasks.discard)

    async def end(self) -> None:
        """Waits until all actions of the guests have ended."""
        async with asyncio.timeout(60):
            await asyncio.gather(*self._tasks)

    async def close(self) -> None:
        for task in self._tasks:
            task.cancel()
        guests = [seat.guest for seat in self._seats if seat.guest is not None]
        await asyncio.gather(*(guest.stack.aclose() for guest in guests), return_exceptions=True)
        self.context.destroy(linger=0)

    async def _do(self, action: Callable[[Seat], Awaitable[None]], seat: Seat) -> None:
        try:
            await action(seat)
        except (CarillonError, TimeoutError) as error:
            name = seat.guest.name if seat.guest else "a newcomer"
            self._wrong(seat, f"{name}: {error!r}")
        finally:
            seat.is_busy = False

    def _wrong(self, seat: Seat, what: str) -> None:
        self._outcome.violations.append(f"{seat.meeting.id[:8]}: {what}")

    # Actions of guests

    async def replace(self, seat: Seat) -> None:
        """Replaces the guest of a seat by a new one."""
        if seat.guest is not None:
            await self._go(seat, seat.guest)
        await self._come(seat)

    async def mute(self, seat: Seat) -> None:
        if (guest := seat.guest) is not None:
            session = guest.session
            is_muted = session.roster[session.attendee_id].is_muted
            await (session.unmute() if is_muted else session.mute())
            self._outcome.muted += 1

    async def chat(self, seat: Seat) -> None:
        """Sends a message. The server keeps half of the messages for a minute for late joiners."""
        if (guest := seat.guest) is not None:
            self._outcome.sent += 1
            lifetime = self._random.choice((0, 60_000))
            accepted = await guest.session.send(CHAT, f"{guest.name} is here", lifetime)
            seat.meeting.chat.append(accepted.sequence)

    async def _come(self, seat: Seat) -> None:
        name = f"guest-{next(self._numbers)}"
        fate = self._random.choice(FATES)
        credentials = await self._cluster.control.create_attendee(seat.meeting.meeting, name)
        stack = AsyncExitStack()
        try:
            url, wire = self._cluster.client_url(seat.gateway), None
            if fate in ("dropped", "came back and left"):
                path = self._cluster.directory / f"{name}.wire"
                stack.callback(path.unlink, missing_ok=True)
                target = self._cluster.run / f"{seat.gateway}.client.sock"
                wire = await stack.enter_async_context(Wire(path, target))
                url = wire.url
            options = SessionOptions(
                gateway_url=url,
                is_muted=self._random.random() < 0.5,
                reconnect_seconds=0.0 if fate == "dropped" else 30.0,
                context=self.context,
            )
            session = carillon.join(seat.meeting.meeting, credentials, options)
            topic = self._random.choice((CHAT, TOPIC, None))
            messages, events = session.messages(topic), session.events()
            await stack.enter_async_context(session)
            following = asyncio.create_task(self._follow(seat, name, messages, events))
            stack.callback(following.cancel)
        except BaseException:
            await stack.aclose()
            raise
        seat.guest = Guest(name, fate, credentials, session, wire, stack)
        seat.meeting.guests[name] = session
        self._outcome.came += 1

    async def _follow(
        self, seat: Seat, name: str, messages: MessageStream, events: carillon.EventStream
    ) -> None:
        try:
            await asyncio.gather(self._read(seat, name, messages), self._watch(seat, name, events))
        except CarillonError as error:
            self._wrong(seat, f"{name} cannot read on: {error!r}")

    async def _read(self, seat: Seat, name: str, messages: MessageStream) -> None:
        last = 0
        async for message in messages:
            if message.sequence <= last:
                self._wrong(seat, f"{name} hears {message.sequence} behind {last}")
            last = message.sequence

    async def _watch(self, seat: Seat, name: str, events: carillon.EventStream) -> None:
        async for event in events:
            if isinstance(event, Reconnected) and not event.has_all_messages:
                self._wrong(seat, f"{name} came back to {event!r}")
            if isinstance(event, StreamGap):
                self._wrong(seat, f"{name} lacks something: {event!r}")

    async def _go(self, seat: Seat, guest: Guest) -> None:
        seat.guest = None
        meeting = seat.meeting.meeting
        try:
            async with asyncio.timeout(60):
                if guest.fate == "was removed":
                    await self._cluster.control.delete_attendee(
                        meeting, guest.credentials.attendee_id
                    )
                    await self._is_over(guest)
                elif guest.fate == "dropped":
                    assert guest.wire is not None
                    guest.wire.cut()
                    await self._is_over(guest)
                elif guest.fate == "came back and left":
                    assert guest.wire is not None
                    events = guest.session.events()
                    guest.wire.cut()
                    guest.wire.mend()
                    if not await self._is_back(events):
                        self._wrong(seat, f"{guest.name} is out: {guest.session.status}")
        finally:
            await guest.stack.aclose()
            del seat.meeting.guests[guest.name]
        self._outcome.went[guest.fate] += 1
        if guest.fate != "was removed":
            self._gone.append((meeting.meeting_id, guest.credentials.attendee_id))
        if len(self._gone) > REMEMBERED:
            await self._cluster.control.delete_attendee(*self._gone.popleft())

    async def _is_over(self, guest: Guest) -> None:
        while guest.session.status is None:
            await asyncio.sleep(0.05)

    async def _is_back(self, events: carillon.EventStream) -> bool:
        async for event in events:
            if isinstance(event, Reconnected):
                return True
        return False


# The run


class SoakCluster(Cluster):
    """A cluster with a long keep-alive interval, because its clients may be slow at times."""

    def _process(
        self,
        service: str,
        flags: Sequence[str | Path | float],
        more: Sequence[str],
        letter: str = "a",
    ) -> Process:
        patience = ("--keep-alive-ms", f"{KEEP_ALIVE_MS}") if service == "gateway" else ()
        return super()._process(service, flags, [*more, *patience], letter)


async def probe(held: Sequence[SoakedMeeting], outcome: Outcome, seed: int, seconds: float) -> None:
    """Checks repeatedly whether a random service works in a random meeting."""
    numbers = random.Random(seed)
    loop = asyncio.get_running_loop()
    end = loop.time() + seconds
    while loop.time() < end:
        each, service = numbers.choice(held), numbers.choice(OWNERS)
        try:
            async with asyncio.timeout(30):
                await each.is_right(service)
        except TimeoutError:
            outcome.violations.append(f"{each.id[:8]}: {service} does not work for 30 s")
        await asyncio.sleep(1)


async def report(recorder: Recorder, crowd: Outcome, held: Sequence[SoakedMeeting]) -> None:
    """Prints the state once a minute, until cancelled."""
    for minute in itertools.count(1):
        await asyncio.sleep(max(0.0, minute - recorder.minutes) * 60)
        talked = sum(each.tally[0] for each in held)
        print(
            f"minute {minute}: {sum(len(each.guests) + len(STAYING) for each in held)} are there, "
            f"{crowd.came} guests came, {sum(crowd.went.values())} went; "
            f"{talked + crowd.sent} messages, {len(crowd.violations)} violations; "
            f"{recorder.last('memory') / 1024:.1f} MB, {recorder.last('descriptors'):.0f} "
            f"descriptors; {crowd.slowest:.2f} s late at most",
            flush=True,
        )
        crowd.slowest = 0.0


@dataclass(frozen=True)
class Load:
    """The load of a soak run."""

    minutes: float
    attendees: int
    meetings: int
    churn: float
    """The number of guests who leave per second. The same number of guests join."""
    rate: float
    """The messages per second; a quarter of them are from guests."""
    mutes: float
    seed: int


async def play(load: Load) -> Outcome:
    outcome = Outcome()
    seconds = load.minutes * 60
    async with SoakCluster() as cluster:
        gateways = cluster.instances("gateway")
        urls = [cluster.client_url(gateway) for gateway in gateways]
        held = [
            SoakedMeeting(cluster, await cluster.control.create_meeting("soak"))
            for _ in range(load.meetings)
        ]
        guests = max(0, load.attendees - len(STAYING) * load.meetings)
        seats = [
            Seat(held[index % len(held)], gateways[index // len(held) % len(gateways)])
            for index in range(guests)
        ]
        crowd = Crowd(cluster, seats, outcome, load.seed)
        background: list[asyncio.Task[None]] = []
        try:
            for each in held:
                await each.open(urls)
            await asyncio.gather(*(each.fill_windows(crowd.context) for each in held))
            await crowd.fill()
            recorder = Recorder(cluster)
            interval = load.meetings / (load.rate * 0.75)
            background += [asyncio.create_task(each.talk(interval)) for each in held]
            reporting = asyncio.create_task(report(recorder, outcome, held))
            background.append(reporting)
            async with asyncio.TaskGroup() as group:
                for work in (
                    recorder.record(load.minutes),
                    crowd.act(crowd.replace, load.churn, seconds),
                    crowd.act(crowd.mute, load.mutes, seconds),
                    crowd.act(crowd.chat, load.rate / 4, seconds),
                    probe(held, outcome, load.seed, seconds),
                ):
                    group.create_task(work)
            outcome.histories = recorder.histories()
            await crowd.end()
            await _settle(held, background, outcome)
        except TimeoutError:
            outcome.violations.append("not right in time after it")
        finally:
            for task in background:
                task.cancel()
            for each in held:
                sent, refused = each.tally
                outcome.sent += sent
                outcome.refused += refused
            await crowd.close()
            await asyncio.gather(*(each.close() for each in held), return_exceptions=True)
        if outcome.violations:
            for process in cluster.processes:
                print(f"== {process.name}\n{process.log[-3000:]}", file=sys.stderr)
    return outcome


async def _settle(
    held: Sequence[SoakedMeeting], background: Sequence[asyncio.Task[None]], outcome: Outcome
) -> None:
    """Checks after the churn that everything works, and collects the violations."""
    async with asyncio.timeout(120):
        await asyncio.gather(*(each.is_right(service) for each in held for service in OWNERS))
    for task in background:
        task.cancel()
    async with asyncio.timeout(300):
        for found in await asyncio.gather(*(each.violations() for each in held)):
            outcome.violations += found


async def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--minutes", type=float, default=20.0)
    parser.add_argument("--attendees", type=int, default=500)
    parser.add_argument("--meetings", type=int, default=0, help="one for 25 attendees by default")
    parser.add_argument("--churn", type=float, default=3.0, help="guests a second who make room")
    parser.add_argument("--rate", type=float, default=40.0, help="messages a second")
    parser.add_argument("--mutes", type=float, default=2.0, help="guests a second who mute")
    parser.add_argument("--seed", type=int, default=1)
    flags = parser.parse_args()
    meetings = flags.meetings or max(1, flags.attendees // 25)
    load = Load(
        minutes=flags.minutes,
        attendees=flags.attendees,
        meetings=meetings,
        churn=flags.churn,
        rate=flags.rate,
        mutes=flags.mutes,
        seed=flags.seed,
    )
    outcome = await play(load)
    print(outcome)
    return 1 if outcome.faults else 0


if __name__ == "__main__":
    sys.exit(asyncio.run(main()))
