"""The values of live transcription: statuses and results.

The *original SDK* is the published SDK that `docs/clients.md` describes.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum

from carillon.attendees import AttendeeInfo


class TranscriptionStatusType(IntEnum):
    """The state of a transcription. The numbers are those of the original SDK."""

    UNKNOWN = 0
    STARTED = 1
    INTERRUPTED = 2
    """The server lost the engine, and looks for another engine."""
    RESUMED = 3
    STOPPED = 4
    """The server stopped the transcription on request, or the meeting ended."""
    FAILED = 5
    """No engine can transcribe the meeting. The message is the reason."""

    @classmethod
    def _missing_(cls, value: object) -> TranscriptionStatusType:
        return cls.UNKNOWN


class TranscriptItemType(IntEnum):
    """The type of an item. The numbers are those of the original SDK."""

    UNKNOWN = 0
    PRONUNCIATION = 1
    """A word."""
    PUNCTUATION = 2
    """A punctuation mark, which has no duration."""

    @classmethod
    def _missing_(cls, value: object) -> TranscriptItemType:
        return cls.UNKNOWN


@dataclass(frozen=True)
class TranscriptEvent:
    """A `TranscriptionStatus` or a `Transcript`."""


@dataclass(frozen=True)
class TranscriptionStatus(TranscriptEvent):
    """The state of the transcription changed. The control plane starts and stops transcriptions."""

    type: TranscriptionStatusType
    event_time_ms: int
    """The time of the change, in milliseconds since the Unix epoch."""
    transcription_region: str = ""
    """The region that was configured."""
    transcription_configuration: str = ""
    """The configuration as JSON text, as the control plane shows it."""
    message: str | None = None
    """A message for a person; `None` if there is none."""


@dataclass(frozen=True)
class TranscriptItem:
    """A word or a punctuation mark. Times are in milliseconds since the Unix epoch."""

    type: TranscriptItemType
    start_time_ms: int
    end_time_ms: int
    attendee: AttendeeInfo
    content: str
    """The text of the word or mark."""
    is_vocabulary_filter_match: bool = False
    """Whether a vocabulary filter matches the word but keeps the word in the text."""
    is_stable: bool | None = None
    """Whether later revisions of a partial result keep the item; `None` if it is unknown."""
    confidence: float | None = None
    """The confidence from 0 to 1; `None` if the engine sends none."""


@dataclass(frozen=True)
class TranscriptEntity:
    """A recognized entity, such as a name. Times are in milliseconds since the Unix epoch."""

    type: str
    """The type of the entity, for example `NAME`."""
    content: str
    """The text of the entity, or its replacement if it is redacted."""
    category: str
    """The category: `PII` or `PHI`."""
    start_time_ms: int
    end_time_ms: int
    confidence: float | None = None
    """The confidence from 0 to 1; `None` if the engine sends none."""


@dataclass(frozen=True)
class TranscriptAlternative:
    """One alternative text of a result."""

    items: tuple[TranscriptItem, ...] = ()
    """The words and punctuation marks, in order of time."""
    transcript: str = ""
    """The text of all items."""
    entities: tuple[TranscriptEntity, ...] = ()


@dataclass(frozen=True)
class TranscriptLanguageWithScore:
    """A candidate for the spoken language."""

    language_code: str
    """The code of the language, for example `en-US`."""
    score: float
    """How probable this language is, from 0 to 1."""


@dataclass(frozen=True)
class TranscriptResult:
    """One utterance, partial or final. It replaces any earlier result with the same id.

    Times are in milliseconds since the Unix epoch. A final result without alternatives retracts the
    earlier results with the same id.
    """

    result_id: str
    is_partial: bool
    """Whether more results with this id follow."""
    start_time_ms: int
    end_time_ms: int
    alternatives: tuple[TranscriptAlternative, ...] = ()
    """The alternative texts of the speech, best first."""
    channel_id: str | None = None
    """The id of the talker's channel."""
    language_code: str | None = None
    """The language of the text; `None` if the engine sends none."""
    language_identification: tuple[TranscriptLanguageWithScore, ...] = ()
    """The candidate languages, if the engine identifies the language."""
    translated_from: str | None = None
    """The spoken language, if the text is a translation."""
    revision: int = 0
    """The revision of the result with this id, from 1. The revision rises with each result."""

    @property
    def text(self) -> str:
        """The text of the best alternative; empty if there is none."""
        return self.alternatives[0].transcript if self.alternatives else ""

    @property
    def speakers(self) -> tuple[AttendeeInfo, ...]:
        """The speakers of the best alternative, each once, in order. Usually there is one."""
        items = self.alternatives[0].items if self.alternatives else ()
        return tuple(dict.fromkeys(item.attendee for item in items))


@dataclass(frozen=True)
class Transcript(TranscriptEvent):
    """New results of the transcription."""

    results: tuple[TranscriptResult, ...]
    """The results, oldest first."""
