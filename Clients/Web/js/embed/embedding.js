/**
 * The frame's side of embedding: carries out commands of the embedding page, and sends events to
 * this page.
 */
import { meetingSessionConfiguration } from "../carillon/meeting/configuration.js";
import { SendDataMessageError } from "../carillon/meeting/data-message.js";
import { StatusCode } from "../carillon/session/status.js";
import { isContentId } from "../carillon/video/remote-video-source.js";
import { ControlError } from "../control-api.js";
import { commandOf, VERSION } from "./commands.js";

/**
 * @typedef {import("../meet/lobby.js").Entry} Entry
 * @typedef {import("../meet/room.js").Room} Room
 * @typedef {import("../carillon/meeting/roster.js").AttendeeInfo} AttendeeInfo
 * @typedef {import("../carillon/carillon.js").MeetingSessionStatus} Status
 * @typedef {{ meeting: string, name: string, create?: boolean }} Wish
 *
 * @typedef {object} FramedPage the page in the frame
 * @property {string} host the host and port in the page's address
 * @property {(wish: Wish) => Promise<Entry>} ask asks the server for an attendee
 * @property {(entry: Entry) => Promise<void>} enter makes the room and joins; calls `entered` if
 *   all parts of the page load
 *
 * @typedef {object} Embedder the page around the frame
 * @property {unknown} window
 * @property {string} origin
 * @property {(message: object, origin: string) => void} post
 */

/** The reason why the frame does not carry out a command. */
class Refusal extends Error {
  /**
   * @param {number} status the status, as in HTTP
   * @param {string} message
   */
  constructor(status, message) {
    super(message);
    this.status = status;
  }
}

/**
 * Returns the origin of the embedding page: the origin in the frame's address, or else the origin
 * that the browser reports. The frame's `frame-ancestors` lets no other page show the frame.
 * @param {Location} address
 * @returns {string} empty if neither the address nor the browser names an origin
 */
export const originOf = (address) =>
  new URLSearchParams(address.search).get("origin") ?? address.ancestorOrigins?.[0] ?? "";

export class Embedding {
  #page;
  #embedder;
  /** @type {Room | null} */
  #room = null;
  /** @type {"lobby" | "joining" | "joined" | "ended"} */
  #state = "lobby";
  /** Whether a `join` waits for the server. */
  #isAsking = false;
  /** @type {((status: Status | null) => void) | null} called when the session has started or stopped */
  #settled = null;
  /** @type {[string, object][]} the events of a session that has not started */
  #held = [];
  /** @type {Map<string, AttendeeInfo>} */
  #others = new Map();
  #microphone = false;
  #camera = false;
  /** The number of messages that the frame refused, by reason. */
  #refused = { source: 0, origin: 0, form: 0 };

  /**
   * @param {FramedPage} page
   * @param {Embedder} embedder
   */
  constructor(page, embedder) {
    this.#page = page;
    this.#embedder = embedder;
    this.#tell("ready", { version: VERSION });
  }

  /**
   * Takes a message from any window.
   * @param {{ source: unknown, origin: string, data: unknown }} message
   */
  take({ source, origin, data }) {
    if (source !== this.#embedder.window) return this.#refuse("source");
    if (origin !== this.#embedder.origin) return this.#refuse("origin");
    const read = commandOf(data);
    if (!read) return this.#refuse("form");
    if ("command" in read) return void this.#run(read);
    this.#refuse("form");
    this.#post({ id: read.id, status: read.status, message: read.problem });
  }

  /**
   * Follows the session of a room. The session has not started yet.
   * @param {Room} room
   */
  entered(room) {
    const { session } = room.controls;
    this.#room = room;
    this.#state = "joining";
    this.#held = [];
    this.#others.clear();
    [this.#microphone, this.#camera] = [!session.isLocalMuted, false];
    session.addAudioVideoObserver({
      audioSessionDidStart: (/** @type {boolean} */ isReconnecting) => isReconnecting || this.#started(room),
      audioSessionDidStopWithStatus: (/** @type {Status} */ status) => this.#stopped(status),
    });
    session.addRealtimeObserver({
      attendeesDidJoin: (/** @type {AttendeeInfo[]} */ list) => this.#came(list, room.ownId),
      attendeesDidLeave: (/** @type {AttendeeInfo[]} */ list) => this.#went(list, "left"),
      attendeesDidDrop: (/** @type {AttendeeInfo[]} */ list) => this.#went(list, "lost"),
      localMuteDidChange: () => this.#devicesChanged(room),
    });
    const changed = () => this.#devicesChanged(room);
    session.addVideoTileObserver({ videoTileDidAdd: changed, videoTileDidRemove: changed });
    session.addRealtimeDataMessageObserver("chat", {
      dataMessageDidReceived: (/** @type {import("../carillon/carillon.js").DataMessage} */ message) => {
        if (message.throttled) return;
        const { senderAttendeeId: attendeeId, senderDisplayName: name, timestampMs } = message;
        this.#hold("messageReceived", { attendeeId, name, text: message.text(), timestampMs });
      },
    });
  }

  /** @param {Room} room */
  #started(room) {
    this.#state = "joined";
    this.#tell("joined", { ...identityOf(room), microphone: this.#microphone, camera: this.#camera });
    for (const [name, detail] of this.#held.splice(0)) this.#tell(name, detail);
    this.#settle(null);
  }

  /** @param {Status} status */
  #stopped(status) {
    const wasIn = this.#state === "joined";
    this.#room = null;
    this.#state = "ended";
    if (wasIn) this.#tell("left", { reason: status.name });
    this.#settle(status);
  }

  /** @param {Status | null} status */
  #settle(status) {
    this.#settled?.(status);
    this.#settled = null;
  }

  /**
   * @param {AttendeeInfo[]} list
   * @param {string} ownId
   */
  #came(list, ownId) {
    for (const each of list) {
      const { attendeeId, displayName: name } = each;
      if (attendeeId === ownId || isContentId(attendeeId) || this.#others.has(attendeeId)) continue;
      this.#others.set(attendeeId, each);
      this.#hold("participantJoined", { attendeeId, name });
    }
  }

  /**
   * @param {AttendeeInfo[]} list
   * @param {"left" | "lost"} reason
   */
  #went(list, reason) {
    for (const { attendeeId, displayName: name } of list) {
      if (this.#others.delete(attendeeId)) this.#hold("participantLeft", { attendeeId, name, reason });
    }
  }

  /** @param {Room} room */
  #devicesChanged({ controls: { session, isCameraOn } }) {
    const isMicrophoneOn = !session.isLocalMuted;
    if (isMicrophoneOn !== this.#microphone) {
      this.#microphone = isMicrophoneOn;
      this.#hold("microphoneChanged", { on: isMicrophoneOn, mutedByHost: session.isLocalMutedByOther });
    }
    if (isCameraOn !== this.#camera) {
      this.#camera = isCameraOn;
      this.#hold("cameraChanged", { on: isCameraOn });
    }
  }

  /** @param {import("./commands.js").Command} command */
  async #run({ id, command, values }) {
    try {
      this.#post({ id, status: 200, result: (await this.#carryOut(command, values)) ?? null });
    } catch (error) {
      const isKnown = error instanceof Refusal || error instanceof ControlError;
      if (!isKnown) reportError(error);
      const status = isKnown ? error.status || 503 : 500;
      this.#post({ id, status, message: isKnown ? error.message : "The frame failed; its console has the error." });
    }
  }

  /**
   * @param {string} command
   * @param {Record<string, any>} values
   * @returns {Promise<object | void>} the result that the answer contains
   */
  async #carryOut(command, values) {
    if (command === "getState") return this.#stateNow();
    if (command === "join") return this.#join(values);
    const room = this.#room;
    if (!room) throw new Refusal(409, "The frame is in no meeting.");
    const { controls } = room;
    switch (command) {
      case "leave":
        return room.stop();
      case "setMicrophone":
        return this.#setMicrophone(controls, values["on"]);
      case "setCamera":
        await controls.setCamera(values["on"]);
        if (room.controls.isCameraOpen !== values["on"]) throw new Refusal(403, "The browser opened no camera.");
        return;
      case "setScreenShare":
        await controls.setScreenShare(values["on"]);
        if (controls.session.isSharingContent === values["on"]) return;
        throw new Refusal(403, "The user chose no screen, or the browser requires a click in the frame.");
      case "setHand":
        return controls.setHand(values["raised"]);
      case "sendMessage":
        return send(controls, values["text"]);
      case "setLayout":
        return controls.setLayout(values["layout"]);
      default:
        return controls.showPanel(values["panel"] === "none" ? "" : values["panel"]);
    }
  }

  /** @param {Record<string, any>} values */
  async #join({ credentials, ...wish }) {
    if (this.#room || this.#isAsking) throw new Refusal(409, "The frame is already in a meeting.");
    this.#isAsking = true;
    try {
      const entry = credentials ? this.#entryOf(credentials) : await this.#page.ask(/** @type {Wish} */ (wish));
      // Meanwhile, the user may have joined by the lobby's form.
      if (this.#room) throw new Refusal(409, "The frame is already in a meeting.");
      const settled = new Promise((resolve) => (this.#settled = resolve));
      this.#state = "lobby";
      await this.#page.enter(entry);
      const room = /** @type {Room | null} */ (this.#room);
      if (!room) throw new Refusal(503, "The page in the frame did not load as a whole.");
      const status = /** @type {Status | null} */ (await settled);
      if (status) throw new Refusal(statusOf(status), `The session did not start: ${status.name}.`);
      return identityOf(room);
    } finally {
      this.#isAsking = false;
    }
  }

  /**
   * Returns the entry for the credentials that the embedding page's own server got from Carillon.
   * @param {any} credentials
   * @returns {Entry}
   */
  #entryOf({ Meeting, Attendee, HostToken }) {
    let signaling;
    try {
      signaling = new URL(meetingSessionConfiguration(Meeting, Attendee).signalingUrl);
    } catch (error) {
      throw new Refusal(400, `These are no credentials. ${error instanceof Error ? error.message : ""}`);
    }
    // Without this check, the embedding page could send the user's voice to any server, in this
    // server's name.
    if (!/^wss?:$/.test(signaling.protocol) || signaling.host !== this.#page.host) {
      throw new Refusal(400, "SignalingUrl of the credentials is not at the frame's server.");
    }
    return { Meeting: Meeting.Meeting ?? Meeting, Attendee: Attendee.Attendee ?? Attendee, HostToken };
  }

  /**
   * @param {Room["controls"]} controls
   * @param {boolean} isOn
   */
  async #setMicrophone({ session, setMicrophone }, isOn) {
    if (isOn && session.isLocalMutedByOther) throw new Refusal(403, "A host muted the user. Only the user can unmute.");
    await setMicrophone(isOn);
    if (session.isLocalMuted === isOn) throw new Refusal(403, "The browser opened no microphone.");
  }

  #stateNow() {
    const controls = this.#room?.controls;
    return {
      state: this.#state,
      ...(this.#room && identityOf(this.#room)),
      microphone: controls ? !controls.session.isLocalMuted : false,
      camera: controls?.isCameraOn ?? false,
      screenShare: controls?.session.isSharingContent ?? false,
      participants: [...this.#others.values()].map(({ attendeeId, displayName: name }) => ({ attendeeId, name })),
      refused: { ...this.#refused },
    };
  }

  /** @param {"source" | "origin" | "form"} reason */
  #refuse(reason) {
    this.#refused[reason] += 1;
    if (this.#refused[reason] === 1) console.warn(`Refused a message to the embedded meeting: wrong ${reason}.`);
  }

  /**
   * Sends an event of a session once the session has started.
   * @param {string} name
   * @param {object} detail
   */
  #hold(name, detail) {
    if (this.#state === "joining") this.#held.push([name, detail]);
    else if (this.#state === "joined") this.#tell(name, detail);
  }

  /**
   * @param {string} event
   * @param {object} detail
   */
  #tell(event, detail) {
    this.#post({ event, detail });
  }

  /** @param {object} message */
  #post(message) {
    this.#embedder.post({ carillon: VERSION, ...message }, this.#embedder.origin);
  }
}

/** @param {Room} room */
const identityOf = (room) => ({ meeting: room.name, meetingId: room.entry.Meeting.MeetingId, attendeeId: room.ownId });

/** @param {Status} status the status of a session that did not start */
function statusOf({ statusCode }) {
  if (statusCode === StatusCode.AudioAuthenticationRejected) return 403;
  return statusCode === StatusCode.AudioCallAtCapacity || statusCode === StatusCode.Left ? 409 : 503;
}

/**
 * @param {Room["controls"]} controls
 * @param {string} text
 */
function send(controls, text) {
  try {
    controls.sendMessage(text);
  } catch (error) {
    if (error instanceof SendDataMessageError) throw new Refusal(400, "A message has at most 2,048 bytes.");
    throw error;
  }
}

/**
 * Connects the page in the frame to the page around the frame.
 * @param {Omit<FramedPage, "host">} page
 * @returns {Embedding | null} `null` if the embedding page's origin is unknown
 */
export function embed(page) {
  const origin = originOf(location);
  if (!origin) {
    console.error("The address of this frame must name the embedding page: /embed?origin=https://HOST");
    return null;
  }
  const post = (/** @type {object} */ message, /** @type {string} */ target) => parent.postMessage(message, target);
  const embedding = new Embedding({ ...page, host: location.host }, { window: parent, origin, post });
  addEventListener("message", (message) => embedding.take(message));
  return embedding;
}
