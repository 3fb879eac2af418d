import {
  baseOfId,
  DefaultActiveSpeakerPolicy,
  isContentId,
  MeetingSession,
  meetingSessionConfiguration,
} from "../carillon/carillon.js";
import { brand, byId, laterStyles, make, offerFocus, say, setIcon } from "../elements.js";
import { Chat } from "./chat.js";
import { ConnectionState } from "./connection-state.js";
import { DeviceWatch } from "./device-watch.js";
import { HAND_AGAIN_MS, HAND_LIFETIME_MS, HAND_TOPIC, Hands, LOWERED_TOPIC } from "./hands.js";
import { Keys } from "./keys.js";
import { LaterPart } from "./later-part.js";
import { linkTo } from "./meeting-name.js";
import { prefer, preference } from "./kept.js";
import { ShareButton } from "./share-button.js";
import { Speech } from "./speech.js";
import { LayoutChoice } from "./stage-layout.js";
import { Tiles } from "./tiles.js";
import { APPOINTED_TOPIC, UNMUTE_TOPIC } from "./unmute-requests.js";
import { Videos } from "./videos.js";
import { roomWords, words } from "./words/announcements.js";

/** Narrower windows show the chat below or over the stage (css/meet.css). */
const WIDE = "(min-width: 52.01rem)";

/**
 * @typedef {"chat" | "people" | ""} Panel the panel that is open beside the stage
 * @typedef {import("../carillon/meeting/roster.js").AttendeeInfo} AttendeeInfo
 * @typedef {import("../carillon/carillon.js").DataMessage} DataMessage
 *
 * @typedef {object} Equipment
 * @property {import("../carillon/carillon.js").DeviceController} devices
 * @property {import("./sound-panel.js").SoundPanel} sound
 * @property {import("./camera-panel.js").CameraPanel} camera
 * @property {boolean} joinsMuted
 */

/** The view of a meeting that the user is in. */
export class Room {
  #configuration;
  #session;
  #sound;
  #camera;
  /** Whether the user wants to send the camera's video. */
  #wantsCamera = false;
  #wasMuted;
  #wasCameraOn = false;
  #videos;
  #share;
  #hands = new Hands();
  #tiles;
  #chat;
  /**
   * The panel that was open when the window last became narrow; empty if no panel was open. This
   * panel opens when the window becomes wide.
   * @type {Panel}
   */
  #widePanel = "chat";
  #captions = this.#later(() => this.#makeCaptions());
  #languages;
  /** @type {readonly string[]} */
  #speakers = [];
  #activeSpeakers = {
    activeSpeakerDidDetect: (/** @type {AttendeeInfo[]} */ active) => {
      this.#speakers = active.map(({ attendeeId }) => attendeeId);
      // In a hidden tab, there are no animation frames.
      this.#small.ifLoaded((small) => small.update());
      this.#refresh();
    },
  };
  #layout = new LayoutChoice(preference("layout"));
  #unreadCount = 0;
  /** The time at which the room opened, in milliseconds of `performance.now()`. */
  #openedAt = 0;
  #keys;
  /** Whether the user released the key for push-to-talk while someone else's mute was in effect. */
  #closesWhenFree = false;
  #hasStarted = false;
  #canZoom = false;
  #listeners = new AbortController();
  /** @type {ReturnType<typeof setInterval> | undefined} */
  #handClock;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #toastClock;
  #frame = 0;
  #view = byId("room", HTMLElement);
  #deviceWatch;
  #speech = new Speech();
  #devices;
  #settings = this.#later(() => this.#makeSettings());
  #preview = this.#later(() => this.#makePreview());
  /** @type {{ release: () => Promise<void> } | null} */
  #wakeLock = null;
  #reactions = this.#later(() => this.#makeReactions());
  #quality = this.#later(() => this.#makeQuality());
  #small = this.#later(() => this.#makeSmallWindow());
  #hostNews = this.#later(() => this.#makeHostNews());
  #toast = byId("mute-notice", HTMLElement);
  #mute = byId("mute", HTMLButtonElement);
  #cameraToggle = byId("camera", HTMLButtonElement);
  #hand = byId("hand", HTMLButtonElement);
  #chatToggle = byId("chat-toggle", HTMLButtonElement);
  #peopleToggle = byId("people-toggle", HTMLButtonElement);
  #people = this.#later(() => this.#makePeople());
  #sheets = this.#later(() => this.#makeSheets());
  /** @type {Panel} */
  #panel = "";
  #unread = byId("unread", HTMLElement);
  #ownPicture = byId("own-picture", HTMLSelectElement);

  /**
   * @param {import("./lobby.js").Entry} entry
   * @param {string[]} languages the languages that captions can use
   * @param {Equipment} equipment
   * @param {(status: import("../carillon/carillon.js").MeetingSessionStatus) => void} ended
   */
  constructor(entry, languages, { devices, sound, camera, joinsMuted }, ended) {
    this.entry = entry;
    this.#devices = devices;
    this.#sound = sound;
    this.#camera = camera;
    this.#languages = languages;
    this.#configuration = meetingSessionConfiguration(entry.Meeting, entry.Attendee);
    this.#session = new MeetingSession(this.#configuration, {
      clientDetails: { app_name: "carillon-meet" },
      isMuted: joinsMuted,
      devices,
    }).audioVideo;
    this.#wasMuted = joinsMuted;
    this.#tiles = new Tiles(this.#configuration.attendeeId, this.#session, (isPinned) => this.#pinned(isPinned));
    this.#videos = new Videos(this.#session, () => this.#videosChanged());
    const read = (/** @type {string} */ text) => this.#speech.tell({ kind: "own", text });
    this.#share = new ShareButton(this.#session, (text) => this.#say(text), read, this.#listeners.signal);
    this.#chat = new Chat(this.#session, () => Date.now() + this.#session.clockSkewMs, (message) => this.#wasWritten(message));
    new ConnectionState(this.#session);
    const tell = (/** @type {string} */ text) => this.#say(text);
    const parts = { devices, sound, camera, session: this.#session, view: this.#view, say: tell, read };
    this.#deviceWatch = new DeviceWatch(parts);
    this.#keys = this.#makeKeys();
    this.#observe(ended);
    this.#bind();
    if (entry.HostToken) void this.#addHost(entry.HostToken);
  }

  /** The meeting's name in links. */
  get name() {
    return this.entry.Meeting.Name || this.#configuration.externalMeetingId || this.#configuration.meetingId;
  }

  /** The local attendee's id. */
  get ownId() {
    return this.#configuration.attendeeId;
  }

  /** The session, and the actions that an embedding page may take. */
  get controls() {
    return {
      session: this.#session,
      isCameraOn: this.#videos.isCameraOn,
      isCameraOpen: this.#camera.isOpen,
      setMicrophone: async (/** @type {boolean} */ isOn) => {
        if (this.#session.isLocalMuted === isOn) await this.#toggleMicrophone();
      },
      setCamera: (/** @type {boolean} */ isOn) => (isOn ? this.#startCamera() : this.#stopCamera()),
      setScreenShare: (/** @type {boolean} */ isOn) => this.#share.set(isOn),
      setHand: (/** @type {boolean} */ isRaised) => this.#setHand(isRaised),
      sendMessage: (/** @type {string} */ text) => this.#chat.send(text),
      setLayout: (/** @type {"grid" | "speaker"} */ layout) => this.#chooseLayout(layout),
      showPanel: (/** @type {Panel} */ panel) => this.#showPanel(panel),
    };
  }

  /** Whether others hear the user. */
  get isHeard() {
    return !this.#session.isLocalMuted && this.#devices.track !== null;
  }

  /** The local user's chat messages. The page stores them during a reload. */
  get own() {
    return this.#chat.own;
  }

  /**
   * Shows the room and joins the meeting.
   * @param {{ text: string, timestampMs: number }[]} own chat messages of the local user from
   *   before a reload
   */
  open(own) {
    const title = byId("room-title", HTMLElement);
    title.replaceChildren(make("bdi", { text: this.name }));
    document.title = `${this.name} – ${brand}`;
    this.#view.hidden = false;
    this.#openedAt = performance.now();
    this.#showPanel(matchMedia(WIDE).matches ? "chat" : "");
    for (const { text, timestampMs } of own) this.#chat.add("", text, timestampMs, true);
    offerFocus(title);
    if (!matchMedia(WIDE).matches) void this.#sheets.get();
    void this.#keepAwake();
    this.#refresh();
    this.#session.start();
    if (preference("pictures") !== "off") this.#session.startRemoteVideo();
    // Send the video of a camera that was already open in the lobby.
    this.#camera.showInRoom(this.#session);
    if (this.#camera.isOpen) void this.#startCamera();
  }

  /** Leaves the meeting. */
  stop() {
    this.#session.stop();
  }

  /** Plays no sound of the meeting until the user clicks to hear it. */
  async silence() {
    const { silence } = await import("./other-tab.js");
    const end = silence(this.#view, byId("mix", HTMLAudioElement));
    this.#listeners.signal.addEventListener("abort", end, { once: true });
  }

  /** Hides the room and releases its resources. */
  close() {
    this.#view.hidden = true;
    this.#listeners.abort();
    this.#chat.close();
    this.#captions.ifLoaded((captions) => captions.close());
    this.#tiles.close();
    this.#videos.close();
    this.#deviceWatch.close();
    this.#settings.ifLoaded((settings) => settings.close());
    this.#quality.ifLoaded((quality) => quality.close());
    this.#reactions.ifLoaded((reactions) => reactions.close());
    this.#preview.ifLoaded((preview) => preview.close());
    this.#small.ifLoaded((small) => small.close());
    this.#session.stopContentShare();
    // The observer's timer would keep the room and all of its elements in memory.
    this.#session.removeActiveSpeakerObserver(this.#activeSpeakers);
    clearInterval(this.#handClock);
    clearTimeout(this.#toastClock);
    cancelAnimationFrame(this.#frame);
    this.#speech.close();
    this.#toast.textContent = "";
    void this.#wakeLock?.release();
    this.#view.style.height = "";
  }

  #connectionLost() {
    this.#speech.tell({ kind: "connection", isLost: true });
  }

  /** @param {(status: import("../carillon/carillon.js").MeetingSessionStatus) => void} ended */
  #observe(ended) {
    this.#session.addAudioVideoObserver({
      audioSessionDidStart: (/** @type {boolean} */ isReconnecting) => {
        this.#hasStarted = true;
        if (isReconnecting) this.#speech.tell({ kind: "connection", isLost: false });
        else this.#speech.tell({ kind: "own", text: words.inMeeting });
      },
      audioSessionDidDrop: () => this.#session.isSoundHeld || this.#connectionLost(),
      audioSessionDidLoseSound: () => this.#connectionLost(),
      audioSessionDidStopWithStatus: ended,
      cameraSendAvailabilityDidChange: (/** @type {boolean} */ isAvailable) => {
        if (isAvailable || !this.#wantsCamera || this.#videos.isCameraOn) return;
        this.#wantsCamera = false;
        this.#say(say("Nobody sees you: the meeting has no room for another camera. Try again after somebody has switched off a camera."));
      },
    });
    this.#session.addVideoTileObserver({
      videoTileDidAdd: (/** @type {{ attendeeId: string, isContent: boolean }} */ { attendeeId, isContent }) => {
        if (!isContent) return;
        const name = this.#session.roster.get(baseOfId(attendeeId))?.displayName ?? say("Somebody");
        this.#speech.tell({ kind: "share", id: attendeeId, name });
      },
    });
    this.#session.addRealtimeObserver({
      attendeesDidJoin: (/** @type {AttendeeInfo[]} */ list) => this.#moved(list, "joined"),
      attendeesDidLeave: (/** @type {AttendeeInfo[]} */ list) => this.#moved(list, "left"),
      attendeesDidDrop: (/** @type {AttendeeInfo[]} */ list) => this.#moved(list, "lost"),
      attendeesDidMute: () => this.#refresh(),
      attendeesDidUnmute: () => this.#refresh(),
      volumeDidChange: () => this.#refresh(),
      localMuteDidChange: () => this.#microphoneChanged(),
    });
    this.#session.addRealtimeDataMessageObserver(HAND_TOPIC, {
      dataMessageDidReceived: (/** @type {DataMessage} */ message) => {
        if (message.throttled) return;
        const { senderAttendeeId: id, senderDisplayName: name } = message;
        if (this.#hands.take(message)) this.#tell({ kind: "hand", id, name });
        this.#refresh();
      },
    });
    this.#session.addRealtimeDataMessageObserver(LOWERED_TOPIC, {
      dataMessageDidReceived: (/** @type {DataMessage} */ message) => this.#handsLowered(message),
    });
    this.#session.addRealtimeDataMessageObserver(UNMUTE_TOPIC, {
      dataMessageDidReceived: async () => (await this.#hostNews.get())?.askedToUnmute(),
    });
    this.#session.addRealtimeDataMessageObserver(APPOINTED_TOPIC, {
      dataMessageDidReceived: async (/** @type {DataMessage} */ message) => (await this.#hostNews.get())?.appointed(message),
    });
    this.#session.addRealtimeTranscriptEventObserver({
      transcriptEventDidReceive: async (/** @type {import("./captions.js").TranscriptEvent} */ event) =>
        (await this.#captions.get())?.take(event),
    });
    this.#session.addRealtimeDataMessageObserver("reaction", {
      dataMessageDidReceived: async (/** @type {DataMessage} */ message) => (await this.#reactions.get())?.take(message),
    });
    this.#session.addMetricsObserver({
      metricsDidReceive: (/** @type {Record<string, number>} */ metrics) => void this.#measured(metrics),
    });
    this.#session.addActiveSpeakerObserver(new DefaultActiveSpeakerPolicy(), this.#activeSpeakers);
  }

  /**
   * Loads the controls of a host. Few people are hosts.
   * @param {string} token
   */
  async #addHost(token) {
    const { signal } = this.#listeners;
    const tell = (/** @type {string} */ text) => this.#say(text);
    const read = (/** @type {string} */ text) => this.#speech.tell({ kind: "own", text });
    const speaker = () => this.#devices.getActiveAudioDevice("audiooutput")?.port ?? "";
    try {
      const host = await import("./host-controls.js");
      host.add(this.#session, this, token, { say: tell, read, speaker, hands: () => this.#hands.raised }, signal);
    } catch {
      this.#say(roomWords.noHostControls);
    }
  }

  #bind() {
    const { signal } = this.#listeners;
    const on = (/** @type {HTMLElement} */ element, /** @type {() => void} */ act) =>
      element.addEventListener("click", act, { signal });
    on(this.#mute, () => void this.#toggleMicrophone());
    on(this.#cameraToggle, () => void this.#toggleCamera());
    on(this.#hand, () => this.#toggleHand());
    on(byId("sound-toggle", HTMLElement), () => void this.#settings.ask());
    on(byId("react", HTMLElement), async () => (await this.#reactions.ask())?.toggle());
    on(byId("captions-toggle", HTMLElement), async () => (await this.#captions.ask())?.toggle());
    on(this.#chatToggle, () => this.#showPanel(this.#panel === "chat" ? "" : "chat"));
    on(this.#peopleToggle, () => this.#showPanel(this.#panel === "people" ? "" : "people"));
    for (const id of ["chat-close", "people-close"]) on(byId(id, HTMLElement), () => this.#closePanel());
    on(byId("leave", HTMLElement), () => this.#session.stop());
    on(byId("more", HTMLElement), async () => (await this.#sheets.ask())?.openMore());
    on(byId("layout", HTMLElement), () => this.#nextLayout());
    const small = byId("pip", HTMLElement);
    small.hidden = !("documentPictureInPicture" in window || document.pictureInPictureEnabled);
    on(small, async () => (await this.#small.ask())?.toggle());
    this.#ownPicture.value = preference("own-picture") || "tile";
    this.#ownPicture.addEventListener("change", () => this.#ownPictureChosen(), { signal });
    // After a rotation, an open chat must not cover the tiles, unless the user is writing in the
    // chat.
    const wide = matchMedia(WIDE);
    const turned = () => {
      const isUsed = document.activeElement?.closest(".chat") != null;
      if (!wide.matches) this.#widePanel = this.#panel;
      this.#showPanel(wide.matches ? this.#panel || this.#widePanel : isUsed ? this.#panel : "");
      if (!wide.matches) void this.#sheets.get();
    };
    wide.addEventListener("change", turned, { signal });
    document.addEventListener("visibilitychange", () => void this.#keepAwake(), { signal });
    visualViewport?.addEventListener("resize", () => this.#fit(), { signal });
    on(byId("copy-link", HTMLElement), () => void this.#copyLink());
    this.#microphoneChanged();
    this.#videosChanged();
    this.#showHand(false);
  }

  #makeKeys() {
    const commands = {
      mute: () => void this.#toggleMicrophone(),
      camera: () => void this.#toggleCamera(),
      hand: () => this.#toggleHand(),
      chat: () => this.#togglePanel("chat"),
      people: () => this.#togglePanel("people"),
      layout: () => this.#nextLayout(),
      fullScreen: () => void this.#toggleFullScreen(),
    };
    const actions = {
      run: (/** @type {keyof typeof commands} */ command) => commands[command](),
      microphone: () => ({ isMuted: this.#session.isLocalMuted, isMutedByOther: this.#session.isLocalMutedByOther }),
      notLoaded: () => this.#say(roomWords.notLoaded),
      talk: (/** @type {boolean} */ isOpen) => void this.#holdToTalk(isOpen),
    };
    return new Keys(actions, this.#listeners.signal);
  }

  /** @param {boolean} isOpen */
  async #holdToTalk(isOpen) {
    if (!isOpen) return this.#closeMicrophone();
    const hasMicrophone = await this.#sound.openMicrophone();
    // The user may have released the key during the browser's prompt.
    if (hasMicrophone && this.#keys.isTalking) this.#session.realtimeLocalUnmute();
  }

  /**
   * Mutes the microphone. The user's own mute would hide a mute by someone else, so the user's own
   * mute waits until the other mute ends.
   */
  #closeMicrophone() {
    this.#closesWhenFree = this.#session.isLocalMutedByOther;
    if (!this.#closesWhenFree) this.#session.realtimeLocalMute();
  }

  async #toggleFullScreen() {
    try {
      if (document.fullscreenElement) await document.exitFullscreen();
      else await document.documentElement.requestFullscreen();
    } catch {
      this.#say(roomWords.noFullScreen);
    }
  }

  /**
   * Shows or hides a panel. The focus moves to the input of a shown panel.
   * @param {"chat" | "people"} panel
   */
  #togglePanel(panel) {
    if (this.#panel === panel) return this.#closePanel();
    this.#showPanel(panel);
    byId(panel === "chat" ? "chat-text" : "people-search", HTMLElement).focus();
  }

  /** Closes the panel. The focus returns to the button of the panel. */
  #closePanel() {
    const opener = this.#panel === "people" ? this.#peopleToggle : this.#chatToggle;
    if (!this.#panel) return;
    this.#showPanel("");
    opener.focus();
  }

  /**
   * @param {AttendeeInfo[]} list
   * @param {"joined" | "left" | "lost"} kind
   */
  #moved(list, kind) {
    if (kind !== "joined") for (const { attendeeId } of list) this.#hands.forget(attendeeId);
    const own = this.#configuration.attendeeId;
    const others = list.filter(({ attendeeId }) => attendeeId !== own && !isContentId(attendeeId));
    const told = this.#hasStarted ? others : [];
    for (const { attendeeId: id, displayName: name } of told) this.#tell({ kind, id, name });
    this.#refresh();
  }

  /** Schedules one update of the stage for the next animation frame. */
  #refresh() {
    if (this.#frame) return;
    this.#frame = requestAnimationFrame(() => {
      this.#frame = 0;
      const { roster } = this.#session;
      this.#videos.showShare(roster);
      this.#layout.share(this.#videos.isShared);
      if (this.#videos.isShared && !this.#canZoom) void this.#loadZoom();
      byId("stage", HTMLElement).dataset["layout"] = this.#layout.layout;
      const ownPicture = /** @type {import("./stage-layout.js").OwnPicture} */ (this.#ownPicture.value);
      const view = { layout: this.#layout.layout, ownPicture };
      const { cameras } = this.#videos;
      this.#tiles.show(roster, this.#hands.raised, this.#speakers, cameras, view);
      const ownId = this.#configuration.attendeeId;
      const people = { roster, ownId, hands: this.#hands.inOrder, speakers: this.#speakers, cameras };
      if (this.#panel === "people") void this.#showPeople(people);
    });
  }

  /**
   * Loads the panel when it opens for the first time: many people never open it.
   * @param {import("./people.js").Happening} happening
   */
  async #showPeople(happening) {
    const people = await this.#people.get();
    if (!this.#listeners.signal.aborted) people?.show(happening);
  }

  async #makePeople() {
    const [{ PeoplePanel }] = await Promise.all([import("./people-panel.js"), laterStyles()]);
    return new PeoplePanel(this.#listeners.signal);
  }

  /**
   * @template T
   * @param {() => Promise<T>} load
   */
  #later(load) {
    return new LaterPart(load, () => this.#say(roomWords.notLoaded));
  }

  /**
   * Loads captions when the first caption arrives or the user clicks the button for captions: most
   * meetings have no captions.
   */
  async #makeCaptions() {
    const [{ Captions }] = await Promise.all([import("./captions.js"), laterStyles()]);
    const { entry } = this;
    const { meetingId } = this.#configuration;
    const rights = { meetingId, joinToken: entry.Attendee.JoinToken, hostToken: () => entry.HostToken };
    const tell = (/** @type {string} */ text) => this.#speech.tell({ kind: "caption", text });
    return new Captions(rights, this.#languages, tell);
  }

  async #makeReactions() {
    const tell = (/** @type {import("./announcer.js").NewsOfPeople} */ news) => this.#tell(news);
    const [{ ReactionsView }] = await Promise.all([import("./reactions-view.js"), laterStyles()]);
    return new ReactionsView(this.#session, byId("react", HTMLElement), byId("stage", HTMLElement), tell);
  }

  async #makeSmallWindow() {
    const parts = {
      session: this.#session,
      ownId: this.ownId,
      speakers: () => this.#speakers,
      toggleMicrophone: () => void this.#toggleMicrophone(),
      failed: () => this.#say(roomWords.noSmallWindow),
    };
    const [{ PictureInPicture }] = await Promise.all([import("./picture-in-picture.js"), laterStyles()]);
    return new PictureInPicture(parts);
  }

  async #makeHostNews() {
    const { signal } = this.#listeners;
    const read = (/** @type {string} */ text) => this.#speech.tell({ kind: "own", text });
    const tell = (/** @type {string} */ text) => this.#say(text);
    const unmute = () => void (this.#session.isLocalMutedByOther ? this.#liftMute() : this.openMicrophone());
    const becomeHost = (/** @type {string} */ token) => {
      // After a reload and after a rejoin, the page uses the entry again, so the user stays a host.
      this.entry.HostToken = token;
      void this.#addHost(token);
    };
    const [{ HostNews }] = await Promise.all([import("./host-news.js"), laterStyles()]);
    const { entry } = this;
    const parts = { session: this.#session, view: this.#view, unmute, read, say: tell, entry, becomeHost };
    return signal.aborted ? null : new HostNews(parts, signal);
  }

  async #makeSettings() {
    const showPictures = (/** @type {boolean} */ isOn) =>
      isOn ? this.#session.startRemoteVideo() : this.#session.stopRemoteVideo();
    const [{ Settings }] = await Promise.all([import("./settings.js"), laterStyles()]);
    return new Settings(showPictures);
  }

  /**
   * Shows that the connection is bad. The view loads with the first bad metric: most meetings have
   * no bad metric.
   * @param {Record<string, number>} metrics
   */
  async #measured(metrics) {
    const isBad = (/** @type {[string, number]} */ [name, value]) =>
      value >= (/LossPercent$/.test(name) ? 8 : /RttMs$/.test(name) ? 600 : Infinity);
    if (!this.#quality.isWanted && !Object.entries(metrics).some(isBad)) return;
    (await this.#quality.get())?.take(metrics);
  }

  async #makeQuality() {
    const read = (/** @type {string} */ text) => this.#speech.tell({ kind: "own", text });
    const [{ QualityView }] = await Promise.all([import("./quality-view.js"), laterStyles()]);
    return new QualityView(this.#view, read);
  }

  /**
   * Loads the sheets of small windows: the panels that the button Back closes, and the dialog More.
   */
  async #makeSheets() {
    const { signal } = this.#listeners;
    const [{ Sheets }] = await Promise.all([import("./sheets.js"), laterStyles()]);
    return signal.aborted ? null : new Sheets(signal);
  }

  /** At the first share, loads the code for zooming: most meetings start without a share. */
  async #loadZoom() {
    this.#canZoom = true;
    const { ShareZoom } = await import("./share-zoom.js");
    if (!this.#listeners.signal.aborted) new ShareZoom(this.#listeners.signal);
  }

  #nextLayout() {
    this.#say(roomWords.layouts[this.#layout.next()]);
    prefer("layout", this.#layout.chosen);
    this.#refresh();
  }

  /** @param {"grid" | "speaker"} layout */
  #chooseLayout(layout) {
    this.#layout.choose(layout);
    prefer("layout", layout);
    this.#refresh();
  }

  /** @param {boolean} isPinned */
  #pinned(isPinned) {
    if (isPinned && this.#layout.layout === "grid" && !this.#videos.isShared) this.#nextLayout();
    this.#refresh();
  }

  #ownPictureChosen() {
    prefer("own-picture", this.#ownPicture.value);
    this.#refresh();
  }

  /** Mutes or unmutes. Unmuting first opens a microphone. Without a microphone, the user stays muted. */
  async #toggleMicrophone() {
    if (this.#keys.isTalking) return this.#keys.release();
    if (this.#session.isLocalMutedByOther) return this.#liftMute();
    if (!this.#session.isLocalMuted) this.#session.realtimeLocalMute();
    else await this.openMicrophone();
  }

  /** Opens a microphone and unmutes. If none opens, the user stays muted. */
  async openMicrophone() {
    const isOpen = await this.#sound.openMicrophone();
    if (isOpen && !this.#listeners.signal.aborted) this.#session.realtimeLocalUnmute();
  }

  /** Ends a host's mute. The server restores an operator's mute. */
  async #liftMute() {
    if (!(await this.#sound.openMicrophone())) return;
    this.#closesWhenFree = false;
    this.#session.realtimeLocalUnmute();
  }

  #microphoneChanged() {
    const isMuted = this.#session.isLocalMuted;
    const isByOther = this.#session.isLocalMutedByOther;
    // The notice about a mute by someone else announces this mute in other words.
    if (isMuted !== this.#wasMuted && !isByOther) this.#speech.tell({ kind: "microphone", isOn: !isMuted });
    this.#wasMuted = isMuted;
    if (isByOther) this.#keys.release();
    else if (this.#closesWhenFree) this.#closeMicrophone();
    this.#mute.setAttribute("aria-pressed", `${isMuted}`);
    const text = isByOther ? say("Muted by host") : isMuted ? say("Muted") : say("Mute");
    const label = this.#mute.querySelector(".label");
    if (label && label.textContent !== text) {
      label.textContent = text;
      if (isByOther) this.#say(roomWords.mutedByOther);
    }
    setIcon(this.#mute, isMuted ? "mic-off" : "mic");
    this.#small.ifLoaded((small) => small.update());
    this.#refresh();
  }

  async #toggleCamera() {
    return this.#videos.isCameraOn ? this.#stopCamera() : this.#startCamera();
  }

  #stopCamera() {
    this.#wantsCamera = false;
    this.#camera.stop();
  }

  async #startCamera() {
    this.#wantsCamera = true;
    this.#wantsCamera = await this.#camera.start();
  }

  #videosChanged() {
    const isOn = this.#videos.isCameraOn;
    if (isOn !== this.#wasCameraOn) this.#speech.tell({ kind: "camera", isOn });
    this.#wasCameraOn = isOn;
    this.#cameraToggle.setAttribute("aria-pressed", `${isOn}`);
    setIcon(this.#cameraToggle, isOn ? "camera" : "camera-off");
    this.#small.ifLoaded((small) => small.update());
    this.#refresh();
  }

  #toggleHand() {
    this.#setHand(this.#hand.getAttribute("aria-pressed") !== "true");
  }

  /**
   * Applies a host's message that lowers hands. If the user had raised a hand, the page also sends
   * a message of its own, which lowers the hand. In the meeting's log, this message follows all
   * earlier messages of the page. So attendees who join later also see the hand lowered.
   * @param {DataMessage} message
   */
  #handsLowered(message) {
    const { attendeeId } = this.#configuration;
    const wasRaised = this.#hands.raised.has(attendeeId);
    this.#hands.lower(message);
    if (wasRaised && !this.#hands.raised.has(attendeeId)) {
      this.#setHand(false);
      this.#say(roomWords.handLowered);
    }
    this.#refresh();
  }

  /** @param {boolean} isRaised */
  #setHand(isRaised) {
    const sinceMs = Math.round(Date.now() + this.#session.clockSkewMs);
    this.#tellHand({ raised: isRaised });
    this.#hands.set(this.#configuration.attendeeId, isRaised, sinceMs);
    clearInterval(this.#handClock);
    if (isRaised) this.#handClock = setInterval(() => this.#tellHand({ raised: true, sinceMs }), HAND_AGAIN_MS);
    this.#showHand(isRaised);
    this.#refresh();
  }

  /** @param {{ raised: boolean, sinceMs?: number }} hand */
  #tellHand(hand) {
    this.#session.realtimeSendDataMessage(HAND_TOPIC, hand, HAND_LIFETIME_MS);
  }

  /** @param {boolean} isRaised */
  #showHand(isRaised) {
    this.#hand.setAttribute("aria-pressed", `${isRaised}`);
    const label = this.#hand.querySelector(".label");
    if (label) label.textContent = isRaised ? say("Lower hand") : say("Raise hand");
  }

  /** @param {Panel} panel */
  #showPanel(panel) {
    if (panel !== "chat") this.#chat.show(false);
    this.#panel = panel;
    this.#view.classList.toggle("without-chat", panel === "");
    byId("chat", HTMLElement).hidden = panel !== "chat";
    byId("people", HTMLElement).hidden = panel !== "people";
    if (panel === "chat") this.#chat.show(true);
    this.#chatToggle.setAttribute("aria-pressed", `${panel === "chat"}`);
    this.#peopleToggle.setAttribute("aria-pressed", `${panel === "people"}`);
    if (panel === "people") void this.#people.ask().then((people) => people && !this.#listeners.signal.aborted && this.#refresh());
    if (panel === "chat") {
      this.#setUnread(0);
      this.#preview.ifLoaded((preview) => preview.hide());
    }
    this.#refresh();
  }

  /** @param {DataMessage} message */
  #wasWritten(message) {
    const { senderAttendeeId: id, senderDisplayName: name } = message;
    // Messages from before the user joined make neither a sound nor a preview.
    const openForMs = performance.now() - this.#openedAt;
    const isOld = message.timestampMs < Date.now() + this.#session.clockSkewMs - openForMs;
    if (!isOld) this.#tell({ kind: "chat", id, name, text: message.text() });
    if (this.#panel === "chat") return;
    this.#setUnread(this.#unreadCount + 1);
    if (!isOld) void this.#showPreview(name, message.text());
  }

  /**
   * @param {string} name
   * @param {string} text the text of a message that arrived while the chat was closed
   */
  async #showPreview(name, text) {
    const preview = await this.#preview.get();
    if (this.#panel !== "chat") preview?.show(name, text);
  }

  async #makePreview() {
    const [{ ChatPreview }] = await Promise.all([import("./chat-preview.js"), laterStyles()]);
    return new ChatPreview(byId("stage", HTMLElement), () => this.#togglePanel("chat"));
  }

  /**
   * Requests a wake lock, which keeps the screen on. The browser ends the wake lock whenever the
   * page becomes hidden.
   */
  async #keepAwake() {
    if (document.hidden || this.#listeners.signal.aborted) return;
    try {
      this.#wakeLock = await /** @type {any} */ (navigator).wakeLock.request("screen");
      if (this.#listeners.signal.aborted) await this.#wakeLock?.release();
    } catch {
      // Without the wake lock, the screen turns off as usual.
    }
  }

  /** Resizes the room so that a phone's keyboard covers no part of it. */
  #fit() {
    const { height = 0, scale = 1 } = visualViewport ?? {};
    const isCovered = scale === 1 && innerHeight - height > 1;
    this.#view.style.height = isCovered ? `${height}px` : "";
    if (isCovered) scrollTo(0, 0);
  }

  /** @param {number} count */
  #setUnread(count) {
    this.#unreadCount = count;
    this.#unread.hidden = count === 0;
    this.#unread.textContent = count > 99 ? "99+" : `${count}`;
    this.#unread.setAttribute("aria-label", say("{count} unread", { count }));
  }

  async #copyLink() {
    const link = linkTo(location, this.name);
    try {
      await navigator.clipboard.writeText(link);
      this.#say(say("The link is copied."));
    } catch {
      this.#say(link);
    }
  }

  /**
   * @param {import("./announcer.js").NewsOfPeople} news the news of others, which may also make a
   *   sound
   */
  #tell(news) {
    this.#speech.tell(news);
    const people = [...this.#session.roster.keys()].filter((id) => !isContentId(id)).length;
    void this.#speech.play(news.kind, people, this.#devices.getActiveAudioDevice("audiooutput")?.port ?? "");
  }

  /** @param {string} text shown for 6 s and read out */
  #say(text) {
    this.#toast.textContent = text;
    this.#speech.tell({ kind: "own", text });
    clearTimeout(this.#toastClock);
    this.#toastClock = setTimeout(() => (this.#toast.textContent = ""), 6_000);
  }
}
