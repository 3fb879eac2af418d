from carillon.v1 import common_pb2 as _common_pb2
from carillon.v1 import presence_pb2 as _presence_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from typing import ClassVar as _ClassVar, Iterable as _Iterable, Mapping as _Mapping, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor
PARTIAL_RESULTS_STABILITY_HIGH: PartialResultsStability
PARTIAL_RESULTS_STABILITY_LOW: PartialResultsStability
PARTIAL_RESULTS_STABILITY_MEDIUM: PartialResultsStability
PARTIAL_RESULTS_STABILITY_UNSPECIFIED: PartialResultsStability
SENSITIVE_CONTENT_TYPE_PHI: SensitiveContentType
SENSITIVE_CONTENT_TYPE_PII: SensitiveContentType
SENSITIVE_CONTENT_TYPE_UNSPECIFIED: SensitiveContentType
TRANSCRIPTION_STATUS_TYPE_FAILED: TranscriptionStatusType
TRANSCRIPTION_STATUS_TYPE_INTERRUPTED: TranscriptionStatusType
TRANSCRIPTION_STATUS_TYPE_RESUMED: TranscriptionStatusType
TRANSCRIPTION_STATUS_TYPE_STARTED: TranscriptionStatusType
TRANSCRIPTION_STATUS_TYPE_STOPPED: TranscriptionStatusType
TRANSCRIPTION_STATUS_TYPE_UNSPECIFIED: TranscriptionStatusType
TRANSCRIPT_ITEM_TYPE_PRONUNCIATION: TranscriptItemType
TRANSCRIPT_ITEM_TYPE_PUNCTUATION: TranscriptItemType
TRANSCRIPT_ITEM_TYPE_UNSPECIFIED: TranscriptItemType
VOCABULARY_FILTER_METHOD_MASK: VocabularyFilterMethod
VOCABULARY_FILTER_METHOD_REMOVE: VocabularyFilterMethod
VOCABULARY_FILTER_METHOD_TAG: VocabularyFilterMethod
VOCABULARY_FILTER_METHOD_UNSPECIFIED: VocabularyFilterMethod

class AnnounceTranscriptionReply(_message.Message):
    __slots__ = ["refused", "refused_transcriptions", "term"]
    REFUSED_FIELD_NUMBER: _ClassVar[int]
    REFUSED_TRANSCRIPTIONS_FIELD_NUMBER: _ClassVar[int]
    TERM_FIELD_NUMBER: _ClassVar[int]
    refused: _containers.RepeatedCompositeFieldContainer[_presence_pb2.RefusedSession]
    refused_transcriptions: _containers.RepeatedCompositeFieldContainer[RefusedTranscription]
    term: int
    def __init__(self, term: _Optional[int] = ..., refused: _Optional[_Iterable[_Union[_presence_pb2.RefusedSession, _Mapping]]] = ..., refused_transcriptions: _Optional[_Iterable[_Union[RefusedTranscription, _Mapping]]] = ...) -> None: ...

class AnnounceTranscriptionRequest(_message.Message):
    __slots__ = ["gateway", "gateway_run", "last", "membership", "sessions", "transcriptions"]
    GATEWAY_FIELD_NUMBER: _ClassVar[int]
    GATEWAY_RUN_FIELD_NUMBER: _ClassVar[int]
    LAST_FIELD_NUMBER: _ClassVar[int]
    MEMBERSHIP_FIELD_NUMBER: _ClassVar[int]
    SESSIONS_FIELD_NUMBER: _ClassVar[int]
    TRANSCRIPTIONS_FIELD_NUMBER: _ClassVar[int]
    gateway: str
    gateway_run: int
    last: bool
    membership: int
    sessions: _containers.RepeatedCompositeFieldContainer[TranscriptSession]
    transcriptions: _containers.RepeatedCompositeFieldContainer[StartTranscriptionRequest]
    def __init__(self, gateway: _Optional[str] = ..., transcriptions: _Optional[_Iterable[_Union[StartTranscriptionRequest, _Mapping]]] = ..., sessions: _Optional[_Iterable[_Union[TranscriptSession, _Mapping]]] = ..., last: bool = ..., gateway_run: _Optional[int] = ..., membership: _Optional[int] = ...) -> None: ...

class AttachEngineRequest(_message.Message):
    __slots__ = ["capabilities", "credit", "engine_id"]
    CAPABILITIES_FIELD_NUMBER: _ClassVar[int]
    CREDIT_FIELD_NUMBER: _ClassVar[int]
    ENGINE_ID_FIELD_NUMBER: _ClassVar[int]
    capabilities: EngineCapabilities
    credit: int
    engine_id: str
    def __init__(self, engine_id: _Optional[str] = ..., capabilities: _Optional[_Union[EngineCapabilities, _Mapping]] = ..., credit: _Optional[int] = ...) -> None: ...

class AttachedEngine(_message.Message):
    __slots__ = ["attached_at_ms", "backlog_ms", "capabilities", "engine_id", "instance", "streams"]
    ATTACHED_AT_MS_FIELD_NUMBER: _ClassVar[int]
    BACKLOG_MS_FIELD_NUMBER: _ClassVar[int]
    CAPABILITIES_FIELD_NUMBER: _ClassVar[int]
    ENGINE_ID_FIELD_NUMBER: _ClassVar[int]
    INSTANCE_FIELD_NUMBER: _ClassVar[int]
    STREAMS_FIELD_NUMBER: _ClassVar[int]
    attached_at_ms: int
    backlog_ms: int
    capabilities: EngineCapabilities
    engine_id: str
    instance: str
    streams: int
    def __init__(self, engine_id: _Optional[str] = ..., instance: _Optional[str] = ..., capabilities: _Optional[_Union[EngineCapabilities, _Mapping]] = ..., streams: _Optional[int] = ..., backlog_ms: _Optional[int] = ..., attached_at_ms: _Optional[int] = ...) -> None: ...

class EngineAlternative(_message.Message):
    __slots__ = ["entities", "words"]
    ENTITIES_FIELD_NUMBER: _ClassVar[int]
    WORDS_FIELD_NUMBER: _ClassVar[int]
    entities: _containers.RepeatedCompositeFieldContainer[EngineEntity]
    words: _containers.RepeatedCompositeFieldContainer[EngineWord]
    def __init__(self, words: _Optional[_Iterable[_Union[EngineWord, _Mapping]]] = ..., entities: _Optional[_Iterable[_Union[EngineEntity, _Mapping]]] = ...) -> None: ...

class EngineAttached(_message.Message):
    __slots__ = ["instance", "max_result_bytes", "report_seconds"]
    INSTANCE_FIELD_NUMBER: _ClassVar[int]
    MAX_RESULT_BYTES_FIELD_NUMBER: _ClassVar[int]
    REPORT_SECONDS_FIELD_NUMBER: _ClassVar[int]
    instance: str
    max_result_bytes: int
    report_seconds: int
    def __init__(self, instance: _Optional[str] = ..., max_result_bytes: _Optional[int] = ..., report_seconds: _Optional[int] = ...) -> None: ...

class EngineAudio(_message.Message):
    __slots__ = ["first_sample", "is_end_of_utterance", "samples", "stream_id"]
    FIRST_SAMPLE_FIELD_NUMBER: _ClassVar[int]
    IS_END_OF_UTTERANCE_FIELD_NUMBER: _ClassVar[int]
    SAMPLES_FIELD_NUMBER: _ClassVar[int]
    STREAM_ID_FIELD_NUMBER: _ClassVar[int]
    first_sample: int
    is_end_of_utterance: bool
    samples: int
    stream_id: str
    def __init__(self, stream_id: _Optional[str] = ..., first_sample: _Optional[int] = ..., samples: _Optional[int] = ..., is_end_of_utterance: bool = ...) -> None: ...

class EngineCapabilities(_message.Message):
    __slots__ = ["has_partials", "has_vocabulary", "identifies_content", "identifies_language", "languages", "max_streams", "name", "version"]
    HAS_PARTIALS_FIELD_NUMBER: _ClassVar[int]
    HAS_VOCABULARY_FIELD_NUMBER: _ClassVar[int]
    IDENTIFIES_CONTENT_FIELD_NUMBER: _ClassVar[int]
    IDENTIFIES_LANGUAGE_FIELD_NUMBER: _ClassVar[int]
    LANGUAGES_FIELD_NUMBER: _ClassVar[int]
    MAX_STREAMS_FIELD_NUMBER: _ClassVar[int]
    NAME_FIELD_NUMBER: _ClassVar[int]
    VERSION_FIELD_NUMBER: _ClassVar[int]
    has_partials: bool
    has_vocabulary: bool
    identifies_content: bool
    identifies_language: bool
    languages: _containers.RepeatedCompositeFieldContainer[EngineLanguage]
    max_streams: int
    name: str
    version: str
    def __init__(self, name: _Optional[str] = ..., version: _Optional[str] = ..., languages: _Optional[_Iterable[_Union[EngineLanguage, _Mapping]]] = ..., has_partials: bool = ..., has_vocabulary: bool = ..., identifies_language: bool = ..., identifies_content: bool = ..., max_streams: _Optional[int] = ...) -> None: ...

class EngineEntity(_message.Message):
    __slots__ = ["category", "confidence", "first_word", "type", "word_count"]
    CATEGORY_FIELD_NUMBER: _ClassVar[int]
    CONFIDENCE_FIELD_NUMBER: _ClassVar[int]
    FIRST_WORD_FIELD_NUMBER: _ClassVar[int]
    TYPE_FIELD_NUMBER: _ClassVar[int]
    WORD_COUNT_FIELD_NUMBER: _ClassVar[int]
    category: str
    confidence: float
    first_word: int
    type: str
    word_count: int
    def __init__(self, type: _Optional[str] = ..., category: _Optional[str] = ..., first_word: _Optional[int] = ..., word_count: _Optional[int] = ..., confidence: _Optional[float] = ...) -> None: ...

class EngineFailure(_message.Message):
    __slots__ = ["message", "stream_id"]
    MESSAGE_FIELD_NUMBER: _ClassVar[int]
    STREAM_ID_FIELD_NUMBER: _ClassVar[int]
    message: str
    stream_id: str
    def __init__(self, stream_id: _Optional[str] = ..., message: _Optional[str] = ...) -> None: ...

class EngineItem(_message.Message):
    __slots__ = ["attached", "audio", "stream_ended", "stream_started"]
    ATTACHED_FIELD_NUMBER: _ClassVar[int]
    AUDIO_FIELD_NUMBER: _ClassVar[int]
    STREAM_ENDED_FIELD_NUMBER: _ClassVar[int]
    STREAM_STARTED_FIELD_NUMBER: _ClassVar[int]
    attached: EngineAttached
    audio: EngineAudio
    stream_ended: EngineStreamEnded
    stream_started: EngineStreamStarted
    def __init__(self, audio: _Optional[_Union[EngineAudio, _Mapping]] = ..., stream_started: _Optional[_Union[EngineStreamStarted, _Mapping]] = ..., stream_ended: _Optional[_Union[EngineStreamEnded, _Mapping]] = ..., attached: _Optional[_Union[EngineAttached, _Mapping]] = ...) -> None: ...

class EngineLanguage(_message.Message):
    __slots__ = ["language_code", "translates_to"]
    LANGUAGE_CODE_FIELD_NUMBER: _ClassVar[int]
    TRANSLATES_TO_FIELD_NUMBER: _ClassVar[int]
    language_code: str
    translates_to: _containers.RepeatedScalarFieldContainer[str]
    def __init__(self, language_code: _Optional[str] = ..., translates_to: _Optional[_Iterable[str]] = ...) -> None: ...

class EngineProgress(_message.Message):
    __slots__ = ["stream_id", "through_sample"]
    STREAM_ID_FIELD_NUMBER: _ClassVar[int]
    THROUGH_SAMPLE_FIELD_NUMBER: _ClassVar[int]
    stream_id: str
    through_sample: int
    def __init__(self, stream_id: _Optional[str] = ..., through_sample: _Optional[int] = ...) -> None: ...

class EngineResult(_message.Message):
    __slots__ = ["alternatives", "end_sample", "is_final", "language_code", "language_identification", "start_sample", "stream_id", "translated_from", "utterance"]
    ALTERNATIVES_FIELD_NUMBER: _ClassVar[int]
    END_SAMPLE_FIELD_NUMBER: _ClassVar[int]
    IS_FINAL_FIELD_NUMBER: _ClassVar[int]
    LANGUAGE_CODE_FIELD_NUMBER: _ClassVar[int]
    LANGUAGE_IDENTIFICATION_FIELD_NUMBER: _ClassVar[int]
    START_SAMPLE_FIELD_NUMBER: _ClassVar[int]
    STREAM_ID_FIELD_NUMBER: _ClassVar[int]
    TRANSLATED_FROM_FIELD_NUMBER: _ClassVar[int]
    UTTERANCE_FIELD_NUMBER: _ClassVar[int]
    alternatives: _containers.RepeatedCompositeFieldContainer[EngineAlternative]
    end_sample: int
    is_final: bool
    language_code: str
    language_identification: _containers.RepeatedCompositeFieldContainer[TranscriptLanguageWithScore]
    start_sample: int
    stream_id: str
    translated_from: str
    utterance: int
    def __init__(self, stream_id: _Optional[str] = ..., utterance: _Optional[int] = ..., is_final: bool = ..., start_sample: _Optional[int] = ..., end_sample: _Optional[int] = ..., alternatives: _Optional[_Iterable[_Union[EngineAlternative, _Mapping]]] = ..., language_code: _Optional[str] = ..., language_identification: _Optional[_Iterable[_Union[TranscriptLanguageWithScore, _Mapping]]] = ..., translated_from: _Optional[str] = ...) -> None: ...

class EngineStreamEnded(_message.Message):
    __slots__ = ["is_discarded", "stream_id"]
    IS_DISCARDED_FIELD_NUMBER: _ClassVar[int]
    STREAM_ID_FIELD_NUMBER: _ClassVar[int]
    is_discarded: bool
    stream_id: str
    def __init__(self, stream_id: _Optional[str] = ..., is_discarded: bool = ...) -> None: ...

class EngineStreamStarted(_message.Message):
    __slots__ = ["content_identification", "language_code", "language_model_name", "language_options", "medical", "phrases", "pii_entity_types", "stream_id", "translate_to", "vocabulary_names", "wants_partials"]
    CONTENT_IDENTIFICATION_FIELD_NUMBER: _ClassVar[int]
    LANGUAGE_CODE_FIELD_NUMBER: _ClassVar[int]
    LANGUAGE_MODEL_NAME_FIELD_NUMBER: _ClassVar[int]
    LANGUAGE_OPTIONS_FIELD_NUMBER: _ClassVar[int]
    MEDICAL_FIELD_NUMBER: _ClassVar[int]
    PHRASES_FIELD_NUMBER: _ClassVar[int]
    PII_ENTITY_TYPES_FIELD_NUMBER: _ClassVar[int]
    STREAM_ID_FIELD_NUMBER: _ClassVar[int]
    TRANSLATE_TO_FIELD_NUMBER: _ClassVar[int]
    VOCABULARY_NAMES_FIELD_NUMBER: _ClassVar[int]
    WANTS_PARTIALS_FIELD_NUMBER: _ClassVar[int]
    content_identification: SensitiveContentType
    language_code: str
    language_model_name: str
    language_options: _containers.RepeatedScalarFieldContainer[str]
    medical: MedicalSettings
    phrases: _containers.RepeatedScalarFieldContainer[str]
    pii_entity_types: _containers.RepeatedScalarFieldContainer[str]
    stream_id: str
    translate_to: _containers.RepeatedScalarFieldContainer[str]
    vocabulary_names: _containers.RepeatedScalarFieldContainer[str]
    wants_partials: bool
    def __init__(self, stream_id: _Optional[str] = ..., language_code: _Optional[str] = ..., language_options: _Optional[_Iterable[str]] = ..., phrases: _Optional[_Iterable[str]] = ..., vocabulary_names: _Optional[_Iterable[str]] = ..., language_model_name: _Optional[str] = ..., wants_partials: bool = ..., translate_to: _Optional[_Iterable[str]] = ..., content_identification: _Optional[_Union[SensitiveContentType, str]] = ..., pii_entity_types: _Optional[_Iterable[str]] = ..., medical: _Optional[_Union[MedicalSettings, _Mapping]] = ...) -> None: ...

class EngineWord(_message.Message):
    __slots__ = ["confidence", "content", "end_sample", "is_stable", "start_sample", "type"]
    CONFIDENCE_FIELD_NUMBER: _ClassVar[int]
    CONTENT_FIELD_NUMBER: _ClassVar[int]
    END_SAMPLE_FIELD_NUMBER: _ClassVar[int]
    IS_STABLE_FIELD_NUMBER: _ClassVar[int]
    START_SAMPLE_FIELD_NUMBER: _ClassVar[int]
    TYPE_FIELD_NUMBER: _ClassVar[int]
    confidence: float
    content: str
    end_sample: int
    is_stable: bool
    start_sample: int
    type: TranscriptItemType
    def __init__(self, content: _Optional[str] = ..., start_sample: _Optional[int] = ..., end_sample: _Optional[int] = ..., type: _Optional[_Union[TranscriptItemType, str]] = ..., is_stable: bool = ..., confidence: _Optional[float] = ...) -> None: ...

class GetTranscriptionStateRequest(_message.Message):
    __slots__ = ["meeting_id"]
    MEETING_ID_FIELD_NUMBER: _ClassVar[int]
    meeting_id: str
    def __init__(self, meeting_id: _Optional[str] = ...) -> None: ...

class JoinTranscriptsRequest(_message.Message):
    __slots__ = ["session"]
    SESSION_FIELD_NUMBER: _ClassVar[int]
    session: TranscriptSession
    def __init__(self, session: _Optional[_Union[TranscriptSession, _Mapping]] = ...) -> None: ...

class ListEnginesReply(_message.Message):
    __slots__ = ["engines"]
    ENGINES_FIELD_NUMBER: _ClassVar[int]
    engines: _containers.RepeatedCompositeFieldContainer[AttachedEngine]
    def __init__(self, engines: _Optional[_Iterable[_Union[AttachedEngine, _Mapping]]] = ...) -> None: ...

class ListEnginesRequest(_message.Message):
    __slots__ = []
    def __init__(self) -> None: ...

class MedicalSettings(_message.Message):
    __slots__ = ["specialty", "type"]
    SPECIALTY_FIELD_NUMBER: _ClassVar[int]
    TYPE_FIELD_NUMBER: _ClassVar[int]
    specialty: str
    type: str
    def __init__(self, specialty: _Optional[str] = ..., type: _Optional[str] = ...) -> None: ...

class RefusedTranscription(_message.Message):
    __slots__ = ["meeting_id", "status"]
    MEETING_ID_FIELD_NUMBER: _ClassVar[int]
    STATUS_FIELD_NUMBER: _ClassVar[int]
    meeting_id: str
    status: _common_pb2.Status
    def __init__(self, meeting_id: _Optional[str] = ..., status: _Optional[_Union[_common_pb2.Status, _Mapping]] = ...) -> None: ...

class ReportResultsReply(_message.Message):
    __slots__ = ["dropped_results"]
    DROPPED_RESULTS_FIELD_NUMBER: _ClassVar[int]
    dropped_results: int
    def __init__(self, dropped_results: _Optional[int] = ...) -> None: ...

class ReportResultsRequest(_message.Message):
    __slots__ = ["credit", "engine_id", "failures", "progress", "results"]
    CREDIT_FIELD_NUMBER: _ClassVar[int]
    ENGINE_ID_FIELD_NUMBER: _ClassVar[int]
    FAILURES_FIELD_NUMBER: _ClassVar[int]
    PROGRESS_FIELD_NUMBER: _ClassVar[int]
    RESULTS_FIELD_NUMBER: _ClassVar[int]
    credit: int
    engine_id: str
    failures: _containers.RepeatedCompositeFieldContainer[EngineFailure]
    progress: _containers.RepeatedCompositeFieldContainer[EngineProgress]
    results: _containers.RepeatedCompositeFieldContainer[EngineResult]
    def __init__(self, engine_id: _Optional[str] = ..., results: _Optional[_Iterable[_Union[EngineResult, _Mapping]]] = ..., progress: _Optional[_Iterable[_Union[EngineProgress, _Mapping]]] = ..., failures: _Optional[_Iterable[_Union[EngineFailure, _Mapping]]] = ..., credit: _Optional[int] = ...) -> None: ...

class SetTranscriptLanguagesReply(_message.Message):
    __slots__ = ["is_offered"]
    IS_OFFERED_FIELD_NUMBER: _ClassVar[int]
    is_offered: bool
    def __init__(self, is_offered: bool = ...) -> None: ...

class SetTranscriptLanguagesRequest(_message.Message):
    __slots__ = ["session"]
    SESSION_FIELD_NUMBER: _ClassVar[int]
    session: TranscriptSession
    def __init__(self, session: _Optional[_Union[TranscriptSession, _Mapping]] = ...) -> None: ...

class StartTranscriptionReply(_message.Message):
    __slots__ = ["was_running"]
    WAS_RUNNING_FIELD_NUMBER: _ClassVar[int]
    was_running: bool
    def __init__(self, was_running: bool = ...) -> None: ...

class StartTranscriptionRequest(_message.Message):
    __slots__ = ["configuration", "meeting_id", "revision", "started_at_ms"]
    CONFIGURATION_FIELD_NUMBER: _ClassVar[int]
    MEETING_ID_FIELD_NUMBER: _ClassVar[int]
    REVISION_FIELD_NUMBER: _ClassVar[int]
    STARTED_AT_MS_FIELD_NUMBER: _ClassVar[int]
    configuration: TranscriptionConfiguration
    meeting_id: str
    revision: int
    started_at_ms: int
    def __init__(self, meeting_id: _Optional[str] = ..., configuration: _Optional[_Union[TranscriptionConfiguration, _Mapping]] = ..., revision: _Optional[int] = ..., started_at_ms: _Optional[int] = ...) -> None: ...

class StopTranscriptionReply(_message.Message):
    __slots__ = ["was_running"]
    WAS_RUNNING_FIELD_NUMBER: _ClassVar[int]
    was_running: bool
    def __init__(self, was_running: bool = ...) -> None: ...

class StopTranscriptionRequest(_message.Message):
    __slots__ = ["meeting_id", "revision"]
    MEETING_ID_FIELD_NUMBER: _ClassVar[int]
    REVISION_FIELD_NUMBER: _ClassVar[int]
    meeting_id: str
    revision: int
    def __init__(self, meeting_id: _Optional[str] = ..., revision: _Optional[int] = ...) -> None: ...

class TalkerState(_message.Message):
    __slots__ = ["attendee", "backlog_ms", "dropped_ms", "engine_id", "language_code"]
    ATTENDEE_FIELD_NUMBER: _ClassVar[int]
    BACKLOG_MS_FIELD_NUMBER: _ClassVar[int]
    DROPPED_MS_FIELD_NUMBER: _ClassVar[int]
    ENGINE_ID_FIELD_NUMBER: _ClassVar[int]
    LANGUAGE_CODE_FIELD_NUMBER: _ClassVar[int]
    attendee: _common_pb2.AttendeeInfo
    backlog_ms: int
    dropped_ms: int
    engine_id: str
    language_code: str
    def __init__(self, attendee: _Optional[_Union[_common_pb2.AttendeeInfo, _Mapping]] = ..., engine_id: _Optional[str] = ..., language_code: _Optional[str] = ..., backlog_ms: _Optional[int] = ..., dropped_ms: _Optional[int] = ...) -> None: ...

class Transcript(_message.Message):
    __slots__ = ["results"]
    RESULTS_FIELD_NUMBER: _ClassVar[int]
    results: _containers.RepeatedCompositeFieldContainer[TranscriptResult]
    def __init__(self, results: _Optional[_Iterable[_Union[TranscriptResult, _Mapping]]] = ...) -> None: ...

class TranscriptAlternative(_message.Message):
    __slots__ = ["entities", "items", "transcript"]
    ENTITIES_FIELD_NUMBER: _ClassVar[int]
    ITEMS_FIELD_NUMBER: _ClassVar[int]
    TRANSCRIPT_FIELD_NUMBER: _ClassVar[int]
    entities: _containers.RepeatedCompositeFieldContainer[TranscriptEntity]
    items: _containers.RepeatedCompositeFieldContainer[TranscriptItem]
    transcript: str
    def __init__(self, items: _Optional[_Iterable[_Union[TranscriptItem, _Mapping]]] = ..., transcript: _Optional[str] = ..., entities: _Optional[_Iterable[_Union[TranscriptEntity, _Mapping]]] = ...) -> None: ...

class TranscriptEntity(_message.Message):
    __slots__ = ["category", "confidence", "content", "end_time_ms", "start_time_ms", "type"]
    CATEGORY_FIELD_NUMBER: _ClassVar[int]
    CONFIDENCE_FIELD_NUMBER: _ClassVar[int]
    CONTENT_FIELD_NUMBER: _ClassVar[int]
    END_TIME_MS_FIELD_NUMBER: _ClassVar[int]
    START_TIME_MS_FIELD_NUMBER: _ClassVar[int]
    TYPE_FIELD_NUMBER: _ClassVar[int]
    category: str
    confidence: float
    content: str
    end_time_ms: int
    start_time_ms: int
    type: str
    def __init__(self, type: _Optional[str] = ..., content: _Optional[str] = ..., category: _Optional[str] = ..., start_time_ms: _Optional[int] = ..., end_time_ms: _Optional[int] = ..., confidence: _Optional[float] = ...) -> None: ...

class TranscriptEvent(_message.Message):
    __slots__ = ["status", "transcript"]
    STATUS_FIELD_NUMBER: _ClassVar[int]
    TRANSCRIPT_FIELD_NUMBER: _ClassVar[int]
    status: TranscriptionStatus
    transcript: Transcript
    def __init__(self, status: _Optional[_Union[TranscriptionStatus, _Mapping]] = ..., transcript: _Optional[_Union[Transcript, _Mapping]] = ...) -> None: ...

class TranscriptEvents(_message.Message):
    __slots__ = ["events"]
    EVENTS_FIELD_NUMBER: _ClassVar[int]
    events: _containers.RepeatedCompositeFieldContainer[TranscriptEvent]
    def __init__(self, events: _Optional[_Iterable[_Union[TranscriptEvent, _Mapping]]] = ...) -> None: ...

class TranscriptItem(_message.Message):
    __slots__ = ["attendee", "confidence", "content", "end_time_ms", "is_stable", "is_vocabulary_filter_match", "start_time_ms", "type"]
    ATTENDEE_FIELD_NUMBER: _ClassVar[int]
    CONFIDENCE_FIELD_NUMBER: _ClassVar[int]
    CONTENT_FIELD_NUMBER: _ClassVar[int]
    END_TIME_MS_FIELD_NUMBER: _ClassVar[int]
    IS_STABLE_FIELD_NUMBER: _ClassVar[int]
    IS_VOCABULARY_FILTER_MATCH_FIELD_NUMBER: _ClassVar[int]
    START_TIME_MS_FIELD_NUMBER: _ClassVar[int]
    TYPE_FIELD_NUMBER: _ClassVar[int]
    attendee: _common_pb2.AttendeeInfo
    confidence: float
    content: str
    end_time_ms: int
    is_stable: bool
    is_vocabulary_filter_match: bool
    start_time_ms: int
    type: TranscriptItemType
    def __init__(self, type: _Optional[_Union[TranscriptItemType, str]] = ..., start_time_ms: _Optional[int] = ..., end_time_ms: _Optional[int] = ..., attendee: _Optional[_Union[_common_pb2.AttendeeInfo, _Mapping]] = ..., content: _Optional[str] = ..., is_vocabulary_filter_match: bool = ..., is_stable: bool = ..., confidence: _Optional[float] = ...) -> None: ...

class TranscriptLanguageWithScore(_message.Message):
    __slots__ = ["language_code", "score"]
    LANGUAGE_CODE_FIELD_NUMBER: _ClassVar[int]
    SCORE_FIELD_NUMBER: _ClassVar[int]
    language_code: str
    score: float
    def __init__(self, language_code: _Optional[str] = ..., score: _Optional[float] = ...) -> None: ...

class TranscriptReplayReply(_message.Message):
    __slots__ = ["events", "snapshot"]
    EVENTS_FIELD_NUMBER: _ClassVar[int]
    SNAPSHOT_FIELD_NUMBER: _ClassVar[int]
    events: _presence_pb2.ReplayedEvents
    snapshot: TranscriptSnapshot
    def __init__(self, events: _Optional[_Union[_presence_pb2.ReplayedEvents, _Mapping]] = ..., snapshot: _Optional[_Union[TranscriptSnapshot, _Mapping]] = ...) -> None: ...

class TranscriptResult(_message.Message):
    __slots__ = ["alternatives", "channel_id", "end_time_ms", "is_partial", "language_code", "language_identification", "result_id", "revision", "start_time_ms", "translated_from"]
    ALTERNATIVES_FIELD_NUMBER: _ClassVar[int]
    CHANNEL_ID_FIELD_NUMBER: _ClassVar[int]
    END_TIME_MS_FIELD_NUMBER: _ClassVar[int]
    IS_PARTIAL_FIELD_NUMBER: _ClassVar[int]
    LANGUAGE_CODE_FIELD_NUMBER: _ClassVar[int]
    LANGUAGE_IDENTIFICATION_FIELD_NUMBER: _ClassVar[int]
    RESULT_ID_FIELD_NUMBER: _ClassVar[int]
    REVISION_FIELD_NUMBER: _ClassVar[int]
    START_TIME_MS_FIELD_NUMBER: _ClassVar[int]
    TRANSLATED_FROM_FIELD_NUMBER: _ClassVar[int]
    alternatives: _containers.RepeatedCompositeFieldContainer[TranscriptAlternative]
    channel_id: str
    end_time_ms: int
    is_partial: bool
    language_code: str
    language_identification: _containers.RepeatedCompositeFieldContainer[TranscriptLanguageWithScore]
    result_id: str
    revision: int
    start_time_ms: int
    translated_from: str
    def __init__(self, result_id: _Optional[str] = ..., channel_id: _Optional[str] = ..., is_partial: bool = ..., start_time_ms: _Optional[int] = ..., end_time_ms: _Optional[int] = ..., alternatives: _Optional[_Iterable[_Union[TranscriptAlternative, _Mapping]]] = ..., language_code: _Optional[str] = ..., language_identification: _Optional[_Iterable[_Union[TranscriptLanguageWithScore, _Mapping]]] = ..., translated_from: _Optional[str] = ..., revision: _Optional[int] = ...) -> None: ...

class TranscriptSession(_message.Message):
    __slots__ = ["meeting_id", "participant_id", "promoted_as", "session_id", "spoken_language", "view_language"]
    MEETING_ID_FIELD_NUMBER: _ClassVar[int]
    PARTICIPANT_ID_FIELD_NUMBER: _ClassVar[int]
    PROMOTED_AS_FIELD_NUMBER: _ClassVar[int]
    SESSION_ID_FIELD_NUMBER: _ClassVar[int]
    SPOKEN_LANGUAGE_FIELD_NUMBER: _ClassVar[int]
    VIEW_LANGUAGE_FIELD_NUMBER: _ClassVar[int]
    meeting_id: str
    participant_id: str
    promoted_as: str
    session_id: bytes
    spoken_language: str
    view_language: str
    def __init__(self, meeting_id: _Optional[str] = ..., session_id: _Optional[bytes] = ..., participant_id: _Optional[str] = ..., view_language: _Optional[str] = ..., spoken_language: _Optional[str] = ..., promoted_as: _Optional[str] = ...) -> None: ...

class TranscriptSnapshot(_message.Message):
    __slots__ = ["epoch", "meeting_id", "open", "sequence", "sessions", "status"]
    EPOCH_FIELD_NUMBER: _ClassVar[int]
    MEETING_ID_FIELD_NUMBER: _ClassVar[int]
    OPEN_FIELD_NUMBER: _ClassVar[int]
    SEQUENCE_FIELD_NUMBER: _ClassVar[int]
    SESSIONS_FIELD_NUMBER: _ClassVar[int]
    STATUS_FIELD_NUMBER: _ClassVar[int]
    epoch: int
    meeting_id: str
    open: Transcript
    sequence: int
    sessions: _containers.RepeatedCompositeFieldContainer[TranscriptSession]
    status: TranscriptionStatus
    def __init__(self, meeting_id: _Optional[str] = ..., epoch: _Optional[int] = ..., sequence: _Optional[int] = ..., status: _Optional[_Union[TranscriptionStatus, _Mapping]] = ..., open: _Optional[_Union[Transcript, _Mapping]] = ..., sessions: _Optional[_Iterable[_Union[TranscriptSession, _Mapping]]] = ...) -> None: ...

class TranscriptionConfiguration(_message.Message):
    __slots__ = ["content_identification", "content_redaction", "engine", "filtered_words", "is_language_identified", "is_partial_results_stabilization_enabled", "json", "language_code", "language_model_name", "language_options", "medical", "partial_results_stability", "phrases", "pii_entity_types", "preferred_language", "region", "translate_to", "vocabulary_filter_method", "vocabulary_filter_names", "vocabulary_names"]
    CONTENT_IDENTIFICATION_FIELD_NUMBER: _ClassVar[int]
    CONTENT_REDACTION_FIELD_NUMBER: _ClassVar[int]
    ENGINE_FIELD_NUMBER: _ClassVar[int]
    FILTERED_WORDS_FIELD_NUMBER: _ClassVar[int]
    IS_LANGUAGE_IDENTIFIED_FIELD_NUMBER: _ClassVar[int]
    IS_PARTIAL_RESULTS_STABILIZATION_ENABLED_FIELD_NUMBER: _ClassVar[int]
    JSON_FIELD_NUMBER: _ClassVar[int]
    LANGUAGE_CODE_FIELD_NUMBER: _ClassVar[int]
    LANGUAGE_MODEL_NAME_FIELD_NUMBER: _ClassVar[int]
    LANGUAGE_OPTIONS_FIELD_NUMBER: _ClassVar[int]
    MEDICAL_FIELD_NUMBER: _ClassVar[int]
    PARTIAL_RESULTS_STABILITY_FIELD_NUMBER: _ClassVar[int]
    PHRASES_FIELD_NUMBER: _ClassVar[int]
    PII_ENTITY_TYPES_FIELD_NUMBER: _ClassVar[int]
    PREFERRED_LANGUAGE_FIELD_NUMBER: _ClassVar[int]
    REGION_FIELD_NUMBER: _ClassVar[int]
    TRANSLATE_TO_FIELD_NUMBER: _ClassVar[int]
    VOCABULARY_FILTER_METHOD_FIELD_NUMBER: _ClassVar[int]
    VOCABULARY_FILTER_NAMES_FIELD_NUMBER: _ClassVar[int]
    VOCABULARY_NAMES_FIELD_NUMBER: _ClassVar[int]
    content_identification: SensitiveContentType
    content_redaction: SensitiveContentType
    engine: str
    filtered_words: _containers.RepeatedScalarFieldContainer[str]
    is_language_identified: bool
    is_partial_results_stabilization_enabled: bool
    json: str
    language_code: str
    language_model_name: str
    language_options: _containers.RepeatedScalarFieldContainer[str]
    medical: MedicalSettings
    partial_results_stability: PartialResultsStability
    phrases: _containers.RepeatedScalarFieldContainer[str]
    pii_entity_types: _containers.RepeatedScalarFieldContainer[str]
    preferred_language: str
    region: str
    translate_to: _containers.RepeatedScalarFieldContainer[str]
    vocabulary_filter_method: VocabularyFilterMethod
    vocabulary_filter_names: _containers.RepeatedScalarFieldContainer[str]
    vocabulary_names: _containers.RepeatedScalarFieldContainer[str]
    def __init__(self, language_code: _Optional[str] = ..., is_language_identified: bool = ..., language_options: _Optional[_Iterable[str]] = ..., preferred_language: _Optional[str] = ..., engine: _Optional[str] = ..., phrases: _Optional[_Iterable[str]] = ..., vocabulary_names: _Optional[_Iterable[str]] = ..., vocabulary_filter_names: _Optional[_Iterable[str]] = ..., filtered_words: _Optional[_Iterable[str]] = ..., vocabulary_filter_method: _Optional[_Union[VocabularyFilterMethod, str]] = ..., region: _Optional[str] = ..., is_partial_results_stabilization_enabled: bool = ..., partial_results_stability: _Optional[_Union[PartialResultsStability, str]] = ..., content_identification: _Optional[_Union[SensitiveContentType, str]] = ..., content_redaction: _Optional[_Union[SensitiveContentType, str]] = ..., pii_entity_types: _Optional[_Iterable[str]] = ..., language_model_name: _Optional[str] = ..., medical: _Optional[_Union[MedicalSettings, _Mapping]] = ..., translate_to: _Optional[_Iterable[str]] = ..., json: _Optional[str] = ...) -> None: ...

class TranscriptionState(_message.Message):
    __slots__ = ["backlog_ms", "configuration", "is_running", "meeting_id", "status", "talkers"]
    BACKLOG_MS_FIELD_NUMBER: _ClassVar[int]
    CONFIGURATION_FIELD_NUMBER: _ClassVar[int]
    IS_RUNNING_FIELD_NUMBER: _ClassVar[int]
    MEETING_ID_FIELD_NUMBER: _ClassVar[int]
    STATUS_FIELD_NUMBER: _ClassVar[int]
    TALKERS_FIELD_NUMBER: _ClassVar[int]
    backlog_ms: int
    configuration: TranscriptionConfiguration
    is_running: bool
    meeting_id: str
    status: TranscriptionStatus
    talkers: _containers.RepeatedCompositeFieldContainer[TalkerState]
    def __init__(self, meeting_id: _Optional[str] = ..., is_running: bool = ..., configuration: _Optional[_Union[TranscriptionConfiguration, _Mapping]] = ..., status: _Optional[_Union[TranscriptionStatus, _Mapping]] = ..., talkers: _Optional[_Iterable[_Union[TalkerState, _Mapping]]] = ..., backlog_ms: _Optional[int] = ...) -> None: ...

class TranscriptionStatus(_message.Message):
    __slots__ = ["event_time_ms", "message", "transcription_configuration", "transcription_region", "type"]
    EVENT_TIME_MS_FIELD_NUMBER: _ClassVar[int]
    MESSAGE_FIELD_NUMBER: _ClassVar[int]
    TRANSCRIPTION_CONFIGURATION_FIELD_NUMBER: _ClassVar[int]
    TRANSCRIPTION_REGION_FIELD_NUMBER: _ClassVar[int]
    TYPE_FIELD_NUMBER: _ClassVar[int]
    event_time_ms: int
    message: str
    transcription_configuration: str
    transcription_region: str
    type: TranscriptionStatusType
    def __init__(self, type: _Optional[_Union[TranscriptionStatusType, str]] = ..., event_time_ms: _Optional[int] = ..., transcription_region: _Optional[str] = ..., transcription_configuration: _Optional[str] = ..., message: _Optional[str] = ...) -> None: ...

class TranscriptionStatusType(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = []

class TranscriptItemType(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = []

class VocabularyFilterMethod(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = []

class PartialResultsStability(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = []

class SensitiveContentType(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = []
