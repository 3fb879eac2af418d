"""Rules of the interface that typed clients hide: raw requests, signed by hand."""

from __future__ import annotations

import http.client
import json
import sqlite3
import urllib.parse
import uuid
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from ControlAPI.gateways import gateways
from ControlAPI.house import House, Key, running
from ControlAPI.signed import Signed, sign

Answer = tuple[int, dict[str, str], dict[str, Any]]
ARN = "arn:aws:chime:us-east-1:000000000000:meeting/"


class Caller:
    """Sends signed requests and checks the status of the response."""

    def __init__(self, house: House, key: Key) -> None:
        self._house = house
        self._key = key

    def request(self, method: str, target: str, body: Any = None) -> Signed:
        packed = b"" if body is None else body if isinstance(body, bytes) else _pack(body)
        return sign(self._house, self._key, method=method, target=target, body=packed)

    def __call__(self, method: str, target: str, body: Any = None) -> Answer:
        return self.request(method, target, body).send()

    def ok(self, method: str, target: str, body: Any = None) -> dict[str, Any]:
        status, headers, answer = self(method, target, body)
        assert status in (200, 204), (headers, answer)
        return answer

    def error(self, method: str, target: str, body: Any = None) -> tuple[int, str]:
        status, headers, answer = self(method, target, body)
        assert status >= 400, answer
        name = headers["x-amzn-errortype"]
        assert name.removesuffix("Exception") == answer["Code"]
        return status, name

    def meeting(self, **members: Any) -> dict[str, Any]:
        made: dict[str, Any] = self.ok("POST", "/meetings", new(**members))["Meeting"]
        return made


def _pack(body: Any) -> bytes:
    return json.dumps(body, ensure_ascii=False).encode()


def new(**members: Any) -> dict[str, Any]:
    return {
        "ClientRequestToken": str(uuid.uuid4()),
        "MediaRegion": "us-east-1",
        "ExternalMeetingId": "rules",
    } | members


BAD = (400, "BadRequestException")
NOT_FOUND = (404, "NotFoundException")
CONFLICT = (409, "ConflictException")
FULL = (400, "LimitExceededException")
NO_ARN = (404, "ResourceNotFoundException")


@pytest.fixture(scope="module")
def call(house: House, key: Key) -> Caller:
    return Caller(house, key)


@pytest.fixture
def place(call: Caller) -> Iterator[str]:
    meeting = call.meeting()["MeetingId"]
    yield f"/meetings/{meeting}"
    call("DELETE", f"/meetings/{meeting}")


# Transport


def test_answers_have_the_right_headers_with_and_without_a_body(call: Caller, place: str) -> None:
    seen = set()
    for method, target, status in (
        ("GET", place, 200),
        ("GET", "/meetings/x", 400),
        ("POST", f"{place}/transcription?operation=stop", 200),
        ("DELETE", place, 204),
        ("DELETE", place, 404),
    ):
        got, headers, answer = call(method, target)
        assert got == status
        seen.add(headers["x-amzn-requestid"])
        assert uuid.UUID(headers["x-amzn-requestid"])
        assert ("content-length" in headers) == (status != 204)
        assert ("x-amzn-errortype" in headers) == (status >= 400)
        assert (headers.get("content-type") == "application/json") == bool(answer)
        assert "content-encoding" not in headers
    assert len(seen) == 5


def test_null_equals_an_absent_value_and_unknown_members_are_ignored(call: Caller) -> None:
    members = {"Tags": None, "TenantIds": None, "PrimaryMeetingId": None, "MeetingFeatures": None}
    asked = new(**members, Unknown={"deep": [None, 1.5e3, "x"]})
    made = call.ok("POST", "/meetings?unknown=1", asked)["Meeting"]
    assert "PrimaryMeetingId" not in made and made["TenantIds"] == []
    # The same request in a different JSON notation.
    plain = {name: value for name, value in reversed(asked.items()) if value is not None}
    assert call.ok("POST", "/meetings", json.dumps(plain, indent=4).encode())["Meeting"] == made
    assert call.error("POST", "/meetings", new(MediaRegion=None)) == BAD
    # Names are case-sensitive.
    assert call.error("POST", "/meetings", new(MediaRegion=None, mediaRegion="us-east-1")) == BAD
    assert None not in _values(made)


def _values(value: Any) -> list[Any]:
    if isinstance(value, dict):
        return [found for each in value.values() for found in _values(each)]
    return (
        [found for each in value for found in _values(each)] if isinstance(value, list) else [value]
    )


def test_escaped_text_equals_raw_text(call: Caller) -> None:
    asked = new(ExternalMeetingId="é" * 64)
    escaped = json.dumps(asked).encode()
    assert len(escaped) > len(_pack(asked))
    first = call.ok("POST", "/meetings", escaped)["Meeting"]
    assert first == call.ok("POST", "/meetings", _pack(asked))["Meeting"]
    assert first["ExternalMeetingId"] == "é" * 64
    assert call.error("POST", "/meetings", new(ExternalMeetingId="é" * 65)) == BAD
    # The server rejects the decomposed letter.
    assert call.error("POST", "/meetings", new(ExternalMeetingId="e\u0301e")) == BAD


@pytest.mark.parametrize(
    ("method", "target"),
    [
        ("PUT", "/meetings"),
        ("GET", "/meetings"),
        ("POST", "/meetings/{id}"),
        ("POST", "/meetings?operation=create_attendees"),
        ("POST", "/meetings?operation=batch-create"),
        ("POST", "/meetings/{id}/attendees?operation=create-attendees"),
        ("PUT", "/meetings/{id}/attendees/capabilities"),
        ("PUT", "/meetings/{id}/attendees/capabilities?operation=Batch-Update-Except"),
        ("POST", "/meetings/{id}/transcription"),
        ("POST", "/meetings/{id}/attendees/"),
        ("GET", "/meetings//{id}"),
        ("GET", "/meetings/./{id}"),
        ("GET", "/meetings/x/../{id}"),
        ("GET", "/Meetings/{id}"),
        ("POST", "/tags"),
    ],
)
def test_a_path_that_is_similar_to_an_operation_is_unknown(
    call: Caller, place: str, method: str, target: str
) -> None:
    wanted = target.replace("{id}", place.removeprefix("/meetings/"))
    # The server checks the operation before it reads the body.
    body = None if method == "GET" else b"no JSON"
    assert call.error(method, wanted, body) == (404, "UnknownOperationException")


def test_a_query_is_decoded_only_once(call: Caller, place: str) -> None:
    assert call.error("GET", f"{place}/attendees?max-results=%2B5") == BAD
    for sent, named in (("%2B", "+"), ("%2520", "%20"), ("%20", " ")):
        _, _, answer = call("GET", f"/tags?arn={urllib.parse.quote(ARN, safe='')}{sent}")
        assert answer.get("ResourceName") == ARN + named


# Scalars


@pytest.mark.parametrize(
    ("member", "taken", "refused"),
    [
        ("ClientRequestToken", ["ab", "-_", "a" * 64], ["a", "a" * 65, "a.b", "a b", "é" * 3]),
        (
            "ExternalMeetingId",
            [" \t\n\v\f\r", "\u00d7÷", "«»", "-_&@+=,(){}[]/.:|'\"#", "awsx", "x aws:"],
            [*"!$%*;<>?\\^`~", "aws:", "AwS:x", "日本", "ж" * 2, "😀😀", "a\u0085b", "a\u00a0b"],
        ),
        ("MeetingHostId", ["ab"], ["a", "a" * 65, "AWS:x", "", 5, True, {}, []]),
        ("MediaRegion", ["us-gov-west-1", "eu-south-1"], ["US-EAST-1", "us-east-1 ", "x" * 65]),
        (
            "TenantIds",
            [["aaab"], ["-_!@#$a"], ["ab"] * 5, ["x" * 2 + "y" * 3]],
            [[], ["aaaa"], ["a"], ["ab"] * 6, ["a b"], [None], [5], "ab", ["ab" * 129]],
        ),
        ("MediaPlacementNetworkType", ["Ipv4Only", "DualStack"], ["ipv4Only", "", 4]),
        (
            "NotificationsConfiguration",
            [{}, {"SnsTopicArn": "arn:aws:sns:x"}, {"LambdaFunctionArn": "arn/"}],
            [{"SqsQueueArn": "arn"}, {"SnsTopicArn": ""}, {"SnsTopicArn": "arn:" + "a" * 1021}, []],
        ),
        (
            "MeetingFeatures",
            [
                {},
                {"Attendee": {"MaxCount": 250}},
                {"Video": {"MaxResolution": "FHD"}},
                {"Audio": {}},
            ],
            [
                {"Attendee": {"MaxCount": 0}},
                {"Attendee": {"MaxCount": -1}},
                {"Attendee": {"MaxCount": 5.0}},
                {"Attendee": {"MaxCount": 1 << 64}},
                {"Video": {"MaxResolution": "UHD"}},
                {"Content": {"MaxResolution": "HD"}},
                {"Video": {"MaxResolution": "none"}},
                {"Audio": {"EchoReduction": "available"}},
                {"Audio": []},
            ],
        ),
        (
            "Tags",
            [
                [],
                [{"Key": "aZ0+,-./:;<=_", "Value": ""}],
                [{"Key": "k" * 128, "Value": "v" * 256}],
                [{"Key": "k", "Value": "a @\t\n"}, {"Key": "K", "Value": ""}],
            ],
            [
                [{"Key": "", "Value": ""}],
                [{"Key": "k" * 129, "Value": ""}],
                [{"Key": "k", "Value": "v" * 257}],
                *([{"Key": f"a{each}", "Value": ""}] for each in " @*#>?é"),
                *([{"Key": "k", "Value": each}] for each in ("*", "#", "é")),
                [{"Key": "AWS:k", "Value": ""}],
                [{"Key": "k"}],
                [{"Value": "k"}],
                [{"Key": "k", "Value": None}],
            ],
        ),
    ],
)
def test_the_gateway_validates_whole_values(
    call: Caller, member: str, taken: list[Any], refused: list[Any]
) -> None:
    for value in taken:
        # A token refers to its meeting until the deletion of the meeting.
        made = call.meeting(**{member: value})
        call.ok("DELETE", f"/meetings/{made['MeetingId']}")
        if isinstance(value, str) and member in made:
            assert made[member] == value
    for value in refused:
        assert call.error("POST", "/meetings", new(**{member: value})) == BAD, value


def test_an_answer_has_the_effective_features(call: Caller) -> None:
    standard = {
        "Audio": {"EchoReduction": "UNAVAILABLE"},
        "Video": {"MaxResolution": "HD"},
        "Content": {"MaxResolution": "FHD"},
        "Attendee": {"MaxCount": 250},
    }
    assert call.meeting()["MeetingFeatures"] == standard
    for given in ({"Video": {"MaxResolution": "FHD"}}, {"Content": {"MaxResolution": "UHD"}}):
        expected = standard | given | {"Attendee": {"MaxCount": 25}}
        assert call.meeting(MeetingFeatures=given)["MeetingFeatures"] == expected
        explicit: dict[str, Any] = given | {"Attendee": {"MaxCount": 250}}
        assert call.meeting(MeetingFeatures=explicit)["MeetingFeatures"] == standard | explicit


# The members of a meeting


def test_a_new_meeting_has_everything_that_clients_need(call: Caller, house: House) -> None:
    made = call.meeting(MediaRegion="eu-west-3")
    place, host = made["MediaPlacement"], urllib.parse.urlsplit(house.url).netloc
    assert made["MeetingArn"] == ARN + made["MeetingId"] == ARN + made["MeetingId"].lower()
    assert made["MediaRegion"] == "eu-west-3" and "MeetingHostId" not in made
    assert "://" not in place["AudioHostUrl"] and place["AudioHostUrl"].rpartition(":")[2].isdigit()
    assert place["SignalingUrl"] == f"ws://{host}/control/{made['MeetingId']}"
    assert place["AudioFallbackUrl"] == f"ws://{host}/calls/{made['MeetingId']}"
    assert place["TurnControlUrl"] == f"http://{host}/v2/turn_sessions"
    assert place["EventIngestionUrl"] == f"http://{host}/v1/client-events"
    assert not [name for name in place if name.startswith("Screen")]
    # Ids are case-insensitive.
    upper = f"/meetings/{made['MeetingId'].upper()}"
    assert call.ok("GET", upper)["Meeting"] == made


# Operations and idempotency


def test_lists_of_attendees_have_page_tokens(call: Caller, place: str) -> None:
    items = [{"ExternalUserId": f"user-{n:03}"} for n in range(100)]
    call.ok("POST", f"{place}/attendees?operation=batch-create", {"Attendees": items})
    whole = call.ok("GET", f"{place}/attendees")
    assert len(whole["Attendees"]) == 100 and "NextToken" not in whole
    call.ok("POST", f"{place}/attendees", {"ExternalUserId": "last"})
    first = call.ok("GET", f"{place}/attendees?max-results=40")
    token = urllib.parse.quote(first["NextToken"], safe="")
    # The test deletes the last attendee of the first page and the first attendee of the next page.
    # The next page then neither skips nor repeats another attendee.
    for gone in (whole["Attendees"][39], whole["Attendees"][40]):
        call.ok("DELETE", f"{place}/attendees/{gone['AttendeeId']}")
    rest = call.ok("GET", f"{place}/attendees?next-token={token}")
    names = [each["ExternalUserId"] for each in rest["Attendees"]]
    assert names == [f"user-{n:03}" for n in range(41, 100)] + ["last"]
    assert "NextToken" not in rest
    other = f"/meetings/{call.meeting()['MeetingId']}/attendees"
    assert call.error("GET", f"{other}?next-token={token}") == BAD
    for bad in (
        "max-results=",
        "max-results=0",
        "max-results=101",
        "max-results=5.0",
        "max-results=x",
    ):
        assert call.error("GET", f"{place}/attendees?{bad}") == BAD, bad
    for bad in ("next-token=", f"next-token={token[:-1]}", "max-results=5&max-results=6"):
        assert call.error("GET", f"{place}/attendees?{bad}") == BAD, bad
    assert call.ok("GET", other) == {"Attendees": []}


def test_an_external_user_id_identifies_one_attendee_only_within_a_meeting(
    call: Caller, place: str
) -> None:
    twice = [{"ExternalUserId": "ada"}, {"ExternalUserId": "ben"}, {"ExternalUserId": "ada"}]
    batch = call.ok("POST", f"{place}/attendees?operation=batch-create", {"Attendees": twice})
    assert [each["ExternalUserId"] for each in batch["Attendees"]] == ["ada", "ben"]
    ada = batch["Attendees"][0]
    listening = {"Audio": "Receive", "Video": "Receive", "Content": "Receive"}
    asked = {"ExternalUserId": "ada", "Capabilities": listening}
    # A repeated request does not change the attendee's capabilities.
    assert call.ok("POST", f"{place}/attendees", asked)["Attendee"] == ada
    call.ok("DELETE", f"{place}/attendees/{ada['AttendeeId']}")
    assert call.error("DELETE", f"{place}/attendees/{ada['AttendeeId']}") == NOT_FOUND
    anew = call.ok("POST", f"{place}/attendees", asked)["Attendee"]
    assert anew["AttendeeId"] != ada["AttendeeId"] and anew["JoinToken"] != ada["JoinToken"]
    assert anew["Capabilities"] == listening
    elsewhere = call.meeting(PrimaryMeetingId=place.removeprefix("/meetings/"))["MeetingId"]
    there = call.ok("POST", f"/meetings/{elsewhere}/attendees", {"ExternalUserId": "ada"})
    assert there["Attendee"]["AttendeeId"] != anew["AttendeeId"]


def test_a_request_token_identifies_a_request_until_the_meeting_is_deleted(call: Caller) -> None:
    asked = new(TenantIds=["ab", "cd"])
    made = call.ok("POST", "/meetings", asked)["Meeting"]
    for other in (
        asked | {"TenantIds": ["cd", "ab"]},
        asked | {"ExternalMeetingId": "other"},
        asked | {"MeetingFeatures": {"Attendee": {"MaxCount": 9}}},
        asked | {"PrimaryMeetingId": made["MeetingId"]},
    ):
        assert call.error("POST", "/meetings", other) == CONFLICT
    whole = asked | {"Attendees": [{"ExternalUserId": "ada"}]}
    assert call.error("POST", "/meetings?operation=create-attendees", whole) == CONFLICT
    call.ok("DELETE", f"/meetings/{made['MeetingId']}")
    first = call.ok("POST", "/meetings?operation=create-attendees", whole)
    assert first["Meeting"]["MeetingId"] != made["MeetingId"] and first["Errors"] == []
    assert call.ok("POST", "/meetings?operation=create-attendees", whole) == first


def test_concurrent_requests_with_one_token_create_one_meeting(call: Caller) -> None:
    asked = new()
    with ThreadPoolExecutor(16) as callers:
        answers = list(callers.map(lambda _: call("POST", "/meetings", asked), range(32)))
    made = {answer["Meeting"]["MeetingId"] for status, _, answer in answers if status == 200}
    assert len(made) == 1 and {status for status, _, _ in answers} <= {200, 409}


def test_concurrent_requests_cannot_exceed_the_limits(call: Caller) -> None:
    full = call.meeting(MeetingFeatures={"Attendee": {"MaxCount": 5}})["MeetingId"]
    with ThreadPoolExecutor(16) as callers:
        target = f"/meetings/{full}/attendees"
        bodies = [{"ExternalUserId": f"user-{n % 12}"} for n in range(36)]
        answers = list(callers.map(lambda body: call("POST", target, body), bodies))
        made = {a["Attendee"]["AttendeeId"] for status, _, a in answers if status == 200}
        assert len(made) == 5 and {s for s, _, _ in answers} == {200, 400}
        replicas = list(
            callers.map(lambda _: call("POST", "/meetings", new(PrimaryMeetingId=full)), range(12))
        )
        assert [status for status, _, _ in replicas].count(200) == 4
        arn = ARN + full
        tags = [{"ResourceARN": arn, "Tags": [{"Key": f"k{n}", "Value": ""}]} for n in range(60)]
        tagged = list(callers.map(lambda t: call("POST", "/tags?operation=tag-resource", t), tags))
        assert [status for status, _, _ in tagged].count(204) == 50
    assert len(call.ok("GET", f"/tags?arn={urllib.parse.quote(arn, safe='')}")["Tags"]) == 50


def test_a_deletion_that_races_with_creations_leaves_no_attendee(
    call: Caller, house: House
) -> None:
    meeting = call.meeting()["MeetingId"]
    target = f"/meetings/{meeting}/attendees"
    with ThreadPoolExecutor(16) as callers:
        bodies = [{"ExternalUserId": f"user-{n}"} for n in range(64)]
        creating = [callers.submit(call, "POST", target, body) for body in bodies]
        deleted = callers.submit(call, "DELETE", f"/meetings/{meeting}").result()
        statuses = {each.result()[0] for each in creating}
    assert deleted[0] == 204 and statuses <= {200, 404}
    assert meeting not in repr(house.store()["attendee"])


# Replicas


def test_the_deletion_of_a_replica_makes_room_for_another_replica(call: Caller, place: str) -> None:
    primary = place.removeprefix("/meetings/")
    made = [call.meeting(PrimaryMeetingId=primary)["MeetingId"] for _ in range(4)]
    assert call.error("POST", "/meetings", new(PrimaryMeetingId=primary)) == FULL
    call.ok("DELETE", f"/meetings/{made[0]}")
    fifth = call.meeting(PrimaryMeetingId=primary)
    assert fifth["PrimaryMeetingId"] == primary
    assert "PrimaryMeetingId" not in call.ok("GET", place)["Meeting"]
    stop = f"/meetings/{made[1]}/transcription?operation=stop"
    assert call.ok("POST", stop) == {}
    for bad in ("x" * 65, "x", "moon", str(uuid.uuid4()), made[0], made[1], 5):
        assert call.error("POST", "/meetings", new(PrimaryMeetingId=bad)) == BAD


# Transcription


@pytest.mark.parametrize(
    "settings",
    [
        {},
        {"LanguageCode": "en-US", "IdentifyLanguage": True},
        {"IdentifyLanguage": False},
        {"LanguageCode": "en-us"},
        {"LanguageCode": "en-US", "LanguageOptions": "en-US,fr-FR"},
        {"IdentifyLanguage": True, "LanguageOptions": "en-US"},
        {"IdentifyLanguage": True, "LanguageOptions": "en-US,en-GB"},
        {"IdentifyLanguage": True, "PreferredLanguage": "en-US"},
        {"IdentifyLanguage": True, "LanguageOptions": "en-US,fr-FR", "LanguageModelName": "m"},
        {
            "IdentifyLanguage": True,
            "LanguageOptions": "en-US,fr-FR",
            "ContentRedactionType": "PII",
        },
        {
            "LanguageCode": "en-US",
            "ContentIdentificationType": "PII",
            "ContentRedactionType": "PII",
        },
        {"LanguageCode": "en-US", "PiiEntityTypes": "NAME"},
        {"LanguageCode": "en-US", "ContentRedactionType": "PII", "PiiEntityTypes": "name"},
        {"LanguageCode": "en-US", "VocabularyFilterMethod": "erase"},
        {"LanguageCode": "en-US", "Region": "moon-1"},
        {"LanguageCode": "en-US", "PartialResultsStability": "High"},
        {"LanguageCode": "en-US", "VocabularyNames": ""},
        {"LanguageCode": "en-US", "VocabularyNames": "a" * 3001},
        {"LanguageCode": "en-US", "EnablePartialResultsStabilization": "true"},
        {"LanguageCode": "en-US", "LanguageModelName": "a b"},
        {"LanguageCode": "en-US", "VocabularyName": "a" * 4097},
    ],
    ids=",".join,
)
def test_contradictory_transcription_settings_are_refused_at_once(
    call: Caller, place: str, settings: dict[str, Any]
) -> None:
    body = {"TranscriptionConfiguration": {"EngineTranscribeSettings": settings}}
    assert call.error("POST", f"{place}/transcription?operation=start", body) == BAD


def test_consistent_transcription_settings_are_accepted(call: Caller, place: str) -> None:
    medical = {"LanguageCode": "en-US", "Specialty": "UROLOGY", "Type": "DICTATION"}
    plain = {
        "IdentifyLanguage": True,
        "LanguageOptions": "en-US,fr-FR",
        "PreferredLanguage": "fr-FR",
    }
    target = f"{place}/transcription?operation=start"
    for name, settings in (
        ("EngineTranscribeMedicalSettings", medical),
        ("EngineTranscribeMedicalSettings", medical | {"Region": "auto", "VocabularyName": ""}),
        ("EngineTranscribeSettings", plain),
        ("EngineTranscribeSettings", {"LanguageCode": "en-US", "VocabularyName": "two words, é"}),
        ("EngineTranscribeSettings", {"LanguageCode": "hi-IN", "Region": "us-gov-west-1"}),
        (
            "EngineTranscribeSettings",
            {"LanguageCode": "en-US", "ContentRedactionType": "PII", "PiiEntityTypes": "NAME, SSN"},
        ),
    ):
        assert call.ok("POST", target, {"TranscriptionConfiguration": {name: settings}}) == {}
    for broken in (
        {"EngineTranscribeMedicalSettings": {"LanguageCode": "en-US", "Type": "DICTATION"}},
        {"EngineTranscribeMedicalSettings": medical | {"LanguageCode": "en-GB"}},
        {"EngineTranscribeMedicalSettings": medical | {"Specialty": "urology"}},
        {"EngineTranscribeMedicalSettings": medical | {"ContentIdentificationType": "PII"}},
        {"EngineTranscribeMedicalSettings": medical | {"Region": "eu-central-1"}},
        {"EngineTranscribeMedicalSettings": medical, "EngineTranscribeSettings": plain},
        {},
    ):
        assert call.error("POST", target, {"TranscriptionConfiguration": broken}) == BAD
    assert call.error("POST", target, {}) == BAD


# Tags


def test_every_limit_of_tags_is_enforced(call: Caller, place: str) -> None:
    arn = ARN + place.removeprefix("/meetings/")
    tag, untag = "/tags?operation=tag-resource", "/tags?operation=untag-resource"

    def tags(*pairs: tuple[str, str]) -> dict[str, Any]:
        return {"ResourceARN": arn, "Tags": [{"Key": k, "Value": v} for k, v in pairs]}

    assert call.error("POST", tag, tags(("a", "1"), ("a", "1"))) == BAD
    assert call.error("POST", tag, tags(*((f"k{n}", "") for n in range(51)))) == BAD
    assert call.error("POST", untag, {"ResourceARN": arn, "TagKeys": ["k"] * 51}) == BAD
    lacking: list[dict[str, Any]] = [{"ResourceARN": arn}, {"Tags": []}, {"TagKeys": ["k"]}]
    for each in lacking:
        assert call.error("POST", tag, each) == BAD
    assert call.error("POST", untag, {"ResourceARN": arn}) == BAD
    assert call.error("GET", "/tags") == BAD
    call.ok("POST", tag, tags())
    call.ok("POST", tag, tags(("a", "1"), ("A", "2")))
    call.ok("POST", untag, {"ResourceARN": arn, "TagKeys": []})
    call.ok("POST", untag, {"ResourceARN": arn, "TagKeys": ["a", "a", "b"]})
    found = call.ok("GET", f"/tags?arn={urllib.parse.quote(arn, safe='')}")
    assert found == {"Tags": [{"Key": "A", "Value": "2"}]}
    for bad in ("", "x", "ARN:aws:x", "arn:" + "a" * 1008):
        assert call.error("GET", f"/tags?arn={urllib.parse.quote(bad, safe='')}") == BAD, bad
        assert call.error("POST", tag, tags() | {"ResourceARN": bad}) == BAD, bad
        assert call.error("POST", untag, {"ResourceARN": bad, "TagKeys": []}) == BAD, bad
    for nobody in (
        "arn:",
        "arn:" + "a" * 1007,
        ARN + "x",
        arn + "/attendee",
        arn.replace("chime", "s3"),
    ):
        status, headers, answer = call("GET", f"/tags?arn={urllib.parse.quote(nobody, safe='')}")
        assert (status, headers["x-amzn-errortype"]) == NO_ARN and answer["ResourceName"] == nobody


# Lifecycle and consistency


def test_a_meeting_that_ended_by_itself_looks_like_a_deleted_meeting() -> None:
    with running(CARILLON_IDLE_MEETING_SECONDS="1") as house:
        call = Caller(house, house.make_key("short"))
        asked = new()
        made = call.ok("POST", "/meetings", asked)["Meeting"]
        place, arn = f"/meetings/{made['MeetingId']}", made["MeetingArn"]
        with ThreadPoolExecutor(1) as waiting:
            waiting.submit(_wait_until_gone, call, place).result(60)
        for target in (place, f"{place}/attendees"):
            assert call.error("GET", target) == NOT_FOUND
        assert call.error("DELETE", place) == NOT_FOUND
        assert call.error("GET", f"/tags?arn={urllib.parse.quote(arn, safe='')}") == NO_ARN
        assert call.ok("POST", "/meetings", asked)["Meeting"]["MeetingId"] != made["MeetingId"]


def _wait_until_gone(call: Caller, place: str) -> None:
    while call("GET", place)[0] == 200:
        pass


def test_every_gateway_sees_the_changes_of_another_gateway() -> None:
    with gateways("gateway-a", "gateway-b") as pair:
        first, second = (Caller(each, each.key) for each in pair)
        for _ in range(3):
            made = first.meeting()
            place = f"/meetings/{made['MeetingId']}"
            found = second.ok("GET", place)["Meeting"]
            # Each gateway returns its own addresses for clients.
            own, others = found["MediaPlacement"], made["MediaPlacement"]
            assert own.pop("GatewayUrl") != others.pop("GatewayUrl")
            for name in ("SignalingUrl", "AudioFallbackUrl", "TurnControlUrl", "EventIngestionUrl"):
                url, other = own.pop(name), others.pop(name)
                first_host, second_host = (urllib.parse.urlsplit(each.url).netloc for each in pair)
                assert url.replace(second_host, first_host) == other != url
            assert found == made
            ada = second.ok("POST", f"{place}/attendees", {"ExternalUserId": "ada"})["Attendee"]
            assert first.ok("GET", f"{place}/attendees/{ada['AttendeeId']}")["Attendee"] == ada
            second.ok("DELETE", place)
            assert first.error("GET", place) == NOT_FOUND


def test_a_request_that_writes_is_unavailable_while_the_store_is_locked() -> None:
    with gateways("gateway-a") as (gateway,):
        call = Caller(gateway, gateway.key)
        made = call.meeting()
        other = sqlite3.connect(gateway.data / "meetings.sqlite", isolation_level=None)
        other.execute("BEGIN IMMEDIATE")
        status, headers, answer = call("POST", "/meetings", new())
        assert (status, headers["x-amzn-errortype"]) == (503, "ServiceUnavailableException")
        assert int(headers["retry-after"]) > 0 and answer["Code"] == "ServiceUnavailable"
        # The gateway still answers requests that only read.
        assert call.ok("GET", f"/meetings/{made['MeetingId']}")["Meeting"] == made
        other.execute("ROLLBACK")
        other.close()
        call.meeting()


# Settings of an operator


def test_the_values_of_the_operators_settings_take_effect() -> None:
    settings = {
        "CARILLON_ACCOUNT": "123456789012",
        "CARILLON_CONTROL_REGION": "eu-west-1",
        "CARILLON_MEDIA_REGIONS": "basement,attic",
        "CARILLON_MAX_MEETINGS": "3",
        "CARILLON_MAX_REPLICAS": "1",
    }
    with gateways("gateway-a", **settings) as (gateway,):
        call = Caller(gateway, gateway.key)
        asked = new(MediaRegion="attic")
        made = call.ok("POST", "/meetings", asked)["Meeting"]
        assert made["MediaRegion"] == "attic"
        arn = f"arn:aws:chime:eu-west-1:123456789012:meeting/{made['MeetingId']}"
        assert made["MeetingArn"] == arn
        assert call.ok("GET", f"/tags?arn={urllib.parse.quote(arn, safe='')}") == {"Tags": []}
        foreign = urllib.parse.quote(ARN + made["MeetingId"], safe="")
        assert call.error("GET", f"/tags?arn={foreign}") == NO_ARN
        assert call.error("POST", "/meetings", new(MediaRegion="cellar")) == BAD
        call.meeting(PrimaryMeetingId=made["MeetingId"])
        second = new(PrimaryMeetingId=made["MeetingId"])
        assert call.error("POST", "/meetings", second) == FULL
        with ThreadPoolExecutor(8) as callers:
            answers = list(callers.map(lambda _: call("POST", "/meetings", new()), range(8)))
        assert sorted(status for status, _, _ in answers) == [200] + [400] * 7
        assert call.error("POST", "/meetings", new()) == FULL
        # A repeated request returns the existing meeting.
        assert call.ok("POST", "/meetings", asked)["Meeting"] == made


def test_the_configured_rate_is_enforced_and_answers_name_the_rate() -> None:
    settings = {"CARILLON_REST_REQUESTS_PER_SECOND": "1", "CARILLON_REST_REQUEST_BURST": "5"}
    with gateways("gateway-a", **settings) as (gateway,):
        call = Caller(gateway, gateway.key)
        with ThreadPoolExecutor(8) as callers:
            answers = list(callers.map(lambda _: call("POST", "/meetings", new()), range(40)))
        made = [answer for status, _, answer in answers if status == 200]
        refused = [(headers, answer) for status, headers, answer in answers if status == 429]
        assert len(made) >= 5 and refused and len(made) + len(refused) == 40
        for headers, answer in refused:
            assert headers["x-amzn-errortype"] == "ThrottlingException"
            assert int(headers["retry-after"]) > 0 and answer["Code"] == "Throttled"
        # Unsigned requests do not use up the rate limit of signed requests, and health checks need
        # no signature.
        assert _health(gateway)[0] == 503
        client = gateway.client(gateway.key)
        with pytest.raises(client.exceptions.ThrottlingException):
            _ask(client, made[0]["Meeting"]["MeetingId"], 50)


def _ask(client: Any, meeting: str, times: int) -> None:
    for _ in range(times):
        client.get_meeting(MeetingId=meeting)


# Health


def test_health_checks_need_no_signature_and_report_whether_services_answer(house: House) -> None:
    assert _health(house)[0] == 200
    with gateways("gateway-a") as (alone,):
        status, text = _health(alone)
        assert status == 503
        assert alone.key.secret_access_key not in text


def _health(house: House) -> tuple[int, str]:
    connection = http.client.HTTPConnection(urllib.parse.urlsplit(house.url).netloc, timeout=30)
    connection.request("GET", "/healthz")
    answer = connection.getresponse()
    text = answer.read().decode()
    connection.close()
    return answer.status, text
