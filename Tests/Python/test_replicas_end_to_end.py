"""Replicas and promotion, with real processes."""

from __future__ import annotations

import asyncio
import contextlib
import json
from asyncio.subprocess import DEVNULL, PIPE
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from typing import Any

import pytest

import carillon
from carillon import (
    CarillonError,
    Credentials,
    DataMessage,
    Demoted,
    Event,
    Joined,
    Left,
    Meeting,
    Reconnected,
    SessionOptions,
    SessionStatus,
    StatusCode,
    StatusReason,
    VideoCodec,
    VideoLayer,
)
from eventually import due
from installation import Installation, Wire
from test_cli_messages import CARILLON, ENVIRONMENT, Tail

TOPIC = "chat"
LAYERS = [VideoLayer(320, 180, 15, 150_000, VideoCodec.VP8)]


class Listener:
    """A session, with all its events and messages so far."""

    def __init__(self, name: str, session: carillon.Session) -> None:
        self.name = name
        self.session = session
        self.heard: list[Event] = []
        self.read: list[DataMessage] = []
        self._news = asyncio.Condition()
        self._tasks = [asyncio.create_task(self._listen()), asyncio.create_task(self._read())]

    async def _listen(self) -> None:
        async for event in self.session.events():
            async with self._news:
                self.heard.append(event)
                self._news.notify_all()

    async def _read(self) -> None:
        async for message in self.session.messages(TOPIC):
            async with self._news:
                self.read.append(message)
                self._news.notify_all()

    async def sees(self, *names: str) -> None:
        async with due(f"a roster of {names}"), self._news:
            await self._news.wait_for(lambda: self.roster == set(names))

    async def reads(self, text: str) -> DataMessage:
        async with due(text), self._news:
            await self._news.wait_for(lambda: text in self.texts)
        return next(each for each in self.read if each.text() == text)

    async def hears(self, kind: type[Event], times: int = 1) -> None:
        async with due(f"{times} of {kind.__name__}"), self._news:
            await self._news.wait_for(lambda: len(self.all_of(kind)) >= times)

    def all_of(self, kind: type[Event]) -> list[Event]:
        return [event for event in self.heard if isinstance(event, kind)]

    @property
    def texts(self) -> list[str]:
        return [message.text() or "" for message in self.read]

    @property
    def roster(self) -> set[str]:
        return {attendee.external_user_id for attendee in self.session.roster.values()}

    @property
    def demoted(self) -> list[Demoted]:
        return [event for event in self.heard if isinstance(event, Demoted)]


class Audience:
    """A primary meeting with ada and ben, and two replicas with two attendees each."""

    def __init__(self, installation: Installation, primary: Meeting) -> None:
        self.installation = installation
        self.primary = primary
        self.replicas: list[Meeting] = []
        self.inside: list[Listener] = []
        self.watching: list[Listener] = []
        self._sessions = AsyncExitStack()

    async def __aenter__(self) -> Audience:
        control = self.installation.control
        for name in ("one", "two"):
            replica = await control.create_meeting(name, primary_meeting_id=self.primary.meeting_id)
            self.replicas.append(replica)
        self.inside = [await self.enter(self.primary, name) for name in ("ada", "ben")]
        self.watching = [
            await self.enter(replica, f"{name}-{number}")
            for number, replica in enumerate(self.replicas, 1)
            for name in ("eve", "mia")
        ]
        for listener in self.everybody:
            await listener.sees("ada", "ben")
        return self

    async def __aexit__(self, *_: object) -> None:
        await self._sessions.aclose()

    @property
    def everybody(self) -> list[Listener]:
        return [*self.inside, *self.watching]

    async def create(self, meeting: Meeting, name: str) -> Credentials:
        return await self.installation.control.create_attendee(meeting, name)

    async def enter(
        self, meeting: Meeting, name: str, options: SessionOptions = SessionOptions()
    ) -> Listener:
        credentials = await self.create(meeting, name)
        session = carillon.join(meeting, credentials, options)
        listener = Listener(name, session)
        await self._sessions.enter_async_context(session)
        return listener

    async def guest(self, name: str = "guest") -> Credentials:
        """Creates an attendee of the primary meeting for a promotion."""
        return await self.create(self.primary, name)


@asynccontextmanager
async def audience(*, seats: int = 250) -> AsyncIterator[Audience]:
    """Opens an audience whose meetings have `seats` seats. The test may create more attendees."""
    async with Installation(presence=("--max-attendees", str(seats))) as installation:
        primary = await installation.control.create_meeting("stage")
        async with Audience(installation, primary) as made:
            yield made


async def refusal(listener: Listener, credentials: Credentials) -> SessionStatus:
    with pytest.raises(CarillonError) as refused:
        await listener.session.promote(credentials)
    assert listener.session.promoted_as is None
    return refused.value.session_status


async def test_an_audience_sees_its_primary_and_the_primary_does_not_see_the_audience() -> None:
    async with audience() as made:
        ada, eve = made.inside[0], made.watching[0]
        assert eve.session.is_replica and not ada.session.is_replica
        assert eve.session.primary_meeting_id == made.primary.meeting_id
        for listener in made.everybody:
            assert listener.roster == {"ada", "ben"}, listener.name
        with pytest.raises(CarillonError) as refused:
            await eve.session.send(TOPIC, "can you hear me?")
        assert refused.value.status_code is StatusCode.FAILED_PRECONDITION
        await ada.session.send(TOPIC, "welcome")
        for listener in [made.inside[1], *made.watching]:
            message = await listener.reads("welcome")
            assert message.sender.attendee_id == ada.session.attendee_id
            assert listener.texts == ["welcome"], listener.name
        # No service reports joins and leaves in a replica to other attendees.
        late = await made.enter(made.replicas[0], "late")
        await late.sees("ada", "ben")
        await late.session.leave()
        await made.inside[1].session.leave()
        for listener in [ada, *made.watching]:
            await listener.sees("ada")
            assert {event.attendee.external_user_id for event in joins(listener)} == {"ada", "ben"}


def joins(listener: Listener) -> list[Joined]:
    return [event for event in listener.heard if isinstance(event, Joined)]


async def test_a_promoted_attendee_is_in_the_primary_until_the_client_requests_a_demotion() -> None:
    async with audience() as made:
        eve = made.watching[0]
        guest = await made.guest()
        promoted = await eve.session.promote(guest)
        assert promoted.attendee_id == guest.attendee_id
        assert eve.session.promoted_as == promoted
        for listener in made.everybody:
            await listener.sees("ada", "ben", "guest")
            assert guest.attendee_id in listener.session.roster, listener.name
        await eve.session.send(TOPIC, "a question")
        for listener in made.everybody:
            if listener is eve:
                continue
            message = await listener.reads("a question")
            assert message.sender.attendee_id == guest.attendee_id, listener.name
            assert message.sender.external_user_id == "guest"
        await eve.session.mute()
        for listener in made.everybody:
            await listener.hears(carillon.Muted)
        assert await eve.session.demote()
        for listener in made.everybody:
            await listener.sees("ada", "ben")
            await listener.hears(Left)
        with pytest.raises(CarillonError) as refused:
            await eve.session.send(TOPIC, "another question")
        assert refused.value.status_code is StatusCode.FAILED_PRECONDITION
        assert not await eve.session.demote()
        assert eve.demoted == []
        # An application can use the same credentials again.
        await eve.session.promote(guest)
        for listener in made.everybody:
            await listener.sees("ada", "ben", "guest")


async def test_a_promoted_attendee_is_visible_until_it_is_demoted() -> None:
    async with audience() as made:
        ada, eve, mia = made.inside[0].session, made.watching[0].session, made.watching[2].session
        guest = await made.guest()
        with pytest.raises(CarillonError) as refused:
            await eve.video.publish(LAYERS)
        assert refused.value.status_code is StatusCode.FAILED_PRECONDITION
        await eve.promote(guest)
        await eve.video.publish(LAYERS)
        content = Credentials(f"{guest.attendee_id}#content", guest.join_token, "guest")
        async with carillon.join(made.primary, content) as share:
            await share.video.publish(LAYERS)
            both = {guest.attendee_id, content.attendee_id}
            for session in (ada, mia):
                await sources_become(session, both)
            assert not eve.video.sources
            await eve.demote()
            assert eve.video.published is None
            for session in (ada, mia):
                await sources_become(session, {content.attendee_id})
        for session in (ada, mia):
            await sources_become(session, set())


async def sources_become(session: carillon.Session, participants: set[str]) -> None:
    async with due(f"the video of {participants}"):
        async for _ in with_itself(session.video.events()):
            if set(session.video.sources) == participants:
                return


async def with_itself(events: carillon.VideoStream) -> AsyncIterator[carillon.VideoEvent | None]:
    """Yields `None` first, and then the events."""
    yield None
    async for event in events:
        yield event


async def test_a_promotion_ends_when_the_promoted_attendee_is_deleted() -> None:
    async with audience() as made:
        eve = made.watching[2]
        guest = await made.guest()
        await eve.session.promote(guest)
        for listener in made.everybody:
            await listener.sees("ada", "ben", "guest")
        await made.installation.control.delete_attendee(made.primary, guest.attendee_id)
        await eve.hears(Demoted)
        for listener in made.everybody:
            await listener.sees("ada", "ben")
        status = SessionStatus.AUDIO_AUTHENTICATION_REJECTED
        assert [each.status.session_status for each in eve.demoted] == [status]
        assert eve.demoted[0].attendee.attendee_id == guest.attendee_id
        assert eve.session.promoted_as is None and eve.session.status is None
        assert await refusal(eve, guest) is status
        await made.inside[0].session.send(TOPIC, "still there?")
        await eve.reads("still there?")
        assert len(eve.demoted) == 1


async def test_a_lost_connection_ends_a_promotion_but_not_the_session() -> None:
    async with audience() as made:
        path = made.installation.directory / "wire.sock"
        async with Wire(path, made.installation.client_socket) as wire:
            liz = await made.enter(made.replicas[1], "liz", SessionOptions(gateway_url=wire.url))
            guest = await made.guest()
            await liz.session.promote(guest)
            for listener in made.everybody:
                await listener.sees("ada", "ben", "guest")
            wire.cut()
            await liz.hears(carillon.Reconnecting)
            wire.mend()
            await liz.hears(Demoted)
            kinds = [type(event) for event in liz.heard]
            assert kinds.index(Reconnected) < kinds.index(Demoted)
            status = SessionStatus.AUDIO_INTERNAL_SERVER_ERROR
            assert [each.status.session_status for each in liz.demoted] == [status]
            for listener in [liz, *made.everybody]:
                await listener.sees("ada", "ben")
            await liz.session.promote(guest)
            for listener in [liz, *made.everybody]:
                await listener.sees("ada", "ben", "guest")
            await liz.session.leave()
            for listener in made.everybody:
                await listener.sees("ada", "ben")


async def test_only_credentials_of_the_primary_permit_a_promotion() -> None:
    async with audience() as made:
        ada, eve = made.inside[0], made.watching[0]
        guest = await made.guest()
        rejected = SessionStatus.AUDIO_AUTHENTICATION_REJECTED
        wrong = Credentials(guest.attendee_id, "wrong", "guest")
        assert await refusal(eve, wrong) is rejected
        assert await refusal(eve, Credentials(guest.attendee_id, guest.join_token, "x")) is rejected
        assert await refusal(eve, await made.create(made.replicas[0], "other")) is rejected
        assert await refusal(ada, guest) is rejected
        for listener in made.everybody:
            assert listener.roster == {"ada", "ben"}
        await eve.session.promote(guest)
        for listener in made.everybody:
            await listener.sees("ada", "ben", "guest")


async def test_a_full_primary_accepts_no_promotion() -> None:
    async with audience(seats=2) as made:
        eve = made.watching[0]
        guest = await made.guest()
        assert await refusal(eve, guest) is SessionStatus.AUDIO_CALL_AT_CAPACITY
        await made.inside[1].session.leave()
        await made.inside[0].sees("ada")
        await eve.session.promote(guest)
        for listener in [made.inside[0], *made.watching]:
            await listener.sees("ada", "guest")
        # A rejected promotion must not succeed later, after the end of another promotion.
        assert await eve.session.demote()
        await made.inside[0].sees("ada")


async def test_a_repeated_promotion_gets_the_same_answer_and_a_new_one_replaces_the_old() -> None:
    async with audience() as made:
        eve, mia = made.watching[:2]
        guest, other = await made.guest(), await made.guest("other")
        first = await eve.session.promote(guest)
        assert await eve.session.promote(guest) == first
        for listener in made.everybody:
            await listener.sees("ada", "ben", "guest")
        second = await eve.session.promote(other)
        assert second.attendee_id == other.attendee_id
        for listener in made.everybody:
            await listener.sees("ada", "ben", "other")
        await mia.session.promote(guest)
        for listener in made.everybody:
            await listener.sees("ada", "ben", "other", "guest")
        assert eve.demoted == [] and mia.demoted == []


async def test_a_second_promotion_to_the_same_attendee_ends_the_first_promotion() -> None:
    async with audience() as made:
        eve, mia = made.watching[0], made.watching[3]
        guest = await made.guest()
        await eve.session.promote(guest)
        await made.inside[0].sees("ada", "ben", "guest")
        await mia.session.promote(guest)
        await eve.hears(Demoted)
        status = SessionStatus.AUDIO_INTERNAL_SERVER_ERROR
        assert [each.status.session_status for each in eve.demoted] == [status]
        for listener in made.everybody:
            await listener.sees("ada", "ben", "guest")
        await mia.session.send(TOPIC, "me")
        await made.inside[0].reads("me")
        await eve.reads("me")


async def test_a_refused_promotion_does_not_end_the_former_promotion() -> None:
    async with audience(seats=3) as made:
        eve, mia = made.watching[0], made.watching[2]
        guest, other = await made.guest(), await made.guest("other")
        await eve.session.promote(guest)
        with pytest.raises(CarillonError):
            await eve.session.promote(Credentials(other.attendee_id, "wrong", "other"))
        assert eve.session.promoted_as is not None and eve.demoted == []
        assert await refusal(mia, other) is SessionStatus.AUDIO_CALL_AT_CAPACITY
        assert mia.demoted == []
        await made.inside[0].sees("ada", "ben", "guest")


@asynccontextmanager
async def promoting(made: Audience, *words: str) -> AsyncIterator[Tail]:
    """Runs `carillon promote`, which uses the Swift client, in the first replica."""
    process = await asyncio.create_subprocess_exec(
        *(str(CARILLON), "promote", made.replicas[0].meeting_id, "--guest-user", "gus", *words),
        *("--runtime-dir", str(made.installation.run), "--output", "json"),
        stdin=DEVNULL,
        stdout=PIPE,
        env=ENVIRONMENT,
    )
    try:
        yield Tail(process)
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()


async def lines_until(program: Tail, event: str) -> list[dict[str, Any]]:
    lines = [await program.line()]
    while lines[-1]["event"] != event:
        lines.append(await program.line())
    return lines


async def test_the_command_line_promotes_and_demotes() -> None:
    async with audience() as made:
        async with promoting(made, "--for", "2") as program:
            promoted = (await lines_until(program, "promoted"))[-1]
            assert (promoted["external_user_id"], promoted["session_status"]) == ("gus", 0)
            for listener in made.everybody:
                await listener.sees("ada", "ben", "gus")
                assert promoted["attendee_id"] in listener.session.roster
            assert (await lines_until(program, "demoted"))[-1]["session_status"] == 0
            assert await program.end() == 0
        for listener in made.everybody:
            await listener.sees("ada", "ben")


async def test_the_command_line_reports_the_deletion_of_the_promoted_attendee() -> None:
    async with audience() as made, promoting(made) as program:
        attendee_id = (await lines_until(program, "promoted"))[-1]["attendee_id"]
        await made.inside[0].sees("ada", "ben", "gus")
        await made.installation.control.delete_attendee(made.primary, attendee_id)
        status = SessionStatus.AUDIO_AUTHENTICATION_REJECTED
        assert (await lines_until(program, "demoted"))[-1]["session_status"] == status
        assert await program.end() == 1
        await made.inside[0].sees("ada", "ben")


async def demote(made: Audience, attendee_id: str) -> dict[str, Any]:
    """Runs `carillon demote` in the primary meeting, and returns its output."""
    process = await asyncio.create_subprocess_exec(
        *(str(CARILLON), "demote", made.primary.meeting_id, attendee_id),
        *("--runtime-dir", str(made.installation.run), "--output", "json"),
        stdin=DEVNULL,
        stdout=PIPE,
        env=ENVIRONMENT,
    )
    output, _ = await process.communicate()
    assert process.returncode == 0
    reply: dict[str, Any] = json.loads(output)
    return reply


async def test_an_operator_demotes_from_the_command_line() -> None:
    async with audience() as made:
        eve, guest = made.watching[0], await made.guest()
        ids = {"meeting_id": made.primary.meeting_id, "attendee_id": guest.attendee_id}
        assert await demote(made, guest.attendee_id) == ids | {"was_promoted": False}
        await eve.session.promote(guest)
        await made.inside[0].sees("ada", "ben", "guest")
        assert await demote(made, guest.attendee_id) == ids | {"was_promoted": True}
        await eve.hears(Demoted)
        assert eve.demoted[0].attendee.attendee_id == guest.attendee_id
        assert eve.demoted[0].status.session_status is SessionStatus.AUDIO_INTERNAL_SERVER_ERROR
        assert eve.demoted[0].status.reason is StatusReason.DEMOTED_BY_OPERATOR
        for listener in made.everybody:
            await listener.sees("ada", "ben")
        assert eve.session.promoted_as is None and eve.session.status is None
        # The client can request promotion again, and the command line can promote and demote
        # another attendee.
        await eve.session.promote(guest)
        async with promoting(made) as program:
            promoted = (await lines_until(program, "promoted"))[-1]
            await made.inside[0].sees("ada", "ben", "guest", "gus")
            await demote(made, promoted["attendee_id"])
            demoted = (await lines_until(program, "demoted"))[-1]
            assert demoted["session_status"] == SessionStatus.AUDIO_INTERNAL_SERVER_ERROR
            assert await program.end() == 1
        for listener in made.everybody:
            await listener.sees("ada", "ben", "guest")
        assert len(eve.demoted) == 1


async def test_a_demotion_is_reported_if_a_change_to_another_promoted_attendee_fails() -> None:
    async with audience() as made:
        eve = made.watching[0]
        guest, other = await made.guest(), await made.guest("other")
        await eve.session.promote(guest)
        await made.installation.presence.kill()
        asking = asyncio.create_task(eve.session.promote(other))
        await eve.hears(Demoted)
        assert eve.demoted[0].attendee.attendee_id == guest.attendee_id
        status = SessionStatus.AUDIO_INTERNAL_SERVER_ERROR
        assert eve.demoted[0].status.session_status is status
        await made.installation.presence.start()
        with contextlib.suppress(CarillonError):
            await asking
        assert len(eve.demoted) == 1


async def test_the_end_of_the_primary_ends_all_sessions_of_its_audience() -> None:
    async with audience() as made:
        eve = made.watching[0]
        await eve.session.promote(await made.guest())
        await made.installation.control.delete_meeting(made.primary)
        for listener in made.everybody:
            await listener.hears(carillon.Ended)
        assert eve.session.status is not None
