"""Live transcription: its status, and its results while attendees speak."""

from carillon.transcripts.session_transcripts import SessionTranscripts
from carillon.transcripts.streams import ResultStream, TranscriptStream
from carillon.transcripts.values import (
    Transcript,
    TranscriptAlternative,
    TranscriptEntity,
    TranscriptEvent,
    TranscriptionStatus,
    TranscriptionStatusType,
    TranscriptItem,
    TranscriptItemType,
    TranscriptLanguageWithScore,
    TranscriptResult,
)

__all__ = [
    "ResultStream",
    "SessionTranscripts",
    "Transcript",
    "TranscriptAlternative",
    "TranscriptEntity",
    "TranscriptEvent",
    "TranscriptItem",
    "TranscriptItemType",
    "TranscriptLanguageWithScore",
    "TranscriptResult",
    "TranscriptStream",
    "TranscriptionStatus",
    "TranscriptionStatusType",
]
