import { Observers } from "../meeting/observers.js";
import { VideoPauseState, VideoTileState } from "./remote-video-source.js";

/**
 * @typedef {import("../session/state.js").Reception} Reception
 *
 * @typedef {object} Tile
 * @property {VideoTileState} state
 * @property {MediaStreamTrack | null} track
 * @property {number} groupId 0 for the local tile
 * @property {boolean} isPausedByServer
 * @property {HTMLVideoElement | null} view
 * @property {() => void} unbind
 */

/** The largest number of ended tiles whose ids the controller keeps. */
const MOST_FORMER_TILES = 256;

/**
 * The video tiles: their states, who paused them, and the elements that show them.
 *
 * Observers implement any of these callbacks, each with a tile state: `videoTileDidAdd`,
 * `videoTileDidRemove`, `videoTileDidPause`, `videoTileDidResume`, `videoTileSizeDidChange`.
 */
export class VideoTileController {
  observers = new Observers();
  /** @type {Map<number, Tile>} */
  #tiles = new Map();
  #lastTileId = 0;
  /**
   * The ids of ended remote tiles by their groups, the oldest first. If the video of a group begins
   * again, for example after a reconnect, its tile gets its id again.
   * @type {Map<number, number>}
   */
  #formerTileIds = new Map();
  #ownId;
  #pause;

  /**
   * @param {string} ownId the local attendee's id
   * @param {(groupId: number, isPaused: boolean) => void} pause sends PAUSE or RESUME
   */
  constructor(ownId, pause) {
    this.#ownId = ownId;
    this.#pause = pause;
  }

  /** The states of all tiles, in the order in which the tiles were added. */
  get states() {
    return [...this.#tiles.values()].map(({ state }) => state);
  }

  /**
   * Shows the local camera in a tile, or removes the tile.
   * @param {MediaStreamTrack | null} track
   */
  showLocal(track) {
    const tile = [...this.#tiles.values()].find(({ state }) => state.isLocalTile);
    if (tile && track) this.#use(tile, track);
    else if (tile) this.#remove(tile);
    else if (track) this.#add(this.#ownId, true, 0, track, false);
  }

  /**
   * Updates the remote tiles to match all current receptions.
   * @param {readonly Reception[]} receptions
   * @param {(groupId: number) => MediaStreamTrack | null} trackOf
   */
  showRemote(receptions, trackOf) {
    const flows = new Map(receptions.map((reception) => [reception.groupId, reception]));
    for (const tile of [...this.#tiles.values()]) {
      if (!tile.state.isLocalTile && !flows.has(tile.groupId)) this.#remove(tile);
    }
    const known = new Map([...this.#tiles.values()].map((tile) => [tile.groupId, tile]));
    for (const { groupId, attendeeId, isPaused, isPausedByUser } of receptions) {
      const tile = known.get(groupId);
      const track = trackOf(groupId);
      if (!tile) this.#add(attendeeId, false, groupId, track, isPaused, isPausedByUser);
      else this.#follow(tile, track, isPaused);
    }
  }

  /**
   * Shows a tile in an element. Ends an earlier binding of the tile, and an earlier binding of the
   * element.
   * @param {HTMLVideoElement} view
   * @param {number} tileId
   */
  bind(view, tileId) {
    for (const tile of this.#tiles.values()) if (tile.view === view) tile.unbind();
    const tile = this.#tiles.get(tileId);
    if (!tile) return;
    tile.unbind();
    const resized = () => this.#resized(tile, view.videoWidth, view.videoHeight);
    view.addEventListener("resize", resized);
    tile.view = view;
    tile.unbind = () => {
      view.removeEventListener("resize", resized);
      view.srcObject = null;
      [tile.view, tile.unbind] = [null, () => {}];
    };
    show(tile);
  }

  /**
   * Removes a tile from its element. The tile still exists, and the session still receives its
   * video.
   * @param {number} tileId
   */
  unbind(tileId) {
    this.#tiles.get(tileId)?.unbind();
  }

  /**
   * Returns the track of a tile, or `null`.
   * @param {number} tileId
   */
  trackOf(tileId) {
    return this.#tiles.get(tileId)?.track ?? null;
  }

  /**
   * Pauses or resumes a remote tile for the user.
   * @param {number} tileId
   * @param {boolean} isPaused
   */
  pause(tileId, isPaused) {
    const tile = this.#tiles.get(tileId);
    if (!tile || tile.state.isLocalTile) return;
    this.#pause(tile.groupId, isPaused);
    const isByUser = tile.state.pauseState === VideoPauseState.pausedByUserRequest;
    if (isPaused) this.#setPause(tile, VideoPauseState.pausedByUserRequest);
    else if (isByUser) this.#setPause(tile, pauseStateOf(tile.isPausedByServer));
  }

  /**
   * @param {string} attendeeId
   * @param {boolean} isLocal
   * @param {number} groupId
   * @param {MediaStreamTrack | null} track
   * @param {boolean} isPausedByServer
   * @param {boolean} [isPausedByUser] whether the user paused the video before the session
   *   reconnected
   */
  #add(attendeeId, isLocal, groupId, track, isPausedByServer, isPausedByUser = false) {
    const pauseState = isPausedByUser ? VideoPauseState.pausedByUserRequest : pauseStateOf(isPausedByServer);
    const tileId = this.#formerTileIds.get(groupId) ?? ++this.#lastTileId;
    this.#formerTileIds.delete(groupId);
    const state = new VideoTileState(tileId, attendeeId, isLocal, pauseState);
    this.#tiles.set(state.tileId, { state, track, groupId, isPausedByServer, view: null, unbind: () => {} });
    this.observers.tell("videoTileDidAdd", state);
  }

  /** @param {Tile} tile */
  #remove(tile) {
    tile.unbind();
    this.#tiles.delete(tile.state.tileId);
    if (!tile.state.isLocalTile) this.#keepId(tile);
    this.observers.tell("videoTileDidRemove", tile.state);
  }

  /** @param {Tile} tile an ended remote tile */
  #keepId(tile) {
    this.#formerTileIds.set(tile.groupId, tile.state.tileId);
    if (this.#formerTileIds.size <= MOST_FORMER_TILES) return;
    const [oldest] = this.#formerTileIds.keys();
    if (oldest !== undefined) this.#formerTileIds.delete(oldest);
  }

  /**
   * @param {Tile} tile
   * @param {MediaStreamTrack | null} track
   * @param {boolean} isPaused
   */
  #follow(tile, track, isPaused) {
    this.#use(tile, track);
    tile.isPausedByServer = isPaused;
    // A pause by the user takes precedence over the server's pauses and resumes.
    if (tile.state.pauseState !== VideoPauseState.pausedByUserRequest) this.#setPause(tile, pauseStateOf(isPaused));
  }

  /**
   * @param {Tile} tile
   * @param {MediaStreamTrack | null} track
   */
  #use(tile, track) {
    if (tile.track === track) return;
    tile.track = track;
    show(tile);
  }

  /**
   * @param {Tile} tile
   * @param {number} pauseState
   */
  #setPause({ state }, pauseState) {
    if (state.pauseState === pauseState) return;
    state.pauseState = pauseState;
    const isPaused = pauseState !== VideoPauseState.unpaused;
    this.observers.tell(isPaused ? "videoTileDidPause" : "videoTileDidResume", state);
  }

  /**
   * @param {Tile} tile
   * @param {number} width
   * @param {number} height
   */
  #resized({ state }, width, height) {
    if (!width || (state.videoStreamContentWidth === width && state.videoStreamContentHeight === height)) return;
    [state.videoStreamContentWidth, state.videoStreamContentHeight] = [width, height];
    this.observers.tell("videoTileSizeDidChange", state);
  }
}

/** @param {boolean} isPausedByServer */
const pauseStateOf = (isPausedByServer) =>
  isPausedByServer ? VideoPauseState.pausedForPoorConnection : VideoPauseState.unpaused;

/** @param {Tile} tile */
function show({ view, track }) {
  if (!view) return;
  view.srcObject = track && new MediaStream([track]);
}
