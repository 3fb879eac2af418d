import { byId, make } from "../elements.js";
import { nameOf } from "./desk.js";
import { show, write } from "./rows.js";

/** @typedef {import("./desk.js").ReceivedTile} ReceivedTile */

/** @type {Readonly<Record<string, string>>} */
const reasons = {
  Wanted: "the size of the tile",
  Lowered: "too little bandwidth",
  PausedForBandwidth: "too little bandwidth",
  PausedByUser: "paused by the attendee",
  NotFlowing: "the publisher sends nothing",
  NotSubscribed: "not subscribed",
  OverLimit: "too many videos",
  ReceivingOff: "the attendee receives no video",
  CannotDecode: "the attendee cannot decode the codec",
};

/** The video that one attendee receives: the layer of each tile, and the reason for this layer. */
export class ReceivedVideoView {
  #section = byId("video-section", HTMLElement);
  #rows = byId("video", HTMLElement);
  #onClose;

  /** The id of the attendee; empty while the view is closed. */
  attendeeId = "";

  /** @param {() => void} onClose called when the operator closes the view */
  constructor(onClose) {
    this.#onClose = onClose;
    byId("video-close", HTMLButtonElement).addEventListener("click", () => {
      this.close();
      this.#onClose();
    });
  }

  /** @param {import("./desk.js").Attendee} attendee */
  open(attendee) {
    this.attendeeId = attendee.AttendeeId;
    this.#section.hidden = false;
    byId("video-title", HTMLElement).replaceChildren("Video for ", make("bdi", { text: nameOf(attendee) }));
    this.#rows.replaceChildren();
    write(byId("video-empty", HTMLElement), "");
    byId("video-close", HTMLButtonElement).focus();
  }

  close() {
    this.attendeeId = "";
    this.#section.hidden = true;
  }

  /** @param {import("./desk.js").ReceivedVideo} video */
  show({ tiles, bitrate }) {
    show(
      this.#rows,
      tiles,
      ({ TileId }) => `${TileId}`,
      (tile) =>
        make(
          "tr",
          {},
          make("td", {}, make("bdi", { text: nameOf(tile) })),
          make("td", { text: tile.Kind === "Content" ? "shared screen" : "camera" }),
          make("td"),
          make("td"),
        ),
      (row, tile) => {
        write(row.children[2], layerText(tile));
        write(row.children[3], reasons[tile.Reason] ?? "not sent");
      },
    );
    const link = bitrate ? `The link is estimated at ${kilobits(bitrate)}.` : "";
    write(byId("video-empty", HTMLElement), tiles.length > 0 ? link : "The attendee receives no video now.");
  }
}

/** @param {ReceivedTile} tile */
function layerText({ Layer, LayerCount, Width, Height, BitsPerSecond }) {
  if (Layer === 0) return "none";
  return `${Width} × ${Height}, layer ${Layer} of ${LayerCount}, ${kilobits(BitsPerSecond ?? 0)}`;
}

/** @param {number} bitsPerSecond */
const kilobits = (bitsPerSecond) => `${Math.round(bitsPerSecond / 1_000)} kbit/s`;
