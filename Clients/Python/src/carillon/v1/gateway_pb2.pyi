from carillon.v1 import common_pb2 as _common_pb2
from carillon.v1 import media_pb2 as _media_pb2
from carillon.v1 import messaging_pb2 as _messaging_pb2
from carillon.v1 import presence_pb2 as _presence_pb2
from carillon.v1 import transcription_pb2 as _transcription_pb2
from carillon.v1 import video_tiles_pb2 as _video_tiles_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from typing import ClassVar as _ClassVar, Iterable as _Iterable, Mapping as _Mapping, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class DemoteFromPrimaryMeetingReply(_message.Message):
    __slots__ = ["was_promoted"]
    WAS_PROMOTED_FIELD_NUMBER: _ClassVar[int]
    was_promoted: bool
    def __init__(self, was_promoted: bool = ...) -> None: ...

class DemoteFromPrimaryMeetingRequest(_message.Message):
    __slots__ = []
    def __init__(self) -> None: ...

class DemotedFromPrimaryMeeting(_message.Message):
    __slots__ = ["attendee", "status"]
    ATTENDEE_FIELD_NUMBER: _ClassVar[int]
    STATUS_FIELD_NUMBER: _ClassVar[int]
    attendee: _common_pb2.AttendeeInfo
    status: _common_pb2.Status
    def __init__(self, status: _Optional[_Union[_common_pb2.Status, _Mapping]] = ..., attendee: _Optional[_Union[_common_pb2.AttendeeInfo, _Mapping]] = ...) -> None: ...

class EventsLost(_message.Message):
    __slots__ = ["stream"]
    STREAM_FIELD_NUMBER: _ClassVar[int]
    stream: str
    def __init__(self, stream: _Optional[str] = ...) -> None: ...

class GatewaysChanged(_message.Message):
    __slots__ = ["endpoints"]
    ENDPOINTS_FIELD_NUMBER: _ClassVar[int]
    endpoints: _containers.RepeatedScalarFieldContainer[str]
    def __init__(self, endpoints: _Optional[_Iterable[str]] = ...) -> None: ...

class KeepAliveReply(_message.Message):
    __slots__ = ["server_time_ms"]
    SERVER_TIME_MS_FIELD_NUMBER: _ClassVar[int]
    server_time_ms: int
    def __init__(self, server_time_ms: _Optional[int] = ...) -> None: ...

class KeepAliveRequest(_message.Message):
    __slots__ = ["positions", "received_bytes"]
    POSITIONS_FIELD_NUMBER: _ClassVar[int]
    RECEIVED_BYTES_FIELD_NUMBER: _ClassVar[int]
    positions: _containers.RepeatedCompositeFieldContainer[_common_pb2.StreamPosition]
    received_bytes: int
    def __init__(self, received_bytes: _Optional[int] = ..., positions: _Optional[_Iterable[_Union[_common_pb2.StreamPosition, _Mapping]]] = ...) -> None: ...

class PromoteToPrimaryMeetingReply(_message.Message):
    __slots__ = ["attendee", "camera", "capabilities"]
    ATTENDEE_FIELD_NUMBER: _ClassVar[int]
    CAMERA_FIELD_NUMBER: _ClassVar[int]
    CAPABILITIES_FIELD_NUMBER: _ClassVar[int]
    attendee: _common_pb2.AttendeeInfo
    camera: _video_tiles_pb2.CameraAvailabilityChanged
    capabilities: _common_pb2.Capabilities
    def __init__(self, attendee: _Optional[_Union[_common_pb2.AttendeeInfo, _Mapping]] = ..., capabilities: _Optional[_Union[_common_pb2.Capabilities, _Mapping]] = ..., camera: _Optional[_Union[_video_tiles_pb2.CameraAvailabilityChanged, _Mapping]] = ...) -> None: ...

class PromoteToPrimaryMeetingRequest(_message.Message):
    __slots__ = ["attendee_id", "external_user_id", "join_token"]
    ATTENDEE_ID_FIELD_NUMBER: _ClassVar[int]
    EXTERNAL_USER_ID_FIELD_NUMBER: _ClassVar[int]
    JOIN_TOKEN_FIELD_NUMBER: _ClassVar[int]
    attendee_id: str
    external_user_id: str
    join_token: str
    def __init__(self, attendee_id: _Optional[str] = ..., external_user_id: _Optional[str] = ..., join_token: _Optional[str] = ...) -> None: ...

class SessionEvent(_message.Message):
    __slots__ = ["camera_availability_changed", "capabilities_changed", "data_message", "demoted_from_primary_meeting", "events_lost", "gateways_changed", "levels_changed", "media_metrics", "media_moved", "mute_changed", "presence_changed", "published_video_ended", "roster_snapshot", "session_started", "tile_board_snapshot", "tiles_changed", "transcript_events", "transcript_snapshot", "video_codecs_changed", "video_sources_changed"]
    CAMERA_AVAILABILITY_CHANGED_FIELD_NUMBER: _ClassVar[int]
    CAPABILITIES_CHANGED_FIELD_NUMBER: _ClassVar[int]
    DATA_MESSAGE_FIELD_NUMBER: _ClassVar[int]
    DEMOTED_FROM_PRIMARY_MEETING_FIELD_NUMBER: _ClassVar[int]
    EVENTS_LOST_FIELD_NUMBER: _ClassVar[int]
    GATEWAYS_CHANGED_FIELD_NUMBER: _ClassVar[int]
    LEVELS_CHANGED_FIELD_NUMBER: _ClassVar[int]
    MEDIA_METRICS_FIELD_NUMBER: _ClassVar[int]
    MEDIA_MOVED_FIELD_NUMBER: _ClassVar[int]
    MUTE_CHANGED_FIELD_NUMBER: _ClassVar[int]
    PRESENCE_CHANGED_FIELD_NUMBER: _ClassVar[int]
    PUBLISHED_VIDEO_ENDED_FIELD_NUMBER: _ClassVar[int]
    ROSTER_SNAPSHOT_FIELD_NUMBER: _ClassVar[int]
    SESSION_STARTED_FIELD_NUMBER: _ClassVar[int]
    TILES_CHANGED_FIELD_NUMBER: _ClassVar[int]
    TILE_BOARD_SNAPSHOT_FIELD_NUMBER: _ClassVar[int]
    TRANSCRIPT_EVENTS_FIELD_NUMBER: _ClassVar[int]
    TRANSCRIPT_SNAPSHOT_FIELD_NUMBER: _ClassVar[int]
    VIDEO_CODECS_CHANGED_FIELD_NUMBER: _ClassVar[int]
    VIDEO_SOURCES_CHANGED_FIELD_NUMBER: _ClassVar[int]
    camera_availability_changed: _video_tiles_pb2.CameraAvailabilityChanged
    capabilities_changed: _presence_pb2.CapabilitiesChanged
    data_message: _messaging_pb2.DataMessage
    demoted_from_primary_meeting: DemotedFromPrimaryMeeting
    events_lost: EventsLost
    gateways_changed: GatewaysChanged
    levels_changed: _presence_pb2.LevelsChanged
    media_metrics: _media_pb2.MediaMetrics
    media_moved: _media_pb2.MediaMoved
    mute_changed: _presence_pb2.MuteChanged
    presence_changed: _presence_pb2.PresenceChanged
    published_video_ended: _video_tiles_pb2.PublishedVideoEnded
    roster_snapshot: _presence_pb2.RosterSnapshot
    session_started: SessionStarted
    tile_board_snapshot: _video_tiles_pb2.TileBoardSnapshot
    tiles_changed: _video_tiles_pb2.TilesChanged
    transcript_events: _transcription_pb2.TranscriptEvents
    transcript_snapshot: _transcription_pb2.TranscriptSnapshot
    video_codecs_changed: _video_tiles_pb2.VideoCodecsChanged
    video_sources_changed: _video_tiles_pb2.VideoSourcesChanged
    def __init__(self, session_started: _Optional[_Union[SessionStarted, _Mapping]] = ..., roster_snapshot: _Optional[_Union[_presence_pb2.RosterSnapshot, _Mapping]] = ..., presence_changed: _Optional[_Union[_presence_pb2.PresenceChanged, _Mapping]] = ..., mute_changed: _Optional[_Union[_presence_pb2.MuteChanged, _Mapping]] = ..., levels_changed: _Optional[_Union[_presence_pb2.LevelsChanged, _Mapping]] = ..., capabilities_changed: _Optional[_Union[_presence_pb2.CapabilitiesChanged, _Mapping]] = ..., data_message: _Optional[_Union[_messaging_pb2.DataMessage, _Mapping]] = ..., transcript_events: _Optional[_Union[_transcription_pb2.TranscriptEvents, _Mapping]] = ..., tiles_changed: _Optional[_Union[_video_tiles_pb2.TilesChanged, _Mapping]] = ..., video_sources_changed: _Optional[_Union[_video_tiles_pb2.VideoSourcesChanged, _Mapping]] = ..., tile_board_snapshot: _Optional[_Union[_video_tiles_pb2.TileBoardSnapshot, _Mapping]] = ..., camera_availability_changed: _Optional[_Union[_video_tiles_pb2.CameraAvailabilityChanged, _Mapping]] = ..., media_metrics: _Optional[_Union[_media_pb2.MediaMetrics, _Mapping]] = ..., media_moved: _Optional[_Union[_media_pb2.MediaMoved, _Mapping]] = ..., published_video_ended: _Optional[_Union[_video_tiles_pb2.PublishedVideoEnded, _Mapping]] = ..., transcript_snapshot: _Optional[_Union[_transcription_pb2.TranscriptSnapshot, _Mapping]] = ..., demoted_from_primary_meeting: _Optional[_Union[DemotedFromPrimaryMeeting, _Mapping]] = ..., events_lost: _Optional[_Union[EventsLost, _Mapping]] = ..., gateways_changed: _Optional[_Union[GatewaysChanged, _Mapping]] = ..., video_codecs_changed: _Optional[_Union[_video_tiles_pb2.VideoCodecsChanged, _Mapping]] = ...) -> None: ...

class SessionEvents(_message.Message):
    __slots__ = ["events", "positions"]
    EVENTS_FIELD_NUMBER: _ClassVar[int]
    POSITIONS_FIELD_NUMBER: _ClassVar[int]
    events: _containers.RepeatedCompositeFieldContainer[SessionEvent]
    positions: _containers.RepeatedCompositeFieldContainer[_common_pb2.StreamPosition]
    def __init__(self, events: _Optional[_Iterable[_Union[SessionEvent, _Mapping]]] = ..., positions: _Optional[_Iterable[_Union[_common_pb2.StreamPosition, _Mapping]]] = ...) -> None: ...

class SessionStarted(_message.Message):
    __slots__ = ["attendee", "capabilities", "gateway", "gateways", "incomplete_streams", "is_recovered", "is_resumed", "keep_alive_ms", "limits", "meeting_id", "primary_meeting_id", "server_time_ms", "session_id"]
    ATTENDEE_FIELD_NUMBER: _ClassVar[int]
    CAPABILITIES_FIELD_NUMBER: _ClassVar[int]
    GATEWAYS_FIELD_NUMBER: _ClassVar[int]
    GATEWAY_FIELD_NUMBER: _ClassVar[int]
    INCOMPLETE_STREAMS_FIELD_NUMBER: _ClassVar[int]
    IS_RECOVERED_FIELD_NUMBER: _ClassVar[int]
    IS_RESUMED_FIELD_NUMBER: _ClassVar[int]
    KEEP_ALIVE_MS_FIELD_NUMBER: _ClassVar[int]
    LIMITS_FIELD_NUMBER: _ClassVar[int]
    MEETING_ID_FIELD_NUMBER: _ClassVar[int]
    PRIMARY_MEETING_ID_FIELD_NUMBER: _ClassVar[int]
    SERVER_TIME_MS_FIELD_NUMBER: _ClassVar[int]
    SESSION_ID_FIELD_NUMBER: _ClassVar[int]
    attendee: _common_pb2.AttendeeInfo
    capabilities: _common_pb2.Capabilities
    gateway: str
    gateways: _containers.RepeatedScalarFieldContainer[str]
    incomplete_streams: _containers.RepeatedScalarFieldContainer[str]
    is_recovered: bool
    is_resumed: bool
    keep_alive_ms: int
    limits: _common_pb2.Limits
    meeting_id: str
    primary_meeting_id: str
    server_time_ms: int
    session_id: bytes
    def __init__(self, session_id: _Optional[bytes] = ..., is_resumed: bool = ..., is_recovered: bool = ..., keep_alive_ms: _Optional[int] = ..., limits: _Optional[_Union[_common_pb2.Limits, _Mapping]] = ..., capabilities: _Optional[_Union[_common_pb2.Capabilities, _Mapping]] = ..., meeting_id: _Optional[str] = ..., attendee: _Optional[_Union[_common_pb2.AttendeeInfo, _Mapping]] = ..., gateway: _Optional[str] = ..., server_time_ms: _Optional[int] = ..., primary_meeting_id: _Optional[str] = ..., incomplete_streams: _Optional[_Iterable[str]] = ..., gateways: _Optional[_Iterable[str]] = ...) -> None: ...

class StartRequest(_message.Message):
    __slots__ = ["attendee_id", "audio", "audio_mode", "audio_send_ssrc", "client_name", "features", "is_muted", "is_voice_focus_enabled", "join_token", "meeting_id", "positions", "session_id", "spoken_language", "transcript_language", "video"]
    ATTENDEE_ID_FIELD_NUMBER: _ClassVar[int]
    AUDIO_FIELD_NUMBER: _ClassVar[int]
    AUDIO_MODE_FIELD_NUMBER: _ClassVar[int]
    AUDIO_SEND_SSRC_FIELD_NUMBER: _ClassVar[int]
    CLIENT_NAME_FIELD_NUMBER: _ClassVar[int]
    FEATURES_FIELD_NUMBER: _ClassVar[int]
    IS_MUTED_FIELD_NUMBER: _ClassVar[int]
    IS_VOICE_FOCUS_ENABLED_FIELD_NUMBER: _ClassVar[int]
    JOIN_TOKEN_FIELD_NUMBER: _ClassVar[int]
    MEETING_ID_FIELD_NUMBER: _ClassVar[int]
    POSITIONS_FIELD_NUMBER: _ClassVar[int]
    SESSION_ID_FIELD_NUMBER: _ClassVar[int]
    SPOKEN_LANGUAGE_FIELD_NUMBER: _ClassVar[int]
    TRANSCRIPT_LANGUAGE_FIELD_NUMBER: _ClassVar[int]
    VIDEO_FIELD_NUMBER: _ClassVar[int]
    attendee_id: str
    audio: _common_pb2.MediaDirection
    audio_mode: _media_pb2.AudioMode
    audio_send_ssrc: int
    client_name: str
    features: _containers.RepeatedScalarFieldContainer[str]
    is_muted: bool
    is_voice_focus_enabled: bool
    join_token: str
    meeting_id: str
    positions: _containers.RepeatedCompositeFieldContainer[_common_pb2.StreamPosition]
    session_id: bytes
    spoken_language: str
    transcript_language: str
    video: _video_tiles_pb2.VideoChoices
    def __init__(self, meeting_id: _Optional[str] = ..., attendee_id: _Optional[str] = ..., join_token: _Optional[str] = ..., session_id: _Optional[bytes] = ..., positions: _Optional[_Iterable[_Union[_common_pb2.StreamPosition, _Mapping]]] = ..., is_muted: bool = ..., client_name: _Optional[str] = ..., features: _Optional[_Iterable[str]] = ..., video: _Optional[_Union[_video_tiles_pb2.VideoChoices, _Mapping]] = ..., is_voice_focus_enabled: bool = ..., audio_mode: _Optional[_Union[_media_pb2.AudioMode, str]] = ..., audio: _Optional[_Union[_common_pb2.MediaDirection, str]] = ..., transcript_language: _Optional[str] = ..., spoken_language: _Optional[str] = ..., audio_send_ssrc: _Optional[int] = ...) -> None: ...

class StopReply(_message.Message):
    __slots__ = []
    def __init__(self) -> None: ...

class StopRequest(_message.Message):
    __slots__ = []
    def __init__(self) -> None: ...
