/** The texts about a bad connection, in English: the words, and the figure behind them. */

export const words = Object.freeze({ connection: "Your connection" });

const lost = (/** @type {number} */ figure, /** @type {string} */ what) => `${Math.round(figure)} % of ${what} is lost.`;

/** @type {Readonly<Record<import("../quality.js").Trouble, { text: string, detail: (figure: number) => string }>>} */
export const troubles = Object.freeze({
  hear: { text: "You hear others badly.", detail: (figure) => lost(figure, "the sound that you receive") },
  heard: { text: "Others hear you badly.", detail: (figure) => lost(figure, "the sound that you send") },
  see: { text: "You see others badly.", detail: (figure) => lost(figure, "the video that you receive") },
  seen: { text: "Others see you badly.", detail: (figure) => lost(figure, "the video that you send") },
  late: { text: "Your connection is slow.", detail: (figure) => `Round trip to the server: ${Math.round(figure)} ms.` },
});
