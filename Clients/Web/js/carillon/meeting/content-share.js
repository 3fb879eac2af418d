/** A screen that is shared: a connection of its own, as the attendee `<own id>#content`. */
import { videoErrorOf } from "../devices/media-device.js";
import { StatusCode } from "../session/status.js";
import { contentIdOf } from "../video/remote-video-source.js";
import { contentMetrics } from "../video/video-metrics.js";
import { Observers } from "./observers.js";

/** Why a share ended. */
export const ContentShareStatusCode = Object.freeze({ ok: 0, videoServiceFailed: 1 });

/**
 * @typedef {import("./session-engine.js").SessionEngine} SessionEngine
 *
 * @typedef {object} Share
 * @property {SessionEngine} engine
 * @property {ContentTracks} tracks
 * @property {() => void} close gives back what the screen needs
 * @property {import("../video/video-metrics.js").ContentMetrics} metrics of its last second
 *
 * @typedef {object} ContentBrowser
 * @property {() => Promise<MediaStream>} captureScreen
 * @property {() => { track: MediaStreamTrack | null, close: () => void }} makeSilence
 */

/** The own tab is not offered: it would show itself in itself (W3C Screen Capture §6.1). */
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

/** What the connection of a share sends. It plays nothing. */
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
 * Shares a screen. Its observers have those of the callbacks that they want:
 * - `contentShareDidStart()`: others get the screen, each time that the share connects
 * - `contentShareDidStop(status)`: it ended, with a `statusCode` of `ContentShareStatusCode`
 */
export class ContentShareController {
  observers = new Observers();
  #makeEngine;
  #browser;
  /** @type {Share | null} */
  #share = null;
  /** Counts starts and stops: a screen that is chosen after a stop is not shared. */
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

  /** Whether a screen is shared, or is about to be. */
  get isSharing() {
    return this.#share !== null;
  }

  /** What the share sent in its last second; nothing without a share. */
  get metrics() {
    return this.#share?.metrics ?? {};
  }

  /**
   * Shares a stream, or a screen that the user chooses. The first video track is shown, and the first
   * audio track is heard. A second call shares another source on the same connection.
   * @param {MediaStream} [source] stays the application's to stop
   * @throws {import("../devices/media-device.js").VideoDeviceError} when no screen is chosen
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

  /** Ends the share, or one that is about to start. */
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
   * @param {boolean} isOwn whether we asked for the screen and so end its capture
   * @returns {() => void} gives back what the screen needs
   */
  #show({ engine, tracks }, stream, video, isOwn) {
    // Text has to stay legible: when bandwidth is short, pictures come less often.
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
 * The configuration under which an attendee shares a screen.
 * @param {import("./configuration.js").MeetingSessionConfiguration} configuration
 * @returns {import("./configuration.js").MeetingSessionConfiguration}
 */
export const contentConfiguration = (configuration) => ({
  ...configuration,
  attendeeId: contentIdOf(configuration.attendeeId),
  joinToken: contentIdOf(configuration.joinToken),
});
