/** The texts of the settings. */
import { say } from "../../elements.js";

export const words = Object.freeze({
  language: say("Language"),
  ofBrowser: say("The browser's language"),
  loadsAgain: say("The page uses this language after it loads again."),
  loadAgain: say("Load again"),
  pictures: say("Receive cameras and shared screens"),
  spoken: say("Read to screen readers"),
  sounding: say("Sounds"),
  kinds: Object.freeze({
    joins: say("People join or leave"),
    hands: say("Raised hands and reactions"),
    devices: say("Your microphone and camera"),
    chat: say("Chat messages"),
    connection: say("Your connection"),
    captions: say("Captions"),
  }),
  joinSoundsStop: say("Joins and leaves make no sound while more than ten people are here."),
  captionSize: say("Size of captions"),
  sizes: Object.freeze({ small: say("Small"), medium: say("Medium"), large: say("Large") }),
  singleKeys: say("Single keys act, and T is held to talk"),
});
