"""Capabilities of attendees, in every kind of meeting and with every operation that sets them."""

from __future__ import annotations

import itertools
import uuid
from collections.abc import Iterator
from functools import partial
from typing import Any

import pytest
from botocore.exceptions import ClientError

from ControlAPI.house import House

VALUES = ("SendReceive", "Send", "Receive", "None")
RECEIVING = ("SendReceive", "Receive")
FEATURES: dict[str, dict[str, Any]] = {
    "all": {},
    "no video": {"Video": {"MaxResolution": "None"}},
    "no content": {"Content": {"MaxResolution": "None"}},
    "neither": {"Video": {"MaxResolution": "None"}, "Content": {"MaxResolution": "None"}},
}
DEFAULTS = {
    "all": ("SendReceive", "SendReceive"),
    "no video": ("Receive", "SendReceive"),
    "no content": ("SendReceive", "None"),
    "neither": ("None", "None"),
}


def is_allowed(features: str, video: str, content: str) -> bool:
    """Returns whether the three rules of the interface allow these capabilities."""
    if content in RECEIVING and video not in RECEIVING:
        return False
    if features in ("no video", "neither") and video != "None":
        return False
    return features not in ("no content", "neither") or content == "None"


def new(features: str) -> dict[str, Any]:
    return {
        "ClientRequestToken": str(uuid.uuid4()),
        "MediaRegion": "us-east-1",
        "ExternalMeetingId": "rights",
        "MeetingFeatures": FEATURES[features],
    }


@pytest.fixture(params=FEATURES)
def place(request: pytest.FixtureRequest, api: Any) -> Iterator[tuple[str, str]]:
    """Creates a meeting and yields its features and its id."""
    meeting = api.create_meeting(**new(request.param))["Meeting"]["MeetingId"]
    yield request.param, meeting
    api.delete_meeting(MeetingId=meeting)


def test_an_attendee_without_a_request_for_capabilities_gets_the_defaults(
    api: Any, place: tuple[str, str]
) -> None:
    features, meeting = place
    made = api.create_attendee(MeetingId=meeting, ExternalUserId="ada")["Attendee"]
    video, content = DEFAULTS[features]
    assert made["Capabilities"] == {"Audio": "SendReceive", "Video": video, "Content": content}


def test_a_request_sets_the_permitted_capabilities_and_leaves_the_others_unchanged(
    house: House, api: Any, place: tuple[str, str]
) -> None:
    features, meeting = place
    ada = api.create_attendee(MeetingId=meeting, ExternalUserId="ada")["Attendee"]
    who = {"MeetingId": meeting, "AttendeeId": ada["AttendeeId"]}
    nobody = [{"AttendeeId": str(uuid.uuid4())}]
    for video, content in itertools.product(VALUES, VALUES):
        asked = {"Audio": "Receive", "Video": video, "Content": content}
        item = {"ExternalUserId": f"{video}-{content}", "Capabilities": asked}
        batch = [{"ExternalUserId": "fine"}, item]
        calls = [
            partial(api.update_attendee_capabilities, **who, Capabilities=asked),
            partial(
                api.batch_update_attendee_capabilities_except,
                MeetingId=meeting,
                ExcludedAttendeeIds=nobody,
                Capabilities=asked,
            ),
            partial(api.create_attendee, MeetingId=meeting, **item),
            partial(api.batch_create_attendee, MeetingId=meeting, Attendees=batch),
        ]
        if is_allowed(features, video, content):
            for call in calls:
                call()
            assert api.get_attendee(**who)["Attendee"]["Capabilities"] == asked
            found = api.create_attendee(MeetingId=meeting, ExternalUserId=item["ExternalUserId"])
            assert found["Attendee"]["Capabilities"] == asked
            continue
        made = partial(api.create_meeting_with_attendees, **new(features), Attendees=[item])
        before = house.store()
        for call in (*calls, made):
            with pytest.raises(ClientError) as caught:
                call()
            assert caught.value.response["Error"]["Code"] == "BadRequestException", asked
        assert house.store() == before
