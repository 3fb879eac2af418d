/** Tests of embedding: the checks of commands, and the frame's answers, events and refusals. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import test from "node:test";
import { MeetingSessionStatus, StatusCode } from "../../../Clients/Web/js/carillon/session/status.js";
import { Observers } from "../../../Clients/Web/js/carillon/meeting/observers.js";
import { ControlError } from "../../../Clients/Web/js/control-api.js";
import { commandNames, commandOf } from "../../../Clients/Web/js/embed/commands.js";
import { Embedding, originOf } from "../../../Clients/Web/js/embed/embedding.js";
import { web } from "./catalogue.js";

const HOST = "https://app.example";
const WINDOW = Object.freeze({});
const ENTRY = Object.freeze({
  Meeting: { MeetingId: "m-1", ExternalMeetingId: "tea", MediaPlacement: { SignalingUrl: "wss://meet.example/control/m-1" } },
  Attendee: { AttendeeId: "a-ada", ExternalUserId: "ada", JoinToken: "token" },
});

const message = (command, values = {}) => ({ carillon: 1, id: 7, command, ...values });
const settled = () => new Promise((resolve) => setTimeout(resolve));

/** A room whose session the test drives. */
class ScriptedRoom {
  ownId = "a-ada";
  name = "tea";
  log = [];
  isMuted = true;
  isMutedByOther = false;
  isCameraOn = false;
  observers = new Observers();

  constructor(entry) {
    this.entry = entry;
  }

  stop() {
    this.observers.tell("audioSessionDidStopWithStatus", new MeetingSessionStatus(StatusCode.Left));
  }

  get controls() {
    const room = this;
    const add = (observer) => room.observers.add(observer);
    return {
      session: {
        get isLocalMuted() { return room.isMuted; },
        get isLocalMutedByOther() { return room.isMutedByOther; },
        isSharingContent: false,
        addAudioVideoObserver: add,
        addRealtimeObserver: add,
        addVideoTileObserver: add,
        addRealtimeDataMessageObserver: (_topic, observer) => add(observer),
      },
      isCameraOn: room.isCameraOn,
      isCameraOpen: room.isCameraOn,
      setMicrophone: async (isOn) => {
        room.isMuted = !isOn;
        room.observers.tell("localMuteDidChange");
      },
      setCamera: async (isOn) => {
        room.isCameraOn = isOn;
        room.observers.tell(isOn ? "videoTileDidAdd" : "videoTileDidRemove");
      },
      setScreenShare: async () => undefined,
      setHand: (isRaised) => void room.log.push(["hand", isRaised]),
      sendMessage: (text) => void room.log.push(["message", text]),
      setLayout: (layout) => void room.log.push(["layout", layout]),
      showPanel: (panel) => void room.log.push(["panel", panel]),
    };
  }
}

/** Returns a frame, and a record of the messages that the frame posts to its page. */
function framed({ starts = true, ask = async () => ENTRY } = {}) {
  const posted = [];
  const rooms = [];
  const page = {
    host: "meet.example",
    ask,
    enter: async (entry) => {
      const room = new ScriptedRoom(entry);
      rooms.push(room);
      embedding.entered(room);
      if (starts) room.observers.tell("audioSessionDidStart", false);
    },
  };
  const embedder = { window: WINDOW, origin: HOST, post: (data, origin) => posted.push({ data, origin }) };
  const embedding = new Embedding(page, embedder);
  const take = async (data, source = WINDOW, origin = HOST) => {
    embedding.take({ source, origin, data });
    await settled();
  };
  const last = () => posted.at(-1).data;
  return { posted, rooms, take, last, events: () => posted.map(({ data }) => data.event).filter(Boolean) };
}

async function joined() {
  const frame = framed();
  await frame.take(message("join", { meeting: "tea", name: "Ada" }));
  return { ...frame, room: frame.rooms[0] };
}

test("a valid command has a version, an id and exactly its members", () => {
  const join = commandOf(message("join", { meeting: "tea", name: "Ada", create: true }));
  assert.deepEqual(join, { id: 7, command: "join", values: { meeting: "tea", name: "Ada", create: true } });
  assert.deepEqual(commandOf(message("setHand", { raised: false })), { id: 7, command: "setHand", values: { raised: false } });
});

test("a message that lacks a version or an id gets no answer", () => {
  const wrong = [null, undefined, 1, "join", [], {}, { id: 1, command: "leave" }, { ...message("leave"), carillon: 2 }];
  for (const id of [undefined, "1", -1, 1.5, NaN, Infinity, 2 ** 60, {}]) wrong.push({ ...message("leave"), id });
  for (const data of wrong) assert.equal(commandOf(data), null, JSON.stringify(data));
});

test("an unknown command and wrong members are refused with a status", () => {
  for (const command of ["end", "", "constructor", "__proto__", 1, null, {}]) assert.equal(commandOf(message(command)).status, 404);
  const wrong = [
    ["leave", { now: true }],
    ["join", {}],
    ["join", { meeting: "tea" }],
    ["join", { meeting: " ", name: "Ada" }],
    ["join", { meeting: "x".repeat(513), name: "Ada" }],
    ["join", { meeting: "tea", name: "Ada", create: "yes" }],
    ["join", { meeting: "tea", name: "Ada", credentials: {} }],
    ["join", { credentials: null }],
    ["join", { credentials: "token" }],
    ["setMicrophone", { on: 1 }],
    ["setMicrophone", {}],
    ["setCamera", { on: true, toString: true }],
    ["sendMessage", { text: "" }],
    ["sendMessage", { text: "x".repeat(2_049) }],
    ["setLayout", { layout: "content" }],
    ["showPanel", { panel: "" }],
    ["setHand", JSON.parse('{"raised": true, "__proto__": 1}')],
  ];
  for (const [command, values] of wrong) assert.equal(commandOf(message(command, values)).status, 400, JSON.stringify(values));
});

test("the element and the README have each command and each event", () => {
  const element = readFileSync(new URL("js/embed/carillon-meeting.js", web), "utf8");
  const readme = readFileSync(new URL("README.md", web), "utf8");
  assert.equal(commandNames.length, 10);
  for (const command of commandNames) {
    assert.match(element, new RegExp(`^  ${command}\\(.*\\n    return this.#command\\("${command}"`, "m"));
    assert.ok(readme.includes(`| \`${command}\` |`), command);
  }
  const events = ["ready", "joined", "left", "participantJoined", "participantLeft", "microphoneChanged", "cameraChanged", "messageReceived"];
  for (const event of events) {
    assert.ok(element.includes(`name === "${event}"`) || element.includes(`name !== "${event}"`), event);
    assert.ok(readme.includes(`| \`${event}\` |`), event);
  }
});

test("the embedding page's origin comes from the address, or else from the browser", () => {
  const address = (search, ancestorOrigins) => ({ search, ancestorOrigins });
  assert.equal(originOf(address("?origin=https%3A%2F%2Fapp.example&lang=de", ["https://b.example"])), HOST);
  assert.equal(originOf(address("", [HOST, "https://top.example"])), HOST);
  assert.equal(originOf(address("", undefined)), "");
});

test("every message of the frame names the origin of the embedding page", async () => {
  const { posted, take, room } = await joined();
  await take(message("setLayout", { layout: "speaker" }));
  room.stop();
  assert.ok(posted.length >= 5);
  for (const { data, origin } of posted) {
    assert.equal(origin, HOST);
    assert.equal(data.carillon, 1);
  }
});

test("messages of other windows and origins get no answer, and are counted", async () => {
  const { posted, take, last } = framed();
  const before = posted.length;
  await take(message("join", { meeting: "tea", name: "Eve" }), {});
  await take(message("join", { meeting: "tea", name: "Eve" }), null);
  await take(message("leave"), WINDOW, "https://evil.example");
  await take({ type: "of another library" });
  assert.equal(posted.length, before);
  await take(message("end"));
  assert.deepEqual([last().id, last().status], [7, 404]);
  await take(message("getState"));
  assert.deepEqual(last().result.refused, { source: 2, origin: 1, form: 2 });
  assert.equal(last().result.state, "lobby");
});

test("a join is answered when the session has started, and a second join is refused until the meeting ends", async () => {
  const { last, take, events, room } = await joined();
  assert.deepEqual(last(), { carillon: 1, id: 7, status: 200, result: { meeting: "tea", meetingId: "m-1", attendeeId: "a-ada" } });
  await take(message("join", { meeting: "tea", name: "Ada" }));
  assert.equal(last().status, 409);
  room.stop();
  await take(message("join", { meeting: "tea", name: "Ada" }));
  assert.equal(last().status, 200);
  assert.deepEqual(events(), ["ready", "joined", "left", "joined"]);
});

test("the answer to a refused join has the status of the server or the session", async () => {
  const locked = framed({ ask: async () => { throw new ControlError(422, "The meeting is locked."); } });
  await locked.take(message("join", { meeting: "tea", name: "Ada" }));
  assert.deepEqual([locked.last().status, locked.last().message], [422, "The meeting is locked."]);
  const full = framed({ starts: false });
  await full.take(message("join", { meeting: "tea", name: "Ada" }));
  await full.take(message("join", { meeting: "tea", name: "Ada" }));
  assert.equal(full.last().status, 409);
  full.rooms[0].observers.tell("audioSessionDidStopWithStatus", new MeetingSessionStatus(StatusCode.AudioAuthenticationRejected));
  await settled();
  assert.equal(full.last().status, 403);
  assert.deepEqual(full.events(), ["ready"]);
});

test("credentials must be complete, and must belong to the frame's server", async () => {
  const { take, last, rooms } = framed();
  const credentials = (url) => ({ ...ENTRY, Meeting: { ...ENTRY.Meeting, MediaPlacement: { SignalingUrl: url } } });
  for (const url of ["wss://evil.example/control/m-1", "https://meet.example/", "javascript:alert(1)", "/control", 1]) {
    await take(message("join", { credentials: credentials(url) }));
    assert.equal(last().status, 400, `${url}`);
  }
  for (const wrong of [{}, { Meeting: null, Attendee: null }, { Meeting: ENTRY.Meeting }]) {
    await take(message("join", { credentials: wrong }));
    assert.equal(last().status, 400);
  }
  assert.equal(rooms.length, 0);
  await take(message("join", { credentials: { ...ENTRY, HostToken: "host" } }));
  assert.equal(last().status, 200);
  assert.equal(rooms[0].entry.HostToken, "host");
});

test("the commands for a meeting take effect during a meeting, and are refused at other times", async () => {
  const outside = framed();
  for (const [command, values] of [["leave"], ["setMicrophone", { on: true }], ["sendMessage", { text: "hi" }]]) {
    await outside.take(message(command, values));
    assert.equal(outside.last().status, 409, command);
  }
  const { take, last, room } = await joined();
  for (const [command, values] of [
    ["setMicrophone", { on: true }],
    ["setCamera", { on: true }],
    ["setHand", { raised: true }],
    ["sendMessage", { text: "hi" }],
    ["setLayout", { layout: "speaker" }],
    ["showPanel", { panel: "none" }],
  ]) {
    await take(message(command, values));
    assert.equal(last().status, 200, command);
  }
  assert.deepEqual(room.log, [["hand", true], ["message", "hi"], ["layout", "speaker"], ["panel", ""]]);
  await take(message("getState"));
  assert.deepEqual([last().result.microphone, last().result.camera], [true, true]);
  await take(message("setScreenShare", { on: true }));
  assert.equal(last().status, 403);
});

test("the embedding page does not end a host's mute", async () => {
  const { take, last, room } = await joined();
  room.isMutedByOther = true;
  await take(message("setMicrophone", { on: true }));
  assert.equal(last().status, 403);
  assert.equal(room.isMuted, true);
});

test("events from before the start of the session are sent after the event `joined`", async () => {
  const { take, rooms, posted, events } = framed({ starts: false });
  await take(message("join", { meeting: "tea", name: "Ada" }));
  const [{ observers }] = rooms;
  const grace = { attendeeId: "a-grace", displayName: "Grace" };
  const own = { attendeeId: "a-ada", displayName: "Ada" };
  const share = { attendeeId: "a-grace#content", displayName: "Grace" };
  observers.tell("attendeesDidJoin", [own, grace, share]);
  const chat = { senderAttendeeId: "a-grace", senderDisplayName: "Grace", timestampMs: 5, text: () => "hi", throttled: false };
  observers.tell("dataMessageDidReceived", chat);
  observers.tell("dataMessageDidReceived", { ...chat, throttled: true });
  assert.deepEqual(events(), ["ready"]);
  observers.tell("audioSessionDidStart", false);
  observers.tell("audioSessionDidStart", true);
  observers.tell("attendeesDidDrop", [grace, share]);
  observers.tell("attendeesDidLeave", [grace]);
  assert.deepEqual(events(), ["ready", "joined", "participantJoined", "messageReceived", "participantLeft"]);
  const details = posted.map(({ data }) => data).filter(({ event }) => event).map(({ detail }) => detail);
  assert.deepEqual(details[1], { meeting: "tea", meetingId: "m-1", attendeeId: "a-ada", microphone: false, camera: false });
  assert.deepEqual(details[3], { attendeeId: "a-grace", name: "Grace", text: "hi", timestampMs: 5 });
  assert.deepEqual(details[4], { attendeeId: "a-grace", name: "Grace", reason: "lost" });
});

test("an event reports each change of microphone and camera once", async () => {
  const { take, posted, room } = await joined();
  const from = posted.length;
  await take(message("setMicrophone", { on: true }));
  room.observers.tell("localMuteDidChange");
  await take(message("setCamera", { on: true }));
  room.observers.tell("videoTileDidAdd");
  [room.isMuted, room.isMutedByOther] = [true, true];
  room.observers.tell("localMuteDidChange");
  const events = posted.slice(from).map(({ data }) => data).filter(({ event }) => event);
  assert.deepEqual(events.map(({ event, detail }) => [event, detail]), [
    ["microphoneChanged", { on: true, mutedByHost: false }],
    ["cameraChanged", { on: true }],
    ["microphoneChanged", { on: false, mutedByHost: true }],
  ]);
});
