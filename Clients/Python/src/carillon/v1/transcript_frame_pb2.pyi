from google.protobuf.internal import containers as _containers
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from typing import ClassVar as _ClassVar, Iterable as _Iterable, Mapping as _Mapping, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class TranscriptFrame(_message.Message):
    __slots__ = ["events"]
    EVENTS_FIELD_NUMBER: _ClassVar[int]
    events: _containers.RepeatedCompositeFieldContainer[TranscriptFrameEvent]
    def __init__(self, events: _Optional[_Iterable[_Union[TranscriptFrameEvent, _Mapping]]] = ...) -> None: ...

class TranscriptFrameAlternative(_message.Message):
    __slots__ = ["entities", "items", "transcript"]
    ENTITIES_FIELD_NUMBER: _ClassVar[int]
    ITEMS_FIELD_NUMBER: _ClassVar[int]
    TRANSCRIPT_FIELD_NUMBER: _ClassVar[int]
    entities: _containers.RepeatedCompositeFieldContainer[TranscriptFrameEntity]
    items: _containers.RepeatedCompositeFieldContainer[TranscriptFrameItem]
    transcript: str
    def __init__(self, items: _Optional[_Iterable[_Union[TranscriptFrameItem, _Mapping]]] = ..., transcript: _Optional[str] = ..., entities: _Optional[_Iterable[_Union[TranscriptFrameEntity, _Mapping]]] = ...) -> None: ...

class TranscriptFrameEntity(_message.Message):
    __slots__ = ["category", "confidence", "content", "end_time", "start_time", "type"]
    CATEGORY_FIELD_NUMBER: _ClassVar[int]
    CONFIDENCE_FIELD_NUMBER: _ClassVar[int]
    CONTENT_FIELD_NUMBER: _ClassVar[int]
    END_TIME_FIELD_NUMBER: _ClassVar[int]
    START_TIME_FIELD_NUMBER: _ClassVar[int]
    TYPE_FIELD_NUMBER: _ClassVar[int]
    category: str
    confidence: float
    content: str
    end_time: int
    start_time: int
    type: str
    def __init__(self, category: _Optional[str] = ..., confidence: _Optional[float] = ..., content: _Optional[str] = ..., end_time: _Optional[int] = ..., start_time: _Optional[int] = ..., type: _Optional[str] = ...) -> None: ...

class TranscriptFrameEvent(_message.Message):
    __slots__ = ["status", "transcript"]
    STATUS_FIELD_NUMBER: _ClassVar[int]
    TRANSCRIPT_FIELD_NUMBER: _ClassVar[int]
    status: TranscriptFrameStatus
    transcript: TranscriptFrameTranscript
    def __init__(self, status: _Optional[_Union[TranscriptFrameStatus, _Mapping]] = ..., transcript: _Optional[_Union[TranscriptFrameTranscript, _Mapping]] = ...) -> None: ...

class TranscriptFrameItem(_message.Message):
    __slots__ = ["confidence", "content", "end_time", "speaker_attendee_id", "speaker_display_name", "speaker_external_user_id", "stable", "start_time", "type", "vocabulary_filter_match"]
    CONFIDENCE_FIELD_NUMBER: _ClassVar[int]
    CONTENT_FIELD_NUMBER: _ClassVar[int]
    END_TIME_FIELD_NUMBER: _ClassVar[int]
    SPEAKER_ATTENDEE_ID_FIELD_NUMBER: _ClassVar[int]
    SPEAKER_DISPLAY_NAME_FIELD_NUMBER: _ClassVar[int]
    SPEAKER_EXTERNAL_USER_ID_FIELD_NUMBER: _ClassVar[int]
    STABLE_FIELD_NUMBER: _ClassVar[int]
    START_TIME_FIELD_NUMBER: _ClassVar[int]
    TYPE_FIELD_NUMBER: _ClassVar[int]
    VOCABULARY_FILTER_MATCH_FIELD_NUMBER: _ClassVar[int]
    confidence: float
    content: str
    end_time: int
    speaker_attendee_id: str
    speaker_display_name: str
    speaker_external_user_id: str
    stable: bool
    start_time: int
    type: int
    vocabulary_filter_match: bool
    def __init__(self, content: _Optional[str] = ..., end_time: _Optional[int] = ..., speaker_attendee_id: _Optional[str] = ..., speaker_external_user_id: _Optional[str] = ..., start_time: _Optional[int] = ..., type: _Optional[int] = ..., vocabulary_filter_match: bool = ..., confidence: _Optional[float] = ..., stable: bool = ..., speaker_display_name: _Optional[str] = ...) -> None: ...

class TranscriptFrameLanguage(_message.Message):
    __slots__ = ["language_code", "score"]
    LANGUAGE_CODE_FIELD_NUMBER: _ClassVar[int]
    SCORE_FIELD_NUMBER: _ClassVar[int]
    language_code: str
    score: float
    def __init__(self, language_code: _Optional[str] = ..., score: _Optional[float] = ...) -> None: ...

class TranscriptFrameResult(_message.Message):
    __slots__ = ["alternatives", "channel_id", "end_time", "is_partial", "language_code", "language_identification", "result_id", "start_time"]
    ALTERNATIVES_FIELD_NUMBER: _ClassVar[int]
    CHANNEL_ID_FIELD_NUMBER: _ClassVar[int]
    END_TIME_FIELD_NUMBER: _ClassVar[int]
    IS_PARTIAL_FIELD_NUMBER: _ClassVar[int]
    LANGUAGE_CODE_FIELD_NUMBER: _ClassVar[int]
    LANGUAGE_IDENTIFICATION_FIELD_NUMBER: _ClassVar[int]
    RESULT_ID_FIELD_NUMBER: _ClassVar[int]
    START_TIME_FIELD_NUMBER: _ClassVar[int]
    alternatives: _containers.RepeatedCompositeFieldContainer[TranscriptFrameAlternative]
    channel_id: str
    end_time: int
    is_partial: bool
    language_code: str
    language_identification: _containers.RepeatedCompositeFieldContainer[TranscriptFrameLanguage]
    result_id: str
    start_time: int
    def __init__(self, alternatives: _Optional[_Iterable[_Union[TranscriptFrameAlternative, _Mapping]]] = ..., channel_id: _Optional[str] = ..., end_time: _Optional[int] = ..., is_partial: bool = ..., result_id: _Optional[str] = ..., start_time: _Optional[int] = ..., language_code: _Optional[str] = ..., language_identification: _Optional[_Iterable[_Union[TranscriptFrameLanguage, _Mapping]]] = ...) -> None: ...

class TranscriptFrameStatus(_message.Message):
    __slots__ = ["event_time", "message", "transcription_configuration", "transcription_region", "type"]
    EVENT_TIME_FIELD_NUMBER: _ClassVar[int]
    MESSAGE_FIELD_NUMBER: _ClassVar[int]
    TRANSCRIPTION_CONFIGURATION_FIELD_NUMBER: _ClassVar[int]
    TRANSCRIPTION_REGION_FIELD_NUMBER: _ClassVar[int]
    TYPE_FIELD_NUMBER: _ClassVar[int]
    event_time: int
    message: str
    transcription_configuration: str
    transcription_region: str
    type: int
    def __init__(self, type: _Optional[int] = ..., event_time: _Optional[int] = ..., transcription_region: _Optional[str] = ..., transcription_configuration: _Optional[str] = ..., message: _Optional[str] = ...) -> None: ...

class TranscriptFrameTranscript(_message.Message):
    __slots__ = ["results"]
    RESULTS_FIELD_NUMBER: _ClassVar[int]
    results: _containers.RepeatedCompositeFieldContainer[TranscriptFrameResult]
    def __init__(self, results: _Optional[_Iterable[_Union[TranscriptFrameResult, _Mapping]]] = ...) -> None: ...
