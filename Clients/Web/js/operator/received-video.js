import { byId, make, say } from "../elements.js";
import { isolated } from "../meet/names.js";
import { nameOf } from "./desk.js";
import { show, write } from "./rows.js";

/** @typedef {import("./desk.js").ReceivedTile} ReceivedTile */

/**
 * Returns the text for the reason of a layer.
 * @param {string} reason
 */
function reasonText(reason) {
  /** @type {Readonly<Record<string, string>>} */
  const reasons = {
    Wanted: say("the size of the tile"),
    Lowered: say("too little bandwidth"),
    PausedForBandwidth: say("too little bandwidth"),
    PausedByUser: say("paused by the attendee"),
    NotFlowing: say("the publisher sends nothing"),
    NotSubscribed: say("not subscribed"),
    OverLimit: say("too many videos"),
    ReceivingOff: say("the attendee receives no video"),
    CannotDecode: say("the attendee cannot decode the codec"),
  };
  return reasons[reason] ?? say("not sent");
}

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
    write(byId("video-title", HTMLElement), say("Video for {name}", { name: isolated(nameOf(attendee)) }));
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
          make("td", { text: tile.Kind === "Content" ? say("shared screen") : say("camera") }),
          make("td"),
          make("td"),
        ),
      (row, tile) => {
        write(row.children[2], layerText(tile));
        write(row.children[3], reasonText(tile.Reason));
      },
    );
    const link = bitrate ? say("The link is estimated at {rate}.", { rate: kilobits(bitrate) }) : "";
    write(byId("video-empty", HTMLElement), tiles.length > 0 ? link : say("The attendee receives no video now."));
  }
}

/** @param {ReceivedTile} tile */
function layerText({ Layer, LayerCount, Width, Height, BitsPerSecond }) {
  if (Layer === 0) return say("none");
  const [size, rate] = [`${Width} × ${Height}`, kilobits(BitsPerSecond ?? 0)];
  return say("{size}, layer {layer} of {count}, {rate}", { size, layer: Layer, count: LayerCount, rate });
}

/** @param {number} bitsPerSecond */
const kilobits = (bitsPerSecond) => `${Math.round(bitsPerSecond / 1_000)} kbit/s`;
