import { ControlError } from "../control-api.js";
import { byId, focusOn, make, regionalLocale, say } from "../elements.js";
import { CaptionLog } from "./caption-log.js";
import { captionSize } from "./choices.js";
import { isolated } from "./names.js";

/** @typedef {import("../carillon/meeting/transcript.js").TranscriptEvent} TranscriptEvent */

/** The captions panel: shows the transcript and the choice of its language. */
export class Captions {
  #api;
  #meetingId;
  #view = byId("captions", HTMLElement);
  #lines = byId("caption-lines", HTMLElement);
  #status = byId("captions-status", HTMLElement);
  #language = byId("language", HTMLSelectElement);
  #stop = byId("captions-stop", HTMLButtonElement);
  #toggle = byId("captions-toggle", HTMLButtonElement);
  #close = make("button", { class: "button quiet small", text: say("Close"), attributes: { type: "button", id: "captions-close" } });
  #log = new CaptionLog();
  /** @type {Map<string, HTMLElement>} */
  #items = new Map();
  #tell;
  #isRunning = false;
  #listeners = new AbortController();

  /**
   * @param {import("../control-api.js").ControlAPI} api
   * @param {string} meetingId
   * @param {string[]} languages the languages that the server can transcribe
   * @param {(text: string) => void} tell announces a final caption if the user has chosen this
   */
  constructor(api, meetingId, languages, tell) {
    this.#tell = tell;
    this.#api = api;
    this.#meetingId = meetingId;
    const names = new Intl.DisplayNames([regionalLocale(), "en"], { type: "language" });
    this.#language.replaceChildren(
      ...languages.map((code) => make("option", { text: nameOf(names, code), attributes: { value: code } })),
    );
    this.#lines.replaceChildren();
    this.#view.dataset["size"] = captionSize();
    const { signal } = this.#listeners;
    this.#language.addEventListener("change", () => void this.#start(), { signal });
    this.#stop.after(this.#close);
    this.#close.addEventListener("click", () => this.#hide(), { signal });
    this.#stop.addEventListener("click", () => void this.#end(), { signal });
  }

  /**
   * Shows an event of the transcript.
   * @param {TranscriptEvent} event
   */
  take(event) {
    if (event.kind === "status") this.#told(event);
    else event.results.forEach((result) => this.#hear(result));
  }

  /** Hides the panel and removes the listeners. */
  close() {
    this.#open(false);
    this.#close.remove();
    this.#listeners.abort();
  }

  /** Shows or hides the panel. The first call also starts the transcription. */
  async toggle() {
    const opens = this.#view.hidden;
    this.#open(opens);
    if (opens && !this.#isRunning) await this.#start();
  }

  /** Hides the panel. The focus returns to the button that shows the panel. */
  #hide() {
    this.#open(false);
    focusOn(this.#toggle);
  }

  /** @param {boolean} isOpen */
  #open(isOpen) {
    this.#view.hidden = !isOpen;
    this.#toggle.setAttribute("aria-pressed", `${isOpen}`);
  }

  #start() {
    this.#say(say("Starting…"));
    return this.#call("PUT", { LanguageCode: this.#language.value });
  }

  #end() {
    return this.#call("DELETE");
  }

  /**
   * @param {string} method
   * @param {unknown} [body]
   */
  async #call(method, body) {
    const path = `/carillon/v1/web/meetings/${encodeURIComponent(this.#meetingId)}/transcription`;
    try {
      await this.#api.call(method, path, body);
    } catch (error) {
      if (!(error instanceof ControlError)) throw error;
      this.#say(error.message);
    }
  }

  /** @param {import("../carillon/meeting/transcript.js").TranscriptionStatus} status */
  #told(status) {
    this.#isRunning = status.type === "started" || status.type === "resumed" || status.type === "interrupted";
    const code = languageOf(status.transcriptionConfiguration);
    if (code && [...this.#language.options].some(({ value }) => value === code)) this.#language.value = code;
    this.#say(
      {
        started: say("Listening"),
        resumed: say("Listening"),
        interrupted: say("Interrupted; it goes on by itself."),
        stopped: say("Captions are off."),
        failed: `${say("Captions failed.")} ${status.message ?? ""}`.trim(),
      }[status.type],
    );
  }

  /** @param {import("../carillon/meeting/transcript.js").TranscriptResult} result */
  #hear(result) {
    const caption = this.#log.take(result);
    if (!caption) return;
    const known = this.#items.get(caption.resultId);
    const item =
      known ?? make("p", { class: "caption-line" }, make("b", {}, make("bdi"), ":"), " ", make("bdi", { class: "caption-text" }));
    item.classList.toggle("is-partial", caption.isPartial);
    // A partial caption changes with every word, so screen readers read a caption only when it is
    // final.
    item.setAttribute("aria-hidden", `${caption.isPartial}`);
    const [speaker, name, text] = ["b", "b bdi", ".caption-text"].map((place) => item.querySelector(place));
    speaker?.toggleAttribute("hidden", !caption.speaker);
    if (name) name.textContent = caption.speaker;
    if (text) text.textContent = caption.text;
    this.#announce(caption);
    if (!known) {
      this.#items.set(caption.resultId, item);
      this.#lines.append(item);
    }
    const shown = new Set(this.#log.captions.map(({ resultId }) => resultId));
    for (const [resultId, old] of this.#items) {
      if (shown.has(resultId)) continue;
      old.remove();
      this.#items.delete(resultId);
    }
    this.#lines.scrollTop = this.#lines.scrollHeight;
  }

  /**
   * Announces a final caption while the panel is open.
   * @param {import("./caption-log.js").Caption} caption
   */
  #announce({ isPartial, speaker, text }) {
    if (isPartial || this.#view.hidden) return;
    this.#tell(speaker ? `${isolated(speaker)}: ${isolated(text)}` : text);
  }

  /** @param {string} text */
  #say(text) {
    this.#status.textContent = text;
  }
}

/**
 * @param {Intl.DisplayNames} names
 * @param {string} code
 */
function nameOf(names, code) {
  try {
    return names.of(code) ?? code;
  } catch {
    return code;
  }
}

/** @param {string} configuration JSON that contains the language */
function languageOf(configuration) {
  return /"[Ll]anguageCode"\s*:\s*"([^"]+)"/.exec(configuration)?.[1] ?? "";
}
