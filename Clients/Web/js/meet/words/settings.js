/** The texts of the settings, in English. */
export const words = Object.freeze({
  pictures: "Receive cameras and shared screens",
  spoken: "Read to screen readers",
  sounding: "Sounds",
  kinds: Object.freeze({ joins: "People join or leave", hands: "Raised hands and reactions", chat: "Chat messages" }),
  joinSoundsStop: "Joins and leaves make no sound while more than ten people are here.",
  captionSize: "Size of captions",
  sizes: Object.freeze({ small: "Small", medium: "Medium", large: "Large" }),
  singleKeys: "Single keys act, and T is held to talk",
});
