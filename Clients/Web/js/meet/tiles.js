import { isContentId } from "../carillon/carillon.js";
import { byId, icon, make, say, setIcon } from "../elements.js";
import { hueOf, initialsOf } from "./names.js";
import { Seats } from "./seats.js";
import { pauseReason, place } from "./videos.js";
import { roomWords as words } from "./words/announcements.js";

/**
 * @typedef {import("../carillon/meeting/roster.js").RosterEntry} RosterEntry
 *
 * @typedef {object} Tile
 * @property {HTMLLIElement} item
 * @property {HTMLElement} mic
 * @property {HTMLElement} state
 * @property {HTMLElement} hand
 * @property {HTMLVideoElement} video
 * @property {HTMLElement} paused
 * @property {HTMLButtonElement} pin
 *
 * @typedef {object} View the layout of the stage
 * @property {import("./stage-layout.js").Layout} layout
 * @property {import("./stage-layout.js").OwnPicture} ownPicture
 */

/**
 * The tiles of attendees: first the local attendee's tile, then the tiles of the other attendees in
 * the order in which these attendees joined.
 */
export class Tiles {
  #list = byId("tiles", HTMLUListElement);
  /** @type {Map<string, Tile>} */
  #tiles = new Map();
  #seats = new Seats();
  /**
   * The id of the pinned attendee. The id stays when the attendee leaves, so the page still pins
   * the attendee after a reconnection.
   * @type {string | null}
   */
  #pin = null;
  /** @type {readonly string[]} */
  #speakers = [];
  /** @type {View} */
  #shown = { layout: "grid", ownPicture: "tile" };
  #ownId;
  #session;
  #pinned;
  /** The size of the list, or `null` before the browser has measured it. */
  #size = /** @type {{ width: number, height: number } | null} */ (null);
  #resizes = new ResizeObserver(() => {
    this.#size = this.#measured();
    this.#arrange();
    this.#measureBelow();
  });

  /**
   * @param {string} ownId the local attendee's id
   * @param {import("../carillon/meeting/audio-video.js").AudioVideo} session
   * @param {(isPinned: boolean) => void} pinned called when the user pins or unpins an attendee
   */
  constructor(ownId, session, pinned) {
    this.#ownId = ownId;
    this.#session = session;
    this.#pinned = pinned;
    this.#list.replaceChildren();
    this.#resizes.observe(this.#list);
  }

  /** Removes the tiles and the resize observer. */
  close() {
    this.#resizes.disconnect();
    this.#list.replaceChildren();
  }

  /**
   * Updates the tiles to match the current attendees.
   * @param {ReadonlyMap<string, RosterEntry>} roster
   * @param {{ has: (attendeeId: string) => boolean }} hands the attendees with a raised hand
   * @param {readonly string[]} speakers the attendees who speak
   * @param {ReadonlyMap<string, import("./videos.js").VideoTileState>} cameras the attendees whose
   *   cameras the page shows
   * @param {View} view
   */
  show(roster, hands, speakers, cameras, view) {
    this.#speakers = speakers;
    this.#shown = view;
    const people = [...roster.values()].filter(({ attendeeId }) => !isContentId(attendeeId));
    for (const [attendeeId, tile] of this.#tiles) {
      if (roster.has(attendeeId)) continue;
      tile.item.remove();
      this.#tiles.delete(attendeeId);
    }
    for (const entry of people) {
      const tile = this.#tiles.get(entry.attendeeId) ?? this.#add(entry);
      const speaks = speakers.includes(entry.attendeeId) && !entry.isMuted;
      tile.item.classList.toggle("is-muted", entry.isMuted);
      tile.item.classList.toggle("speaks", speaks);
      tile.item.style.setProperty("--level", `${Math.round(entry.volume * 20) / 20}`);
      tile.hand.hidden = !hands.has(entry.attendeeId);
      tile.mic.hidden = !entry.isMuted;
      const state = entry.isMuted ? say("muted") : speaks ? say("speaking") : "";
      if (tile.state.textContent !== state) tile.state.textContent = state;
      const camera = cameras.get(entry.attendeeId);
      place(this.#session, tile.video, camera);
      tile.item.classList.toggle("has-video", camera !== undefined);
      const paused = pauseReason(camera);
      tile.paused.hidden = !paused;
      if (tile.paused.textContent !== paused) tile.paused.textContent = paused;
    }
    this.#arrange();
  }

  /**
   * Moves the focus between the pin buttons with the arrow keys. The Tab key reaches only one of
   * the pin buttons.
   * @param {KeyboardEvent} event
   */
  #walk(event) {
    // In a language that is written from right to left, the next tile is to the left.
    const right = document.documentElement.dir === "rtl" ? -1 : 1;
    const steps = { ArrowRight: right, ArrowDown: 1, ArrowLeft: -right, ArrowUp: -1 };
    const step = steps[/** @type {"ArrowUp"} */ (event.key)];
    const pins = [...this.#tiles.values()].map(({ pin }) => pin);
    const next = pins.at((pins.indexOf(/** @type {HTMLButtonElement} */ (event.target)) + (step ?? 0)) % pins.length);
    if (!step || !next) return;
    event.preventDefault();
    for (const pin of pins) pin.tabIndex = pin === next ? 0 : -1;
    next.focus();
  }

  /** @param {string} attendeeId */
  #togglePin(attendeeId) {
    this.#pin = this.#pin === attendeeId ? null : attendeeId;
    this.#pinned(this.#pin !== null);
    this.#arrange();
  }

  #measured() {
    return { width: this.#list.clientWidth, height: this.#list.clientHeight };
  }

  /** Measures the captions and the card below the tiles, so that messages float above them. */
  #measureBelow() {
    const [tiles, stage] = [this.#list, byId("stage", HTMLElement)].map((each) => each.getBoundingClientRect().bottom);
    byId("room", HTMLElement).style.setProperty("--below-tiles", `${Math.round((stage ?? 0) - (tiles ?? 0))}px`);
  }

  /** Positions all tiles. */
  #arrange() {
    // A measurement at each change of a volume would make the browser compute the styles of the
    // page twice.
    const { width, height } = this.#size ?? this.#measured();
    const ids = [...this.#tiles.keys()].filter((id) => id !== this.#ownId);
    const people = [this.#ownId, ...ids].filter((id) => this.#tiles.has(id));
    const happening = { people, speakers: this.#speakers, pin: this.#pin, ...this.#shown, width, height };
    const isOwnApart = this.#shown.ownPicture !== "tile" && ids.length > 0;
    this.#tiles.get(this.#ownId)?.item.classList.toggle("is-apart", isOwnApart);
    for (const [id, rect] of this.#seats.places(happening, performance.now())) this.#put(id, rect);
    const [first] = this.#tiles.values();
    const pins = [...this.#tiles.values()].map(({ pin }) => pin);
    if (first && !pins.some(({ tabIndex }) => tabIndex === 0)) first.pin.tabIndex = 0;
  }

  /**
   * @param {string} attendeeId
   * @param {import("./stage-layout.js").Rect | undefined} rect `undefined` to hide the tile
   */
  #put(attendeeId, rect) {
    const tile = this.#tiles.get(attendeeId);
    if (!tile) return;
    tile.item.hidden = !rect;
    tile.pin.setAttribute("aria-pressed", `${this.#pin === attendeeId}`);
    if (!rect) return;
    const { style } = tile.item;
    // In a language that is written from right to left, the tiles also start at the right.
    const wanted = { "inset-inline-start": `${rect.x}px`, top: `${rect.y}px`, width: `${rect.width}px`, height: `${rect.height}px` };
    // If the page set an unchanged style, the browser would still compute the style again.
    for (const [name, value] of Object.entries(wanted)) {
      if (style.getPropertyValue(name) !== value) style.setProperty(name, value);
    }
  }

  /** @param {RosterEntry} entry */
  #add({ attendeeId, displayName }) {
    const isOwn = attendeeId === this.#ownId;
    const mic = icon("mic-off");
    const micPlace = make("span", {}, mic);
    const state = make("span", { class: "visually-hidden" });
    const meter = make("span", { class: "meter", attributes: { "aria-hidden": "true" } }, ...[1, 2, 3].map(() => make("i")));
    const hand = make("span", { class: "tile-hand" }, icon("hand"), say("Hand raised"));
    const foot = make(
      "div",
      { class: "tile-foot" },
      make("bdi", { class: "tile-name", text: displayName, attributes: { title: displayName } }),
      ...(isOwn ? [make("span", { class: "tile-you", text: say("(you)") })] : []),
      make("span", { class: "tile-mic" }, meter, micPlace),
      state,
    );
    const avatar = make("span", { class: "avatar", text: initialsOf(displayName), attributes: { "aria-hidden": "true" } });
    const video = makeVideo(isOwn ? say("Your camera") : say("The camera of {name}", { name: displayName }));
    const paused = make("p", { class: "tile-paused" });
    const pin = make("button", { class: "tile-pin", attributes: { type: "button", "aria-label": words.pin(displayName) } }, icon("pin"));
    pin.tabIndex = -1;
    pin.addEventListener("click", () => this.#togglePin(attendeeId));
    pin.addEventListener("keydown", (event) => this.#walk(event));
    const parts = [avatar, video, paused, hand, pin, foot];
    const item = make("li", { class: "tile", attributes: { "data-attendee": attendeeId } }, ...parts);
    item.classList.toggle("is-own", isOwn);
    item.style.setProperty("--hue", `${hueOf(displayName)}`);
    if (isOwn) this.#list.prepend(item);
    else this.#list.append(item);
    const tile = { item, mic: micPlace, state, hand, video, paused, pin };
    this.#tiles.set(attendeeId, tile);
    setIcon(mic, "mic-off");
    return tile;
  }
}

/** @param {string} name the name for screen readers */
function makeVideo(name) {
  const video = make("video", { attributes: { "aria-label": name } });
  // The videos are muted, because the mix contains the sound of all attendees.
  [video.autoplay, video.playsInline, video.muted, video.hidden] = [true, true, true, true];
  return video;
}
