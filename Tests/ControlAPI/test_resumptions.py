"""The events that real services send to a client that resumes a session."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

import pytest

import carillon
from carillon.control import find_gateway
from carillon.methods import START
from carillon.roster import Roster
from carillon.rpc import Channel
from carillon.v1 import common_pb2 as common, gateway_pb2
from ControlAPI.guests import PATIENCE, ask, visit
from ControlAPI.house import House, Key, running
from ControlAPI.test_records import enrol
from eventually import due


class Reader:
    """Receives the session stream of one connection."""

    def __init__(self, take: Callable[[gateway_pb2.SessionEvent], None]) -> None:
        self._take = take
        self.started = gateway_pb2.SessionStarted()
        self.positions: dict[str, common.StreamPosition] = {}
        self.end: carillon.Status | None = None
        self.news = asyncio.Event()

    def on_item(self, item: gateway_pb2.SessionEvents, frame_bytes: int) -> None:
        for event in item.events:
            if event.WhichOneof("event") == "session_started":
                self.started.CopyFrom(event.session_started)
            self._take(event)
        self.positions.update((each.stream, each) for each in item.positions)
        self.news.set()

    def on_end(self, status: carillon.Status) -> None:
        self.end = status
        self.news.set()

    def on_failure(self, status: carillon.Status) -> None:
        self.on_end(status)


class RawSession:
    """A session without the client library: one connection and its received events."""

    def __init__(self, meeting: dict[str, Any], attendee: dict[str, Any]) -> None:
        self.meeting = meeting
        self.request = gateway_pb2.StartRequest(
            meeting_id=meeting["MeetingId"],
            attendee_id=attendee["AttendeeId"],
            join_token=attendee["JoinToken"],
        )
        self.roster = Roster(attendee["AttendeeId"], attendee["ExternalUserId"])
        self.positions: dict[str, common.StreamPosition] = {}
        self.told: list[str] = []
        """The client's reports about other attendees, in order."""

    async def hear(self, last: str) -> gateway_pb2.SessionStarted:
        """Opens a connection, reads until a report arrives, and drops the connection."""
        endpoint = await find_gateway(carillon.Meeting.from_json(self.meeting))
        async with due(last, PATIENCE), Channel(endpoint) as channel:
            await channel.connected()
            reader = Reader(self._take)
            channel.open_session(START, self.request, reader)
            while last not in self.told:
                reader.news.clear()
                await reader.news.wait()
                if reader.end is not None:
                    raise carillon.CarillonError.of(reader.end)
        self.request.session_id = reader.started.session_id
        self.positions = reader.positions
        return reader.started

    def _take(self, event: gateway_pb2.SessionEvent) -> None:
        for report in self.roster.apply(event):
            if isinstance(report, carillon.AttendeeEvent):
                kind = type(report).__name__
                self.told.append(f"{kind} {report.attendee.external_user_id}")


@pytest.mark.parametrize(
    ("epoch", "sequence"), [(99, 3), (0, 0)], ids=["an epoch of nobody", "no position"]
)
def test_a_client_that_resumes_with_an_unknown_epoch_gets_only_the_changes(
    epoch: int, sequence: int, api: Any, meeting: dict[str, Any]
) -> None:
    ada, ben, *guests = (enrol(api, meeting, name) for name in ["ada", "ben", "eve", "lin", "zoe"])

    async def run() -> None:
        session = RawSession(meeting, ada)
        async with visit(meeting, ben):
            async with visit(meeting, guests[0]):
                await session.hear("Joined ben")
            # Attendees join and leave while the session has no connection.
            for guest in guests[1:] * 2:
                async with visit(meeting, guest):
                    pass
            session.told.clear()
            if epoch:
                position = common.StreamPosition(stream="roster", epoch=epoch, sequence=sequence)
                session.request.positions.append(position)
            async with visit(meeting, guests[2]):
                started = await session.hear("Joined zoe")
        assert started.is_resumed and not started.is_recovered
        names = ("Joined", "Left", "Dropped")
        reports = [each for each in session.told if each.split()[0] in names]
        session.roster.confirm_missing()
        here = {each.external_user_id for each in session.roster.attendees.values()}
        assert here == {"ada", "ben", "zoe"}
        assert set(reports) <= {"Joined zoe", "Dropped eve", "Left eve"}

    asyncio.run(run())


def test_a_client_that_missed_more_events_than_presence_keeps_gets_only_the_changes() -> None:
    with running(CARILLON_REPLAY_EVENTS="16") as house:
        api = house.client(house.make_key("missed"))
        meeting = api.create_meeting(
            ClientRequestToken="missed", MediaRegion="us-east-1", ExternalMeetingId="missed"
        )["Meeting"]
        ada, ben, *guests = (enrol(api, meeting, name) for name in ["ada", "ben", "eve", "zoe"])

        async def run() -> None:
            session = RawSession(meeting, ada)
            async with visit(meeting, ben) as talker:
                async with visit(meeting, guests[0]):
                    await session.hear("Joined eve")
                session.request.positions.append(session.positions["roster"])
                # presence keeps 16 events, and a gateway reuses a roster for at most 64 later
                # events.
                for is_muted in [False, True] * 50:
                    await (talker.mute() if is_muted else talker.unmute())
                session.told.clear()
                async with visit(meeting, guests[1]):
                    started = await session.hear("Joined zoe")
            assert started.is_resumed and not started.is_recovered
            session.roster.confirm_missing()
            here = {each.external_user_id for each in session.roster.attendees.values()}
            assert here == {"ada", "ben", "zoe"}
            names = ("Joined", "Left", "Dropped")
            reports = [each for each in session.told if each.split()[0] in names]
            assert set(reports) <= {"Joined zoe", "Dropped eve", "Left eve"}

        asyncio.run(run())


def test_an_ended_session_cannot_resume_and_a_readmitted_attendee_starts_a_new_session(
    house: House, key: Key, api: Any, meeting: dict[str, Any]
) -> None:
    ada = enrol(api, meeting, "ada")
    place = f"meetings/{meeting['MeetingId']}/attendees/{ada['AttendeeId']}"

    async def refused(session: RawSession) -> carillon.CarillonError:
        with pytest.raises(carillon.CarillonError) as error:
            await session.hear("Joined ada")
        return error.value

    async def run() -> None:
        session = RawSession(meeting, ada)
        await session.hear("Joined ada")
        assert (await asyncio.to_thread(ask, house, key, "POST", f"{place}/kick"))[0] == 204
        session.told.clear()
        barred = await refused(session)
        assert (int(barred.session_status), barred.reason) == (63, carillon.StatusReason.BARRED)
        barred = await refused(RawSession(meeting, ada))
        assert (int(barred.session_status), barred.reason) == (63, carillon.StatusReason.BARRED)

        assert (await asyncio.to_thread(ask, house, key, "POST", f"{place}/allow"))[0] == 204
        session.told.clear()
        ended = await refused(session)
        assert ended.status_code is carillon.StatusCode.PERMISSION_DENIED
        assert (int(ended.session_status), ended.reason) == (60, carillon.StatusReason.BARRED)
        await RawSession(meeting, ada).hear("Joined ada")

    asyncio.run(run())
