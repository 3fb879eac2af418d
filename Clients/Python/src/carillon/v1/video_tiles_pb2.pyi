from carillon.v1 import common_pb2 as _common_pb2
from carillon.v1 import presence_pb2 as _presence_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from typing import ClassVar as _ClassVar, Iterable as _Iterable, Mapping as _Mapping, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor
FORWARDING_REASON_CANNOT_DECODE: ForwardingReason
FORWARDING_REASON_LOWERED: ForwardingReason
FORWARDING_REASON_NOT_FLOWING: ForwardingReason
FORWARDING_REASON_NOT_SUBSCRIBED: ForwardingReason
FORWARDING_REASON_OVER_LIMIT: ForwardingReason
FORWARDING_REASON_PAUSED_BY_USER: ForwardingReason
FORWARDING_REASON_PAUSED_FOR_BANDWIDTH: ForwardingReason
FORWARDING_REASON_RECEIVING_OFF: ForwardingReason
FORWARDING_REASON_UNSPECIFIED: ForwardingReason
FORWARDING_REASON_WANTED: ForwardingReason
TILE_PAUSE_STATE_PAUSED_BY_USER_REQUEST: TilePauseState
TILE_PAUSE_STATE_PAUSED_FOR_POOR_CONNECTION: TilePauseState
TILE_PAUSE_STATE_UNPAUSED: TilePauseState
TILE_PAUSE_STATE_UNSPECIFIED: TilePauseState
VIDEO_ADAPTATION_PREFERENCE_BALANCED: VideoAdaptationPreference
VIDEO_ADAPTATION_PREFERENCE_FRAMERATE: VideoAdaptationPreference
VIDEO_ADAPTATION_PREFERENCE_RESOLUTION: VideoAdaptationPreference
VIDEO_ADAPTATION_PREFERENCE_UNSPECIFIED: VideoAdaptationPreference
VIDEO_CODEC_AV1: VideoCodec
VIDEO_CODEC_H264: VideoCodec
VIDEO_CODEC_UNSPECIFIED: VideoCodec
VIDEO_CODEC_VP8: VideoCodec
VIDEO_CODEC_VP9: VideoCodec
VIDEO_CONTENT_HINT_DETAIL: VideoContentHint
VIDEO_CONTENT_HINT_MOTION: VideoContentHint
VIDEO_CONTENT_HINT_NONE: VideoContentHint
VIDEO_CONTENT_HINT_TEXT: VideoContentHint
VIDEO_CONTENT_HINT_UNSPECIFIED: VideoContentHint
VIDEO_PRIORITY_HIGH: VideoPriority
VIDEO_PRIORITY_HIGHEST: VideoPriority
VIDEO_PRIORITY_LOW: VideoPriority
VIDEO_PRIORITY_LOWEST: VideoPriority
VIDEO_PRIORITY_MEDIUM: VideoPriority
VIDEO_PRIORITY_UNSPECIFIED: VideoPriority
VIDEO_SOURCE_KIND_CAMERA: VideoSourceKind
VIDEO_SOURCE_KIND_CONTENT: VideoSourceKind
VIDEO_SOURCE_KIND_UNSPECIFIED: VideoSourceKind

class AnnounceTilesReply(_message.Message):
    __slots__ = ["refused", "sessions", "term"]
    REFUSED_FIELD_NUMBER: _ClassVar[int]
    SESSIONS_FIELD_NUMBER: _ClassVar[int]
    TERM_FIELD_NUMBER: _ClassVar[int]
    refused: _containers.RepeatedCompositeFieldContainer[_presence_pb2.RefusedSession]
    sessions: _containers.RepeatedCompositeFieldContainer[SessionSources]
    term: int
    def __init__(self, term: _Optional[int] = ..., sessions: _Optional[_Iterable[_Union[SessionSources, _Mapping]]] = ..., refused: _Optional[_Iterable[_Union[_presence_pb2.RefusedSession, _Mapping]]] = ...) -> None: ...

class AnnounceTilesRequest(_message.Message):
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
    sessions: _containers.RepeatedCompositeFieldContainer[TileSession]
    def __init__(self, gateway: _Optional[str] = ..., sessions: _Optional[_Iterable[_Union[TileSession, _Mapping]]] = ..., last: bool = ..., gateway_run: _Optional[int] = ..., membership: _Optional[int] = ...) -> None: ...

class CameraAvailabilityChanged(_message.Message):
    __slots__ = ["is_available", "status"]
    IS_AVAILABLE_FIELD_NUMBER: _ClassVar[int]
    STATUS_FIELD_NUMBER: _ClassVar[int]
    is_available: bool
    status: _common_pb2.SessionStatusCode
    def __init__(self, status: _Optional[_Union[_common_pb2.SessionStatusCode, str]] = ..., is_available: bool = ...) -> None: ...

class Forwarding(_message.Message):
    __slots__ = ["bits_per_second", "layer", "priority", "reason", "temporal_layers", "tile_id"]
    BITS_PER_SECOND_FIELD_NUMBER: _ClassVar[int]
    LAYER_FIELD_NUMBER: _ClassVar[int]
    PRIORITY_FIELD_NUMBER: _ClassVar[int]
    REASON_FIELD_NUMBER: _ClassVar[int]
    TEMPORAL_LAYERS_FIELD_NUMBER: _ClassVar[int]
    TILE_ID_FIELD_NUMBER: _ClassVar[int]
    bits_per_second: int
    layer: int
    priority: VideoPriority
    reason: ForwardingReason
    temporal_layers: int
    tile_id: int
    def __init__(self, tile_id: _Optional[int] = ..., layer: _Optional[int] = ..., temporal_layers: _Optional[int] = ..., reason: _Optional[_Union[ForwardingReason, str]] = ..., bits_per_second: _Optional[int] = ..., priority: _Optional[_Union[VideoPriority, str]] = ...) -> None: ...

class ForwardingUpdate(_message.Message):
    __slots__ = ["ended_session_ids", "ended_tile_ids", "is_complete", "publishers", "receivers", "sequence", "sources"]
    ENDED_SESSION_IDS_FIELD_NUMBER: _ClassVar[int]
    ENDED_TILE_IDS_FIELD_NUMBER: _ClassVar[int]
    IS_COMPLETE_FIELD_NUMBER: _ClassVar[int]
    PUBLISHERS_FIELD_NUMBER: _ClassVar[int]
    RECEIVERS_FIELD_NUMBER: _ClassVar[int]
    SEQUENCE_FIELD_NUMBER: _ClassVar[int]
    SOURCES_FIELD_NUMBER: _ClassVar[int]
    ended_session_ids: _containers.RepeatedScalarFieldContainer[bytes]
    ended_tile_ids: _containers.RepeatedScalarFieldContainer[int]
    is_complete: bool
    publishers: _containers.RepeatedCompositeFieldContainer[PublishingSession]
    receivers: _containers.RepeatedCompositeFieldContainer[ReceiverDecision]
    sequence: int
    sources: _containers.RepeatedCompositeFieldContainer[VideoSource]
    def __init__(self, sequence: _Optional[int] = ..., is_complete: bool = ..., sources: _Optional[_Iterable[_Union[VideoSource, _Mapping]]] = ..., ended_tile_ids: _Optional[_Iterable[int]] = ..., receivers: _Optional[_Iterable[_Union[ReceiverDecision, _Mapping]]] = ..., ended_session_ids: _Optional[_Iterable[bytes]] = ..., publishers: _Optional[_Iterable[_Union[PublishingSession, _Mapping]]] = ...) -> None: ...

class JoinTilesReply(_message.Message):
    __slots__ = ["board", "published", "term"]
    BOARD_FIELD_NUMBER: _ClassVar[int]
    PUBLISHED_FIELD_NUMBER: _ClassVar[int]
    TERM_FIELD_NUMBER: _ClassVar[int]
    board: TileBoardSnapshot
    published: _containers.RepeatedCompositeFieldContainer[PublishedVideo]
    term: int
    def __init__(self, board: _Optional[_Union[TileBoardSnapshot, _Mapping]] = ..., published: _Optional[_Iterable[_Union[PublishedVideo, _Mapping]]] = ..., term: _Optional[int] = ...) -> None: ...

class JoinTilesRequest(_message.Message):
    __slots__ = ["gateway", "gateway_run", "is_resume", "session"]
    GATEWAY_FIELD_NUMBER: _ClassVar[int]
    GATEWAY_RUN_FIELD_NUMBER: _ClassVar[int]
    IS_RESUME_FIELD_NUMBER: _ClassVar[int]
    SESSION_FIELD_NUMBER: _ClassVar[int]
    gateway: str
    gateway_run: int
    is_resume: bool
    session: TileSession
    def __init__(self, session: _Optional[_Union[TileSession, _Mapping]] = ..., gateway: _Optional[str] = ..., is_resume: bool = ..., gateway_run: _Optional[int] = ...) -> None: ...

class PromoteTilesReply(_message.Message):
    __slots__ = ["camera"]
    CAMERA_FIELD_NUMBER: _ClassVar[int]
    camera: CameraAvailabilityChanged
    def __init__(self, camera: _Optional[_Union[CameraAvailabilityChanged, _Mapping]] = ...) -> None: ...

class PublishVideoReply(_message.Message):
    __slots__ = ["video"]
    VIDEO_FIELD_NUMBER: _ClassVar[int]
    video: PublishedVideo
    def __init__(self, video: _Optional[_Union[PublishedVideo, _Mapping]] = ...) -> None: ...

class PublishVideoRequest(_message.Message):
    __slots__ = ["meeting_id", "session_id", "video"]
    MEETING_ID_FIELD_NUMBER: _ClassVar[int]
    SESSION_ID_FIELD_NUMBER: _ClassVar[int]
    VIDEO_FIELD_NUMBER: _ClassVar[int]
    meeting_id: str
    session_id: bytes
    video: PublishedVideo
    def __init__(self, meeting_id: _Optional[str] = ..., session_id: _Optional[bytes] = ..., video: _Optional[_Union[PublishedVideo, _Mapping]] = ...) -> None: ...

class PublishedVideo(_message.Message):
    __slots__ = ["hint", "kind", "layers", "tile_id", "track_ssrc"]
    HINT_FIELD_NUMBER: _ClassVar[int]
    KIND_FIELD_NUMBER: _ClassVar[int]
    LAYERS_FIELD_NUMBER: _ClassVar[int]
    TILE_ID_FIELD_NUMBER: _ClassVar[int]
    TRACK_SSRC_FIELD_NUMBER: _ClassVar[int]
    hint: VideoContentHint
    kind: VideoSourceKind
    layers: _containers.RepeatedCompositeFieldContainer[VideoLayer]
    tile_id: int
    track_ssrc: int
    def __init__(self, kind: _Optional[_Union[VideoSourceKind, str]] = ..., layers: _Optional[_Iterable[_Union[VideoLayer, _Mapping]]] = ..., tile_id: _Optional[int] = ..., track_ssrc: _Optional[int] = ..., hint: _Optional[_Union[VideoContentHint, str]] = ...) -> None: ...

class PublishedVideoEnded(_message.Message):
    __slots__ = ["kind", "status", "tile_id"]
    KIND_FIELD_NUMBER: _ClassVar[int]
    STATUS_FIELD_NUMBER: _ClassVar[int]
    TILE_ID_FIELD_NUMBER: _ClassVar[int]
    kind: VideoSourceKind
    status: _common_pb2.Status
    tile_id: int
    def __init__(self, tile_id: _Optional[int] = ..., kind: _Optional[_Union[VideoSourceKind, str]] = ..., status: _Optional[_Union[_common_pb2.Status, _Mapping]] = ...) -> None: ...

class PublishingSession(_message.Message):
    __slots__ = ["session_id", "tile_id"]
    SESSION_ID_FIELD_NUMBER: _ClassVar[int]
    TILE_ID_FIELD_NUMBER: _ClassVar[int]
    session_id: bytes
    tile_id: int
    def __init__(self, tile_id: _Optional[int] = ..., session_id: _Optional[bytes] = ...) -> None: ...

class ReceiverDecision(_message.Message):
    __slots__ = ["downlink_bits_per_second", "forwardings", "participant_id", "session_id"]
    DOWNLINK_BITS_PER_SECOND_FIELD_NUMBER: _ClassVar[int]
    FORWARDINGS_FIELD_NUMBER: _ClassVar[int]
    PARTICIPANT_ID_FIELD_NUMBER: _ClassVar[int]
    SESSION_ID_FIELD_NUMBER: _ClassVar[int]
    downlink_bits_per_second: int
    forwardings: _containers.RepeatedCompositeFieldContainer[Forwarding]
    participant_id: str
    session_id: bytes
    def __init__(self, session_id: _Optional[bytes] = ..., participant_id: _Optional[str] = ..., forwardings: _Optional[_Iterable[_Union[Forwarding, _Mapping]]] = ..., downlink_bits_per_second: _Optional[int] = ...) -> None: ...

class ReceiverDownlink(_message.Message):
    __slots__ = ["backlog_ms", "bits_per_second", "session_id", "stalled_tile_ids", "starved_tile_ids", "used_bits_per_second"]
    BACKLOG_MS_FIELD_NUMBER: _ClassVar[int]
    BITS_PER_SECOND_FIELD_NUMBER: _ClassVar[int]
    SESSION_ID_FIELD_NUMBER: _ClassVar[int]
    STALLED_TILE_IDS_FIELD_NUMBER: _ClassVar[int]
    STARVED_TILE_IDS_FIELD_NUMBER: _ClassVar[int]
    USED_BITS_PER_SECOND_FIELD_NUMBER: _ClassVar[int]
    backlog_ms: int
    bits_per_second: int
    session_id: bytes
    stalled_tile_ids: _containers.RepeatedScalarFieldContainer[int]
    starved_tile_ids: _containers.RepeatedScalarFieldContainer[int]
    used_bits_per_second: int
    def __init__(self, session_id: _Optional[bytes] = ..., bits_per_second: _Optional[int] = ..., used_bits_per_second: _Optional[int] = ..., backlog_ms: _Optional[int] = ..., starved_tile_ids: _Optional[_Iterable[int]] = ..., stalled_tile_ids: _Optional[_Iterable[int]] = ...) -> None: ...

class ReceiverTiles(_message.Message):
    __slots__ = ["camera", "participant_id", "session_id", "tiles"]
    CAMERA_FIELD_NUMBER: _ClassVar[int]
    PARTICIPANT_ID_FIELD_NUMBER: _ClassVar[int]
    SESSION_ID_FIELD_NUMBER: _ClassVar[int]
    TILES_FIELD_NUMBER: _ClassVar[int]
    camera: CameraAvailabilityChanged
    participant_id: str
    session_id: bytes
    tiles: _containers.RepeatedCompositeFieldContainer[TileState]
    def __init__(self, participant_id: _Optional[str] = ..., session_id: _Optional[bytes] = ..., tiles: _Optional[_Iterable[_Union[TileState, _Mapping]]] = ..., camera: _Optional[_Union[CameraAvailabilityChanged, _Mapping]] = ...) -> None: ...

class ReportDownlinkReply(_message.Message):
    __slots__ = []
    def __init__(self) -> None: ...

class ReportDownlinkRequest(_message.Message):
    __slots__ = ["meeting_id", "receivers"]
    MEETING_ID_FIELD_NUMBER: _ClassVar[int]
    RECEIVERS_FIELD_NUMBER: _ClassVar[int]
    meeting_id: str
    receivers: _containers.RepeatedCompositeFieldContainer[ReceiverDownlink]
    def __init__(self, meeting_id: _Optional[str] = ..., receivers: _Optional[_Iterable[_Union[ReceiverDownlink, _Mapping]]] = ...) -> None: ...

class ReportTracksReply(_message.Message):
    __slots__ = []
    def __init__(self) -> None: ...

class ReportTracksRequest(_message.Message):
    __slots__ = ["meeting_id", "tracks"]
    MEETING_ID_FIELD_NUMBER: _ClassVar[int]
    TRACKS_FIELD_NUMBER: _ClassVar[int]
    meeting_id: str
    tracks: _containers.RepeatedCompositeFieldContainer[TrackState]
    def __init__(self, meeting_id: _Optional[str] = ..., tracks: _Optional[_Iterable[_Union[TrackState, _Mapping]]] = ...) -> None: ...

class SessionSources(_message.Message):
    __slots__ = ["published", "session_id"]
    PUBLISHED_FIELD_NUMBER: _ClassVar[int]
    SESSION_ID_FIELD_NUMBER: _ClassVar[int]
    published: _containers.RepeatedCompositeFieldContainer[PublishedVideo]
    session_id: bytes
    def __init__(self, session_id: _Optional[bytes] = ..., published: _Optional[_Iterable[_Union[PublishedVideo, _Mapping]]] = ...) -> None: ...

class SetRemoteVideoReply(_message.Message):
    __slots__ = []
    def __init__(self) -> None: ...

class SetRemoteVideoRequest(_message.Message):
    __slots__ = ["can_decode", "is_receiving", "meeting_id", "session_id"]
    CAN_DECODE_FIELD_NUMBER: _ClassVar[int]
    IS_RECEIVING_FIELD_NUMBER: _ClassVar[int]
    MEETING_ID_FIELD_NUMBER: _ClassVar[int]
    SESSION_ID_FIELD_NUMBER: _ClassVar[int]
    can_decode: _containers.RepeatedScalarFieldContainer[VideoCodec]
    is_receiving: bool
    meeting_id: str
    session_id: bytes
    def __init__(self, meeting_id: _Optional[str] = ..., session_id: _Optional[bytes] = ..., is_receiving: bool = ..., can_decode: _Optional[_Iterable[_Union[VideoCodec, str]]] = ...) -> None: ...

class SetTilePausedReply(_message.Message):
    __slots__ = ["tile"]
    TILE_FIELD_NUMBER: _ClassVar[int]
    tile: TileState
    def __init__(self, tile: _Optional[_Union[TileState, _Mapping]] = ...) -> None: ...

class SetTilePausedRequest(_message.Message):
    __slots__ = ["is_paused", "meeting_id", "session_id", "tile_id"]
    IS_PAUSED_FIELD_NUMBER: _ClassVar[int]
    MEETING_ID_FIELD_NUMBER: _ClassVar[int]
    SESSION_ID_FIELD_NUMBER: _ClassVar[int]
    TILE_ID_FIELD_NUMBER: _ClassVar[int]
    is_paused: bool
    meeting_id: str
    session_id: bytes
    tile_id: int
    def __init__(self, meeting_id: _Optional[str] = ..., session_id: _Optional[bytes] = ..., tile_id: _Optional[int] = ..., is_paused: bool = ...) -> None: ...

class TileBoardSnapshot(_message.Message):
    __slots__ = ["codecs", "epoch", "meeting_id", "receivers", "sequence", "sources"]
    CODECS_FIELD_NUMBER: _ClassVar[int]
    EPOCH_FIELD_NUMBER: _ClassVar[int]
    MEETING_ID_FIELD_NUMBER: _ClassVar[int]
    RECEIVERS_FIELD_NUMBER: _ClassVar[int]
    SEQUENCE_FIELD_NUMBER: _ClassVar[int]
    SOURCES_FIELD_NUMBER: _ClassVar[int]
    codecs: _containers.RepeatedScalarFieldContainer[VideoCodec]
    epoch: int
    meeting_id: str
    receivers: _containers.RepeatedCompositeFieldContainer[ReceiverTiles]
    sequence: int
    sources: _containers.RepeatedCompositeFieldContainer[VideoSource]
    def __init__(self, meeting_id: _Optional[str] = ..., epoch: _Optional[int] = ..., sequence: _Optional[int] = ..., sources: _Optional[_Iterable[_Union[VideoSource, _Mapping]]] = ..., receivers: _Optional[_Iterable[_Union[ReceiverTiles, _Mapping]]] = ..., codecs: _Optional[_Iterable[_Union[VideoCodec, str]]] = ...) -> None: ...

class TileReplayReply(_message.Message):
    __slots__ = ["events", "snapshot"]
    EVENTS_FIELD_NUMBER: _ClassVar[int]
    SNAPSHOT_FIELD_NUMBER: _ClassVar[int]
    events: _presence_pb2.ReplayedEvents
    snapshot: TileBoardSnapshot
    def __init__(self, events: _Optional[_Union[_presence_pb2.ReplayedEvents, _Mapping]] = ..., snapshot: _Optional[_Union[TileBoardSnapshot, _Mapping]] = ...) -> None: ...

class TileSession(_message.Message):
    __slots__ = ["capabilities", "choices", "display_name", "external_user_id", "meeting_id", "opened_at_ms", "participant_id", "promoted_as", "promoted_at_ms", "replica_meeting_id", "session_id"]
    CAPABILITIES_FIELD_NUMBER: _ClassVar[int]
    CHOICES_FIELD_NUMBER: _ClassVar[int]
    DISPLAY_NAME_FIELD_NUMBER: _ClassVar[int]
    EXTERNAL_USER_ID_FIELD_NUMBER: _ClassVar[int]
    MEETING_ID_FIELD_NUMBER: _ClassVar[int]
    OPENED_AT_MS_FIELD_NUMBER: _ClassVar[int]
    PARTICIPANT_ID_FIELD_NUMBER: _ClassVar[int]
    PROMOTED_AS_FIELD_NUMBER: _ClassVar[int]
    PROMOTED_AT_MS_FIELD_NUMBER: _ClassVar[int]
    REPLICA_MEETING_ID_FIELD_NUMBER: _ClassVar[int]
    SESSION_ID_FIELD_NUMBER: _ClassVar[int]
    capabilities: _common_pb2.Capabilities
    choices: VideoChoices
    display_name: str
    external_user_id: str
    meeting_id: str
    opened_at_ms: int
    participant_id: str
    promoted_as: _common_pb2.AttendeeInfo
    promoted_at_ms: int
    replica_meeting_id: str
    session_id: bytes
    def __init__(self, meeting_id: _Optional[str] = ..., participant_id: _Optional[str] = ..., external_user_id: _Optional[str] = ..., session_id: _Optional[bytes] = ..., capabilities: _Optional[_Union[_common_pb2.Capabilities, _Mapping]] = ..., replica_meeting_id: _Optional[str] = ..., choices: _Optional[_Union[VideoChoices, _Mapping]] = ..., promoted_as: _Optional[_Union[_common_pb2.AttendeeInfo, _Mapping]] = ..., opened_at_ms: _Optional[int] = ..., promoted_at_ms: _Optional[int] = ..., display_name: _Optional[str] = ...) -> None: ...

class TileSnapshotRequest(_message.Message):
    __slots__ = ["meeting_id", "participant_ids"]
    MEETING_ID_FIELD_NUMBER: _ClassVar[int]
    PARTICIPANT_IDS_FIELD_NUMBER: _ClassVar[int]
    meeting_id: str
    participant_ids: _containers.RepeatedScalarFieldContainer[str]
    def __init__(self, meeting_id: _Optional[str] = ..., participant_ids: _Optional[_Iterable[str]] = ...) -> None: ...

class TileState(_message.Message):
    __slots__ = ["height", "is_removed", "layer", "participant_id", "pause_state", "tile_id", "width"]
    HEIGHT_FIELD_NUMBER: _ClassVar[int]
    IS_REMOVED_FIELD_NUMBER: _ClassVar[int]
    LAYER_FIELD_NUMBER: _ClassVar[int]
    PARTICIPANT_ID_FIELD_NUMBER: _ClassVar[int]
    PAUSE_STATE_FIELD_NUMBER: _ClassVar[int]
    TILE_ID_FIELD_NUMBER: _ClassVar[int]
    WIDTH_FIELD_NUMBER: _ClassVar[int]
    height: int
    is_removed: bool
    layer: int
    participant_id: str
    pause_state: TilePauseState
    tile_id: int
    width: int
    def __init__(self, tile_id: _Optional[int] = ..., participant_id: _Optional[str] = ..., pause_state: _Optional[_Union[TilePauseState, str]] = ..., is_removed: bool = ..., layer: _Optional[int] = ..., width: _Optional[int] = ..., height: _Optional[int] = ...) -> None: ...

class TilesChanged(_message.Message):
    __slots__ = ["tiles"]
    TILES_FIELD_NUMBER: _ClassVar[int]
    tiles: _containers.RepeatedCompositeFieldContainer[TileState]
    def __init__(self, tiles: _Optional[_Iterable[_Union[TileState, _Mapping]]] = ...) -> None: ...

class TrackState(_message.Message):
    __slots__ = ["bits_per_second", "frames_per_second", "height", "is_flowing", "layer", "temporal_layers", "tile_id", "width"]
    BITS_PER_SECOND_FIELD_NUMBER: _ClassVar[int]
    FRAMES_PER_SECOND_FIELD_NUMBER: _ClassVar[int]
    HEIGHT_FIELD_NUMBER: _ClassVar[int]
    IS_FLOWING_FIELD_NUMBER: _ClassVar[int]
    LAYER_FIELD_NUMBER: _ClassVar[int]
    TEMPORAL_LAYERS_FIELD_NUMBER: _ClassVar[int]
    TILE_ID_FIELD_NUMBER: _ClassVar[int]
    WIDTH_FIELD_NUMBER: _ClassVar[int]
    bits_per_second: int
    frames_per_second: int
    height: int
    is_flowing: bool
    layer: int
    temporal_layers: int
    tile_id: int
    width: int
    def __init__(self, tile_id: _Optional[int] = ..., layer: _Optional[int] = ..., is_flowing: bool = ..., bits_per_second: _Optional[int] = ..., frames_per_second: _Optional[int] = ..., width: _Optional[int] = ..., height: _Optional[int] = ..., temporal_layers: _Optional[int] = ...) -> None: ...

class UnpublishVideoReply(_message.Message):
    __slots__ = []
    def __init__(self) -> None: ...

class UnpublishVideoRequest(_message.Message):
    __slots__ = ["kind", "meeting_id", "session_id"]
    KIND_FIELD_NUMBER: _ClassVar[int]
    MEETING_ID_FIELD_NUMBER: _ClassVar[int]
    SESSION_ID_FIELD_NUMBER: _ClassVar[int]
    kind: VideoSourceKind
    meeting_id: str
    session_id: bytes
    def __init__(self, meeting_id: _Optional[str] = ..., session_id: _Optional[bytes] = ..., kind: _Optional[_Union[VideoSourceKind, str]] = ...) -> None: ...

class UpdateVideoSubscriptionsReply(_message.Message):
    __slots__ = ["subscriptions"]
    SUBSCRIPTIONS_FIELD_NUMBER: _ClassVar[int]
    subscriptions: VideoSubscriptions
    def __init__(self, subscriptions: _Optional[_Union[VideoSubscriptions, _Mapping]] = ...) -> None: ...

class UpdateVideoSubscriptionsRequest(_message.Message):
    __slots__ = ["added_or_updated", "meeting_id", "removed", "session_id"]
    ADDED_OR_UPDATED_FIELD_NUMBER: _ClassVar[int]
    MEETING_ID_FIELD_NUMBER: _ClassVar[int]
    REMOVED_FIELD_NUMBER: _ClassVar[int]
    SESSION_ID_FIELD_NUMBER: _ClassVar[int]
    added_or_updated: _containers.RepeatedCompositeFieldContainer[VideoSubscription]
    meeting_id: str
    removed: _containers.RepeatedScalarFieldContainer[str]
    session_id: bytes
    def __init__(self, meeting_id: _Optional[str] = ..., session_id: _Optional[bytes] = ..., added_or_updated: _Optional[_Iterable[_Union[VideoSubscription, _Mapping]]] = ..., removed: _Optional[_Iterable[str]] = ...) -> None: ...

class VideoChoices(_message.Message):
    __slots__ = ["can_decode", "is_receiving", "paused_tile_ids", "published", "subscriptions"]
    CAN_DECODE_FIELD_NUMBER: _ClassVar[int]
    IS_RECEIVING_FIELD_NUMBER: _ClassVar[int]
    PAUSED_TILE_IDS_FIELD_NUMBER: _ClassVar[int]
    PUBLISHED_FIELD_NUMBER: _ClassVar[int]
    SUBSCRIPTIONS_FIELD_NUMBER: _ClassVar[int]
    can_decode: _containers.RepeatedScalarFieldContainer[VideoCodec]
    is_receiving: bool
    paused_tile_ids: _containers.RepeatedScalarFieldContainer[int]
    published: _containers.RepeatedCompositeFieldContainer[PublishedVideo]
    subscriptions: VideoSubscriptions
    def __init__(self, published: _Optional[_Iterable[_Union[PublishedVideo, _Mapping]]] = ..., subscriptions: _Optional[_Union[VideoSubscriptions, _Mapping]] = ..., paused_tile_ids: _Optional[_Iterable[int]] = ..., is_receiving: bool = ..., can_decode: _Optional[_Iterable[_Union[VideoCodec, str]]] = ...) -> None: ...

class VideoCodecsChanged(_message.Message):
    __slots__ = ["codecs"]
    CODECS_FIELD_NUMBER: _ClassVar[int]
    codecs: _containers.RepeatedScalarFieldContainer[VideoCodec]
    def __init__(self, codecs: _Optional[_Iterable[_Union[VideoCodec, str]]] = ...) -> None: ...

class VideoLayer(_message.Message):
    __slots__ = ["bits_per_second", "codec", "frames_per_second", "height", "ssrc", "temporal_layers", "width"]
    BITS_PER_SECOND_FIELD_NUMBER: _ClassVar[int]
    CODEC_FIELD_NUMBER: _ClassVar[int]
    FRAMES_PER_SECOND_FIELD_NUMBER: _ClassVar[int]
    HEIGHT_FIELD_NUMBER: _ClassVar[int]
    SSRC_FIELD_NUMBER: _ClassVar[int]
    TEMPORAL_LAYERS_FIELD_NUMBER: _ClassVar[int]
    WIDTH_FIELD_NUMBER: _ClassVar[int]
    bits_per_second: int
    codec: VideoCodec
    frames_per_second: int
    height: int
    ssrc: int
    temporal_layers: int
    width: int
    def __init__(self, ssrc: _Optional[int] = ..., width: _Optional[int] = ..., height: _Optional[int] = ..., frames_per_second: _Optional[int] = ..., bits_per_second: _Optional[int] = ..., codec: _Optional[_Union[VideoCodec, str]] = ..., temporal_layers: _Optional[int] = ...) -> None: ...

class VideoSource(_message.Message):
    __slots__ = ["attendee", "hint", "kind", "layers", "tile_id", "track_ssrc"]
    ATTENDEE_FIELD_NUMBER: _ClassVar[int]
    HINT_FIELD_NUMBER: _ClassVar[int]
    KIND_FIELD_NUMBER: _ClassVar[int]
    LAYERS_FIELD_NUMBER: _ClassVar[int]
    TILE_ID_FIELD_NUMBER: _ClassVar[int]
    TRACK_SSRC_FIELD_NUMBER: _ClassVar[int]
    attendee: _common_pb2.AttendeeInfo
    hint: VideoContentHint
    kind: VideoSourceKind
    layers: _containers.RepeatedCompositeFieldContainer[VideoLayer]
    tile_id: int
    track_ssrc: int
    def __init__(self, tile_id: _Optional[int] = ..., attendee: _Optional[_Union[_common_pb2.AttendeeInfo, _Mapping]] = ..., kind: _Optional[_Union[VideoSourceKind, str]] = ..., layers: _Optional[_Iterable[_Union[VideoLayer, _Mapping]]] = ..., track_ssrc: _Optional[int] = ..., hint: _Optional[_Union[VideoContentHint, str]] = ...) -> None: ...

class VideoSourcesChanged(_message.Message):
    __slots__ = ["available", "unavailable"]
    AVAILABLE_FIELD_NUMBER: _ClassVar[int]
    UNAVAILABLE_FIELD_NUMBER: _ClassVar[int]
    available: _containers.RepeatedCompositeFieldContainer[VideoSource]
    unavailable: _containers.RepeatedCompositeFieldContainer[VideoSource]
    def __init__(self, available: _Optional[_Iterable[_Union[VideoSource, _Mapping]]] = ..., unavailable: _Optional[_Iterable[_Union[VideoSource, _Mapping]]] = ...) -> None: ...

class VideoSubscription(_message.Message):
    __slots__ = ["participant_id", "preference", "priority", "target_height", "target_width"]
    PARTICIPANT_ID_FIELD_NUMBER: _ClassVar[int]
    PREFERENCE_FIELD_NUMBER: _ClassVar[int]
    PRIORITY_FIELD_NUMBER: _ClassVar[int]
    TARGET_HEIGHT_FIELD_NUMBER: _ClassVar[int]
    TARGET_WIDTH_FIELD_NUMBER: _ClassVar[int]
    participant_id: str
    preference: VideoAdaptationPreference
    priority: VideoPriority
    target_height: int
    target_width: int
    def __init__(self, participant_id: _Optional[str] = ..., priority: _Optional[_Union[VideoPriority, str]] = ..., target_width: _Optional[int] = ..., target_height: _Optional[int] = ..., preference: _Optional[_Union[VideoAdaptationPreference, str]] = ...) -> None: ...

class VideoSubscriptions(_message.Message):
    __slots__ = ["subscriptions"]
    SUBSCRIPTIONS_FIELD_NUMBER: _ClassVar[int]
    subscriptions: _containers.RepeatedCompositeFieldContainer[VideoSubscription]
    def __init__(self, subscriptions: _Optional[_Iterable[_Union[VideoSubscription, _Mapping]]] = ...) -> None: ...

class WatchDecisionsRequest(_message.Message):
    __slots__ = ["meeting_id"]
    MEETING_ID_FIELD_NUMBER: _ClassVar[int]
    meeting_id: str
    def __init__(self, meeting_id: _Optional[str] = ...) -> None: ...

class VideoCodec(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = []

class VideoSourceKind(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = []

class VideoContentHint(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = []

class VideoPriority(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = []

class VideoAdaptationPreference(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = []

class TilePauseState(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = []

class ForwardingReason(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = []
