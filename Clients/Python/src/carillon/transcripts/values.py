"""Live transcription: what became of it, and who said what while they say it."""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum

from carillon.attendees import AttendeeInfo


class TranscriptionStatusType(IntEnum):
    """What became of a transcription, with the facade's numbers."""

    UNKNOWN = 0
    STARTED = 1
    INTERRUPTED = 2
    """The engine is gone; another is looked for."""
    RESUMED = 3
    STOPPED = 4
    """It was stopped on request, or the meeting ended."""
    FAILED = 5
    """No engine can do it; the message says why."""

    @classmethod
    def _missing_(cls, value: object) -> TranscriptionStatusType:
        return cls.UNKNOWN


class TranscriptItemType(IntEnum):
    """What an item is, with the facade's numbers."""

    UNKNOWN = 0
    PRONUNCIATION = 1
    """A word."""
    PUNCTUATION = 2
    """A sign, without a length in time."""

    @classmethod
    def _missing_(cls, value: object) -> TranscriptItemType:
        return cls.UNKNOWN


@dataclass(frozen=True)
class TranscriptEvent:
    """A `TranscriptionStatus` or a `Transcript`."""


@dataclass(frozen=True)
class TranscriptionStatus(TranscriptEvent):
    """What became of the transcription. It is started and stopped by the control plane."""

    type: TranscriptionStatusType
    event_time_ms: int
    """The time at which it happened, in milliseconds since the Unix epoch."""
    transcription_region: str = ""
    """The region that was configured."""
    transcription_configuration: str = ""
    """JSON text, as the control plane shows it."""
    message: str | None = None
    """What a person should know; `None` when there is nothing."""


@dataclass(frozen=True)
class TranscriptItem:
    """A word or a sign. Times are in milliseconds since the Unix epoch."""

    type: TranscriptItemType
    start_time_ms: int
    end_time_ms: int
    attendee: AttendeeInfo
    content: str
    """The word or sign as it is written."""
    is_vocabulary_filter_match: bool = False
    """A vocabulary filter names it, and it is kept."""
    is_stable: bool | None = None
    """It stays as it is although the result is partial. `None`: the engine does not say."""
    confidence: float | None = None
    """0 to 1. `None`: the engine does not say."""


@dataclass(frozen=True)
class TranscriptEntity:
    """A name, a number or the like. Times are in milliseconds since the Unix epoch."""

    type: str
    """The kind of the entity, `NAME` for one."""
    content: str
    """The text of the entity, or what stands for it where it is redacted."""
    category: str
    """`PII` or `PHI`."""
    start_time_ms: int
    end_time_ms: int
    confidence: float | None = None
    """0 to 1. `None`: the engine does not say."""


@dataclass(frozen=True)
class TranscriptAlternative:
    """One reading of a result."""

    items: tuple[TranscriptItem, ...] = ()
    """The words and signs, in order of time."""
    transcript: str = ""
    """All items as one text."""
    entities: tuple[TranscriptEntity, ...] = ()


@dataclass(frozen=True)
class TranscriptLanguageWithScore:
    """A language that may be the one spoken."""

    language_code: str
    """The code of the language, `en-US` for one."""
    score: float
    """0 to 1."""


@dataclass(frozen=True)
class TranscriptResult:
    """One utterance, whole: it takes the place of the one before it with the same id.

    Times are in milliseconds since the Unix epoch. A final result without alternatives takes back
    what was told under its id.
    """

    result_id: str
    is_partial: bool
    """More will come under this id."""
    start_time_ms: int
    end_time_ms: int
    alternatives: tuple[TranscriptAlternative, ...] = ()
    """Best first."""
    channel_id: str | None = None
    """Which talker's channel."""
    language_code: str | None = None
    """The language of the text; `None`: the engine does not say."""
    language_identification: tuple[TranscriptLanguageWithScore, ...] = ()
    """The languages it may be, where the language is identified."""
    translated_from: str | None = None
    """The language that was spoken, when the text is a translation."""
    revision: int = 0
    """Rises with each result of this id, from 1."""

    @property
    def text(self) -> str:
        """The best reading; empty when there is none."""
        return self.alternatives[0].transcript if self.alternatives else ""

    @property
    def speakers(self) -> tuple[AttendeeInfo, ...]:
        """Those whose words the best reading has, in order, each once; mostly it is one."""
        items = self.alternatives[0].items if self.alternatives else ()
        return tuple(dict.fromkeys(item.attendee for item in items))


@dataclass(frozen=True)
class Transcript(TranscriptEvent):
    """Something was said."""

    results: tuple[TranscriptResult, ...]
    """Oldest first."""
