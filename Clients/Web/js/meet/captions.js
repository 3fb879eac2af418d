import { ControlAPI, ControlError } from "../control-api.js";
import { byId, focusOn, make, regionalLocale, say, sayMessage } from "../elements.js";
import { CaptionLog } from "./caption-log.js";
import { captionSize } from "./choices.js";
import { isolated } from "./names.js";

/**
 * @typedef {import("../carillon/meeting/transcript.js").TranscriptEvent} TranscriptEvent
 *
 * @typedef {object} CaptionRights
 * @property {string} meetingId
 * @property {string} joinToken
 * @property {() => string | null | undefined} hostToken the host token, if the user is a host now
 */

/**
 * While the user may not start and stop captions, the page asks the server again after this time, in
 * milliseconds, because the hosts may have left.
 */
const ASK_AGAIN_MS = 15_000;

/** The captions panel: shows the transcript and the choice of the transcript's language. */
export class Captions {
  #api = new ControlAPI();
  #rights;
  #view = byId("captions", HTMLElement);
  #lines = byId("caption-lines", HTMLElement);
  #status = byId("captions-status", HTMLElement);
  #language = byId("language", HTMLSelectElement);
  #stop = byId("captions-stop", HTMLButtonElement);
  #toggle = byId("captions-toggle", HTMLButtonElement);
  #close = make("button", { class: "button quiet small", text: say("Close"), attributes: { type: "button", id: "captions-close" } });
  /** The sentence that says why the user may not start and stop captions. */
  #why = make("p", { attributes: { id: "captions-why" } });
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #clock;
  #log = new CaptionLog();
  /** Keeps the newest caption in sight when the size of the panel changes. */
  #resizes = new ResizeObserver(() => this.#scrollToEnd());
  /** @type {Map<string, HTMLElement>} */
  #items = new Map();
  #tell;
  #isRunning = false;
  #listeners = new AbortController();

  /**
   * @param {CaptionRights} rights
   * @param {string[]} languages the languages that the server can transcribe
   * @param {(text: string) => void} tell announces a final caption if the user has chosen this
   */
  constructor(rights, languages, tell) {
    this.#tell = tell;
    this.#rights = rights;
    const names = new Intl.DisplayNames([regionalLocale(), "en"], { type: "language" });
    this.#language.replaceChildren(
      ...languages.map((code) => make("option", { text: nameOf(names, code), attributes: { value: code } })),
    );
    this.#lines.replaceChildren();
    this.#view.dataset["size"] = captionSize();
    this.#resizes.observe(this.#lines);
    const { signal } = this.#listeners;
    this.#language.addEventListener("change", () => void this.#start(), { signal });
    this.#stop.after(this.#why);
    this.#status.after(this.#close);
    this.#permit(true);
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
    this.#why.remove();
    this.#resizes.disconnect();
    this.#listeners.abort();
  }

  /** Shows or hides the panel. The first call also starts the transcription. */
  async toggle() {
    const opens = this.#view.hidden;
    this.#open(opens);
    if (!opens) return;
    if (this.#isRunning) await this.#askRight();
    else await this.#start();
  }

  /**
   * Asks the server whether the user may start and stop captions. A host always may.
   */
  async #askRight() {
    clearTimeout(this.#clock);
    const { isHost, path } = this.#place();
    try {
      this.#permit(isHost || (await this.#api.get(path)).MaySwitch === true);
    } catch (error) {
      if (!(error instanceof ControlError)) throw error;
      // The answer to the next change says whether the server permits the change.
      this.#permit(true);
    }
  }

  /**
   * Shows the controls that start and stop captions, or a sentence instead of these controls.
   * @param {boolean} isPermitted
   */
  #permit(isPermitted) {
    clearTimeout(this.#clock);
    const controls = [this.#language, this.#stop, ...(this.#language.labels ?? [])];
    const hadFocus = controls.some((control) => control === document.activeElement);
    for (const control of controls) control.hidden = !isPermitted;
    this.#why.textContent = isPermitted ? "" : say("While a host is present, only hosts start and stop captions.");
    this.#why.hidden = isPermitted;
    if (hadFocus && !isPermitted) this.#close.focus();
    if (!isPermitted && !this.#view.hidden) this.#clock = setTimeout(() => void this.#askRight(), ASK_AGAIN_MS);
  }

  /** Returns the path of the requests, and sets the token of the requests. */
  #place() {
    const { meetingId, joinToken, hostToken } = this.#rights;
    const token = hostToken();
    this.#api.key = token || joinToken;
    const path = `/carillon/v1/${token ? "host" : "web"}/meetings/${encodeURIComponent(meetingId)}/transcription`;
    return { isHost: Boolean(token), path };
  }

  /** Hides the panel. The focus returns to the button that shows the panel. */
  #hide() {
    this.#open(false);
    focusOn(this.#toggle);
  }

  /** @param {boolean} isOpen */
  #open(isOpen) {
    this.#view.hidden = !isOpen;
    if (!isOpen) clearTimeout(this.#clock);
    this.#toggle.setAttribute("aria-pressed", `${isOpen}`);
  }

  #start() {
    this.#say(say("Starting…"), true);
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
    const { isHost, path } = this.#place();
    try {
      await this.#api.call(method, path, body);
      this.#permit(true);
    } catch (error) {
      if (!(error instanceof ControlError)) throw error;
      const isRefused = error.status === 403 && !isHost;
      if (isRefused) await this.#askRight();
      if (this.#why.hidden) this.#say(error.message);
      else if (!this.#isRunning) this.#say(say("Captions are off."));
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
        failed: `${say("Captions failed.")} ${sayMessage(status.message ?? "")}`.trim(),
      }[status.type],
      status.type === "started" || status.type === "resumed",
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
    this.#scrollToEnd();
  }

  #scrollToEnd() {
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

  /**
   * Shows the status of the captions.
   * @param {string} text
   * @param {boolean} [isUsual] whether a small window may hide the text while captions are shown
   */
  #say(text, isUsual = false) {
    this.#status.textContent = text;
    this.#status.classList.toggle("is-usual", isUsual);
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
