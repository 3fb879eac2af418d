/** The controls of a host. The page loads these controls only for users with a host token. */
import { baseOfId } from "../carillon/carillon.js";
import { ControlAPI, ControlError } from "../control-api.js";
import { icon, make, say } from "../elements.js";
import { HAND_TOPIC, LOWERED_TOPIC } from "./hands.js";
import { linkTo } from "./meeting-name.js";
import { KnocksView } from "./host-knocks.js";
import { isolated } from "./names.js";

/** @typedef {import("../carillon/meeting/roster.js").RosterEntry} RosterEntry */

/** The requests that a host sends to the server. */
class HostDesk {
  #api = new ControlAPI();
  #path;

  /**
   * @param {string} meetingId
   * @param {string} token
   */
  constructor(meetingId, token) {
    this.#api.key = token;
    this.#path = `/carillon/v1/host/meetings/${encodeURIComponent(meetingId)}`;
  }

  /** @param {string} attendeeId */
  mute(attendeeId) {
    return this.#actOn(attendeeId, "mute");
  }

  /** @param {string} attendeeId */
  askToUnmute(attendeeId) {
    return this.#actOn(attendeeId, "ask-to-unmute");
  }

  /** @param {string} attendeeId */
  lowerHand(attendeeId) {
    return this.#actOn(attendeeId, "lower-hand");
  }

  lowerAllHands() {
    return this.#api.call("POST", `${this.#path}/lower-hands`);
  }

  /** @param {string} ownId the attendee whom the request does not mute */
  muteOthers(ownId) {
    return this.#api.call("POST", `${this.#path}/mute`, { ExceptAttendeeIds: [ownId] });
  }

  /** @param {string} attendeeId */
  appoint(attendeeId) {
    return this.#actOn(attendeeId, "appoint");
  }

  /** @param {string} attendeeId */
  remove(attendeeId) {
    return this.#actOn(attendeeId, "remove");
  }

  /**
   * @param {string} attendeeId
   * @param {string} act the last part of the request's path
   */
  #actOn(attendeeId, act) {
    return this.#api.call("POST", `${this.#path}/attendees/${encodeURIComponent(attendeeId)}/${act}`);
  }

  /** @param {boolean} isLocked */
  lock(isLocked) {
    return this.#api.call("PUT", `${this.#path}/lock`, { Locked: isLocked });
  }

  /** @returns {Promise<{ Knocks: import("./host-knocks.js").Knock[] }>} */
  knocks() {
    return this.#api.get(`${this.#path}/knocks`);
  }

  /**
   * @param {string} knockId
   * @param {boolean} admits
   */
  answerKnock(knockId, admits) {
    return this.#api.call("POST", `${this.#path}/knocks`, { KnockId: knockId, Admit: admits });
  }

  end() {
    return this.#api.call("DELETE", this.#path);
  }
}

/**
 * @typedef {object} HostPlace
 * @property {string} meetingId
 * @property {string} ownId
 * @property {string} token
 * @property {string} link the link to the meeting, without a token
 * @property {(text: string) => void} say shows a text and reads it out
 * @property {(text: string) => void} read reads a text out
 * @property {() => string} speaker the id of the chosen speaker
 * @property {() => ReadonlyMap<string, number>} hands the attendees with a raised hand
 *
 * @typedef {object} HostRow
 * @property {HTMLLIElement} item
 * @property {(attendee: RosterEntry) => void} show enables and disables the buttons
 */

/**
 * Adds the controls of a host to a room.
 * @param {import("../carillon/meeting/audio-video.js").AudioVideo} session
 * @param {import("./room.js").Room} room
 * @param {string} token
 * @param {Pick<HostPlace, "say" | "read" | "speaker" | "hands">} news shows texts to the user, and
 *   knows the raised hands
 * @param {AbortSignal} signal when aborted, removes the controls
 */
export function add(session, { entry, name }, token, news, signal) {
  if (signal.aborted) return;
  const href = new URL("../../css/host.css", import.meta.url).pathname;
  const styles = make("link", { attributes: { rel: "stylesheet", href } });
  document.head.append(styles);
  signal.addEventListener("abort", () => styles.remove());
  const [meetingId, ownId] = [entry.Meeting.MeetingId, entry.Attendee.AttendeeId];
  new HostControls(session, { meetingId, ownId, token, link: linkTo(location, name), ...news }, signal);
}

/** The button of a host in the bar, and the dialog that the button opens. */
class HostControls {
  #session;
  #place;
  #desk;
  #list = make("ul", { class: "host-people" });
  /** @type {Map<string, HostRow>} */
  #rows = new Map();
  #dialog = make("dialog", { class: "card host", attributes: { "aria-labelledby": "host-title" } });
  #button = make(
    "button",
    { class: "control", attributes: { id: "host", type: "button", "aria-haspopup": "dialog" } },
    icon("host"),
    make("span", { class: "label", text: say("Host") }),
  );

  /**
   * @param {import("../carillon/meeting/audio-video.js").AudioVideo} session
   * @param {HostPlace} place
   * @param {AbortSignal} signal when aborted, removes the controls
   */
  constructor(session, place, signal) {
    this.#session = session;
    this.#place = place;
    this.#desk = new HostDesk(place.meetingId, place.token);
    new KnocksView(this.#desk, place.say, place.read, place.speaker, signal);
    this.#fill();
    this.#button.addEventListener("click", () => this.#open());
    document.getElementById("leave")?.before(this.#button);
    document.getElementById("room")?.append(this.#dialog);
    signal.addEventListener("abort", () => {
      this.#button.remove();
      this.#dialog.remove();
    });
    const refresh = () => this.#refresh();
    session.addRealtimeObserver({
      attendeesDidJoin: refresh,
      attendeesDidLeave: refresh,
      attendeesDidDrop: refresh,
      attendeesDidMute: refresh,
      attendeesDidUnmute: refresh,
    });
    for (const topic of [HAND_TOPIC, LOWERED_TOPIC]) {
      session.addRealtimeDataMessageObserver(topic, { dataMessageDidReceived: refresh });
    }
  }

  /**
   * Returns a row with a host's buttons for one attendee.
   * @param {RosterEntry} attendee
   * @returns {HostRow}
   */
  #row({ attendeeId: id, displayName }) {
    const name = isolated(displayName);
    const mute = this.#act(say("Mute"), async () => {
      await this.#desk.mute(id);
      return say("{name} is muted and can unmute.", { name });
    });
    mute.setAttribute("aria-label", say("Mute {name}", { name: displayName }));
    const ask = this.#act(say("Ask to unmute"), async () => {
      await this.#desk.askToUnmute(id);
      return say("{name} is asked to unmute.", { name });
    });
    ask.setAttribute("aria-label", say("Ask {name} to unmute", { name: displayName }));
    const lower = this.#act(say("Lower hand"), async () => {
      await this.#desk.lowerHand(id);
      return say("The hand of {name} is lowered.", { name });
    });
    lower.setAttribute("aria-label", say("Lower the hand of {name}", { name: displayName }));
    const appoint = this.#act(say("Make host"), async () => {
      const consequence = say("{name} gets the rights of a host for 24 hours. Nobody can take these rights back.", { name });
      if (!(await confirmed(say("Make {name} a host?", { name }), say("Make host"), consequence))) return "";
      await this.#desk.appoint(id);
      return say("{name} is appointed as a host.", { name });
    });
    appoint.setAttribute("aria-label", say("Make {name} a host", { name: displayName }));
    const remove = this.#act(say("Remove"), async () => {
      const consequence = say("{name} cannot join this meeting again.", { name });
      if (!(await confirmed(say("Remove {name}?", { name }), say("Remove"), consequence))) return "";
      await this.#desk.remove(id);
      return say("{name} is removed.", { name });
    });
    remove.setAttribute("aria-label", say("Remove {name}", { name: displayName }));
    const item = make("li", {}, make("bdi", { text: displayName }), mute, ask, lower, appoint, remove);
    item.dataset["attendee"] = id;
    const show = (/** @type {RosterEntry} */ { isMuted }) => {
      mute.disabled = isMuted;
      setAvailable(ask, isMuted);
      setAvailable(lower, this.#place.hands().has(id));
    };
    return { item, show };
  }

  #fill() {
    const close = make("button", { class: "button", text: say("Close"), attributes: { type: "button", id: "host-close" } });
    close.addEventListener("click", () => this.#dialog.close());
    this.#dialog.append(
      make("h2", { text: say("Host"), attributes: { id: "host-title" } }),
      make("div", { class: "scrolls" }, make("div", { class: "buttons" }, ...this.#meetingActions()), this.#list),
      close,
    );
  }

  #meetingActions() {
    const { ownId, link, token } = this.#place;
    return [
      this.#act(say("Mute all others"), async () => {
        const { Muted: count } = await this.#desk.muteOthers(ownId);
        return say("Attendees muted: {count}. They can unmute.", { count });
      }),
      this.#act(say("Lower all hands"), async () => {
        await this.#desk.lowerAllHands();
        return say("All hands are lowered.");
      }),
      this.#act(say("Lock"), async () => {
        await this.#desk.lock(true);
        return say("The meeting is locked. Others can join only if a host admits them.");
      }),
      this.#act(say("Unlock"), async () => {
        await this.#desk.lock(false);
        return say("The meeting is unlocked.");
      }),
      this.#act(say("Copy host link"), async () => {
        await navigator.clipboard.writeText(`${link}&host=${token}`);
        return say("The host link is copied. Anyone who has this link is a host.");
      }),
      this.#act(say("End for all"), async () => {
        const consequence = say("The meeting ends for everybody.");
        if (await confirmed(say("End the meeting for all?"), say("End"), consequence)) await this.#desk.end();
        return "";
      }),
    ];
  }

  /**
   * Returns a button that calls `deed`, and then announces the text that `deed` returns.
   * @param {string} text
   * @param {() => Promise<string>} deed
   */
  #act(text, deed) {
    const button = make("button", { class: "button small", text, attributes: { type: "button" } });
    button.addEventListener("click", () => {
      if (button.getAttribute("aria-disabled") !== "true") void this.#do(deed);
    });
    return button;
  }

  /** @param {() => Promise<string>} deed */
  async #do(deed) {
    try {
      const outcome = await deed();
      if (outcome) this.#place.say(outcome);
    } catch (error) {
      if (error instanceof ControlError) return this.#place.say(error.message);
      // Browsers may forbid pages to use the clipboard.
      if (error instanceof DOMException) return this.#place.say(say("The browser does not allow the page to copy the link. Allow it in your browser's settings for this page, and try again."));
      throw error;
    }
  }

  #open() {
    this.#refresh();
    this.#dialog.showModal();
    this.#dialog.querySelector("button")?.focus();
  }

  /**
   * Updates the rows. The row of an attendee who is still present keeps its buttons, so a button
   * with the focus keeps the focus.
   */
  #refresh() {
    const others = [...this.#session.roster.values()].filter(
      ({ attendeeId }) => attendeeId !== this.#place.ownId && baseOfId(attendeeId) === attendeeId,
    );
    const present = new Set(others.map(({ attendeeId }) => attendeeId));
    for (const [id, { item }] of this.#rows) {
      if (present.has(id)) continue;
      item.remove();
      this.#rows.delete(id);
    }
    for (const attendee of others) {
      const row = this.#rows.get(attendee.attendeeId) ?? this.#row(attendee);
      if (!row.item.isConnected) this.#list.append(row.item);
      this.#rows.set(attendee.attendeeId, row);
      row.show(attendee);
    }
  }
}

/**
 * Enables or disables a button. The function does not set `disabled`, because a disabled button
 * would lose the focus.
 * @param {HTMLButtonElement} button
 * @param {boolean} isAvailable
 */
function setAvailable(button, isAvailable) {
  button.setAttribute("aria-disabled", `${!isAvailable}`);
}

/**
 * Asks the user to confirm an action that nobody can undo. The button that cancels has the focus.
 * @param {string} question
 * @param {string} deed
 * @param {string} consequence
 * @returns {Promise<boolean>}
 */
async function confirmed(question, deed, consequence) {
  // The browser reports later that the user closed an earlier question.
  document.getElementById("host-confirm")?.remove();
  const title = make("h2", { text: question, attributes: { id: "host-confirm-title" } });
  const keep = make("button", { class: "button", text: say("Cancel"), attributes: { value: "no", autofocus: "" } });
  const act = make("button", { class: "button danger", text: deed, attributes: { value: "yes" } });
  const form = make("form", { attributes: { method: "dialog" } }, title, make("p", { text: consequence }));
  form.append(make("div", { class: "buttons" }, keep, act));
  const attributes = { id: "host-confirm", "aria-labelledby": "host-confirm-title" };
  const dialog = make("dialog", { class: "card host-confirm", attributes }, form);
  document.body.append(dialog);
  dialog.showModal();
  keep.focus();
  await new Promise((resolve) => dialog.addEventListener("close", resolve, { once: true }));
  dialog.remove();
  return dialog.returnValue === "yes";
}
