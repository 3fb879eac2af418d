from carillon.v1 import common_pb2 as _common_pb2
from carillon.v1 import rpc_pb2 as _rpc_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from typing import ClassVar as _ClassVar, Iterable as _Iterable, Mapping as _Mapping, Optional as _Optional, Union as _Union

ATTENDEE_STATE_DROPPED: AttendeeState
ATTENDEE_STATE_JOINED: AttendeeState
ATTENDEE_STATE_LEFT: AttendeeState
ATTENDEE_STATE_UNSPECIFIED: AttendeeState
DESCRIPTOR: _descriptor.FileDescriptor
KNOCK_STATE_ADMITTED: KnockState
KNOCK_STATE_DENIED: KnockState
KNOCK_STATE_UNSPECIFIED: KnockState
KNOCK_STATE_WAITING: KnockState
PRESENCE_REASON_ATTENDEE_DELETED: PresenceReason
PRESENCE_REASON_CLIENT: PresenceReason
PRESENCE_REASON_CONNECTION_LOST: PresenceReason
PRESENCE_REASON_DEMOTED: PresenceReason
PRESENCE_REASON_GATEWAY_LOST: PresenceReason
PRESENCE_REASON_MEETING_ENDED: PresenceReason
PRESENCE_REASON_OPERATOR: PresenceReason
PRESENCE_REASON_UNSPECIFIED: PresenceReason

class AnnounceReply(_message.Message):
    __slots__ = ["refused", "term", "unknown_sessions"]
    REFUSED_FIELD_NUMBER: _ClassVar[int]
    TERM_FIELD_NUMBER: _ClassVar[int]
    UNKNOWN_SESSIONS_FIELD_NUMBER: _ClassVar[int]
    refused: _containers.RepeatedCompositeFieldContainer[RefusedSession]
    term: int
    unknown_sessions: _containers.RepeatedScalarFieldContainer[bytes]
    def __init__(self, unknown_sessions: _Optional[_Iterable[bytes]] = ..., term: _Optional[int] = ..., refused: _Optional[_Iterable[_Union[RefusedSession, _Mapping]]] = ...) -> None: ...

class AnnounceRequest(_message.Message):
    __slots__ = ["gateway", "gateway_run", "last", "membership", "sessions"]
    GATEWAY_FIELD_NUMBER: _ClassVar[int]
    GATEWAY_RUN_FIELD_NUMBER: _ClassVar[int]
    LAST_FIELD_NUMBER: _ClassVar[int]
    MEMBERSHIP_FIELD_NUMBER: _ClassVar[int]
    SESSIONS_FIELD_NUMBER: _ClassVar[int]
    gateway: str
    gateway_run: int
    last: bool
    membership: int
    sessions: _containers.RepeatedCompositeFieldContainer[GatewaySession]
    def __init__(self, gateway: _Optional[str] = ..., sessions: _Optional[_Iterable[_Union[GatewaySession, _Mapping]]] = ..., last: bool = ..., gateway_run: _Optional[int] = ..., membership: _Optional[int] = ...) -> None: ...

class AnswerKnockReply(_message.Message):
    __slots__ = []
    def __init__(self) -> None: ...

class AnswerKnockRequest(_message.Message):
    __slots__ = ["is_admitted", "knock_id", "meeting_id"]
    IS_ADMITTED_FIELD_NUMBER: _ClassVar[int]
    KNOCK_ID_FIELD_NUMBER: _ClassVar[int]
    MEETING_ID_FIELD_NUMBER: _ClassVar[int]
    is_admitted: bool
    knock_id: str
    meeting_id: str
    def __init__(self, meeting_id: _Optional[str] = ..., knock_id: _Optional[str] = ..., is_admitted: bool = ...) -> None: ...

class AttendeeLevel(_message.Message):
    __slots__ = ["participant_id", "signal", "volume"]
    PARTICIPANT_ID_FIELD_NUMBER: _ClassVar[int]
    SIGNAL_FIELD_NUMBER: _ClassVar[int]
    VOLUME_FIELD_NUMBER: _ClassVar[int]
    participant_id: str
    signal: _common_pb2.SignalStrength
    volume: _common_pb2.VolumeLevel
    def __init__(self, participant_id: _Optional[str] = ..., volume: _Optional[_Union[_common_pb2.VolumeLevel, str]] = ..., signal: _Optional[_Union[_common_pb2.SignalStrength, str]] = ...) -> None: ...

class CapabilitiesChanged(_message.Message):
    __slots__ = ["attendee_id", "capabilities"]
    ATTENDEE_ID_FIELD_NUMBER: _ClassVar[int]
    CAPABILITIES_FIELD_NUMBER: _ClassVar[int]
    attendee_id: str
    capabilities: _common_pb2.Capabilities
    def __init__(self, attendee_id: _Optional[str] = ..., capabilities: _Optional[_Union[_common_pb2.Capabilities, _Mapping]] = ...) -> None: ...

class DemoteAttendeeReply(_message.Message):
    __slots__ = ["was_promoted"]
    WAS_PROMOTED_FIELD_NUMBER: _ClassVar[int]
    was_promoted: bool
    def __init__(self, was_promoted: bool = ...) -> None: ...

class DemoteAttendeeRequest(_message.Message):
    __slots__ = ["attendee_id", "meeting_id"]
    ATTENDEE_ID_FIELD_NUMBER: _ClassVar[int]
    MEETING_ID_FIELD_NUMBER: _ClassVar[int]
    attendee_id: str
    meeting_id: str
    def __init__(self, meeting_id: _Optional[str] = ..., attendee_id: _Optional[str] = ...) -> None: ...

class DemoteReply(_message.Message):
    __slots__ = []
    def __init__(self) -> None: ...

class DemoteRequest(_message.Message):
    __slots__ = ["gateway", "is_any_gateways", "primary_meeting_id", "reason", "session_id"]
    GATEWAY_FIELD_NUMBER: _ClassVar[int]
    IS_ANY_GATEWAYS_FIELD_NUMBER: _ClassVar[int]
    PRIMARY_MEETING_ID_FIELD_NUMBER: _ClassVar[int]
    REASON_FIELD_NUMBER: _ClassVar[int]
    SESSION_ID_FIELD_NUMBER: _ClassVar[int]
    gateway: str
    is_any_gateways: bool
    primary_meeting_id: str
    reason: PresenceReason
    session_id: bytes
    def __init__(self, primary_meeting_id: _Optional[str] = ..., session_id: _Optional[bytes] = ..., reason: _Optional[_Union[PresenceReason, str]] = ..., is_any_gateways: bool = ..., gateway: _Optional[str] = ...) -> None: ...

class DetachReply(_message.Message):
    __slots__ = []
    def __init__(self) -> None: ...

class DetachRequest(_message.Message):
    __slots__ = ["gateway", "meeting_id", "session_id", "silent_ms"]
    GATEWAY_FIELD_NUMBER: _ClassVar[int]
    MEETING_ID_FIELD_NUMBER: _ClassVar[int]
    SESSION_ID_FIELD_NUMBER: _ClassVar[int]
    SILENT_MS_FIELD_NUMBER: _ClassVar[int]
    gateway: str
    meeting_id: str
    session_id: bytes
    silent_ms: int
    def __init__(self, meeting_id: _Optional[str] = ..., session_id: _Optional[bytes] = ..., silent_ms: _Optional[int] = ..., gateway: _Optional[str] = ...) -> None: ...

class EndAttendeeReply(_message.Message):
    __slots__ = []
    def __init__(self) -> None: ...

class EndAttendeeRequest(_message.Message):
    __slots__ = ["attendee_id", "meeting_id"]
    ATTENDEE_ID_FIELD_NUMBER: _ClassVar[int]
    MEETING_ID_FIELD_NUMBER: _ClassVar[int]
    attendee_id: str
    meeting_id: str
    def __init__(self, meeting_id: _Optional[str] = ..., attendee_id: _Optional[str] = ...) -> None: ...

class EndMeetingReply(_message.Message):
    __slots__ = []
    def __init__(self) -> None: ...

class EndMeetingRequest(_message.Message):
    __slots__ = ["meeting_id", "status"]
    MEETING_ID_FIELD_NUMBER: _ClassVar[int]
    STATUS_FIELD_NUMBER: _ClassVar[int]
    meeting_id: str
    status: _common_pb2.Status
    def __init__(self, meeting_id: _Optional[str] = ..., status: _Optional[_Union[_common_pb2.Status, _Mapping]] = ...) -> None: ...

class GatewayAliveReply(_message.Message):
    __slots__ = ["announcement", "fence", "term", "wants_announcement"]
    ANNOUNCEMENT_FIELD_NUMBER: _ClassVar[int]
    FENCE_FIELD_NUMBER: _ClassVar[int]
    TERM_FIELD_NUMBER: _ClassVar[int]
    WANTS_ANNOUNCEMENT_FIELD_NUMBER: _ClassVar[int]
    announcement: int
    fence: int
    term: int
    wants_announcement: bool
    def __init__(self, term: _Optional[int] = ..., wants_announcement: bool = ..., fence: _Optional[int] = ..., announcement: _Optional[int] = ...) -> None: ...

class GatewayAliveRequest(_message.Message):
    __slots__ = ["announcement", "fence", "gateway", "gateway_run", "highest_term", "membership"]
    ANNOUNCEMENT_FIELD_NUMBER: _ClassVar[int]
    FENCE_FIELD_NUMBER: _ClassVar[int]
    GATEWAY_FIELD_NUMBER: _ClassVar[int]
    GATEWAY_RUN_FIELD_NUMBER: _ClassVar[int]
    HIGHEST_TERM_FIELD_NUMBER: _ClassVar[int]
    MEMBERSHIP_FIELD_NUMBER: _ClassVar[int]
    announcement: int
    fence: int
    gateway: str
    gateway_run: int
    highest_term: int
    membership: int
    def __init__(self, gateway: _Optional[str] = ..., gateway_run: _Optional[int] = ..., fence: _Optional[int] = ..., announcement: _Optional[int] = ..., membership: _Optional[int] = ..., highest_term: _Optional[int] = ...) -> None: ...

class GatewaySession(_message.Message):
    __slots__ = ["capabilities", "capacity", "display_name", "external_user_id", "is_locked", "is_mute_unknown", "is_muted", "is_muted_by_operator", "is_promoted", "joined_at_ms", "meeting_id", "opened_at_ms", "participant_id", "primary_meeting_id", "session_id"]
    CAPABILITIES_FIELD_NUMBER: _ClassVar[int]
    CAPACITY_FIELD_NUMBER: _ClassVar[int]
    DISPLAY_NAME_FIELD_NUMBER: _ClassVar[int]
    EXTERNAL_USER_ID_FIELD_NUMBER: _ClassVar[int]
    IS_LOCKED_FIELD_NUMBER: _ClassVar[int]
    IS_MUTED_BY_OPERATOR_FIELD_NUMBER: _ClassVar[int]
    IS_MUTED_FIELD_NUMBER: _ClassVar[int]
    IS_MUTE_UNKNOWN_FIELD_NUMBER: _ClassVar[int]
    IS_PROMOTED_FIELD_NUMBER: _ClassVar[int]
    JOINED_AT_MS_FIELD_NUMBER: _ClassVar[int]
    MEETING_ID_FIELD_NUMBER: _ClassVar[int]
    OPENED_AT_MS_FIELD_NUMBER: _ClassVar[int]
    PARTICIPANT_ID_FIELD_NUMBER: _ClassVar[int]
    PRIMARY_MEETING_ID_FIELD_NUMBER: _ClassVar[int]
    SESSION_ID_FIELD_NUMBER: _ClassVar[int]
    capabilities: _common_pb2.Capabilities
    capacity: int
    display_name: str
    external_user_id: str
    is_locked: bool
    is_mute_unknown: bool
    is_muted: bool
    is_muted_by_operator: bool
    is_promoted: bool
    joined_at_ms: int
    meeting_id: str
    opened_at_ms: int
    participant_id: str
    primary_meeting_id: str
    session_id: bytes
    def __init__(self, meeting_id: _Optional[str] = ..., participant_id: _Optional[str] = ..., external_user_id: _Optional[str] = ..., session_id: _Optional[bytes] = ..., capabilities: _Optional[_Union[_common_pb2.Capabilities, _Mapping]] = ..., is_muted: bool = ..., is_muted_by_operator: bool = ..., capacity: _Optional[int] = ..., primary_meeting_id: _Optional[str] = ..., is_promoted: bool = ..., opened_at_ms: _Optional[int] = ..., is_locked: bool = ..., is_mute_unknown: bool = ..., display_name: _Optional[str] = ..., joined_at_ms: _Optional[int] = ...) -> None: ...

class GetHostPresenceReply(_message.Message):
    __slots__ = ["is_host_present"]
    IS_HOST_PRESENT_FIELD_NUMBER: _ClassVar[int]
    is_host_present: bool
    def __init__(self, is_host_present: bool = ...) -> None: ...

class GetHostPresenceRequest(_message.Message):
    __slots__ = ["meeting_id"]
    MEETING_ID_FIELD_NUMBER: _ClassVar[int]
    meeting_id: str
    def __init__(self, meeting_id: _Optional[str] = ...) -> None: ...

class JoinReply(_message.Message):
    __slots__ = ["joined_at_ms", "roster", "term", "was_present"]
    JOINED_AT_MS_FIELD_NUMBER: _ClassVar[int]
    ROSTER_FIELD_NUMBER: _ClassVar[int]
    TERM_FIELD_NUMBER: _ClassVar[int]
    WAS_PRESENT_FIELD_NUMBER: _ClassVar[int]
    joined_at_ms: int
    roster: RosterSnapshot
    term: int
    was_present: bool
    def __init__(self, roster: _Optional[_Union[RosterSnapshot, _Mapping]] = ..., was_present: bool = ..., term: _Optional[int] = ..., joined_at_ms: _Optional[int] = ...) -> None: ...

class JoinRequest(_message.Message):
    __slots__ = ["gateway", "gateway_run", "is_resume", "session", "wants_position_only"]
    GATEWAY_FIELD_NUMBER: _ClassVar[int]
    GATEWAY_RUN_FIELD_NUMBER: _ClassVar[int]
    IS_RESUME_FIELD_NUMBER: _ClassVar[int]
    SESSION_FIELD_NUMBER: _ClassVar[int]
    WANTS_POSITION_ONLY_FIELD_NUMBER: _ClassVar[int]
    gateway: str
    gateway_run: int
    is_resume: bool
    session: GatewaySession
    wants_position_only: bool
    def __init__(self, session: _Optional[_Union[GatewaySession, _Mapping]] = ..., gateway: _Optional[str] = ..., is_resume: bool = ..., gateway_run: _Optional[int] = ..., wants_position_only: bool = ...) -> None: ...

class KnockReply(_message.Message):
    __slots__ = ["state"]
    STATE_FIELD_NUMBER: _ClassVar[int]
    state: KnockState
    def __init__(self, state: _Optional[_Union[KnockState, str]] = ...) -> None: ...

class KnockRequest(_message.Message):
    __slots__ = ["address", "age_ms", "display_name", "knock_id", "meeting_id"]
    ADDRESS_FIELD_NUMBER: _ClassVar[int]
    AGE_MS_FIELD_NUMBER: _ClassVar[int]
    DISPLAY_NAME_FIELD_NUMBER: _ClassVar[int]
    KNOCK_ID_FIELD_NUMBER: _ClassVar[int]
    MEETING_ID_FIELD_NUMBER: _ClassVar[int]
    address: str
    age_ms: int
    display_name: str
    knock_id: str
    meeting_id: str
    def __init__(self, meeting_id: _Optional[str] = ..., knock_id: _Optional[str] = ..., display_name: _Optional[str] = ..., address: _Optional[str] = ..., age_ms: _Optional[int] = ...) -> None: ...

class LeaveReply(_message.Message):
    __slots__ = []
    def __init__(self) -> None: ...

class LeaveRequest(_message.Message):
    __slots__ = ["is_lost", "meeting_id", "session_id"]
    IS_LOST_FIELD_NUMBER: _ClassVar[int]
    MEETING_ID_FIELD_NUMBER: _ClassVar[int]
    SESSION_ID_FIELD_NUMBER: _ClassVar[int]
    is_lost: bool
    meeting_id: str
    session_id: bytes
    def __init__(self, meeting_id: _Optional[str] = ..., session_id: _Optional[bytes] = ..., is_lost: bool = ...) -> None: ...

class LevelsChanged(_message.Message):
    __slots__ = ["epoch", "signals", "tick", "volumes"]
    EPOCH_FIELD_NUMBER: _ClassVar[int]
    SIGNALS_FIELD_NUMBER: _ClassVar[int]
    TICK_FIELD_NUMBER: _ClassVar[int]
    VOLUMES_FIELD_NUMBER: _ClassVar[int]
    epoch: int
    signals: _containers.RepeatedCompositeFieldContainer[SignalChange]
    tick: int
    volumes: _containers.RepeatedCompositeFieldContainer[VolumeChange]
    def __init__(self, epoch: _Optional[int] = ..., tick: _Optional[int] = ..., volumes: _Optional[_Iterable[_Union[VolumeChange, _Mapping]]] = ..., signals: _Optional[_Iterable[_Union[SignalChange, _Mapping]]] = ...) -> None: ...

class ListKnocksReply(_message.Message):
    __slots__ = ["knocks"]
    KNOCKS_FIELD_NUMBER: _ClassVar[int]
    knocks: _containers.RepeatedCompositeFieldContainer[WaitingKnock]
    def __init__(self, knocks: _Optional[_Iterable[_Union[WaitingKnock, _Mapping]]] = ...) -> None: ...

class ListKnocksRequest(_message.Message):
    __slots__ = ["meeting_id"]
    MEETING_ID_FIELD_NUMBER: _ClassVar[int]
    meeting_id: str
    def __init__(self, meeting_id: _Optional[str] = ...) -> None: ...

class MuteAttendeeReply(_message.Message):
    __slots__ = []
    def __init__(self) -> None: ...

class MuteAttendeeRequest(_message.Message):
    __slots__ = ["attendee_id", "meeting_id"]
    ATTENDEE_ID_FIELD_NUMBER: _ClassVar[int]
    MEETING_ID_FIELD_NUMBER: _ClassVar[int]
    attendee_id: str
    meeting_id: str
    def __init__(self, meeting_id: _Optional[str] = ..., attendee_id: _Optional[str] = ...) -> None: ...

class MuteChange(_message.Message):
    __slots__ = ["attendee_id", "is_muted", "is_muted_by_operator"]
    ATTENDEE_ID_FIELD_NUMBER: _ClassVar[int]
    IS_MUTED_BY_OPERATOR_FIELD_NUMBER: _ClassVar[int]
    IS_MUTED_FIELD_NUMBER: _ClassVar[int]
    attendee_id: str
    is_muted: bool
    is_muted_by_operator: bool
    def __init__(self, attendee_id: _Optional[str] = ..., is_muted: bool = ..., is_muted_by_operator: bool = ...) -> None: ...

class MuteChanged(_message.Message):
    __slots__ = ["changes"]
    CHANGES_FIELD_NUMBER: _ClassVar[int]
    changes: _containers.RepeatedCompositeFieldContainer[MuteChange]
    def __init__(self, changes: _Optional[_Iterable[_Union[MuteChange, _Mapping]]] = ...) -> None: ...

class PresenceChange(_message.Message):
    __slots__ = ["attendee", "capabilities", "departed_at_ms", "is_mute_unknown", "is_muted", "is_muted_by_operator", "joined_at_ms", "reason", "state"]
    ATTENDEE_FIELD_NUMBER: _ClassVar[int]
    CAPABILITIES_FIELD_NUMBER: _ClassVar[int]
    DEPARTED_AT_MS_FIELD_NUMBER: _ClassVar[int]
    IS_MUTED_BY_OPERATOR_FIELD_NUMBER: _ClassVar[int]
    IS_MUTED_FIELD_NUMBER: _ClassVar[int]
    IS_MUTE_UNKNOWN_FIELD_NUMBER: _ClassVar[int]
    JOINED_AT_MS_FIELD_NUMBER: _ClassVar[int]
    REASON_FIELD_NUMBER: _ClassVar[int]
    STATE_FIELD_NUMBER: _ClassVar[int]
    attendee: _common_pb2.AttendeeInfo
    capabilities: _common_pb2.Capabilities
    departed_at_ms: int
    is_mute_unknown: bool
    is_muted: bool
    is_muted_by_operator: bool
    joined_at_ms: int
    reason: PresenceReason
    state: AttendeeState
    def __init__(self, attendee: _Optional[_Union[_common_pb2.AttendeeInfo, _Mapping]] = ..., state: _Optional[_Union[AttendeeState, str]] = ..., reason: _Optional[_Union[PresenceReason, str]] = ..., is_muted: bool = ..., is_muted_by_operator: bool = ..., joined_at_ms: _Optional[int] = ..., capabilities: _Optional[_Union[_common_pb2.Capabilities, _Mapping]] = ..., departed_at_ms: _Optional[int] = ..., is_mute_unknown: bool = ...) -> None: ...

class PresenceChanged(_message.Message):
    __slots__ = ["changes"]
    CHANGES_FIELD_NUMBER: _ClassVar[int]
    changes: _containers.RepeatedCompositeFieldContainer[PresenceChange]
    def __init__(self, changes: _Optional[_Iterable[_Union[PresenceChange, _Mapping]]] = ...) -> None: ...

class PromoteReply(_message.Message):
    __slots__ = ["term"]
    TERM_FIELD_NUMBER: _ClassVar[int]
    term: int
    def __init__(self, term: _Optional[int] = ...) -> None: ...

class PromoteRequest(_message.Message):
    __slots__ = ["gateway", "gateway_run", "primary", "replica_meeting_id", "session_id"]
    GATEWAY_FIELD_NUMBER: _ClassVar[int]
    GATEWAY_RUN_FIELD_NUMBER: _ClassVar[int]
    PRIMARY_FIELD_NUMBER: _ClassVar[int]
    REPLICA_MEETING_ID_FIELD_NUMBER: _ClassVar[int]
    SESSION_ID_FIELD_NUMBER: _ClassVar[int]
    gateway: str
    gateway_run: int
    primary: GatewaySession
    replica_meeting_id: str
    session_id: bytes
    def __init__(self, session_id: _Optional[bytes] = ..., replica_meeting_id: _Optional[str] = ..., primary: _Optional[_Union[GatewaySession, _Mapping]] = ..., gateway: _Optional[str] = ..., gateway_run: _Optional[int] = ...) -> None: ...

class RefusedSession(_message.Message):
    __slots__ = ["session_id", "status"]
    SESSION_ID_FIELD_NUMBER: _ClassVar[int]
    STATUS_FIELD_NUMBER: _ClassVar[int]
    session_id: bytes
    status: _common_pb2.Status
    def __init__(self, session_id: _Optional[bytes] = ..., status: _Optional[_Union[_common_pb2.Status, _Mapping]] = ...) -> None: ...

class ReplayReply(_message.Message):
    __slots__ = ["events", "snapshot"]
    EVENTS_FIELD_NUMBER: _ClassVar[int]
    SNAPSHOT_FIELD_NUMBER: _ClassVar[int]
    events: ReplayedEvents
    snapshot: RosterSnapshot
    def __init__(self, events: _Optional[_Union[ReplayedEvents, _Mapping]] = ..., snapshot: _Optional[_Union[RosterSnapshot, _Mapping]] = ...) -> None: ...

class ReplayRequest(_message.Message):
    __slots__ = ["after_sequence", "epoch", "includes_audience", "meeting_id"]
    AFTER_SEQUENCE_FIELD_NUMBER: _ClassVar[int]
    EPOCH_FIELD_NUMBER: _ClassVar[int]
    INCLUDES_AUDIENCE_FIELD_NUMBER: _ClassVar[int]
    MEETING_ID_FIELD_NUMBER: _ClassVar[int]
    after_sequence: int
    epoch: int
    includes_audience: bool
    meeting_id: str
    def __init__(self, meeting_id: _Optional[str] = ..., epoch: _Optional[int] = ..., after_sequence: _Optional[int] = ..., includes_audience: bool = ...) -> None: ...

class ReplayedEvents(_message.Message):
    __slots__ = ["events"]
    EVENTS_FIELD_NUMBER: _ClassVar[int]
    events: _containers.RepeatedCompositeFieldContainer[_rpc_pb2.PackedEvent]
    def __init__(self, events: _Optional[_Iterable[_Union[_rpc_pb2.PackedEvent, _Mapping]]] = ...) -> None: ...

class ReportLevelsReply(_message.Message):
    __slots__ = []
    def __init__(self) -> None: ...

class ReportLevelsRequest(_message.Message):
    __slots__ = ["levels", "meeting_id"]
    LEVELS_FIELD_NUMBER: _ClassVar[int]
    MEETING_ID_FIELD_NUMBER: _ClassVar[int]
    levels: _containers.RepeatedCompositeFieldContainer[AttendeeLevel]
    meeting_id: str
    def __init__(self, meeting_id: _Optional[str] = ..., levels: _Optional[_Iterable[_Union[AttendeeLevel, _Mapping]]] = ...) -> None: ...

class ReturnKnockReply(_message.Message):
    __slots__ = []
    def __init__(self) -> None: ...

class ReturnKnockRequest(_message.Message):
    __slots__ = ["entry_id", "knock_id", "meeting_id"]
    ENTRY_ID_FIELD_NUMBER: _ClassVar[int]
    KNOCK_ID_FIELD_NUMBER: _ClassVar[int]
    MEETING_ID_FIELD_NUMBER: _ClassVar[int]
    entry_id: str
    knock_id: str
    meeting_id: str
    def __init__(self, meeting_id: _Optional[str] = ..., knock_id: _Optional[str] = ..., entry_id: _Optional[str] = ...) -> None: ...

class RosterEntry(_message.Message):
    __slots__ = ["attendee", "capabilities", "is_mute_unknown", "is_muted", "is_muted_by_operator", "joined_at_ms", "signal", "volume"]
    ATTENDEE_FIELD_NUMBER: _ClassVar[int]
    CAPABILITIES_FIELD_NUMBER: _ClassVar[int]
    IS_MUTED_BY_OPERATOR_FIELD_NUMBER: _ClassVar[int]
    IS_MUTED_FIELD_NUMBER: _ClassVar[int]
    IS_MUTE_UNKNOWN_FIELD_NUMBER: _ClassVar[int]
    JOINED_AT_MS_FIELD_NUMBER: _ClassVar[int]
    SIGNAL_FIELD_NUMBER: _ClassVar[int]
    VOLUME_FIELD_NUMBER: _ClassVar[int]
    attendee: _common_pb2.AttendeeInfo
    capabilities: _common_pb2.Capabilities
    is_mute_unknown: bool
    is_muted: bool
    is_muted_by_operator: bool
    joined_at_ms: int
    signal: _common_pb2.SignalStrength
    volume: _common_pb2.VolumeLevel
    def __init__(self, attendee: _Optional[_Union[_common_pb2.AttendeeInfo, _Mapping]] = ..., is_muted: bool = ..., is_muted_by_operator: bool = ..., volume: _Optional[_Union[_common_pb2.VolumeLevel, str]] = ..., signal: _Optional[_Union[_common_pb2.SignalStrength, str]] = ..., capabilities: _Optional[_Union[_common_pb2.Capabilities, _Mapping]] = ..., joined_at_ms: _Optional[int] = ..., is_mute_unknown: bool = ...) -> None: ...

class RosterSnapshot(_message.Message):
    __slots__ = ["entries", "epoch", "meeting_id", "sequence", "tick"]
    ENTRIES_FIELD_NUMBER: _ClassVar[int]
    EPOCH_FIELD_NUMBER: _ClassVar[int]
    MEETING_ID_FIELD_NUMBER: _ClassVar[int]
    SEQUENCE_FIELD_NUMBER: _ClassVar[int]
    TICK_FIELD_NUMBER: _ClassVar[int]
    entries: _containers.RepeatedCompositeFieldContainer[RosterEntry]
    epoch: int
    meeting_id: str
    sequence: int
    tick: int
    def __init__(self, meeting_id: _Optional[str] = ..., epoch: _Optional[int] = ..., sequence: _Optional[int] = ..., entries: _Optional[_Iterable[_Union[RosterEntry, _Mapping]]] = ..., tick: _Optional[int] = ...) -> None: ...

class SetBarredReply(_message.Message):
    __slots__ = []
    def __init__(self) -> None: ...

class SetBarredRequest(_message.Message):
    __slots__ = ["attendee_id", "is_barred", "meeting_id"]
    ATTENDEE_ID_FIELD_NUMBER: _ClassVar[int]
    IS_BARRED_FIELD_NUMBER: _ClassVar[int]
    MEETING_ID_FIELD_NUMBER: _ClassVar[int]
    attendee_id: str
    is_barred: bool
    meeting_id: str
    def __init__(self, meeting_id: _Optional[str] = ..., attendee_id: _Optional[str] = ..., is_barred: bool = ...) -> None: ...

class SetCapabilitiesReply(_message.Message):
    __slots__ = []
    def __init__(self) -> None: ...

class SetCapabilitiesRequest(_message.Message):
    __slots__ = ["attendee_id", "capabilities", "meeting_id"]
    ATTENDEE_ID_FIELD_NUMBER: _ClassVar[int]
    CAPABILITIES_FIELD_NUMBER: _ClassVar[int]
    MEETING_ID_FIELD_NUMBER: _ClassVar[int]
    attendee_id: str
    capabilities: _common_pb2.Capabilities
    meeting_id: str
    def __init__(self, meeting_id: _Optional[str] = ..., attendee_id: _Optional[str] = ..., capabilities: _Optional[_Union[_common_pb2.Capabilities, _Mapping]] = ...) -> None: ...

class SetLockedReply(_message.Message):
    __slots__ = []
    def __init__(self) -> None: ...

class SetLockedRequest(_message.Message):
    __slots__ = ["is_locked", "meeting_id"]
    IS_LOCKED_FIELD_NUMBER: _ClassVar[int]
    MEETING_ID_FIELD_NUMBER: _ClassVar[int]
    is_locked: bool
    meeting_id: str
    def __init__(self, meeting_id: _Optional[str] = ..., is_locked: bool = ...) -> None: ...

class SetMutedByOperatorReply(_message.Message):
    __slots__ = []
    def __init__(self) -> None: ...

class SetMutedByOperatorRequest(_message.Message):
    __slots__ = ["attendee_id", "is_muted", "meeting_id"]
    ATTENDEE_ID_FIELD_NUMBER: _ClassVar[int]
    IS_MUTED_FIELD_NUMBER: _ClassVar[int]
    MEETING_ID_FIELD_NUMBER: _ClassVar[int]
    attendee_id: str
    is_muted: bool
    meeting_id: str
    def __init__(self, meeting_id: _Optional[str] = ..., attendee_id: _Optional[str] = ..., is_muted: bool = ...) -> None: ...

class SetMutedReply(_message.Message):
    __slots__ = ["is_muted"]
    IS_MUTED_FIELD_NUMBER: _ClassVar[int]
    is_muted: bool
    def __init__(self, is_muted: bool = ...) -> None: ...

class SetMutedRequest(_message.Message):
    __slots__ = ["is_muted", "meeting_id", "session_id"]
    IS_MUTED_FIELD_NUMBER: _ClassVar[int]
    MEETING_ID_FIELD_NUMBER: _ClassVar[int]
    SESSION_ID_FIELD_NUMBER: _ClassVar[int]
    is_muted: bool
    meeting_id: str
    session_id: bytes
    def __init__(self, meeting_id: _Optional[str] = ..., session_id: _Optional[bytes] = ..., is_muted: bool = ...) -> None: ...

class SignalChange(_message.Message):
    __slots__ = ["attendee_id", "strength"]
    ATTENDEE_ID_FIELD_NUMBER: _ClassVar[int]
    STRENGTH_FIELD_NUMBER: _ClassVar[int]
    attendee_id: str
    strength: _common_pb2.SignalStrength
    def __init__(self, attendee_id: _Optional[str] = ..., strength: _Optional[_Union[_common_pb2.SignalStrength, str]] = ...) -> None: ...

class SnapshotRequest(_message.Message):
    __slots__ = ["includes_audience", "meeting_id"]
    INCLUDES_AUDIENCE_FIELD_NUMBER: _ClassVar[int]
    MEETING_ID_FIELD_NUMBER: _ClassVar[int]
    includes_audience: bool
    meeting_id: str
    def __init__(self, meeting_id: _Optional[str] = ..., includes_audience: bool = ...) -> None: ...

class TakeKnockReply(_message.Message):
    __slots__ = []
    def __init__(self) -> None: ...

class TakeKnockRequest(_message.Message):
    __slots__ = ["entry_id", "knock_id", "meeting_id"]
    ENTRY_ID_FIELD_NUMBER: _ClassVar[int]
    KNOCK_ID_FIELD_NUMBER: _ClassVar[int]
    MEETING_ID_FIELD_NUMBER: _ClassVar[int]
    entry_id: str
    knock_id: str
    meeting_id: str
    def __init__(self, meeting_id: _Optional[str] = ..., knock_id: _Optional[str] = ..., entry_id: _Optional[str] = ...) -> None: ...

class VolumeChange(_message.Message):
    __slots__ = ["attendee_id", "level"]
    ATTENDEE_ID_FIELD_NUMBER: _ClassVar[int]
    LEVEL_FIELD_NUMBER: _ClassVar[int]
    attendee_id: str
    level: _common_pb2.VolumeLevel
    def __init__(self, attendee_id: _Optional[str] = ..., level: _Optional[_Union[_common_pb2.VolumeLevel, str]] = ...) -> None: ...

class WaitingKnock(_message.Message):
    __slots__ = ["display_name", "knock_id"]
    DISPLAY_NAME_FIELD_NUMBER: _ClassVar[int]
    KNOCK_ID_FIELD_NUMBER: _ClassVar[int]
    display_name: str
    knock_id: str
    def __init__(self, knock_id: _Optional[str] = ..., display_name: _Optional[str] = ...) -> None: ...

class AttendeeState(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = []

class PresenceReason(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = []

class KnockState(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = []
