/**
 * The video of a session. From the application's demands and the meeting's sources, the session
 * makes a plan, and from the plan, it makes offers. Only one offer is pending at a time. If the
 * plan changes meanwhile, the next offer contains the changes.
 */
import { chooseVideos, changedVideos, needSameOffer, noVideo, sourcesOfIndex } from "../video/video-plan.js";
import * as frames from "./frames.js";
import { fail } from "./ending.js";
import { limits } from "./state.js";
import { StatusCode } from "./status.js";

/**
 * @typedef {import("./state.js").SessionState} SessionState
 * @typedef {import("./state.js").Connection} Connection
 * @typedef {import("./state.js").Negotiation} Negotiation
 * @typedef {import("./state.js").VideoState} VideoState
 * @typedef {import("./state.js").Effect} Effect
 * @typedef {import("./state.js").Moment} Moment
 * @typedef {import("./state.js").Result} Result
 * @typedef {import("../wire/frame.js").Frame} Frame
 */

/**
 * @param {SessionState} state
 * @param {Partial<VideoState>} change
 * @returns {SessionState}
 */
const withVideo = (state, change) => ({ ...state, video: { ...state.video, ...change } });

/**
 * @param {SessionState} state
 * @param {Connection} connection
 * @param {Partial<Negotiation>} change
 * @returns {SessionState}
 */
const withNegotiation = (state, connection, change) => ({
  ...state,
  connection: { ...connection, negotiation: { ...connection.negotiation, ...change } },
});

/** @type {Effect[]} */
const cameraIsRefused = [
  { type: "localVideo", isSending: false },
  { type: "cameraAvailability", isAvailable: false },
];

/** @type {Effect} */
const cameraIsAccepted = { type: "localVideoAccepted" };

/** @param {SessionState} state */
const isInMeeting = ({ phase }) => phase === "connecting" || phase === "connected" || phase === "waiting";

/**
 * Starts or stops sending the camera's video.
 * @param {SessionState} state
 * @param {boolean} isSending
 * @returns {Result}
 */
export function sendVideo(state, isSending) {
  if (!isInMeeting(state) || isSending === state.video.isSending) return [state, []];
  // This connection has no video, so no attendee would see the camera.
  if (isSending && state.connection?.negotiation.step === "refused") return [state, cameraIsRefused];
  return [withVideo(state, { isSending }), [{ type: "localVideo", isSending }]];
}

/**
 * Starts or stops receiving videos.
 * @param {SessionState} state
 * @param {boolean} isReceiving
 * @returns {Result}
 */
export function receiveVideo(state, isReceiving) {
  return isInMeeting(state) ? [withVideo(state, { isReceiving }), []] : [state, []];
}

/**
 * Sets how the session receives some videos, and ends the subscriptions to other videos. The first
 * call ends the subscription to all videos.
 * @param {SessionState} state
 * @param {ReadonlyMap<string, import("../video/video-plan.js").VideoDemand>} addedOrUpdated
 * @param {readonly string[]} removed
 * @returns {Result}
 */
export function subscribeVideo(state, addedOrUpdated, removed) {
  if (!isInMeeting(state)) return [state, []];
  const demands = new Map([...(state.video.demands ?? []), ...addedOrUpdated]);
  for (const attendeeId of removed) demands.delete(attendeeId);
  return [withVideo(state, { demands }), []];
}

/**
 * Pauses or resumes a video for the user. The session sends PAUSE now, and again on each later
 * connection.
 * @param {SessionState} state
 * @param {number} groupId
 * @param {boolean} isPaused
 * @returns {Result}
 */
export function pauseVideo(state, groupId, isPaused) {
  const source = state.video.sources.find((each) => each.groupId === groupId);
  const streamId = state.connection?.negotiation.streams.get(groupId);
  if (!source || streamId === undefined) return [state, []];
  const pausedByUser = new Set(state.video.pausedByUser);
  if (isPaused) pausedByUser.add(source.attendeeId);
  else pausedByUser.delete(source.attendeeId);
  return [withVideo(state, { pausedByUser }), [pauseEffect(streamId, isPaused)]];
}

/**
 * @param {number} streamId
 * @param {boolean} isPaused
 * @returns {Effect}
 */
const pauseEffect = (streamId, isPaused) => ({ type: "send", frame: frames.pause(streamId, isPaused) });

/**
 * Returns PAUSE frames for videos that the user paused before this connection received them.
 * @param {VideoState} video
 * @param {Negotiation} negotiation a negotiation whose `answered` contains the streams that now
 *   start
 * @returns {Effect[]}
 */
function pausesOf({ sources, pausedByUser }, { answered, streams }) {
  const begun = sources.filter(({ groupId, attendeeId }) => pausedByUser.has(attendeeId) && !streams.has(groupId));
  return begun.flatMap(({ groupId }) => {
    const streamId = answered.get(groupId);
    return streamId ? [pauseEffect(streamId, true)] : [];
  });
}

/**
 * Handles the video sources of INDEX.
 * @param {SessionState} state
 * @param {import("../wire/codec.js").Decoded} index
 * @returns {Result}
 */
export function videoIndexed(state, index) {
  const sources = sourcesOfIndex(index, state.options.attendeeId);
  const known = new Set(state.video.sources.map(({ attendeeId }) => attendeeId));
  const here = new Set(sources.map(({ attendeeId }) => attendeeId));
  const available = [...here].filter((id) => !known.has(id));
  const unavailable = [...known].filter((id) => !here.has(id));
  const demands = state.video.demands && new Map([...state.video.demands].filter(([id]) => !unavailable.includes(id)));
  const pausedByUser = new Set([...state.video.pausedByUser].filter((id) => here.has(id)));
  const canSend = !(index["at_capacity"] ?? false);
  /** @type {Effect[]} */
  const effects = [];
  if (available.length || unavailable.length) effects.push({ type: "videoSources", available, unavailable });
  if (canSend !== state.video.canSend) effects.push({ type: "cameraAvailability", isAvailable: canSend });
  const pausedStreams = new Set(/** @type {number[]} */ (index["paused_at_source_ids"] ?? []));
  return [withVideo(state, { sources, demands, canSend, pausedByUser, pausedStreams }), effects];
}

/**
 * Handles PAUSE or RESUME: the server lacks bandwidth for some videos, or has enough bandwidth for
 * these videos again.
 * @param {SessionState} state
 * @param {readonly number[]} groupIds
 * @param {boolean} isPaused
 * @returns {Result}
 */
export function videoPaused(state, groupIds, isPaused) {
  const { connection } = state;
  if (!connection) return [state, []];
  const paused = new Set(connection.negotiation.paused);
  for (const groupId of groupIds) {
    if (isPaused) paused.add(groupId);
    else paused.delete(groupId);
  }
  return [withNegotiation(state, connection, { paused }), []];
}

/**
 * Handles BITRATES: the server's estimate of the bandwidth to this client.
 * @param {SessionState} state
 * @param {number} kbps the estimate, in kbit/s; 0 without an estimate
 * @returns {Result}
 */
export function linkMeasured(state, kbps) {
  return kbps > 0 ? [withVideo(state, { downlink: kbps * 1_000 }), []] : [state, []];
}

/**
 * Handles an offer that the peer connection made for a plan.
 * @param {SessionState} state
 * @param {Connection} connection
 * @param {string} sdp
 * @param {ReadonlyMap<number, string>} mids the mids of the videos' sections, by group
 * @param {readonly import("../video/send-layers.js").SendLayer[]} layers the layers of the camera
 * @returns {Result}
 */
export function videoOffered(state, connection, sdp, mids, layers) {
  const { step, asked } = connection.negotiation;
  if (step !== "offering") return [state, []];
  return [
    withNegotiation(state, connection, { step: "subscribing", mids }),
    [{ type: "send", frame: frames.subscribe(state.options, sdp, state.isMuted, asked, mids, layers) }],
  ];
}

/**
 * Handles changed camera layers: the next offer will contain the changed layers.
 * @param {SessionState} state
 * @returns {Result}
 */
export function layersChanged(state) {
  const { connection } = state;
  const { asked, step } = connection?.negotiation ?? {};
  // An offer in preparation already contains the changed layers.
  if (!connection || !asked?.isSending || step === "offering") return [state, []];
  return [withNegotiation(state, connection, { asked: { ...asked, isSending: false } }), []];
}

/**
 * Handles SUBSCRIBE_ACK of any offer except the first. If the frame contains no answer, sound
 * continues unchanged.
 * @param {SessionState} state
 * @param {Connection} connection
 * @param {Frame} frame
 * @returns {Result}
 */
export function videoSubscribed(state, connection, frame) {
  const { step, mids, isCameraEnded } = connection.negotiation;
  if (step !== "subscribing") return [state, []];
  const sdp = frame["suback"]?.sdp_answer;
  if (!sdp) return videoRefused(state);
  const labels = new Map(
    /** @type {import("../wire/codec.js").Decoded[]} */ (frame["suback"].tracks ?? []).map((track) => [
      track["track_label"],
      Number(track["stream_id"] ?? 0),
    ]),
  );
  /** @type {Map<number, number>} */
  const answered = new Map();
  for (const [groupId, mid] of mids) {
    const streamId = labels.get(`v_${mid}`);
    if (streamId) answered.set(groupId, streamId);
  }
  const isCameraRefused = (frame["error"]?.status ?? 0) !== 0;
  const [next, effects] = isCameraRefused ? refuseCamera(state) : [state, []];
  return [
    withNegotiation(next, connection, {
      step: "answering",
      answered,
      isCameraEnded: isCameraEnded || isCameraRefused,
    }),
    [{ type: "answer", connection: connection.number, sdp }, ...effects],
  ];
}

/**
 * Handles an answer that the peer connection applied: the tracks in the answer are live.
 * @param {SessionState} state
 * @returns {Result}
 */
export function videoAnswered(state) {
  const { connection } = state;
  if (connection?.negotiation.step !== "answering") return [state, []];
  const { answered, asked } = connection.negotiation;
  const next = withNegotiation(state, connection, { step: "idle", streams: answered, deadline: Infinity });
  const pauses = pausesOf(state.video, connection.negotiation);
  return [next, [...pauses, ...(asked.isSending && state.video.isSending ? [cameraIsAccepted] : [])]];
}

/**
 * Handles an offer that the server or the browser rejected. The connection then carries no video.
 * @param {SessionState} state
 * @returns {Result}
 */
export function videoRefused(state) {
  const { connection } = state;
  const step = connection?.negotiation.step;
  if (!connection || step === "idle" || step === "refused") return [state, []];
  const [next, effects] = refuseCamera(state);
  return [
    withNegotiation(next, connection, { step: "refused", streams: new Map(), deadline: Infinity }),
    [{ type: "rollback" }, { type: "log", level: "warn", message: "Video was refused." }, ...effects],
  ];
}

/**
 * Handles a camera that the server rejected or ended, or that ended together with a promotion.
 * @param {SessionState} state
 * @returns {Result}
 */
export function refuseCamera(state) {
  if (!state.video.isSending) return [state, []];
  const refused = withVideo(state, { isSending: false, canSend: false });
  const { connection } = refused;
  if (!connection?.negotiation.asked.isSending) return [refused, cameraIsRefused];
  return [withNegotiation(refused, connection, { isCameraEnded: true }), cameraIsRefused];
}

/**
 * Ends the connection if the server has not answered an offer in time.
 * @param {SessionState} state
 * @param {Moment} moment
 * @returns {Result | null} `null` while no answer is overdue
 */
export function videoTimedOut(state, moment) {
  const late = state.phase === "connected" && (state.connection?.negotiation.deadline ?? Infinity) <= moment.now;
  return late ? fail(state, StatusCode.TaskFailed, moment) : null;
}

/**
 * Updates video after any input: negotiates with the server, and reports changed receptions to the
 * application.
 * @param {SessionState} before
 * @param {Result} result
 * @param {Moment} moment
 * @returns {Result}
 */
export function followVideo(before, [state, effects], { now }) {
  if (state === before) return [state, effects];
  const [negotiated, negotiation] = negotiate(state, now);
  // The videos of an earlier connection remain until the new connection has negotiated its own
  // videos.
  const areNew = negotiated.video.areReceptionsKept && hasNegotiated(negotiated);
  const next = areNew ? withVideo(negotiated, { areReceptionsKept: false }) : negotiated;
  const receptions = receptionsOf(next);
  const haveNewTracks = areNew && receptions.length > 0;
  if (!haveNewTracks && areSame(receptions, next.video.receptions)) return [next, [...effects, ...negotiation]];
  // The application learns of removed tiles before it learns that the session or source of these
  // tiles ended.
  return [withVideo(next, { receptions }), [{ type: "receptions", receptions }, ...effects, ...negotiation]];
}

/**
 * Returns the current plan, or no video while media is not connected.
 * @param {SessionState} state
 * @returns {import("../video/video-plan.js").VideoPlan}
 */
function planOf({ phase, connection, video }) {
  if (phase !== "connected" || connection?.media !== "connected") return noVideo;
  const { isSending, isReceiving, sources, demands } = video;
  return { isSending, receives: isReceiving ? chooseVideos(sources, demands, connection.videoLimit) : [] };
}

/**
 * Makes an offer if the plan needs a new offer. Sends REMOTE_VIDEO_UPDATE if only demands changed.
 * @param {SessionState} state
 * @param {number} now
 * @returns {Result}
 */
function negotiate(state, now) {
  const { connection, phase } = state;
  if (phase !== "connected" || connection?.media !== "connected") return [state, []];
  const { step, asked, mids, paused, isCameraEnded } = connection.negotiation;
  if (step !== "idle") return [state, []];
  const plan = planOf(state);
  if (isCameraEnded || !needSameOffer(plan, asked)) {
    const wanted = new Set(plan.receives.map(({ groupId }) => groupId));
    const stillPaused = new Set([...paused].filter((groupId) => wanted.has(groupId)));
    return [
      withNegotiation(state, connection, {
        step: "offering",
        asked: plan,
        paused: stillPaused,
        isCameraEnded: false,
        deadline: now + limits.connectMs,
      }),
      [{ type: "negotiate", connection: connection.number, plan }],
    ];
  }
  const changed = changedVideos(plan, asked);
  if (!changed.length) return [state, []];
  return [
    withNegotiation(state, connection, { asked: plan }),
    [{ type: "send", frame: frames.remoteVideoUpdate(changed, mids) }],
  ];
}

/**
 * Returns whether the connection is ready and no offer is pending.
 * @param {SessionState} state
 */
function hasNegotiated({ phase, connection }) {
  if (phase !== "connected" || !connection) return false;
  const { step } = connection.negotiation;
  return connection.media !== "connected" || step === "idle" || step === "refused";
}

/**
 * Returns the videos that the session receives and still wants.
 * @param {SessionState} state
 * @returns {import("./state.js").Reception[]}
 */
function receptionsOf(state) {
  const { connection, video } = state;
  if (video.areReceptionsKept && video.isReceiving) {
    const groups = new Set(video.sources.map(({ groupId }) => groupId));
    return video.receptions.filter(({ groupId }) => groups.has(groupId));
  }
  if (!connection || connection.negotiation.streams.size === 0) return [];
  const { streams, paused, asked } = connection.negotiation;
  const isAsked = new Set(asked.receives.map(({ groupId }) => groupId));
  return planOf(state).receives.flatMap(({ groupId, attendeeId, streamIds }) => {
    if (!streams.has(groupId) || !isAsked.has(groupId)) return [];
    const isPaused = paused.has(groupId) || streamIds.some((id) => video.pausedStreams.has(id));
    return [{ groupId, attendeeId, isPaused, isPausedByUser: video.pausedByUser.has(attendeeId) }];
  });
}

/**
 * @param {readonly import("./state.js").Reception[]} some
 * @param {readonly import("./state.js").Reception[]} others
 */
const areSame = (some, others) =>
  some.length === others.length &&
  some.every(({ groupId, isPaused }, at) => groupId === others[at]?.groupId && isPaused === others[at]?.isPaused);
