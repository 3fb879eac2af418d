import { ControlError } from "../control-api.js";
import { brand, byId, keepInView, make, offerFocus, say } from "../elements.js";
import { meetingOfText, newMeetingName } from "./meeting-name.js";
import { prefer, preference } from "./kept.js";

/**
 * @typedef {object} Entry
 * @property {any} Meeting
 * @property {any} Attendee
 * @property {string} [Name] the meeting's name as the user typed it
 * @property {string | undefined} [HostToken] if the user is a host
 */

/** The form that asks for the meeting and the user's name. */
export class Lobby {
  #api;
  #enter;
  #view = byId("lobby", HTMLElement);
  #form = byId("lobby-form", HTMLFormElement);
  #meeting = byId("meeting", HTMLInputElement);
  #name = byId("name", HTMLInputElement);
  #keyField = byId("key-field", HTMLElement);
  #key = byId("key", HTMLInputElement);
  #problem = byId("lobby-problem", HTMLElement);
  #join = byId("join", HTMLButtonElement);
  #create = byId("create", HTMLButtonElement);

  /** @type {AbortController | null} ends the wait at a locked meeting */
  #waiting = null;

  /**
   * Whether a user needs the key to start a meeting. A user needs no key to join a running meeting.
   */
  #isKeyed = false;

  /**
   * @param {import("../control-api.js").ControlAPI} api
   * @param {(entry: Entry) => void} enter called with the meeting and the attendee
   */
  constructor(api, enter) {
    this.#api = api;
    this.#enter = enter;
    this.#form.addEventListener("submit", (event) => {
      event.preventDefault();
      void this.#submit(false);
    });
    this.#create.addEventListener("click", () => {
      if (!this.#meeting.value.trim()) this.#meeting.value = newMeetingName();
      void this.#submit(true);
    });
    this.#name.value = preference("name");
  }

  /**
   * Shows the form.
   * @param {string} meeting the meeting whose name the form contains at first
   * @returns {Promise<void>} resolves when the server has answered who may use the lobby
   */
  open(meeting) {
    this.#view.hidden = false;
    document.title = brand;
    if (meeting) this.#meeting.value = meeting;
    offerFocus(this.#meeting.value ? this.#name : this.#meeting);
    return this.#askMode();
  }

  /** Hides the form. */
  close() {
    this.#view.hidden = true;
    this.#waiting?.abort();
    this.tell(null);
  }

  /**
   * Asks the server for an attendee, as the button Join does. The form shows the requested meeting
   * and name, and any refusal, so that the user can act on the refusal.
   * @param {{ meeting: string, name: string, create?: boolean }} wish
   * @returns {Promise<Entry>}
   * @throws {ControlError}
   */
  async ask({ meeting, name, create = false }) {
    [this.#meeting.value, this.#name.value] = [meeting, name];
    try {
      const entry = await this.#api.call("POST", "/carillon/v1/web/join", { Meeting: meeting, Name: name, Create: create });
      entry.Meeting.Name = entry.Name;
      return entry;
    } catch (error) {
      if (error instanceof ControlError) this.#failed(error, meeting, name);
      throw error;
    }
  }

  /** Asks the server who may use the lobby. */
  async #askMode() {
    try {
      const { Lobby: mode } = await this.#api.get("/carillon/v1/web");
      this.#keyField.hidden = mode !== "key";
      this.#isKeyed = mode === "key";
      if (mode === "off") {
        this.tell(say("The lobby of this server is closed. Ask whoever runs it for a link of your application."));
        this.#join.disabled = this.#create.disabled = true;
      }
    } catch (error) {
      if (error instanceof ControlError) this.tell(error.message);
      else throw error;
    }
  }

  /** @param {boolean} isNew whether to create the meeting if it does not exist */
  async #submit(isNew) {
    const meeting = meetingOfText(this.#meeting.value);
    const name = this.#name.value.trim();
    this.#api.key = this.#key.value.trim();
    for (const input of [this.#meeting, this.#name, this.#key]) input.removeAttribute("aria-invalid");
    if (meeting.length < 2) return this.#refuse(this.#meeting, say("Say which meeting: its name has at least two characters."));
    if (!name) return this.#refuse(this.#name, say("Say who you are: your name is shown to the others."));
    if (isNew && this.#isKeyed && !this.#api.key) {
      return this.#refuse(this.#key, say("Starting a meeting takes the key of this server."));
    }
    this.tell(null);
    this.#waiting?.abort();
    const focused = document.activeElement;
    this.#join.disabled = this.#create.disabled = true;
    try {
      const body = { Meeting: meeting, Name: name, Create: isNew };
      const entry = await this.#api.call("POST", "/carillon/v1/web/join", body);
      this.#admitted(entry, name);
    } catch (error) {
      if (!(error instanceof ControlError)) throw error;
      this.#failed(error, meeting, name);
    } finally {
      this.#join.disabled = this.#create.disabled = false;
      // The pressed button lost the focus when it was disabled.
      if (document.activeElement === document.body) {
        [this.#join, this.#create].find((button) => button === focused)?.focus();
      }
    }
  }

  /**
   * @param {Entry} entry
   * @param {string} name
   */
  #admitted(entry, name) {
    prefer("name", name);
    entry.Meeting.Name = entry.Name;
    this.#enter(entry);
  }

  /**
   * Asks a host of a locked meeting to let the user in.
   * @param {string} meeting
   * @param {string} name
   */
  async #knock(meeting, name) {
    const waiting = (this.#waiting = new AbortController());
    const { knock } = await import("./knock.js");
    const tell = this.tell.bind(this);
    const entry = await knock(this.#api, { Meeting: meeting, Name: name }, tell, waiting);
    if (entry && !waiting.signal.aborted) this.#admitted(entry, name);
  }

  /**
   * @param {ControlError} error
   * @param {string} meeting
   * @param {string} name
   */
  #failed(error, meeting, name) {
    if (error.status === 404) {
      const text = say("Start “{meeting}” now", { meeting });
      const start = make("button", { class: "button small", text, attributes: { type: "button" } });
      start.addEventListener("click", () => void this.#submit(true));
      this.tell(`${say("There is no meeting “{meeting}”.", { meeting })} `, start);
    } else if (error.status === 401 || error.status === 403) {
      if (this.#keyField.hidden) this.tell(error.message);
      else this.#refuse(this.#key, say("That is not the key of this server."));
    } else {
      this.tell(error.message);
      if (error.status === 422) this.#knock(meeting, name).catch(() => this.tell(say("The page did not load as a whole. Load it again.")));
    }
  }

  /**
   * @param {HTMLInputElement} input
   * @param {string} problem
   */
  #refuse(input, problem) {
    input.setAttribute("aria-invalid", "true");
    this.tell(problem);
    input.focus();
  }

  /**
   * Shows a problem. If there is no problem, hides the earlier problem.
   * @param {string | null} problem
   * @param {...Node} more
   */
  tell(problem, ...more) {
    this.#problem.hidden = problem === null;
    this.#problem.replaceChildren(make("p", { text: problem ?? "" }), ...more);
    if (problem !== null) keepInView(this.#problem);
  }
}
