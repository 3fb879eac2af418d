/** What the room says, in English. */
export const words = Object.freeze({
  layouts: Object.freeze({ grid: "Layout: everybody", speaker: "Layout: speaker", content: "Layout: shared screen" }),
  pin: (/** @type {string} */ name) => `Show ${name} large`,
});
