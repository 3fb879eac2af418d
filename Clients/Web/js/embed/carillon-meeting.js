/**
 * The element `<carillon-meeting>`: a meeting inside any page.
 *
 * The element shows the server's address `/embed` in a frame and exchanges messages with the frame.
 * This module imports nothing, because pages of other origins load it.
 */

const VERSION = 1;

/** How long the frame may take to load, in milliseconds. */
const LOADS_WITHIN_MS = 20_000;

/** The features of the browser that the frame needs. */
const FEATURES = "autoplay; camera; clipboard-write; display-capture; fullscreen; microphone; screen-wake-lock; speaker-selection";

const STYLES = `
  :host { display: block; position: relative; block-size: var(--carillon-height, 36rem); }
  :host([hidden]) { display: none; }
  iframe {
    box-sizing: border-box; display: block; inline-size: 100%; block-size: 100%;
    border: var(--carillon-border, 0); border-radius: var(--carillon-radius, 0);
    background: var(--carillon-background, Canvas);
  }
  [part="status"] {
    position: absolute; inset: 0; display: grid; place-content: center; margin: 0; padding: 1rem; text-align: center;
    color: var(--carillon-color, CanvasText); pointer-events: none;
  }
  [hidden] { display: none; }
`;

/** The sentences that the element shows in place of the frame, by language. */
export const sentences = Object.freeze({
  en: { loading: "The meeting is loading.", failed: "The meeting did not load." },
  de: { loading: "Die Besprechung wird geladen.", failed: "Die Besprechung wurde nicht geladen." },
  fr: { loading: "La réunion se charge.", failed: "La réunion ne s’est pas chargée." },
  es: { loading: "La reunión se está cargando.", failed: "La reunión no se ha cargado." },
});

/**
 * Returns the sentences in the first language for which there are sentences: the element's own
 * language, the languages of the browser, English.
 * @param {string} own the value of the element's attribute `lang`; empty if there is no such
 *   attribute
 * @param {readonly string[]} preferred the browser's languages, best first
 */
export function sentencesIn(own, preferred) {
  const wanted = [own, ...preferred].map((code) => code.toLowerCase().split(/[-_]/)[0] ?? "");
  const language = wanted.find((each) => Object.hasOwn(sentences, each)) ?? "en";
  return sentences[/** @type {keyof typeof sentences} */ (language)];
}

/**
 * @typedef {"loading" | "ready" | "joined" | "left" | "failed"} State
 * @typedef {{ attendeeId: string, name: string }} Participant
 * @typedef {{ Meeting: object, Attendee: object, HostToken?: string }} Credentials
 */

/** The error for a command that the frame did not carry out. */
export class CommandError extends Error {
  /**
   * @param {number} status the status, as in HTTP
   * @param {string} message
   */
  constructor(status, message) {
    super(message);
    this.name = "CommandError";
    this.status = status;
  }
}

/** A meeting in a frame. The element sends each of the frame's events as an event of the same name. */
export class CarillonMeeting extends HTMLElement {
  static observedAttributes = ["server", "meeting", "lang"];

  #root = this.attachShadow({ mode: "open" });
  #status = document.createElement("p");
  /** @type {HTMLIFrameElement | null} */
  #frame = null;
  /**
   * The commands that the frame has not answered yet.
   * @type {Map<number, { resolve: (result: any) => void, reject: (error: Error) => void }>}
   */
  #pending = new Map();
  #lastId = 0;
  /** @type {Map<string, Participant>} */
  #participants = new Map();
  /** @type {State} */
  #state = "loading";
  #microphone = false;
  #camera = false;
  /** Whether the frame loads again after this turn of the event loop. */
  #isStale = false;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #clock;
  #take = (/** @type {MessageEvent} */ message) => this.#received(message);

  constructor() {
    super();
    const styles = new CSSStyleSheet();
    styles.replaceSync(STYLES);
    this.#root.adoptedStyleSheets = [styles];
    this.#status.part.add("status");
    this.#status.setAttribute("role", "status");
    this.#root.append(this.#status);
  }

  connectedCallback() {
    addEventListener("message", this.#take);
    this.#open();
  }

  disconnectedCallback() {
    removeEventListener("message", this.#take);
    this.#close();
  }

  /**
   * @param {string} _name
   * @param {string | null} before
   * @param {string | null} after
   */
  attributeChangedCallback(_name, before, after) {
    if (before === after || !this.#frame || this.#isStale) return;
    this.#isStale = true;
    queueMicrotask(() => {
      if (this.#isStale && this.isConnected) this.#open();
    });
  }

  get #words() {
    return sentencesIn(this.lang, navigator.languages);
  }

  /** The origin of the Carillon server: the attribute `server`, or else the origin of this module. */
  get server() {
    return new URL(this.getAttribute("server") ?? import.meta.url, location.href).origin;
  }

  set server(origin) {
    this.setAttribute("server", origin);
  }

  /**
   * The meeting's name in the frame's form, and in the automatic join. If an application changes
   * the name, the element loads the frame again.
   */
  get meeting() {
    return this.getAttribute("meeting") ?? "";
  }

  set meeting(name) {
    this.setAttribute("meeting", name);
  }

  /** The user's name. With a meeting and a name, the element joins as soon as the frame is ready. */
  get displayName() {
    return this.getAttribute("display-name") ?? "";
  }

  set displayName(name) {
    this.setAttribute("display-name", name);
  }

  /** The state of the frame. */
  get state() {
    return this.#state;
  }

  /** Whether the microphone is on. */
  get microphone() {
    return this.#microphone;
  }

  /** Whether the meeting gets the camera's video. */
  get camera() {
    return this.#camera;
  }

  /** The other attendees. */
  get participants() {
    return [...this.#participants.values()];
  }

  /**
   * Joins a meeting by the meeting's name, or with the credentials that the application's server
   * got from Carillon.
   * @param {{ meeting: string, name: string, create?: boolean } | { credentials: Credentials }} how
   * @returns {Promise<{ meeting: string, meetingId: string, attendeeId: string }>}
   */
  join(how) {
    return this.#command("join", how);
  }

  /** Leaves the meeting. */
  leave() {
    return this.#command("leave");
  }

  /** @param {boolean} on */
  setMicrophone(on) {
    return this.#command("setMicrophone", { on });
  }

  /** @param {boolean} on */
  setCamera(on) {
    return this.#command("setCamera", { on });
  }

  /** @param {boolean} on */
  setScreenShare(on) {
    return this.#command("setScreenShare", { on });
  }

  /** @param {boolean} raised */
  setHand(raised) {
    return this.#command("setHand", { raised });
  }

  /** @param {string} text the text of a chat message to everybody, at most 2,048 bytes */
  sendMessage(text) {
    return this.#command("sendMessage", { text });
  }

  /** @param {"grid" | "speaker"} layout */
  setLayout(layout) {
    return this.#command("setLayout", { layout });
  }

  /** @param {"chat" | "people" | "none"} panel */
  showPanel(panel) {
    return this.#command("showPanel", { panel });
  }

  /** Returns the frame's state, with the number of messages that the frame refused. */
  getState() {
    return this.#command("getState");
  }

  #open() {
    this.#close();
    this.#show("loading", this.#words.loading);
    const frame = document.createElement("iframe");
    frame.part.add("frame");
    frame.title = this.getAttribute("label") ?? "Meeting";
    frame.allow = FEATURES;
    frame.referrerPolicy = "no-referrer";
    const address = new URL("/embed", this.server);
    address.searchParams.set("origin", location.origin);
    if (this.lang) address.searchParams.set("lang", this.lang);
    if (this.meeting) address.hash = encodeURIComponent(this.meeting);
    frame.src = address.href;
    this.#root.append(frame);
    this.#frame = frame;
    this.#clock = setTimeout(() => this.#show("failed", this.#words.failed), LOADS_WITHIN_MS);
  }

  #close() {
    this.#isStale = false;
    clearTimeout(this.#clock);
    this.#frame?.remove();
    this.#frame = null;
    this.#forget();
  }

  /** Forgets the meeting and the commands of a frame that is gone. */
  #forget() {
    this.#participants.clear();
    this.#microphone = this.#camera = false;
    for (const { reject } of this.#pending.values()) reject(new CommandError(503, "The frame is gone."));
    this.#pending.clear();
  }

  /**
   * @param {State} state
   * @param {string} [text] shown over the frame
   */
  #show(state, text = "") {
    this.#state = state;
    this.#status.hidden = !text;
    const slot = document.createElement("slot");
    slot.name = state;
    slot.textContent = text;
    this.#status.replaceChildren(slot);
  }

  /**
   * @param {string} command
   * @param {object} [values]
   * @returns {Promise<any>}
   * @throws {CommandError}
   */
  #command(command, values = {}) {
    const frame = this.#frame?.contentWindow;
    if (!frame || this.#state === "loading" || this.#state === "failed") {
      return Promise.reject(new CommandError(503, "The frame is not ready."));
    }
    const id = ++this.#lastId;
    return new Promise((resolve, reject) => {
      this.#pending.set(id, { resolve, reject });
      post(frame, { carillon: VERSION, id, command, ...values }, this.server, command === "setScreenShare");
    });
  }

  /** @param {MessageEvent} message a message from any window */
  #received({ source, origin, data }) {
    if (!this.#frame || source !== this.#frame.contentWindow || origin !== this.server) return;
    if (data?.carillon !== VERSION) return;
    if (typeof data.event === "string") this.#happened(data.event, data.detail);
    else this.#answered(data);
  }

  /** @param {{ id: number, status: number, result?: any, message?: string }} answer */
  #answered({ id, status, result, message }) {
    const pending = this.#pending.get(id);
    this.#pending.delete(id);
    if (status === 200) pending?.resolve(result);
    else pending?.reject(new CommandError(status, message ?? ""));
  }

  /**
   * @param {string} name
   * @param {any} detail
   */
  #happened(name, detail) {
    if (name === "ready") this.#ready();
    else if (name === "joined") {
      [this.#microphone, this.#camera] = [detail.microphone, detail.camera];
      this.#show("joined");
    } else if (name === "left") {
      this.#participants.clear();
      this.#microphone = this.#camera = false;
      this.#show("left");
    } else if (name === "participantJoined") this.#participants.set(detail.attendeeId, detail);
    else if (name === "participantLeft") this.#participants.delete(detail.attendeeId);
    else if (name === "microphoneChanged") this.#microphone = detail.on;
    else if (name === "cameraChanged") this.#camera = detail.on;
    else if (name !== "messageReceived") return;
    this.dispatchEvent(new CustomEvent(name, { detail }));
  }

  #ready() {
    clearTimeout(this.#clock);
    // The frame may have loaded again by itself.
    this.#forget();
    this.#show("ready");
    if (!this.meeting || !this.displayName) return;
    // The frame shows a refusal to the user.
    this.join({ meeting: this.meeting, name: this.displayName }).catch(() => undefined);
  }
}

/**
 * Sends a command to the frame.
 * @param {Window} frame
 * @param {object} message
 * @param {string} targetOrigin
 * @param {boolean} capturesScreen whether the user's click in this page lets the frame ask for a screen
 */
function post(frame, message, targetOrigin, capturesScreen) {
  if (capturesScreen && /** @type {any} */ (navigator).userActivation?.isActive) {
    try {
      return frame.postMessage(message, /** @type {any} */ ({ targetOrigin, delegate: "display-capture" }));
    } catch {
      // This browser cannot pass the permission of a click on to a frame.
    }
  }
  frame.postMessage(message, targetOrigin);
}

// A page may load this module from two servers.
if (!customElements.get("carillon-meeting")) customElements.define("carillon-meeting", CarillonMeeting);
