/** Screen sharing, over its own connection as the attendee `<own id>#content`. */
import { videoErrorOf } from "../devices/media-device.js";
import { StatusCode } from "../session/status.js";
import { contentIdOf } from "../video/remote-video-source.js";
import { contentMetrics } from "../video/video-metrics.js";
import { Observers } from "./observers.js";

/** The reason why a share ended. */
export const ContentShareStatusCode = Object.freeze({ ok: 0, videoServiceFailed: 1 });

/**
 * @typedef {import("./session-engine.js").SessionEngine} SessionEngine
 *
 * @typedef {object} Share
 * @property {SessionEngine} engine
 * @property {ContentTracks} tracks
 * @property {() => void} close releases the screen capture and the silent track
 * @property {import("../video/video-metrics.js").ContentMetrics} metrics the metrics of the last
 *   second
 *
 * @typedef {object} ContentBrowser
 * @property {() => Promise<MediaStream>} captureScreen
 * @property {() => { track: MediaStreamTrack | null, close: () => void }} makeSilence
 */

/**
 * The browser does not offer the meeting's own tab: a share of this tab would show itself again and
 * again (W3C Screen Capture §6.1).
 */
const SCREEN = Object.freeze({ video: true, audio: true, selfBrowserSurface: "exclude" });

/** @returns {ContentBrowser} */
const thisBrowser = () => ({
  captureScreen: async () => {
    if (!navigator.mediaDevices?.getDisplayMedia) throw videoErrorOf(new DOMException("", "NotFoundError"));
    try {
      return await navigator.mediaDevices.getDisplayMedia(SCREEN);
    } catch (error) {
      throw videoErrorOf(error);
    }
  },
  makeSilence: () => {
    const context = new AudioContext();
    const track = context.createMediaStreamDestination().stream.getAudioTracks()[0] ?? null;
    return { track, close: () => void context.close() };
  },
});

/** The tracks that a share's connection sends. The connection plays nothing. */
class ContentTracks {
  isScreen = true;
  /** @type {MediaStreamTrack | null} */
  track = null;
  /** @type {MediaStreamTrack | null} */
  videoTrack = null;
  #observers = new Observers();

  /** @param {Record<string, any>} observer */
  addDeviceChangeObserver(observer) {
    this.#observers.add(observer);
  }

  /** @param {Record<string, any>} observer */
  removeDeviceChangeObserver(observer) {
    this.#observers.remove(observer);
  }

  async play() {}

  /**
   * @param {MediaStreamTrack} video
   * @param {MediaStreamTrack | null} sound
   */
  use(video, sound) {
    [this.videoTrack, this.track] = [video, sound];
    this.#observers.tell("videoInputDidChange", video);
    this.#observers.tell("audioInputDidChange", sound);
  }
}

/**
 * Shares a screen. Observers implement any of these callbacks:
 * - `contentShareDidStart()`: the server accepted the screen; called each time the share connects
 * - `contentShareDidStop(status)`: the share ended, with a `statusCode` of `ContentShareStatusCode`
 */
export class ContentShareController {
  observers = new Observers();
  #makeEngine;
  #browser;
  /** @type {Share | null} */
  #share = null;
  /**
   * The number of starts and stops. If a caller stops the share while the user still chooses a
   * screen, the number differs from the number at the start, and the controller does not share the
   * screen.
   */
  #requests = 0;

  /**
   * @param {(tracks: import("./peer.js").PeerDevices) => SessionEngine} makeEngine makes the session
   *   of the content attendee
   * @param {ContentBrowser} [browser]
   */
  constructor(makeEngine, browser = thisBrowser()) {
    this.#makeEngine = makeEngine;
    this.#browser = browser;
  }

  /** Whether this controller shares a screen, or sets up the connection of a share. */
  get isSharing() {
    return this.#share !== null;
  }

  /** The send metrics of the last second; empty if there is no share. */
  get metrics() {
    return this.#share?.metrics ?? {};
  }

  /**
   * Shares a stream, or a screen that the user chooses. The share sends the first video track and
   * the first audio track. A second call replaces the source on the same connection.
   * @param {MediaStream} [source] a stream, whose tracks the application must stop
   * @throws {import("../devices/media-device.js").VideoDeviceError} if the user chooses no screen
   */
  async start(source) {
    const request = ++this.#requests;
    const stream = source ?? (await this.#browser.captureScreen());
    const [video] = stream.getVideoTracks();
    if (request !== this.#requests || !video) {
      if (!source) stopTracks(stream);
      return;
    }
    const share = this.#share ?? this.#make();
    const [sound] = stream.getAudioTracks();
    share.close();
    share.close = this.#show(share, stream, video, source === undefined);
    share.engine.dispatch({ type: "mute", isMuted: !sound });
    if (share === this.#share) return;
    this.#share = share;
    share.engine.dispatch({ type: "start" });
    share.engine.dispatch({ type: "sendVideo", isSending: true });
  }

  /** Ends the share, or cancels a share that has not started. */
  stop() {
    this.#requests += 1;
    this.#end(ContentShareStatusCode.ok);
  }

  /** @returns {Share} */
  #make() {
    const tracks = new ContentTracks();
    const engine = this.#makeEngine(tracks);
    engine.notice = (notice) => this.#notice(engine, notice);
    /** @type {Share} */
    const share = { engine, tracks, close: () => {}, metrics: {} };
    engine.measured = (metrics) => void (share.metrics = contentMetrics(metrics));
    return share;
  }

  /**
   * @param {Share} share
   * @param {MediaStream} stream
   * @param {MediaStreamTrack} video
   * @param {boolean} isOwn whether this controller captured the screen and must stop the capture
   * @returns {() => void} a function that releases the capture and the silent track
   */
  #show({ engine, tracks }, stream, video, isOwn) {
    // With the hint "detail", text stays legible: when bandwidth is short, the browser lowers the
    // frame rate and keeps the resolution.
    if (!video.contentHint) video.contentHint = "detail";
    const sound = stream.getAudioTracks()[0];
    const silence = sound ? null : this.#browser.makeSilence();
    tracks.use(video, sound ?? silence?.track ?? null);
    const ended = () => this.#endIf(engine, ContentShareStatusCode.ok);
    video.addEventListener("ended", ended);
    return () => {
      video.removeEventListener("ended", ended);
      silence?.close();
      if (isOwn) stopTracks(stream);
    };
  }

  /**
   * @param {SessionEngine} engine
   * @param {import("../session/state.js").Notice} notice
   */
  #notice(engine, notice) {
    if (notice.type === "localVideoAccepted") this.observers.tell("contentShareDidStart");
    const isRefused = notice.type === "cameraAvailability" && !engine.state.video.isSending;
    const isOver = notice.type === "stopped" && notice.status.statusCode !== StatusCode.Left;
    if (isRefused || isOver) this.#endIf(engine, ContentShareStatusCode.videoServiceFailed);
  }

  /**
   * @param {SessionEngine} engine
   * @param {number} statusCode
   */
  #endIf(engine, statusCode) {
    if (this.#share?.engine === engine) this.#end(statusCode);
  }

  /** @param {number} statusCode */
  #end(statusCode) {
    const share = this.#share;
    if (!share) return;
    this.#share = null;
    share.close();
    share.engine.dispatch({ type: "stop" });
    this.observers.tell("contentShareDidStop", Object.freeze({ statusCode }));
  }
}

/** @param {MediaStream} stream */
const stopTracks = (stream) => stream.getTracks().forEach((track) => track.stop());

/**
 * Returns the configuration of the session that shares an attendee's screen.
 * @param {import("./configuration.js").MeetingSessionConfiguration} configuration
 * @returns {import("./configuration.js").MeetingSessionConfiguration}
 */
export const contentConfiguration = (configuration) => ({
  ...configuration,
  attendeeId: contentIdOf(configuration.attendeeId),
  joinToken: contentIdOf(configuration.joinToken),
});
