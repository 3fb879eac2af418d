/** The operator page: polls the server every two seconds, and immediately after each action. */
import { ControlAPI, ControlError } from "../control-api.js";
import { byId, languageOf, make, regionalLocale, say, showLogo, timeOfDay } from "../elements.js";
import { preference } from "../meet/kept.js";
import { isolated } from "../meet/names.js";
import { isFound } from "../search.js";
import { Desk, nameOf, nameOfMeeting } from "./desk.js";
import { MeetingDetail } from "./meeting-detail.js";
import { peopleText, PresentCounts } from "./present-counts.js";
import { ReceivedVideoView } from "./received-video.js";
import { show, write } from "./rows.js";

const ASKS_EVERY_MS = 2_000;

const asked = new URLSearchParams(location.search).get("lang");
const language = languageOf(asked, preference("language"), navigator.languages);
// The texts must load before this script composes the first text of the page.
if (language !== "en") {
  await import("../meet/languages.js").then(({ speak }) => speak(language, "operator/")).catch(() => undefined);
  document.title = document.title.replace("Operator", say("Operator"));
}

const api = new ControlAPI();
// The URL that `carillon up` prints has the key in its fragment, which requests do not include.
api.key = new URLSearchParams(location.hash.slice(1)).get("key") ?? "";
const desk = new Desk(api);
const problem = byId("problem", HTMLElement);
const keyForm = byId("key-form", HTMLFormElement);
const dialog = byId("confirm", HTMLDialogElement);
const more = byId("meetings-more", HTMLButtonElement);
const search = byId("meetings-search", HTMLInputElement);

/** @type {string | null} */
let chosen = null;
/** @type {import("./desk.js").Meeting[]} */
let meetings = [];
let pages = 1;
/** @type {ReturnType<typeof setTimeout> | undefined} */
let clock;
let isAsking = false;
const present = new PresentCounts();
showLogo();

const video = new ReceivedVideoView(() => detail.focusVideo());
const detail = new MeetingDetail({
  mute: (attendee) => void act(() => desk.mute(chosen ?? "", attendee.AttendeeId, !attendee.MutedByOperator)),
  kick: (attendee) => void remove(attendee),
  video: (attendee) => {
    video.open(attendee);
    void ask();
  },
  allow: (attendee) => void act(() => desk.allow(chosen ?? "", attendee.AttendeeId)),
});

/** Polls the server once, and schedules the next poll. */
async function ask() {
  if (isAsking) return;
  isAsking = true;
  clearTimeout(clock);
  try {
    await askMeetings();
    showServices(await desk.services());
    if (chosen) await askDetail(chosen);
    await askPresent();
    problem.hidden = true;
    keyForm.hidden = true;
    write(byId("freshness", HTMLElement), say("As of {time}", { time: timeOfDay(Date.now()) }));
  } catch (error) {
    tell(error);
  } finally {
    isAsking = false;
    if (keyForm.hidden && !document.hidden) clock = setTimeout(() => void ask(), ASKS_EVERY_MS);
  }
}

async function askMeetings() {
  /** @type {import("./desk.js").Meeting[]} */
  const all = [];
  /** @type {string | undefined} */
  let token;
  for (let page = 0; page < pages; page++) {
    const answer = await desk.meetings(token);
    all.push(...answer.meetings);
    token = answer.next;
    if (!token) break;
  }
  meetings = all;
  more.hidden = !token;
  showMeetings();
}

async function askPresent() {
  const ids = present.round(meetings.map(({ MeetingId }) => MeetingId));
  await Promise.all(ids.map(askCount));
  showMeetings();
}

/** @param {string} meetingId */
async function askCount(meetingId) {
  try {
    present.set(meetingId, (await desk.roster(meetingId)).present.length);
  } catch (error) {
    // The meeting ended after the server made the list. The next list does not contain this
    // meeting.
    if (!(error instanceof ControlError) || error.status !== 404) throw error;
  }
}

/** @param {string} meetingId */
async function askDetail(meetingId) {
  try {
    const [people, messages] = await Promise.all([desk.roster(meetingId), desk.messages(meetingId)]);
    if (chosen !== meetingId) return;
    detail.showPeople(people);
    detail.showMessages(messages);
    await askVideo(meetingId);
  } catch (error) {
    if (!(error instanceof ControlError) || error.status !== 404) throw error;
    choose(null);
  }
}

/** @param {string} meetingId */
async function askVideo(meetingId) {
  const attendeeId = video.attendeeId;
  if (!attendeeId) return;
  const received = await desk.receivedVideo(meetingId, attendeeId);
  if (video.attendeeId === attendeeId) video.show(received);
}

function showMeetings() {
  write(byId("meetings-count", HTMLElement), `${meetings.length}`);
  byId("meetings-empty", HTMLElement).hidden = meetings.length > 0;
  const found = meetings.filter((meeting) => isFound(`${nameOfMeeting(meeting)} ${meeting.MeetingId}`, search.value));
  const isNoneFound = meetings.length > 0 && found.length === 0;
  write(byId("meetings-none", HTMLElement), isNoneFound ? say("No meeting in this list has this name.") : "");
  show(
    byId("meetings", HTMLElement),
    found,
    ({ MeetingId }) => MeetingId,
    ({ MeetingId }) => {
      const button = make(
        "button",
        { class: "meeting-item", attributes: { type: "button" } },
        make("b"),
        make("span"),
        make("small"),
      );
      button.addEventListener("click", () => choose(MeetingId));
      return make("li", {}, button);
    },
    (row, meeting) => {
      const button = row.firstElementChild;
      const [name, count, note] = button?.children ?? [];
      write(name, nameOfMeeting(meeting));
      write(count, peopleText(present.of(meeting.MeetingId)));
      const parts = [
        meeting.CreatedAt ? say("since {time}", { time: timeOfDay(Date.parse(meeting.CreatedAt)) }) : "",
        meeting.PrimaryMeetingId ? say("replica") : "",
        meeting.Locked ? say("locked") : "",
      ];
      write(note, parts.filter(Boolean).join(" · "));
      button?.setAttribute("aria-current", `${meeting.MeetingId === chosen}`);
    },
  );
  detail.showMeeting(meetings.find(({ MeetingId }) => MeetingId === chosen) ?? null);
}

/** @param {import("./desk.js").ServiceState[]} services */
function showServices(services) {
  show(
    byId("services", HTMLElement),
    services,
    ({ name }) => name,
    () => make("li", { class: "chip" }),
    (chip, { name, isReady, startedAt }) => {
      chip.classList.toggle("is-down", !isReady);
      const time = startedAt && new Date(startedAt).toLocaleString(regionalLocale());
      chip.title = time && say("since {time}", { time });
      write(chip, isReady ? name : say("{name}: not ready", { name }));
    },
  );
}

/** @param {string | null} meetingId */
function choose(meetingId) {
  chosen = meetingId;
  video.close();
  detail.showPeople({ present: [], barred: [] });
  detail.showMessages([]);
  showMeetings();
  if (meetingId) void ask();
}

/** @param {() => Promise<unknown>} deed */
async function act(deed) {
  try {
    await deed();
    await ask();
  } catch (error) {
    tell(error);
  }
}

/** @param {import("./desk.js").Attendee} attendee */
async function remove(attendee) {
  const meetingId = chosen ?? "";
  const isSure = await confirm(
    say("Remove {name}?", { name: isolated(nameOf(attendee)) }),
    say("Remove"),
    say("The session ends at once, and does not come back until you let it."),
  );
  if (isSure) await act(() => desk.kick(meetingId, attendee.AttendeeId));
}

/** Ends the chosen meeting after the operator has confirmed this action. */
async function end() {
  const meeting = meetings.find(({ MeetingId }) => MeetingId === chosen);
  if (!meeting) return;
  const isSure = await confirm(
    say("End {meeting}?", { meeting: isolated(nameOfMeeting(meeting)) }),
    say("End"),
    say("The meeting ends for everyone at once. Nobody can join this meeting again."),
  );
  if (isSure) await act(() => desk.end(meeting.MeetingId));
}

/**
 * Asks the operator to confirm an action.
 * @param {string} question
 * @param {string} verb the name of the action, which the button shows
 * @param {string} text the consequences
 */
async function confirm(question, verb, text) {
  write(byId("confirm-title", HTMLElement), question);
  write(byId("confirm-text", HTMLElement), text);
  write(byId("confirm-yes", HTMLButtonElement), verb);
  dialog.returnValue = "no";
  dialog.showModal();
  await new Promise((resolve) => dialog.addEventListener("close", resolve, { once: true }));
  return dialog.returnValue === "yes";
}

/** @param {unknown} error */
function tell(error) {
  if (!(error instanceof ControlError)) throw error;
  const needsKey = error.status === 401 || error.status === 403;
  keyForm.hidden = !needsKey;
  problem.hidden = needsKey && !api.key;
  write(problem, needsKey ? say("This is not the key of this server.") : error.message);
}

keyForm.addEventListener("submit", (event) => {
  event.preventDefault();
  api.key = byId("key", HTMLInputElement).value.trim();
  void ask();
});
byId("lock", HTMLButtonElement).addEventListener("click", () => {
  const meeting = meetings.find(({ MeetingId }) => MeetingId === chosen);
  if (meeting) void act(() => desk.lock(meeting.MeetingId, !meeting.Locked));
});
byId("end", HTMLButtonElement).addEventListener("click", () => void end());
search.addEventListener("input", () => showMeetings());
more.addEventListener("click", () => {
  pages += 1;
  void ask();
});
document.addEventListener("visibilitychange", () => {
  if (!document.hidden) void ask();
});
void ask();
