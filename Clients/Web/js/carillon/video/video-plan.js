/**
 * The video plan of a session: the videos that the session sends and receives. The plan follows
 * from INDEX and from the application's demands.
 *
 * @typedef {object} VideoSource a video of INDEX
 * @property {string} attendeeId
 * @property {number} groupId the id of the publication; a newer publication of an attendee has a
 *   larger number
 * @property {number} streamId the encoding with the highest bitrate
 * @property {readonly number[]} streamIds all encodings, highest bitrate first
 * @property {readonly number[]} pixels the number of pixels of each encoding's picture, highest
 *   bitrate first
 *
 * @typedef {object} VideoDemand how to receive a video, in wire values
 * @property {number} priority larger is more important
 * @property {number} targetBitrateKbps
 * @property {number} qualityAdaptationPreference
 *
 * @typedef {VideoDemand & VideoSource} PlannedVideo
 *
 * @typedef {object} VideoPlan
 * @property {boolean} isSending whether the camera sends
 * @property {readonly PlannedVideo[]} receives the videos to receive, in the order of their groups
 */
import { MediaType } from "../wire/enums.js";
import { baseOfId, isContentId, VideoPriority, VideoSubscriptionConfiguration } from "./remote-video-source.js";

/** The largest number of videos that a session receives. */
export const MOST_VIDEOS = 25;

/** @type {VideoPlan} */
export const noVideo = Object.freeze({ isSending: false, receives: [] });

/**
 * Returns the other attendees' videos in an INDEX. If an attendee has several publications, the
 * function uses only the newest publication.
 * @param {import("../wire/codec.js").Decoded} index
 * @param {string} ownId the attendee whose camera and content the function omits
 * @returns {VideoSource[]} the sources, in the order of their groups
 */
export function sourcesOfIndex(index, ownId) {
  /** @type {Map<string, { groupId: number, streams: import("../wire/codec.js").Decoded[] }>} */
  const groups = new Map();
  for (const stream of index["sources"] ?? []) {
    const { attendee_id: attendeeId = "", group_id: groupId = 0, stream_id: streamId = 0 } = stream;
    if (stream["media_type"] !== MediaType.VIDEO || !attendeeId || !streamId) continue;
    if (baseOfId(attendeeId) === baseOfId(ownId)) continue;
    const known = groups.get(attendeeId);
    if (known && known.groupId > groupId) continue;
    if (known && known.groupId === groupId) known.streams.push(stream);
    else groups.set(attendeeId, { groupId, streams: [stream] });
  }
  const sources = [...groups].map(([attendeeId, { groupId, streams }]) => {
    const ladder = [...streams].sort((one, other) => bitrateOf(other) - bitrateOf(one));
    const streamIds = ladder.map((stream) => Number(stream["stream_id"]));
    const pixels = ladder.map(({ width = 0, height = 0 }) => Number(width) * Number(height));
    return { attendeeId, groupId, streamId: streamIds[0] ?? 0, streamIds, pixels };
  });
  return sources.sort((one, other) => one.groupId - other.groupId);
}

/** @param {import("../wire/codec.js").Decoded} stream */
const bitrateOf = (stream) => Number(stream["max_bitrate_kbps"] ?? 0);

/**
 * Returns the demand of a configuration. On the wire, a priority is 2^32 - 1 minus a rank. The
 * highest priority has rank 1, and the lowest has rank 5. The demand states a bitrate instead of a
 * size.
 * @param {VideoSubscriptionConfiguration} configuration
 * @returns {VideoDemand}
 */
export function demandOf({ priority, targetResolution, qualityAdaptationPreference }) {
  const rank = 1 + Math.round((VideoPriority.highest - priority) / 10);
  return {
    priority: 4_294_967_295 - Math.min(5, Math.max(1, rank)),
    targetBitrateKbps: bitrateFor(targetResolution.height),
    qualityAdaptationPreference,
  };
}

/** @param {number} height */
function bitrateFor(height) {
  if (height <= 240) return 300;
  if (height <= 480) return 600;
  return height <= 720 ? 1_500 : 10_000;
}

const usual = Object.freeze(demandOf(new VideoSubscriptionConfiguration()));

/**
 * Chooses the videos that the session receives.
 * @param {readonly VideoSource[]} sources the sources that the meeting has
 * @param {ReadonlyMap<string, VideoDemand> | null} demands the demands, by attendee id; `null` for
 *   all sources
 * @param {number} most the largest number of videos. If the meeting has more videos, the function
 *   prefers a higher priority, then content to cameras, then newer content
 * @returns {PlannedVideo[]} the videos, in the order of their groups
 */
export function chooseVideos(sources, demands, most) {
  const wanted = sources.flatMap((source) => {
    const demand = demands === null ? usual : demands.get(source.attendeeId);
    return demand ? [{ ...source, ...demand }] : [];
  });
  return wanted.sort(precedence).slice(0, most).sort((one, other) => one.groupId - other.groupId);
}

/**
 * @param {PlannedVideo} one
 * @param {PlannedVideo} other
 */
function precedence(one, other) {
  if (one.priority !== other.priority) return other.priority - one.priority;
  const isContent = isContentId(one.attendeeId);
  if (isContent !== isContentId(other.attendeeId)) return isContent ? -1 : 1;
  return isContent ? other.groupId - one.groupId : one.groupId - other.groupId;
}

/**
 * Returns whether one offer serves both plans.
 * @param {VideoPlan} one
 * @param {VideoPlan} other
 */
export const needSameOffer = (one, other) =>
  one.isSending === other.isSending &&
  one.receives.length === other.receives.length &&
  one.receives.every(({ groupId }, at) => groupId === other.receives[at]?.groupId);

/**
 * Returns those videos of a plan whose demands differ from the demands in the plan `before`.
 * @param {VideoPlan} plan
 * @param {VideoPlan} before a plan that needs the same offer
 */
export const changedVideos = (plan, before) =>
  plan.receives.filter((video, at) => {
    const old = before.receives[at];
    return (
      video.priority !== old?.priority ||
      video.targetBitrateKbps !== old.targetBitrateKbps ||
      video.qualityAdaptationPreference !== old.qualityAdaptationPreference
    );
  });
