from carillon.v1 import common_pb2 as _common_pb2
from carillon.v1 import messaging_pb2 as _messaging_pb2
from carillon.v1 import presence_pb2 as _presence_pb2
from carillon.v1 import transcription_pb2 as _transcription_pb2
from carillon.v1 import video_tiles_pb2 as _video_tiles_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from typing import ClassVar as _ClassVar, Iterable as _Iterable, Mapping as _Mapping, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class AttendeeRecord(_message.Message):
    __slots__ = ["attendee_id", "capabilities", "created_at_ms", "display_name", "external_user_id", "is_barred", "is_muted_by_operator", "is_present", "join_token", "meeting_id"]
    ATTENDEE_ID_FIELD_NUMBER: _ClassVar[int]
    CAPABILITIES_FIELD_NUMBER: _ClassVar[int]
    CREATED_AT_MS_FIELD_NUMBER: _ClassVar[int]
    DISPLAY_NAME_FIELD_NUMBER: _ClassVar[int]
    EXTERNAL_USER_ID_FIELD_NUMBER: _ClassVar[int]
    IS_BARRED_FIELD_NUMBER: _ClassVar[int]
    IS_MUTED_BY_OPERATOR_FIELD_NUMBER: _ClassVar[int]
    IS_PRESENT_FIELD_NUMBER: _ClassVar[int]
    JOIN_TOKEN_FIELD_NUMBER: _ClassVar[int]
    MEETING_ID_FIELD_NUMBER: _ClassVar[int]
    attendee_id: str
    capabilities: _common_pb2.Capabilities
    created_at_ms: int
    display_name: str
    external_user_id: str
    is_barred: bool
    is_muted_by_operator: bool
    is_present: bool
    join_token: str
    meeting_id: str
    def __init__(self, meeting_id: _Optional[str] = ..., attendee_id: _Optional[str] = ..., external_user_id: _Optional[str] = ..., join_token: _Optional[str] = ..., capabilities: _Optional[_Union[_common_pb2.Capabilities, _Mapping]] = ..., is_muted_by_operator: bool = ..., is_present: bool = ..., created_at_ms: _Optional[int] = ..., is_barred: bool = ..., display_name: _Optional[str] = ...) -> None: ...

class CreateAttendeeRequest(_message.Message):
    __slots__ = ["capabilities", "display_name", "external_user_id", "meeting_id"]
    CAPABILITIES_FIELD_NUMBER: _ClassVar[int]
    DISPLAY_NAME_FIELD_NUMBER: _ClassVar[int]
    EXTERNAL_USER_ID_FIELD_NUMBER: _ClassVar[int]
    MEETING_ID_FIELD_NUMBER: _ClassVar[int]
    capabilities: _common_pb2.Capabilities
    display_name: str
    external_user_id: str
    meeting_id: str
    def __init__(self, meeting_id: _Optional[str] = ..., external_user_id: _Optional[str] = ..., capabilities: _Optional[_Union[_common_pb2.Capabilities, _Mapping]] = ..., display_name: _Optional[str] = ...) -> None: ...

class CreateMeetingRequest(_message.Message):
    __slots__ = ["client_request_token", "external_meeting_id", "max_attendees", "media_region", "primary_meeting_id"]
    CLIENT_REQUEST_TOKEN_FIELD_NUMBER: _ClassVar[int]
    EXTERNAL_MEETING_ID_FIELD_NUMBER: _ClassVar[int]
    MAX_ATTENDEES_FIELD_NUMBER: _ClassVar[int]
    MEDIA_REGION_FIELD_NUMBER: _ClassVar[int]
    PRIMARY_MEETING_ID_FIELD_NUMBER: _ClassVar[int]
    client_request_token: str
    external_meeting_id: str
    max_attendees: int
    media_region: str
    primary_meeting_id: str
    def __init__(self, external_meeting_id: _Optional[str] = ..., media_region: _Optional[str] = ..., max_attendees: _Optional[int] = ..., primary_meeting_id: _Optional[str] = ..., client_request_token: _Optional[str] = ...) -> None: ...

class DeleteAttendeeReply(_message.Message):
    __slots__ = []
    def __init__(self) -> None: ...

class DeleteAttendeeRequest(_message.Message):
    __slots__ = ["attendee_id", "meeting_id"]
    ATTENDEE_ID_FIELD_NUMBER: _ClassVar[int]
    MEETING_ID_FIELD_NUMBER: _ClassVar[int]
    attendee_id: str
    meeting_id: str
    def __init__(self, meeting_id: _Optional[str] = ..., attendee_id: _Optional[str] = ...) -> None: ...

class DeleteMeetingReply(_message.Message):
    __slots__ = []
    def __init__(self) -> None: ...

class DeleteMeetingRequest(_message.Message):
    __slots__ = ["meeting_id"]
    MEETING_ID_FIELD_NUMBER: _ClassVar[int]
    meeting_id: str
    def __init__(self, meeting_id: _Optional[str] = ...) -> None: ...

class GetMeetingRequest(_message.Message):
    __slots__ = ["meeting_id"]
    MEETING_ID_FIELD_NUMBER: _ClassVar[int]
    meeting_id: str
    def __init__(self, meeting_id: _Optional[str] = ...) -> None: ...

class GetRosterRequest(_message.Message):
    __slots__ = ["meeting_id"]
    MEETING_ID_FIELD_NUMBER: _ClassVar[int]
    meeting_id: str
    def __init__(self, meeting_id: _Optional[str] = ...) -> None: ...

class GetServicesReply(_message.Message):
    __slots__ = ["instances", "version"]
    INSTANCES_FIELD_NUMBER: _ClassVar[int]
    VERSION_FIELD_NUMBER: _ClassVar[int]
    instances: _containers.RepeatedCompositeFieldContainer[ServiceInstance]
    version: str
    def __init__(self, instances: _Optional[_Iterable[_Union[ServiceInstance, _Mapping]]] = ..., version: _Optional[str] = ...) -> None: ...

class GetServicesRequest(_message.Message):
    __slots__ = []
    def __init__(self) -> None: ...

class ListAttendeesReply(_message.Message):
    __slots__ = ["attendees", "has_more"]
    ATTENDEES_FIELD_NUMBER: _ClassVar[int]
    HAS_MORE_FIELD_NUMBER: _ClassVar[int]
    attendees: _containers.RepeatedCompositeFieldContainer[AttendeeRecord]
    has_more: bool
    def __init__(self, attendees: _Optional[_Iterable[_Union[AttendeeRecord, _Mapping]]] = ..., has_more: bool = ...) -> None: ...

class ListAttendeesRequest(_message.Message):
    __slots__ = ["after_attendee_id", "limit", "meeting_id"]
    AFTER_ATTENDEE_ID_FIELD_NUMBER: _ClassVar[int]
    LIMIT_FIELD_NUMBER: _ClassVar[int]
    MEETING_ID_FIELD_NUMBER: _ClassVar[int]
    after_attendee_id: str
    limit: int
    meeting_id: str
    def __init__(self, meeting_id: _Optional[str] = ..., after_attendee_id: _Optional[str] = ..., limit: _Optional[int] = ...) -> None: ...

class ListMeetingsReply(_message.Message):
    __slots__ = ["has_more", "meetings"]
    HAS_MORE_FIELD_NUMBER: _ClassVar[int]
    MEETINGS_FIELD_NUMBER: _ClassVar[int]
    has_more: bool
    meetings: _containers.RepeatedCompositeFieldContainer[MeetingRecord]
    def __init__(self, meetings: _Optional[_Iterable[_Union[MeetingRecord, _Mapping]]] = ..., has_more: bool = ...) -> None: ...

class ListMeetingsRequest(_message.Message):
    __slots__ = ["after_meeting_id", "limit"]
    AFTER_MEETING_ID_FIELD_NUMBER: _ClassVar[int]
    LIMIT_FIELD_NUMBER: _ClassVar[int]
    after_meeting_id: str
    limit: int
    def __init__(self, after_meeting_id: _Optional[str] = ..., limit: _Optional[int] = ...) -> None: ...

class ListMessagesReply(_message.Message):
    __slots__ = ["has_more", "messages", "through_sequence"]
    HAS_MORE_FIELD_NUMBER: _ClassVar[int]
    MESSAGES_FIELD_NUMBER: _ClassVar[int]
    THROUGH_SEQUENCE_FIELD_NUMBER: _ClassVar[int]
    has_more: bool
    messages: _containers.RepeatedCompositeFieldContainer[_messaging_pb2.DataMessage]
    through_sequence: int
    def __init__(self, messages: _Optional[_Iterable[_Union[_messaging_pb2.DataMessage, _Mapping]]] = ..., through_sequence: _Optional[int] = ..., has_more: bool = ...) -> None: ...

class ListMessagesRequest(_message.Message):
    __slots__ = ["after_sequence", "meeting_id"]
    AFTER_SEQUENCE_FIELD_NUMBER: _ClassVar[int]
    MEETING_ID_FIELD_NUMBER: _ClassVar[int]
    after_sequence: int
    meeting_id: str
    def __init__(self, meeting_id: _Optional[str] = ..., after_sequence: _Optional[int] = ...) -> None: ...

class MeetingRecord(_message.Message):
    __slots__ = ["attendees", "created_at_ms", "external_meeting_id", "gateway_url", "is_locked", "max_attendees", "media_region", "meeting_id", "present", "primary_meeting_id"]
    ATTENDEES_FIELD_NUMBER: _ClassVar[int]
    CREATED_AT_MS_FIELD_NUMBER: _ClassVar[int]
    EXTERNAL_MEETING_ID_FIELD_NUMBER: _ClassVar[int]
    GATEWAY_URL_FIELD_NUMBER: _ClassVar[int]
    IS_LOCKED_FIELD_NUMBER: _ClassVar[int]
    MAX_ATTENDEES_FIELD_NUMBER: _ClassVar[int]
    MEDIA_REGION_FIELD_NUMBER: _ClassVar[int]
    MEETING_ID_FIELD_NUMBER: _ClassVar[int]
    PRESENT_FIELD_NUMBER: _ClassVar[int]
    PRIMARY_MEETING_ID_FIELD_NUMBER: _ClassVar[int]
    attendees: int
    created_at_ms: int
    external_meeting_id: str
    gateway_url: str
    is_locked: bool
    max_attendees: int
    media_region: str
    meeting_id: str
    present: int
    primary_meeting_id: str
    def __init__(self, meeting_id: _Optional[str] = ..., external_meeting_id: _Optional[str] = ..., media_region: _Optional[str] = ..., primary_meeting_id: _Optional[str] = ..., created_at_ms: _Optional[int] = ..., max_attendees: _Optional[int] = ..., attendees: _Optional[int] = ..., present: _Optional[int] = ..., gateway_url: _Optional[str] = ..., is_locked: bool = ...) -> None: ...

class ServiceInstance(_message.Message):
    __slots__ = ["instance", "is_draining", "is_live", "meetings", "process_id", "service", "started_at_ms", "term"]
    INSTANCE_FIELD_NUMBER: _ClassVar[int]
    IS_DRAINING_FIELD_NUMBER: _ClassVar[int]
    IS_LIVE_FIELD_NUMBER: _ClassVar[int]
    MEETINGS_FIELD_NUMBER: _ClassVar[int]
    PROCESS_ID_FIELD_NUMBER: _ClassVar[int]
    SERVICE_FIELD_NUMBER: _ClassVar[int]
    STARTED_AT_MS_FIELD_NUMBER: _ClassVar[int]
    TERM_FIELD_NUMBER: _ClassVar[int]
    instance: str
    is_draining: bool
    is_live: bool
    meetings: int
    process_id: int
    service: str
    started_at_ms: int
    term: int
    def __init__(self, service: _Optional[str] = ..., instance: _Optional[str] = ..., term: _Optional[int] = ..., is_live: bool = ..., process_id: _Optional[int] = ..., started_at_ms: _Optional[int] = ..., is_draining: bool = ..., meetings: _Optional[int] = ...) -> None: ...

class SetSpokenLanguageReply(_message.Message):
    __slots__ = []
    def __init__(self) -> None: ...

class SetSpokenLanguageRequest(_message.Message):
    __slots__ = ["attendee_id", "meeting_id", "spoken_language"]
    ATTENDEE_ID_FIELD_NUMBER: _ClassVar[int]
    MEETING_ID_FIELD_NUMBER: _ClassVar[int]
    SPOKEN_LANGUAGE_FIELD_NUMBER: _ClassVar[int]
    attendee_id: str
    meeting_id: str
    spoken_language: str
    def __init__(self, meeting_id: _Optional[str] = ..., attendee_id: _Optional[str] = ..., spoken_language: _Optional[str] = ...) -> None: ...

class WatchTilesRequest(_message.Message):
    __slots__ = ["meeting_id"]
    MEETING_ID_FIELD_NUMBER: _ClassVar[int]
    meeting_id: str
    def __init__(self, meeting_id: _Optional[str] = ...) -> None: ...
