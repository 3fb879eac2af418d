/** What hosts ask of the user. The page loads this module with the first such request. */
import { Notices } from "./notices.js";
import { UnmuteRequests } from "./unmute-requests.js";
import { words } from "./words/host-news.js";

/** The subject of the notice with a request to unmute. */
const UNMUTE = "unmute";

/**
 * @typedef {object} HostNewsParts
 * @property {import("../carillon/meeting/audio-video.js").AudioVideo} session
 * @property {HTMLElement} view contains the notices
 * @property {() => void} unmute opens the microphone, after the user's click
 * @property {(text: string) => void} read reads out the text of a notice
 */

/** Shows the requests of hosts. Only the user's click opens the microphone. */
export class HostNews {
  #parts;
  #notices;
  #requests = new UnmuteRequests();

  /**
   * @param {HostNewsParts} parts
   * @param {AbortSignal} signal removes the notices
   */
  constructor(parts, signal) {
    this.#parts = parts;
    this.#notices = new Notices(parts.view);
    signal.addEventListener("abort", () => this.#notices.close(), { once: true });
    parts.session.addRealtimeObserver({ localMuteDidChange: () => this.#microphoneChanged() });
  }

  /** A host asks the user to unmute. */
  askedToUnmute() {
    const { session, unmute, read } = this.#parts;
    if (!this.#requests.take(session.isLocalMuted, performance.now())) return;
    const act = () => {
      this.#requests.fulfil();
      unmute();
    };
    const decline = { button: words.stayMuted, act: () => this.#requests.decline(performance.now()) };
    this.#notices.show(UNMUTE, { text: words.asksToUnmute, button: words.unmute, act, decline });
    read(words.asksToUnmute);
  }

  #microphoneChanged() {
    if (this.#parts.session.isLocalMuted) return;
    this.#requests.fulfil();
    this.#notices.take(UNMUTE);
  }
}
