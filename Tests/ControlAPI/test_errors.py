"""Every error of the interface, as raised by the SDK."""

from __future__ import annotations

import uuid
from collections.abc import Callable
from typing import Any

import pytest
from botocore.exceptions import ClientError

from ControlAPI.house import House

NOBODY = "00000000-0000-4000-8000-000000000000"
ARN = "arn:aws:chime:us-east-1:000000000000:meeting/"
CAPABILITIES = {"Audio": "SendReceive", "Video": "SendReceive", "Content": "SendReceive"}
ENGLISH = {"EngineTranscribeSettings": {"LanguageCode": "en-US"}}


def refused(call: Callable[..., Any], name: str, status: int, **arguments: Any) -> dict[str, Any]:
    """Checks that the gateway refuses a call with this error, and returns the response."""
    with pytest.raises(ClientError) as caught:
        call(**arguments)
    answer: dict[str, Any] = caught.value.response
    assert answer["Error"]["Code"] == name, answer
    assert answer["ResponseMetadata"]["HTTPStatusCode"] == status
    assert answer["Error"]["Message"]
    header = answer["ResponseMetadata"]["HTTPHeaders"]["x-amzn-requestid"]
    assert header == answer["ResponseMetadata"]["RequestId"]
    return answer


def meeting_request(**members: Any) -> dict[str, Any]:
    request = {
        "ClientRequestToken": str(uuid.uuid4()),
        "MediaRegion": "us-east-1",
        "ExternalMeetingId": "standup",
    }
    request |= members
    return {name: value for name, value in request.items() if value is not None}


BAD_MEETINGS: list[dict[str, Any]] = [
    {"ClientRequestToken": "x"},
    {"ClientRequestToken": "no spaces"},
    {"MediaRegion": "moon-1"},
    {"MediaRegion": None},
    {"ExternalMeetingId": "aws:x"},
    {"ExternalMeetingId": "x" * 65},
    {"ExternalMeetingId": "zero\0byte"},
    {"MeetingHostId": "a"},
    {"PrimaryMeetingId": NOBODY},
    {"TenantIds": []},
    {"TenantIds": ["aaaa"]},
    {"Tags": [{"Key": "aws:x", "Value": ""}]},
    {"Tags": [{"Key": f"k{n}", "Value": ""} for n in range(51)]},
    {"Tags": [{"Key": "k", "Value": "1"}, {"Key": "k", "Value": "2"}]},
    {"MeetingFeatures": {"Attendee": {"MaxCount": 251}}},
    {"MeetingFeatures": {"Video": {"MaxResolution": "UHD"}}},
    {"MeetingFeatures": {"Content": {"MaxResolution": "HD"}}},
    {"MediaPlacementNetworkType": "Ipv6"},
    {"NotificationsConfiguration": {"SnsTopicArn": "x"}},
]


@pytest.mark.parametrize("members", BAD_MEETINGS, ids=repr)
def test_an_invalid_meeting_is_a_bad_request_and_creates_nothing(
    house: House, api: Any, members: dict[str, Any]
) -> None:
    before = house.store()
    refused(api.create_meeting, "BadRequestException", 400, **meeting_request(**members))
    attendees = [{"ExternalUserId": "ada"}]
    request = meeting_request(**members, Attendees=attendees)
    refused(api.create_meeting_with_attendees, "BadRequestException", 400, **request)
    assert house.store() == before


@pytest.mark.parametrize("count", [0, 21])
def test_a_meeting_is_created_with_one_to_twenty_attendees(api: Any, count: int) -> None:
    attendees = [{"ExternalUserId": f"user-{n}"} for n in range(count)]
    request = meeting_request(Attendees=attendees)
    refused(api.create_meeting_with_attendees, "BadRequestException", 400, **request)


def test_one_request_token_for_two_different_requests_is_a_conflict(
    api: Any, meeting: dict[str, Any], token: str
) -> None:
    request = meeting_request(ClientRequestToken=token, ExternalMeetingId="other")
    refused(api.create_meeting, "ConflictException", 409, **request)
    with_attendees = request | {"Attendees": [{"ExternalUserId": "ada"}]}
    refused(api.create_meeting_with_attendees, "ConflictException", 409, **with_attendees)


def test_a_primary_has_at_most_four_replicas(api: Any, meeting: dict[str, Any]) -> None:
    primary = meeting["MeetingId"]
    replicas = [
        api.create_meeting(**meeting_request(PrimaryMeetingId=primary))["Meeting"]["MeetingId"]
        for _ in range(4)
    ]
    fifth = meeting_request(PrimaryMeetingId=primary)
    refused(api.create_meeting, "LimitExceededException", 400, **fifth)
    nested = meeting_request(PrimaryMeetingId=replicas[0])
    refused(api.create_meeting, "BadRequestException", 400, **nested)
    refused(
        api.start_meeting_transcription,
        "UnprocessableEntityException",
        422,
        MeetingId=replicas[0],
        TranscriptionConfiguration=ENGLISH,
    )


def calls_on(meeting: str, attendee: str) -> list[tuple[str, dict[str, Any]]]:
    """Returns every operation that requires an existing meeting."""
    place, who = {"MeetingId": meeting}, {"MeetingId": meeting, "AttendeeId": attendee}
    return [
        ("get_meeting", place),
        ("delete_meeting", place),
        ("create_attendee", place | {"ExternalUserId": "ada"}),
        ("batch_create_attendee", place | {"Attendees": [{"ExternalUserId": "ada"}]}),
        ("list_attendees", place),
        ("get_attendee", who),
        ("delete_attendee", who),
        ("update_attendee_capabilities", who | {"Capabilities": CAPABILITIES}),
        (
            "batch_update_attendee_capabilities_except",
            place | {"ExcludedAttendeeIds": [{"AttendeeId": NOBODY}], "Capabilities": CAPABILITIES},
        ),
        ("start_meeting_transcription", place | {"TranscriptionConfiguration": ENGLISH}),
        ("stop_meeting_transcription", place),
    ]


@pytest.mark.parametrize("index", range(11))
def test_an_unknown_meeting_or_attendee_is_not_found(api: Any, index: int) -> None:
    name, arguments = calls_on(NOBODY, NOBODY)[index]
    refused(getattr(api, name), "NotFoundException", 404, **arguments)
    name, arguments = calls_on("no-guid", NOBODY)[index]
    refused(getattr(api, name), "BadRequestException", 400, **arguments)


def test_an_attendee_of_another_meeting_is_not_found(api: Any, meeting: dict[str, Any]) -> None:
    other = api.create_meeting(**meeting_request())["Meeting"]["MeetingId"]
    ada = api.create_attendee(MeetingId=other, ExternalUserId="ada")["Attendee"]["AttendeeId"]
    for name in ("get_attendee", "delete_attendee"):
        who = {"MeetingId": meeting["MeetingId"], "AttendeeId": ada}
        refused(getattr(api, name), "NotFoundException", 404, **who)
    api.delete_meeting(MeetingId=other)


def test_a_full_meeting_accepts_no_more_attendees(api: Any) -> None:
    request = meeting_request(MeetingFeatures={"Attendee": {"MaxCount": 1}})
    place = {"MeetingId": api.create_meeting(**request)["Meeting"]["MeetingId"]}
    api.create_attendee(**place, ExternalUserId="ada")
    refused(api.create_attendee, "LimitExceededException", 400, **place, ExternalUserId="ben")
    api.create_attendee(**place, ExternalUserId="ada")
    batch = api.batch_create_attendee(**place, Attendees=[{"ExternalUserId": "ben"}])
    assert [error["ErrorCode"] for error in batch["Errors"]] == ["LimitExceeded"]
    api.delete_meeting(**place)


@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        ("create_attendee", {"ExternalUserId": "a"}),
        ("create_attendee", {"ExternalUserId": "ada", "Capabilities": {"Audio": "Send"}}),
        (
            "create_attendee",
            {"ExternalUserId": "ada", "Capabilities": CAPABILITIES | {"Video": "Send"}},
        ),
        ("batch_create_attendee", {"Attendees": []}),
        (
            "batch_create_attendee",
            {"Attendees": [{"ExternalUserId": f"user-{n}"} for n in range(101)]},
        ),
        (
            "batch_create_attendee",
            {"Attendees": [{"ExternalUserId": "ada"}, {"ExternalUserId": "AWS:x"}]},
        ),
        ("list_attendees", {"MaxResults": 0}),
        ("list_attendees", {"MaxResults": 101}),
        ("list_attendees", {"NextToken": "forged"}),
        ("get_attendee", {"AttendeeId": "ada"}),
        (
            "batch_update_attendee_capabilities_except",
            {"ExcludedAttendeeIds": [], "Capabilities": CAPABILITIES},
        ),
        ("start_meeting_transcription", {"TranscriptionConfiguration": {}}),
        (
            "start_meeting_transcription",
            {"TranscriptionConfiguration": {"EngineTranscribeSettings": {"LanguageCode": "xx"}}},
        ),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_an_invalid_value_is_a_bad_request(
    house: House, api: Any, meeting: dict[str, Any], name: str, arguments: dict[str, Any]
) -> None:
    before = house.store()
    place = {"MeetingId": meeting["MeetingId"]}
    refused(getattr(api, name), "BadRequestException", 400, **place, **arguments)
    assert house.store() == before


def tag_calls(arn: str) -> list[tuple[str, dict[str, Any]]]:
    return [
        ("tag_resource", {"ResourceARN": arn, "Tags": [{"Key": "k", "Value": "v"}]}),
        ("untag_resource", {"ResourceARN": arn, "TagKeys": ["k"]}),
        ("list_tags_for_resource", {"ResourceARN": arn}),
    ]


@pytest.mark.parametrize(
    "arn",
    [ARN + NOBODY, f"arn:aws:chime:us-east-1:111111111111:meeting/{NOBODY}", "arn:aws:s3:::x"],
)
def test_the_tags_of_an_unknown_meeting_are_not_found(api: Any, arn: str) -> None:
    for name, arguments in tag_calls(arn):
        answer = refused(getattr(api, name), "ResourceNotFoundException", 404, **arguments)
        assert answer["ResourceName"] == arn


def test_tags_have_limits(api: Any, meeting: dict[str, Any]) -> None:
    for name, arguments in tag_calls("meeting"):
        refused(getattr(api, name), "BadRequestException", 400, **arguments)
    arn = meeting["MeetingArn"]
    fifty = [{"Key": f"k{n}", "Value": ""} for n in range(50)]
    api.tag_resource(ResourceARN=arn, Tags=fifty)
    more = [{"Key": "k0", "Value": "changed"}, {"Key": "more", "Value": ""}]
    answer = refused(api.tag_resource, "TooManyTagsException", 400, ResourceARN=arn, Tags=more)
    assert answer["ResourceName"] == arn
    tags = api.list_tags_for_resource(ResourceARN=arn)["Tags"]
    assert sorted(tags, key=repr) == sorted(fifty, key=repr)
