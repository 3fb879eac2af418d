/** A small window above other windows: the picture of the speaker, and a button that mutes. */
import { baseOfId, isContentId } from "../carillon/carillon.js";
import { byId, icon, make, say, setIcon } from "../elements.js";
import { initialsOf } from "./names.js";

/** The size of the small window, and of a drawn picture, in pixels. */
const SIZE = Object.freeze({ width: 320, height: 240 });

/**
 * @typedef {object} PictureParts
 * @property {import("../carillon/meeting/audio-video.js").AudioVideo} session
 * @property {string} ownId
 * @property {() => readonly string[]} speakers the attendees who speak
 * @property {() => void} toggleMicrophone
 * @property {() => void} failed called if the browser opens no small window
 */

/**
 * The small window. Browsers that can show any document in such a window show the picture, the name
 * and the button. Other browsers show only a video, and the browser's own button changes the mute.
 */
export class PictureInPicture {
  #parts;
  #button = byId("pip", HTMLElement);
  #video = make("video", { class: "pip-video" });
  #avatar = make("span", { class: "avatar", attributes: { "aria-hidden": "true" } });
  #name = make("bdi");
  #muteText = make("span", { class: "label" });
  #mute = make("button", { class: "control", attributes: { type: "button", id: "pip-mute" } }, icon("mic"), this.#muteText);
  /** The document of the small window, or `null`. */
  #window = /** @type {Window | null} */ (null);
  #isVideo = false;
  #shown = "";

  /** @param {PictureParts} parts */
  constructor(parts) {
    this.#parts = parts;
    [this.#video.autoplay, this.#video.playsInline, this.#video.muted] = [true, true, true];
    this.#mute.addEventListener("click", () => parts.toggleMicrophone());
    this.#video.addEventListener("leavepictureinpicture", () => this.#closed());
  }

  /** Opens or closes the small window. The browser opens the window only after a click. */
  async toggle() {
    if (this.#window) return this.#window.close();
    if (this.#isVideo) return void (await document.exitPictureInPicture());
    try {
      if ("documentPictureInPicture" in window) await this.#openDocument();
      else await this.#openVideo();
      this.#button.setAttribute("aria-pressed", "true");
    } catch {
      this.#closed();
      this.#parts.failed();
    }
  }

  /** Shows the current speaker and the state of the microphone. */
  update() {
    if (!this.#window && !this.#isVideo) return;
    this.#showPerson();
    const { isLocalMuted: isMuted, isLocalMutedByOther: isByOther } = this.#parts.session;
    this.#mute.setAttribute("aria-pressed", `${isMuted}`);
    this.#muteText.textContent = isByOther ? say("Muted by host") : isMuted ? say("Muted") : say("Mute");
    setIcon(this.#mute, isMuted ? "mic-off" : "mic");
    /** @type {any} */ (navigator.mediaSession)?.setMicrophoneActive?.(!isMuted);
  }

  /** Closes the small window. */
  close() {
    this.#window?.close();
    if (this.#isVideo) void document.exitPictureInPicture().catch(() => undefined);
    this.#closed();
  }

  async #openDocument() {
    const { documentPictureInPicture } = /** @type {any} */ (window);
    const opened = /** @type {Window} */ (await documentPictureInPicture.requestWindow(SIZE));
    this.#window = opened;
    const { document: small } = opened;
    const { lang, dir } = document.documentElement;
    Object.assign(small.documentElement, { lang, dir });
    small.title = document.title;
    for (const name of ["base", "later"]) {
      const { href } = new URL(`../../css/${name}.css`, import.meta.url);
      small.head.append(make("link", { attributes: { rel: "stylesheet", href } }));
    }
    const title = make("h1", { class: "pip-name" }, this.#name);
    small.body.append(make("main", { class: "pip" }, this.#video, this.#avatar, title, this.#mute));
    opened.addEventListener("pagehide", () => this.#closed());
    this.update();
  }

  async #openVideo() {
    this.#isVideo = true;
    this.#video.hidden = false;
    byId("stage", HTMLElement).append(this.#video);
    this.#video.classList.add("visually-hidden");
    this.update();
    await this.#video.play();
    await this.#video.requestPictureInPicture();
    /** @type {any} */ (navigator.mediaSession)?.setActionHandler?.("togglemicrophone", () => this.#parts.toggleMicrophone());
  }

  #closed() {
    this.#window = null;
    this.#isVideo = false;
    this.#shown = "";
    this.#video.srcObject = null;
    this.#video.remove();
    this.#button.setAttribute("aria-pressed", "false");
  }

  #showPerson() {
    const { session } = this.#parts;
    const id = this.#person;
    const name = session.roster.get(id)?.displayName ?? "";
    const tile = session.videoTiles.find(({ attendeeId, isContent }) => attendeeId === id && !isContent);
    const track = tile ? session.videoTrack(tile.tileId) : null;
    const shown = `${id} ${track?.id ?? ""}`;
    this.#name.textContent = name;
    if (shown === this.#shown) return;
    this.#shown = shown;
    this.#avatar.textContent = initialsOf(name);
    this.#avatar.hidden = track !== null;
    this.#video.setAttribute("aria-label", say("The camera of {name}", { name }));
    if (this.#isVideo) this.#video.srcObject = track ? new MediaStream([track]) : drawn(initialsOf(name));
    else {
      this.#video.hidden = track === null;
      this.#video.srcObject = track && new MediaStream([track]);
    }
  }

  /** The attendee in the small window: another attendee who speaks, or else the last who spoke. */
  get #person() {
    const { session, ownId, speakers } = this.#parts;
    const others = [...session.roster.keys()].filter((id) => id !== ownId && !isContentId(id));
    const here = new Set(others);
    const [former = ""] = this.#shown.split(" ");
    const speaker = speakers().find((id) => here.has(id));
    const withCamera = session.videoTiles.map(({ attendeeId }) => baseOfId(attendeeId)).find((id) => here.has(id));
    return speaker ?? (here.has(former) ? former : undefined) ?? withCamera ?? others[0] ?? ownId;
  }
}

/**
 * Returns a video that shows the initials of an attendee without a camera.
 * @param {string} initials
 */
function drawn(initials) {
  const canvas = make("canvas");
  Object.assign(canvas, SIZE);
  const context = canvas.getContext("2d");
  if (context) {
    context.fillStyle = "#14594c";
    context.fillRect(0, 0, SIZE.width, SIZE.height);
    context.fillStyle = "#fff";
    context.font = "600 96px sans-serif";
    [context.textAlign, context.textBaseline] = ["center", "middle"];
    context.fillText(initials, SIZE.width / 2, SIZE.height / 2);
  }
  return canvas.captureStream(1);
}
