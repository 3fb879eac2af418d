/** The script of the page: switches between the lobby, the room and the end of a meeting. */
import { ControlAPI, ControlError } from "../control-api.js";
import { brand, byId, languageOf, offerFocus, say, showLogo } from "../elements.js";
import { keep, preference, takeKept } from "./kept.js";
import { Lobby } from "./lobby.js";
import { hostTokenOfAddress, linkTo, meetingOfAddress } from "./meeting-name.js";

/** @typedef {import("./room.js").Room} Room */

const asked = new URLSearchParams(location.search).get("lang");
const language = languageOf(asked, preference("language"), navigator.languages);
// The language must load before the page makes its first text. Otherwise the first texts would be
// in English.
if (language !== "en") await import("./languages.js").then(({ speak }) => speak(language)).catch(() => undefined);

const api = new ControlAPI();
const ended = byId("ended", HTMLElement);
/** @type {Room | null} */
let room = null;
/** @type {import("./lobby.js").Entry | null} */
let last = null;
/** Whether others could hear the user when the last session ended. */
let wasHeard = false;
/**
 * The page around this page, which controls this page by messages; `null` unless the address is
 * `/embed`.
 */
const embedding = location.pathname === "/embed" && parent !== window ? loadEmbedding() : null;
embedding?.catch(tellIncomplete);

// People copy addresses to invite others, so the page later removes the token from the address.
let hostToken = hostTokenOfAddress(location);

const lobby = new Lobby(api, (entry) => {
  const HostToken = entry.HostToken ?? hostToken;
  hostToken = "";
  void enter({ ...entry, HostToken }, []);
});

/**
 * Loads the modules that the lobby's form does not need. The form appears before these modules
 * load, even on a slow connection.
 */
async function loadParts() {
  const { CameraPanel, DeviceController, endingOf, GreenRoom, movedEnding, Room, SoundPanel, Tabs } = await import(
    "./meeting.js"
  );
  showLogo();
  const devices = new DeviceController();
  const panels = { devices, sound: new SoundPanel(devices), camera: new CameraPanel(devices) };
  const greenRoom = new GreenRoom(panels);
  if (!room && !isKept) void greenRoom.restore();
  const tabs = new Tabs(() => room?.stop());
  return { Room, endingOf, movedEnding, tabs, ...panels };
}

async function loadEmbedding() {
  const { embed } = await import("../embed/embedding.js");
  return embed({ ask: (wish) => lobby.ask(wish), enter: (entry) => enter(entry, []) });
}

/**
 * @param {import("./lobby.js").Entry} entry
 * @param {{ text: string, timestampMs: number }[]} own
 * @param {boolean} [isHeard] whether to open the microphone again
 * @returns {Promise<void>}
 */
async function enter(entry, own, isHeard = false) {
  const [languages, loaded] = await Promise.all([captionLanguages(), parts.catch(() => null)]);
  if (!loaded) return tellIncomplete();
  const { Room, endingOf, movedEnding, devices, sound, camera, tabs } = loaded;
  const { MeetingId: meeting } = entry.Meeting;
  const embedded = await embedding?.catch(() => null);
  // An embedding page decides itself how often it embeds a meeting.
  const place = !embedding && (await tabs.isElsewhere(meeting)) ? await import("./other-tab.js") : null;
  const answer = place && (await place.askAboutOtherTab());
  if (place && !answer) return ended.hidden ? lobby.open(wanted) : undefined;
  if (answer === "move") tabs.moveHere(meeting);
  tabs.enter(meeting);
  last = entry;
  lobby.close();
  ended.hidden = true;
  sound.showInRoom();
  const joinsMuted = byId("join-muted", HTMLInputElement).checked || !devices.track || answer === "silent";
  room = new Room(entry, languages, { devices, sound, camera, joinsMuted }, (status) =>
    leave(tabs.isReplaced ? movedEnding : endingOf(status)),
  );
  if (!embedding) history.replaceState(null, "", linkTo(location, room.name));
  embedded?.entered(room);
  room.open(own);
  if (answer === "silent") void room.silence();
  else if (isHeard) void room.openMicrophone();
}

function tellIncomplete() {
  void lobby.open(wanted);
  lobby.tell(say("The page did not load as a whole. Load it again."));
}

/** @param {import("./endings.js").Ending} ending */
function leave({ title, reason, mayRejoin }) {
  wasHeard = room?.isHeard ?? false;
  room?.close();
  room = null;
  void parts.then(({ sound, tabs }) => {
    tabs.leave();
    return sound.close();
  });
  const heading = byId("ended-title", HTMLElement);
  heading.textContent = title;
  byId("ended-reason", HTMLElement).textContent = reason;
  byId("rejoin", HTMLElement).hidden = !mayRejoin;
  byId("to-lobby", HTMLElement).classList.toggle("primary", !mayRejoin);
  ended.hidden = false;
  document.title = `${title} – ${brand}`;
  offerFocus(heading);
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
  if (last) void enter(last, [], wasHeard);
});
byId("to-lobby", HTMLElement).addEventListener("click", () => {
  ended.hidden = true;
  void parts.then(({ camera, sound }) => {
    sound.showInLobby();
    camera.showInLobby();
  });
  void lobby.open(meetingOfAddress(location));
});
// A page restored from the back/forward cache still has its session.
addEventListener("pageshow", ({ persisted }) => {
  if (persisted) takeKept();
});
addEventListener("pagehide", () => {
  if (!room || embedding) return;
  const { Meeting: meeting, Attendee: attendee, HostToken: hostToken } = room.entry;
  keep({ meeting, attendee, hostToken, own: room.own, isHeard: room.isHeard });
});

const kept = embedding ? null : takeKept();
const wanted = meetingOfAddress(location);
const isKept = kept && [kept.meeting?.Name, kept.meeting?.ExternalMeetingId, kept.meeting?.MeetingId].includes(wanted);
const parts = (isKept ? Promise.resolve() : lobby.open(wanted)).then(loadParts);
parts.catch(tellIncomplete);
if (kept && isKept) {
  void enter({ Meeting: kept.meeting, Attendee: kept.attendee, HostToken: kept.hostToken }, kept.own ?? [], kept.isHeard);
}
addEventListener("hashchange", () => {
  hostToken = hostTokenOfAddress(location);
  if (!room && ended.hidden) void lobby.open(meetingOfAddress(location));
});
