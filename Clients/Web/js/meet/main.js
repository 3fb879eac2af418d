/** The page: from the lobby into the room, and out of it. */
import { DeviceController } from "../carillon/carillon.js";
import { ControlAPI, ControlError } from "../control-api.js";
import { byId } from "../elements.js";
import { CameraPanel } from "./camera-panel.js";
import { endingOf } from "./endings.js";
import { keep, takeKept } from "./kept-session.js";
import { Lobby } from "./lobby.js";
import { linkTo, meetingOfAddress } from "./meeting-name.js";
import { Room } from "./room.js";
import { SoundPanel } from "./sound-panel.js";

const api = new ControlAPI();
const ended = byId("ended", HTMLElement);
/** @type {Room | null} */
let room = null;
/** @type {import("./lobby.js").Entry | null} */
let last = null;

const devices = new DeviceController();
const sound = new SoundPanel(devices);
const camera = new CameraPanel(devices);
const lobby = new Lobby(api, (entry) => void enter(entry, []));

/**
 * @param {import("./lobby.js").Entry} entry
 * @param {{ text: string, timestampMs: number }[]} own
 */
async function enter(entry, own) {
  const languages = await captionLanguages();
  last = entry;
  lobby.close();
  ended.hidden = true;
  sound.showInRoom();
  const joinsMuted = byId("join-muted", HTMLInputElement).checked || !devices.track;
  room = new Room(entry, languages, { devices, sound, camera, joinsMuted }, (status) => leave(endingOf(status)));
  history.replaceState(null, "", linkTo(location, room.name));
  room.open(own);
}

/** @param {import("./endings.js").Ending} ending */
function leave({ title, reason, mayRejoin }) {
  room?.close();
  room = null;
  void sound.close();
  const heading = byId("ended-title", HTMLElement);
  heading.textContent = title;
  byId("ended-reason", HTMLElement).textContent = reason;
  byId("rejoin", HTMLElement).hidden = !mayRejoin;
  ended.hidden = false;
  document.title = `${title} – Carillon`;
  heading.focus();
}

async function captionLanguages() {
  try {
    const { TranscriptionLanguages: languages } = await api.get("/carillon/v1/web");
    return Array.isArray(languages) && languages.length ? languages : ["en-US"];
  } catch (error) {
    if (error instanceof ControlError) return ["en-US"];
    throw error;
  }
}

byId("rejoin", HTMLElement).addEventListener("click", () => {
  if (last) void enter(last, []);
});
byId("to-lobby", HTMLElement).addEventListener("click", () => {
  ended.hidden = true;
  sound.showInLobby();
  camera.showInLobby();
  lobby.open(meetingOfAddress(location));
});
// A page that comes back from the browser's memory still has its session.
addEventListener("pageshow", ({ persisted }) => {
  if (persisted) takeKept();
});
addEventListener("pagehide", () => {
  if (room) keep({ meeting: room.entry.Meeting, attendee: room.entry.Attendee, own: room.own });
});

const kept = takeKept();
const wanted = meetingOfAddress(location);
const isKept = kept && [kept.meeting?.ExternalMeetingId, kept.meeting?.MeetingId].includes(wanted);
if (kept && isKept) void enter({ Meeting: kept.meeting, Attendee: kept.attendee }, kept.own ?? []);
else lobby.open(wanted);
addEventListener("hashchange", () => {
  if (!room && ended.hidden) lobby.open(meetingOfAddress(location));
});
