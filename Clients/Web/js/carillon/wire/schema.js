/**
 * The schema of the signaling frames as a table: what `signaling.proto` says, for the codec.
 *
 * A message is an object of its fields, a field `[number, type]` or `[number, type, "repeated"]`.
 * A type is a scalar of proto2 or the name of another message in this table; enumerations travel
 * as `enum` and are numbers here, with their names in `enums.js`.
 *
 * @typedef {"uint32" | "uint64" | "int64" | "bool" | "enum" | "double" | "string" | "bytes"} Scalar
 * @typedef {readonly [number, string] | readonly [number, string, "repeated"]} Field
 * @typedef {Readonly<Record<string, Field>>} Message
 */

/** @type {Readonly<Record<string, Message>>} */
const frames = {
  SdkSignalFrame: {
    timestamp_ms: [1, "uint64"],
    type: [2, "enum"],
    error: [3, "SdkErrorFrame"],
    join: [4, "SdkJoinFrame"],
    joinack: [5, "SdkJoinAckFrame"],
    sub: [6, "SdkSubscribeFrame"],
    suback: [7, "SdkSubscribeAckFrame"],
    index: [8, "SdkIndexFrame"],
    pause: [10, "SdkPauseResumeFrame"],
    leave: [11, "SdkLeaveFrame"],
    leave_ack: [12, "SdkLeaveAckFrame"],
    bitrates: [14, "SdkBitrateFrame"],
    audio_control: [17, "SdkAudioControlFrame"],
    audio_metadata: [18, "SdkAudioMetadataFrame"],
    audio_stream_id_info: [19, "SdkAudioStreamIdInfoFrame"],
    ping_pong: [20, "SdkPingPongFrame"],
    audio_status: [21, "SdkAudioStatusFrame"],
    client_metric: [22, "SdkClientMetricFrame"],
    data_message: [23, "SdkDataMessageFrame"],
    audio_transcript: [24, "SdkTranscriptFrame"],
    remote_video_update: [25, "SdkRemoteVideoUpdateFrame"],
    primary_meeting_join: [26, "SdkPrimaryMeetingJoinFrame"],
    primary_meeting_join_ack: [27, "SdkPrimaryMeetingJoinAckFrame"],
    primary_meeting_leave: [28, "SdkPrimaryMeetingLeaveFrame"],
    notification: [35, "SdkNotificationFrame"],
    meeting_session_timing: [44, "SdkMeetingSessionTimingFrame"],
    positions: [1000, "CarillonPosition", "repeated"],
  },
  CarillonPosition: { stream: [1, "string"], place: [2, "string"] },
  SdkErrorFrame: { status: [1, "uint32"], description: [2, "string"] },
  SdkPingPongFrame: { type: [1, "enum"], ping_id: [2, "uint32"] },
  SdkNotificationFrame: { level: [1, "enum"], message: [2, "string"] },
};

/** @type {Readonly<Record<string, Message>>} */
const joining = {
  SdkClientDetails: {
    app_name: [1, "string"],
    app_version: [2, "string"],
    device_model: [3, "string"],
    device_make: [4, "string"],
    platform_name: [5, "string"],
    platform_version: [6, "string"],
    client_source: [7, "string"],
    chime_sdk_version: [8, "string"],
    client_utc_offset: [9, "string"],
    os_name: [10, "string"],
    os_version: [11, "string"],
  },
  SdkJoinFrame: {
    protocol_version: [1, "uint32"],
    max_num_of_videos: [2, "uint32"],
    flags: [3, "uint32"],
    client_details: [4, "SdkClientDetails"],
    audio_session_id: [6, "uint64"],
    wants_compressed_sdp: [7, "bool"],
    server_side_network_adaption: [10, "enum"],
    supported_server_side_network_adaptions: [11, "enum", "repeated"],
    wants_all_temporal_layers_in_index: [12, "bool"],
    disable_periodic_keyframe_request_on_content_sender: [13, "bool"],
    audio_receive_type: [14, "enum"],
    use_abs_capture_time_header_extension: [15, "bool"],
    use_layers_allocation_header_extension: [16, "bool"],
    positions: [1000, "CarillonPosition", "repeated"],
  },
  SdkJoinAckFrame: {
    turn_credentials: [1, "SdkTurnCredentials"],
    video_subscription_limit: [2, "uint32"],
    wants_compressed_sdp: [3, "bool"],
    default_server_side_network_adaption: [4, "enum"],
    audio_subscription_limit: [5, "uint32"],
  },
  SdkTurnCredentials: {
    username: [1, "string"],
    password: [2, "string"],
    ttl: [3, "uint32"],
    uris: [4, "string", "repeated"],
  },
  SdkLeaveFrame: {},
  SdkLeaveAckFrame: {},
  SdkPrimaryMeetingJoinFrame: { credentials: [1, "SdkMeetingSessionCredentials"] },
  SdkPrimaryMeetingJoinAckFrame: {},
  SdkPrimaryMeetingLeaveFrame: {},
  SdkMeetingSessionCredentials: {
    attendee_id: [1, "string"],
    external_user_id: [2, "string"],
    join_token: [3, "string"],
  },
};

/** @type {Readonly<Record<string, Message>>} */
const media = {
  SdkSubscribeFrame: {
    duplex: [1, "enum"],
    send_streams: [2, "SdkStreamDescriptor", "repeated"],
    receive_stream_ids: [3, "uint32", "repeated"],
    sdp_offer: [4, "string"],
    audio_host: [5, "string"],
    audio_checkin: [6, "bool"],
    audio_muted: [7, "bool"],
    compressed_sdp_offer: [8, "bytes"],
    video_subscription_configuration: [9, "SdkVideoSubscriptionConfiguration", "repeated"],
    audio_subscription_configurations: [10, "SdkAudioSubscriptionConfiguration", "repeated"],
  },
  SdkSubscribeAckFrame: {
    duplex: [1, "enum"],
    allocations: [2, "SdkStreamAllocation", "repeated"],
    sdp_answer: [3, "string"],
    tracks: [4, "SdkTrackMapping", "repeated"],
    compressed_sdp_answer: [5, "bytes"],
  },
  SdkIndexFrame: {
    at_capacity: [1, "bool"],
    sources: [2, "SdkStreamDescriptor", "repeated"],
    paused_at_source_ids: [3, "uint32", "repeated"],
    num_participants: [4, "uint32"],
    supported_receive_codec_intersection: [5, "enum", "repeated"],
  },
  SdkStreamDescriptor: {
    stream_id: [1, "uint32"],
    framerate: [2, "uint32"],
    max_bitrate_kbps: [3, "uint32"],
    track_label: [4, "string"],
    group_id: [6, "uint32"],
    avg_bitrate_bps: [7, "uint32"],
    attendee_id: [8, "string"],
    media_type: [9, "enum"],
    external_user_id: [10, "string"],
    width: [11, "uint32"],
    height: [12, "uint32"],
    display_label: [16, "string"],
  },
  SdkStreamAllocation: { track_label: [1, "string"], stream_id: [2, "uint32"], group_id: [3, "uint32"] },
  SdkTrackMapping: { stream_id: [1, "uint32"], ssrc: [2, "uint32"], track_label: [3, "string"] },
  SdkPauseResumeFrame: {
    stream_ids: [1, "uint32", "repeated"],
    group_ids: [2, "uint32", "repeated"],
  },
  SdkBitrateFrame: {
    bitrates: [1, "SdkBitrate", "repeated"],
    server_available_outgoing_bitrate: [2, "uint32"],
  },
  SdkBitrate: { source_stream_id: [1, "uint32"], avg_bitrate_bps: [2, "uint32"] },
  SdkRemoteVideoUpdateFrame: {
    added_or_updated_video_subscriptions: [1, "SdkVideoSubscriptionConfiguration", "repeated"],
    removed_video_subscription_mids: [2, "string", "repeated"],
  },
  SdkVideoSubscriptionConfiguration: {
    mid: [1, "string"],
    attendee_id: [2, "string"],
    stream_id: [3, "uint32"],
    priority: [4, "uint32"],
    target_bitrate_kbps: [5, "uint32"],
    group_id: [6, "uint32"],
    quality_adaptation_preference: [7, "enum"],
  },
  SdkAudioSubscriptionConfiguration: { mid: [1, "string"], audio_stream_id: [2, "uint32"] },
  SdkAudioControlFrame: { muted: [1, "bool"] },
  SdkAudioMetadataFrame: { attendee_states: [1, "SdkAudioAttendeeState", "repeated"] },
  SdkAudioAttendeeState: {
    audio_stream_id: [1, "uint32"],
    volume: [2, "uint32"],
    muted: [3, "bool"],
    signal_strength: [4, "uint32"],
  },
  SdkAudioStreamIdInfoFrame: { streams: [1, "SdkAudioStreamIdInfo", "repeated"] },
  SdkAudioStreamIdInfo: {
    audio_stream_id: [1, "uint32"],
    attendee_id: [2, "string"],
    muted: [3, "bool"],
    external_user_id: [4, "string"],
    dropped: [5, "bool"],
  },
  SdkAudioStatusFrame: { audio_status: [1, "uint32"] },
};

/** @type {Readonly<Record<string, Message>>} */
const words = {
  SdkDataMessageFrame: { messages: [1, "SdkDataMessagePayload", "repeated"] },
  SdkDataMessagePayload: {
    topic: [1, "string"],
    data: [2, "bytes"],
    lifetime_ms: [3, "uint32"],
    sender_attendee_id: [4, "string"],
    ingest_time_ns: [5, "int64"],
    sender_external_user_id: [6, "string"],
  },
  SdkTranscriptFrame: { events: [1, "SdkTranscriptEvent", "repeated"] },
  SdkTranscriptEvent: { status: [1, "SdkTranscriptionStatus"], transcript: [2, "SdkTranscript"] },
  SdkTranscriptionStatus: {
    type: [1, "enum"],
    event_time: [2, "int64"],
    transcription_region: [3, "string"],
    transcription_configuration: [4, "string"],
    message: [5, "string"],
  },
  SdkTranscript: { results: [1, "SdkTranscriptResult", "repeated"] },
  SdkTranscriptResult: {
    alternatives: [1, "SdkTranscriptAlternative", "repeated"],
    channel_id: [2, "string"],
    end_time: [3, "int64"],
    is_partial: [4, "bool"],
    result_id: [5, "string"],
    start_time: [6, "int64"],
    language_code: [7, "string"],
    language_identification: [8, "SdkTranscriptLanguageWithScore", "repeated"],
  },
  SdkTranscriptAlternative: {
    items: [1, "SdkTranscriptItem", "repeated"],
    transcript: [2, "string"],
    entities: [3, "SdkTranscriptEntity", "repeated"],
  },
  SdkTranscriptItem: {
    content: [1, "string"],
    end_time: [2, "int64"],
    speaker_attendee_id: [3, "string"],
    speaker_external_user_id: [4, "string"],
    start_time: [5, "int64"],
    type: [6, "enum"],
    vocabulary_filter_match: [7, "bool"],
    confidence: [8, "double"],
    stable: [9, "bool"],
  },
  SdkTranscriptEntity: {
    category: [1, "string"],
    confidence: [2, "double"],
    content: [3, "string"],
    end_time: [4, "int64"],
    start_time: [5, "int64"],
    type: [6, "string"],
  },
  SdkTranscriptLanguageWithScore: { language_code: [1, "string"], score: [2, "double"] },
};

/** @type {Readonly<Record<string, Message>>} */
const reports = {
  SdkMetric: { type: [1, "enum"], value: [2, "double"] },
  SdkStreamMetricFrame: {
    stream_id: [3, "uint32"],
    group_id: [4, "uint32"],
    metrics: [5, "SdkMetric", "repeated"],
    dimensions: [6, "SdkStreamDimension", "repeated"],
    media_type: [7, "enum"],
  },
  SdkClientMetricFrame: {
    global_metrics: [1, "SdkMetric", "repeated"],
    stream_metric_frames: [2, "SdkStreamMetricFrame", "repeated"],
  },
  SdkStreamDimension: { type: [1, "enum"], value: [2, "SdkDimensionValue"] },
  SdkDimensionValue: { string_value: [1, "string"], bool_value: [2, "bool"], uint_value: [3, "uint64"] },
  SdkMeetingSessionTimingFrame: {
    signaling: [1, "SdkMeetingSessionSignalingTiming", "repeated"],
    remote_audio: [2, "SdkMeetingSessionRemoteAudioTiming", "repeated"],
    local_audio: [3, "SdkMeetingSessionLocalAudioTiming", "repeated"],
    local_video: [4, "SdkMeetingSessionLocalVideoTiming", "repeated"],
    remote_videos: [5, "SdkMeetingSessionRemoteVideoTiming", "repeated"],
  },
  SdkMeetingSessionSignalingTiming: {
    start_ms: [1, "int64"],
    join_sent_ms: [2, "int64"],
    join_ack_received_ms: [3, "int64"],
    transport_connected_ms: [4, "int64"],
    create_offer_ms: [5, "int64"],
    set_local_description_ms: [6, "int64"],
    set_remote_description_ms: [7, "int64"],
    ice_gathering_start_ms: [8, "int64"],
    ice_gathering_complete_ms: [9, "int64"],
    ice_connected_ms: [10, "int64"],
    subscribe_sent_ms: [11, "int64"],
    subscribe_ack_ms: [12, "int64"],
    timed_out: [13, "bool"],
  },
  SdkMeetingSessionRemoteAudioTiming: {
    added_ms: [1, "int64"],
    first_packet_received_ms: [2, "int64"],
    first_frame_rendered_ms: [3, "int64"],
    timed_out: [4, "bool"],
    removed: [5, "bool"],
  },
  SdkMeetingSessionLocalAudioTiming: {
    added_ms: [1, "int64"],
    first_frame_captured_ms: [2, "int64"],
    first_packet_sent_ms: [3, "int64"],
    timed_out: [4, "bool"],
    removed: [5, "bool"],
  },
  SdkMeetingSessionLocalVideoTiming: {
    added_ms: [1, "int64"],
    first_frame_captured_ms: [2, "int64"],
    first_frame_sent_ms: [3, "int64"],
    timed_out: [4, "bool"],
    removed: [5, "bool"],
  },
  SdkMeetingSessionRemoteVideoTiming: {
    group_id: [1, "uint32"],
    added_ms: [2, "int64"],
    first_packet_received_ms: [3, "int64"],
    first_frame_rendered_ms: [4, "int64"],
    timed_out: [5, "bool"],
    removed: [6, "bool"],
  },
};

/** Every message by its name. */
export const schema = Object.freeze({ ...frames, ...joining, ...media, ...words, ...reports });
