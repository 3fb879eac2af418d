from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor
MEDIA_DIRECTION_NONE: MediaDirection
MEDIA_DIRECTION_RECEIVE: MediaDirection
MEDIA_DIRECTION_SEND: MediaDirection
MEDIA_DIRECTION_SEND_RECEIVE: MediaDirection
MEDIA_DIRECTION_UNSPECIFIED: MediaDirection
SESSION_STATUS_CODE_AUDIO_AUTHENTICATION_REJECTED: SessionStatusCode
SESSION_STATUS_CODE_AUDIO_CALL_AT_CAPACITY: SessionStatusCode
SESSION_STATUS_CODE_AUDIO_CALL_ENDED: SessionStatusCode
SESSION_STATUS_CODE_AUDIO_DISCONNECTED: SessionStatusCode
SESSION_STATUS_CODE_AUDIO_DISCONNECT_AUDIO: SessionStatusCode
SESSION_STATUS_CODE_AUDIO_INPUT_DEVICE_NOT_RESPONDING: SessionStatusCode
SESSION_STATUS_CODE_AUDIO_INTERNAL_SERVER_ERROR: SessionStatusCode
SESSION_STATUS_CODE_AUDIO_JOINED_FROM_ANOTHER_DEVICE: SessionStatusCode
SESSION_STATUS_CODE_AUDIO_OUTPUT_DEVICE_NOT_RESPONDING: SessionStatusCode
SESSION_STATUS_CODE_AUDIO_SERVER_HUNGUP: SessionStatusCode
SESSION_STATUS_CODE_AUDIO_SERVICE_UNAVAILABLE: SessionStatusCode
SESSION_STATUS_CODE_CONNECTION_HEALTH_RECONNECT: SessionStatusCode
SESSION_STATUS_CODE_NETWORK_BECOME_POOR: SessionStatusCode
SESSION_STATUS_CODE_OK: SessionStatusCode
SESSION_STATUS_CODE_UNKNOWN: SessionStatusCode
SESSION_STATUS_CODE_VIDEO_AT_CAPACITY_VIEW_ONLY: SessionStatusCode
SESSION_STATUS_CODE_VIDEO_SERVICE_UNAVAILABLE: SessionStatusCode
SIGNAL_STRENGTH_HIGH: SignalStrength
SIGNAL_STRENGTH_LOW: SignalStrength
SIGNAL_STRENGTH_NONE: SignalStrength
SIGNAL_STRENGTH_UNSPECIFIED: SignalStrength
STATUS_CODE_ABORTED: StatusCode
STATUS_CODE_ALREADY_EXISTS: StatusCode
STATUS_CODE_CANCELLED: StatusCode
STATUS_CODE_DATA_LOSS: StatusCode
STATUS_CODE_DEADLINE_EXCEEDED: StatusCode
STATUS_CODE_FAILED_PRECONDITION: StatusCode
STATUS_CODE_INTERNAL_ERROR: StatusCode
STATUS_CODE_INVALID_ARGUMENT: StatusCode
STATUS_CODE_NOT_FOUND: StatusCode
STATUS_CODE_OK: StatusCode
STATUS_CODE_OUT_OF_RANGE: StatusCode
STATUS_CODE_PERMISSION_DENIED: StatusCode
STATUS_CODE_RESOURCE_EXHAUSTED: StatusCode
STATUS_CODE_UNAUTHENTICATED: StatusCode
STATUS_CODE_UNAVAILABLE: StatusCode
STATUS_CODE_UNIMPLEMENTED: StatusCode
STATUS_CODE_UNKNOWN: StatusCode
STATUS_REASON_ATTENDEE_DELETED: StatusReason
STATUS_REASON_BAD_CREDENTIALS: StatusReason
STATUS_REASON_BARRED: StatusReason
STATUS_REASON_DEMOTED_BY_OPERATOR: StatusReason
STATUS_REASON_DRAINING: StatusReason
STATUS_REASON_FLOODING: StatusReason
STATUS_REASON_IDLE: StatusReason
STATUS_REASON_JOINED_ELSEWHERE: StatusReason
STATUS_REASON_KEEP_ALIVE_LOST: StatusReason
STATUS_REASON_MALFORMED: StatusReason
STATUS_REASON_MEETING_DELETED: StatusReason
STATUS_REASON_MEETING_EXPIRED: StatusReason
STATUS_REASON_MEETING_FULL: StatusReason
STATUS_REASON_MEETING_LOCKED: StatusReason
STATUS_REASON_MUTED_BY_OPERATOR: StatusReason
STATUS_REASON_NOT_OWNER: StatusReason
STATUS_REASON_OVERLOADED: StatusReason
STATUS_REASON_SLOW_CONSUMER: StatusReason
STATUS_REASON_STALE_TERM: StatusReason
STATUS_REASON_UNSPECIFIED: StatusReason
STATUS_REASON_UNSUPPORTED_VERSION: StatusReason
VOLUME_LEVEL_HIGH: VolumeLevel
VOLUME_LEVEL_LOW: VolumeLevel
VOLUME_LEVEL_MEDIUM: VolumeLevel
VOLUME_LEVEL_MUTED: VolumeLevel
VOLUME_LEVEL_NOT_SPEAKING: VolumeLevel
VOLUME_LEVEL_UNSPECIFIED: VolumeLevel

class AttendeeInfo(_message.Message):
    __slots__ = ["attendee_id", "display_name", "external_user_id"]
    ATTENDEE_ID_FIELD_NUMBER: _ClassVar[int]
    DISPLAY_NAME_FIELD_NUMBER: _ClassVar[int]
    EXTERNAL_USER_ID_FIELD_NUMBER: _ClassVar[int]
    attendee_id: str
    display_name: str
    external_user_id: str
    def __init__(self, attendee_id: _Optional[str] = ..., external_user_id: _Optional[str] = ..., display_name: _Optional[str] = ...) -> None: ...

class Capabilities(_message.Message):
    __slots__ = ["audio", "content", "video"]
    AUDIO_FIELD_NUMBER: _ClassVar[int]
    CONTENT_FIELD_NUMBER: _ClassVar[int]
    VIDEO_FIELD_NUMBER: _ClassVar[int]
    audio: MediaDirection
    content: MediaDirection
    video: MediaDirection
    def __init__(self, audio: _Optional[_Union[MediaDirection, str]] = ..., video: _Optional[_Union[MediaDirection, str]] = ..., content: _Optional[_Union[MediaDirection, str]] = ...) -> None: ...

class GetLimitsRequest(_message.Message):
    __slots__ = []
    def __init__(self) -> None: ...

class Limits(_message.Message):
    __slots__ = ["client_budget_bytes", "client_message_bytes", "data_message_burst", "data_message_bytes", "data_message_lifetime_ms", "data_messages_per_second", "drop_after_seconds", "idle_meeting_seconds", "kept_data_messages", "max_attendees", "max_cameras", "max_content_shares", "max_videos_without_subscription", "meeting_seconds", "request_burst", "requests_per_second", "resume_seconds"]
    CLIENT_BUDGET_BYTES_FIELD_NUMBER: _ClassVar[int]
    CLIENT_MESSAGE_BYTES_FIELD_NUMBER: _ClassVar[int]
    DATA_MESSAGES_PER_SECOND_FIELD_NUMBER: _ClassVar[int]
    DATA_MESSAGE_BURST_FIELD_NUMBER: _ClassVar[int]
    DATA_MESSAGE_BYTES_FIELD_NUMBER: _ClassVar[int]
    DATA_MESSAGE_LIFETIME_MS_FIELD_NUMBER: _ClassVar[int]
    DROP_AFTER_SECONDS_FIELD_NUMBER: _ClassVar[int]
    IDLE_MEETING_SECONDS_FIELD_NUMBER: _ClassVar[int]
    KEPT_DATA_MESSAGES_FIELD_NUMBER: _ClassVar[int]
    MAX_ATTENDEES_FIELD_NUMBER: _ClassVar[int]
    MAX_CAMERAS_FIELD_NUMBER: _ClassVar[int]
    MAX_CONTENT_SHARES_FIELD_NUMBER: _ClassVar[int]
    MAX_VIDEOS_WITHOUT_SUBSCRIPTION_FIELD_NUMBER: _ClassVar[int]
    MEETING_SECONDS_FIELD_NUMBER: _ClassVar[int]
    REQUESTS_PER_SECOND_FIELD_NUMBER: _ClassVar[int]
    REQUEST_BURST_FIELD_NUMBER: _ClassVar[int]
    RESUME_SECONDS_FIELD_NUMBER: _ClassVar[int]
    client_budget_bytes: int
    client_message_bytes: int
    data_message_burst: int
    data_message_bytes: int
    data_message_lifetime_ms: int
    data_messages_per_second: int
    drop_after_seconds: int
    idle_meeting_seconds: int
    kept_data_messages: int
    max_attendees: int
    max_cameras: int
    max_content_shares: int
    max_videos_without_subscription: int
    meeting_seconds: int
    request_burst: int
    requests_per_second: int
    resume_seconds: int
    def __init__(self, max_attendees: _Optional[int] = ..., max_cameras: _Optional[int] = ..., max_videos_without_subscription: _Optional[int] = ..., max_content_shares: _Optional[int] = ..., data_message_bytes: _Optional[int] = ..., kept_data_messages: _Optional[int] = ..., data_message_lifetime_ms: _Optional[int] = ..., data_messages_per_second: _Optional[int] = ..., data_message_burst: _Optional[int] = ..., client_message_bytes: _Optional[int] = ..., client_budget_bytes: _Optional[int] = ..., idle_meeting_seconds: _Optional[int] = ..., meeting_seconds: _Optional[int] = ..., drop_after_seconds: _Optional[int] = ..., resume_seconds: _Optional[int] = ..., requests_per_second: _Optional[int] = ..., request_burst: _Optional[int] = ...) -> None: ...

class Status(_message.Message):
    __slots__ = ["code", "message", "reason", "retry_after_ms", "session_status"]
    CODE_FIELD_NUMBER: _ClassVar[int]
    MESSAGE_FIELD_NUMBER: _ClassVar[int]
    REASON_FIELD_NUMBER: _ClassVar[int]
    RETRY_AFTER_MS_FIELD_NUMBER: _ClassVar[int]
    SESSION_STATUS_FIELD_NUMBER: _ClassVar[int]
    code: StatusCode
    message: str
    reason: StatusReason
    retry_after_ms: int
    session_status: SessionStatusCode
    def __init__(self, code: _Optional[_Union[StatusCode, str]] = ..., message: _Optional[str] = ..., session_status: _Optional[_Union[SessionStatusCode, str]] = ..., reason: _Optional[_Union[StatusReason, str]] = ..., retry_after_ms: _Optional[int] = ...) -> None: ...

class StreamPosition(_message.Message):
    __slots__ = ["epoch", "sequence", "stream"]
    EPOCH_FIELD_NUMBER: _ClassVar[int]
    SEQUENCE_FIELD_NUMBER: _ClassVar[int]
    STREAM_FIELD_NUMBER: _ClassVar[int]
    epoch: int
    sequence: int
    stream: str
    def __init__(self, stream: _Optional[str] = ..., epoch: _Optional[int] = ..., sequence: _Optional[int] = ...) -> None: ...

class StatusCode(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = []

class StatusReason(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = []

class SessionStatusCode(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = []

class MediaDirection(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = []

class VolumeLevel(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = []

class SignalStrength(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = []
