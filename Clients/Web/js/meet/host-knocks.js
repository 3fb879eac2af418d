/** Shows the hosts of a locked meeting a list of the people who wait for admission. */
import { ControlError } from "../control-api.js";
import { make, say } from "../elements.js";
import { isolated } from "./names.js";
import { NewsSounds } from "./news-sounds.js";

/**
 * The interval at which the page asks the server who waits, in milliseconds. After each request,
 * the server treats the host as present for 15 s.
 */
const ASK_MS = 4_000;

/** The shortest time between two announcements with a sound, in milliseconds. */
const QUIET_MS = 10_000;

/**
 * The largest number of people that the page shows at the same time. The heading states the number
 * of all waiting people.
 */
const MOST_SHOWN = 5;

/**
 * @typedef {{ KnockId: string, DisplayName: string }} Knock
 *
 * @typedef {object} KnockDesk
 * @property {() => Promise<{ Knocks: Knock[] }>} knocks
 * @property {(knockId: string, admits: boolean) => Promise<unknown>} answerKnock
 */

/** Shows the people who wait, each with the buttons Admit and Deny. */
export class KnocksView {
  #desk;
  #say;
  #read;
  #speaker;
  #sounds = new NewsSounds();
  #heading = make("h2", { attributes: { id: "knocks-title" } });
  #list = make("ul", { class: "host-people" });
  #view = make("section", { class: "card knocks", attributes: { "aria-labelledby": "knocks-title", hidden: "" } }, this.#heading, this.#list);
  /** @type {Set<string>} */
  #known = new Set();
  #quietUntil = -Infinity;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #clock;
  #isClosed = false;

  /**
   * @param {KnockDesk} desk
   * @param {(text: string) => void} say shows a text and reads it out
   * @param {(text: string) => void} read reads a text out
   * @param {() => string} speaker the id of the speaker for the sound
   * @param {AbortSignal} signal when aborted, removes the view
   */
  constructor(desk, say, read, speaker, signal) {
    this.#desk = desk;
    this.#say = say;
    this.#read = read;
    this.#speaker = speaker;
    document.getElementById("room")?.append(this.#view);
    signal.addEventListener("abort", () => this.#close());
    void this.#ask();
  }

  #close() {
    this.#isClosed = true;
    clearTimeout(this.#clock);
    this.#sounds.close();
    this.#view.remove();
  }

  async #ask() {
    clearTimeout(this.#clock);
    try {
      const { Knocks: knocks } = await this.#desk.knocks();
      if (!this.#isClosed) this.#show(knocks);
    } catch (error) {
      if (!(error instanceof ControlError)) throw error;
      // The host token has expired or is invalid, or the meeting has ended.
      if ([401, 403, 404].includes(error.status)) return this.#close();
    }
    if (!this.#isClosed) this.#clock = setTimeout(() => void this.#ask(), ASK_MS);
  }

  /** @param {Knock[]} knocks */
  #show(knocks) {
    this.#announce(knocks);
    const hadFocus = this.#view.contains(document.activeElement);
    const rows = new Map([...this.#list.querySelectorAll("li")].map((row) => [row.dataset["knock"], row]));
    const shown = knocks.slice(0, MOST_SHOWN);
    for (const knock of shown) {
      if (!rows.delete(knock.KnockId)) this.#list.append(this.#row(knock));
    }
    for (const row of rows.values()) row.remove();
    this.#heading.textContent = sentence(knocks);
    this.#view.hidden = knocks.length === 0;
    if (hadFocus && !this.#view.contains(document.activeElement)) this.#focusNext();
  }

  /**
   * Announces newly waiting people with one sentence and one sound. The sentence contains the
   * number of these people.
   * @param {Knock[]} knocks
   */
  #announce(knocks) {
    const isNew = knocks.some(({ KnockId }) => !this.#known.has(KnockId));
    if (isNew && performance.now() < this.#quietUntil) return;
    this.#known = new Set(knocks.map(({ KnockId }) => KnockId));
    if (!isNew) return;
    this.#quietUntil = performance.now() + QUIET_MS;
    // The heading shows this text.
    this.#read(sentence(knocks));
    void this.#sounds.play("knock", this.#speaker());
  }

  /** @param {Knock} knock */
  #row({ KnockId, DisplayName }) {
    const row = make(
      "li",
      {},
      make("bdi", { text: DisplayName }),
      make(
        "span",
        {},
        this.#button(say("Admit"), say("Admit {name}", { name: DisplayName }), KnockId, true),
        this.#button(say("Deny"), say("Deny {name}", { name: DisplayName }), KnockId, false),
      ),
    );
    row.dataset["knock"] = KnockId;
    return row;
  }

  /**
   * @param {string} text
   * @param {string} label the label for screen readers
   * @param {string} id
   * @param {boolean} admits
   */
  #button(text, label, id, admits) {
    const attributes = { type: "button", "aria-label": label };
    const button = make("button", { class: "button small", text, attributes });
    button.addEventListener("click", () => void this.#answer(id, admits));
    return button;
  }

  /**
   * @param {string} id
   * @param {boolean} admits
   */
  async #answer(id, admits) {
    try {
      await this.#desk.answerKnock(id, admits);
    } catch (error) {
      if (!(error instanceof ControlError)) throw error;
      this.#say(error.status === 404 ? say("This person does not wait any more.") : error.message);
    }
    await this.#ask();
  }

  #focusNext() {
    const next = this.#view.hidden ? document.getElementById("mute") : this.#list.querySelector("button");
    next?.focus();
  }
}

/** @param {Knock[]} knocks */
function sentence(knocks) {
  const [first] = knocks;
  if (!first) return "";
  return knocks.length === 1
    ? say("{name} asks to be let in.", { name: isolated(first.DisplayName) })
    : say("{count, plural, one {# person asks to be let in.} other {# people ask to be let in.}}", { count: knocks.length });
}
