"""The client of the control plane against a scripted server."""

from __future__ import annotations

import datetime
import json
import threading
from collections.abc import Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from carillon import (
    AccessKey,
    CarillonError,
    ControlClient,
    ControlError,
    Credentials,
    Meeting,
    StatusCode,
    find_access_key,
    find_gateway,
)
from scripted_gateway import ADA, MEETING, TOKEN

MEETING_JSON = {
    "MeetingId": MEETING,
    "ExternalMeetingId": "standup",
    "MediaPlacement": {
        "SignalingUrl": f"ws://127.0.0.1:8080/control/{MEETING}",
        "GatewayUrl": "ipc:///run/carillon/gateway",
    },
}
ATTENDEE_JSON = {"AttendeeId": ADA, "ExternalUserId": "ada", "JoinToken": TOKEN}


@dataclass
class ControlPlane:
    """A server that answers requests in order and records them."""

    url: str = ""
    answers: list[tuple[int, dict[str, str], Any]] = field(default_factory=list)
    requests: list[tuple[str, str, Any]] = field(default_factory=list)
    authorizations: list[str] = field(default_factory=list)

    def answer(self, body: Any = None, status: int = 200, **headers: str) -> None:
        self.answers.append((status, headers, body))


@pytest.fixture
def plane() -> Iterator[ControlPlane]:
    plane = ControlPlane()

    class Handler(BaseHTTPRequestHandler):
        def handle_any(self) -> None:
            length = int(self.headers.get("Content-Length") or 0)
            body = json.loads(self.rfile.read(length)) if length else None
            plane.requests.append((self.command, self.path, body))
            plane.authorizations.append(self.headers.get("Authorization") or "")
            status, headers, answer = plane.answers.pop(0)
            data = answer if isinstance(answer, bytes) else json.dumps(answer).encode()
            data = b"" if answer is None else data
            self.send_response(status)
            for name, value in headers.items():
                self.send_header(name.replace("_", "-"), value)
            if status != 204:
                self.send_header("Content-Length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)

        # `http.server` calls methods with these names.
        do_GET = do_POST = do_DELETE = handle_any  # noqa: N815

        def log_message(self, *_: object) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        plane.url = f"http://127.0.0.1:{server.server_port}"
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        yield plane
        server.shutdown()
        thread.join()


async def test_a_meeting_is_created_and_read(plane: ControlPlane) -> None:
    plane.answer({"Meeting": MEETING_JSON})
    plane.answer({"Meeting": MEETING_JSON})
    control = ControlClient(plane.url + "/")
    meeting = await control.create_meeting("standup", max_attendees=5, client_request_token="t1")
    assert meeting == await control.get_meeting(MEETING)
    assert meeting.meeting_id == MEETING and meeting.external_meeting_id == "standup"
    assert meeting.gateway_url == "ipc:///run/carillon/gateway"
    assert plane.requests[0] == (
        "POST",
        "/meetings",
        {
            "ClientRequestToken": "t1",
            "MediaRegion": "us-east-1",
            "ExternalMeetingId": "standup",
            "MeetingFeatures": {"Attendee": {"MaxCount": 5}},
        },
    )
    assert plane.requests[1] == ("GET", f"/meetings/{MEETING}", None)


@pytest.mark.parametrize("index", range(2))
def test_the_example_requests_of_rest_md_get_the_expected_signatures(index: int) -> None:
    method, path, body, signature = (
        (
            "GET",
            "/meetings/..%2Fx%20y/attendees?max-results=5&next-token=a%2Bb%3D",
            None,
            "a699e507da92a5e7a87c9eacd344560cda228faa2871ae23b96f90fdc2452c30",
        ),
        (
            "POST",
            "/meetings",
            b'{"ClientRequestToken":"tok-1","MediaRegion":"us-east-1","ExternalMeetingId":"demo"}',
            "66423f1feb4b8c8bbce808f461ef0ad9a8f15a039136e846edf0aa54d5207ccd",
        ),
    )[index]
    key = AccessKey("CARILLONTESTKEY01", "carillon/test+secret0000000000000000EXAMPLE")
    now = datetime.datetime(2026, 1, 2, 3, 4, 5, tzinfo=datetime.UTC)
    headers = key.headers(method, f"http://127.0.0.1:8080{path}", body, now)
    assert headers["Authorization"].endswith(f"Signature={signature}")
    assert "secret" not in repr(key)


async def test_requests_are_signed_with_the_given_key(plane: ControlPlane) -> None:
    plane.answer({"Meeting": MEETING_JSON})
    await ControlClient(plane.url, access_key=AccessKey("KEY", "s")).get_meeting(MEETING)
    assert plane.authorizations[0].startswith("AWS4-HMAC-SHA256 Credential=KEY/")


def test_a_gateways_own_key_takes_precedence_over_the_environments_key(tmp_path: Path) -> None:
    environment = {
        "CARILLON_RUNTIME_DIR": str(tmp_path),
        "AWS_ACCESS_KEY_ID": "ENV",
        "AWS_SECRET_ACCESS_KEY": "s",
    }
    told = {
        "endpoint": "http://127.0.0.1:8080",
        "access_key_id": "LOCAL",
        "secret_access_key": "s",
    }
    (tmp_path / "a.access-key.json").write_text("[")
    (tmp_path / "gateway-a.access-key.json").write_text(json.dumps(told))

    def found(url: str, **more: str) -> str | None:
        key = find_access_key(url, environment | more)
        return key.access_key_id if key else None

    assert found("http://127.0.0.1:8080") == found("http://localhost:8080/") == "LOCAL"
    assert found("http://127.0.0.1:8081") == found("http://other:8080") == "ENV"
    assert found("http://other:8080", AWS_SECRET_ACCESS_KEY="") is None


async def test_attendees_are_created_listed_page_by_page_and_deleted(plane: ControlPlane) -> None:
    plane.answer({"Attendee": ATTENDEE_JSON})
    plane.answer({"Attendees": [ATTENDEE_JSON], "NextToken": "a/b"})
    plane.answer({"Attendees": [ATTENDEE_JSON]})
    plane.answer(status=204)
    plane.answer(status=204)
    control = ControlClient(plane.url)
    meeting = Meeting(MEETING)
    ada = await control.create_attendee(meeting, "ada", capabilities={"Audio": "Receive"})
    assert ada == Credentials(ADA, TOKEN, "ada")
    assert TOKEN not in repr(ada)
    assert await control.list_attendees(MEETING) == [ada, ada]
    await control.delete_attendee(meeting, ADA)
    await control.delete_meeting(meeting)
    attendees = f"/meetings/{MEETING}/attendees"
    assert plane.requests == [
        ("POST", attendees, {"ExternalUserId": "ada", "Capabilities": {"Audio": "Receive"}}),
        ("GET", attendees, None),
        ("GET", attendees + "?next-token=a%2Fb", None),
        ("DELETE", f"{attendees}/{ADA}", None),
        ("DELETE", f"/meetings/{MEETING}", None),
    ]


async def test_transcription_is_started_and_stopped(plane: ControlPlane) -> None:
    for _ in range(4):
        plane.answer()
    control = ControlClient(plane.url)
    await control.start_transcription(
        MEETING, language_code="en-US", VocabularyFilterMethod="mask", Region="auto"
    )
    await control.start_transcription(
        Meeting(MEETING),
        identify_language=True,
        language_options=["en-US", "de-DE"],
        preferred_language="de-DE",
    )
    await control.start_medical_transcription(MEETING, specialty="NEUROLOGY", type="DICTATION")
    await control.stop_transcription(MEETING)

    def start(name: str, settings: dict[str, Any]) -> tuple[str, str, Any]:
        path = f"/meetings/{MEETING}/transcription?operation=start"
        return "POST", path, {"TranscriptionConfiguration": {name: settings}}

    assert plane.requests == [
        start(
            "EngineTranscribeSettings",
            {"LanguageCode": "en-US", "VocabularyFilterMethod": "mask", "Region": "auto"},
        ),
        start(
            "EngineTranscribeSettings",
            {
                "IdentifyLanguage": True,
                "LanguageOptions": "en-US,de-DE",
                "PreferredLanguage": "de-DE",
            },
        ),
        start(
            "EngineTranscribeMedicalSettings",
            {"LanguageCode": "en-US", "Specialty": "NEUROLOGY", "Type": "DICTATION"},
        ),
        ("POST", f"/meetings/{MEETING}/transcription?operation=stop", None),
    ]


@pytest.mark.parametrize(
    ("status", "exception", "code"),
    [
        (400, "BadRequestException", StatusCode.INVALID_ARGUMENT),
        (400, "LimitExceededException", StatusCode.RESOURCE_EXHAUSTED),
        (403, "ForbiddenException", StatusCode.PERMISSION_DENIED),
        (404, "NotFoundException", StatusCode.NOT_FOUND),
        (409, "ConflictException", StatusCode.ALREADY_EXISTS),
        (429, "ThrottlingException", StatusCode.RESOURCE_EXHAUSTED),
        (500, "ServiceFailureException", StatusCode.INTERNAL_ERROR),
        (503, "ServiceUnavailableException", StatusCode.UNAVAILABLE),
        (418, "TeapotException", StatusCode.UNKNOWN),
    ],
)
async def test_an_error_has_the_name_of_the_exception_and_a_canonical_code(
    plane: ControlPlane, status: int, exception: str, code: StatusCode
) -> None:
    body = {"Code": "Short", "Message": "What was wrong.", "RequestId": "r1"}
    plane.answer(body, status, x_amzn_ErrorType=exception, x_amzn_RequestId="r1")
    with pytest.raises(ControlError) as error:
        await ControlClient(plane.url).get_meeting(MEETING)
    assert (error.value.http_status, error.value.exception) == (status, exception)
    assert error.value.status_code is code and error.value.request_id == "r1"
    assert error.value.message == f"{exception}: What was wrong."


@pytest.mark.parametrize("body", [b"<html>", b"[1]", b"\xff"])
async def test_an_error_response_without_a_readable_body_raises_an_error(
    plane: ControlPlane, body: bytes
) -> None:
    plane.answer(body, 502)
    with pytest.raises(ControlError) as error:
        await ControlClient(plane.url).get_meeting(MEETING)
    assert error.value.exception == "HTTP 502"
    assert error.value.status_code is StatusCode.UNAVAILABLE


async def test_an_answer_without_a_meeting_is_an_error(plane: ControlPlane) -> None:
    plane.answer({"Meeting": {"ExternalMeetingId": "standup"}})
    with pytest.raises(CarillonError):
        await ControlClient(plane.url).get_meeting(MEETING)


async def test_a_gateway_that_does_not_answer_is_unavailable(plane: ControlPlane) -> None:
    unused = plane.url.rpartition(":")[0] + ":1"
    with pytest.raises(CarillonError) as error:
        await ControlClient(unused).get_meeting(MEETING)
    assert error.value.status_code is StatusCode.UNAVAILABLE


async def test_the_description_of_a_meeting_contains_the_gateway() -> None:
    assert await find_gateway(Meeting.from_json(MEETING_JSON)) == "ipc:///run/carillon/gateway"


async def test_a_signaling_url_may_name_the_gateway_itself() -> None:
    assert await find_gateway(Meeting(MEETING, signaling_url="tcp://h:1")) == "tcp://h:1"


async def test_without_a_gateway_url_the_client_asks_the_signaling_host(
    plane: ControlPlane,
) -> None:
    plane.answer({"GatewayUrl": "tcp://127.0.0.1:7400"})
    signaling = plane.url.replace("http", "ws") + f"/control/{MEETING}"
    assert await find_gateway(Meeting(MEETING, signaling_url=signaling)) == "tcp://127.0.0.1:7400"
    assert plane.requests == [("GET", "/carillon/v1/endpoints", None)]


async def test_a_meeting_without_an_address_is_refused() -> None:
    with pytest.raises(CarillonError) as error:
        await find_gateway(Meeting(MEETING))
    assert error.value.status_code is StatusCode.INVALID_ARGUMENT
