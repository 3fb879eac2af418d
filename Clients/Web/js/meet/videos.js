import { baseOfId, VideoPauseState } from "../carillon/carillon.js";
import { byId, say } from "../elements.js";

/**
 * @typedef {import("../carillon/video/remote-video-source.js").VideoTileState} VideoTileState
 * @typedef {import("../carillon/meeting/audio-video.js").AudioVideo} AudioVideo
 */

/**
 * Returns why a tile's video is paused, or an empty string.
 * @param {VideoTileState | undefined} state
 */
export function pauseReason(state) {
  if (state?.pauseState === VideoPauseState.pausedByUserRequest) return say("Paused by you");
  if (state?.pauseState === VideoPauseState.pausedForPoorConnection) return say("Paused: your connection is slow");
  return "";
}

/**
 * Shows a tile in an element. If there is no tile, hides the element. If the element already shows
 * the tile, does nothing.
 * @param {AudioVideo} session
 * @param {HTMLVideoElement} view
 * @param {VideoTileState | undefined} state
 */
export function place(session, view, state) {
  const tileId = state ? `${state.tileId}` : "";
  view.hidden = !state;
  if ((view.dataset["tile"] ?? "") === tileId) return;
  view.dataset["tile"] = tileId;
  if (state) session.bindVideoView(view, state.tileId);
}

/**
 * The videos of a session: the cameras by attendee, and the newest shared screen, which the page
 * shows large.
 */
export class Videos {
  #session;
  #stage = byId("stage", HTMLElement);
  #share = byId("share", HTMLElement);
  #view = byId("share-video", HTMLVideoElement);
  #title = byId("share-title", HTMLElement);
  #paused = byId("share-paused", HTMLElement);

  /**
   * @param {AudioVideo} session
   * @param {() => void} changed
   */
  constructor(session, changed) {
    this.#session = session;
    // In small windows, the height of the share depends on the height of its picture
    // (css/meet.css).
    this.#view.onresize = () => {
      const { videoWidth, videoHeight } = this.#view;
      if (videoHeight) this.#stage.style.setProperty("--share-ratio", `${videoWidth / videoHeight}`);
    };
    session.addVideoTileObserver({
      videoTileDidAdd: changed,
      videoTileDidRemove: changed,
      videoTileDidPause: changed,
      videoTileDidResume: changed,
    });
  }

  /** Whether the session sends the local camera. */
  get isCameraOn() {
    return this.#session.videoTiles.some(({ isLocalTile }) => isLocalTile);
  }

  /** Whether another attendee shares a screen. */
  get isShared() {
    return this.#session.videoTiles.some(({ isContent }) => isContent);
  }

  /** The cameras by attendee id. */
  get cameras() {
    const tiles = this.#session.videoTiles.filter(({ isContent }) => !isContent);
    return new Map(tiles.map((state) => [state.attendeeId, state]));
  }

  /**
   * Shows the newest shared screen, if an attendee shares a screen.
   * @param {ReadonlyMap<string, { displayName: string }>} roster
   */
  showShare(roster) {
    const state = this.#session.videoTiles.filter(({ isContent }) => isContent).at(-1);
    place(this.#session, this.#view, state);
    this.#stage.classList.toggle("has-share", state !== undefined);
    this.#share.hidden = !state;
    if (!state) return;
    const name = roster.get(baseOfId(state.attendeeId))?.displayName ?? say("Somebody");
    this.#title.textContent = say("The screen of {name}", { name });
    this.#paused.textContent = pauseReason(state);
  }

  /** Hides the shared screen. */
  close() {
    place(this.#session, this.#view, undefined);
    this.#view.srcObject = null;
    this.#share.hidden = true;
    this.#stage.classList.remove("has-share");
  }
}
