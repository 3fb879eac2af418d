/** The video model of applications: sources, subscription settings and tiles. */

/**
 * The priorities of remote videos. When bandwidth is short, videos with a higher priority keep
 * their quality longer.
 */
export const VideoPriority = Object.freeze({ lowest: 0, low: 10, medium: 20, high: 30, highest: 40 });

/** Sizes to request, in pixels. */
export const VideoResolution = Object.freeze({
  low: Object.freeze({ width: 320, height: 240 }),
  medium: Object.freeze({ width: 640, height: 480 }),
  high: Object.freeze({ width: 960, height: 720 }),
  videoResolutionHD: Object.freeze({ width: 1280, height: 720 }),
  videoResolutionFHD: Object.freeze({ width: 1920, height: 1080 }),
});

/**
 * The property of a video (resolution or frame rate) that the server preserves when the video gets
 * less bandwidth than it needs.
 */
export const VideoQualityAdaptationPreference = Object.freeze({
  balanced: 1,
  maintainFramerate: 2,
  maintainResolution: 3,
});

/** Whether a tile is paused, and why. */
export const VideoPauseState = Object.freeze({ unpaused: 0, pausedByUserRequest: 1, pausedForPoorConnection: 2 });

/**
 * A video that an attendee sends. The object remains the same while the video is available, so it
 * can be a map key.
 */
export class RemoteVideoSource {
  /** @param {string} attendeeId ends in `#content` for a content share */
  constructor(attendeeId) {
    this.attendeeId = attendeeId;
    Object.freeze(this);
  }
}

/**
 * How to receive a remote video. The session reads a configuration once; later changes of the
 * object have no effect.
 */
export class VideoSubscriptionConfiguration {
  /** A value of `VideoPriority`. Videos with a higher priority keep their quality longer. */
  priority = /** @type {number} */ (VideoPriority.high);
  /** @type {{ width: number, height: number }} the requested size */
  targetResolution = VideoResolution.high;
  /**
   * The property to preserve when bandwidth is short: a value of
   * `VideoQualityAdaptationPreference`.
   */
  qualityAdaptationPreference = /** @type {number} */ (VideoQualityAdaptationPreference.balanced);
}

const CONTENT = "#content";

/** @param {string} attendeeId */
export const isContentId = (attendeeId) => attendeeId.endsWith(CONTENT) && attendeeId.length > CONTENT.length;

/**
 * Returns the id of the attendee who shares a screen, if the id is a content share's id. Returns
 * other ids unchanged.
 * @param {string} attendeeId
 */
export const baseOfId = (attendeeId) =>
  isContentId(attendeeId) ? attendeeId.slice(0, -CONTENT.length) : attendeeId;

/**
 * Returns the id under which an attendee shares a screen.
 * @param {string} attendeeId
 */
export const contentIdOf = (attendeeId) => attendeeId + CONTENT;

/**
 * The state of one video tile. Observers receive the object itself, not a copy, so the object may
 * change after the callback.
 */
export class VideoTileState {
  /** The width of the video in pixels; 0 before the first frame. */
  videoStreamContentWidth = 0;
  /** The height of the video in pixels; 0 before the first frame. */
  videoStreamContentHeight = 0;

  /**
   * @param {number} tileId
   * @param {string} attendeeId
   * @param {boolean} isLocalTile
   * @param {number} pauseState a value of `VideoPauseState`
   */
  constructor(tileId, attendeeId, isLocalTile, pauseState) {
    this.tileId = tileId;
    this.attendeeId = attendeeId;
    this.isLocalTile = isLocalTile;
    this.isContent = isContentId(attendeeId);
    this.pauseState = pauseState;
  }
}
