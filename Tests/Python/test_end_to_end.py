"""The client against real processes."""

from __future__ import annotations

import asyncio
import json
import sys
import urllib.request
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from typing import Any

import pytest

import carillon
from carillon import (
    AttendeeEvent,
    CarillonError,
    Credentials,
    Dropped,
    Ended,
    Event,
    Joined,
    Left,
    Meeting,
    Muted,
    Reconnected,
    Reconnecting,
    SessionOptions,
    SessionStatus,
    StatusReason,
    Unmuted,
)
from eventually import due, eventually
from installation import ROOT, Installation, Process, Wire

# Presence reports a drop only after the lost client, or all clients of a lost gateway, had time to
# reconnect.
_HEARD_SECONDS = 60.0


class Attendee:
    """A session, with all its events so far."""

    def __init__(self, name: str, session: carillon.Session) -> None:
        self.name = name
        self.session = session
        self.heard: list[Event] = []
        self._news = asyncio.Condition()
        self._reader = asyncio.create_task(self._read())

    async def _read(self) -> None:
        async for event in self.session.events():
            async with self._news:
                self.heard.append(event)
                self._news.notify_all()

    async def until(self, what: str, condition: Callable[[], bool]) -> None:
        async with due(f"{what} to {self.name}", _HEARD_SECONDS), self._news:
            await self._news.wait_for(condition)

    async def hears(self, kind: type[Event], name: str | None = None) -> None:
        is_told = lambda: (kind, name) in [told(event) for event in self.heard]  # noqa: E731
        await self.until(f"{kind.__name__} of {name}", is_told)

    async def knows(self, *names: str) -> None:
        await self.until(f"a roster of {names}", lambda: self.roster == set(names))

    @property
    def roster(self) -> set[str]:
        return {attendee.name for attendee in self.session.roster.values()}

    @property
    def muted(self) -> set[str]:
        roster = self.session.roster.values()
        return {attendee.name for attendee in roster if attendee.is_muted}

    def count(self, kind: type[Event], name: str | None = None) -> int:
        return [told(event) for event in self.heard].count((kind, name))

    @property
    def departures(self) -> list[tuple[type[Event], str | None]]:
        return [told(event) for event in self.heard if isinstance(event, Left | Dropped)]


def told(event: Event) -> tuple[type[Event], str | None]:
    """Returns the type of an event, and the name of its attendee."""
    name = event.attendee.name if isinstance(event, AttendeeEvent) else None
    return type(event), name


class LiveMeeting:
    """A meeting of a running installation."""

    def __init__(self, installation: Installation, meeting: Meeting) -> None:
        self.installation = installation
        self.meeting = meeting
        self._sessions = AsyncExitStack()

    async def create(self, name: str) -> Credentials:
        return await self.installation.control.create_attendee(self.meeting, name)

    async def enter(
        self, who: str | Credentials, options: SessionOptions = SessionOptions()
    ) -> Attendee:
        """Joins with credentials, or as a new attendee with this name."""
        credentials = who if isinstance(who, Credentials) else await self.create(who)
        session = carillon.join(self.meeting, credentials, options)
        await self._sessions.enter_async_context(session)
        return Attendee(credentials.external_user_id, session)

    async def refusal(self, credentials: Credentials) -> SessionStatus:
        with pytest.raises(CarillonError) as refused:
            async with carillon.join(self.meeting, credentials):
                pass
        return refused.value.session_status

    async def sentinel_is_lost(self, *witnesses: Attendee) -> None:
        """Waits for the time after which the server reports a lost attendee."""
        program = Process(
            "sentinel",
            [sys.executable, "-m", "carillon", "watch", "--meeting", self.meeting.meeting_id]
            + await self.flags("sentinel"),
            self.installation.directory / "sentinel.log",
        )
        await program.start()
        for witness in witnesses:
            await witness.hears(Joined, "sentinel")
        await program.kill()
        for witness in witnesses:
            await witness.hears(Dropped, "sentinel")

    async def flags(self, name: str) -> list[str]:
        """Creates an attendee, and returns the options with which a command joins as this
        attendee."""
        credentials = await self.create(name)
        token_file = self.installation.directory / f"{name}.token"
        token_file.write_text(credentials.join_token)
        return [
            *("--gateway", f"ipc://{self.installation.client_socket}"),
            *("--attendee", credentials.attendee_id, "--token-file", str(token_file)),
            *("--external-user-id", name),
        ]


@asynccontextmanager
async def live_meeting(**flags: Any) -> AsyncIterator[LiveMeeting]:
    """Starts an installation with these flags, and creates a meeting."""
    async with Installation(**flags) as installation:
        made = LiveMeeting(installation, await installation.control.create_meeting("tea"))
        async with made._sessions:
            yield made


async def test_everybody_sees_who_joins_who_is_muted_and_who_leaves() -> None:
    async with live_meeting() as tea:
        ada = await tea.enter("ada")
        grace = await tea.enter("grace", SessionOptions(is_muted=True))
        lin = await tea.enter("lin")
        for attendee in (ada, grace, lin):
            await attendee.knows("ada", "grace", "lin")
            assert attendee.muted == {"grace"}
        await ada.session.mute()
        await grace.session.unmute()
        for attendee in (ada, grace, lin):
            await attendee.hears(Muted, "ada")
            await attendee.hears(Unmuted, "grace")
            assert attendee.muted == {"ada"}
        await lin.session.leave()
        assert told(lin.heard[-1]) == (Ended, None)
        for attendee in (ada, grace):
            await attendee.hears(Left, "lin")
            assert attendee.departures == [(Left, "lin")]
            await attendee.knows("ada", "grace")


async def test_an_attendee_leaves_when_its_session_object_is_dropped() -> None:
    async with live_meeting() as tea:
        grace = await tea.enter("grace")
        session = carillon.join(tea.meeting, await tea.create("ada"))
        await session.__aenter__()
        await grace.hears(Joined, "ada")
        with pytest.warns(ResourceWarning, match="unclosed <Session"):
            del session
        await grace.hears(Left, "ada")
        assert grace.departures == [(Left, "ada")]


async def test_all_wrong_credentials_get_the_same_error() -> None:
    async with live_meeting() as tea:
        ada = await tea.create("ada")
        for wrong in (
            Credentials(ada.attendee_id, ada.join_token[::-1], "ada"),
            Credentials("a1a1a1a1-0000-4000-8000-000000000001", ada.join_token, "ada"),
        ):
            refusal = await tea.refusal(wrong)
            assert refusal is SessionStatus.AUDIO_AUTHENTICATION_REJECTED
        await tea.enter(ada)


async def test_a_second_session_of_an_attendee_ends_the_first_session() -> None:
    async with live_meeting() as tea:
        credentials = await tea.create("ada")
        grace = await tea.enter("grace")
        first = await tea.enter(credentials)
        second = await tea.enter(credentials)
        await first.hears(Ended)
        status = first.session.status
        assert status is not None
        assert status.session_status is SessionStatus.AUDIO_JOINED_FROM_ANOTHER_DEVICE
        await second.session.mute()
        await grace.hears(Muted, "ada")
        assert grace.departures == []


async def test_the_deletion_of_an_attendee_and_of_a_meeting_ends_their_sessions() -> None:
    async with live_meeting() as tea:
        credentials = await tea.create("ada")
        ada = await tea.enter(credentials)
        grace = await tea.enter("grace")
        await tea.installation.control.delete_attendee(tea.meeting, credentials.attendee_id)
        await ada.hears(Ended)
        await grace.hears(Left, "ada")
        await tea.installation.control.delete_meeting(tea.meeting)
        await grace.hears(Ended)
        for attendee, reason in (
            (ada, StatusReason.ATTENDEE_DELETED),
            (grace, StatusReason.MEETING_DELETED),
        ):
            status = attendee.session.status
            assert status is not None
            assert status.session_status is SessionStatus.AUDIO_SERVER_HUNGUP
            assert status.reason is reason
        late = Credentials(credentials.attendee_id, credentials.join_token, "ada")
        assert await tea.refusal(late) in (
            SessionStatus.AUDIO_CALL_ENDED,
            SessionStatus.AUDIO_AUTHENTICATION_REJECTED,
        )


async def test_a_full_meeting_rejects_a_join() -> None:
    async with live_meeting(presence=["--max-attendees", "2"]) as tea:
        await tea.enter("ada")
        grace = await tea.enter("grace")
        lin = await tea.create("lin")
        assert await tea.refusal(lin) is SessionStatus.AUDIO_CALL_AT_CAPACITY
        await grace.session.leave()
        await tea.enter(lin)


async def test_the_readmes_bot_prints_who_joins_or_leaves_and_others_see_a_killed_bot_drop() -> (
    None
):
    async with live_meeting() as tea:
        ada = await tea.enter("ada")
        bot = Process(
            "bot",
            [
                *(sys.executable, "-u", ROOT / "Clients" / "Python" / "examples" / "roster_bot.py"),
                *(tea.installation.rest_url, tea.meeting.meeting_id),
            ],
            tea.installation.directory / "bot.log",
        )
        await bot.start()
        await ada.hears(Joined, "roster-bot")
        grace = await tea.enter("grace")
        await grace.session.leave()
        await eventually("grace's leave in the bot's log", lambda: "grace left" in bot.log)
        lines = bot.log.splitlines()
        assert "ada is here" in lines and "grace is here" in lines
        await bot.kill()
        await ada.hears(Dropped, "roster-bot")
        await tea.sentinel_is_lost(ada)
        assert ada.count(Dropped, "roster-bot") == 1
        assert ada.count(Left, "roster-bot") == 0


async def test_a_session_resumes_after_a_cut_connection_without_a_false_leave() -> None:
    async with live_meeting() as tea:
        path = tea.installation.directory / "wire.sock"
        async with Wire(path, tea.installation.client_socket) as wire:
            grace = await tea.enter("grace")
            ada = await tea.enter("ada", SessionOptions(gateway_url=wire.url))
            await ada.session.mute()
            wire.cut()
            await ada.hears(Reconnecting)
            await grace.session.mute()
            lin = await tea.enter("lin")
            wire.mend()
            await ada.hears(Reconnected)
            await ada.hears(Muted, "grace")
            await ada.knows("ada", "grace", "lin")
            resumed = next(event for event in ada.heard if isinstance(event, Reconnected))
            assert resumed.is_resumed and resumed.is_recovered
            await tea.sentinel_is_lost(ada, grace, lin)
            for attendee in (ada, grace, lin):
                assert attendee.departures == [(Dropped, "sentinel")]
                assert attendee.muted == {"ada", "grace"}
            assert ada.count(Joined, "grace") == ada.count(Joined, "lin") == 1


async def test_an_attendee_that_a_host_muted_returns_muted_after_a_lost_connection() -> None:
    async with live_meeting() as tea:
        path = tea.installation.directory / "wire.sock"
        async with Wire(path, tea.installation.client_socket) as wire:
            grace = await tea.enter("grace")
            ada = await tea.enter("ada", SessionOptions(gateway_url=wire.url))
            await grace.knows("ada", "grace")
            await mute_as_host(tea, ada)
            await ada.hears(Muted, "ada")
            wire.cut()
            await ada.hears(Reconnecting)
            wire.mend()
            await ada.hears(Reconnected)
            lin = await tea.enter("lin")
            for attendee in (ada, grace, lin):
                await attendee.knows("ada", "grace", "lin")
                assert attendee.muted == {"ada"}
            await ada.session.unmute()
            await grace.hears(Unmuted, "ada")


async def mute_as_host(tea: LiveMeeting, attendee: Attendee) -> None:
    base = f"http://127.0.0.1:{tea.installation.rest_port}/carillon/v1"
    meeting = f"meetings/{tea.meeting.meeting_id}"
    mute = f"{meeting}/attendees/{attendee.session.attendee_id}/mute"

    def post(path: str, headers: dict[str, str]) -> bytes:
        request = urllib.request.Request(f"{base}/{path}", b"", headers, method="POST")
        with urllib.request.urlopen(request, timeout=20) as answer:
            body: bytes = answer.read()
            return body

    token = json.loads(await asyncio.to_thread(post, f"{meeting}/host-tokens", {}))["HostToken"]
    await asyncio.to_thread(post, f"host/{mute}", {"Authorization": f"Bearer {token}"})


async def test_a_kill_of_presence_causes_no_leave() -> None:
    async with live_meeting() as tea:
        ada = await tea.enter("ada")
        grace = await tea.enter("grace", SessionOptions(is_muted=True))
        await tea.installation.presence.kill()
        await tea.installation.presence.start()
        await ada.session.mute()
        await grace.hears(Muted, "ada")
        lin = await tea.enter("lin")
        for attendee in (ada, grace, lin):
            await attendee.knows("ada", "grace", "lin")
            assert attendee.muted == {"ada", "grace"}
        await tea.sentinel_is_lost(ada, grace)
        for attendee in (ada, grace):
            assert attendee.departures == [(Dropped, "sentinel")]
            assert attendee.count(Reconnecting) == 0


async def test_every_client_returns_after_the_gateway_is_killed() -> None:
    async with live_meeting() as tea:
        ada = await tea.enter("ada")
        grace = await tea.enter("grace", SessionOptions(is_muted=True))
        await tea.installation.gateway.kill()
        for attendee in (ada, grace):
            await attendee.hears(Reconnecting)
        await tea.installation.gateway.start()
        for attendee in (ada, grace):
            await attendee.hears(Reconnected)
        await ada.session.mute()
        await grace.hears(Muted, "ada")
        await tea.sentinel_is_lost(ada, grace)
        for attendee in (ada, grace):
            assert attendee.departures == [(Dropped, "sentinel")]
            assert attendee.muted == {"ada", "grace"}


async def test_a_stopping_gateway_sends_its_clients_to_another_gateway() -> None:
    async with live_meeting() as tea:
        ada = await tea.enter("ada")
        assert await tea.installation.gateway.terminate() == 0
        await ada.hears(Reconnecting)
        told_why = next(event for event in ada.heard if isinstance(event, Reconnecting))
        assert told_why.status.reason is StatusReason.DRAINING
        await tea.installation.gateway.start()
        await ada.hears(Reconnected)
        assert await tea.installation.presence.terminate() == 0
