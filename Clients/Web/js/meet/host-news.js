/**
 * Handles requests that hosts send to the user, and the user's appointment as a host. The page
 * loads this module with the first request or appointment.
 */
import { ControlAPI, ControlError } from "../control-api.js";
import { Notices } from "./notices.js";
import { UnmuteRequests } from "./unmute-requests.js";
import { words } from "./words/host-news.js";

/** The subject of the notice that shows a host's request to unmute. */
const UNMUTE = "unmute";

/**
 * @typedef {object} HostNewsParts
 * @property {import("../carillon/meeting/audio-video.js").AudioVideo} session
 * @property {HTMLElement} view contains the notices
 * @property {() => void} unmute opens the microphone; called after the user's click
 * @property {(text: string) => void} read reads out the text of a notice
 * @property {(text: string) => void} say shows a text for a while and reads it out
 * @property {import("./lobby.js").Entry} entry the user's meeting and attendee
 * @property {(token: string) => void} becomeHost shows the controls of a host
 */

/** Carries out the requests of hosts. Only the user's click opens the microphone. */
export class HostNews {
  #parts;
  #notices;
  #requests = new UnmuteRequests();
  #signal;
  #isExchanging = false;

  /**
   * @param {HostNewsParts} parts
   * @param {AbortSignal} signal when aborted, removes the notices
   */
  constructor(parts, signal) {
    this.#parts = parts;
    this.#signal = signal;
    this.#notices = new Notices(parts.view);
    signal.addEventListener("abort", () => this.#notices.close(), { once: true });
    parts.session.addRealtimeObserver({ localMuteDidChange: () => this.#microphoneChanged() });
  }

  /** Handles a host's request that the user unmute. */
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

  /**
   * Handles an appointment: a host has made the user a host. The page exchanges the appointment for
   * a host token. The user's join token proves that the page belongs to the appointed attendee.
   * @param {import("../carillon/carillon.js").DataMessage} message
   */
  async appointed(message) {
    const { entry, say, becomeHost } = this.#parts;
    const appointment = message.json()?.appointment;
    if (typeof appointment !== "string" || entry.HostToken || this.#isExchanging) return;
    this.#isExchanging = true;
    try {
      const own = new ControlAPI();
      own.key = entry.Attendee.JoinToken;
      const path = `/carillon/v1/web/meetings/${encodeURIComponent(entry.Meeting.MeetingId)}/host-token`;
      const { HostToken: token } = await own.call("POST", path, { Appointment: appointment });
      if (this.#signal.aborted) return;
      becomeHost(token);
      say(words.isHost);
    } catch (error) {
      if (!(error instanceof ControlError)) throw error;
      say(error.message);
    } finally {
      this.#isExchanging = false;
    }
  }

  #microphoneChanged() {
    if (this.#parts.session.isLocalMuted) return;
    this.#requests.fulfil();
    this.#notices.take(UNMUTE);
  }
}
