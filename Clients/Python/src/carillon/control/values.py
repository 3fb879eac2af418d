"""Meetings and credentials from the control plane."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Self

from carillon.errors import CarillonError, StatusCode

Json = Mapping[str, Any]
"""A JSON object of the control plane."""


@dataclass(frozen=True)
class Meeting:
    """A meeting from the control plane."""

    meeting_id: str
    external_meeting_id: str = ""
    gateway_url: str = ""
    """The ZeroMQ endpoint of the gateway; empty if the control plane sent none."""
    signaling_url: str = ""
    json: Json = field(default_factory=dict, repr=False, compare=False)
    """The `Meeting` structure as the server sent it."""

    @classmethod
    def from_json(cls, json: Json) -> Self:
        """Reads a `Meeting` structure, or an answer with the member `Meeting`.

        Raises `CarillonError` `INVALID_ARGUMENT` if the structure has no `MeetingId`.
        """
        meeting = json.get("Meeting", json)
        placement = meeting.get("MediaPlacement") or {}
        return cls(
            meeting_id=member(meeting, "MeetingId"),
            external_meeting_id=meeting.get("ExternalMeetingId") or "",
            gateway_url=placement.get("GatewayUrl") or "",
            signaling_url=placement.get("SignalingUrl") or "",
            json=meeting,
        )


@dataclass(frozen=True)
class Credentials:
    """The ids of an attendee, and its join token."""

    attendee_id: str
    """The id: `<id>`, or `<id>#content` for the content share of the same attendee."""
    join_token: str = field(repr=False)
    external_user_id: str = ""

    @classmethod
    def from_json(cls, json: Json) -> Self:
        """Reads an `Attendee` structure, or an answer with the member `Attendee`.

        Raises `CarillonError` `INVALID_ARGUMENT` if the structure has no `AttendeeId` or no
        `JoinToken`.
        """
        attendee = json.get("Attendee", json)
        return cls(
            attendee_id=member(attendee, "AttendeeId"),
            join_token=member(attendee, "JoinToken"),
            external_user_id=attendee.get("ExternalUserId") or "",
        )

    @property
    def content(self) -> Self:
        """The credentials of the same attendee for a session that shares content."""
        attendee_id = self.attendee_id.removesuffix("#content")
        return replace(self, attendee_id=f"{attendee_id}#content")


def member(json: Json, name: str) -> str:
    """Returns a required text member of a JSON object.

    Raises `CarillonError` `INVALID_ARGUMENT` if the member is missing or empty.
    """
    value = json.get(name)
    if not isinstance(value, str) or not value:
        raise CarillonError(
            StatusCode.INVALID_ARGUMENT, message=f"The server's answer has no {name}."
        )
    return value
