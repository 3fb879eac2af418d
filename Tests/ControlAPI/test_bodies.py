"""Malformed bodies and paths in validly signed requests change nothing."""

from __future__ import annotations

import json
import uuid

import pytest

from ControlAPI.house import House, Key
from ControlAPI.signed import sign

NOT_JSON = "SerializationException"
BAD = "BadRequestException"
GOOD = {"MediaRegion": "us-east-1", "ExternalMeetingId": "broken", "ClientRequestToken": "broken-1"}


def with_member(name: str, value: str) -> bytes:
    """Returns a valid body with one more member, whose value is raw JSON."""
    return (json.dumps(GOOD)[:-1] + f', "{name}": {value}}}').encode()


@pytest.mark.parametrize(
    ("body", "error"),
    [
        (b"x", NOT_JSON),
        (b"[]", NOT_JSON),
        (b"{", NOT_JSON),
        (b'"text"', NOT_JSON),
        (b"{}{}", NOT_JSON),
        (with_member("MeetingHostId", '"\xff"').replace(b"\xc3\xbf", b"\xff"), NOT_JSON),
        (with_member("MeetingHostId", '"\\ud800"'), NOT_JSON),
        (with_member("MeetingHostId", '"a\0b"'), NOT_JSON),
        (with_member("MeetingHostId", '"a\\u0000b"'), BAD),
        (with_member("Unknown", '["\\u0000"]'), BAD),
        (with_member("Unknown", "[" * 200_000), NOT_JSON),
        (with_member("MediaRegion", '"us-east-1"'), NOT_JSON),
        (with_member("TenantIds", '"acme"'), BAD),
        (with_member("MeetingFeatures", '{"Attendee": {"MaxCount": 2.5}}'), BAD),
        (with_member("MeetingFeatures", '{"Attendee": {"MaxCount": "5"}}'), BAD),
        (with_member("MeetingFeatures", '{"Attendee": {"MaxCount": true}}'), BAD),
        (with_member("MeetingFeatures", '{"Attendee": {"MaxCount": 99999999999999999999}}'), BAD),
    ],
)
def test_a_broken_body_creates_no_meeting(house: House, key: Key, body: bytes, error: str) -> None:
    before = house.store()
    sign(house, key, body=body).is_refused_as(error, 400)
    assert house.store() == before


def test_a_body_with_another_content_type_creates_no_meeting(house: House, key: Key) -> None:
    before = house.store()
    for kind in ("text/plain", "application/x-www-form-urlencoded", "application/jsonx"):
        request = sign(house, key, headers={"Content-Type": kind})
        request.is_refused_as("UnsupportedMediaTypeException", 415)
    assert house.store() == before
    sign(house, key, body=b"").is_refused_as(NOT_JSON, 400)


def test_the_gateway_rejects_a_too_large_body_before_it_checks_the_signature(
    house: House, key: Key
) -> None:
    request = sign(house, key)
    del request.headers["Authorization"]
    request.headers["Content-Length"] = str((1 << 20) + 1)
    request.is_refused_as("RequestEntityTooLargeException", 413)


@pytest.mark.parametrize(
    "target",
    [
        *("/", "/meetings/", "//meetings", "/meetings?operation=none", "/..%2f..%2fetc/passwd"),
        *("/tags", "/tags?operation=tag", f"/meetings/x/../{uuid.UUID(int=0)}"),
    ],
)
def test_a_request_for_an_unknown_operation_does_not_run_a_similar_operation(
    house: House, key: Key, target: str
) -> None:
    request = sign(house, key, target=target)
    request.is_refused_as("UnknownOperationException", 404)
