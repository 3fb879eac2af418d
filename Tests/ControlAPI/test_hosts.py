"""Hosts of running meetings: what their tokens permit, and which tokens the gateway refuses."""

from __future__ import annotations

import asyncio
import random
import string
from typing import Any

import pytest

import carillon
from ControlAPI.guests import PATIENCE, act, ask, ended, get, visit
from ControlAPI.house import House, Key
from eventually import due

ALPHABET = string.ascii_letters + string.digits + "-_"


def enrol(api: Any, meeting: dict[str, Any], name: str) -> dict[str, Any]:
    made: dict[str, Any] = api.create_attendee(MeetingId=meeting["MeetingId"], ExternalUserId=name)[
        "Attendee"
    ]
    return made


def mint(house: House, key: Key, meeting: str) -> str:
    status, answer = ask(house, key, "POST", f"meetings/{meeting}/host-tokens")
    assert status == 200, answer
    return str(answer["HostToken"])


def mutes(house: House, key: Key, meeting: str) -> dict[str, bool]:
    roster = get(house, key, f"meetings/{meeting}/roster")["Attendees"]
    return {entry["ExternalUserId"]: entry["Muted"] for entry in roster}


@pytest.fixture
def place(meeting: dict[str, Any]) -> str:
    return f"meetings/{meeting['MeetingId']}"


def test_a_host_mutes_an_attendee_and_the_attendee_unmutes_itself(
    house: House, key: Key, api: Any, meeting: dict[str, Any], place: str
) -> None:
    identity = meeting["MeetingId"]
    ada, ben = enrol(api, meeting, "ada"), enrol(api, meeting, "ben")
    token = mint(house, key, identity)

    async def run() -> None:
        async with (
            visit(meeting, ada, is_muted=False) as session,
            visit(meeting, ben, is_muted=False),
        ):
            mute = f"{place}/attendees/{ada['AttendeeId']}/mute"
            assert act(house, token, "POST", mute)[0] == 204
            assert mutes(house, key, identity) == {"ada": True, "ben": False}
            (entry, _) = get(house, key, f"{place}/roster")["Attendees"]
            assert entry["MutedByOperator"] is False
            await session.unmute()
            assert mutes(house, key, identity) == {"ada": False, "ben": False}
            spared = {"ExceptAttendeeIds": [ada["AttendeeId"]]}
            assert act(house, token, "POST", f"{place}/mute", spared) == (200, {"Muted": 1})
            assert mutes(house, key, identity) == {"ada": False, "ben": True}

    asyncio.run(run())


def test_a_host_cannot_end_an_operators_mute(
    house: House, key: Key, api: Any, meeting: dict[str, Any], place: str
) -> None:
    ada = enrol(api, meeting, "ada")
    token = mint(house, key, meeting["MeetingId"])

    async def run() -> None:
        async with visit(meeting, ada, is_muted=False) as session:
            mute = f"{place}/attendees/{ada['AttendeeId']}/mute"
            assert ask(house, key, "PUT", mute, {"Muted": True})[0] == 204
            assert act(house, token, "POST", mute)[0] == 204
            with pytest.raises(carillon.CarillonError) as refused:
                await session.unmute()
            assert refused.value.status.reason is carillon.StatusReason.MUTED_BY_OPERATOR

    asyncio.run(run())


async def heard(messages: carillon.MessageStream) -> tuple[str, Any]:
    """Waits for the next data message, and returns its topic and its payload."""
    async with due("a data message", PATIENCE):
        message = await anext(messages)
    assert message.sender.attendee_id == "", "The sender is a service."
    return message.topic, message.json()


def test_only_the_asked_attendee_gets_an_unmute_request_and_everybody_learns_of_lowered_hands(
    house: House, key: Key, api: Any, meeting: dict[str, Any], place: str
) -> None:
    ada, ben, eve = (enrol(api, meeting, name) for name in ("ada", "ben", "eve"))
    token = mint(house, key, meeting["MeetingId"])

    async def run() -> None:
        async with visit(meeting, ada) as one, visit(meeting, ben, is_muted=False) as other:
            asked, unasked = one.messages(), other.messages()
            for attendee in (ben, eve, ada):
                path = f"{place}/attendees/{attendee['AttendeeId']}/ask-to-unmute"
                assert act(house, token, "POST", path) == (204, {}), attendee
            request = {"attendeeId": ada["AttendeeId"]}
            assert await heard(asked) == ("carillon:unmute-request", request)
            lower = f"{place}/attendees/{ada['AttendeeId']}/lower-hand"
            assert act(house, token, "POST", lower)[0] == 204
            assert act(house, token, "POST", f"{place}/lower-hands")[0] == 204
            async with visit(meeting, eve) as late:
                for messages in (asked, unasked, late.messages()):
                    lowered = {"attendeeIds": [ada["AttendeeId"]]}
                    assert await heard(messages) == ("carillon:hands-lowered", lowered)
                    assert await heard(messages) == ("carillon:hands-lowered", {"all": True})

    asyncio.run(run())


def test_only_the_appointed_attendee_gets_the_appointment_and_an_appointment_is_no_host_token(
    house: House, key: Key, api: Any, meeting: dict[str, Any], place: str
) -> None:
    ada, ben, eve = (enrol(api, meeting, name) for name in ("ada", "ben", "eve"))
    token = mint(house, key, meeting["MeetingId"])

    async def run() -> None:
        async with visit(meeting, ada) as one, visit(meeting, ben) as other:
            appointed, unappointed = one.messages(), other.messages()
            path = f"{place}/attendees/{ada['AttendeeId']}/appoint"
            assert act(house, token, "POST", path) == (204, {})
            assert act(house, token, "POST", f"{place}/lower-hands")[0] == 204
            topic, payload = await heard(appointed)
            assert (topic, payload["attendeeId"]) == ("carillon:appointed", ada["AttendeeId"])
            proof = payload["appointment"]
            assert act(house, proof, "POST", f"{place}/mute", {})[0] == 401
            async with visit(meeting, eve) as late:
                for messages in (unappointed, late.messages()):
                    assert (await heard(messages))[0] == "carillon:hands-lowered"

    asyncio.run(run())


def test_a_host_locks_a_meeting_and_removes_attendees_and_ends_the_meeting(
    house: House, key: Key, api: Any, meeting: dict[str, Any], place: str
) -> None:
    ada, ben = enrol(api, meeting, "ada"), enrol(api, meeting, "ben")
    token = mint(house, key, meeting["MeetingId"])

    async def run() -> None:
        async with visit(meeting, ada) as one, visit(meeting, ben) as other:
            assert act(house, token, "PUT", f"{place}/lock", {"Locked": True})[0] == 204
            remove = f"{place}/attendees/{ada['AttendeeId']}/remove"
            assert act(house, token, "POST", remove)[0] == 204
            status = await ended(one)
            assert status.reason is carillon.StatusReason.BARRED
            assert act(house, token, "DELETE", place)[0] == 204
            await ended(other)

    asyncio.run(run())
    assert act(house, token, "DELETE", place)[0] == 404


def test_strangers_and_attendees_cannot_act_as_hosts(
    house: House, key: Key, api: Any, meeting: dict[str, Any], place: str
) -> None:
    ada = enrol(api, meeting, "ada")
    elsewhere = api.create_meeting(
        ClientRequestToken="elsewhere", MediaRegion="us-east-1", ExternalMeetingId="elsewhere"
    )["Meeting"]
    other = mint(house, key, elsewhere["MeetingId"])
    acts = [
        ("POST", f"{place}/attendees/{ada['AttendeeId']}/mute", None),
        ("POST", f"{place}/mute", {}),
        ("POST", f"{place}/attendees/{ada['AttendeeId']}/ask-to-unmute", None),
        ("POST", f"{place}/attendees/{ada['AttendeeId']}/lower-hand", None),
        ("POST", f"{place}/lower-hands", None),
        ("POST", f"{place}/attendees/{ada['AttendeeId']}/appoint", None),
        ("POST", f"{place}/attendees/{ada['AttendeeId']}/remove", None),
        ("PUT", f"{place}/lock", {"Locked": True}),
        ("DELETE", place, None),
    ]

    async def run() -> None:
        async with visit(meeting, ada, is_muted=False):
            for method, path, body in acts:
                for token in (None, "x", ada["JoinToken"], forged(mint(house, key, place[9:]))):
                    assert act(house, token, method, path, body)[0] == 401, (method, path)
                assert act(house, other, method, path, body)[0] == 403, (method, path)
            assert mutes(house, key, meeting["MeetingId"]) == {"ada": False}

    asyncio.run(run())
    (listed,) = (
        found
        for found in get(house, key, "meetings")["Meetings"]
        if found["MeetingId"] == meeting["MeetingId"]
    )
    assert listed["Locked"] is False


def forged(token: str, seed: int = 38) -> str:
    """Returns the token with one character replaced."""
    dice = random.Random(seed)
    spot = dice.randrange(len(token))
    return token[:spot] + dice.choice(ALPHABET.replace(token[spot], "")) + token[spot + 1 :]
