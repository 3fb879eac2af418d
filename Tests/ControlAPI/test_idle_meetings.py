"""Meetings without attendees end, but not while attendees wait in a replica."""

from __future__ import annotations

import asyncio
import uuid
from contextlib import suppress
from typing import Any

from ControlAPI.guests import until, visit
from ControlAPI.house import running
from ControlAPI.test_records import enrol


def test_an_empty_primary_lasts_while_its_replica_has_an_audience() -> None:
    with running(CARILLON_IDLE_MEETING_SECONDS="2") as house:
        api = house.client(house.make_key("idle"))

        def create(name: str, **members: Any) -> Any:
            return api.create_meeting(
                ClientRequestToken=str(uuid.uuid4()),
                MediaRegion="us-east-1",
                ExternalMeetingId=name,
                **members,
            )["Meeting"]

        def is_over(meeting: Any) -> bool:
            with suppress(api.exceptions.NotFoundException):
                api.get_meeting(MeetingId=meeting["MeetingId"])
                return False
            return True

        async def run() -> None:
            primary = create("primary")
            replica = create("replica", PrimaryMeetingId=primary["MeetingId"])
            async with visit(replica, enrol(api, replica, "ada")):
                empty = create("empty")
                await until("the end of a meeting that is younger", lambda: is_over(empty))
                assert not is_over(primary)
            await until("the end of the primary", lambda: is_over(primary))

        asyncio.run(run())
