import { byId, make, say, timeOfDay } from "../elements.js";
import { isolated } from "../meet/names.js";
import { isFound } from "../search.js";
import { nameOf, nameOfMeeting } from "./desk.js";
import { show, write } from "./rows.js";

/**
 * @typedef {import("./desk.js").Attendee} Attendee
 * @typedef {import("./desk.js").KeptMessage} KeptMessage
 *
 * @typedef {object} DetailActions
 * @property {(attendee: Attendee) => void} mute
 * @property {(attendee: Attendee) => void} kick
 * @property {(attendee: Attendee) => void} allow
 * @property {(attendee: Attendee) => void} video shows the video that the attendee receives
 */

/** @type {Readonly<Record<string, number>>} */
const levels = { Low: 0.35, Medium: 0.65, High: 1 };

/** The details of one meeting: its attendees, the actions on them, and its stored messages. */
export class MeetingDetail {
  #actions;
  #body = byId("detail-body", HTMLElement);
  #empty = byId("detail-empty", HTMLElement);
  #roster = byId("roster", HTMLElement);
  #log = byId("log", HTMLElement);
  #barred = byId("barred", HTMLElement);
  /** @type {Map<string, Attendee>} */
  #attendees = new Map();
  #search = byId("people-search", HTMLInputElement);
  /** The id of the attendee whose video the operator viewed last; empty before the first view. */
  #viewed = "";

  /** @param {DetailActions} actions */
  constructor(actions) {
    this.#actions = actions;
    this.#search.addEventListener("input", () => this.#hideOthers());
  }

  /** @param {import("./desk.js").Meeting | null} meeting */
  showMeeting(meeting) {
    this.#body.hidden = !meeting;
    this.#empty.hidden = Boolean(meeting);
    if (!meeting) return;
    write(byId("detail-title", HTMLElement), nameOfMeeting(meeting));
    write(byId("detail-id", HTMLElement), meeting.MeetingId);
    const lock = byId("lock", HTMLButtonElement);
    lock.setAttribute("aria-pressed", `${meeting.Locked === true}`);
    write(lock.querySelector(".label"), meeting.Locked ? say("Locked: nobody new joins") : say("Lock"));
  }

  /** @param {import("./desk.js").People} people */
  showPeople({ present, barred }) {
    this.#showPresent(present);
    byId("barred-section", HTMLElement).hidden = barred.length === 0;
    show(
      this.#barred,
      barred,
      ({ AttendeeId }) => AttendeeId,
      (attendee) => {
        const button = make("button", { class: "button small", text: say("Let back in"), attributes: { type: "button" } });
        button.addEventListener("click", () => this.#actions.allow(attendee));
        return make("li", { class: "barred-item" }, make("bdi", { text: nameOf(attendee) }), button);
      },
      () => {},
    );
  }

  /** @param {Attendee[]} attendees */
  #showPresent(attendees) {
    this.#attendees = new Map(attendees.map((attendee) => [attendee.AttendeeId, attendee]));
    byId("roster-empty", HTMLElement).hidden = attendees.length > 0;
    show(
      this.#roster,
      attendees,
      ({ AttendeeId }) => AttendeeId,
      (attendee) => this.#row(attendee),
      (row, attendee) => {
        const [, since, microphone, level] = row.children;
        const isMuted = attendee.Muted || attendee.MutedByOperator;
        write(since, attendee.JoinedAt ? timeOfDay(Date.parse(attendee.JoinedAt)) : "");
        write(microphone, attendee.MutedByOperator ? say("muted by you") : isMuted ? say("muted") : say("open"));
        const meter = level?.querySelector("meter");
        if (meter) meter.value = isMuted ? 0 : (levels[attendee.Volume ?? ""] ?? 0);
        write(row.querySelector(".mute"), attendee.MutedByOperator ? say("Let speak") : say("Mute"));
      },
    );
    this.#hideOthers();
  }

  /** Sets the focus on the button that opened the view of an attendee's video. */
  focusVideo() {
    const row = [...this.#roster.children].find(
      (each) => /** @type {HTMLElement} */ (each).dataset["key"] === this.#viewed,
    );
    /** @type {HTMLElement | null | undefined} */ (row?.querySelector(".video"))?.focus();
  }

  /** Shows only the attendees whose name or id contains the searched text. */
  #hideOthers() {
    for (const row of this.#roster.children) {
      const attendee = this.#attendees.get(/** @type {HTMLElement} */ (row).dataset["key"] ?? "");
      if (!attendee) continue;
      const text = `${nameOf(attendee)} ${attendee.ExternalUserId} ${attendee.AttendeeId}`;
      /** @type {HTMLElement} */ (row).hidden = !isFound(text, this.#search.value);
    }
  }

  /** @param {KeptMessage[]} messages */
  showMessages(messages) {
    byId("log-empty", HTMLElement).hidden = messages.length > 0;
    show(
      this.#log,
      messages,
      ({ Sequence }) => `${Sequence}`,
      (message) =>
        make(
          "tr",
          {},
          make("td", { class: "nowrap", text: timeOf(message) }),
          make("td", {}, make("bdi", { text: nameOf(message) })),
          make("td", { text: message.Topic }),
          make("td", { text: textOf(message), attributes: { dir: "auto" } }),
        ),
      () => {},
    );
  }

  /** @param {Attendee} attendee */
  #row({ AttendeeId: id, ...who }) {
    const name = nameOf(who);
    const button = (/** @type {string} */ kind, /** @type {string} */ text, /** @type {(attendee: Attendee) => void} */ act) => {
      const made = make("button", { class: `button small ${kind}`, text, attributes: { type: "button", "aria-describedby": `who-${id}` } });
      made.addEventListener("click", () => {
        const attendee = this.#attendees.get(id);
        if (attendee) act(attendee);
      });
      return made;
    };
    const actions = make(
      "div",
      { class: "row-actions" },
      button("video", say("Video"), (attendee) => {
        this.#viewed = attendee.AttendeeId;
        this.#actions.video(attendee);
      }),
      button("mute", say("Mute"), this.#actions.mute),
      button("danger kick", say("Remove"), this.#actions.kick),
    );
    const meter = make("meter", { attributes: { min: "0", max: "1", "aria-label": say("Level of {name}", { name: isolated(name) }) } });
    return make(
      "tr",
      {},
      make("td", { attributes: { id: `who-${id}`, title: who.ExternalUserId } }, make("bdi", { text: name })),
      make("td", { class: "nowrap" }),
      make("td"),
      make("td", {}, meter),
      make("td", {}, actions),
    );
  }
}

/** @param {KeptMessage} message */
const timeOf = ({ SentAt }) => (SentAt ? timeOfDay(Date.parse(SentAt)) : "");

/** @param {KeptMessage} message */
const textOf = ({ Text, Data }) => Text ?? `base64:${Data}`;
