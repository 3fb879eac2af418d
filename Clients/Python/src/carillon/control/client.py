"""The client of the control plane over REST."""

from __future__ import annotations

import asyncio
import urllib.parse
import uuid
from collections.abc import Iterable, Mapping
from typing import Any

from carillon.control.rest import exchange
from carillon.control.signing import AccessKey, find_access_key
from carillon.control.values import Credentials, Json, Meeting


class ControlClient:
    """A client of the control plane at a base URL.

    The client signs requests with `access_key`. Without `access_key`, `find_access_key` looks for a
    key at each call. If there is no key, requests are unsigned; a gateway with `--allow-unsigned`
    accepts unsigned requests on loopback. Each call runs in a thread. A call raises `ControlError`,
    or `CarillonError` `UNAVAILABLE` if there is no answer. `timeout` is in seconds.
    """

    def __init__(
        self, base_url: str, *, access_key: AccessKey | None = None, timeout: float = 10.0
    ) -> None:
        self._base_url = base_url.rstrip("/")
        self._access_key = access_key
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
        """Creates a meeting; with `primary_meeting_id`, a replica of that meeting.

        A repeated call with the same `client_request_token` creates no second meeting.
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
        """Returns a meeting. Raises `ControlError` `NotFoundException` if it does not exist."""
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
        """Creates an attendee, or returns the attendee that already has this external user id.

        `capabilities` must have the members `Audio`, `Video` and `Content`, each with the value
        `SendReceive`, `Send`, `Receive` or `None`.
        """
        body: dict[str, Any] = {"ExternalUserId": external_user_id}
        if capabilities is not None:
            body["Capabilities"] = dict(capabilities)
        path = f"/meetings/{_segment(meeting)}/attendees"
        return Credentials.from_json(await self._call("POST", path, body))

    async def list_attendees(self, meeting: Meeting | str) -> list[Credentials]:
        """Returns all attendees, present or not, in the order of their creation."""
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
        """Revokes an attendee's token and ends the attendee's session."""
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
        """Starts live transcription of a meeting, or reconfigures a running transcription.

        Pass either `language_code`, or `identify_language=True` with the `language_options` to
        choose from. `settings` are other members of `EngineTranscribeSettings`, for example
        `VocabularyFilterMethod="mask"`. Returns when the server has accepted the configuration.
        Participants learn from `Session.transcripts` whether an engine runs.
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
        """Starts a live transcription with a medical vocabulary, as `start_transcription` does.

        `specialty` is `PRIMARYCARE`, `CARDIOLOGY`, `NEUROLOGY`, `ONCOLOGY`, `RADIOLOGY` or
        `UROLOGY`. `type` is `CONVERSATION` or `DICTATION`. `settings` are other members of
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
        key = self._access_key or find_access_key(self._base_url)
        return await asyncio.to_thread(exchange, method, url, body, self._timeout, key)


def _segment(value: Meeting | str) -> str:
    name = value.meeting_id if isinstance(value, Meeting) else value
    return urllib.parse.quote(name, safe="")
