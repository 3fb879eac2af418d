"""Responses of the control API, checked against the shapes in the vendor's SDK."""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import datetime
from typing import Any

import pytest
from botocore.model import ListShape, MapShape, Shape, StringShape, StructureShape

from ControlAPI.house import House, Key

# The members of an answer that the vendor's SDK does not know. `GatewayUrl` is the address for
# clients over ZeroMQ.
OURS = {"GatewayUrl"}

SCALARS: dict[str, type | tuple[type, ...]] = {
    "string": str,
    "boolean": bool,
    "integer": int,
    "long": int,
    "float": (int, float),
    "double": (int, float),
}


def faults(shape: Shape, value: Any, path: str = "") -> Iterator[str]:
    """Yields the places where a JSON value differs from its shape."""
    if isinstance(shape, StructureShape):
        yield from structure_faults(shape, value, path)
    elif isinstance(shape, ListShape):
        if not isinstance(value, list):
            yield f"{path} is no list"
            return
        for index, item in enumerate(value):
            yield from faults(shape.member, item, f"{path}[{index}]")
    elif isinstance(shape, MapShape):
        for name, item in value.items():
            yield from faults(shape.value, item, f"{path}.{name}")
    elif shape.type_name == "timestamp":
        datetime.fromisoformat(value)
    elif not isinstance(value, SCALARS[shape.type_name]):
        yield f"{path} is a {type(value).__name__} and no {shape.type_name}"
    elif isinstance(shape, StringShape) and shape.enum and value not in shape.enum:
        yield f"{path} is {value!r}, which is none of {shape.enum}"


def structure_faults(shape: StructureShape, value: Any, path: str) -> Iterator[str]:
    if not isinstance(value, dict):
        yield f"{path} is no object"
        return
    members = {
        member.serialization.get("name", name): member for name, member in shape.members.items()
    }
    for name in value.keys() - members.keys() - OURS:
        yield f"{path}.{name} is not in {shape.name}"
    for name in set(shape.required_members) - value.keys():
        yield f"{path}.{name} is missing"
    for name in value.keys() & members.keys():
        yield from faults(members[name], value[name], f"{path}.{name}")


@pytest.fixture
def seen(house: House, key: Key) -> tuple[Any, dict[str, list[str]]]:
    """Returns a client, and the faults of the responses that the client received, by operation."""
    client = house.client(key)
    found: dict[str, list[str]] = {}

    def look(http_response: Any, model: Any, **_: Any) -> None:
        problems = found.setdefault(model.name, [])
        if http_response.status_code >= 300:
            return
        if model.output_shape is None or not model.output_shape.members:
            return
        problems += faults(model.output_shape, json.loads(http_response.content))

    client.meta.events.register("after-call.chime-sdk-meetings", look)
    return client, found


def test_every_answer_has_a_shape_that_the_sdk_knows(
    seen: tuple[Any, dict[str, list[str]]],
) -> None:
    api, found = seen
    made = api.create_meeting_with_attendees(
        ClientRequestToken="shapes-with-attendees",
        MediaRegion="us-east-1",
        ExternalMeetingId="shapes",
        TenantIds=["tenant"],
        Tags=[{"Key": "a", "Value": "1"}],
        MeetingFeatures={
            "Audio": {"EchoReduction": "AVAILABLE"},
            "Video": {"MaxResolution": "HD"},
            "Content": {"MaxResolution": "FHD"},
            "Attendee": {"MaxCount": 10},
        },
        Attendees=[{"ExternalUserId": "ada"}, {"ExternalUserId": "bob"}],
    )
    meeting = made["Meeting"]
    place = {"MeetingId": meeting["MeetingId"]}
    who = {**place, "AttendeeId": made["Attendees"][0]["AttendeeId"]}
    arn = {"ResourceARN": meeting["MeetingArn"]}
    rights = {"Audio": "Send", "Video": "SendReceive", "Content": "Receive"}
    replica = api.create_meeting(
        ClientRequestToken="shapes-of-a-replica",
        MediaRegion="us-east-1",
        ExternalMeetingId="shapes",
        PrimaryMeetingId=meeting["MeetingId"],
    )["Meeting"]
    api.get_meeting(**place)
    api.create_attendee(**place, ExternalUserId="cleo", Capabilities=rights)
    api.batch_create_attendee(**place, Attendees=[{"ExternalUserId": f"u{n}"} for n in range(9)])
    api.get_attendee(**who)
    api.list_attendees(**place, MaxResults=1)
    api.update_attendee_capabilities(**who, Capabilities=rights)
    api.batch_update_attendee_capabilities_except(
        **place, ExcludedAttendeeIds=[{"AttendeeId": who["AttendeeId"]}], Capabilities=rights
    )
    api.start_meeting_transcription(
        **place,
        TranscriptionConfiguration={"EngineTranscribeSettings": {"LanguageCode": "en-US"}},
    )
    api.stop_meeting_transcription(**place)
    api.tag_resource(**arn, Tags=[{"Key": "b", "Value": "2"}])
    api.list_tags_for_resource(**arn)
    api.untag_resource(**arn, TagKeys=["a"])
    api.delete_attendee(**who)
    api.delete_meeting(MeetingId=replica["MeetingId"])
    api.delete_meeting(**place)
    assert {name: wrong for name, wrong in found.items() if wrong} == {}
    # The test called all sixteen operations of the SDK.
    assert set(found) == set(api.meta.service_model.operation_names)
