import { isContentId } from "../carillon/carillon.js";
import { byId, icon, make, setIcon } from "../elements.js";
import { hueOf, initialsOf } from "./names.js";
import { pauseReason, place } from "./videos.js";

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
 */

/** The people on the stage: one tile for each, the own one first, the others in the order they came. */
export class Tiles {
  #list = byId("tiles", HTMLUListElement);
  /** @type {Map<string, Tile>} */
  #tiles = new Map();
  #ownId;
  #session;

  /**
   * @param {string} ownId the own attendee id
   * @param {import("../carillon/meeting/audio-video.js").AudioVideo} session
   */
  constructor(ownId, session) {
    this.#ownId = ownId;
    this.#session = session;
    this.#list.replaceChildren();
  }

  /**
   * Shows who is here now.
   * @param {ReadonlyMap<string, RosterEntry>} roster
   * @param {ReadonlySet<string>} hands who raised one
   * @param {readonly string[]} speakers who speaks
   * @param {ReadonlyMap<string, import("./videos.js").VideoTileState>} cameras who is seen
   */
  show(roster, hands, speakers, cameras) {
    const people = [...roster.values()].filter(({ attendeeId }) => !isContentId(attendeeId));
    for (const [attendeeId, tile] of this.#tiles) {
      if (roster.has(attendeeId)) continue;
      tile.item.remove();
      this.#tiles.delete(attendeeId);
    }
    // A few people share the whole stage; more stand in a grid that scrolls.
    this.#list.dataset["people"] = people.length <= 4 ? `${people.length}` : "many";
    for (const entry of people) {
      const tile = this.#tiles.get(entry.attendeeId) ?? this.#add(entry);
      const speaks = speakers.includes(entry.attendeeId) && !entry.isMuted;
      tile.item.classList.toggle("is-muted", entry.isMuted);
      tile.item.classList.toggle("speaks", speaks);
      tile.item.style.setProperty("--level", `${Math.round(entry.volume * 20) / 20}`);
      tile.hand.hidden = !hands.has(entry.attendeeId);
      tile.mic.hidden = !entry.isMuted;
      const state = entry.isMuted ? "muted" : speaks ? "speaking" : "";
      if (tile.state.textContent !== state) tile.state.textContent = state;
      const camera = cameras.get(entry.attendeeId);
      place(this.#session, tile.video, camera);
      tile.item.classList.toggle("has-video", camera !== undefined);
      const paused = pauseReason(camera);
      tile.paused.hidden = !paused;
      if (tile.paused.textContent !== paused) tile.paused.textContent = paused;
    }
  }

  /** @param {RosterEntry} entry */
  #add({ attendeeId, displayName }) {
    const isOwn = attendeeId === this.#ownId;
    const mic = icon("mic-off");
    const micPlace = make("span", {}, mic);
    const state = make("span", { class: "visually-hidden" });
    const meter = make("span", { class: "meter", attributes: { "aria-hidden": "true" } }, ...[1, 2, 3].map(() => make("i")));
    const hand = make("span", { class: "tile-hand" }, icon("hand"), "Hand raised");
    const foot = make(
      "div",
      { class: "tile-foot" },
      make("bdi", { class: "tile-name", text: displayName, attributes: { title: displayName } }),
      ...(isOwn ? [make("span", { class: "tile-you", text: "(you)" })] : []),
      make("span", { class: "tile-mic" }, meter, micPlace),
      state,
    );
    const avatar = make("span", { class: "avatar", text: initialsOf(displayName), attributes: { "aria-hidden": "true" } });
    const video = makeVideo(isOwn ? "Your camera" : `The camera of ${displayName}`);
    const paused = make("p", { class: "tile-paused" });
    const parts = [avatar, video, paused, hand, foot];
    const item = make("li", { class: "tile", attributes: { "data-attendee": attendeeId } }, ...parts);
    item.classList.toggle("is-own", isOwn);
    item.style.setProperty("--hue", `${hueOf(displayName)}`);
    if (isOwn) this.#list.prepend(item);
    else this.#list.append(item);
    const tile = { item, mic: micPlace, state, hand, video, paused };
    this.#tiles.set(attendeeId, tile);
    setIcon(mic, "mic-off");
    return tile;
  }
}

/** @param {string} name of what it shows */
function makeVideo(name) {
  const video = make("video", { attributes: { "aria-label": name } });
  // The sound of all is in the mix.
  [video.autoplay, video.playsInline, video.muted, video.hidden] = [true, true, true, true];
  return video;
}
