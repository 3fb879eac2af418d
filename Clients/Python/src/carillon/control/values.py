"""Meetings and credentials as the control plane describes them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Self

from carillon.errors import CarillonError, StatusCode

Json = Mapping[str, Any]
"""What a description or an answer consists of."""


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
            meeting_id=member(meeting, "MeetingId"),
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
            attendee_id=member(attendee, "AttendeeId"),
            join_token=member(attendee, "JoinToken"),
            external_user_id=attendee.get("ExternalUserId") or "",
        )

    @property
    def content(self) -> Self:
        """The same attendee's for a session that shares content."""
        attendee_id = self.attendee_id.removesuffix("#content")
        return replace(self, attendee_id=f"{attendee_id}#content")


def member(json: Json, name: str) -> str:
    """A text that a description must have. Raises `INVALID_ARGUMENT` where there is none."""
    value = json.get(name)
    if not isinstance(value, str) or not value:
        raise CarillonError(StatusCode.INVALID_ARGUMENT, message=f"The description has no {name}.")
    return value
