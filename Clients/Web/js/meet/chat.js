import { SendDataMessageError } from "../carillon/carillon.js";
import { byId, make, say, timeOfDay } from "../elements.js";
import { partsOf } from "./links.js";

export const CHAT_TOPIC = "chat";

/** How long the meeting keeps a chat message, in milliseconds. */
const LIFETIME_MS = 300_000;

/**
 * The largest number of messages that the page shows. When a further message arrives, the page
 * removes the oldest one.
 */
const MOST = 1_000;

/**
 * @typedef {object} Line
 * @property {HTMLElement} item
 * @property {string} text
 * @property {number} timestampMs
 * @property {boolean} isOwn
 */

/** The chat with everyone in the meeting. */
export class Chat {
  #session;
  #nowMs;
  #list = byId("messages", HTMLElement);
  #empty = byId("chat-empty", HTMLElement);
  #form = byId("chat-form", HTMLFormElement);
  #text = byId("chat-text", HTMLTextAreaElement);
  #problem = byId("chat-problem", HTMLElement);
  /** @type {Line[]} */
  #lines = [];
  #listeners = new AbortController();

  /**
   * @param {import("../carillon/meeting/audio-video.js").AudioVideo} session
   * @param {() => number} nowMs the server's time, in milliseconds since 1970
   * @param {(message: import("../carillon/carillon.js").DataMessage) => void} received called with
   *   each message of another attendee
   */
  constructor(session, nowMs, received) {
    this.#session = session;
    this.#nowMs = nowMs;
    this.#list.replaceChildren(this.#empty);
    this.#empty.hidden = false;
    const { signal } = this.#listeners;
    this.#form.addEventListener("submit", (event) => this.#submit(event), { signal });
    this.#text.addEventListener(
      "keydown",
      (event) => {
        if (event.key !== "Enter" || event.shiftKey || event.isComposing) return;
        event.preventDefault();
        this.#form.requestSubmit();
      },
      { signal },
    );
    session.addRealtimeDataMessageObserver(CHAT_TOPIC, {
      dataMessageDidReceived: (/** @type {import("../carillon/carillon.js").DataMessage} */ message) => {
        if (message.throttled) return this.#throttled(message.text());
        this.add(message.senderDisplayName, message.text(), message.timestampMs, false);
        received(message);
      },
    });
  }

  /** The local user's last 100 messages. The page stores them during a reload. */
  get own() {
    return this.#lines.filter(({ isOwn }) => isOwn).slice(-100).map(({ text, timestampMs }) => ({ text, timestampMs }));
  }

  /** Removes the listeners. */
  close() {
    this.#listeners.abort();
  }

  /**
   * Inserts a message into the list, ordered by time.
   * @param {string} sender
   * @param {string} text
   * @param {number} timestampMs
   * @param {boolean} isOwn
   */
  add(sender, text, timestampMs, isOwn) {
    const time = make("time", { text: timeOfDay(timestampMs), attributes: { datetime: new Date(timestampMs).toISOString() } });
    const item = make(
      "article",
      { class: isOwn ? "message own" : "message" },
      make("p", { class: "message-head" }, make("b", {}, make("bdi", { text: isOwn ? say("You") : sender })), time),
      make("p", { class: "message-text", attributes: { dir: "auto" } }, ...partsOf(text).map(nodeOf)),
    );
    const isAtEnd = this.#list.scrollHeight - this.#list.scrollTop - this.#list.clientHeight < 80;
    let at = this.#lines.length;
    while (at > 0 && (this.#lines[at - 1]?.timestampMs ?? 0) > timestampMs) at--;
    this.#list.insertBefore(item, this.#lines[at]?.item ?? null);
    this.#lines.splice(at, 0, { item, text, timestampMs, isOwn });
    if (this.#lines.length > MOST) this.#lines.shift()?.item.remove();
    this.#empty.hidden = true;
    if (isAtEnd || isOwn) this.#list.scrollTop = this.#list.scrollHeight;
  }

  /** @param {SubmitEvent} event */
  #submit(event) {
    event.preventDefault();
    const text = this.#text.value.trim();
    if (!text) return;
    try {
      this.send(text);
    } catch (error) {
      if (!(error instanceof SendDataMessageError)) throw error;
      this.#problem.textContent = say("That is too long: a message has at most 2,048 bytes. Send it in several parts.");
      this.#problem.hidden = false;
      return;
    }
    this.#problem.hidden = true;
    this.#text.value = "";
  }

  /**
   * Sends a message to everybody, and shows it.
   * @param {string} text
   * @throws {SendDataMessageError} if the message is too long
   */
  send(text) {
    this.#session.realtimeSendDataMessage(CHAT_TOPIC, text, LIFETIME_MS);
    this.add("", text, this.#nowMs(), true);
  }

  /** @param {string} written the text of a message that the server refused */
  #throttled(written) {
    const line = [...this.#lines]
      .reverse()
      .find((each) => each.isOwn && each.text === written && !each.item.classList.contains("is-throttled"));
    if (!line) return;
    line.item.classList.add("is-throttled");
    const text = say("Not sent: too much was written at once. Try again in a moment.");
    line.item.append(make("p", { class: "message-note", text }));
  }
}

/**
 * Returns the node for one part of a message. A link opens in a new tab without an opener or a
 * referrer.
 * @param {import("./links.js").Part} part
 */
function nodeOf({ text, address }) {
  if (!address) return text;
  return make("a", { text, attributes: { href: address, target: "_blank", rel: "noopener noreferrer" } });
}
