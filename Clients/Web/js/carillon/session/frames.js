/** The frames that this client sends, without their timestamps. */
import { Duplex, FrameType, JoinFlags, MediaType, NetworkAdaption, PingPongType } from "../wire/enums.js";
import { MOST_VIDEOS, noVideo } from "../video/video-plan.js";

/** @param {number} pingId the number of the ping */
export const ping = (pingId) => ({
  type: FrameType.PING_PONG,
  ping_pong: { type: PingPongType.PING, ping_id: pingId },
});

/** @param {number} pingId the number of the ping that the pong answers */
export const pong = (pingId) => ({
  type: FrameType.PING_PONG,
  ping_pong: { type: PingPongType.PONG, ping_id: pingId },
});

/**
 * @param {import("./state.js").SessionOptions} options the options of the session
 * @param {ReadonlyMap<string, string>} positions the last position in each stream, for a
 *   reconnection
 */
export const join = (options, positions) => ({
  type: FrameType.JOIN,
  join: {
    protocol_version: 2,
    max_num_of_videos: MOST_VIDEOS,
    flags: JoinFlags.HAS_STREAM_UPDATE | JoinFlags.EXCLUDE_SELF_CONTENT_IN_INDEX,
    client_details: { ...options.clientDetails, client_source: "carillon-web" },
    audio_session_id: options.audioSessionId,
    wants_compressed_sdp: false,
    server_side_network_adaption: NetworkAdaption.BANDWIDTH_PROBING_AND_VIDEO_QUALITY_ADAPTION,
    supported_server_side_network_adaptions: [NetworkAdaption.BANDWIDTH_PROBING_AND_VIDEO_QUALITY_ADAPTION],
    positions: [...positions].map(([stream, place]) => ({ stream, place })),
    ...(options.media === "none" && { wants_no_media: true }),
  },
});

/**
 * Returns SUBSCRIBE: what the session sends and receives.
 * @param {import("./state.js").SessionOptions} options the options of the session
 * @param {string} sdpOffer the offer of the peer connection
 * @param {boolean} isMuted whether the microphone is muted
 * @param {import("../video/video-plan.js").VideoPlan} [plan] the plan of the video
 * @param {ReadonlyMap<number, string>} [mids] the mids of the sections that receive the plan's
 *   videos, by group
 * @param {readonly import("../video/send-layers.js").SendLayer[]} [layers] the layers of the camera
 */
export function subscribe(options, sdpOffer, isMuted, plan = noVideo, mids = new Map(), layers = []) {
  const streams = [
    ...(options.audioHost ? [audioStream(options.attendeeId)] : []),
    ...(plan.isSending ? layers.map((layer) => cameraStream(options.attendeeId, layer)) : []),
  ];
  const configurations = plan.receives.map((video) => configuration(video, mids));
  return {
    type: FrameType.SUBSCRIBE,
    sub: {
      duplex: plan.isSending ? Duplex.DUPLEX : Duplex.RX,
      receive_stream_ids: receivedStreams(sdpOffer, plan, mids),
      sdp_offer: sdpOffer,
      ...(streams.length && { send_streams: streams }),
      ...(configurations.length && { video_subscription_configuration: configurations }),
      ...(options.audioHost && {
        audio_host: options.audioHost,
        audio_checkin: false,
        audio_muted: isMuted,
      }),
    },
  };
}

/** @param {string} attendeeId */
const audioStream = (attendeeId) => ({
  stream_id: 1,
  framerate: 15,
  max_bitrate_kbps: 600,
  track_label: "AmazonChimeExpressAudio",
  group_id: 1,
  avg_bitrate_bps: 400_000,
  attendee_id: attendeeId,
  media_type: MediaType.AUDIO,
});

/**
 * Returns the camera's stream. The ids identify the stream only between this client and the server.
 * The server assigns other ids for other clients.
 * @param {string} attendeeId
 * @param {import("../video/send-layers.js").SendLayer} layer
 */
const cameraStream = (attendeeId, { maxBitrateKbps }) => ({
  stream_id: 2,
  framerate: 30,
  max_bitrate_kbps: maxBitrateKbps,
  track_label: "AmazonChimeExpressVideo",
  group_id: 2,
  attendee_id: attendeeId,
  media_type: MediaType.VIDEO,
});

/**
 * Returns one number for each video section of an offer: the stream that the section receives, or
 * 0.
 * @param {string} sdp
 * @param {import("../video/video-plan.js").VideoPlan} plan
 * @param {ReadonlyMap<number, string>} mids
 * @returns {number[]}
 */
function receivedStreams(sdp, plan, mids) {
  const streams = new Map(plan.receives.map(({ groupId, streamId }) => [mids.get(groupId), streamId]));
  const sections = sdp.split(/^m=/m).filter((section) => section.startsWith("video "));
  return sections.map((section) => {
    // A new section that shares another section's transport may have port 0, too (RFC 8843,
    // section 6). Firefox offers new sections in this way.
    const isStopped = section.startsWith("video 0 ") && !/^a=bundle-only/m.test(section);
    const mid = /^a=mid:(\S+)/m.exec(section)?.[1];
    return (!isStopped && mid && streams.get(mid)) || 0;
  });
}

/**
 * @param {import("../video/video-plan.js").PlannedVideo} video
 * @param {ReadonlyMap<number, string>} mids
 */
const configuration = (video, mids) => ({
  mid: mids.get(video.groupId) ?? "",
  attendee_id: video.attendeeId,
  group_id: video.groupId,
  priority: video.priority,
  target_bitrate_kbps: video.targetBitrateKbps,
  quality_adaptation_preference: video.qualityAdaptationPreference,
});

/**
 * Returns REMOTE_VIDEO_UPDATE for videos whose demands changed. The videos keep their sections.
 * @param {readonly import("../video/video-plan.js").PlannedVideo[]} videos
 * @param {ReadonlyMap<number, string>} mids
 */
export const remoteVideoUpdate = (videos, mids) => ({
  type: FrameType.REMOTE_VIDEO_UPDATE,
  remote_video_update: {
    added_or_updated_video_subscriptions: videos.map((video) => configuration(video, mids)),
  },
});

/**
 * Returns PAUSE or RESUME for a video that the user paused or resumed.
 * @param {number} streamId
 * @param {boolean} isPaused
 */
export const pause = (streamId, isPaused) => ({
  type: isPaused ? FrameType.PAUSE : FrameType.RESUME,
  pause: { stream_ids: [streamId] },
});

/** @param {boolean} isMuted whether the microphone is muted */
export const audioControl = (isMuted) => ({
  type: FrameType.AUDIO_CONTROL,
  audio_control: { muted: isMuted },
});

/** @param {import("./state.js").OutgoingMessage} message a message for all other attendees */
export const dataMessage = ({ topic, data, lifetimeMs }) => ({
  type: FrameType.DATA_MESSAGE,
  data_message: { messages: [{ topic, data, ...(lifetimeMs > 0 && { lifetime_ms: lifetimeMs }) }] },
});

/**
 * @param {import("./state.js").PrimaryCredentials} credentials the credentials for the primary
 *   meeting
 */
export const primaryMeetingJoin = ({ attendeeId, externalUserId, joinToken }) => ({
  type: FrameType.PRIMARY_MEETING_JOIN,
  primary_meeting_join: {
    credentials: {
      attendee_id: attendeeId,
      external_user_id: externalUserId,
      join_token: joinToken,
    },
  },
});

/** Ends a promotion. */
export const primaryMeetingLeave = () => ({
  type: FrameType.PRIMARY_MEETING_LEAVE,
  primary_meeting_leave: {},
});

/** Ends the session. */
export const leave = () => ({ type: FrameType.LEAVE, leave: {} });
