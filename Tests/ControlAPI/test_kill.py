"""The gateway dies while applications create meetings. Every acknowledged creation must exist."""

from __future__ import annotations

import json
import os
import signal
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from botocore.exceptions import BotoCoreError, ClientError

from ControlAPI.house import House, running
from eventually import blocking_eventually

CALLERS = 4
# The test kills the gateway when the store has at least this number of attendees, and stops the
# callers when the store has at least this number of further attendees.
ENOUGH = 40
PATIENCE = 60.0


@dataclass
class Made:
    """What one caller has created: meetings by request token, attendees by meeting."""

    meetings: dict[str, str] = field(default_factory=dict)
    attendees: dict[str, str] = field(default_factory=dict)
    failures: int = 0


def gateway_process(house: House) -> int:
    run = house.carillon("services", "--output", "json")
    assert run.returncode == 0, run.stderr
    lines = [json.loads(line) for line in run.stdout.splitlines()]
    (gateway,) = [line for line in lines if line.get("service") == "gateway"]
    return int(gateway["process_id"])


def is_refusal(error: Exception) -> bool:
    if not isinstance(error, ClientError):
        return False
    return int(error.response["ResponseMetadata"]["HTTPStatusCode"]) < 500


def insist(made: Made, deadline: float, call: Callable[[], Any]) -> Any:
    """Repeats a call until an answer arrives, like the SDK's own retries."""
    while True:
        try:
            return call()
        except (BotoCoreError, ClientError) as error:
            if is_refusal(error) or time.monotonic() >= deadline:
                raise
            made.failures += 1
            time.sleep(0.02)


def create(api: Any, caller: int, stop: threading.Event) -> Made:
    """Creates meetings with one attendee each until `stop` is set."""
    made = Made()
    deadline = time.monotonic() + PATIENCE
    number = 0
    while not stop.is_set() and time.monotonic() < deadline:
        token = f"caller-{caller}-{number}"
        number += 1
        meeting = insist(
            made,
            deadline,
            partial(
                api.create_meeting,
                ClientRequestToken=token,
                MediaRegion="us-east-1",
                ExternalMeetingId=token,
            ),
        )["Meeting"]["MeetingId"]
        made.meetings[token] = meeting
        attendee = insist(
            made,
            deadline,
            partial(api.create_attendee, MeetingId=meeting, ExternalUserId="ada"),
        )["Attendee"]["AttendeeId"]
        made.attendees[meeting] = attendee
    return made


def wait_for_rows(house: House, count: int) -> None:
    blocking_eventually(
        f"{count} attendees in the store",
        lambda: len(house.store()["attendee"]) >= count,
        PATIENCE,
        every=0.05,
    )


def test_a_killed_gateway_loses_no_acknowledged_request() -> None:
    with running() as house, ThreadPoolExecutor(CALLERS) as callers:
        key = house.make_key("callers")
        stop = threading.Event()
        working = [
            callers.submit(create, house.client(key), caller, stop) for caller in range(CALLERS)
        ]
        try:
            wait_for_rows(house, ENOUGH)
            os.kill(gateway_process(house), signal.SIGKILL)
            wait_for_rows(house, len(house.store()["attendee"]) + ENOUGH)
        finally:
            stop.set()
        answers = [each.result() for each in working]
        # The test killed the gateway during requests, and the retries succeeded.
        assert sum(answer.failures for answer in answers) > 0

        api = house.client(key)
        for answer in answers:
            for token, meeting in answer.meetings.items():
                assert api.get_meeting(MeetingId=meeting)["Meeting"]["ExternalMeetingId"] == token
            for meeting, attendee in answer.attendees.items():
                listed = api.list_attendees(MeetingId=meeting)["Attendees"]
                assert [each["AttendeeId"] for each in listed] == [attendee]
        # A retry with the same token created no second meeting.
        made = sum(len(answer.meetings) for answer in answers)
        assert len(house.store()["meeting"]) == made
        assert len(house.store()["attendee"]) == made
