/**
 * What a session sends and receives of video: a value that follows from INDEX and from wishes.
 *
 * @typedef {object} VideoSource a video of INDEX
 * @property {string} attendeeId
 * @property {number} groupId which publication it is; a newer one of an attendee has a larger number
 * @property {number} streamId the encoding with the highest bitrate
 * @property {readonly number[]} streamIds all encodings, highest bitrate first
 *
 * @typedef {object} VideoDemand how a video is to be received, in the numbers of the wire
 * @property {number} priority more is more important
 * @property {number} targetBitrateKbps
 * @property {number} qualityAdaptationPreference
 *
 * @typedef {VideoDemand & VideoSource} PlannedVideo
 *
 * @typedef {object} VideoPlan
 * @property {boolean} isSending whether the camera sends
 * @property {readonly PlannedVideo[]} receives in the order of their groups
 */
import { MediaType } from "../wire/enums.js";
import { baseOfId, isContentId, VideoPriority, VideoSubscriptionConfiguration } from "./remote-video-source.js";

/** How many videos a session receives at most. */
export const MOST_VIDEOS = 25;

/** @type {VideoPlan} */
export const noVideo = Object.freeze({ isSending: false, receives: [] });

/**
 * The videos of others in an INDEX. Of several publications of one attendee only the newest counts.
 * @param {import("../wire/codec.js").Decoded} index
 * @param {string} ownId whose camera and content are left out
 * @returns {VideoSource[]} in the order of their groups
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
    return { attendeeId, groupId, streamId: streamIds[0] ?? 0, streamIds };
  });
  return sources.sort((one, other) => one.groupId - other.groupId);
}

/** @param {import("../wire/codec.js").Decoded} stream */
const bitrateOf = (stream) => Number(stream["max_bitrate_kbps"] ?? 0);

/**
 * The demand of a configuration. The highest priority is 1 on a scale where the wire subtracts, and
 * the size is a bitrate.
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
 * Chooses which videos are received.
 * @param {readonly VideoSource[]} sources that the meeting has
 * @param {ReadonlyMap<string, VideoDemand> | null} demands by attendee id; `null` for all sources
 * @param {number} most how many at most: content before cameras, and newer content first
 * @returns {PlannedVideo[]} in the order of their groups
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
 * Whether one offer serves both plans.
 * @param {VideoPlan} one
 * @param {VideoPlan} other
 */
export const needSameOffer = (one, other) =>
  one.isSending === other.isSending &&
  one.receives.length === other.receives.length &&
  one.receives.every(({ groupId }, at) => groupId === other.receives[at]?.groupId);

/**
 * The videos of a plan that are to be received in another way than before.
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
