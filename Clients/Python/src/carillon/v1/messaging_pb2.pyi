from carillon.v1 import common_pb2 as _common_pb2
from carillon.v1 import presence_pb2 as _presence_pb2
from carillon.v1 import rpc_pb2 as _rpc_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from typing import ClassVar as _ClassVar, Iterable as _Iterable, Mapping as _Mapping, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class AcceptedAt(_message.Message):
    __slots__ = ["epoch", "is_repeat", "message_id", "sequence", "timestamp_ms"]
    EPOCH_FIELD_NUMBER: _ClassVar[int]
    IS_REPEAT_FIELD_NUMBER: _ClassVar[int]
    MESSAGE_ID_FIELD_NUMBER: _ClassVar[int]
    SEQUENCE_FIELD_NUMBER: _ClassVar[int]
    TIMESTAMP_MS_FIELD_NUMBER: _ClassVar[int]
    epoch: int
    is_repeat: bool
    message_id: str
    sequence: int
    timestamp_ms: int
    def __init__(self, epoch: _Optional[int] = ..., sequence: _Optional[int] = ..., timestamp_ms: _Optional[int] = ..., message_id: _Optional[str] = ..., is_repeat: bool = ...) -> None: ...

class DataMessage(_message.Message):
    __slots__ = ["data", "lifetime_ms", "message_id", "recipients", "sender", "sequence", "timestamp_ms", "topic"]
    DATA_FIELD_NUMBER: _ClassVar[int]
    LIFETIME_MS_FIELD_NUMBER: _ClassVar[int]
    MESSAGE_ID_FIELD_NUMBER: _ClassVar[int]
    RECIPIENTS_FIELD_NUMBER: _ClassVar[int]
    SENDER_FIELD_NUMBER: _ClassVar[int]
    SEQUENCE_FIELD_NUMBER: _ClassVar[int]
    TIMESTAMP_MS_FIELD_NUMBER: _ClassVar[int]
    TOPIC_FIELD_NUMBER: _ClassVar[int]
    data: bytes
    lifetime_ms: int
    message_id: str
    recipients: _containers.RepeatedScalarFieldContainer[str]
    sender: _common_pb2.AttendeeInfo
    sequence: int
    timestamp_ms: int
    topic: str
    def __init__(self, sequence: _Optional[int] = ..., topic: _Optional[str] = ..., data: _Optional[bytes] = ..., sender: _Optional[_Union[_common_pb2.AttendeeInfo, _Mapping]] = ..., timestamp_ms: _Optional[int] = ..., lifetime_ms: _Optional[int] = ..., message_id: _Optional[str] = ..., recipients: _Optional[_Iterable[str]] = ...) -> None: ...

class EraseSenderReply(_message.Message):
    __slots__ = ["messages"]
    MESSAGES_FIELD_NUMBER: _ClassVar[int]
    messages: int
    def __init__(self, messages: _Optional[int] = ...) -> None: ...

class EraseSenderRequest(_message.Message):
    __slots__ = ["external_user_id"]
    EXTERNAL_USER_ID_FIELD_NUMBER: _ClassVar[int]
    external_user_id: str
    def __init__(self, external_user_id: _Optional[str] = ...) -> None: ...

class JoinMessagesRequest(_message.Message):
    __slots__ = ["max_bytes", "meeting_id", "participant_id", "session_id"]
    MAX_BYTES_FIELD_NUMBER: _ClassVar[int]
    MEETING_ID_FIELD_NUMBER: _ClassVar[int]
    PARTICIPANT_ID_FIELD_NUMBER: _ClassVar[int]
    SESSION_ID_FIELD_NUMBER: _ClassVar[int]
    max_bytes: int
    meeting_id: str
    participant_id: str
    session_id: bytes
    def __init__(self, meeting_id: _Optional[str] = ..., session_id: _Optional[bytes] = ..., participant_id: _Optional[str] = ..., max_bytes: _Optional[int] = ...) -> None: ...

class MessageReplay(_message.Message):
    __slots__ = ["epoch", "events", "has_more", "is_complete", "meeting_id", "through_sequence"]
    EPOCH_FIELD_NUMBER: _ClassVar[int]
    EVENTS_FIELD_NUMBER: _ClassVar[int]
    HAS_MORE_FIELD_NUMBER: _ClassVar[int]
    IS_COMPLETE_FIELD_NUMBER: _ClassVar[int]
    MEETING_ID_FIELD_NUMBER: _ClassVar[int]
    THROUGH_SEQUENCE_FIELD_NUMBER: _ClassVar[int]
    epoch: int
    events: _containers.RepeatedCompositeFieldContainer[_rpc_pb2.PackedEvent]
    has_more: bool
    is_complete: bool
    meeting_id: str
    through_sequence: int
    def __init__(self, meeting_id: _Optional[str] = ..., epoch: _Optional[int] = ..., through_sequence: _Optional[int] = ..., has_more: bool = ..., is_complete: bool = ..., events: _Optional[_Iterable[_Union[_rpc_pb2.PackedEvent, _Mapping]]] = ...) -> None: ...

class MessageReplayRequest(_message.Message):
    __slots__ = ["after_sequence", "epoch", "max_bytes", "meeting_id", "participant_id", "session_id", "through_sequence"]
    AFTER_SEQUENCE_FIELD_NUMBER: _ClassVar[int]
    EPOCH_FIELD_NUMBER: _ClassVar[int]
    MAX_BYTES_FIELD_NUMBER: _ClassVar[int]
    MEETING_ID_FIELD_NUMBER: _ClassVar[int]
    PARTICIPANT_ID_FIELD_NUMBER: _ClassVar[int]
    SESSION_ID_FIELD_NUMBER: _ClassVar[int]
    THROUGH_SEQUENCE_FIELD_NUMBER: _ClassVar[int]
    after_sequence: int
    epoch: int
    max_bytes: int
    meeting_id: str
    participant_id: str
    session_id: bytes
    through_sequence: int
    def __init__(self, meeting_id: _Optional[str] = ..., epoch: _Optional[int] = ..., after_sequence: _Optional[int] = ..., session_id: _Optional[bytes] = ..., participant_id: _Optional[str] = ..., max_bytes: _Optional[int] = ..., through_sequence: _Optional[int] = ...) -> None: ...

class SendDataMessageReply(_message.Message):
    __slots__ = ["accepted", "throttled"]
    ACCEPTED_FIELD_NUMBER: _ClassVar[int]
    THROTTLED_FIELD_NUMBER: _ClassVar[int]
    accepted: AcceptedAt
    throttled: Throttled
    def __init__(self, accepted: _Optional[_Union[AcceptedAt, _Mapping]] = ..., throttled: _Optional[_Union[Throttled, _Mapping]] = ...) -> None: ...

class SendDataMessageRequest(_message.Message):
    __slots__ = ["data", "lifetime_ms", "meeting_id", "recipients", "round", "sender", "session_id", "topic"]
    DATA_FIELD_NUMBER: _ClassVar[int]
    LIFETIME_MS_FIELD_NUMBER: _ClassVar[int]
    MEETING_ID_FIELD_NUMBER: _ClassVar[int]
    RECIPIENTS_FIELD_NUMBER: _ClassVar[int]
    ROUND_FIELD_NUMBER: _ClassVar[int]
    SENDER_FIELD_NUMBER: _ClassVar[int]
    SESSION_ID_FIELD_NUMBER: _ClassVar[int]
    TOPIC_FIELD_NUMBER: _ClassVar[int]
    data: bytes
    lifetime_ms: int
    meeting_id: str
    recipients: _containers.RepeatedScalarFieldContainer[str]
    round: int
    sender: _common_pb2.AttendeeInfo
    session_id: bytes
    topic: str
    def __init__(self, meeting_id: _Optional[str] = ..., session_id: _Optional[bytes] = ..., sender: _Optional[_Union[_common_pb2.AttendeeInfo, _Mapping]] = ..., topic: _Optional[str] = ..., data: _Optional[bytes] = ..., lifetime_ms: _Optional[int] = ..., recipients: _Optional[_Iterable[str]] = ..., round: _Optional[int] = ...) -> None: ...

class Throttled(_message.Message):
    __slots__ = ["retry_after_ms"]
    RETRY_AFTER_MS_FIELD_NUMBER: _ClassVar[int]
    retry_after_ms: int
    def __init__(self, retry_after_ms: _Optional[int] = ...) -> None: ...
