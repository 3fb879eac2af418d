/** The texts about a second tab in the same meeting, in English. */
export const words = Object.freeze({
  title: "Another tab is in this meeting.",
  text: "With sound in both tabs, people hear an echo.",
  move: "Move here",
  silent: "Join without sound",
  cancel: "Do not join",
  isSilent: "This tab plays no sound.",
  hear: "Play sound",
});
