/**
 * The page's texts: these tests check how `say` inserts values, and whether each language has all
 * texts.
 */
import assert from "node:assert/strict";
import test from "node:test";
import { languageOf, languages, say, sayMessage, setTexts } from "../../../Clients/Web/js/elements.js";
import { eachCase, fromTheRight, longer } from "../../../Clients/Web/js/meet/languages.js";
import { partsOf, patterns } from "../../../Clients/Web/js/meet/server-messages.js";
import { allTexts, pages, saidIn, scripts, textsOf, translates } from "./catalogue.js";

/** Script literals that begin like a text of the page, although no user sees these literals. */
const NO_TEXTS = new Set(
  `Carillon Operator Content Bearer Enter Escape Ctrl+D Ctrl+E Microphone Speaker ControlError NotAllowedError SecurityError
   NotFoundError OverconstrainedError DevicesNotFoundError`.split(/\s+/),
);
/** The largest number of people that the page may have to name. */
const MOST = 10_000;

test("a text contains its values unchanged, whatever the values contain", () => {
  assert.equal(say("Start “{meeting}” now", { meeting: "<b>{name}</b> $& #" }), "Start “<b>{name}</b> $& #” now");
  assert.equal(say("{name} wrote: {text}", { name: "{text}", text: "{name}" }), "{text} wrote: {name}");
  assert.equal(say("A server's message with {braces} and {count, plural, one {x}}"), "A server's message with {braces} and {count, plural, one {x}}");
  assert.equal(say("{names} joined.", { names: ["Ada", "Bob", "Eve"] }), "Ada, Bob, and Eve joined.");
});

test("a plural selects the case of the number, and inserts the number and the values", () => {
  const people = "{count, plural, one {# person} other {# people}}";
  assert.deepEqual([0, 1, 2].map((count) => say(people, { count })), ["0 people", "1 person", "2 people"]);
  const sharing = "{count, plural, one {{names} shares a screen.} other {{names} share screens.}}";
  assert.equal(say(sharing, { names: ["#1"], count: 1 }), "#1 shares a screen.");
  assert.equal(say(sharing, { names: ["Ada", "Bob"], count: 2 }), "Ada and Bob share screens.");
});

test("the texts, lists and plurals of a language replace the English texts, lists and plurals", () => {
  setTexts("fr", new Map(Object.entries(textsOf("fr"))));
  assert.equal(say("{names} joined.", { names: ["Ada", "Bob"], count: 2 }), "Ada et Bob ont rejoint la réunion.");
  // In French, zero takes the singular.
  assert.equal(say("{count, plural, one {# person} other {# people}}", { count: 0 }), "0 personne");
  assert.equal(say("A text that no file has"), "A text that no file has");
  assert.equal(say("constructor"), "constructor");
  setTexts("en", new Map());
  assert.equal(say("Join"), "Join");
});

test("a server's message with values is translated with its values, whatever the values contain", () => {
  setTexts("de", new Map(Object.entries(textsOf("de"))), partsOf);
  const full = sayMessage("The meeting is full at 250 attendees; delete one, or create the meeting with a larger maximum.");
  assert.match(full, /^Die Besprechung .*250/);
  const id = "{id}-<b>$&</b>";
  const unknown = sayMessage(`No attendee ${id} in this meeting. Create one first.`);
  assert.ok(unknown.includes(id) && !unknown.includes("No attendee"), unknown);
  const away = "The video-tiles service does not answer; try again.";
  assert.notEqual(sayMessage(away), away);
  assert.match(sayMessage(away), /video-tiles/);
  for (const message of [`${away} `, `x ${away}`, "The  service does not answer; try again.", "No meeting a b; it may have ended. Create one first.", "constructor"]) {
    assert.equal(sayMessage(message), message);
  }
  assert.equal(sayMessage("The store does not answer; retry later."), textsOf("de")["The store does not answer; retry later."]);
  setTexts("en", new Map());
  assert.equal(sayMessage(away), away);
});

test("every pattern of a server's message matches exactly the messages with its values", () => {
  for (const pattern of patterns) {
    const names = [...pattern.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
    assert.ok(names.length > 0, pattern);
    const values = Object.fromEntries(names.map((name, at) => [name, `value-${at}`]));
    assert.deepEqual(partsOf(say(pattern, values)), [pattern, values]);
    assert.deepEqual(partsOf(pattern.slice(1)), [pattern.slice(1), {}]);
  }
});

test("the language comes from the address, else from the user, else from the browser", () => {
  assert.equal(languageOf(null, "", ["pl-PL", "de-AT", "en"]), "de");
  assert.equal(languageOf(null, "es", ["de-AT", "en"]), "es");
  assert.equal(languageOf("fr", "es", ["de"]), "fr");
  assert.equal(languageOf(null, "", ["pl", "ja"]), "en");
  assert.equal(languageOf(null, "", []), "en");
  assert.equal(languageOf("../secret", "xx", ["__proto__", "es-419"]), "es");
});

test("the page uses a made-up language only if the address names it", () => {
  assert.equal(languageOf("en-XA", "de", ["fr"]), "en-XA");
  assert.equal(languageOf("ar-XB", "", ["en"]), "ar-XB");
  assert.equal(languageOf(null, "ar-XB", ["ar-XB", "en-XA"]), "en");
});

test("the made-up long language makes texts 40 % longer, and changes neither values nor plurals", () => {
  assert.equal(eachCase("Mute {name}", longer), "[Müté {name} ~~~~]");
  const people = eachCase("{count, plural, one {# person} other {# people}}", longer);
  assert.equal(say(people, { count: 1 }), "[1 péršöñ ~~~~]");
  assert.equal(eachCase("Join", fromTheRight), "\u200fJoin\u200f");
});

for (const page of pages) {
  test(`every text of the scripts and of ${page.document} is in the page's en.json, which contains nothing else`, () => {
    const english = textsOf("en", page);
    assert.deepEqual(Object.keys(english), allTexts(page), "run: node Tests/Web/unit/catalogue.js --write");
    for (const [key, text] of Object.entries(english)) assert.equal(text, key);
  });
}

test("scripts show only texts that are in the catalogue", () => {
  const found = [];
  for (const [path, source] of new Map(pages.flatMap((page) => [...scripts(page)]))) {
    // The catalogue contains the server's messages, too.
    if (path === "meet/server-messages.js") continue;
    if (translates(source)) found.push(...saidIn(source).filter((each) => !each.startsWith('"')).map((each) => `${path}: say(${each})`));
    const rest = source.replace(/(?<![#.\w])say\(\s*"(?:[^"\\]|\\.)*"/g, "").replace(/(?:new Error|console\.\w+)\([^\n]*/g, "");
    for (const { 0: literal, index = 0 } of rest.matchAll(/"(?:[^"\\\n]|\\.)*"|`[^`]*`/g)) {
      const [word = ""] = literal.match(/[\w+]+/) ?? [];
      const isText = /^.(?:\p{Lu}\p{Ll}|[“„«(]\p{L}+[ )])/u.test(literal) && !NO_TEXTS.has(word);
      const isShown = /(?:text|aria-label|title|placeholder)"?: $/.test(rest.slice(Math.max(0, index - 20), index));
      if (isText || (isShown && /\p{L}/u.test(literal.replace(/\$\{[^}]*\}/g, "")))) found.push(`${path}: ${literal}`);
    }
  }
  assert.deepEqual(found, []);
});

const placesOf = (text) => new Set([...text.matchAll(/\{(\w+)(?=[},])/g)].map(([, name]) => name));
const casesOf = (text) => [...text.matchAll(/ (\w+) \{((?:[^{}]|\{\w+\})*)\}/g)].map(([, name]) => name);

for (const [language, page] of languages.flatMap((each) => pages.map((page) => [each, page]))) {
  test(`${page.texts}${language}.json has every text, with the placeholders and plurals of the text`, () => {
    const texts = textsOf(language, page);
    const rules = new Intl.PluralRules(language);
    const needed = [...new Set(Array.from({ length: MOST }, (_, count) => rules.select(count)))].sort();
    assert.deepEqual(Object.keys(texts), Object.keys(textsOf("en", page)));
    for (const [english, text] of Object.entries(texts)) {
      assert.ok(text.trim() && text === text.trim(), `"${english}" has a text without space around it`);
      const places = placesOf(english);
      // Sentences with names also get the number of names, because other languages need this
      // number.
      if (places.has("names")) places.add("count");
      const used = placesOf(text);
      assert.deepEqual([...used].filter((name) => !places.has(name)), [], `places of "${text}"`);
      const lacking = [...places].filter((name) => !used.has(name) && !(name === "count" && places.has("names")));
      assert.deepEqual(lacking, [], `"${text}" lacks places`);
      if (text.includes(", plural,")) {
        assert.match(text, /^\{count, plural,(?: \w+ \{(?:[^{}]|\{\w+\})+\})+\}$/);
        assert.deepEqual([...new Set(casesOf(text))].sort(), needed, `cases of "${text}"`);
      } else assert.doesNotMatch(text.replace(/\{\w+\}/g, ""), /[{}]/);
      assert.doesNotMatch(text, /[<>]/);
    }
  });
}

test("the element <carillon-meeting> has its two sentences in every language", async () => {
  globalThis.HTMLElement ??= class {};
  globalThis.customElements ??= { get: () => true };
  const { sentences, sentencesIn } = await import("../../../Clients/Web/js/embed/carillon-meeting.js");
  assert.deepEqual(Object.keys(sentences), [...languages]);
  for (const [language, texts] of Object.entries(sentences)) {
    assert.deepEqual(Object.keys(texts), ["loading", "failed"]);
    const all = new Set(Object.values(sentences).flatMap(Object.values));
    assert.equal(all.size, 2 * languages.length, `${language} repeats no sentence of another language`);
  }
  assert.equal(sentencesIn("de-AT", ["fr"]), sentences.de);
  assert.equal(sentencesIn("", ["pl", "es-419"]), sentences.es);
  assert.equal(sentencesIn("xx", ["ja"]), sentences.en);
});
