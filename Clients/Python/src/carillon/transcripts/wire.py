"""Conversion of the messages of `transcription.proto` to transcript values."""

from __future__ import annotations

from carillon.attendees import AttendeeInfo
from carillon.transcripts.values import (
    TranscriptAlternative,
    TranscriptEntity,
    TranscriptionStatus,
    TranscriptionStatusType,
    TranscriptItem,
    TranscriptItemType,
    TranscriptLanguageWithScore,
    TranscriptResult,
)
from carillon.v1 import transcription_pb2


def read_status(status: transcription_pb2.TranscriptionStatus) -> TranscriptionStatus:
    """Returns the status of a wire message. A type that this version does not know is `UNKNOWN`."""
    return TranscriptionStatus(
        TranscriptionStatusType(status.type),
        status.event_time_ms,
        status.transcription_region,
        status.transcription_configuration,
        status.message or None,
    )


def read_result(result: transcription_pb2.TranscriptResult) -> TranscriptResult:
    """Returns the result of a wire message. Values that the engine does not set are `None`."""
    return TranscriptResult(
        result_id=result.result_id,
        is_partial=result.is_partial,
        start_time_ms=result.start_time_ms,
        end_time_ms=result.end_time_ms,
        alternatives=tuple(_read_alternative(each) for each in result.alternatives),
        channel_id=result.channel_id or None,
        language_code=result.language_code or None,
        language_identification=tuple(
            TranscriptLanguageWithScore(each.language_code, each.score)
            for each in result.language_identification
        ),
        translated_from=result.translated_from or None,
        revision=result.revision,
    )


def _read_alternative(
    alternative: transcription_pb2.TranscriptAlternative,
) -> TranscriptAlternative:
    return TranscriptAlternative(
        tuple(_read_item(item) for item in alternative.items),
        alternative.transcript,
        tuple(_read_entity(entity) for entity in alternative.entities),
    )


def _read_item(item: transcription_pb2.TranscriptItem) -> TranscriptItem:
    return TranscriptItem(
        TranscriptItemType(item.type),
        item.start_time_ms,
        item.end_time_ms,
        AttendeeInfo.of(item.attendee),
        item.content,
        item.is_vocabulary_filter_match,
        item.is_stable if item.HasField("is_stable") else None,
        item.confidence if item.HasField("confidence") else None,
    )


def _read_entity(entity: transcription_pb2.TranscriptEntity) -> TranscriptEntity:
    return TranscriptEntity(
        entity.type,
        entity.content,
        entity.category,
        entity.start_time_ms,
        entity.end_time_ms,
        entity.confidence if entity.HasField("confidence") else None,
    )
