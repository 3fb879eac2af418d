import { byId } from "../elements.js";
import { Announcer } from "./announcer.js";
import { isTold, soundOf } from "./choices.js";
import { LaterPart } from "./later-part.js";

/** Announces news in the page's only live region, one item at a time, and plays sounds for news. */
export class Speech {
  #announcer = new Announcer();
  #place = byId("announcer", HTMLElement);
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #clock;
  #sounds = new LaterPart(async () => new (await import("./news-sounds.js")).NewsSounds(), () => undefined);
  #isClosed = false;

  /** @param {import("./announcer.js").News} news */
  tell(news) {
    if (!isTold(news.kind)) return;
    this.#announcer.tell(news, performance.now());
    this.#wait();
  }

  /**
   * Plays the sound for news of other attendees, unless the user turned off the sounds of this
   * kind.
   * @param {string} kind
   * @param {number} people the number of people in the meeting
   * @param {string} speaker the id of the speaker
   */
  async play(kind, people, speaker) {
    const sound = soundOf(kind, people);
    if (!sound) return;
    const sounds = await this.#sounds.get();
    if (!this.#isClosed) await sounds?.play(sound, speaker);
  }

  /** Stops the announcements of news. */
  close() {
    this.#isClosed = true;
    this.#sounds.ifLoaded((sounds) => sounds.close());
    clearTimeout(this.#clock);
    this.#place.textContent = "";
  }

  #wait() {
    clearTimeout(this.#clock);
    const due = this.#announcer.dueAt;
    if (due !== null) this.#clock = setTimeout(() => this.#say(), Math.max(0, Math.ceil(due - performance.now())));
  }

  #say() {
    const text = this.#announcer.take(performance.now());
    // Screen readers read a new node even if the text did not change.
    if (text) this.#place.replaceChildren(text);
    this.#wait();
  }
}
