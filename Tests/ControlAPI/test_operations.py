"""Every operation through the SDK of the published interface."""

from __future__ import annotations

import uuid
from itertools import chain
from typing import Any

import pytest

from ControlAPI.house import House, Key

FULL = {"Audio": "SendReceive", "Video": "SendReceive", "Content": "SendReceive"}
QUIET = {"Audio": "Receive", "Video": "Receive", "Content": "Receive"}


def test_a_meeting_is_created_found_and_deleted(api: Any, token: str) -> None:
    asked = {
        "ClientRequestToken": token,
        "MediaRegion": "eu-central-1",
        "ExternalMeetingId": "Café «x» é",
        "MeetingHostId": "host",
        "TenantIds": ["acme"],
        "MeetingFeatures": {"Attendee": {"MaxCount": 5}, "Audio": {"EchoReduction": "AVAILABLE"}},
        "Tags": [{"Key": "team", "Value": "blue"}],
    }
    answer = api.create_meeting(**asked)
    meeting = answer["Meeting"]
    assert answer["ResponseMetadata"]["HTTPStatusCode"] == 200
    assert uuid.UUID(answer["ResponseMetadata"]["RequestId"])
    assert meeting["ExternalMeetingId"] == "Café «x» é" and meeting["TenantIds"] == ["acme"]
    assert meeting["MeetingFeatures"]["Attendee"] == {"MaxCount": 5}
    assert meeting["MeetingArn"].endswith(f":meeting/{meeting['MeetingId']}")
    assert "amazonaws" not in repr(meeting["MediaPlacement"])
    assert api.create_meeting(**asked)["Meeting"] == meeting
    assert api.get_meeting(MeetingId=meeting["MeetingId"])["Meeting"] == meeting
    tags = api.list_tags_for_resource(ResourceARN=meeting["MeetingArn"])["Tags"]
    assert tags == asked["Tags"]
    deleted = api.delete_meeting(MeetingId=meeting["MeetingId"])
    assert deleted["ResponseMetadata"]["HTTPStatusCode"] == 204
    with pytest.raises(api.exceptions.NotFoundException):
        api.get_meeting(MeetingId=meeting["MeetingId"])
    with pytest.raises(api.exceptions.ResourceNotFoundException):
        api.list_tags_for_resource(ResourceARN=meeting["MeetingArn"])


def test_a_meeting_is_created_with_attendees(api: Any, token: str) -> None:
    answer = api.create_meeting_with_attendees(
        ClientRequestToken=token,
        MediaRegion="us-east-1",
        ExternalMeetingId="standup",
        MeetingFeatures={"Attendee": {"MaxCount": 2}},
        Attendees=[{"ExternalUserId": name} for name in ("ada", "ben", "cleo")],
    )
    assert [attendee["ExternalUserId"] for attendee in answer["Attendees"]] == ["ada", "ben"]
    (error,) = answer["Errors"]
    assert error["ExternalUserId"] == "cleo" and error["ErrorCode"] == "LimitExceeded"
    api.delete_meeting(MeetingId=answer["Meeting"]["MeetingId"])


def test_attendees_are_created_listed_changed_and_deleted(
    api: Any, meeting: dict[str, Any]
) -> None:
    place = {"MeetingId": meeting["MeetingId"]}
    ada = api.create_attendee(**place, ExternalUserId="ada")["Attendee"]
    assert ada["Capabilities"] == FULL and ada["JoinToken"]
    assert api.create_attendee(**place, ExternalUserId="ada")["Attendee"] == ada
    batch = api.batch_create_attendee(
        **place,
        Attendees=[{"ExternalUserId": "ada"}]
        + [{"ExternalUserId": f"user-{n}", "Capabilities": QUIET} for n in range(4)],
    )
    assert batch["Errors"] == [] and batch["Attendees"][0] == ada and len(batch["Attendees"]) == 5
    pages: list[list[Any]] = []
    more: dict[str, str] = {}
    while True:
        page = api.list_attendees(**place, MaxResults=2, **more)
        pages.append(page["Attendees"])
        if "NextToken" not in page:
            break
        more = {"NextToken": page["NextToken"]}
    assert [len(page) for page in pages] == [2, 2, 1]
    assert list(chain.from_iterable(pages)) == batch["Attendees"]
    who = {**place, "AttendeeId": ada["AttendeeId"]}
    changed = api.update_attendee_capabilities(**who, Capabilities=QUIET)["Attendee"]
    assert changed == {**ada, "Capabilities": QUIET}
    assert api.get_attendee(**who)["Attendee"] == changed
    api.batch_update_attendee_capabilities_except(
        **place,
        ExcludedAttendeeIds=[{"AttendeeId": ada["AttendeeId"]}],
        Capabilities={"Audio": "None", "Video": "None", "Content": "None"},
    )
    rights = [a["Capabilities"]["Audio"] for a in api.list_attendees(**place)["Attendees"]]
    assert rights == ["Receive", "None", "None", "None", "None"]
    assert api.delete_attendee(**who)["ResponseMetadata"]["HTTPStatusCode"] == 204
    with pytest.raises(api.exceptions.NotFoundException):
        api.delete_attendee(**who)


def test_transcription_is_started_and_stopped(api: Any, meeting: dict[str, Any]) -> None:
    place = {"MeetingId": meeting["MeetingId"]}
    settings = {"EngineTranscribeSettings": {"LanguageCode": "en-US"}}
    for _ in range(2):
        started = api.start_meeting_transcription(**place, TranscriptionConfiguration=settings)
        assert started["ResponseMetadata"]["HTTPStatusCode"] == 200
    for _ in range(2):
        stopped = api.stop_meeting_transcription(**place)
        assert stopped["ResponseMetadata"]["HTTPStatusCode"] == 200


def test_meetings_get_and_lose_tags(api: Any, meeting: dict[str, Any]) -> None:
    arn = {"ResourceARN": meeting["MeetingArn"]}
    assert api.list_tags_for_resource(**arn)["Tags"] == []
    api.tag_resource(**arn, Tags=[{"Key": "a", "Value": "1"}, {"Key": "b", "Value": ""}])
    api.tag_resource(**arn, Tags=[{"Key": "a", "Value": "2"}])
    untagged = api.untag_resource(**arn, TagKeys=["b", "none"])
    assert untagged["ResponseMetadata"]["HTTPStatusCode"] == 204
    assert api.list_tags_for_resource(**arn)["Tags"] == [{"Key": "a", "Value": "2"}]


def test_a_replica_names_its_primary_and_ends_when_the_primary_ends(
    api: Any, meeting: dict[str, Any]
) -> None:
    replica = api.create_meeting(
        ClientRequestToken=str(uuid.uuid4()),
        MediaRegion="us-east-1",
        ExternalMeetingId="audience",
        PrimaryMeetingId=meeting["MeetingId"],
    )["Meeting"]
    assert replica["PrimaryMeetingId"] == meeting["MeetingId"]
    api.delete_meeting(MeetingId=meeting["MeetingId"])
    with pytest.raises(api.exceptions.NotFoundException):
        api.get_meeting(MeetingId=replica["MeetingId"])


@pytest.mark.parametrize("region", ["us-east-1", "eu-west-1", "ap-northeast-2"])
def test_a_request_may_be_signed_for_any_region(
    house: House, key: Key, meeting: dict[str, Any], region: str
) -> None:
    found = house.client(key, region).get_meeting(MeetingId=meeting["MeetingId"])
    assert found["Meeting"] == meeting
