"""Meetings and attendees over REST, and where a meeting's gateway is."""

from __future__ import annotations

import asyncio
import http.client
import json
import urllib.error
import urllib.parse
import urllib.request
import uuid
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Self

from carillon.errors import CarillonError, SessionStatus, StatusCode, StatusReason

Json = Mapping[str, Any]


@dataclass(frozen=True)
class Meeting:
    """A meeting as the control plane describes it."""

    meeting_id: str
    external_meeting_id: str = ""
    gateway_url: str = ""
    """ZeroMQ endpoint of the gateway; empty when the description has none."""
    signaling_url: str = ""
    json: Json = field(default_factory=dict, repr=False, compare=False)
    """The whole description."""

    @classmethod
    def from_json(cls, json: Json) -> Self:
        """Reads a `Meeting` structure, or an answer that has one in its member `Meeting`."""
        meeting = json.get("Meeting", json)
        placement = meeting.get("MediaPlacement") or {}
        return cls(
            meeting_id=_text(meeting, "MeetingId"),
            external_meeting_id=meeting.get("ExternalMeetingId") or "",
            gateway_url=placement.get("GatewayUrl") or "",
            signaling_url=placement.get("SignalingUrl") or "",
            json=meeting,
        )


@dataclass(frozen=True)
class Credentials:
    """Who an attendee is, and the token that proves it."""

    attendee_id: str
    """`<id>`, or `<id>#content` for the content modality of the same attendee."""
    join_token: str = field(repr=False)
    external_user_id: str = ""

    @classmethod
    def from_json(cls, json: Json) -> Self:
        """Reads an `Attendee` structure, or an answer that has one in its member `Attendee`."""
        attendee = json.get("Attendee", json)
        return cls(
            attendee_id=_text(attendee, "AttendeeId"),
            join_token=_text(attendee, "JoinToken"),
            external_user_id=attendee.get("ExternalUserId") or "",
        )

    @property
    def content(self) -> Self:
        """The same attendee's for a session that shares content."""
        attendee_id = self.attendee_id.removesuffix("#content")
        return replace(self, attendee_id=f"{attendee_id}#content")


class ControlError(CarillonError):
    """The control plane refused a request. `exception` is its name for why, `NotFoundException`."""

    def __init__(self, http_status: int, exception: str, message: str, request_id: str) -> None:
        super().__init__(
            _status_code(http_status, exception),
            SessionStatus.OK,
            StatusReason.UNSPECIFIED,
            f"{exception}: {message}",
        )
        self.http_status = http_status
        self.exception = exception
        self.request_id = request_id


class ControlClient:
    """The control plane at a base URL, with requests that are not signed.

    The gateway takes those on loopback with `--allow-unsigned`. Each call runs in a thread of its
    own and raises `ControlError`, or `CarillonError` `UNAVAILABLE` when nobody answers.
    """

    def __init__(self, base_url: str, *, timeout: float = 10.0) -> None:
        self._base_url = base_url.rstrip("/")
        self._timeout = timeout

    async def create_meeting(
        self,
        external_meeting_id: str,
        *,
        media_region: str = "us-east-1",
        max_attendees: int | None = None,
        primary_meeting_id: str | None = None,
        client_request_token: str | None = None,
    ) -> Meeting:
        """Makes a meeting. With `primary_meeting_id` it is a replica.

        Repeating a call with the same `client_request_token` makes no second one.
        """
        body: dict[str, Any] = {
            "ClientRequestToken": client_request_token or str(uuid.uuid4()),
            "MediaRegion": media_region,
            "ExternalMeetingId": external_meeting_id,
        }
        if max_attendees is not None:
            body["MeetingFeatures"] = {"Attendee": {"MaxCount": max_attendees}}
        if primary_meeting_id is not None:
            body["PrimaryMeetingId"] = primary_meeting_id
        return Meeting.from_json(await self._call("POST", "/meetings", body))

    async def get_meeting(self, meeting_id: str) -> Meeting:
        return Meeting.from_json(await self._call("GET", f"/meetings/{_segment(meeting_id)}"))

    async def delete_meeting(self, meeting: Meeting | str) -> None:
        """Ends a meeting for everybody."""
        await self._call("DELETE", f"/meetings/{_segment(meeting)}")

    async def create_attendee(
        self,
        meeting: Meeting | str,
        external_user_id: str,
        *,
        capabilities: Mapping[str, str] | None = None,
    ) -> Credentials:
        """Makes an attendee, or returns the one with this external id.

        `capabilities` has all of `Audio`, `Video` and `Content`, each `SendReceive`, `Send`,
        `Receive` or `None`.
        """
        body: dict[str, Any] = {"ExternalUserId": external_user_id}
        if capabilities is not None:
            body["Capabilities"] = dict(capabilities)
        path = f"/meetings/{_segment(meeting)}/attendees"
        return Credentials.from_json(await self._call("POST", path, body))

    async def list_attendees(self, meeting: Meeting | str) -> list[Credentials]:
        """All attendees that exist, present or not, in the order of their creation."""
        path = f"/meetings/{_segment(meeting)}/attendees"
        attendees: list[Credentials] = []
        query = ""
        while True:
            page = await self._call("GET", path + query)
            attendees += [Credentials.from_json(attendee) for attendee in page["Attendees"]]
            if not (token := page.get("NextToken")):
                return attendees
            query = "?next-token=" + urllib.parse.quote(token, safe="")

    async def delete_attendee(self, meeting: Meeting | str, attendee_id: str) -> None:
        """Revokes an attendee's token and ends its session."""
        path = f"/meetings/{_segment(meeting)}/attendees/{_segment(attendee_id)}"
        await self._call("DELETE", path)

    async def start_transcription(
        self,
        meeting: Meeting | str,
        *,
        language_code: str | None = None,
        identify_language: bool | None = None,
        language_options: Iterable[str] | None = None,
        preferred_language: str | None = None,
        **settings: Any,
    ) -> None:
        """Starts the live transcription of a meeting; while one runs, replaces its configuration.

        Give either `language_code` or `identify_language=True`, the latter also with the languages
        to choose from. `settings` are other members of `EngineTranscribeSettings`, by their own
        names: `VocabularyFilterMethod="mask"`. Returns when the configuration is accepted; whether
        an engine runs is told to the participants, by `Session.transcripts`.
        """
        options = [language_options] if isinstance(language_options, str) else language_options
        known = {
            "LanguageCode": language_code,
            "IdentifyLanguage": identify_language,
            "LanguageOptions": ",".join(options) if options is not None else None,
            "PreferredLanguage": preferred_language,
        }
        members = {name: value for name, value in known.items() if value is not None}
        await self._start_transcription(meeting, EngineTranscribeSettings=members | settings)

    async def start_medical_transcription(
        self,
        meeting: Meeting | str,
        *,
        specialty: str,
        type: str,
        language_code: str = "en-US",
        **settings: Any,
    ) -> None:
        """The same with medical words.

        `specialty` is `PRIMARYCARE`, `CARDIOLOGY`, `NEUROLOGY`, `ONCOLOGY`, `RADIOLOGY` or
        `UROLOGY`, `type` is `CONVERSATION` or `DICTATION`. `settings` are other members of
        `EngineTranscribeMedicalSettings`.
        """
        members = {"LanguageCode": language_code, "Specialty": specialty, "Type": type}
        await self._start_transcription(meeting, EngineTranscribeMedicalSettings=members | settings)

    async def stop_transcription(self, meeting: Meeting | str) -> None:
        """Stops the transcription of a meeting. Idempotent."""
        await self._call("POST", f"/meetings/{_segment(meeting)}/transcription?operation=stop")

    async def _start_transcription(self, meeting: Meeting | str, **configuration: Json) -> None:
        path = f"/meetings/{_segment(meeting)}/transcription?operation=start"
        await self._call("POST", path, {"TranscriptionConfiguration": configuration})

    async def _call(self, method: str, path: str, body: Json | None = None) -> Json:
        url = self._base_url + path
        return await asyncio.to_thread(_exchange, method, url, body, self._timeout)


async def find_gateway(meeting: Meeting, *, timeout: float = 10.0) -> str:
    """The ZeroMQ endpoint of a meeting's gateway.

    It is in the meeting's description; else the signaling URL is one itself, or its host answers
    `GET /carillon/v1/endpoints`.
    """
    if meeting.gateway_url:
        return meeting.gateway_url
    url = urllib.parse.urlsplit(meeting.signaling_url)
    if url.scheme in ("ipc", "tcp"):
        return meeting.signaling_url
    if url.scheme not in ("ws", "wss", "http", "https"):
        raise CarillonError(
            StatusCode.INVALID_ARGUMENT,
            message="The meeting has neither a gateway nor a signaling URL; give gateway_url.",
        )
    scheme = "https" if url.scheme in ("wss", "https") else "http"
    endpoints = f"{scheme}://{url.netloc}/carillon/v1/endpoints"
    answer = await asyncio.to_thread(_exchange, "GET", endpoints, None, timeout)
    return _text(answer, "GatewayUrl")


def _exchange(method: str, url: str, body: Json | None, timeout: float) -> Json:
    request = urllib.request.Request(url, method=method)
    if body is not None:
        request.data = json.dumps(body).encode()
        request.add_header("Content-Type", "application/json")
    try:
        with _opener(request.host).open(request, timeout=timeout) as response:
            return _json(response.read())
    except urllib.error.HTTPError as error:
        with error:
            answer = _json(error.read())
        name = error.headers.get("x-amzn-ErrorType") or answer.get("Code") or f"HTTP {error.code}"
        raise ControlError(
            error.code,
            name.split(":")[0].rsplit("#")[-1],
            answer.get("Message") or error.reason,
            error.headers.get("x-amzn-RequestId") or "",
        ) from None
    except (OSError, ValueError, http.client.HTTPException) as error:
        raise CarillonError(
            StatusCode.UNAVAILABLE, message=f"{method} {url} got no answer: {error}."
        ) from error


def _opener(host: str) -> urllib.request.OpenerDirector:
    """A proxy of the environment serves for other machines only."""
    name = urllib.parse.urlsplit(f"//{host}").hostname
    if name in ("localhost", "127.0.0.1", "::1"):
        return urllib.request.build_opener(urllib.request.ProxyHandler({}))
    return urllib.request.build_opener()


def _json(body: bytes) -> Json:
    try:
        value = json.loads(body or b"{}")
    except ValueError:
        return {}
    return value if isinstance(value, dict) else {}


def _text(json: Json, member: str) -> str:
    value = json.get(member)
    if not isinstance(value, str) or not value:
        raise CarillonError(
            StatusCode.INVALID_ARGUMENT, message=f"The description has no {member}."
        )
    return value


def _segment(value: Meeting | str) -> str:
    name = value.meeting_id if isinstance(value, Meeting) else value
    return urllib.parse.quote(name, safe="")


def _status_code(http_status: int, exception: str) -> StatusCode:
    if exception == "LimitExceededException":
        return StatusCode.RESOURCE_EXHAUSTED
    known = {
        400: StatusCode.INVALID_ARGUMENT,
        401: StatusCode.UNAUTHENTICATED,
        403: StatusCode.PERMISSION_DENIED,
        404: StatusCode.NOT_FOUND,
        409: StatusCode.ALREADY_EXISTS,
        422: StatusCode.FAILED_PRECONDITION,
        429: StatusCode.RESOURCE_EXHAUSTED,
        500: StatusCode.INTERNAL_ERROR,
    }
    if http_status in known:
        return known[http_status]
    return StatusCode.UNAVAILABLE if http_status >= 500 else StatusCode.UNKNOWN
