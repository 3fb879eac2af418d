"""Records of meetings (events and attendance): the records survive crashes and can be erased."""

from __future__ import annotations

import asyncio
import csv
import http.client
import io
import json
import os
import signal
import sqlite3
import urllib.parse
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from ControlAPI.guests import ask, get, until, visit
from ControlAPI.house import House, Key, running
from ControlAPI.signed import sign


def enrol(api: Any, meeting: dict[str, Any], name: str) -> dict[str, Any]:
    made: dict[str, Any] = api.create_attendee(MeetingId=meeting["MeetingId"], ExternalUserId=name)[
        "Attendee"
    ]
    return made


def sessions(house: House, key: Key, meeting: str) -> list[tuple[str, str | None]]:
    attendance = get(house, key, f"meetings/{meeting}/attendance")
    return [(each["ExternalUserId"], each.get("Reason")) for each in attendance["Sessions"]]


def is_so(house: House, key: Key, meeting: str, *wanted: tuple[str, str | None]) -> bool:
    return sessions(house, key, meeting) == list(wanted)


def process(house: House, service: str) -> int | None:
    run = house.carillon("services", "--output", "json")
    lines = [json.loads(line) for line in run.stdout.splitlines()]
    live = [line for line in lines if line["service"] == service and line["is_live"]]
    return int(live[0]["process_id"]) if live else None


def test_the_attendance_record_contains_each_stay_and_why_the_stay_ended(
    house: House, key: Key, api: Any, meeting: dict[str, Any]
) -> None:
    identity = meeting["MeetingId"]
    ada, ben = enrol(api, meeting, "ada"), enrol(api, meeting, '=1+1,"ben"'.replace('"', "'"))

    async def run() -> None:
        async with visit(meeting, ada):
            await until("the attendance", partial(is_so, house, key, identity, ("ada", None)))
        await until("the attendance", partial(is_so, house, key, identity, ("ada", "Client")))
        async with visit(meeting, ada), visit(meeting, ben):
            await until("a third stay", lambda: len(sessions(house, key, identity)) == 3)
            api.delete_attendee(MeetingId=identity, AttendeeId=ada["AttendeeId"])
            wanted = [("ada", "Client"), ("ada", "AttendeeDeleted"), ("=1+1,'ben'", None)]
            await until("the attendance", partial(is_so, house, key, identity, *wanted))
            api.delete_meeting(MeetingId=identity)

    asyncio.run(run())
    # The attendance exists after the end of the meeting, and contains the end of each stay.
    attendance = get(house, key, f"meetings/{identity}/attendance")
    assert [each["Reason"] for each in attendance["Sessions"]] == [
        "Client",
        "AttendeeDeleted",
        "MeetingEnded",
    ]
    assert attendance["EndedAt"] >= attendance["Sessions"][0]["JoinedAt"]
    assert all(0 <= each["Minutes"] < 10 for each in attendance["Sessions"])

    # The CSV export has the same records, page by page, and no cell is a formula.
    page = f"/carillon/v1/meetings/{identity}/attendance?max-results=2"
    request = sign(house, key, method="GET", target=page, body=b"", headers={"Accept": "text/csv"})
    status, headers, text = fetch(request)
    assert (status, headers["content-type"].split(";")[0]) == (200, "text/csv")
    rest = page + "&next-token=" + headers["carillon-next-token"]
    request = sign(house, key, method="GET", target=rest, body=b"", headers={"Accept": "text/csv"})
    _, headers, more = fetch(request)
    assert "carillon-next-token" not in headers
    rows = list(csv.DictReader(io.StringIO(text))) + list(csv.DictReader(io.StringIO(more)))
    assert [row["Reason"] for row in rows] == ["Client", "AttendeeDeleted", "MeetingEnded"]
    assert rows[2]["ExternalUserId"] == "'=1+1,'ben'"

    # The command line prints the same records.
    run_ = house.carillon("attendance", identity, "--output", "json")
    lines = [json.loads(line) for line in run_.stdout.splitlines()]
    assert [line["reason"] for line in lines] == ["Client", "AttendeeDeleted", "MeetingEnded"]


def fetch(request: Any) -> tuple[int, dict[str, str], str]:
    place = urllib.parse.urlsplit(request.house.url)
    connection = http.client.HTTPConnection(place.hostname or "", place.port, timeout=20)
    connection.request("GET", request.target, headers=request.headers)
    answer = connection.getresponse()
    text = answer.read().decode()
    connection.close()
    return answer.status, {n.lower(): v for n, v in answer.getheaders()}, text


def test_events_have_numbers_without_gaps_and_can_be_read_from_any_number(
    house: House, key: Key, api: Any, meeting: dict[str, Any]
) -> None:
    identity = meeting["MeetingId"]
    for name in ("ada", "ben", "cleo"):
        enrol(api, meeting, name)
    api.delete_meeting(MeetingId=identity)
    listed = get(house, key, f"meetings/{identity}/events")
    assert [e["Sequence"] for e in listed["Events"]] == [1, 2, 3, 4, 5]
    assert [e["Type"] for e in listed["Events"]] == [
        "MeetingStarted",
        *["AttendeeAdded"] * 3,
        "MeetingEnded",
    ]
    assert listed["LastSequence"] == 5
    assert len({e["Id"] for e in listed["Events"]}) == 5
    rest = get(house, key, f"meetings/{identity}/events?after-sequence=3&max-results=1")
    assert rest["Events"] == listed["Events"][3:4]


@pytest.mark.parametrize("service", ["gateway", "presence"])
def test_attendance_survives_a_crash_of_a_service(service: str) -> None:
    with running() as house:
        key = house.make_key("records")
        api = house.client(key)
        meeting = api.create_meeting(
            ClientRequestToken="t1", MediaRegion="us-east-1", ExternalMeetingId="standup"
        )["Meeting"]
        ada, ben = enrol(api, meeting, "ada"), enrol(api, meeting, "ben")
        identity = meeting["MeetingId"]

        async def run() -> None:
            async with visit(meeting, ada) as session:
                async with visit(meeting, ben) as other:
                    await until(
                        "the attendance",
                        partial(is_so, house, key, identity, ("ada", None), ("ben", None)),
                    )
                    former = process(house, service)
                    assert former is not None
                    os.kill(former, signal.SIGKILL)
                    await until(
                        f"a new {service}", lambda: process(house, service) not in (None, former)
                    )
                    await until("the roster of two", partial(can_ask, house, key, identity))
                    # The answer to this message shows that ben is connected again and can report
                    # his leave.
                    await other.send("chat", "back")
                # The records contain ben's leave, but neither a leave nor a join because of the
                # restart.
                await until(
                    "the attendance",
                    partial(is_so, house, key, identity, ("ada", None), ("ben", "Client")),
                )
                assert session

        asyncio.run(run())
        types = [e["Type"] for e in get(house, key, f"meetings/{identity}/events")["Events"]]
        assert types.count("AttendeeJoined") == 2


def can_ask(house: House, key: Key, meeting: str) -> bool:
    try:
        status, answer = ask(house, key, "GET", f"meetings/{meeting}/roster")
    except OSError:
        return False
    return status == 200 and len(answer["Attendees"]) == 2


def test_the_erasure_of_a_user_covers_every_record() -> None:
    name = "Zebediah-Quux"
    with running() as house:
        key = house.make_key("records")
        api = house.client(key)
        old, new = (
            api.create_meeting(
                ClientRequestToken=token,
                MediaRegion="us-east-1",
                ExternalMeetingId="standup",
                MeetingHostId=name,
            )["Meeting"]
            for token in ("t1", "t2")
        )

        async def speak(meeting: dict[str, Any]) -> None:
            who = enrol(api, meeting, name)
            async with visit(meeting, who) as session:
                await session.send("chat", f"{name} was here", lifetime_ms=60_000)
                wanted = partial(is_so, house, key, meeting["MeetingId"], (name, None))
                await until("the attendance", wanted)

        asyncio.run(speak(old))
        asyncio.run(
            until("the attendance", partial(is_so, house, key, old["MeetingId"], (name, "Client")))
        )
        api.delete_meeting(MeetingId=old["MeetingId"])
        asyncio.run(speak(new))
        asyncio.run(
            until("the attendance", partial(is_so, house, key, new["MeetingId"], (name, "Client")))
        )
        assert found(house, name)

        status, erased = ask(house, key, "POST", "erase", {"ExternalUserId": name})
        assert status == 200, erased
        assert erased == {
            "Attendees": 1,
            "Sessions": 2,
            "Events": erased["Events"],
            "Hosted": 1,
            "ClientEvents": 0,
            "Messages": 1,
        }
        # No file contains the name, not even in deleted pages, and the numbering has no gap.
        assert found(house, name) == []
        for meeting in (old, new):
            events = get(house, key, f"meetings/{meeting['MeetingId']}/events")["Events"]
            assert [e["Sequence"] for e in events] == list(range(1, len(events) + 1))
            assert all("ExternalUserId" not in e for e in events)
        # A second erasure, by the command line, finds nothing.
        run = house.carillon("erase", name, "--output", "json")
        assert run.returncode == 0, run.stderr
        assert json.loads(run.stdout)["sessions"] == 0


def found(house: House, text: str) -> list[str]:
    """Returns the files of the installation whose bytes contain a text."""
    paths = [path for path in Path(house.data).rglob("*") if path.is_file()]
    return [path.name for path in paths if text.encode() in path.read_bytes()]


def test_records_are_deleted_after_their_retention_time() -> None:
    with running(CARILLON_ATTENDANCE_DAYS="1") as house:
        key = house.make_key("records")
        api = house.client(key)
        meeting = api.create_meeting(
            ClientRequestToken="t1", MediaRegion="us-east-1", ExternalMeetingId="standup"
        )["Meeting"]["MeetingId"]
        api.delete_meeting(MeetingId=meeting)
        get(house, key, f"meetings/{meeting}/events")
        with sqlite3.connect(house.data / "meetings.sqlite") as database:
            database.execute("UPDATE record SET ended_at = ended_at - 86400000 - 1000")
        # A gateway removes expired records when it starts.
        gateway = process(house, "gateway")
        assert gateway is not None
        os.kill(gateway, signal.SIGKILL)
        asyncio.run(until("the end of the record", partial(is_forgotten, house, key, meeting)))


def is_forgotten(house: House, key: Key, meeting: str) -> bool:
    try:
        return ask(house, key, "GET", f"meetings/{meeting}/events")[0] == 404
    except OSError:
        return False
