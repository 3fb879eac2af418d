/** The texts of reactions, in English. */
export const words = Object.freeze({
  choose: "Reactions",
  you: "You",
  /** @type {Readonly<Record<string, string>>} */
  names: Object.freeze({
    "👍": "Thumbs up",
    "👏": "Applause",
    "❤️": "Heart",
    "😂": "Laughter",
    "😮": "Surprise",
    "🎉": "Celebration",
  }),
});
