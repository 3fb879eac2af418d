/** What the people panel says, in English. */

const plurals = new Intl.PluralRules("en");

export const words = Object.freeze({
  count: (/** @type {number} */ count) => `${count} ${plurals.select(count) === "one" ? "person" : "people"}`,
  you: "(you)",
  hand: (/** @type {number} */ place) => `Hand raised, number ${place}`,
  shares: "Shares a screen",
  hasCamera: "Camera on",
  muted: "Muted",
  speaks: "Speaking",
});
