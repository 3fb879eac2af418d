"""Events of client sessions: clients send these events; operators export and follow them."""

from __future__ import annotations

import json
import subprocess
import threading
import time
import urllib.error
import urllib.request
import uuid
from typing import Any

import pytest

from ControlAPI.house import CARILLON, House


@pytest.fixture
def attendee(api: Any, meeting: dict[str, Any]) -> dict[str, Any]:
    made: dict[str, Any] = api.create_attendee(
        MeetingId=meeting["MeetingId"], ExternalUserId="ada"
    )["Attendee"]
    return made


def send(
    meeting: dict[str, Any], attendee: dict[str, Any], *names: str, token: str | None = None
) -> list[str]:
    """Sends events with these names to the meeting's URL and returns their ids."""
    ids = [str(uuid.uuid4()) for _ in names]
    pairs = zip(names, ids, strict=True)
    payloads = [{"name": name, "id": event, "ts": 1} for name, event in pairs]
    identity = {"meetingId": meeting["MeetingId"], "attendeeId": attendee["AttendeeId"]}
    group = {"type": "Meet", "v": 1, "metadata": identity, "payloads": payloads}
    body = {"metadata": {"osName": "Linux"}, "events": [group]}
    request = urllib.request.Request(
        meeting["MediaPlacement"]["EventIngestionUrl"],
        json.dumps(body).encode(),
        {
            "Authorization": f"Bearer {token or attendee['JoinToken']}",
            "Content-Type": "application/json",
        },
    )
    with urllib.request.urlopen(request, timeout=20) as answer:
        assert answer.status == 200
    return ids


def publish(meeting: dict[str, Any], body: bytes, query: str, headers: dict[str, str]) -> int:
    """Sends the bytes of a text as a browser does, with a browser's spelling of `text/plain`."""
    request = urllib.request.Request(
        meeting["MediaPlacement"]["EventIngestionUrl"] + query,
        body,
        {"Content-Type": "text/plain;charset=UTF-8", **headers},
    )
    with urllib.request.urlopen(request, timeout=20) as answer:
        assert json.loads(answer.read()) == {}
        return int(answer.status)


def sdk_body(
    meeting: dict[str, Any], attendee: dict[str, Any], payloads: bytes, end: bytes = b""
) -> bytes:
    """Returns a body of the public SDK, byte for byte. The ids apply to all events; no event has
    ids of its own.
    """
    return (
        b'{"metadata":{"browserName":"chrome","browserVersion":"156.0.0.0",'
        b'"deviceName":"Unavailable","osName":"Linux","osVersion":"Unavailable",'
        b'"sdkVersion":"3.33.0","sdkName":"amazon-chime-sdk-js","engineName":"Blink",'
        b'"engineMajorVersion":156,"meetingId":"%s","attendeeId":"%s"},'
        b'"events":[{"type":"Meet","v":1,"payloads":[%s]}]%s}'
    ) % (meeting["MeetingId"].encode(), attendee["AttendeeId"].encode(), payloads, end)


STARTED = (
    b'{"name":"meetingStartRequested","ts":1795514218419},'
    b'{"name":"meetingStartSucceeded","ts":1795514219123,"maxVideoTileCount":0,'
    b'"poorConnectionCount":0,"retryCount":0,"signalingOpenDurationMs":41.5,'
    b'"iceGatheringDurationMs":12,"meetingStartDurationMs":704}'
)
ENDED = (
    b'{"name":"meetingEnded","ts":1795514288001,"meetingStatus":"Left","meetingDurationMs":68878}'
)


def export(house: House, *words: str) -> list[dict[str, Any]]:
    run = house.carillon("events", "export", *words)
    assert run.returncode == 0, run.stderr
    return [json.loads(line) for line in run.stdout.splitlines()]


def test_the_export_contains_the_events_in_their_order_with_all_values(
    house: House, meeting: dict[str, Any], attendee: dict[str, Any]
) -> None:
    ids = send(meeting, attendee, "meetingStartRequested", "meetingStartSucceeded")
    found = export(house, "--meeting", meeting["MeetingId"])
    assert [event["id"] for event in found] == ids
    first = found[0]
    assert first["name"] == "meetingStartRequested"
    assert first["meeting_id"] == meeting["MeetingId"]
    assert first["primary_meeting_id"] is None
    assert first["attendee_id"] == attendee["AttendeeId"]
    assert first["external_user_id"] == "ada"
    assert first["metadata"] == {"osName": "Linux"}
    assert first["payload"] == {"name": "meetingStartRequested", "id": ids[0], "ts": 1}
    (later,) = export(house, "--meeting", meeting["MeetingId"], "--after", str(first["number"]))
    assert later["id"] == ids[1]


def test_the_sdk_publishes_events(
    house: House, meeting: dict[str, Any], attendee: dict[str, Any]
) -> None:
    body = sdk_body(meeting, attendee, STARTED)
    bearer = {"Authorization": f"Bearer {attendee['JoinToken']}"}
    for _ in range(2):  # The SDK repeats a request whose answer did not arrive.
        assert publish(meeting, body, "", bearer) == 200
    found = export(house, "--meeting", meeting["MeetingId"])
    assert [event["name"] for event in found] == ["meetingStartRequested", "meetingStartSucceeded"]
    assert [event["payload"] for event in found] == json.loads(b"[%s]" % STARTED)
    assert found[0]["attendee_id"] == attendee["AttendeeId"]
    assert found[0]["metadata"]["sdkName"] == "amazon-chime-sdk-js"
    assert len({event["id"] for event in found}) == 2


def test_the_sdk_sends_a_beacon_when_its_page_closes(
    house: House, meeting: dict[str, Any], attendee: dict[str, Any]
) -> None:
    end = b',"authorization":"%s"' % attendee["JoinToken"].encode()
    body = sdk_body(meeting, attendee, ENDED, end)
    assert publish(meeting, body, "?beacon=1", {}) == 200
    (event,) = export(house, "--meeting", meeting["MeetingId"])
    assert event["payload"] == json.loads(ENDED)
    assert attendee["JoinToken"] not in json.dumps(event)
    # If the query does not mark a beacon, the gateway ignores the token in the body.
    with pytest.raises(urllib.error.HTTPError) as refused:
        publish(meeting, body, "", {})
    refused.value.close()
    assert refused.value.code == 403


def test_a_query_for_the_primary_finds_the_events_of_its_audience(
    house: House, api: Any, meeting: dict[str, Any]
) -> None:
    replica = api.create_meeting(
        ClientRequestToken=str(uuid.uuid4()),
        MediaRegion="us-east-1",
        ExternalMeetingId="audience",
        PrimaryMeetingId=meeting["MeetingId"],
    )["Meeting"]
    watcher = api.create_attendee(MeetingId=replica["MeetingId"], ExternalUserId="rob")["Attendee"]
    (told,) = send(replica, watcher, "meetingStartSucceeded")
    (event,) = export(house, "--meeting", meeting["MeetingId"])
    assert event["id"] == told
    assert event["meeting_id"] == replica["MeetingId"]
    assert event["primary_meeting_id"] == meeting["MeetingId"]


def test_a_request_with_a_guessed_token_adds_no_event(
    house: House, meeting: dict[str, Any], attendee: dict[str, Any]
) -> None:
    with pytest.raises(urllib.error.HTTPError) as refused:
        send(meeting, attendee, "meetingEnded", token="guessed")
    refused.value.close()
    assert refused.value.code == 403
    assert not export(house, "--meeting", meeting["MeetingId"])


def test_carillon_events_tail_prints_new_events(
    house: House, meeting: dict[str, Any], attendee: dict[str, Any]
) -> None:
    send(meeting, attendee, "before")
    words = [CARILLON, "events", "tail", "--meeting", meeting["MeetingId"]]
    with subprocess.Popen(
        words, env=house.environment, stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        shown: list[dict[str, Any]] = []
        reader = threading.Thread(
            target=lambda lines: shown.extend(json.loads(line) for line in lines),
            args=(process.stdout,),
        )
        reader.start()
        try:
            # The command does not show events from before its first poll.
            sent: list[str] = []
            while not shown and len(sent) < 30:
                sent += send(meeting, attendee, "after")
                time.sleep(1)
        finally:
            process.terminate()
            reader.join()
    assert shown and all(event["name"] == "after" for event in shown)
    first = sent.index(shown[0]["id"])
    assert [event["id"] for event in shown] == sent[first : first + len(shown)]
