"""Live transcription: what became of it, and who said what while they say it."""

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
