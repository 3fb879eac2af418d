from google.protobuf.internal import containers as _containers
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from typing import ClassVar as _ClassVar, Iterable as _Iterable, Mapping as _Mapping, Optional as _Optional, Union as _Union

AUDIO: SdkStreamMediaType
AV1_MAIN_PROFILE: SdkVideoCodecCapability
BALANCED: SdkVideoQualityAdaptationPreference
BANDWIDTH_PROBING: SdkServerSideNetworkAdaption
BANDWIDTH_PROBING_AND_VIDEO_QUALITY_ADAPTION: SdkServerSideNetworkAdaption
COMPLETE_VIDEO_SOURCES_LIST: SdkJoinFlags
DEFAULT: SdkServerSideNetworkAdaption
DESCRIPTOR: _descriptor.FileDescriptor
DUPLEX: SdkStreamServiceType
EXCLUDE_SELF_CONTENT_IN_INDEX: SdkJoinFlags
H264_BASELINE_PROFILE: SdkVideoCodecCapability
H264_CONSTRAINED_BASELINE_PROFILE: SdkVideoCodecCapability
H264_CONSTRAINED_HIGH_PROFILE: SdkVideoCodecCapability
H264_HIGH_PROFILE: SdkVideoCodecCapability
H264_MAIN_PROFILE: SdkVideoCodecCapability
H265: SdkVideoCodecCapability
HAS_STREAM_UPDATE: SdkJoinFlags
MAINTAIN_FRAMERATE: SdkVideoQualityAdaptationPreference
MAINTAIN_RESOLUTION: SdkVideoQualityAdaptationPreference
MIXED_STREAM: SdkAudioReceiveType
NONE: SdkServerSideNetworkAdaption
PING: SdkPingPongType
PONG: SdkPingPongType
RX: SdkStreamServiceType
TX: SdkStreamServiceType
UNMIXED_STREAM: SdkAudioReceiveType
VIDEO: SdkStreamMediaType
VP8: SdkVideoCodecCapability
VP9_PROFILE_0: SdkVideoCodecCapability
VP9_PROFILE_1: SdkVideoCodecCapability
VP9_PROFILE_2: SdkVideoCodecCapability

class CarillonPosition(_message.Message):
    __slots__ = ["place", "stream"]
    PLACE_FIELD_NUMBER: _ClassVar[int]
    STREAM_FIELD_NUMBER: _ClassVar[int]
    place: str
    stream: str
    def __init__(self, stream: _Optional[str] = ..., place: _Optional[str] = ...) -> None: ...

class SdkAudioAttendeeState(_message.Message):
    __slots__ = ["audio_stream_id", "muted", "signal_strength", "volume"]
    AUDIO_STREAM_ID_FIELD_NUMBER: _ClassVar[int]
    MUTED_FIELD_NUMBER: _ClassVar[int]
    SIGNAL_STRENGTH_FIELD_NUMBER: _ClassVar[int]
    VOLUME_FIELD_NUMBER: _ClassVar[int]
    audio_stream_id: int
    muted: bool
    signal_strength: int
    volume: int
    def __init__(self, audio_stream_id: _Optional[int] = ..., volume: _Optional[int] = ..., muted: bool = ..., signal_strength: _Optional[int] = ...) -> None: ...

class SdkAudioControlFrame(_message.Message):
    __slots__ = ["muted"]
    MUTED_FIELD_NUMBER: _ClassVar[int]
    muted: bool
    def __init__(self, muted: bool = ...) -> None: ...

class SdkAudioMetadataFrame(_message.Message):
    __slots__ = ["attendee_states"]
    ATTENDEE_STATES_FIELD_NUMBER: _ClassVar[int]
    attendee_states: _containers.RepeatedCompositeFieldContainer[SdkAudioAttendeeState]
    def __init__(self, attendee_states: _Optional[_Iterable[_Union[SdkAudioAttendeeState, _Mapping]]] = ...) -> None: ...

class SdkAudioStatusFrame(_message.Message):
    __slots__ = ["audio_status"]
    AUDIO_STATUS_FIELD_NUMBER: _ClassVar[int]
    audio_status: int
    def __init__(self, audio_status: _Optional[int] = ...) -> None: ...

class SdkAudioStreamIdInfo(_message.Message):
    __slots__ = ["attendee_id", "audio_stream_id", "display_name", "dropped", "external_user_id", "muted"]
    ATTENDEE_ID_FIELD_NUMBER: _ClassVar[int]
    AUDIO_STREAM_ID_FIELD_NUMBER: _ClassVar[int]
    DISPLAY_NAME_FIELD_NUMBER: _ClassVar[int]
    DROPPED_FIELD_NUMBER: _ClassVar[int]
    EXTERNAL_USER_ID_FIELD_NUMBER: _ClassVar[int]
    MUTED_FIELD_NUMBER: _ClassVar[int]
    attendee_id: str
    audio_stream_id: int
    display_name: str
    dropped: bool
    external_user_id: str
    muted: bool
    def __init__(self, audio_stream_id: _Optional[int] = ..., attendee_id: _Optional[str] = ..., muted: bool = ..., external_user_id: _Optional[str] = ..., dropped: bool = ..., display_name: _Optional[str] = ...) -> None: ...

class SdkAudioStreamIdInfoFrame(_message.Message):
    __slots__ = ["streams"]
    STREAMS_FIELD_NUMBER: _ClassVar[int]
    streams: _containers.RepeatedCompositeFieldContainer[SdkAudioStreamIdInfo]
    def __init__(self, streams: _Optional[_Iterable[_Union[SdkAudioStreamIdInfo, _Mapping]]] = ...) -> None: ...

class SdkAudioSubscriptionConfiguration(_message.Message):
    __slots__ = ["audio_stream_id", "mid"]
    AUDIO_STREAM_ID_FIELD_NUMBER: _ClassVar[int]
    MID_FIELD_NUMBER: _ClassVar[int]
    audio_stream_id: int
    mid: str
    def __init__(self, mid: _Optional[str] = ..., audio_stream_id: _Optional[int] = ...) -> None: ...

class SdkBitrate(_message.Message):
    __slots__ = ["avg_bitrate_bps", "source_stream_id"]
    AVG_BITRATE_BPS_FIELD_NUMBER: _ClassVar[int]
    SOURCE_STREAM_ID_FIELD_NUMBER: _ClassVar[int]
    avg_bitrate_bps: int
    source_stream_id: int
    def __init__(self, source_stream_id: _Optional[int] = ..., avg_bitrate_bps: _Optional[int] = ...) -> None: ...

class SdkBitrateFrame(_message.Message):
    __slots__ = ["bitrates", "server_available_outgoing_bitrate"]
    BITRATES_FIELD_NUMBER: _ClassVar[int]
    SERVER_AVAILABLE_OUTGOING_BITRATE_FIELD_NUMBER: _ClassVar[int]
    bitrates: _containers.RepeatedCompositeFieldContainer[SdkBitrate]
    server_available_outgoing_bitrate: int
    def __init__(self, bitrates: _Optional[_Iterable[_Union[SdkBitrate, _Mapping]]] = ..., server_available_outgoing_bitrate: _Optional[int] = ...) -> None: ...

class SdkClientDetails(_message.Message):
    __slots__ = ["app_name", "app_version", "chime_sdk_version", "client_source", "client_utc_offset", "device_make", "device_model", "os_name", "os_version", "platform_name", "platform_version"]
    APP_NAME_FIELD_NUMBER: _ClassVar[int]
    APP_VERSION_FIELD_NUMBER: _ClassVar[int]
    CHIME_SDK_VERSION_FIELD_NUMBER: _ClassVar[int]
    CLIENT_SOURCE_FIELD_NUMBER: _ClassVar[int]
    CLIENT_UTC_OFFSET_FIELD_NUMBER: _ClassVar[int]
    DEVICE_MAKE_FIELD_NUMBER: _ClassVar[int]
    DEVICE_MODEL_FIELD_NUMBER: _ClassVar[int]
    OS_NAME_FIELD_NUMBER: _ClassVar[int]
    OS_VERSION_FIELD_NUMBER: _ClassVar[int]
    PLATFORM_NAME_FIELD_NUMBER: _ClassVar[int]
    PLATFORM_VERSION_FIELD_NUMBER: _ClassVar[int]
    app_name: str
    app_version: str
    chime_sdk_version: str
    client_source: str
    client_utc_offset: str
    device_make: str
    device_model: str
    os_name: str
    os_version: str
    platform_name: str
    platform_version: str
    def __init__(self, app_name: _Optional[str] = ..., app_version: _Optional[str] = ..., device_model: _Optional[str] = ..., device_make: _Optional[str] = ..., platform_name: _Optional[str] = ..., platform_version: _Optional[str] = ..., client_source: _Optional[str] = ..., chime_sdk_version: _Optional[str] = ..., client_utc_offset: _Optional[str] = ..., os_name: _Optional[str] = ..., os_version: _Optional[str] = ...) -> None: ...

class SdkClientMetricFrame(_message.Message):
    __slots__ = ["global_metrics", "stream_metric_frames"]
    GLOBAL_METRICS_FIELD_NUMBER: _ClassVar[int]
    STREAM_METRIC_FRAMES_FIELD_NUMBER: _ClassVar[int]
    global_metrics: _containers.RepeatedCompositeFieldContainer[SdkMetric]
    stream_metric_frames: _containers.RepeatedCompositeFieldContainer[SdkStreamMetricFrame]
    def __init__(self, global_metrics: _Optional[_Iterable[_Union[SdkMetric, _Mapping]]] = ..., stream_metric_frames: _Optional[_Iterable[_Union[SdkStreamMetricFrame, _Mapping]]] = ...) -> None: ...

class SdkDataMessageFrame(_message.Message):
    __slots__ = ["messages"]
    MESSAGES_FIELD_NUMBER: _ClassVar[int]
    messages: _containers.RepeatedCompositeFieldContainer[SdkDataMessagePayload]
    def __init__(self, messages: _Optional[_Iterable[_Union[SdkDataMessagePayload, _Mapping]]] = ...) -> None: ...

class SdkDataMessagePayload(_message.Message):
    __slots__ = ["data", "ingest_time_ns", "lifetime_ms", "sender_attendee_id", "sender_display_name", "sender_external_user_id", "topic"]
    DATA_FIELD_NUMBER: _ClassVar[int]
    INGEST_TIME_NS_FIELD_NUMBER: _ClassVar[int]
    LIFETIME_MS_FIELD_NUMBER: _ClassVar[int]
    SENDER_ATTENDEE_ID_FIELD_NUMBER: _ClassVar[int]
    SENDER_DISPLAY_NAME_FIELD_NUMBER: _ClassVar[int]
    SENDER_EXTERNAL_USER_ID_FIELD_NUMBER: _ClassVar[int]
    TOPIC_FIELD_NUMBER: _ClassVar[int]
    data: bytes
    ingest_time_ns: int
    lifetime_ms: int
    sender_attendee_id: str
    sender_display_name: str
    sender_external_user_id: str
    topic: str
    def __init__(self, topic: _Optional[str] = ..., data: _Optional[bytes] = ..., lifetime_ms: _Optional[int] = ..., sender_attendee_id: _Optional[str] = ..., ingest_time_ns: _Optional[int] = ..., sender_external_user_id: _Optional[str] = ..., sender_display_name: _Optional[str] = ...) -> None: ...

class SdkDimensionValue(_message.Message):
    __slots__ = ["bool_value", "string_value", "uint_value"]
    BOOL_VALUE_FIELD_NUMBER: _ClassVar[int]
    STRING_VALUE_FIELD_NUMBER: _ClassVar[int]
    UINT_VALUE_FIELD_NUMBER: _ClassVar[int]
    bool_value: bool
    string_value: str
    uint_value: int
    def __init__(self, string_value: _Optional[str] = ..., bool_value: bool = ..., uint_value: _Optional[int] = ...) -> None: ...

class SdkErrorFrame(_message.Message):
    __slots__ = ["description", "status"]
    DESCRIPTION_FIELD_NUMBER: _ClassVar[int]
    STATUS_FIELD_NUMBER: _ClassVar[int]
    description: str
    status: int
    def __init__(self, status: _Optional[int] = ..., description: _Optional[str] = ...) -> None: ...

class SdkIndexFrame(_message.Message):
    __slots__ = ["at_capacity", "num_participants", "paused_at_source_ids", "sources", "supported_receive_codec_intersection"]
    AT_CAPACITY_FIELD_NUMBER: _ClassVar[int]
    NUM_PARTICIPANTS_FIELD_NUMBER: _ClassVar[int]
    PAUSED_AT_SOURCE_IDS_FIELD_NUMBER: _ClassVar[int]
    SOURCES_FIELD_NUMBER: _ClassVar[int]
    SUPPORTED_RECEIVE_CODEC_INTERSECTION_FIELD_NUMBER: _ClassVar[int]
    at_capacity: bool
    num_participants: int
    paused_at_source_ids: _containers.RepeatedScalarFieldContainer[int]
    sources: _containers.RepeatedCompositeFieldContainer[SdkStreamDescriptor]
    supported_receive_codec_intersection: _containers.RepeatedScalarFieldContainer[SdkVideoCodecCapability]
    def __init__(self, at_capacity: bool = ..., sources: _Optional[_Iterable[_Union[SdkStreamDescriptor, _Mapping]]] = ..., paused_at_source_ids: _Optional[_Iterable[int]] = ..., num_participants: _Optional[int] = ..., supported_receive_codec_intersection: _Optional[_Iterable[_Union[SdkVideoCodecCapability, str]]] = ...) -> None: ...

class SdkJoinAckFrame(_message.Message):
    __slots__ = ["audio_subscription_limit", "default_server_side_network_adaption", "turn_credentials", "video_subscription_limit", "wants_compressed_sdp"]
    AUDIO_SUBSCRIPTION_LIMIT_FIELD_NUMBER: _ClassVar[int]
    DEFAULT_SERVER_SIDE_NETWORK_ADAPTION_FIELD_NUMBER: _ClassVar[int]
    TURN_CREDENTIALS_FIELD_NUMBER: _ClassVar[int]
    VIDEO_SUBSCRIPTION_LIMIT_FIELD_NUMBER: _ClassVar[int]
    WANTS_COMPRESSED_SDP_FIELD_NUMBER: _ClassVar[int]
    audio_subscription_limit: int
    default_server_side_network_adaption: SdkServerSideNetworkAdaption
    turn_credentials: SdkTurnCredentials
    video_subscription_limit: int
    wants_compressed_sdp: bool
    def __init__(self, turn_credentials: _Optional[_Union[SdkTurnCredentials, _Mapping]] = ..., video_subscription_limit: _Optional[int] = ..., wants_compressed_sdp: bool = ..., default_server_side_network_adaption: _Optional[_Union[SdkServerSideNetworkAdaption, str]] = ..., audio_subscription_limit: _Optional[int] = ...) -> None: ...

class SdkJoinFrame(_message.Message):
    __slots__ = ["audio_receive_type", "audio_session_id", "client_details", "disable_periodic_keyframe_request_on_content_sender", "flags", "max_num_of_videos", "positions", "protocol_version", "server_side_network_adaption", "supported_server_side_network_adaptions", "use_abs_capture_time_header_extension", "use_layers_allocation_header_extension", "wants_all_temporal_layers_in_index", "wants_compressed_sdp", "wants_no_media"]
    AUDIO_RECEIVE_TYPE_FIELD_NUMBER: _ClassVar[int]
    AUDIO_SESSION_ID_FIELD_NUMBER: _ClassVar[int]
    CLIENT_DETAILS_FIELD_NUMBER: _ClassVar[int]
    DISABLE_PERIODIC_KEYFRAME_REQUEST_ON_CONTENT_SENDER_FIELD_NUMBER: _ClassVar[int]
    FLAGS_FIELD_NUMBER: _ClassVar[int]
    MAX_NUM_OF_VIDEOS_FIELD_NUMBER: _ClassVar[int]
    POSITIONS_FIELD_NUMBER: _ClassVar[int]
    PROTOCOL_VERSION_FIELD_NUMBER: _ClassVar[int]
    SERVER_SIDE_NETWORK_ADAPTION_FIELD_NUMBER: _ClassVar[int]
    SUPPORTED_SERVER_SIDE_NETWORK_ADAPTIONS_FIELD_NUMBER: _ClassVar[int]
    USE_ABS_CAPTURE_TIME_HEADER_EXTENSION_FIELD_NUMBER: _ClassVar[int]
    USE_LAYERS_ALLOCATION_HEADER_EXTENSION_FIELD_NUMBER: _ClassVar[int]
    WANTS_ALL_TEMPORAL_LAYERS_IN_INDEX_FIELD_NUMBER: _ClassVar[int]
    WANTS_COMPRESSED_SDP_FIELD_NUMBER: _ClassVar[int]
    WANTS_NO_MEDIA_FIELD_NUMBER: _ClassVar[int]
    audio_receive_type: SdkAudioReceiveType
    audio_session_id: int
    client_details: SdkClientDetails
    disable_periodic_keyframe_request_on_content_sender: bool
    flags: int
    max_num_of_videos: int
    positions: _containers.RepeatedCompositeFieldContainer[CarillonPosition]
    protocol_version: int
    server_side_network_adaption: SdkServerSideNetworkAdaption
    supported_server_side_network_adaptions: _containers.RepeatedScalarFieldContainer[SdkServerSideNetworkAdaption]
    use_abs_capture_time_header_extension: bool
    use_layers_allocation_header_extension: bool
    wants_all_temporal_layers_in_index: bool
    wants_compressed_sdp: bool
    wants_no_media: bool
    def __init__(self, protocol_version: _Optional[int] = ..., max_num_of_videos: _Optional[int] = ..., flags: _Optional[int] = ..., client_details: _Optional[_Union[SdkClientDetails, _Mapping]] = ..., audio_session_id: _Optional[int] = ..., wants_compressed_sdp: bool = ..., server_side_network_adaption: _Optional[_Union[SdkServerSideNetworkAdaption, str]] = ..., supported_server_side_network_adaptions: _Optional[_Iterable[_Union[SdkServerSideNetworkAdaption, str]]] = ..., wants_all_temporal_layers_in_index: bool = ..., disable_periodic_keyframe_request_on_content_sender: bool = ..., audio_receive_type: _Optional[_Union[SdkAudioReceiveType, str]] = ..., use_abs_capture_time_header_extension: bool = ..., use_layers_allocation_header_extension: bool = ..., positions: _Optional[_Iterable[_Union[CarillonPosition, _Mapping]]] = ..., wants_no_media: bool = ...) -> None: ...

class SdkLeaveAckFrame(_message.Message):
    __slots__ = []
    def __init__(self) -> None: ...

class SdkLeaveFrame(_message.Message):
    __slots__ = []
    def __init__(self) -> None: ...

class SdkMeetingSessionCredentials(_message.Message):
    __slots__ = ["attendee_id", "external_user_id", "join_token"]
    ATTENDEE_ID_FIELD_NUMBER: _ClassVar[int]
    EXTERNAL_USER_ID_FIELD_NUMBER: _ClassVar[int]
    JOIN_TOKEN_FIELD_NUMBER: _ClassVar[int]
    attendee_id: str
    external_user_id: str
    join_token: str
    def __init__(self, attendee_id: _Optional[str] = ..., external_user_id: _Optional[str] = ..., join_token: _Optional[str] = ...) -> None: ...

class SdkMeetingSessionLocalAudioTiming(_message.Message):
    __slots__ = ["added_ms", "first_frame_captured_ms", "first_packet_sent_ms", "removed", "timed_out"]
    ADDED_MS_FIELD_NUMBER: _ClassVar[int]
    FIRST_FRAME_CAPTURED_MS_FIELD_NUMBER: _ClassVar[int]
    FIRST_PACKET_SENT_MS_FIELD_NUMBER: _ClassVar[int]
    REMOVED_FIELD_NUMBER: _ClassVar[int]
    TIMED_OUT_FIELD_NUMBER: _ClassVar[int]
    added_ms: int
    first_frame_captured_ms: int
    first_packet_sent_ms: int
    removed: bool
    timed_out: bool
    def __init__(self, added_ms: _Optional[int] = ..., first_frame_captured_ms: _Optional[int] = ..., first_packet_sent_ms: _Optional[int] = ..., timed_out: bool = ..., removed: bool = ...) -> None: ...

class SdkMeetingSessionLocalVideoTiming(_message.Message):
    __slots__ = ["added_ms", "first_frame_captured_ms", "first_frame_sent_ms", "removed", "timed_out"]
    ADDED_MS_FIELD_NUMBER: _ClassVar[int]
    FIRST_FRAME_CAPTURED_MS_FIELD_NUMBER: _ClassVar[int]
    FIRST_FRAME_SENT_MS_FIELD_NUMBER: _ClassVar[int]
    REMOVED_FIELD_NUMBER: _ClassVar[int]
    TIMED_OUT_FIELD_NUMBER: _ClassVar[int]
    added_ms: int
    first_frame_captured_ms: int
    first_frame_sent_ms: int
    removed: bool
    timed_out: bool
    def __init__(self, added_ms: _Optional[int] = ..., first_frame_captured_ms: _Optional[int] = ..., first_frame_sent_ms: _Optional[int] = ..., timed_out: bool = ..., removed: bool = ...) -> None: ...

class SdkMeetingSessionRemoteAudioTiming(_message.Message):
    __slots__ = ["added_ms", "first_frame_rendered_ms", "first_packet_received_ms", "removed", "timed_out"]
    ADDED_MS_FIELD_NUMBER: _ClassVar[int]
    FIRST_FRAME_RENDERED_MS_FIELD_NUMBER: _ClassVar[int]
    FIRST_PACKET_RECEIVED_MS_FIELD_NUMBER: _ClassVar[int]
    REMOVED_FIELD_NUMBER: _ClassVar[int]
    TIMED_OUT_FIELD_NUMBER: _ClassVar[int]
    added_ms: int
    first_frame_rendered_ms: int
    first_packet_received_ms: int
    removed: bool
    timed_out: bool
    def __init__(self, added_ms: _Optional[int] = ..., first_packet_received_ms: _Optional[int] = ..., first_frame_rendered_ms: _Optional[int] = ..., timed_out: bool = ..., removed: bool = ...) -> None: ...

class SdkMeetingSessionRemoteVideoTiming(_message.Message):
    __slots__ = ["added_ms", "first_frame_rendered_ms", "first_packet_received_ms", "group_id", "removed", "timed_out"]
    ADDED_MS_FIELD_NUMBER: _ClassVar[int]
    FIRST_FRAME_RENDERED_MS_FIELD_NUMBER: _ClassVar[int]
    FIRST_PACKET_RECEIVED_MS_FIELD_NUMBER: _ClassVar[int]
    GROUP_ID_FIELD_NUMBER: _ClassVar[int]
    REMOVED_FIELD_NUMBER: _ClassVar[int]
    TIMED_OUT_FIELD_NUMBER: _ClassVar[int]
    added_ms: int
    first_frame_rendered_ms: int
    first_packet_received_ms: int
    group_id: int
    removed: bool
    timed_out: bool
    def __init__(self, group_id: _Optional[int] = ..., added_ms: _Optional[int] = ..., first_packet_received_ms: _Optional[int] = ..., first_frame_rendered_ms: _Optional[int] = ..., timed_out: bool = ..., removed: bool = ...) -> None: ...

class SdkMeetingSessionSignalingTiming(_message.Message):
    __slots__ = ["create_offer_ms", "ice_connected_ms", "ice_gathering_complete_ms", "ice_gathering_start_ms", "join_ack_received_ms", "join_sent_ms", "set_local_description_ms", "set_remote_description_ms", "start_ms", "subscribe_ack_ms", "subscribe_sent_ms", "timed_out", "transport_connected_ms"]
    CREATE_OFFER_MS_FIELD_NUMBER: _ClassVar[int]
    ICE_CONNECTED_MS_FIELD_NUMBER: _ClassVar[int]
    ICE_GATHERING_COMPLETE_MS_FIELD_NUMBER: _ClassVar[int]
    ICE_GATHERING_START_MS_FIELD_NUMBER: _ClassVar[int]
    JOIN_ACK_RECEIVED_MS_FIELD_NUMBER: _ClassVar[int]
    JOIN_SENT_MS_FIELD_NUMBER: _ClassVar[int]
    SET_LOCAL_DESCRIPTION_MS_FIELD_NUMBER: _ClassVar[int]
    SET_REMOTE_DESCRIPTION_MS_FIELD_NUMBER: _ClassVar[int]
    START_MS_FIELD_NUMBER: _ClassVar[int]
    SUBSCRIBE_ACK_MS_FIELD_NUMBER: _ClassVar[int]
    SUBSCRIBE_SENT_MS_FIELD_NUMBER: _ClassVar[int]
    TIMED_OUT_FIELD_NUMBER: _ClassVar[int]
    TRANSPORT_CONNECTED_MS_FIELD_NUMBER: _ClassVar[int]
    create_offer_ms: int
    ice_connected_ms: int
    ice_gathering_complete_ms: int
    ice_gathering_start_ms: int
    join_ack_received_ms: int
    join_sent_ms: int
    set_local_description_ms: int
    set_remote_description_ms: int
    start_ms: int
    subscribe_ack_ms: int
    subscribe_sent_ms: int
    timed_out: bool
    transport_connected_ms: int
    def __init__(self, start_ms: _Optional[int] = ..., join_sent_ms: _Optional[int] = ..., join_ack_received_ms: _Optional[int] = ..., transport_connected_ms: _Optional[int] = ..., create_offer_ms: _Optional[int] = ..., set_local_description_ms: _Optional[int] = ..., set_remote_description_ms: _Optional[int] = ..., ice_gathering_start_ms: _Optional[int] = ..., ice_gathering_complete_ms: _Optional[int] = ..., ice_connected_ms: _Optional[int] = ..., subscribe_sent_ms: _Optional[int] = ..., subscribe_ack_ms: _Optional[int] = ..., timed_out: bool = ...) -> None: ...

class SdkMeetingSessionTimingFrame(_message.Message):
    __slots__ = ["local_audio", "local_video", "remote_audio", "remote_videos", "signaling"]
    LOCAL_AUDIO_FIELD_NUMBER: _ClassVar[int]
    LOCAL_VIDEO_FIELD_NUMBER: _ClassVar[int]
    REMOTE_AUDIO_FIELD_NUMBER: _ClassVar[int]
    REMOTE_VIDEOS_FIELD_NUMBER: _ClassVar[int]
    SIGNALING_FIELD_NUMBER: _ClassVar[int]
    local_audio: _containers.RepeatedCompositeFieldContainer[SdkMeetingSessionLocalAudioTiming]
    local_video: _containers.RepeatedCompositeFieldContainer[SdkMeetingSessionLocalVideoTiming]
    remote_audio: _containers.RepeatedCompositeFieldContainer[SdkMeetingSessionRemoteAudioTiming]
    remote_videos: _containers.RepeatedCompositeFieldContainer[SdkMeetingSessionRemoteVideoTiming]
    signaling: _containers.RepeatedCompositeFieldContainer[SdkMeetingSessionSignalingTiming]
    def __init__(self, signaling: _Optional[_Iterable[_Union[SdkMeetingSessionSignalingTiming, _Mapping]]] = ..., remote_audio: _Optional[_Iterable[_Union[SdkMeetingSessionRemoteAudioTiming, _Mapping]]] = ..., local_audio: _Optional[_Iterable[_Union[SdkMeetingSessionLocalAudioTiming, _Mapping]]] = ..., local_video: _Optional[_Iterable[_Union[SdkMeetingSessionLocalVideoTiming, _Mapping]]] = ..., remote_videos: _Optional[_Iterable[_Union[SdkMeetingSessionRemoteVideoTiming, _Mapping]]] = ...) -> None: ...

class SdkMetric(_message.Message):
    __slots__ = ["type", "value"]
    class Type(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
        __slots__ = []
    AUDIO_RECEIVED_TRANSFORM_PPS: SdkMetric.Type
    AUDIO_SENT_TRANSFORM_PPS: SdkMetric.Type
    CPU_PRESSURE_STATE: SdkMetric.Type
    RTC_MIC_AUDIO_LEVEL: SdkMetric.Type
    RTC_MIC_BITRATE: SdkMetric.Type
    RTC_MIC_FRACTION_PACKET_LOST_PERCENT: SdkMetric.Type
    RTC_MIC_JITTER_MS: SdkMetric.Type
    RTC_MIC_PPS: SdkMetric.Type
    RTC_MIC_RTT_MS: SdkMetric.Type
    RTC_SPK_AUDIO_LEVEL: SdkMetric.Type
    RTC_SPK_BITRATE: SdkMetric.Type
    RTC_SPK_CURRENT_DELAY_MS: SdkMetric.Type
    RTC_SPK_FRACTION_DECODER_LOSS_PERCENT: SdkMetric.Type
    RTC_SPK_FRACTION_PACKET_LOST_PERCENT: SdkMetric.Type
    RTC_SPK_JITTER_BUFFER_MS: SdkMetric.Type
    RTC_SPK_JITTER_MS: SdkMetric.Type
    RTC_SPK_PPS: SdkMetric.Type
    RTC_SPK_TOTAL_EXPECTED: SdkMetric.Type
    RTC_SPK_TOTAL_LOST: SdkMetric.Type
    RTC_SPK_TOTAL_RECOVERED_FEC: SdkMetric.Type
    RTC_SPK_TOTAL_RECOVERED_RED: SdkMetric.Type
    SOCKET_DISCARDED_PPS: SdkMetric.Type
    STUN_RTT_MS: SdkMetric.Type
    TYPE_FIELD_NUMBER: _ClassVar[int]
    VALUE_FIELD_NUMBER: _ClassVar[int]
    VIDEO_ACTUAL_ENCODER_BITRATE: SdkMetric.Type
    VIDEO_AVAILABLE_RECEIVE_BANDWIDTH: SdkMetric.Type
    VIDEO_AVAILABLE_SEND_BANDWIDTH: SdkMetric.Type
    VIDEO_BACKGROUND_SEGMENTATION_ASSET_LOADING_FAILURE: SdkMetric.Type
    VIDEO_BACKGROUND_SEGMENTATION_ASSET_LOADING_TIME_MS: SdkMetric.Type
    VIDEO_BACKGROUND_SEGMENTATION_COMPATIBILITY_FAILURE: SdkMetric.Type
    VIDEO_BACKGROUND_SEGMENTATION_CPU_USAGE_PERCENT: SdkMetric.Type
    VIDEO_BACKGROUND_SEGMENTATION_DURATION_MS: SdkMetric.Type
    VIDEO_BACKGROUND_SEGMENTATION_EFFECT_RENDER_DURATION_MS: SdkMetric.Type
    VIDEO_BACKGROUND_SEGMENTATION_ERROR_COUNT: SdkMetric.Type
    VIDEO_BACKGROUND_SEGMENTATION_FRAMES_PER_SEGMENTATION: SdkMetric.Type
    VIDEO_BACKGROUND_SEGMENTATION_FRAMES_SEGMENTED: SdkMetric.Type
    VIDEO_BACKGROUND_SEGMENTATION_FRAMES_SUBMITTED: SdkMetric.Type
    VIDEO_BACKGROUND_SEGMENTATION_INITIALIZATION_DURATION_MS: SdkMetric.Type
    VIDEO_BACKGROUND_SEGMENTATION_INITIALIZATION_FAILURE: SdkMetric.Type
    VIDEO_BACKGROUND_SEGMENTATION_PROCESSOR_CREATION_FAILURE: SdkMetric.Type
    VIDEO_BUCKET_DELAY_MS: SdkMetric.Type
    VIDEO_CODEC_DEGRADATION_ENCODE_FAILURE: SdkMetric.Type
    VIDEO_CODEC_DEGRADATION_HIGH_ENCODE_CPU: SdkMetric.Type
    VIDEO_CURRENT_DELAY_MS: SdkMetric.Type
    VIDEO_DECODER_IS_HARDWARE: SdkMetric.Type
    VIDEO_DECODE_FPS: SdkMetric.Type
    VIDEO_DECODE_HEIGHT: SdkMetric.Type
    VIDEO_DECODE_MS: SdkMetric.Type
    VIDEO_DECODE_WIDTH: SdkMetric.Type
    VIDEO_DISCARDED_PPS: SdkMetric.Type
    VIDEO_DROPPED_FPS: SdkMetric.Type
    VIDEO_ENCODER_IS_HARDWARE: SdkMetric.Type
    VIDEO_ENCODE_FPS: SdkMetric.Type
    VIDEO_ENCODE_HEIGHT: SdkMetric.Type
    VIDEO_ENCODE_MS: SdkMetric.Type
    VIDEO_ENCODE_USAGE_PERCENT: SdkMetric.Type
    VIDEO_ENCODE_WIDTH: SdkMetric.Type
    VIDEO_FIRS_RECEIVED: SdkMetric.Type
    VIDEO_FIRS_SENT: SdkMetric.Type
    VIDEO_FREEZE_COUNT: SdkMetric.Type
    VIDEO_FREEZE_DURATION: SdkMetric.Type
    VIDEO_INPUT_FPS: SdkMetric.Type
    VIDEO_INPUT_HEIGHT: SdkMetric.Type
    VIDEO_INPUT_WIDTH: SdkMetric.Type
    VIDEO_JITTER_BUFFER_MS: SdkMetric.Type
    VIDEO_LOCAL_RENDER_FPS: SdkMetric.Type
    VIDEO_NACKS_RECEIVED: SdkMetric.Type
    VIDEO_NACKS_SENT: SdkMetric.Type
    VIDEO_OUTPUT_FPS: SdkMetric.Type
    VIDEO_PAUSE_COUNT: SdkMetric.Type
    VIDEO_PAUSE_DURATION: SdkMetric.Type
    VIDEO_PIPELINE_FRAME_RATE: SdkMetric.Type
    VIDEO_PLIS_RECEIVED: SdkMetric.Type
    VIDEO_PLIS_SENT: SdkMetric.Type
    VIDEO_PROCESSING_TIME: SdkMetric.Type
    VIDEO_PROCESSOR_LATENCY_MS: SdkMetric.Type
    VIDEO_QUALITY_LIMITATION_DURATION_CPU: SdkMetric.Type
    VIDEO_QUALITY_REASON: SdkMetric.Type
    VIDEO_RECEIVED_BITRATE: SdkMetric.Type
    VIDEO_RECEIVED_FPS: SdkMetric.Type
    VIDEO_RECEIVED_FRACTION_PACKET_LOST_PERCENT: SdkMetric.Type
    VIDEO_RECEIVED_JITTER_MS: SdkMetric.Type
    VIDEO_RECEIVED_PPS: SdkMetric.Type
    VIDEO_RECEIVED_QP_SUM: SdkMetric.Type
    VIDEO_RECEIVED_TRANSFORM_PPS: SdkMetric.Type
    VIDEO_REMOTE_RENDER_FPS: SdkMetric.Type
    VIDEO_RENDER_DELAY_MS: SdkMetric.Type
    VIDEO_RENDER_HEIGHT: SdkMetric.Type
    VIDEO_RENDER_WIDTH: SdkMetric.Type
    VIDEO_RETRANSMIT_BITRATE: SdkMetric.Type
    VIDEO_SENT_BITRATE: SdkMetric.Type
    VIDEO_SENT_FPS: SdkMetric.Type
    VIDEO_SENT_FRACTION_PACKET_LOST_PERCENT: SdkMetric.Type
    VIDEO_SENT_JITTER_MS: SdkMetric.Type
    VIDEO_SENT_PPS: SdkMetric.Type
    VIDEO_SENT_QP_SUM: SdkMetric.Type
    VIDEO_SENT_RTT_MS: SdkMetric.Type
    VIDEO_SENT_TRANSFORM_PPS: SdkMetric.Type
    VIDEO_TARGET_DELAY_MS: SdkMetric.Type
    VIDEO_TARGET_ENCODER_BITRATE: SdkMetric.Type
    type: SdkMetric.Type
    value: float
    def __init__(self, type: _Optional[_Union[SdkMetric.Type, str]] = ..., value: _Optional[float] = ...) -> None: ...

class SdkNotificationFrame(_message.Message):
    __slots__ = ["level", "message"]
    class NotificationLevel(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
        __slots__ = []
    ERROR: SdkNotificationFrame.NotificationLevel
    INFO: SdkNotificationFrame.NotificationLevel
    LEVEL_FIELD_NUMBER: _ClassVar[int]
    MESSAGE_FIELD_NUMBER: _ClassVar[int]
    WARNING: SdkNotificationFrame.NotificationLevel
    level: SdkNotificationFrame.NotificationLevel
    message: str
    def __init__(self, level: _Optional[_Union[SdkNotificationFrame.NotificationLevel, str]] = ..., message: _Optional[str] = ...) -> None: ...

class SdkPauseResumeFrame(_message.Message):
    __slots__ = ["group_ids", "stream_ids"]
    GROUP_IDS_FIELD_NUMBER: _ClassVar[int]
    STREAM_IDS_FIELD_NUMBER: _ClassVar[int]
    group_ids: _containers.RepeatedScalarFieldContainer[int]
    stream_ids: _containers.RepeatedScalarFieldContainer[int]
    def __init__(self, stream_ids: _Optional[_Iterable[int]] = ..., group_ids: _Optional[_Iterable[int]] = ...) -> None: ...

class SdkPingPongFrame(_message.Message):
    __slots__ = ["ping_id", "type"]
    PING_ID_FIELD_NUMBER: _ClassVar[int]
    TYPE_FIELD_NUMBER: _ClassVar[int]
    ping_id: int
    type: SdkPingPongType
    def __init__(self, type: _Optional[_Union[SdkPingPongType, str]] = ..., ping_id: _Optional[int] = ...) -> None: ...

class SdkPrimaryMeetingJoinAckFrame(_message.Message):
    __slots__ = []
    def __init__(self) -> None: ...

class SdkPrimaryMeetingJoinFrame(_message.Message):
    __slots__ = ["credentials"]
    CREDENTIALS_FIELD_NUMBER: _ClassVar[int]
    credentials: SdkMeetingSessionCredentials
    def __init__(self, credentials: _Optional[_Union[SdkMeetingSessionCredentials, _Mapping]] = ...) -> None: ...

class SdkPrimaryMeetingLeaveFrame(_message.Message):
    __slots__ = []
    def __init__(self) -> None: ...

class SdkRemoteVideoUpdateFrame(_message.Message):
    __slots__ = ["added_or_updated_video_subscriptions", "removed_video_subscription_mids"]
    ADDED_OR_UPDATED_VIDEO_SUBSCRIPTIONS_FIELD_NUMBER: _ClassVar[int]
    REMOVED_VIDEO_SUBSCRIPTION_MIDS_FIELD_NUMBER: _ClassVar[int]
    added_or_updated_video_subscriptions: _containers.RepeatedCompositeFieldContainer[SdkVideoSubscriptionConfiguration]
    removed_video_subscription_mids: _containers.RepeatedScalarFieldContainer[str]
    def __init__(self, added_or_updated_video_subscriptions: _Optional[_Iterable[_Union[SdkVideoSubscriptionConfiguration, _Mapping]]] = ..., removed_video_subscription_mids: _Optional[_Iterable[str]] = ...) -> None: ...

class SdkSignalFrame(_message.Message):
    __slots__ = ["audio_control", "audio_metadata", "audio_status", "audio_stream_id_info", "audio_transcript", "bitrates", "client_metric", "data_message", "error", "index", "join", "joinack", "leave", "leave_ack", "meeting_session_timing", "notification", "pause", "ping_pong", "positions", "primary_meeting_join", "primary_meeting_join_ack", "primary_meeting_leave", "remote_video_update", "sub", "suback", "timestamp_ms", "type"]
    class Type(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
        __slots__ = []
    AUDIO_CONTROL: SdkSignalFrame.Type
    AUDIO_CONTROL_FIELD_NUMBER: _ClassVar[int]
    AUDIO_METADATA: SdkSignalFrame.Type
    AUDIO_METADATA_FIELD_NUMBER: _ClassVar[int]
    AUDIO_STATUS: SdkSignalFrame.Type
    AUDIO_STATUS_FIELD_NUMBER: _ClassVar[int]
    AUDIO_STREAM_ID_INFO: SdkSignalFrame.Type
    AUDIO_STREAM_ID_INFO_FIELD_NUMBER: _ClassVar[int]
    AUDIO_TRANSCRIPT: SdkSignalFrame.Type
    AUDIO_TRANSCRIPT_FIELD_NUMBER: _ClassVar[int]
    BITRATES: SdkSignalFrame.Type
    BITRATES_FIELD_NUMBER: _ClassVar[int]
    CLIENT_METRIC: SdkSignalFrame.Type
    CLIENT_METRIC_FIELD_NUMBER: _ClassVar[int]
    DATA_MESSAGE: SdkSignalFrame.Type
    DATA_MESSAGE_FIELD_NUMBER: _ClassVar[int]
    ERROR_FIELD_NUMBER: _ClassVar[int]
    INDEX: SdkSignalFrame.Type
    INDEX_FIELD_NUMBER: _ClassVar[int]
    JOIN: SdkSignalFrame.Type
    JOINACK_FIELD_NUMBER: _ClassVar[int]
    JOIN_ACK: SdkSignalFrame.Type
    JOIN_FIELD_NUMBER: _ClassVar[int]
    LEAVE: SdkSignalFrame.Type
    LEAVE_ACK: SdkSignalFrame.Type
    LEAVE_ACK_FIELD_NUMBER: _ClassVar[int]
    LEAVE_FIELD_NUMBER: _ClassVar[int]
    MEETING_SESSION_TIMING: SdkSignalFrame.Type
    MEETING_SESSION_TIMING_FIELD_NUMBER: _ClassVar[int]
    NOTIFICATION: SdkSignalFrame.Type
    NOTIFICATION_FIELD_NUMBER: _ClassVar[int]
    PAUSE: SdkSignalFrame.Type
    PAUSE_FIELD_NUMBER: _ClassVar[int]
    PING_PONG: SdkSignalFrame.Type
    PING_PONG_FIELD_NUMBER: _ClassVar[int]
    POSITIONS_FIELD_NUMBER: _ClassVar[int]
    PRIMARY_MEETING_JOIN: SdkSignalFrame.Type
    PRIMARY_MEETING_JOIN_ACK: SdkSignalFrame.Type
    PRIMARY_MEETING_JOIN_ACK_FIELD_NUMBER: _ClassVar[int]
    PRIMARY_MEETING_JOIN_FIELD_NUMBER: _ClassVar[int]
    PRIMARY_MEETING_LEAVE: SdkSignalFrame.Type
    PRIMARY_MEETING_LEAVE_FIELD_NUMBER: _ClassVar[int]
    REMOTE_VIDEO_UPDATE: SdkSignalFrame.Type
    REMOTE_VIDEO_UPDATE_FIELD_NUMBER: _ClassVar[int]
    RESUME: SdkSignalFrame.Type
    SUBACK_FIELD_NUMBER: _ClassVar[int]
    SUBSCRIBE: SdkSignalFrame.Type
    SUBSCRIBE_ACK: SdkSignalFrame.Type
    SUB_FIELD_NUMBER: _ClassVar[int]
    TIMESTAMP_MS_FIELD_NUMBER: _ClassVar[int]
    TYPE_FIELD_NUMBER: _ClassVar[int]
    audio_control: SdkAudioControlFrame
    audio_metadata: SdkAudioMetadataFrame
    audio_status: SdkAudioStatusFrame
    audio_stream_id_info: SdkAudioStreamIdInfoFrame
    audio_transcript: SdkTranscriptFrame
    bitrates: SdkBitrateFrame
    client_metric: SdkClientMetricFrame
    data_message: SdkDataMessageFrame
    error: SdkErrorFrame
    index: SdkIndexFrame
    join: SdkJoinFrame
    joinack: SdkJoinAckFrame
    leave: SdkLeaveFrame
    leave_ack: SdkLeaveAckFrame
    meeting_session_timing: SdkMeetingSessionTimingFrame
    notification: SdkNotificationFrame
    pause: SdkPauseResumeFrame
    ping_pong: SdkPingPongFrame
    positions: _containers.RepeatedCompositeFieldContainer[CarillonPosition]
    primary_meeting_join: SdkPrimaryMeetingJoinFrame
    primary_meeting_join_ack: SdkPrimaryMeetingJoinAckFrame
    primary_meeting_leave: SdkPrimaryMeetingLeaveFrame
    remote_video_update: SdkRemoteVideoUpdateFrame
    sub: SdkSubscribeFrame
    suback: SdkSubscribeAckFrame
    timestamp_ms: int
    type: SdkSignalFrame.Type
    def __init__(self, timestamp_ms: _Optional[int] = ..., type: _Optional[_Union[SdkSignalFrame.Type, str]] = ..., error: _Optional[_Union[SdkErrorFrame, _Mapping]] = ..., join: _Optional[_Union[SdkJoinFrame, _Mapping]] = ..., joinack: _Optional[_Union[SdkJoinAckFrame, _Mapping]] = ..., sub: _Optional[_Union[SdkSubscribeFrame, _Mapping]] = ..., suback: _Optional[_Union[SdkSubscribeAckFrame, _Mapping]] = ..., index: _Optional[_Union[SdkIndexFrame, _Mapping]] = ..., pause: _Optional[_Union[SdkPauseResumeFrame, _Mapping]] = ..., leave: _Optional[_Union[SdkLeaveFrame, _Mapping]] = ..., leave_ack: _Optional[_Union[SdkLeaveAckFrame, _Mapping]] = ..., bitrates: _Optional[_Union[SdkBitrateFrame, _Mapping]] = ..., audio_control: _Optional[_Union[SdkAudioControlFrame, _Mapping]] = ..., audio_metadata: _Optional[_Union[SdkAudioMetadataFrame, _Mapping]] = ..., audio_stream_id_info: _Optional[_Union[SdkAudioStreamIdInfoFrame, _Mapping]] = ..., ping_pong: _Optional[_Union[SdkPingPongFrame, _Mapping]] = ..., audio_status: _Optional[_Union[SdkAudioStatusFrame, _Mapping]] = ..., client_metric: _Optional[_Union[SdkClientMetricFrame, _Mapping]] = ..., data_message: _Optional[_Union[SdkDataMessageFrame, _Mapping]] = ..., audio_transcript: _Optional[_Union[SdkTranscriptFrame, _Mapping]] = ..., remote_video_update: _Optional[_Union[SdkRemoteVideoUpdateFrame, _Mapping]] = ..., primary_meeting_join: _Optional[_Union[SdkPrimaryMeetingJoinFrame, _Mapping]] = ..., primary_meeting_join_ack: _Optional[_Union[SdkPrimaryMeetingJoinAckFrame, _Mapping]] = ..., primary_meeting_leave: _Optional[_Union[SdkPrimaryMeetingLeaveFrame, _Mapping]] = ..., notification: _Optional[_Union[SdkNotificationFrame, _Mapping]] = ..., meeting_session_timing: _Optional[_Union[SdkMeetingSessionTimingFrame, _Mapping]] = ..., positions: _Optional[_Iterable[_Union[CarillonPosition, _Mapping]]] = ...) -> None: ...

class SdkStreamAllocation(_message.Message):
    __slots__ = ["group_id", "stream_id", "track_label"]
    GROUP_ID_FIELD_NUMBER: _ClassVar[int]
    STREAM_ID_FIELD_NUMBER: _ClassVar[int]
    TRACK_LABEL_FIELD_NUMBER: _ClassVar[int]
    group_id: int
    stream_id: int
    track_label: str
    def __init__(self, track_label: _Optional[str] = ..., stream_id: _Optional[int] = ..., group_id: _Optional[int] = ...) -> None: ...

class SdkStreamDescriptor(_message.Message):
    __slots__ = ["attendee_id", "avg_bitrate_bps", "display_label", "display_name", "external_user_id", "framerate", "group_id", "height", "max_bitrate_kbps", "media_type", "stream_id", "track_label", "width"]
    ATTENDEE_ID_FIELD_NUMBER: _ClassVar[int]
    AVG_BITRATE_BPS_FIELD_NUMBER: _ClassVar[int]
    DISPLAY_LABEL_FIELD_NUMBER: _ClassVar[int]
    DISPLAY_NAME_FIELD_NUMBER: _ClassVar[int]
    EXTERNAL_USER_ID_FIELD_NUMBER: _ClassVar[int]
    FRAMERATE_FIELD_NUMBER: _ClassVar[int]
    GROUP_ID_FIELD_NUMBER: _ClassVar[int]
    HEIGHT_FIELD_NUMBER: _ClassVar[int]
    MAX_BITRATE_KBPS_FIELD_NUMBER: _ClassVar[int]
    MEDIA_TYPE_FIELD_NUMBER: _ClassVar[int]
    STREAM_ID_FIELD_NUMBER: _ClassVar[int]
    TRACK_LABEL_FIELD_NUMBER: _ClassVar[int]
    WIDTH_FIELD_NUMBER: _ClassVar[int]
    attendee_id: str
    avg_bitrate_bps: int
    display_label: str
    display_name: str
    external_user_id: str
    framerate: int
    group_id: int
    height: int
    max_bitrate_kbps: int
    media_type: SdkStreamMediaType
    stream_id: int
    track_label: str
    width: int
    def __init__(self, stream_id: _Optional[int] = ..., framerate: _Optional[int] = ..., max_bitrate_kbps: _Optional[int] = ..., track_label: _Optional[str] = ..., group_id: _Optional[int] = ..., avg_bitrate_bps: _Optional[int] = ..., attendee_id: _Optional[str] = ..., media_type: _Optional[_Union[SdkStreamMediaType, str]] = ..., external_user_id: _Optional[str] = ..., width: _Optional[int] = ..., height: _Optional[int] = ..., display_label: _Optional[str] = ..., display_name: _Optional[str] = ...) -> None: ...

class SdkStreamDimension(_message.Message):
    __slots__ = ["type", "value"]
    class Type(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
        __slots__ = []
    TYPE_FIELD_NUMBER: _ClassVar[int]
    VALUE_FIELD_NUMBER: _ClassVar[int]
    VIDEO_BACKGROUND_SEGMENTATION_DELEGATE_TYPE: SdkStreamDimension.Type
    VIDEO_BACKGROUND_SEGMENTATION_MODEL_TYPE: SdkStreamDimension.Type
    VIDEO_DECODER_NAME: SdkStreamDimension.Type
    VIDEO_ENCODER_NAME: SdkStreamDimension.Type
    VIDEO_PROCESSOR_NAME: SdkStreamDimension.Type
    type: SdkStreamDimension.Type
    value: SdkDimensionValue
    def __init__(self, type: _Optional[_Union[SdkStreamDimension.Type, str]] = ..., value: _Optional[_Union[SdkDimensionValue, _Mapping]] = ...) -> None: ...

class SdkStreamMetricFrame(_message.Message):
    __slots__ = ["dimensions", "group_id", "media_type", "metrics", "stream_id"]
    DIMENSIONS_FIELD_NUMBER: _ClassVar[int]
    GROUP_ID_FIELD_NUMBER: _ClassVar[int]
    MEDIA_TYPE_FIELD_NUMBER: _ClassVar[int]
    METRICS_FIELD_NUMBER: _ClassVar[int]
    STREAM_ID_FIELD_NUMBER: _ClassVar[int]
    dimensions: _containers.RepeatedCompositeFieldContainer[SdkStreamDimension]
    group_id: int
    media_type: SdkStreamMediaType
    metrics: _containers.RepeatedCompositeFieldContainer[SdkMetric]
    stream_id: int
    def __init__(self, stream_id: _Optional[int] = ..., group_id: _Optional[int] = ..., metrics: _Optional[_Iterable[_Union[SdkMetric, _Mapping]]] = ..., dimensions: _Optional[_Iterable[_Union[SdkStreamDimension, _Mapping]]] = ..., media_type: _Optional[_Union[SdkStreamMediaType, str]] = ...) -> None: ...

class SdkSubscribeAckFrame(_message.Message):
    __slots__ = ["allocations", "compressed_sdp_answer", "duplex", "sdp_answer", "tracks"]
    ALLOCATIONS_FIELD_NUMBER: _ClassVar[int]
    COMPRESSED_SDP_ANSWER_FIELD_NUMBER: _ClassVar[int]
    DUPLEX_FIELD_NUMBER: _ClassVar[int]
    SDP_ANSWER_FIELD_NUMBER: _ClassVar[int]
    TRACKS_FIELD_NUMBER: _ClassVar[int]
    allocations: _containers.RepeatedCompositeFieldContainer[SdkStreamAllocation]
    compressed_sdp_answer: bytes
    duplex: SdkStreamServiceType
    sdp_answer: str
    tracks: _containers.RepeatedCompositeFieldContainer[SdkTrackMapping]
    def __init__(self, duplex: _Optional[_Union[SdkStreamServiceType, str]] = ..., allocations: _Optional[_Iterable[_Union[SdkStreamAllocation, _Mapping]]] = ..., sdp_answer: _Optional[str] = ..., tracks: _Optional[_Iterable[_Union[SdkTrackMapping, _Mapping]]] = ..., compressed_sdp_answer: _Optional[bytes] = ...) -> None: ...

class SdkSubscribeFrame(_message.Message):
    __slots__ = ["audio_checkin", "audio_host", "audio_muted", "audio_subscription_configurations", "compressed_sdp_offer", "duplex", "receive_stream_ids", "sdp_offer", "send_streams", "video_subscription_configuration"]
    AUDIO_CHECKIN_FIELD_NUMBER: _ClassVar[int]
    AUDIO_HOST_FIELD_NUMBER: _ClassVar[int]
    AUDIO_MUTED_FIELD_NUMBER: _ClassVar[int]
    AUDIO_SUBSCRIPTION_CONFIGURATIONS_FIELD_NUMBER: _ClassVar[int]
    COMPRESSED_SDP_OFFER_FIELD_NUMBER: _ClassVar[int]
    DUPLEX_FIELD_NUMBER: _ClassVar[int]
    RECEIVE_STREAM_IDS_FIELD_NUMBER: _ClassVar[int]
    SDP_OFFER_FIELD_NUMBER: _ClassVar[int]
    SEND_STREAMS_FIELD_NUMBER: _ClassVar[int]
    VIDEO_SUBSCRIPTION_CONFIGURATION_FIELD_NUMBER: _ClassVar[int]
    audio_checkin: bool
    audio_host: str
    audio_muted: bool
    audio_subscription_configurations: _containers.RepeatedCompositeFieldContainer[SdkAudioSubscriptionConfiguration]
    compressed_sdp_offer: bytes
    duplex: SdkStreamServiceType
    receive_stream_ids: _containers.RepeatedScalarFieldContainer[int]
    sdp_offer: str
    send_streams: _containers.RepeatedCompositeFieldContainer[SdkStreamDescriptor]
    video_subscription_configuration: _containers.RepeatedCompositeFieldContainer[SdkVideoSubscriptionConfiguration]
    def __init__(self, duplex: _Optional[_Union[SdkStreamServiceType, str]] = ..., send_streams: _Optional[_Iterable[_Union[SdkStreamDescriptor, _Mapping]]] = ..., receive_stream_ids: _Optional[_Iterable[int]] = ..., sdp_offer: _Optional[str] = ..., audio_host: _Optional[str] = ..., audio_checkin: bool = ..., audio_muted: bool = ..., compressed_sdp_offer: _Optional[bytes] = ..., video_subscription_configuration: _Optional[_Iterable[_Union[SdkVideoSubscriptionConfiguration, _Mapping]]] = ..., audio_subscription_configurations: _Optional[_Iterable[_Union[SdkAudioSubscriptionConfiguration, _Mapping]]] = ...) -> None: ...

class SdkTrackMapping(_message.Message):
    __slots__ = ["ssrc", "stream_id", "track_label"]
    SSRC_FIELD_NUMBER: _ClassVar[int]
    STREAM_ID_FIELD_NUMBER: _ClassVar[int]
    TRACK_LABEL_FIELD_NUMBER: _ClassVar[int]
    ssrc: int
    stream_id: int
    track_label: str
    def __init__(self, stream_id: _Optional[int] = ..., ssrc: _Optional[int] = ..., track_label: _Optional[str] = ...) -> None: ...

class SdkTranscript(_message.Message):
    __slots__ = ["results"]
    RESULTS_FIELD_NUMBER: _ClassVar[int]
    results: _containers.RepeatedCompositeFieldContainer[SdkTranscriptResult]
    def __init__(self, results: _Optional[_Iterable[_Union[SdkTranscriptResult, _Mapping]]] = ...) -> None: ...

class SdkTranscriptAlternative(_message.Message):
    __slots__ = ["entities", "items", "transcript"]
    ENTITIES_FIELD_NUMBER: _ClassVar[int]
    ITEMS_FIELD_NUMBER: _ClassVar[int]
    TRANSCRIPT_FIELD_NUMBER: _ClassVar[int]
    entities: _containers.RepeatedCompositeFieldContainer[SdkTranscriptEntity]
    items: _containers.RepeatedCompositeFieldContainer[SdkTranscriptItem]
    transcript: str
    def __init__(self, items: _Optional[_Iterable[_Union[SdkTranscriptItem, _Mapping]]] = ..., transcript: _Optional[str] = ..., entities: _Optional[_Iterable[_Union[SdkTranscriptEntity, _Mapping]]] = ...) -> None: ...

class SdkTranscriptEntity(_message.Message):
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

class SdkTranscriptEvent(_message.Message):
    __slots__ = ["status", "transcript"]
    STATUS_FIELD_NUMBER: _ClassVar[int]
    TRANSCRIPT_FIELD_NUMBER: _ClassVar[int]
    status: SdkTranscriptionStatus
    transcript: SdkTranscript
    def __init__(self, status: _Optional[_Union[SdkTranscriptionStatus, _Mapping]] = ..., transcript: _Optional[_Union[SdkTranscript, _Mapping]] = ...) -> None: ...

class SdkTranscriptFrame(_message.Message):
    __slots__ = ["events"]
    EVENTS_FIELD_NUMBER: _ClassVar[int]
    events: _containers.RepeatedCompositeFieldContainer[SdkTranscriptEvent]
    def __init__(self, events: _Optional[_Iterable[_Union[SdkTranscriptEvent, _Mapping]]] = ...) -> None: ...

class SdkTranscriptItem(_message.Message):
    __slots__ = ["confidence", "content", "end_time", "speaker_attendee_id", "speaker_display_name", "speaker_external_user_id", "stable", "start_time", "type", "vocabulary_filter_match"]
    class Type(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
        __slots__ = []
    CONFIDENCE_FIELD_NUMBER: _ClassVar[int]
    CONTENT_FIELD_NUMBER: _ClassVar[int]
    END_TIME_FIELD_NUMBER: _ClassVar[int]
    PRONUNCIATION: SdkTranscriptItem.Type
    PUNCTUATION: SdkTranscriptItem.Type
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
    type: SdkTranscriptItem.Type
    vocabulary_filter_match: bool
    def __init__(self, content: _Optional[str] = ..., end_time: _Optional[int] = ..., speaker_attendee_id: _Optional[str] = ..., speaker_external_user_id: _Optional[str] = ..., start_time: _Optional[int] = ..., type: _Optional[_Union[SdkTranscriptItem.Type, str]] = ..., vocabulary_filter_match: bool = ..., confidence: _Optional[float] = ..., stable: bool = ..., speaker_display_name: _Optional[str] = ...) -> None: ...

class SdkTranscriptLanguageWithScore(_message.Message):
    __slots__ = ["language_code", "score"]
    LANGUAGE_CODE_FIELD_NUMBER: _ClassVar[int]
    SCORE_FIELD_NUMBER: _ClassVar[int]
    language_code: str
    score: float
    def __init__(self, language_code: _Optional[str] = ..., score: _Optional[float] = ...) -> None: ...

class SdkTranscriptResult(_message.Message):
    __slots__ = ["alternatives", "channel_id", "end_time", "is_partial", "language_code", "language_identification", "result_id", "start_time"]
    ALTERNATIVES_FIELD_NUMBER: _ClassVar[int]
    CHANNEL_ID_FIELD_NUMBER: _ClassVar[int]
    END_TIME_FIELD_NUMBER: _ClassVar[int]
    IS_PARTIAL_FIELD_NUMBER: _ClassVar[int]
    LANGUAGE_CODE_FIELD_NUMBER: _ClassVar[int]
    LANGUAGE_IDENTIFICATION_FIELD_NUMBER: _ClassVar[int]
    RESULT_ID_FIELD_NUMBER: _ClassVar[int]
    START_TIME_FIELD_NUMBER: _ClassVar[int]
    alternatives: _containers.RepeatedCompositeFieldContainer[SdkTranscriptAlternative]
    channel_id: str
    end_time: int
    is_partial: bool
    language_code: str
    language_identification: _containers.RepeatedCompositeFieldContainer[SdkTranscriptLanguageWithScore]
    result_id: str
    start_time: int
    def __init__(self, alternatives: _Optional[_Iterable[_Union[SdkTranscriptAlternative, _Mapping]]] = ..., channel_id: _Optional[str] = ..., end_time: _Optional[int] = ..., is_partial: bool = ..., result_id: _Optional[str] = ..., start_time: _Optional[int] = ..., language_code: _Optional[str] = ..., language_identification: _Optional[_Iterable[_Union[SdkTranscriptLanguageWithScore, _Mapping]]] = ...) -> None: ...

class SdkTranscriptionStatus(_message.Message):
    __slots__ = ["event_time", "message", "transcription_configuration", "transcription_region", "type"]
    class Type(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
        __slots__ = []
    EVENT_TIME_FIELD_NUMBER: _ClassVar[int]
    FAILED: SdkTranscriptionStatus.Type
    INTERRUPTED: SdkTranscriptionStatus.Type
    MESSAGE_FIELD_NUMBER: _ClassVar[int]
    RESUMED: SdkTranscriptionStatus.Type
    STARTED: SdkTranscriptionStatus.Type
    STOPPED: SdkTranscriptionStatus.Type
    TRANSCRIPTION_CONFIGURATION_FIELD_NUMBER: _ClassVar[int]
    TRANSCRIPTION_REGION_FIELD_NUMBER: _ClassVar[int]
    TYPE_FIELD_NUMBER: _ClassVar[int]
    event_time: int
    message: str
    transcription_configuration: str
    transcription_region: str
    type: SdkTranscriptionStatus.Type
    def __init__(self, type: _Optional[_Union[SdkTranscriptionStatus.Type, str]] = ..., event_time: _Optional[int] = ..., transcription_region: _Optional[str] = ..., transcription_configuration: _Optional[str] = ..., message: _Optional[str] = ...) -> None: ...

class SdkTurnCredentials(_message.Message):
    __slots__ = ["password", "ttl", "uris", "username"]
    PASSWORD_FIELD_NUMBER: _ClassVar[int]
    TTL_FIELD_NUMBER: _ClassVar[int]
    URIS_FIELD_NUMBER: _ClassVar[int]
    USERNAME_FIELD_NUMBER: _ClassVar[int]
    password: str
    ttl: int
    uris: _containers.RepeatedScalarFieldContainer[str]
    username: str
    def __init__(self, username: _Optional[str] = ..., password: _Optional[str] = ..., ttl: _Optional[int] = ..., uris: _Optional[_Iterable[str]] = ...) -> None: ...

class SdkVideoSubscriptionConfiguration(_message.Message):
    __slots__ = ["attendee_id", "group_id", "mid", "priority", "quality_adaptation_preference", "stream_id", "target_bitrate_kbps"]
    ATTENDEE_ID_FIELD_NUMBER: _ClassVar[int]
    GROUP_ID_FIELD_NUMBER: _ClassVar[int]
    MID_FIELD_NUMBER: _ClassVar[int]
    PRIORITY_FIELD_NUMBER: _ClassVar[int]
    QUALITY_ADAPTATION_PREFERENCE_FIELD_NUMBER: _ClassVar[int]
    STREAM_ID_FIELD_NUMBER: _ClassVar[int]
    TARGET_BITRATE_KBPS_FIELD_NUMBER: _ClassVar[int]
    attendee_id: str
    group_id: int
    mid: str
    priority: int
    quality_adaptation_preference: SdkVideoQualityAdaptationPreference
    stream_id: int
    target_bitrate_kbps: int
    def __init__(self, mid: _Optional[str] = ..., attendee_id: _Optional[str] = ..., stream_id: _Optional[int] = ..., priority: _Optional[int] = ..., target_bitrate_kbps: _Optional[int] = ..., group_id: _Optional[int] = ..., quality_adaptation_preference: _Optional[_Union[SdkVideoQualityAdaptationPreference, str]] = ...) -> None: ...

class SdkJoinFlags(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = []

class SdkServerSideNetworkAdaption(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = []

class SdkStreamServiceType(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = []

class SdkStreamMediaType(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = []

class SdkPingPongType(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = []

class SdkVideoQualityAdaptationPreference(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = []

class SdkVideoCodecCapability(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = []

class SdkAudioReceiveType(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = []
