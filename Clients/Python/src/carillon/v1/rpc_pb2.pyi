from carillon.v1 import common_pb2 as _common_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from typing import ClassVar as _ClassVar, Iterable as _Iterable, Mapping as _Mapping, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor
REPLY_KIND_END: ReplyKind
REPLY_KIND_ITEM: ReplyKind
REPLY_KIND_REPLY: ReplyKind
REPLY_KIND_UNSPECIFIED: ReplyKind
REQUEST_KIND_CALL: RequestKind
REQUEST_KIND_CANCEL: RequestKind
REQUEST_KIND_UNSPECIFIED: RequestKind

class EndedSession(_message.Message):
    __slots__ = ["session_id", "status"]
    SESSION_ID_FIELD_NUMBER: _ClassVar[int]
    STATUS_FIELD_NUMBER: _ClassVar[int]
    session_id: bytes
    status: _common_pb2.Status
    def __init__(self, session_id: _Optional[bytes] = ..., status: _Optional[_Union[_common_pb2.Status, _Mapping]] = ...) -> None: ...

class EventHeader(_message.Message):
    __slots__ = ["ended", "epoch", "except_for", "lost_sessions", "meeting_ended", "meeting_id", "only_for", "sequence", "term", "tick"]
    ENDED_FIELD_NUMBER: _ClassVar[int]
    EPOCH_FIELD_NUMBER: _ClassVar[int]
    EXCEPT_FOR_FIELD_NUMBER: _ClassVar[int]
    LOST_SESSIONS_FIELD_NUMBER: _ClassVar[int]
    MEETING_ENDED_FIELD_NUMBER: _ClassVar[int]
    MEETING_ID_FIELD_NUMBER: _ClassVar[int]
    ONLY_FOR_FIELD_NUMBER: _ClassVar[int]
    SEQUENCE_FIELD_NUMBER: _ClassVar[int]
    TERM_FIELD_NUMBER: _ClassVar[int]
    TICK_FIELD_NUMBER: _ClassVar[int]
    ended: _containers.RepeatedCompositeFieldContainer[EndedSession]
    epoch: int
    except_for: _containers.RepeatedScalarFieldContainer[str]
    lost_sessions: _containers.RepeatedScalarFieldContainer[bytes]
    meeting_ended: _common_pb2.Status
    meeting_id: str
    only_for: _containers.RepeatedScalarFieldContainer[str]
    sequence: int
    term: int
    tick: int
    def __init__(self, meeting_id: _Optional[str] = ..., epoch: _Optional[int] = ..., sequence: _Optional[int] = ..., tick: _Optional[int] = ..., only_for: _Optional[_Iterable[str]] = ..., except_for: _Optional[_Iterable[str]] = ..., ended: _Optional[_Iterable[_Union[EndedSession, _Mapping]]] = ..., meeting_ended: _Optional[_Union[_common_pb2.Status, _Mapping]] = ..., term: _Optional[int] = ..., lost_sessions: _Optional[_Iterable[bytes]] = ...) -> None: ...

class MeetingPosition(_message.Message):
    __slots__ = ["epoch", "is_unattended", "last_sequence", "meeting_id"]
    EPOCH_FIELD_NUMBER: _ClassVar[int]
    IS_UNATTENDED_FIELD_NUMBER: _ClassVar[int]
    LAST_SEQUENCE_FIELD_NUMBER: _ClassVar[int]
    MEETING_ID_FIELD_NUMBER: _ClassVar[int]
    epoch: int
    is_unattended: bool
    last_sequence: int
    meeting_id: str
    def __init__(self, meeting_id: _Optional[str] = ..., epoch: _Optional[int] = ..., last_sequence: _Optional[int] = ..., is_unattended: bool = ...) -> None: ...

class PackedEvent(_message.Message):
    __slots__ = ["body", "header"]
    BODY_FIELD_NUMBER: _ClassVar[int]
    HEADER_FIELD_NUMBER: _ClassVar[int]
    body: bytes
    header: EventHeader
    def __init__(self, header: _Optional[_Union[EventHeader, _Mapping]] = ..., body: _Optional[bytes] = ...) -> None: ...

class ReplyHeader(_message.Message):
    __slots__ = ["call_id", "kind", "raw_count", "served_versions", "status"]
    CALL_ID_FIELD_NUMBER: _ClassVar[int]
    KIND_FIELD_NUMBER: _ClassVar[int]
    RAW_COUNT_FIELD_NUMBER: _ClassVar[int]
    SERVED_VERSIONS_FIELD_NUMBER: _ClassVar[int]
    STATUS_FIELD_NUMBER: _ClassVar[int]
    call_id: int
    kind: ReplyKind
    raw_count: int
    served_versions: _containers.RepeatedScalarFieldContainer[int]
    status: _common_pb2.Status
    def __init__(self, call_id: _Optional[int] = ..., kind: _Optional[_Union[ReplyKind, str]] = ..., status: _Optional[_Union[_common_pb2.Status, _Mapping]] = ..., raw_count: _Optional[int] = ..., served_versions: _Optional[_Iterable[int]] = ...) -> None: ...

class RequestHeader(_message.Message):
    __slots__ = ["call_id", "idempotency_key", "kind", "method", "session_id", "term", "timeout_us", "traceparent", "version"]
    CALL_ID_FIELD_NUMBER: _ClassVar[int]
    IDEMPOTENCY_KEY_FIELD_NUMBER: _ClassVar[int]
    KIND_FIELD_NUMBER: _ClassVar[int]
    METHOD_FIELD_NUMBER: _ClassVar[int]
    SESSION_ID_FIELD_NUMBER: _ClassVar[int]
    TERM_FIELD_NUMBER: _ClassVar[int]
    TIMEOUT_US_FIELD_NUMBER: _ClassVar[int]
    TRACEPARENT_FIELD_NUMBER: _ClassVar[int]
    VERSION_FIELD_NUMBER: _ClassVar[int]
    call_id: int
    idempotency_key: str
    kind: RequestKind
    method: int
    session_id: bytes
    term: int
    timeout_us: int
    traceparent: str
    version: int
    def __init__(self, version: _Optional[int] = ..., call_id: _Optional[int] = ..., kind: _Optional[_Union[RequestKind, str]] = ..., method: _Optional[int] = ..., timeout_us: _Optional[int] = ..., session_id: _Optional[bytes] = ..., term: _Optional[int] = ..., traceparent: _Optional[str] = ..., idempotency_key: _Optional[str] = ...) -> None: ...

class StreamBeacon(_message.Message):
    __slots__ = ["fence", "instance", "is_complete", "positions", "term"]
    FENCE_FIELD_NUMBER: _ClassVar[int]
    INSTANCE_FIELD_NUMBER: _ClassVar[int]
    IS_COMPLETE_FIELD_NUMBER: _ClassVar[int]
    POSITIONS_FIELD_NUMBER: _ClassVar[int]
    TERM_FIELD_NUMBER: _ClassVar[int]
    fence: int
    instance: str
    is_complete: bool
    positions: _containers.RepeatedCompositeFieldContainer[MeetingPosition]
    term: int
    def __init__(self, instance: _Optional[str] = ..., term: _Optional[int] = ..., positions: _Optional[_Iterable[_Union[MeetingPosition, _Mapping]]] = ..., is_complete: bool = ..., fence: _Optional[int] = ...) -> None: ...

class RequestKind(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = []

class ReplyKind(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = []
