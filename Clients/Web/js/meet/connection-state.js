import { byId, say } from "../elements.js";
import { words } from "./words/announcements.js";

/** The bar shows only outages that last longer than this time, in milliseconds. */
const SHOWN_AFTER_MS = 3_000;

/** Shows the state of the connection in the bar. */
export class ConnectionState {
  #view = byId("connection", HTMLElement);
  #text = byId("connection-text", HTMLElement);
  #hasStarted = false;
  #session;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #clock;

  /** @param {import("../carillon/meeting/audio-video.js").AudioVideo} session */
  constructor(session) {
    this.#session = session;
    this.#show("connecting", say("Connecting…"));
    session.addAudioVideoObserver({
      audioSessionDidStart: () => {
        this.#hasStarted = true;
        this.#show("connected", say("Connected"));
      },
      audioSessionDidDrop: () => this.#lost(),
      audioSessionDidLoseSound: () => this.#lost(),
      audioSessionWillRetry: () => this.#lost(),
      audioSessionDidStopWithStatus: () => this.#show("stopped", say("Not connected")),
    });
  }

  /**
   * Shows that the connection is lost: immediately, or after `SHOWN_AFTER_MS` of the outage. While
   * the sound continues, the bar does not change.
   */
  #lost() {
    if (this.#session.isSoundHeld) return;
    if (this.#view.dataset["state"] !== "connected") return this.#showLost();
    this.#clock ??= setTimeout(() => this.#showLost(), SHOWN_AFTER_MS);
  }

  #showLost() {
    const text = this.#hasStarted ? words.connectionLost : say("Connecting…");
    this.#show("waiting", navigator.onLine ? text : say("No network"));
  }

  /**
   * @param {string} state
   * @param {string} text
   */
  #show(state, text) {
    clearTimeout(this.#clock);
    this.#clock = undefined;
    this.#view.dataset["state"] = state;
    if (this.#text.textContent !== text) this.#text.textContent = text;
  }
}
