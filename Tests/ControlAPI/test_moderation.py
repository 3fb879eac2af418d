"""Live rosters, mutes, kicks and locks in meetings with attendees."""

from __future__ import annotations

import asyncio
from functools import partial
from typing import Any

import pytest

import carillon
from ControlAPI.guests import ask, ended, get, until, visit
from ControlAPI.house import House, Key


def names(house: House, key: Key, meeting: str, member: str = "Attendees") -> list[str]:
    roster = get(house, key, f"meetings/{meeting}/roster")
    return [each["ExternalUserId"] for each in roster[member]]


@pytest.fixture
def ada(api: Any, meeting: dict[str, Any]) -> dict[str, Any]:
    made: dict[str, Any] = api.create_attendee(
        MeetingId=meeting["MeetingId"], ExternalUserId="ada"
    )["Attendee"]
    return made


@pytest.fixture
def ben(api: Any, meeting: dict[str, Any]) -> dict[str, Any]:
    made: dict[str, Any] = api.create_attendee(
        MeetingId=meeting["MeetingId"], ExternalUserId="ben"
    )["Attendee"]
    return made


def test_the_operator_sees_attendees_and_mutes_them(
    house: House, key: Key, meeting: dict[str, Any], ada: dict[str, Any]
) -> None:
    place = f"meetings/{meeting['MeetingId']}"

    async def run() -> None:
        async with visit(meeting, ada):
            (entry,) = get(house, key, f"{place}/roster")["Attendees"]
            assert entry["AttendeeId"] == ada["AttendeeId"]
            assert (entry["ExternalUserId"], entry["Muted"]) == ("ada", True)
            assert entry["MutedByOperator"] is False
            mute = f"{place}/attendees/{ada['AttendeeId']}/mute"
            assert ask(house, key, "PUT", mute, {"Muted": True})[0] == 204
            (entry,) = get(house, key, f"{place}/roster")["Attendees"]
            assert entry["MutedByOperator"] is True
            assert ask(house, key, "PUT", mute, {"Muted": False})[0] == 204
            (entry,) = get(house, key, f"{place}/roster")["Attendees"]
            assert entry["MutedByOperator"] is False

    asyncio.run(run())
    assert names(house, key, meeting["MeetingId"]) == []


def test_a_barred_attendee_returns_only_when_allowed(
    house: House, key: Key, meeting: dict[str, Any], ada: dict[str, Any], ben: dict[str, Any]
) -> None:
    identity = meeting["MeetingId"]
    place = f"meetings/{identity}/attendees/{ada['AttendeeId']}"

    async def run() -> None:
        async with visit(meeting, ada) as session, visit(meeting, ben):
            assert ask(house, key, "POST", f"{place}/kick")[0] == 204
            status = await ended(session)
            assert status.reason is carillon.StatusReason.BARRED
            assert names(house, key, identity) == ["ben"]
            assert names(house, key, identity, "Barred") == ["ada"]
            with pytest.raises(carillon.CarillonError) as refused:
                async with visit(meeting, ada):
                    pass
            assert "A host or an operator removed this attendee" in str(refused.value)
            assert ask(house, key, "POST", f"{place}/allow")[0] == 204
            assert names(house, key, identity, "Barred") == []
            async with visit(meeting, ada):
                assert sorted(names(house, key, identity)) == ["ada", "ben"]

    asyncio.run(run())


def test_a_locked_meeting_keeps_its_attendees_and_admits_nobody_else(
    house: House, key: Key, meeting: dict[str, Any], ada: dict[str, Any], ben: dict[str, Any]
) -> None:
    identity = meeting["MeetingId"]

    async def run() -> None:
        async with visit(meeting, ada):
            assert ask(house, key, "PUT", f"meetings/{identity}/lock", {"Locked": True})[0] == 204
            listed = get(house, key, "meetings")["Meetings"]
            assert [m["Locked"] for m in listed if m["MeetingId"] == identity] == [True]
            with pytest.raises(carillon.CarillonError) as refused:
                async with visit(meeting, ben):
                    pass
            assert "locked" in str(refused.value)
            assert names(house, key, identity) == ["ada"]
            assert ask(house, key, "PUT", f"meetings/{identity}/lock", {"Locked": False})[0] == 204
            async with visit(meeting, ben):
                assert names(house, key, identity) == ["ada", "ben"]

    asyncio.run(run())


def test_the_command_line_moderates_a_meeting(
    house: House, key: Key, meeting: dict[str, Any], ada: dict[str, Any]
) -> None:
    identity = meeting["MeetingId"]
    for words in (
        ("meeting", "lock", identity),
        ("meeting", "lock", identity, "--off"),
        ("attendee", "kick", identity, ada["AttendeeId"]),
        ("attendee", "allow", identity, ada["AttendeeId"]),
    ):
        run = house.carillon(*words)
        assert run.returncode == 0, run.stderr
    types = [e["Type"] for e in get(house, key, f"meetings/{identity}/events")["Events"]]
    assert types == [
        "MeetingStarted",
        "AttendeeAdded",
        "MeetingLocked",
        "MeetingUnlocked",
        "AttendeeBarred",
        "AttendeeAllowed",
    ]


def test_operators_see_the_audience_of_a_replica(
    house: House, key: Key, api: Any, meeting: dict[str, Any]
) -> None:
    replica = api.create_meeting(
        ClientRequestToken=f"audience-{meeting['MeetingId'][:8]}",
        MediaRegion="us-east-1",
        ExternalMeetingId="audience",
        PrimaryMeetingId=meeting["MeetingId"],
    )["Meeting"]
    rob = api.create_attendee(MeetingId=replica["MeetingId"], ExternalUserId="rob")["Attendee"]

    async def run() -> None:
        async with visit(replica, rob):
            assert names(house, key, replica["MeetingId"]) == ["rob"]
            assert names(house, key, meeting["MeetingId"]) == []
            await until(
                "the record of the replica", partial(recorded, house, key, replica["MeetingId"])
            )

    asyncio.run(run())


def recorded(house: House, key: Key, meeting: str) -> bool:
    sessions = get(house, key, f"meetings/{meeting}/attendance")["Sessions"]
    return [each["ExternalUserId"] for each in sessions] == ["rob"]
