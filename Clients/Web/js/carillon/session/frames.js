/** The frames that this client sends, all but their time. */
import { Duplex, FrameType, JoinFlags, MediaType, NetworkAdaption, PingPongType } from "../wire/enums.js";

/** @param {number} pingId which ping it is */
export const ping = (pingId) => ({
  type: FrameType.PING_PONG,
  ping_pong: { type: PingPongType.PING, ping_id: pingId },
});

/** @param {number} pingId of the ping that it answers */
export const pong = (pingId) => ({
  type: FrameType.PING_PONG,
  ping_pong: { type: PingPongType.PONG, ping_id: pingId },
});

/**
 * @param {import("./state.js").SessionOptions} options of the session
 * @param {ReadonlyMap<string, string>} positions how far it has come, if it was connected before
 */
export const join = (options, positions) => ({
  type: FrameType.JOIN,
  join: {
    protocol_version: 2,
    flags: JoinFlags.HAS_STREAM_UPDATE,
    client_details: { ...options.clientDetails, client_source: "carillon-web" },
    audio_session_id: options.audioSessionId,
    wants_compressed_sdp: false,
    server_side_network_adaption: NetworkAdaption.DEFAULT,
    positions: [...positions].map(([stream, place]) => ({ stream, place })),
    ...(options.media === "none" && { wants_no_media: true }),
  },
});

/**
 * The subscription of somebody who sends no video and receives none.
 * @param {import("./state.js").SessionOptions} options of the session
 * @param {string} sdpOffer what the peer connection offers
 * @param {boolean} isMuted whether the microphone is closed
 */
export function subscribe(options, sdpOffer, isMuted) {
  const videoLines = sdpOffer.match(/^m=video /gm) ?? [];
  const audio = {
    stream_id: 1,
    framerate: 15,
    max_bitrate_kbps: 600,
    track_label: "AmazonChimeExpressAudio",
    group_id: 1,
    avg_bitrate_bps: 400_000,
    attendee_id: options.attendeeId,
    media_type: MediaType.AUDIO,
  };
  return {
    type: FrameType.SUBSCRIBE,
    sub: {
      duplex: Duplex.RX,
      receive_stream_ids: videoLines.map(() => 0),
      sdp_offer: sdpOffer,
      ...(options.audioHost && {
        send_streams: [audio],
        audio_host: options.audioHost,
        audio_checkin: false,
        audio_muted: isMuted,
      }),
    },
  };
}

/** @param {boolean} isMuted whether the microphone is closed */
export const audioControl = (isMuted) => ({
  type: FrameType.AUDIO_CONTROL,
  audio_control: { muted: isMuted },
});

/** @param {import("./state.js").OutgoingMessage} message what is sent to all others */
export const dataMessage = ({ topic, data, lifetimeMs }) => ({
  type: FrameType.DATA_MESSAGE,
  data_message: { messages: [{ topic, data, ...(lifetimeMs > 0 && { lifetime_ms: lifetimeMs }) }] },
});

/** @param {import("./state.js").PrimaryCredentials} credentials of the primary meeting */
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

/** Who was promoted goes back. */
export const primaryMeetingLeave = () => ({
  type: FrameType.PRIMARY_MEETING_LEAVE,
  primary_meeting_leave: {},
});

/** The session ends here. */
export const leave = () => ({ type: FrameType.LEAVE, leave: {} });
