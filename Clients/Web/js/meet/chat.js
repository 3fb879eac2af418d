import { SendDataMessageError } from "../carillon/carillon.js";
import { byId, make, say, timeOfDay } from "../elements.js";
import { messageParts } from "./links.js";

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
 *
 * @typedef {object} Reading the line that the user is reading
 * @property {HTMLElement} item
 * @property {number} top the place of the line in the window, in pixels
 * @property {number} scrollTop the scroll position of the list
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
  #isShown = false;
  /** The mark before the first message that arrived while the chat was closed. */
  #mark = make("p", { class: "messages-new", text: say("New") });
  /**
   * The first message that arrived while the chat was closed.
   * @type {Line | null}
   */
  #firstUnread = null;
  #wasAtEnd = true;
  /** @type {Reading | null} */
  #reading = null;
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
   * Notes that the page shows or hides the chat. When the chat opens, it shows the messages that
   * arrived while the chat was closed. The mark before these messages disappears when the chat
   * closes again.
   * @param {boolean} isShown whether the chat is visible now
   */
  show(isShown) {
    if (isShown === this.#isShown) return;
    this.#isShown = isShown;
    if (!isShown) {
      this.#wasAtEnd = this.#isAtEnd;
      return this.#unmark();
    }
    if (this.#firstUnread) this.#list.scrollTop += this.#mark.getBoundingClientRect().top - this.#list.getBoundingClientRect().top;
    else if (this.#wasAtEnd) this.#list.scrollTop = this.#list.scrollHeight;
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
      make("div", { class: "message-text", attributes: { dir: "auto" } }, ...messageParts(text).map(nodeOf)),
    );
    const line = { item, text, timestampMs, isOwn };
    const follows = this.#isShown && (this.#isAtEnd || isOwn);
    const reading = this.#isShown && !follows ? this.#readingPlace : null;
    let at = this.#lines.length;
    while (at > 0 && (this.#lines[at - 1]?.timestampMs ?? 0) > timestampMs) at--;
    const next = this.#lines[at];
    this.#list.insertBefore(item, next && next === this.#firstUnread ? this.#mark : (next?.item ?? null));
    this.#lines.splice(at, 0, line);
    if (isOwn) {
      this.#unmark();
      this.#wasAtEnd = true;
    } else if (!this.#isShown) this.#markBefore(line);
    if (this.#lines.length > MOST) this.#lines.shift()?.item.remove();
    this.#empty.hidden = true;
    if (follows) this.#list.scrollTop = this.#list.scrollHeight;
    else if (reading?.item.isConnected) this.#keep(reading);
  }

  get #isAtEnd() {
    return this.#list.scrollHeight - this.#list.scrollTop - this.#list.clientHeight < 80;
  }

  /**
   * The line that the user is reading, and its place. Until the user scrolls, this property keeps
   * the same place: browsers round the scroll position, and the errors of several measurements
   * would add up.
   */
  get #readingPlace() {
    const { scrollTop } = this.#list;
    if (this.#reading?.scrollTop === scrollTop && this.#reading.item.isConnected) return this.#reading;
    const item = this.#firstInSight;
    return item ? { item, top: item.getBoundingClientRect().top, scrollTop } : null;
  }

  /**
   * Scrolls the list so that the line that the user is reading keeps its place.
   * @param {Reading} reading
   */
  #keep({ item, top }) {
    this.#list.scrollTop += item.getBoundingClientRect().top - top;
    this.#reading = { item, top, scrollTop: this.#list.scrollTop };
  }

  /** The first message that is not above the visible part of the list. */
  get #firstInSight() {
    const { top } = this.#list.getBoundingClientRect();
    let [from, to] = [0, this.#lines.length - 1];
    while (from < to) {
      const middle = (from + to) >> 1;
      const isAbove = (this.#lines[middle]?.item.getBoundingClientRect().bottom ?? 0) <= top;
      if (isAbove) from = middle + 1;
      else to = middle;
    }
    return this.#lines[from]?.item;
  }

  /** @param {Line} line a message that arrived while the chat is closed */
  #markBefore(line) {
    if (this.#firstUnread && this.#lines.indexOf(this.#firstUnread) < this.#lines.indexOf(line)) return;
    this.#firstUnread = line;
    line.item.before(this.#mark);
  }

  #unmark() {
    this.#firstUnread = null;
    this.#mark.remove();
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
function nodeOf({ text, address, code }) {
  if (code === "block") return make("pre", { attributes: { dir: "ltr" } }, make("code", { text }));
  if (code === "line") return make("code", { text, attributes: { dir: "ltr" } });
  if (!address) return text;
  return make("a", { text, attributes: { href: address, target: "_blank", rel: "noopener noreferrer" } });
}
