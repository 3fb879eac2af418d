"""A meeting that runs during faults, with its members, their events, and the violations."""

from __future__ import annotations

import asyncio
import itertools
from collections.abc import Callable, Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass, field
from functools import partial

import carillon
from carillon import (
    CarillonError,
    Credentials,
    Dropped,
    Event,
    Left,
    Meeting,
    SessionOptions,
    SourceUnavailable,
    StatusCode,
    VideoEvent,
    VideoLayer,
)
from carillon.dealer import Dealer, DealerOptions
from carillon.endpoint import Endpoint
from carillon.media import MediaMoved
from carillon.messages import MessageStream
from cluster import Cluster
from eventually import eventually

TOPIC = "history"
LAYERS = [VideoLayer(320, 180, 15, 200_000)]


@dataclass
class Sent:
    """A message and the answer to its sender."""

    text: str
    sequence: int | None = None
    error: CarillonError | None = None


@dataclass
class Member:
    """An attendee of a `HeldMeeting`, with the events that the attendee received."""

    name: str
    session: carillon.Session
    events: list[Event] = field(default_factory=list)
    video_events: list[VideoEvent] = field(default_factory=list)
    texts: list[str] = field(default_factory=list)
    moved: MediaMoved | None = None


class HeldMeeting:
    """A meeting of two attendees, each at its own gateway. Both show a camera, send messages and
    mute."""

    def __init__(self, cluster: Cluster, meeting: Meeting) -> None:
        self.cluster = cluster
        self.meeting = meeting
        self.members: list[Member] = []
        self.stated = {StatusCode.UNAVAILABLE, StatusCode.DEADLINE_EXCEEDED}
        """The status codes with which the server may reject a message."""
        self.sent: dict[str, list[Sent]] = {}
        self._numbers = itertools.count()
        self._stack = AsyncExitStack()
        self._tasks: set[asyncio.Task[None]] = set()
        self._calls: set[asyncio.Task[None]] = set()
        self._names = {"ada", "grace"}

    @property
    def id(self) -> str:
        return self.meeting.meeting_id

    async def open(self, urls: Sequence[str]) -> None:
        for name, url in zip(("ada", "grace"), urls, strict=True):
            await self._enter(name, url)
        await self.members[0].session.video.publish(LAYERS)

    async def _credentials(self, name: str) -> Credentials:
        return await self.cluster.control.create_attendee(self.meeting, name)

    async def _enter(self, name: str, url: str) -> None:
        options = SessionOptions(gateway_url=url, event_limit=100_000, message_limit=100_000)
        session = carillon.join(self.meeting, await self._credentials(name), options)
        messages = session.messages(TOPIC)
        await self._stack.enter_async_context(session)
        member = Member(name, session)
        self.members.append(member)
        self.sent[name] = []
        for work in (
            self._hear(member),
            self._watch(member),
            self._read(member, messages),
            self._follow(member),
        ):
            self._tasks.add(asyncio.create_task(work))

    @property
    def tally(self) -> tuple[int, int]:
        """The number of sent messages, and the number of rejected ones among them."""
        sent = [sent for sents in self.sent.values() for sent in sents]
        return len(sent), sum(each.error is not None for each in sent)

    async def close(self) -> None:
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, *self._calls, return_exceptions=True)
        await self._stack.aclose()

    # Receiving

    async def _hear(self, member: Member) -> None:
        async for event in member.session.events():
            member.events.append(event)

    async def _watch(self, member: Member) -> None:
        async for event in member.session.video.events():
            member.video_events.append(event)

    async def _read(self, member: Member, messages: MessageStream) -> None:
        async for message in messages:
            member.texts.append(message.data.decode())

    async def _follow(self, member: Member) -> None:
        async for event in member.session.media.events():
            if isinstance(event, MediaMoved):
                member.moved = event

    # Sending

    async def talk(self, interval: float) -> None:
        """Sends messages, by one member after the other, until cancelled."""
        for member in itertools.cycle(self.members):
            self.say(member)
            await asyncio.sleep(interval)

    def say(self, member: Member) -> Sent:
        sent = Sent(f"{member.name}-{next(self._numbers)}")
        self.sent[member.name].append(sent)
        call = asyncio.create_task(self._send(member, sent))
        self._calls.add(call)
        call.add_done_callback(self._calls.discard)
        return sent

    async def _send(self, member: Member, sent: Sent) -> None:
        try:
            sent.sequence = (await member.session.send(TOPIC, sent.text, 60_000)).sequence
        except CarillonError as error:
            sent.error = error

    # Checking

    async def is_right(self, service: str) -> None:
        """Waits until the features of a service work, in both directions."""
        ada, grace = self.members
        for one, other in ((ada, grace), (grace, ada)):
            if service in ("presence", "gateway"):
                await self._mute_is_heard(one, other)
            if service in ("messaging", "gateway"):
                await self._message_is_heard(one, other)
            if service in ("media", "gateway"):
                await self._ticket_is_taken(one)
        if service in ("video-tiles", "gateway"):
            await self._camera_is_seen(grace, ada)

    async def _mute_is_heard(self, one: Member, other: Member) -> None:
        attendee = one.session.attendee_id
        wanted = not one.session.roster[attendee].is_muted
        await _as_often_as_needed(one.session.mute if wanted else one.session.unmute)
        await _told(
            f"{one.name}'s {'mute' if wanted else 'unmute'} to {other.name}",
            lambda: other.session.roster[attendee].is_muted == wanted,
        )

    async def _message_is_heard(self, one: Member, other: Member) -> None:
        while True:
            sent = self.say(one)
            await _told(
                f"the answer to {sent.text}",
                lambda sent=sent: sent.sequence is not None or sent.error is not None,  # type: ignore[misc]
            )
            if sent.error is None:
                break
        await _told(f"{sent.text} to {other.name}", lambda: sent.text in other.texts[-200:])

    async def _camera_is_seen(self, one: Member, other: Member) -> None:
        attendee = one.session.attendee_id
        await _as_often_as_needed(lambda: one.session.video.publish(LAYERS))
        sources = other.session.video
        await _told(f"{one.name}'s camera to {other.name}", lambda: attendee in sources.sources)
        await _as_often_as_needed(one.session.video.unpublish)
        await _told(
            f"the end of {one.name}'s camera to {other.name}",
            lambda: attendee not in sources.sources,
        )

    async def _ticket_is_taken(self, member: Member) -> None:
        """Waits until media echoes the member's last ticket."""
        while True:
            if (moved := member.moved) is not None:
                news = asyncio.Event()
                dealer = Dealer(
                    DealerOptions(maximum_message_bytes=1 << 16, linger_ms=0, reconnects=False),
                    context=None,
                    on_message=lambda frames, news=news: news.set(),  # type: ignore[misc]
                    on_connected=lambda: None,
                    on_lost=lambda: None,
                )
                try:
                    dealer.connect(Endpoint.parse(moved.endpoint))
                    async with asyncio.timeout(0.3):
                        while not news.is_set():
                            dealer.send([moved.ticket])
                            await asyncio.sleep(0.02)
                    return
                except TimeoutError:
                    pass
                finally:
                    dealer.close()
            await asyncio.sleep(0.02)

    # Violations

    async def violations(self) -> list[str]:
        """Returns the wrong and missing events and messages, after all calls have ended."""
        found: list[str] = []
        await asyncio.gather(*self._calls, return_exceptions=True)
        ada, grace = self.members
        for one, other in ((ada, grace), (grace, ada)):
            await self._message_is_heard(one, other)
            found += self._wrong_messages(one.name, other)
            for event in other.events:
                if isinstance(event, Left | Dropped):
                    found.append(f"{other.name} hears {event!r}")
            if not await _soon(partial(self._knows_all, other)):
                found.append(f"{other.name} knows {_names(other)}")
        lost = [
            event
            for event in grace.video_events
            if isinstance(event, SourceUnavailable)
            and event.source.attendee_id == ada.session.attendee_id
        ]
        if lost:
            found.append(f"{len(lost)} times ada's camera was gone")
        return [f"{self.id[:8]}: {each}" for each in found] + await self._differences()

    def _knows_all(self, member: Member) -> bool:
        return _names(member) == self._names

    def _wrong_messages(self, sender: str, listener: Member) -> list[str]:
        heard = [text for text in listener.texts if text.startswith(sender)]
        found = []
        accepted = [sent for sent in self.sent[sender] if sent.sequence is not None]
        if lost := [sent.text for sent in accepted if sent.text not in heard]:
            found.append(f"{listener.name} lacks {len(lost)} acknowledged messages: {lost[:5]}")
        if len(set(heard)) != len(heard):
            found.append(f"{listener.name} hears {len(heard) - len(set(heard))} messages twice")
        order = sorted(accepted, key=lambda sent: sent.sequence or 0)
        if [sent.text for sent in order] != [
            text for text in heard if text in {sent.text for sent in accepted}
        ]:
            found.append(f"{listener.name} hears {sender}'s messages out of order")
        sequences = [sent.sequence for sent in accepted]
        if len(set(sequences)) != len(sequences):
            found.append("two messages have one place")
        refused = {
            sent.error.status_code for sent in self.sent[sender] if sent.error is not None
        } - self.stated
        if refused:
            found.append(f"messages are refused with {refused}")
        return found

    async def _differences(self) -> list[str]:
        """Returns the differences between each member's roster and that of a new attendee."""
        found = []
        gateway = self.cluster.instances("gateway")[0]
        options = SessionOptions(gateway_url=self.cluster.client_url(gateway))
        async with carillon.join(self.meeting, await self._credentials("eve"), options) as eve:
            for member in self.members:
                await _told(
                    f"eve to {member.name}",
                    lambda member=member: eve.attendee_id in member.session.roster,  # type: ignore[misc]
                )
                await _soon(partial(_know_the_same, member.session, eve))
                theirs, owners = _known(member.session), _known(eve)
                if theirs != owners:
                    found.append(f"{self.id[:8]}: {member.name} knows {theirs}, not {owners}")
                if set(eve.video.sources) != {self.members[0].session.attendee_id}:
                    found.append(f"{self.id[:8]}: the owner's sources are {set(eve.video.sources)}")
        return found


def _names(member: Member) -> set[str]:
    return {each.external_user_id for each in member.session.roster.values()}


def _known(session: carillon.Session) -> dict[str, tuple[str, bool]]:
    """Returns the names and mute states in a session's roster, by id."""
    return {key: (each.external_user_id, each.is_muted) for key, each in session.roster.items()}


def _know_the_same(one: carillon.Session, other: carillon.Session) -> bool:
    return _known(one) == _known(other)


# This limit only keeps a call from hanging. The programs that use this module check the durations.
_TOLD_SECONDS = 300.0


async def _told(what: str, condition: Callable[[], bool]) -> None:
    """Waits until a client has received what `condition` looks for."""
    await eventually(what, condition, within=_TOLD_SECONDS, every=0.01)


async def _soon(condition: Callable[[], bool]) -> bool:
    """Returns whether a condition becomes true within twenty seconds. A client may be reconnecting.
    A client that does not reconnect is dropped after at most ten seconds."""
    for _ in range(2_000):
        if condition():
            return True
        await asyncio.sleep(0.01)
    return False


async def _as_often_as_needed(call) -> None:  # type: ignore[no-untyped-def]
    """Repeats a call while it fails with a temporary error."""
    while True:
        try:
            await call()
            return
        except CarillonError as error:
            if error.status_code not in (
                StatusCode.UNAVAILABLE,
                StatusCode.DEADLINE_EXCEEDED,
                StatusCode.ABORTED,
                StatusCode.CANCELLED,
            ):
                raise
            await asyncio.sleep(0.02)
