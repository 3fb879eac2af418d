/** The texts about a bad connection: a description of the problem, and the measured value. */
import { say } from "../../elements.js";

export const words = Object.freeze({ connection: say("Your connection") });

/** @type {Readonly<Record<import("../quality.js").Trouble, { text: string, detail: (figure: number) => string }>>} */
export const troubles = Object.freeze({
  hear: {
    text: say("You hear others badly."),
    detail: (figure) => say("{percent} % of the sound that you receive is lost.", { percent: Math.round(figure) }),
  },
  heard: {
    text: say("Others hear you badly."),
    detail: (figure) => say("{percent} % of the sound that you send is lost.", { percent: Math.round(figure) }),
  },
  see: {
    text: say("You see others badly."),
    detail: (figure) => say("{percent} % of the video that you receive is lost.", { percent: Math.round(figure) }),
  },
  seen: {
    text: say("Others see you badly."),
    detail: (figure) => say("{percent} % of the video that you send is lost.", { percent: Math.round(figure) }),
  },
  late: {
    text: say("Your connection is slow."),
    detail: (figure) => say("Round trip to the server: {ms} ms.", { ms: Math.round(figure) }),
  },
});
