/**
 * The state of a session, its inputs and its effects.
 *
 * @typedef {object} SessionOptions
 * @property {string} attendeeId the id of the local attendee
 * @property {string} externalUserId the application's id of this attendee
 * @property {string} audioHost a text that the session sends back to the server in SUBSCRIBE,
 *   unchanged; empty if there is no sound
 * @property {number} audioSessionId a random number, the same for all connections of the session
 * @property {Record<string, string>} clientDetails what the client reports to the server about
 *   itself
 * @property {"required" | "optional" | "none"} media whether a media path is `required` for the
 *   session to start, `optional`, or not used (`none`)
 * @property {boolean} isMuted whether the session starts muted
 *
 * @typedef {object} OutgoingMessage
 * @property {string} topic 1-36 letters, digits, `-` and `_`
 * @property {Uint8Array} data at most 2048 bytes
 * @property {number} lifetimeMs how long the meeting keeps the message for attendees who join later
 *
 * @typedef {object} PrimaryCredentials
 * @property {string} attendeeId
 * @property {string} externalUserId
 * @property {string} joinToken
 *
 * @typedef {"idle" | "connecting" | "connected" | "waiting" | "leaving" | "stopped"} Phase
 * @typedef {"opening" | "joining" | "indexing" | "offering" | "subscribing" | "establishing" | "ready"} Step
 * @typedef {"none" | "connecting" | "connected" | "unavailable"} MediaState
 *
 * @typedef {object} Connection
 * @property {number} number the connection's number in the session; the session ignores inputs of
 *   an earlier connection
 * @property {Step} step the current step of the connection's setup
 * @property {number} deadline the time by which the connection must be ready
 * @property {number} openedAt the time when the socket opened; before that, the time when the
 *   attempt began
 * @property {import("../wire/codec.js").Decoded | null} turn the relays from JOIN_ACK
 * @property {number} pingId the id of the last ping; 0 before the first ping
 * @property {number} nextPingAt the time of the next ping
 * @property {boolean} isPingOutstanding whether the last ping has no answer yet
 * @property {number} missedPongs the number of consecutive unanswered pings
 * @property {number | null} probeDeadline the time by which a frame must arrive after a probe;
 *   `null` if no probe is pending
 * @property {number} emptySeconds the number of consecutive seconds without received media
 * @property {MediaState} media the state of the media path
 * @property {boolean} hasRoster whether the first presence frame arrived. This frame contains the
 *   whole roster
 * @property {number} videoLimit the largest number of videos that the server forwards
 * @property {Negotiation} negotiation the negotiation of the video
 *
 * @typedef {object} Negotiation
 * @property {"idle" | "offering" | "subscribing" | "answering" | "refused"} step
 * @property {number} deadline the time by which the server must answer the current offer
 * @property {import("../video/video-plan.js").VideoPlan} asked the plan of the last offer
 * @property {ReadonlyMap<number, string>} mids the sections of the last offer, by group
 * @property {ReadonlyMap<number, number>} answered the streams of the last answer, by group
 * @property {ReadonlyMap<number, number>} streams the streams that the session receives, by group
 * @property {ReadonlySet<number>} paused groups that the server paused
 * @property {boolean} isCameraEnded whether the server has ended the camera of the last offer. To send
 *   a camera again, the session then needs another offer
 *
 * @typedef {object} Reception a video that the session receives
 * @property {number} groupId
 * @property {string} attendeeId
 * @property {boolean} isPaused whether the server paused the video because bandwidth is short
 * @property {boolean} isPausedByUser whether the user paused the video, on this connection or on an
 *   earlier connection
 *
 * @typedef {object} VideoState
 * @property {boolean} isSending whether the application wants to send the camera
 * @property {boolean} canSend whether the meeting accepts another camera, according to the server's
 *   last report
 * @property {boolean} isReceiving whether the application wants to receive videos
 * @property {ReadonlyMap<string, import("../video/video-plan.js").VideoDemand> | null} demands by
 *   attendee id; `null` for all sources
 * @property {readonly import("../video/video-plan.js").VideoSource[]} sources the sources in the
 *   last INDEX
 * @property {ReadonlySet<string>} pausedByUser the attendees whose videos the user paused. A pause
 *   ends when the video is no longer available
 * @property {ReadonlySet<number>} pausedStreams streams that their publishers paused, according to
 *   the last INDEX
 * @property {number} downlink the server's estimate of the bandwidth to this client in the last
 *   BITRATES, in bit/s; 0 without an estimate
 * @property {readonly Reception[]} receptions the receptions as the session last reported them to
 *   the application
 * @property {boolean} areReceptionsKept whether `receptions` still contains the videos of an
 *   earlier connection. These videos remain until the next connection has negotiated its own
 *   videos, or until the held sound ends
 *
 * @typedef {object} Outage
 * @property {number} firstAttemptAt the time when the outage began, at the first failure
 * @property {number} failures the number of failed attempts
 * @property {number} retryAt the time when the next attempt starts
 *
 * @typedef {object} Promotion
 * @property {"requested" | "promoted"} stage
 * @property {number} deadline the time by which the server must answer
 *
 * @typedef {object} SessionState
 * @property {SessionOptions} options
 * @property {Phase} phase
 * @property {Connection | null} connection
 * @property {Outage | null} outage
 * @property {boolean} hasStarted whether the session has been connected since its start
 * @property {number} connections the number of connections that the session has opened
 * @property {number | null} held the number of the earlier connection whose peer connection still
 *   brings sound while the session reconnects; `null` if there is none
 * @property {number} lastActive the last time when the session knew that its connection worked
 * @property {number} wokeAt the last time when the session continued after the browser had stopped the
 *   page
 * @property {boolean} isMuted whether the client muted the microphone
 * @property {number} muteSettlesAt the time until which the server's mute state may be stale
 * @property {boolean} isMutedByOther whether someone else muted the microphone
 * @property {OutgoingMessage[]} outbox messages that wait for a connection
 * @property {import("../meeting/roster.js").Roster} roster
 * @property {VideoState} video
 * @property {import("../meeting/seen.js").Seen} seen the messages already received
 * @property {ReadonlyMap<string, string>} positions the last position in each stream, unchanged
 *   from the server. At a reconnection, the session sends the positions, and the server sends the
 *   missed events again
 * @property {Promotion | null} promotion
 * @property {import("./status.js").MeetingSessionStatus | null} leavingWith the reason for leaving
 * @property {number} leaveDeadline the time when the session stops without waiting longer for the
 *   answer to LEAVE
 * @property {number} clockSkewMs the time by which the server's clock is ahead of the local clock
 *
 * @typedef {{ type: "start" }
 *   | { type: "stop" }
 *   | { type: "tick" }
 *   | { type: "socketOpened", connection: number }
 *   | { type: "socketClosed", connection: number, code: number }
 *   | { type: "frame", connection: number, frame: import("../wire/frame.js").Frame, wallMs: number }
 *   | { type: "offer", connection: number, sdp: string, mids?: ReadonlyMap<number, string>,
 *       layers?: readonly import("../video/send-layers.js").SendLayer[] }
 *   | { type: "layersChanged", connection: number }
 *   | { type: "answered", connection: number }
 *   | { type: "declined", connection: number }
 *   | { type: "peerConnected", connection: number }
 *   | { type: "peerFailed", connection: number }
 *   | { type: "mediaSecond", connection: number, broughtSomething: boolean }
 *   | { type: "networkChanged" }
 *   | { type: "mute", isMuted: boolean }
 *   | { type: "send", message: OutgoingMessage }
 *   | { type: "sendVideo", isSending: boolean }
 *   | { type: "receiveVideo", isReceiving: boolean }
 *   | { type: "subscribeVideo", addedOrUpdated: ReadonlyMap<string, import("../video/video-plan.js").VideoDemand>,
 *       removed: readonly string[] }
 *   | { type: "pauseVideo", groupId: number, isPaused: boolean }
 *   | { type: "promote", credentials: PrimaryCredentials }
 *   | { type: "demote" }} Input
 *
 * @typedef {{ type: "openSocket", connection: number }
 *   | { type: "closeSocket" }
 *   | { type: "send", frame: import("../wire/codec.js").Decoded & { type: number } }
 *   | { type: "openPeer", connection: number, turn: import("../wire/codec.js").Decoded | null }
 *   | { type: "answer", connection: number, sdp: string }
 *   | { type: "negotiate", connection: number, plan: import("../video/video-plan.js").VideoPlan }
 *   | { type: "rollback" }
 *   | { type: "closePeer" }
 *   | { type: "holdPeer" }
 *   | { type: "releasePeer" }
 *   | Notice} Effect
 *
 * @typedef {{ type: "connecting", isReconnecting: boolean }
 *   | { type: "started", isReconnecting: boolean }
 *   | { type: "dropped", status: import("./status.js").MeetingSessionStatus }
 *   | { type: "waiting", untilMs: number }
 *   | { type: "soundLost" }
 *   | { type: "reconnectCancelled" }
 *   | { type: "stopped", status: import("./status.js").MeetingSessionStatus }
 *   | { type: "mediaChanged", media: MediaState }
 *   | { type: "localMuteChanged" }
 *   | { type: "roster", changes: import("../meeting/roster.js").RosterChanges }
 *   | { type: "message", message: import("../meeting/data-message.js").DataMessage }
 *   | { type: "transcript", event: import("../meeting/transcript.js").TranscriptEvent }
 *   | { type: "index", index: import("../wire/codec.js").Decoded }
 *   | { type: "videoSources", available: string[], unavailable: string[] }
 *   | { type: "cameraAvailability", isAvailable: boolean }
 *   | { type: "localVideo", isSending: boolean }
 *   | { type: "localVideoAccepted" }
 *   | { type: "receptions", receptions: Reception[] }
 *   | { type: "promoted", status: import("./status.js").MeetingSessionStatus }
 *   | { type: "demoted", status: import("./status.js").MeetingSessionStatus }
 *   | { type: "log", level: "debug" | "info" | "warn", message: string }} Notice
 *
 * @typedef {object} Moment
 * @property {number} now the time of a monotonic clock, in milliseconds
 * @property {number} random a number from 0 up to, but not including, 1
 *
 * @typedef {[SessionState, Effect[]]} Result
 */
import { emptyRoster } from "../meeting/roster.js";
import { noneSeen } from "../meeting/seen.js";
import { noVideo } from "../video/video-plan.js";

/** The times and limits of a session. Times whose names end in `Ms` are in milliseconds. */
export const limits = Object.freeze({
  /**
   * The timeout for the setup of a connection, for a later offer, for LEAVE and for a promotion
   * request.
   */
  connectMs: 15_000,
  /** The time after which a session stops its attempts to reconnect. */
  reconnectMs: 120_000,
  pingMs: 10_000,
  /** The number of consecutive missed pongs at which the session regards the connection as lost. */
  missedPongs: 4,
  /**
   * The time after the opening of a connection during which missed pongs and missing media do not
   * end the connection.
   */
  settlingMs: 10_000,
  /** The time within which a frame must arrive after a probe. */
  probeMs: 5_000,
  /**
   * If an input is this late, the browser had stopped the page. The gateway ends a connection that
   * is silent for 12 s.
   */
  asleepMs: 10_000,
  /** The time within which a frame must arrive after the browser has stopped the page. */
  wakeProbeMs: 1_000,
  /**
   * After each period of this many consecutive seconds without media, the session sends a probe.
   */
  doubtSeconds: 3,
  /**
   * The number of consecutive seconds without media at which the session regards the connection as
   * lost.
   */
  emptySeconds: 25,
  /** How long the server's mute state may be stale after the client's own change. */
  muteSettlesMs: 2_000,
  /** If media is optional, how long the session waits for ICE. */
  optionalMediaMs: 6_000,
  /** The largest number of messages that wait for a connection. */
  outbox: 64,
  /**
   * The largest number of streams whose positions the session stores. The server has two streams.
   */
  positions: 16,
});

/** @type {VideoState} */
export const noVideoState = Object.freeze({
  isSending: false,
  canSend: true,
  isReceiving: false,
  demands: null,
  sources: [],
  pausedByUser: new Set(),
  pausedStreams: new Set(),
  downlink: 0,
  receptions: [],
  areReceptionsKept: false,
});

/** @type {Negotiation} */
export const noNegotiation = Object.freeze({
  step: "idle",
  deadline: Infinity,
  asked: noVideo,
  mids: new Map(),
  answered: new Map(),
  streams: new Map(),
  paused: new Set(),
  isCameraEnded: false,
});

/**
 * Returns the state of a session before its start.
 * @param {SessionOptions} options
 * @returns {SessionState}
 */
export function initialState(options) {
  return {
    options,
    phase: "idle",
    connection: null,
    outage: null,
    hasStarted: false,
    connections: 0,
    held: null,
    lastActive: 0,
    wokeAt: -Infinity,
    isMuted: options.isMuted,
    muteSettlesAt: 0,
    isMutedByOther: false,
    outbox: [],
    roster: emptyRoster,
    video: noVideoState,
    seen: noneSeen,
    positions: new Map(),
    promotion: null,
    leavingWith: null,
    leaveDeadline: 0,
    clockSkewMs: 0,
  };
}
