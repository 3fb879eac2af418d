import { byId } from "../elements.js";

/** The connection's state in the bar, with the seconds to the next attempt. */
export class ConnectionState {
  #view = byId("connection", HTMLElement);
  #text = byId("connection-text", HTMLElement);
  /** @type {ReturnType<typeof setInterval> | undefined} */
  #clock;

  /** @param {import("../carillon/meeting/audio-video.js").AudioVideo} session */
  constructor(session) {
    this.#show("connecting", "Connecting…");
    session.addAudioVideoObserver({
      audioSessionDidStartConnecting: (/** @type {boolean} */ isReconnecting) =>
        this.#show("connecting", isReconnecting ? "Reconnecting…" : "Connecting…"),
      audioSessionDidStart: () => this.#show("connected", "Connected"),
      audioSessionWillRetry: (/** @type {number} */ untilMs) => this.#count(untilMs),
      audioSessionDidStopWithStatus: () => this.#show("stopped", "Not connected"),
    });
  }

  /** @param {number} untilMs */
  #count(untilMs) {
    const say = () => {
      const seconds = Math.ceil((untilMs - performance.now()) / 1_000);
      this.#say("waiting", navigator.onLine ? `Connection lost. Next try in ${Math.max(seconds, 1)} s` : "No network");
    };
    clearInterval(this.#clock);
    say();
    this.#clock = setInterval(say, 1_000);
  }

  /**
   * @param {string} state
   * @param {string} text
   */
  #show(state, text) {
    clearInterval(this.#clock);
    this.#say(state, text);
  }

  /**
   * @param {string} state
   * @param {string} text
   */
  #say(state, text) {
    this.#view.dataset["state"] = state;
    if (this.#text.textContent !== text) this.#text.textContent = text;
  }
}
