/**
 * What a session is at one moment, and what goes in and comes out of it.
 *
 * @typedef {object} SessionOptions
 * @property {string} attendeeId whose session it is
 * @property {string} externalUserId the name that the application gave this attendee
 * @property {string} audioHost opaque, told back to the server; empty where there is no sound
 * @property {number} audioSessionId a random number, the same for all connections of the session
 * @property {Record<string, string>} clientDetails what a server may know of this program
 * @property {"required" | "optional" | "none"} media whether a session starts without a path for
 *   media, or does not try to have one
 * @property {boolean} isMuted whether it begins with a closed microphone
 *
 * @typedef {object} OutgoingMessage
 * @property {string} topic 1-36 letters, digits, `-` and `_`
 * @property {Uint8Array} data at most 2048 bytes
 * @property {number} lifetimeMs how long the meeting keeps it for those who come later
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
 * @property {number} number counts the connections of a session; what came by an earlier one is ignored
 * @property {Step} step how far it is
 * @property {number} deadline when it must be ready
 * @property {number} openedAt when its socket was
 * @property {import("../wire/codec.js").Decoded | null} turn relays that JOIN_ACK named
 * @property {number} pingId of the ping that was sent last; 0 before the first
 * @property {number} nextPingAt when the next one is due
 * @property {boolean} isPingOutstanding whether its answer is missing
 * @property {number} missedPongs how many answers were missing in a row
 * @property {number | null} probeDeadline when anything must have come, after the network changed, or is in doubt
 * @property {number} emptySeconds how many seconds in a row media brought nothing, since it brought something
 * @property {MediaState} media whether media has a path
 * @property {boolean} hasRoster whether the first presence came, which is the whole roster
 * @property {number} videoLimit how many videos the server forwards at most
 * @property {Negotiation} negotiation what the peer connection carries of video
 *
 * @typedef {object} Negotiation
 * @property {"idle" | "offering" | "subscribing" | "answering" | "refused"} step
 * @property {number} deadline when an offer that is under way must be answered
 * @property {import("../video/video-plan.js").VideoPlan} asked what the last offer carries
 * @property {ReadonlyMap<number, string>} mids the sections of the last offer, by group
 * @property {ReadonlyMap<number, number>} answered the streams of the last answer, by group
 * @property {ReadonlyMap<number, number>} streams the streams that flow, by group
 * @property {ReadonlySet<number>} paused groups that the server paused
 *
 * @typedef {object} Reception a video that flows
 * @property {number} groupId
 * @property {string} attendeeId
 * @property {boolean} isPaused whether bandwidth is missing for it
 * @property {boolean} isPausedByUser whether its user paused it, perhaps before the session reconnected
 *
 * @typedef {object} VideoState
 * @property {boolean} isSending whether the camera is to send
 * @property {boolean} canSend whether the meeting has room for another camera, as far as we know
 * @property {boolean} isReceiving whether videos of others are to be received
 * @property {ReadonlyMap<string, import("../video/video-plan.js").VideoDemand> | null} demands by
 *   attendee id; `null` for all sources
 * @property {readonly import("../video/video-plan.js").VideoSource[]} sources of the last INDEX
 * @property {ReadonlySet<string>} pausedByUser the attendees whose videos the user paused. A pause lasts as
 *   long as the video is available
 * @property {ReadonlySet<number>} pausedStreams streams that do not reach the server
 * @property {readonly Reception[]} receptions what the application was told last
 *
 * @typedef {object} Outage
 * @property {number} firstAttemptAt when it began
 * @property {number} failures how many attempts failed
 * @property {number} retryAt when the next one begins
 *
 * @typedef {object} Promotion
 * @property {"requested" | "promoted"} stage
 * @property {number} deadline when the answer must be there
 *
 * @typedef {object} SessionState
 * @property {SessionOptions} options
 * @property {Phase} phase
 * @property {Connection | null} connection
 * @property {Outage | null} outage
 * @property {boolean} hasStarted whether it was ever connected
 * @property {number} connections how many were begun
 * @property {number} lastActive when a connection was last known to be healthy
 * @property {boolean} isMuted whether this side closed the microphone
 * @property {number} muteSettlesAt until when a server's word on it may be older than ours
 * @property {boolean} isMutedByOther whether somebody else closed it
 * @property {OutgoingMessage[]} outbox messages that wait for a connection
 * @property {import("../meeting/roster.js").Roster} roster
 * @property {VideoState} video
 * @property {import("../meeting/seen.js").Seen} seen which messages were received
 * @property {ReadonlyMap<string, string>} positions how far we have come in each stream, in the
 *   server's own words; who comes back says so, and is told what it missed
 * @property {Promotion | null} promotion
 * @property {import("./status.js").MeetingSessionStatus | null} leavingWith why it leaves
 * @property {number} leaveDeadline when it goes without an answer
 * @property {number} clockSkewMs how far the server's clock is ahead of ours
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
 *   | Notice} Effect
 *
 * @typedef {{ type: "connecting", isReconnecting: boolean }
 *   | { type: "started", isReconnecting: boolean }
 *   | { type: "dropped", status: import("./status.js").MeetingSessionStatus }
 *   | { type: "waiting", untilMs: number }
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
 * @property {number} now a clock that only goes forward, in milliseconds
 * @property {number} random a number from 0 to 1, without 1
 *
 * @typedef {[SessionState, Effect[]]} Result
 */
import { emptyRoster } from "../meeting/roster.js";
import { noneSeen } from "../meeting/seen.js";
import { noVideo } from "../video/video-plan.js";

/** The times and bounds of a session, in milliseconds unless they say otherwise. */
export const limits = Object.freeze({
  /** For a connection to become ready, for an answer to LEAVE, and for a promotion. */
  connectMs: 15_000,
  /** How long a session tries to come back before it gives up. */
  reconnectMs: 120_000,
  pingMs: 10_000,
  /** How many pongs may be missing in a row; one more and the connection is taken for lost. */
  missedPongs: 4,
  /** For how long health is not judged after a connection opened. */
  settlingMs: 10_000,
  /** How long something must come in after the network changed, or is in doubt. */
  probeMs: 5_000,
  /** A ping goes out each time that media brought nothing for so many seconds in a row. */
  doubtSeconds: 3,
  /** How many seconds in a row media may bring nothing. */
  emptySeconds: 25,
  /** How long the server's word on our microphone may be older than ours. */
  muteSettlesMs: 2_000,
  /** How long a session without media waits for ICE where media is optional. */
  optionalMediaMs: 6_000,
  /** How many messages wait for a connection. */
  outbox: 64,
  /** How many streams' positions are remembered; there are two. */
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
  receptions: [],
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
});

/**
 * A session before its start.
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
    lastActive: 0,
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
