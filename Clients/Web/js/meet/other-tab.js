import { laterStyles, make } from "../elements.js";
import { Notices } from "./notices.js";
import { words } from "./words/tabs.js";

/** @typedef {"move" | "silent" | null} Answer `null` if the user does not join */

/**
 * Asks the user what to do about another tab that is in the same meeting.
 * @returns {Promise<Answer>}
 */
export async function askAboutOtherTab() {
  await laterStyles();
  const silent = button(words.silent, "silent");
  const buttons = make("div", { class: "buttons" }, silent, button(words.move, "move"), button(words.cancel, ""));
  const title = make("h2", { text: words.title, attributes: { id: "other-tab-title" } });
  const attributes = { "aria-labelledby": "other-tab-title", "aria-describedby": "other-tab-text" };
  const text = make("p", { text: words.text, attributes: { id: "other-tab-text" } });
  const form = make("form", { attributes: { method: "dialog" } }, title, text, buttons);
  const dialog = make("dialog", { class: "card other-tab", attributes }, form);
  document.body.append(dialog);
  dialog.showModal();
  // The focused choice is safe, because it does not change the other tab.
  silent.focus();
  await new Promise((resolve) => dialog.addEventListener("close", resolve));
  dialog.remove();
  return /** @type {Answer} */ (dialog.returnValue || null);
}

/**
 * Plays no sound of the meeting in this tab until the user clicks a button.
 * @param {HTMLElement} room
 * @param {HTMLMediaElement} mix
 * @returns {() => void} a function that ends the silence
 */
export function silence(room, mix) {
  mix.muted = true;
  const notices = new Notices(room);
  const end = () => {
    mix.muted = false;
    notices.close();
  };
  notices.show("silent", { text: words.isSilent, button: words.hear, act: end, stays: true });
  return end;
}

/**
 * @param {string} text
 * @param {string} value
 */
const button = (text, value) => make("button", { class: "button", text, attributes: { value } });
