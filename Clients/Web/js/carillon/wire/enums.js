/** The values of the schema's enumerations that this client reads or writes. */

/** `SdkSignalFrame.Type` */
export const FrameType = Object.freeze({
  JOIN: 1,
  JOIN_ACK: 2,
  SUBSCRIBE: 3,
  SUBSCRIBE_ACK: 4,
  INDEX: 5,
  PAUSE: 7,
  RESUME: 8,
  LEAVE: 9,
  LEAVE_ACK: 10,
  BITRATES: 13,
  AUDIO_CONTROL: 16,
  AUDIO_METADATA: 17,
  AUDIO_STREAM_ID_INFO: 18,
  PING_PONG: 19,
  AUDIO_STATUS: 20,
  CLIENT_METRIC: 21,
  DATA_MESSAGE: 22,
  AUDIO_TRANSCRIPT: 23,
  REMOTE_VIDEO_UPDATE: 24,
  PRIMARY_MEETING_JOIN: 25,
  PRIMARY_MEETING_JOIN_ACK: 26,
  PRIMARY_MEETING_LEAVE: 27,
  NOTIFICATION: 34,
  MEETING_SESSION_TIMING: 43,
});

/** `SdkPingPongType` */
export const PingPongType = Object.freeze({ PING: 1, PONG: 2 });

/** `SdkStreamServiceType` */
export const Duplex = Object.freeze({ RX: 1, TX: 2, DUPLEX: 3 });

/** `SdkStreamMediaType` */
export const MediaType = Object.freeze({ AUDIO: 1, VIDEO: 2 });

/** `SdkJoinFlags`. The server sends presence and levels to clients that set the first flag. */
export const JoinFlags = Object.freeze({ HAS_STREAM_UPDATE: 2, EXCLUDE_SELF_CONTENT_IN_INDEX: 32 });

/** `SdkServerSideNetworkAdaption` */
export const NetworkAdaption = Object.freeze({
  DEFAULT: 1,
  NONE: 2,
  BANDWIDTH_PROBING: 3,
  BANDWIDTH_PROBING_AND_VIDEO_QUALITY_ADAPTION: 4,
});
