/** What applications know of videos: sources, how they are to be received, and tiles. */

/** Which remote videos keep their quality longest when bandwidth is short. */
export const VideoPriority = Object.freeze({ lowest: 0, low: 10, medium: 20, high: 30, highest: 40 });

/** Sizes in pixels to ask for. */
export const VideoResolution = Object.freeze({
  low: Object.freeze({ width: 320, height: 240 }),
  medium: Object.freeze({ width: 640, height: 480 }),
  high: Object.freeze({ width: 960, height: 720 }),
  videoResolutionHD: Object.freeze({ width: 1280, height: 720 }),
  videoResolutionFHD: Object.freeze({ width: 1920, height: 1080 }),
});

/** What suffers first when a video gets less bandwidth than it needs. */
export const VideoQualityAdaptationPreference = Object.freeze({
  balanced: 1,
  maintainFramerate: 2,
  maintainResolution: 3,
});

/** Whether a tile shows pictures, and if not, who paused it. */
export const VideoPauseState = Object.freeze({ unpaused: 0, pausedByUserRequest: 1, pausedForPoorConnection: 2 });

/**
 * A video that an attendee offers. It is the same object for as long as the video is available, so
 * that it can be a key of a map.
 */
export class RemoteVideoSource {
  /** @param {string} attendeeId ends in `#content` for a content share */
  constructor(attendeeId) {
    this.attendeeId = attendeeId;
    Object.freeze(this);
  }
}

/** How a remote video is to be received. The session reads it once; later changes have no effect. */
export class VideoSubscriptionConfiguration {
  /** Which videos suffer last: a value of `VideoPriority`. */
  priority = /** @type {number} */ (VideoPriority.high);
  /** @type {{ width: number, height: number }} the size wished for */
  targetResolution = VideoResolution.high;
  /** What suffers first: a value of `VideoQualityAdaptationPreference`. */
  qualityAdaptationPreference = /** @type {number} */ (VideoQualityAdaptationPreference.balanced);
}

const CONTENT = "#content";

/** @param {string} attendeeId */
export const isContentId = (attendeeId) => attendeeId.endsWith(CONTENT) && attendeeId.length > CONTENT.length;

/**
 * The attendee who shares, of the id of a content share; another id is its own.
 * @param {string} attendeeId
 */
export const baseOfId = (attendeeId) =>
  isContentId(attendeeId) ? attendeeId.slice(0, -CONTENT.length) : attendeeId;

/**
 * The id under which an attendee shares a screen.
 * @param {string} attendeeId
 */
export const contentIdOf = (attendeeId) => attendeeId + CONTENT;

/** One video on the stage. Observers get the live object: its state may change after the callback. */
export class VideoTileState {
  /** The width of the pictures in pixels; 0 before the first one is shown. */
  videoStreamContentWidth = 0;
  /** The height of the pictures in pixels; 0 before the first one is shown. */
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
