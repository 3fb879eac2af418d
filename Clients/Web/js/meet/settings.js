import { byId, languages, make } from "../elements.js";
import { captionSize, choose, isChosen, newsKinds } from "./choices.js";
import { prefer, preference } from "./kept.js";
import { words } from "./words/settings.js";

/**
 * The settings below the devices in the room's dialog. The page loads this module when the dialog
 * opens for the first time.
 */
export class Settings {
  #view = make("div", { class: "settings" });

  /**
   * @param {(isOn: boolean) => void} showPictures called when the user turns the videos of other
   * attendees on or off
   */
  constructor(showPictures) {
    const pictures = check("pictures", words.pictures, preference("pictures") !== "off", (isOn) => {
      prefer("pictures", isOn ? "on" : "off");
      showPictures(isOn);
    });
    this.#view.append(languageChoice(), pictures, captionSizes(), news("sound", words.sounding), news("speak", words.spoken), singleKeys());
    byId("own-picture", HTMLElement).closest(".scrolls")?.append(this.#view);
  }

  /** Removes the settings from the dialog. */
  close() {
    this.#view.remove();
  }
}

/**
 * Makes the list of the page's languages. The list shows the name of each language in the language
 * itself.
 */
function languageChoice() {
  const each = languages.map((code) => make("option", { text: ownName(code), attributes: { value: code, lang: code } }));
  const browsers = make("option", { text: words.ofBrowser, attributes: { value: "" } });
  const select = make("select", { attributes: { id: "page-language" } }, browsers, ...each);
  select.value = preference("language");
  const again = make("button", { class: "button small", text: words.loadAgain, attributes: { type: "button" } });
  again.addEventListener("click", () => location.reload());
  const note = make("div", { attributes: { role: "status" } });
  select.addEventListener("change", () => {
    prefer("language", select.value);
    note.replaceChildren(make("p", { class: "hint", text: words.loadsAgain }), again);
  });
  const label = make("label", { text: words.language, attributes: { for: "page-language" } });
  return make("div", { class: "field" }, label, select, note);
}

/** @param {string} code the code of a language */
function ownName(code) {
  const name = new Intl.DisplayNames(code, { type: "language" }).of(code) ?? code;
  return name.charAt(0).toLocaleUpperCase(code) + name.slice(1);
}

/**
 * @param {string} id
 * @param {string} text
 * @param {boolean} isOn
 * @param {(isOn: boolean) => void} changed
 */
function check(id, text, isOn, changed) {
  const box = make("input", { attributes: { type: "checkbox", id } });
  box.checked = isOn;
  box.addEventListener("change", () => changed(box.checked));
  return make("label", { class: "check" }, box, ` ${text}`);
}

/**
 * Makes a checkbox for each kind of news.
 * @param {"speak" | "sound"} how
 * @param {string} title
 */
function news(how, title) {
  const boxes = newsKinds[how].map((kind) =>
    check(`${how}-${kind}`, words.kinds[kind], isChosen(how, kind), (isOn) => choose(how, kind, isOn)),
  );
  const note = how === "sound" ? [make("p", { class: "hint", text: words.joinSoundsStop })] : [];
  return make("fieldset", {}, make("legend", { text: title }), ...boxes, ...note);
}

function captionSizes() {
  const options = Object.entries(words.sizes).map(([size, text]) => make("option", { text, attributes: { value: size } }));
  const select = make("select", { attributes: { id: "caption-size" } }, ...options);
  select.value = captionSize();
  select.addEventListener("change", () => {
    prefer("caption-size", select.value);
    byId("captions", HTMLElement).dataset["size"] = captionSize();
  });
  const label = make("label", { text: words.captionSize, attributes: { for: "caption-size" } });
  return make("div", { class: "field" }, label, select);
}

/**
 * Makes the switch for shortcuts of a single key. The help contains a second switch; both switches
 * always show the same state.
 */
function singleKeys() {
  const help = byId("single-keys", HTMLInputElement);
  const line = check("settings-keys", words.singleKeys, help.checked, (isOn) => {
    help.checked = isOn;
    help.dispatchEvent(new Event("change"));
  });
  const box = line.querySelector("input");
  help.addEventListener("change", () => box && (box.checked = help.checked));
  return line;
}
