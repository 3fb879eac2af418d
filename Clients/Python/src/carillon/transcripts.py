"""Live transcription: what became of it, and who said what while they say it."""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum

from carillon.v1 import common_pb2, transcription_pb2


class TranscriptionStatusType(IntEnum):
    """What became of a transcription, with the facade's numbers."""

    UNKNOWN = 0
    STARTED = 1
    INTERRUPTED = 2
    """The engine is gone; another is looked for."""
    RESUMED = 3
    STOPPED = 4
    """On request, or the meeting ended."""
    FAILED = 5
    """No engine can do it; the message says why."""


class TranscriptItemType(IntEnum):
    """What an item is, with the facade's numbers."""

    UNKNOWN = 0
    PRONUNCIATION = 1
    """A word."""
    PUNCTUATION = 2
    """A sign, without a length in time."""


@dataclass(frozen=True)
class TranscriptEvent:
    """A `TranscriptionStatus` or a `Transcript`."""


@dataclass(frozen=True)
class TranscriptionStatus(TranscriptEvent):
    """What became of the transcription. It is started and stopped by the control plane."""

    type: TranscriptionStatusType
    event_time_ms: int
    """When it happened, in milliseconds since the Unix epoch."""
    transcription_region: str = ""
    """As configured."""
    transcription_configuration: str = ""
    """JSON text, as the control plane shows it."""
    message: str | None = None
    """For a person."""


@dataclass(frozen=True)
class Speaker:
    """Who said something."""

    attendee_id: str
    external_user_id: str = ""

    @property
    def name(self) -> str:
        """What to call the speaker: the external user id where there is one."""
        return self.external_user_id or self.attendee_id


@dataclass(frozen=True)
class TranscriptItem:
    """A word or a sign. Times are in milliseconds since the Unix epoch."""

    type: TranscriptItemType
    start_time_ms: int
    end_time_ms: int
    attendee: Speaker
    content: str
    """As written."""
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
    """For example `NAME`."""
    content: str
    """As written, or redacted."""
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
    """In order of time."""
    transcript: str = ""
    """All items as one text."""
    entities: tuple[TranscriptEntity, ...] = ()


@dataclass(frozen=True)
class TranscriptLanguageWithScore:
    """A language that may be the one spoken."""

    language_code: str
    """For example `en-US`."""
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
    """Of the text."""
    language_identification: tuple[TranscriptLanguageWithScore, ...] = ()
    """Where the language is identified."""
    translated_from: str | None = None
    """The language that was spoken, when the text is a translation."""
    revision: int = 0
    """Rises with each result of this id, from 1."""

    @property
    def text(self) -> str:
        """The best reading; empty when there is none."""
        return self.alternatives[0].transcript if self.alternatives else ""

    @property
    def speakers(self) -> tuple[Speaker, ...]:
        """Whose words the best reading has, in order, each once. Mostly one."""
        items = self.alternatives[0].items if self.alternatives else ()
        return tuple(dict.fromkeys(item.attendee for item in items))


@dataclass(frozen=True)
class Transcript(TranscriptEvent):
    """Something was said."""

    results: tuple[TranscriptResult, ...]
    """Oldest first."""


# Wire


def read_status(status: transcription_pb2.TranscriptionStatus) -> TranscriptionStatus:
    return TranscriptionStatus(
        _read_status_type(status.type),
        status.event_time_ms,
        status.transcription_region,
        status.transcription_configuration,
        status.message or None,
    )


def read_result(result: transcription_pb2.TranscriptResult) -> TranscriptResult:
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
        _read_item_type(item.type),
        item.start_time_ms,
        item.end_time_ms,
        _read_speaker(item.attendee),
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


def _read_speaker(attendee: common_pb2.AttendeeInfo) -> Speaker:
    return Speaker(attendee.attendee_id, attendee.external_user_id)


def _read_status_type(number: int) -> TranscriptionStatusType:
    try:
        return TranscriptionStatusType(number)
    except ValueError:
        return TranscriptionStatusType.UNKNOWN


def _read_item_type(number: int) -> TranscriptItemType:
    try:
        return TranscriptItemType(number)
    except ValueError:
        return TranscriptItemType.UNKNOWN
