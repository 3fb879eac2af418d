from carillon.v1 import common_pb2 as _common_pb2
from carillon.v1 import presence_pb2 as _presence_pb2
from carillon.v1 import video_tiles_pb2 as _video_tiles_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from typing import ClassVar as _ClassVar, Iterable as _Iterable, Mapping as _Mapping, Optional as _Optional, Union as _Union

AUDIO_MODE_MONO_16K: AudioMode
AUDIO_MODE_MONO_48K: AudioMode
AUDIO_MODE_STEREO_48K: AudioMode
AUDIO_MODE_UNSPECIFIED: AudioMode
DESCRIPTOR: _descriptor.FileDescriptor

class AdmitReply(_message.Message):
    __slots__ = ["endpoint", "format", "term"]
    ENDPOINT_FIELD_NUMBER: _ClassVar[int]
    FORMAT_FIELD_NUMBER: _ClassVar[int]
    TERM_FIELD_NUMBER: _ClassVar[int]
    endpoint: str
    format: MediaFormat
    term: int
    def __init__(self, endpoint: _Optional[str] = ..., format: _Optional[_Union[MediaFormat, _Mapping]] = ..., term: _Optional[int] = ...) -> None: ...

class AdmitRequest(_message.Message):
    __slots__ = ["attendee", "audio", "audio_mode", "audio_receive_ssrc", "audio_send_ssrc", "gateway", "gateway_run", "is_voice_focus_enabled", "meeting_id", "opened_at_ms", "promoted_as", "replica_meeting_id", "rights", "session_id", "ticket"]
    ATTENDEE_FIELD_NUMBER: _ClassVar[int]
    AUDIO_FIELD_NUMBER: _ClassVar[int]
    AUDIO_MODE_FIELD_NUMBER: _ClassVar[int]
    AUDIO_RECEIVE_SSRC_FIELD_NUMBER: _ClassVar[int]
    AUDIO_SEND_SSRC_FIELD_NUMBER: _ClassVar[int]
    GATEWAY_FIELD_NUMBER: _ClassVar[int]
    GATEWAY_RUN_FIELD_NUMBER: _ClassVar[int]
    IS_VOICE_FOCUS_ENABLED_FIELD_NUMBER: _ClassVar[int]
    MEETING_ID_FIELD_NUMBER: _ClassVar[int]
    OPENED_AT_MS_FIELD_NUMBER: _ClassVar[int]
    PROMOTED_AS_FIELD_NUMBER: _ClassVar[int]
    REPLICA_MEETING_ID_FIELD_NUMBER: _ClassVar[int]
    RIGHTS_FIELD_NUMBER: _ClassVar[int]
    SESSION_ID_FIELD_NUMBER: _ClassVar[int]
    TICKET_FIELD_NUMBER: _ClassVar[int]
    attendee: _common_pb2.AttendeeInfo
    audio: _common_pb2.MediaDirection
    audio_mode: AudioMode
    audio_receive_ssrc: int
    audio_send_ssrc: int
    gateway: str
    gateway_run: int
    is_voice_focus_enabled: bool
    meeting_id: str
    opened_at_ms: int
    promoted_as: _common_pb2.AttendeeInfo
    replica_meeting_id: str
    rights: SendRights
    session_id: bytes
    ticket: bytes
    def __init__(self, meeting_id: _Optional[str] = ..., session_id: _Optional[bytes] = ..., attendee: _Optional[_Union[_common_pb2.AttendeeInfo, _Mapping]] = ..., rights: _Optional[_Union[SendRights, _Mapping]] = ..., ticket: _Optional[bytes] = ..., replica_meeting_id: _Optional[str] = ..., promoted_as: _Optional[_Union[_common_pb2.AttendeeInfo, _Mapping]] = ..., audio_mode: _Optional[_Union[AudioMode, str]] = ..., audio: _Optional[_Union[_common_pb2.MediaDirection, str]] = ..., is_voice_focus_enabled: bool = ..., audio_send_ssrc: _Optional[int] = ..., audio_receive_ssrc: _Optional[int] = ..., gateway: _Optional[str] = ..., gateway_run: _Optional[int] = ..., opened_at_ms: _Optional[int] = ...) -> None: ...

class GetMediaStatisticsRequest(_message.Message):
    __slots__ = ["meeting_id"]
    MEETING_ID_FIELD_NUMBER: _ClassVar[int]
    meeting_id: str
    def __init__(self, meeting_id: _Optional[str] = ...) -> None: ...

class GrantTalkerCreditReply(_message.Message):
    __slots__ = []
    def __init__(self) -> None: ...

class GrantTalkerCreditRequest(_message.Message):
    __slots__ = ["credit", "meeting_id", "stream_id"]
    CREDIT_FIELD_NUMBER: _ClassVar[int]
    MEETING_ID_FIELD_NUMBER: _ClassVar[int]
    STREAM_ID_FIELD_NUMBER: _ClassVar[int]
    credit: int
    meeting_id: str
    stream_id: bytes
    def __init__(self, meeting_id: _Optional[str] = ..., stream_id: _Optional[bytes] = ..., credit: _Optional[int] = ...) -> None: ...

class MediaFormat(_message.Message):
    __slots__ = ["audio_level_extension_id", "audio_mode", "audio_packet_ms", "audio_receive_ssrc", "audio_send_ssrc", "max_packet_bytes", "payloads"]
    AUDIO_LEVEL_EXTENSION_ID_FIELD_NUMBER: _ClassVar[int]
    AUDIO_MODE_FIELD_NUMBER: _ClassVar[int]
    AUDIO_PACKET_MS_FIELD_NUMBER: _ClassVar[int]
    AUDIO_RECEIVE_SSRC_FIELD_NUMBER: _ClassVar[int]
    AUDIO_SEND_SSRC_FIELD_NUMBER: _ClassVar[int]
    MAX_PACKET_BYTES_FIELD_NUMBER: _ClassVar[int]
    PAYLOADS_FIELD_NUMBER: _ClassVar[int]
    audio_level_extension_id: int
    audio_mode: AudioMode
    audio_packet_ms: int
    audio_receive_ssrc: int
    audio_send_ssrc: int
    max_packet_bytes: int
    payloads: _containers.RepeatedCompositeFieldContainer[RtpPayload]
    def __init__(self, payloads: _Optional[_Iterable[_Union[RtpPayload, _Mapping]]] = ..., audio_level_extension_id: _Optional[int] = ..., audio_send_ssrc: _Optional[int] = ..., audio_receive_ssrc: _Optional[int] = ..., max_packet_bytes: _Optional[int] = ..., audio_packet_ms: _Optional[int] = ..., audio_mode: _Optional[_Union[AudioMode, str]] = ...) -> None: ...

class MediaMetrics(_message.Message):
    __slots__ = ["audio_receive_concealed_packets", "audio_send", "available_receive_bits_per_second", "available_send_bits_per_second", "dropped_packets", "epoch", "sent_layers", "tick", "video_send"]
    AUDIO_RECEIVE_CONCEALED_PACKETS_FIELD_NUMBER: _ClassVar[int]
    AUDIO_SEND_FIELD_NUMBER: _ClassVar[int]
    AVAILABLE_RECEIVE_BITS_PER_SECOND_FIELD_NUMBER: _ClassVar[int]
    AVAILABLE_SEND_BITS_PER_SECOND_FIELD_NUMBER: _ClassVar[int]
    DROPPED_PACKETS_FIELD_NUMBER: _ClassVar[int]
    EPOCH_FIELD_NUMBER: _ClassVar[int]
    SENT_LAYERS_FIELD_NUMBER: _ClassVar[int]
    TICK_FIELD_NUMBER: _ClassVar[int]
    VIDEO_SEND_FIELD_NUMBER: _ClassVar[int]
    audio_receive_concealed_packets: int
    audio_send: UplinkMetrics
    available_receive_bits_per_second: int
    available_send_bits_per_second: int
    dropped_packets: int
    epoch: int
    sent_layers: _containers.RepeatedCompositeFieldContainer[SentVideoLayer]
    tick: int
    video_send: UplinkMetrics
    def __init__(self, epoch: _Optional[int] = ..., tick: _Optional[int] = ..., audio_send: _Optional[_Union[UplinkMetrics, _Mapping]] = ..., video_send: _Optional[_Union[UplinkMetrics, _Mapping]] = ..., available_send_bits_per_second: _Optional[int] = ..., available_receive_bits_per_second: _Optional[int] = ..., dropped_packets: _Optional[int] = ..., audio_receive_concealed_packets: _Optional[int] = ..., sent_layers: _Optional[_Iterable[_Union[SentVideoLayer, _Mapping]]] = ...) -> None: ...

class MediaMoved(_message.Message):
    __slots__ = ["endpoint", "format", "term", "ticket"]
    ENDPOINT_FIELD_NUMBER: _ClassVar[int]
    FORMAT_FIELD_NUMBER: _ClassVar[int]
    TERM_FIELD_NUMBER: _ClassVar[int]
    TICKET_FIELD_NUMBER: _ClassVar[int]
    endpoint: str
    format: MediaFormat
    term: int
    ticket: bytes
    def __init__(self, endpoint: _Optional[str] = ..., ticket: _Optional[bytes] = ..., format: _Optional[_Union[MediaFormat, _Mapping]] = ..., term: _Optional[int] = ...) -> None: ...

class MediaStatistics(_message.Message):
    __slots__ = ["dropped_packets", "encodes", "forwarded_packets", "instance", "listeners", "meeting_id", "mix_us", "participants", "talkers"]
    DROPPED_PACKETS_FIELD_NUMBER: _ClassVar[int]
    ENCODES_FIELD_NUMBER: _ClassVar[int]
    FORWARDED_PACKETS_FIELD_NUMBER: _ClassVar[int]
    INSTANCE_FIELD_NUMBER: _ClassVar[int]
    LISTENERS_FIELD_NUMBER: _ClassVar[int]
    MEETING_ID_FIELD_NUMBER: _ClassVar[int]
    MIX_US_FIELD_NUMBER: _ClassVar[int]
    PARTICIPANTS_FIELD_NUMBER: _ClassVar[int]
    TALKERS_FIELD_NUMBER: _ClassVar[int]
    dropped_packets: int
    encodes: int
    forwarded_packets: int
    instance: str
    listeners: int
    meeting_id: str
    mix_us: int
    participants: _containers.RepeatedCompositeFieldContainer[ParticipantMedia]
    talkers: int
    def __init__(self, meeting_id: _Optional[str] = ..., instance: _Optional[str] = ..., talkers: _Optional[int] = ..., listeners: _Optional[int] = ..., encodes: _Optional[int] = ..., mix_us: _Optional[int] = ..., forwarded_packets: _Optional[int] = ..., dropped_packets: _Optional[int] = ..., participants: _Optional[_Iterable[_Union[ParticipantMedia, _Mapping]]] = ...) -> None: ...

class NegotiateReply(_message.Message):
    __slots__ = ["answer", "can_decode", "term", "tracks", "video"]
    ANSWER_FIELD_NUMBER: _ClassVar[int]
    CAN_DECODE_FIELD_NUMBER: _ClassVar[int]
    TERM_FIELD_NUMBER: _ClassVar[int]
    TRACKS_FIELD_NUMBER: _ClassVar[int]
    VIDEO_FIELD_NUMBER: _ClassVar[int]
    answer: str
    can_decode: _containers.RepeatedScalarFieldContainer[_video_tiles_pb2.VideoCodec]
    term: int
    tracks: _containers.RepeatedCompositeFieldContainer[NegotiatedTrack]
    video: NegotiatedVideo
    def __init__(self, answer: _Optional[str] = ..., term: _Optional[int] = ..., tracks: _Optional[_Iterable[_Union[NegotiatedTrack, _Mapping]]] = ..., video: _Optional[_Union[NegotiatedVideo, _Mapping]] = ..., can_decode: _Optional[_Iterable[_Union[_video_tiles_pb2.VideoCodec, str]]] = ...) -> None: ...

class NegotiateRequest(_message.Message):
    __slots__ = ["layer_ssrcs", "meeting_id", "offer", "session_id", "tracks"]
    LAYER_SSRCS_FIELD_NUMBER: _ClassVar[int]
    MEETING_ID_FIELD_NUMBER: _ClassVar[int]
    OFFER_FIELD_NUMBER: _ClassVar[int]
    SESSION_ID_FIELD_NUMBER: _ClassVar[int]
    TRACKS_FIELD_NUMBER: _ClassVar[int]
    layer_ssrcs: _containers.RepeatedScalarFieldContainer[int]
    meeting_id: str
    offer: str
    session_id: bytes
    tracks: _containers.RepeatedCompositeFieldContainer[NegotiatedTrack]
    def __init__(self, meeting_id: _Optional[str] = ..., session_id: _Optional[bytes] = ..., offer: _Optional[str] = ..., tracks: _Optional[_Iterable[_Union[NegotiatedTrack, _Mapping]]] = ..., layer_ssrcs: _Optional[_Iterable[int]] = ...) -> None: ...

class NegotiatedTrack(_message.Message):
    __slots__ = ["mid", "track_ssrc"]
    MID_FIELD_NUMBER: _ClassVar[int]
    TRACK_SSRC_FIELD_NUMBER: _ClassVar[int]
    mid: str
    track_ssrc: int
    def __init__(self, track_ssrc: _Optional[int] = ..., mid: _Optional[str] = ...) -> None: ...

class NegotiatedVideo(_message.Message):
    __slots__ = ["codec", "mid", "rids"]
    CODEC_FIELD_NUMBER: _ClassVar[int]
    MID_FIELD_NUMBER: _ClassVar[int]
    RIDS_FIELD_NUMBER: _ClassVar[int]
    codec: _video_tiles_pb2.VideoCodec
    mid: str
    rids: _containers.RepeatedScalarFieldContainer[str]
    def __init__(self, mid: _Optional[str] = ..., codec: _Optional[_Union[_video_tiles_pb2.VideoCodec, str]] = ..., rids: _Optional[_Iterable[str]] = ...) -> None: ...

class ParticipantMedia(_message.Message):
    __slots__ = ["attendee", "concealed_packets", "is_connected", "is_talking", "is_voice_focus_enabled", "jitter_buffer_ms", "key_frame_requests", "metrics", "refused_packets", "retransmitted_packets", "rights"]
    ATTENDEE_FIELD_NUMBER: _ClassVar[int]
    CONCEALED_PACKETS_FIELD_NUMBER: _ClassVar[int]
    IS_CONNECTED_FIELD_NUMBER: _ClassVar[int]
    IS_TALKING_FIELD_NUMBER: _ClassVar[int]
    IS_VOICE_FOCUS_ENABLED_FIELD_NUMBER: _ClassVar[int]
    JITTER_BUFFER_MS_FIELD_NUMBER: _ClassVar[int]
    KEY_FRAME_REQUESTS_FIELD_NUMBER: _ClassVar[int]
    METRICS_FIELD_NUMBER: _ClassVar[int]
    REFUSED_PACKETS_FIELD_NUMBER: _ClassVar[int]
    RETRANSMITTED_PACKETS_FIELD_NUMBER: _ClassVar[int]
    RIGHTS_FIELD_NUMBER: _ClassVar[int]
    attendee: _common_pb2.AttendeeInfo
    concealed_packets: int
    is_connected: bool
    is_talking: bool
    is_voice_focus_enabled: bool
    jitter_buffer_ms: int
    key_frame_requests: int
    metrics: MediaMetrics
    refused_packets: int
    retransmitted_packets: int
    rights: SendRights
    def __init__(self, attendee: _Optional[_Union[_common_pb2.AttendeeInfo, _Mapping]] = ..., is_connected: bool = ..., is_talking: bool = ..., is_voice_focus_enabled: bool = ..., rights: _Optional[_Union[SendRights, _Mapping]] = ..., metrics: _Optional[_Union[MediaMetrics, _Mapping]] = ..., jitter_buffer_ms: _Optional[int] = ..., concealed_packets: _Optional[int] = ..., refused_packets: _Optional[int] = ..., retransmitted_packets: _Optional[int] = ..., key_frame_requests: _Optional[int] = ...) -> None: ...

class PromoteMediaReply(_message.Message):
    __slots__ = ["term"]
    TERM_FIELD_NUMBER: _ClassVar[int]
    term: int
    def __init__(self, term: _Optional[int] = ...) -> None: ...

class ReleaseReply(_message.Message):
    __slots__ = []
    def __init__(self) -> None: ...

class ReleaseRequest(_message.Message):
    __slots__ = ["gateway", "meeting_id", "session_id"]
    GATEWAY_FIELD_NUMBER: _ClassVar[int]
    MEETING_ID_FIELD_NUMBER: _ClassVar[int]
    SESSION_ID_FIELD_NUMBER: _ClassVar[int]
    gateway: str
    meeting_id: str
    session_id: bytes
    def __init__(self, meeting_id: _Optional[str] = ..., session_id: _Optional[bytes] = ..., gateway: _Optional[str] = ...) -> None: ...

class RtpPayload(_message.Message):
    __slots__ = ["clock_rate", "encoding", "payload_type"]
    CLOCK_RATE_FIELD_NUMBER: _ClassVar[int]
    ENCODING_FIELD_NUMBER: _ClassVar[int]
    PAYLOAD_TYPE_FIELD_NUMBER: _ClassVar[int]
    clock_rate: int
    encoding: str
    payload_type: int
    def __init__(self, payload_type: _Optional[int] = ..., encoding: _Optional[str] = ..., clock_rate: _Optional[int] = ...) -> None: ...

class SendRights(_message.Message):
    __slots__ = ["capabilities", "is_muted", "is_muted_by_operator"]
    CAPABILITIES_FIELD_NUMBER: _ClassVar[int]
    IS_MUTED_BY_OPERATOR_FIELD_NUMBER: _ClassVar[int]
    IS_MUTED_FIELD_NUMBER: _ClassVar[int]
    capabilities: _common_pb2.Capabilities
    is_muted: bool
    is_muted_by_operator: bool
    def __init__(self, capabilities: _Optional[_Union[_common_pb2.Capabilities, _Mapping]] = ..., is_muted: bool = ..., is_muted_by_operator: bool = ...) -> None: ...

class SentVideoLayer(_message.Message):
    __slots__ = ["bits_per_second", "layer", "tile_id"]
    BITS_PER_SECOND_FIELD_NUMBER: _ClassVar[int]
    LAYER_FIELD_NUMBER: _ClassVar[int]
    TILE_ID_FIELD_NUMBER: _ClassVar[int]
    bits_per_second: int
    layer: int
    tile_id: int
    def __init__(self, tile_id: _Optional[int] = ..., layer: _Optional[int] = ..., bits_per_second: _Optional[int] = ...) -> None: ...

class SetSendRightsReply(_message.Message):
    __slots__ = ["is_known"]
    IS_KNOWN_FIELD_NUMBER: _ClassVar[int]
    is_known: bool
    def __init__(self, is_known: bool = ...) -> None: ...

class SetSendRightsRequest(_message.Message):
    __slots__ = ["capabilities", "is_muted", "is_muted_by_operator", "meeting_id", "participant_id"]
    CAPABILITIES_FIELD_NUMBER: _ClassVar[int]
    IS_MUTED_BY_OPERATOR_FIELD_NUMBER: _ClassVar[int]
    IS_MUTED_FIELD_NUMBER: _ClassVar[int]
    MEETING_ID_FIELD_NUMBER: _ClassVar[int]
    PARTICIPANT_ID_FIELD_NUMBER: _ClassVar[int]
    capabilities: _common_pb2.Capabilities
    is_muted: bool
    is_muted_by_operator: bool
    meeting_id: str
    participant_id: str
    def __init__(self, meeting_id: _Optional[str] = ..., participant_id: _Optional[str] = ..., is_muted: bool = ..., is_muted_by_operator: bool = ..., capabilities: _Optional[_Union[_common_pb2.Capabilities, _Mapping]] = ...) -> None: ...

class SetVoiceFocusReply(_message.Message):
    __slots__ = ["is_enabled"]
    IS_ENABLED_FIELD_NUMBER: _ClassVar[int]
    is_enabled: bool
    def __init__(self, is_enabled: bool = ...) -> None: ...

class SetVoiceFocusRequest(_message.Message):
    __slots__ = ["is_enabled", "meeting_id", "session_id"]
    IS_ENABLED_FIELD_NUMBER: _ClassVar[int]
    MEETING_ID_FIELD_NUMBER: _ClassVar[int]
    SESSION_ID_FIELD_NUMBER: _ClassVar[int]
    is_enabled: bool
    meeting_id: str
    session_id: bytes
    def __init__(self, meeting_id: _Optional[str] = ..., session_id: _Optional[bytes] = ..., is_enabled: bool = ...) -> None: ...

class StreamTalkersRequest(_message.Message):
    __slots__ = ["chunk_ms", "credit", "max_waiting_ms", "meeting_id", "stream_id"]
    CHUNK_MS_FIELD_NUMBER: _ClassVar[int]
    CREDIT_FIELD_NUMBER: _ClassVar[int]
    MAX_WAITING_MS_FIELD_NUMBER: _ClassVar[int]
    MEETING_ID_FIELD_NUMBER: _ClassVar[int]
    STREAM_ID_FIELD_NUMBER: _ClassVar[int]
    chunk_ms: int
    credit: int
    max_waiting_ms: int
    meeting_id: str
    stream_id: bytes
    def __init__(self, meeting_id: _Optional[str] = ..., stream_id: _Optional[bytes] = ..., credit: _Optional[int] = ..., chunk_ms: _Optional[int] = ..., max_waiting_ms: _Optional[int] = ...) -> None: ...

class TalkerAudio(_message.Message):
    __slots__ = ["chunks"]
    CHUNKS_FIELD_NUMBER: _ClassVar[int]
    chunks: _containers.RepeatedCompositeFieldContainer[TalkerChunk]
    def __init__(self, chunks: _Optional[_Iterable[_Union[TalkerChunk, _Mapping]]] = ...) -> None: ...

class TalkerChunk(_message.Message):
    __slots__ = ["attendee", "is_last", "lost_ms", "samples", "sequence", "start_ms"]
    ATTENDEE_FIELD_NUMBER: _ClassVar[int]
    IS_LAST_FIELD_NUMBER: _ClassVar[int]
    LOST_MS_FIELD_NUMBER: _ClassVar[int]
    SAMPLES_FIELD_NUMBER: _ClassVar[int]
    SEQUENCE_FIELD_NUMBER: _ClassVar[int]
    START_MS_FIELD_NUMBER: _ClassVar[int]
    attendee: _common_pb2.AttendeeInfo
    is_last: bool
    lost_ms: int
    samples: int
    sequence: int
    start_ms: int
    def __init__(self, attendee: _Optional[_Union[_common_pb2.AttendeeInfo, _Mapping]] = ..., sequence: _Optional[int] = ..., start_ms: _Optional[int] = ..., samples: _Optional[int] = ..., lost_ms: _Optional[int] = ..., is_last: bool = ...) -> None: ...

class UplinkMetrics(_message.Message):
    __slots__ = ["bits_per_second", "frames_per_second", "jitter_us", "loss_ppm", "packets", "rtt_us"]
    BITS_PER_SECOND_FIELD_NUMBER: _ClassVar[int]
    FRAMES_PER_SECOND_FIELD_NUMBER: _ClassVar[int]
    JITTER_US_FIELD_NUMBER: _ClassVar[int]
    LOSS_PPM_FIELD_NUMBER: _ClassVar[int]
    PACKETS_FIELD_NUMBER: _ClassVar[int]
    RTT_US_FIELD_NUMBER: _ClassVar[int]
    bits_per_second: int
    frames_per_second: int
    jitter_us: int
    loss_ppm: int
    packets: int
    rtt_us: int
    def __init__(self, packets: _Optional[int] = ..., loss_ppm: _Optional[int] = ..., jitter_us: _Optional[int] = ..., bits_per_second: _Optional[int] = ..., frames_per_second: _Optional[int] = ..., rtt_us: _Optional[int] = ...) -> None: ...

class AudioMode(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = []
