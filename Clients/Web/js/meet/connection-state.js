import { byId, say } from "../elements.js";

/**
 * Shows the state of the connection in the bar, with the number of seconds until the next attempt.
 */
export class ConnectionState {
  #view = byId("connection", HTMLElement);
  #text = byId("connection-text", HTMLElement);
  /** @type {ReturnType<typeof setInterval> | undefined} */
  #clock;

  /** @param {import("../carillon/meeting/audio-video.js").AudioVideo} session */
  constructor(session) {
    this.#show("connecting", say("Connecting…"));
    session.addAudioVideoObserver({
      audioSessionDidStartConnecting: (/** @type {boolean} */ isReconnecting) =>
        this.#show("connecting", isReconnecting ? say("Reconnecting…") : say("Connecting…")),
      audioSessionDidStart: () => this.#show("connected", say("Connected")),
      audioSessionWillRetry: (/** @type {number} */ untilMs) => this.#count(untilMs),
      audioSessionDidStopWithStatus: () => this.#show("stopped", say("Not connected")),
    });
  }

  /** @param {number} untilMs */
  #count(untilMs) {
    const show = () => {
      const seconds = Math.max(Math.ceil((untilMs - performance.now()) / 1_000), 1);
      const text = navigator.onLine ? say("Connection lost. Next try in {seconds} s", { seconds }) : say("No network");
      this.#say("waiting", text);
    };
    clearInterval(this.#clock);
    show();
    this.#clock = setInterval(show, 1_000);
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
