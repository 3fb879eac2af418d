import { byId, make, timeOfDay } from "../elements.js";
import { show, write } from "./rows.js";

/**
 * @typedef {import("./desk.js").Attendee} Attendee
 * @typedef {import("./desk.js").KeptMessage} KeptMessage
 *
 * @typedef {object} DetailActions
 * @property {(attendee: Attendee) => void} mute
 * @property {(attendee: Attendee) => void} kick
 */

/** One meeting: its people, with what can be done to them, and the messages it keeps. */
export class MeetingDetail {
  #actions;
  #body = byId("detail-body", HTMLElement);
  #empty = byId("detail-empty", HTMLElement);
  #roster = byId("roster", HTMLElement);
  #log = byId("log", HTMLElement);
  /** @type {Map<string, Attendee>} */
  #attendees = new Map();

  /** @param {DetailActions} actions */
  constructor(actions) {
    this.#actions = actions;
  }

  /** @param {import("./desk.js").Meeting | null} meeting */
  showMeeting(meeting) {
    this.#body.hidden = !meeting;
    this.#empty.hidden = Boolean(meeting);
    if (!meeting) return;
    write(byId("detail-title", HTMLElement), meeting.ExternalMeetingId || meeting.MeetingId);
    write(byId("detail-id", HTMLElement), meeting.MeetingId);
    const lock = byId("lock", HTMLButtonElement);
    lock.setAttribute("aria-pressed", `${meeting.Locked === true}`);
    write(lock.querySelector(".label"), meeting.Locked ? "Locked: nobody new joins" : "Lock");
  }

  /** @param {Attendee[]} attendees */
  showRoster(attendees) {
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
        write(microphone, attendee.MutedByOperator ? "muted by you" : isMuted ? "muted" : "open");
        const meter = level?.querySelector("meter");
        if (meter) meter.value = isMuted ? 0 : (attendee.Volume ?? 0);
        write(row.querySelector(".mute"), attendee.MutedByOperator ? "Let speak" : "Mute");
      },
    );
  }

  /** @param {KeptMessage[]} messages */
  showMessages(messages) {
    byId("log-empty", HTMLElement).hidden = messages.length > 0;
    const keyed = messages.map((message, index) => ({ message, key: keyOf(message, index) }));
    show(
      this.#log,
      keyed,
      ({ key }) => key,
      ({ message }) =>
        make(
          "tr",
          {},
          make("td", { class: "nowrap", text: timeOf(message) }),
          make("td", { text: message.SenderExternalUserId ?? "" }),
          make("td", { text: message.Topic }),
          make("td", { text: textOf(message) }),
        ),
      () => {},
    );
  }

  /** @param {Attendee} attendee */
  #row({ AttendeeId: id, ExternalUserId: name }) {
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
      button("mute", "Mute", this.#actions.mute),
      button("danger kick", "Remove", this.#actions.kick),
    );
    const meter = make("meter", { attributes: { min: "0", max: "1", "aria-label": `Level of ${name}` } });
    return make(
      "tr",
      {},
      make("td", { text: name, attributes: { id: `who-${id}` } }),
      make("td", { class: "nowrap" }),
      make("td"),
      make("td", {}, meter),
      make("td", {}, actions),
    );
  }
}

/**
 * @param {KeptMessage & { Sequence?: number }} message
 * @param {number} index
 */
const keyOf = (message, index) => `${message.Sequence ?? `${message.Timestamp ?? ""}-${index}`}`;

/** @param {KeptMessage} message */
const timeOf = ({ Timestamp }) => (Timestamp ? timeOfDay(Date.parse(Timestamp)) : "");

/** @param {KeptMessage} message */
function textOf({ Text, Data }) {
  if (Text !== undefined) return Text;
  try {
    const bytes = Uint8Array.from(atob(Data ?? ""), (letter) => letter.charCodeAt(0));
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return `${Data ?? ""} (base64)`;
  }
}
