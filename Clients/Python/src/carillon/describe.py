"""Events, messages and statuses as the lines of JSON that `python -m carillon` prints."""

from __future__ import annotations

import base64
from dataclasses import asdict
from typing import Any

from carillon.attendees import Attendee
from carillon.captions.writing import result_json
from carillon.errors import Status
from carillon.events import (
    AttendeeEvent,
    CapabilitiesChanged,
    Ended,
    Event,
    Reconnected,
    Reconnecting,
    StreamGap,
)
from carillon.messages.values import DataMessage
from carillon.session import Session
from carillon.transcripts.values import Transcript, TranscriptEvent, TranscriptionStatus


def describe_attendee(attendee: Attendee) -> dict[str, Any]:
    """Returns the fields of an attendee. `signal` is `null` before the first measurement."""
    return {
        "attendee_id": attendee.attendee_id,
        "external_user_id": attendee.external_user_id,
        "display_name": attendee.display_name,
        "is_muted": attendee.is_muted,
        "is_muted_by_operator": attendee.is_muted_by_operator,
        "volume": attendee.volume.name,
        "signal": attendee.signal.name if attendee.signal is not None else None,
    }


def describe_status(status: Status) -> dict[str, Any]:
    """Returns the fields of a status, with the session status as a number and as a name."""
    return {
        "code": status.code.name,
        "session_status": status.session_status.value,
        "session_status_name": status.session_status.name,
        "reason": status.reason.name,
        "message": status.message,
    }


def describe_event(event: Event) -> dict[str, Any]:
    """Returns the line of an event. `event` is the name of its class in snake case."""
    name = type(event).__name__
    line: dict[str, Any] = {
        "event": "".join("_" + c.lower() if c.isupper() else c for c in name).lstrip("_")
    }
    match event:
        case Reconnecting(status) | Ended(status):
            line |= describe_status(status)
        case Reconnected(is_resumed, is_recovered):
            line |= {"is_resumed": is_resumed, "is_recovered": is_recovered}
            line["has_all_messages"] = event.has_all_messages
            line["has_all_transcripts"] = event.has_all_transcripts
        case StreamGap(stream):
            line["stream"] = stream
        case CapabilitiesChanged(attendee, capabilities):
            line |= describe_attendee(attendee)
            line["capabilities"] = {
                "Audio": capabilities.audio.value,
                "Video": capabilities.video.value,
                "Content": capabilities.content.value,
            }
        case AttendeeEvent(attendee):
            line |= describe_attendee(attendee)
    return line


def describe_roster(session: Session) -> list[dict[str, Any]]:
    """Returns the attendees who are in the meeting now."""
    return [describe_attendee(attendee) for attendee in session.roster.values()]


def describe_message(message: DataMessage) -> dict[str, Any]:
    """Returns the line of a message. `text` is `null` if the bytes are not UTF-8."""
    return {
        "event": "message",
        "topic": message.topic,
        "text": message.text(),
        "base64": base64.b64encode(message.data).decode(),
        "sender_attendee_id": message.sender.attendee_id,
        "sender_external_user_id": message.sender.external_user_id,
        "sender_display_name": message.sender.display_name,
        "sequence": message.sequence,
        "message_id": message.message_id,
        "timestamp_ms": message.timestamp_ms,
        "lifetime_ms": message.lifetime_ms,
        "recipients": list(message.recipients),
    }


def describe_transcript_event(event: TranscriptEvent) -> list[dict[str, Any]]:
    """Returns one line for a status, and one line for each result of a transcript."""
    match event:
        case TranscriptionStatus():
            status = {"event": "transcription_status"} | asdict(event)
            return [status | {"type": event.type.name}]
        case Transcript(results):
            return [{"event": "transcript_result"} | result_json(result) for result in results]
    return []
