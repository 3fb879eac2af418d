/**
 * Finds the texts of the pages in the pages' sources. `node Tests/Web/unit/catalogue.js --write`
 * writes lang/en.json and lang/operator/en.json.
 */
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

export const web = new URL("../../../Clients/Web/", import.meta.url);
const gateway = new URL("../../../Services/Gateway/", import.meta.url);

/**
 * The server's messages that the meeting page translates, each with the source file that contains
 * the message.
 */
const serverMessages = Object.freeze({
  "This is not the lobby's key. Ask whoever runs this server for the key.": "Web/MeetingStartPolicy.swift",
  "The meeting is locked; ask its organizer to unlock it.": "Web/LobbyAdmission.swift",
  "Too many clients are joining at once; try again later.": "Web/LobbyAdmission.swift",
  "The meeting is not locked; join it.": "Web/RESTHandler+Knocks.swift",
  "The meeting is locked, and no host is present to let you in. Try again later.": "Web/RESTHandler+Knocks.swift",
  "Too many people ask to be let in; try again in a minute.": "Web/RESTHandler+Knocks.swift",
  "There is no such meeting. To start one, enter the key of this server.": "Web/WebPageHandler.swift",
  "Only attendees of the meeting can switch captions. Join the meeting first.": "Web/WebPageHandler.swift",
  "No host has appointed you, or the appointment has expired. Ask a host again.": "Web/WebPageHandler.swift",
  "While a host is present, only hosts start and stop captions.": "Web/WebPageHandler.swift",
  "The request could not be carried out; try again.": "REST/RESTError.swift",
  "No meeting has this name or id; check the name, or start the meeting.": "Web/LobbyAdmission.swift",
  "Nobody waits with this knock; knock again.": "Web/RESTHandler+Knocks.swift",
  "The gateway receives too many requests. Send this request again after a second.": "REST/GlobalRequestLimit.swift",
  "This is not a host token of this installation; get one from CreateHostToken.": "REST/RESTHandler+Hosts.swift",
  "The host token has expired; get a new one from CreateHostToken.": "REST/RESTHandler+Hosts.swift",
  "The host token belongs to another meeting; send a host token of this meeting.": "REST/RESTHandler+Hosts.swift",
});

/** The server's messages that the operator's page translates. */
const messagesForOperators = Object.freeze([
  "The request could not be carried out; try again.",
  "The gateway receives too many requests. Send this request again after a second.",
]);

/**
 * The messages that the server composes from parts. test_page_languages.py gets each message from a
 * gateway.
 */
const composedMessages = Object.freeze([
  "Name: Not a valid display name: it must be at most 64 characters and 256 bytes.",
  "Name: Not a valid display name: it must be text with at least one visible character.",
  "Meeting: Not a valid meeting name: it must be at most 64 characters and 256 bytes.",
  "Meeting: Not a valid meeting name: it must be text with at least one visible character.",
]);

/** The names in the pages' documents that need no translation. */
const NAMES = new Set(["Carillon"]);

/**
 * The pages with translated texts. Each entry has the page's document, the folder of the page's
 * scripts below js/, the folder of the page's texts below lang/, and the server's messages that the
 * page translates.
 */
export const pages = Object.freeze([
  {
    document: "index.html",
    folder: "meet",
    texts: "",
    messages: [...Object.keys(serverMessages), ...composedMessages],
  },
  { document: "operator.html", folder: "operator", texts: "operator/", messages: messagesForOperators },
]);

/** Returns the scripts of a page without comments, by the scripts' paths below js/. */
export function scripts({ folder } = pages[0]) {
  const names = readdirSync(new URL(`js/${folder}/`, web), { recursive: true });
  const paths = ["control-api.js", ...names.filter((name) => name.endsWith(".js")).map((name) => `${folder}/${name}`)];
  return new Map(paths.map((path) => [path, withoutComments(readFileSync(new URL(`js/${path}`, web), "utf8"))]));
}

const withoutComments = (source) => source.replace(/\/\*\*?[\s\S]*?\*\//g, "").replace(/^\s*\/\/.*$/gm, "");

/** Returns whether a script uses `say` of elements.js. In other scripts, `say` is the name of a callback. */
export const translates = (source) => /import \{[^}]*\bsay\b[^}]*\} from "[./]*elements\.js"/.test(source);

/** Returns the first argument of each call of `say` in a script: a literal, or the start of another expression. */
export const saidIn = (source) =>
  [...source.matchAll(/(?<![#.\w])say\(\s*("(?:[^"\\]|\\.)*"|[^\s)]+)/g)].map(([, argument]) => argument);

/** Returns the texts and attributes of a page's document that users see or hear. */
export function documentTexts({ document } = pages[0]) {
  const html = readFileSync(new URL(document, web), "utf8");
  const body = html.replace(/<noscript>.*?<\/noscript>/s, "").replace(/<title>.*?<\/title>/s, "");
  const texts = [...body.matchAll(/>([^<]+)</g)].map(([, text]) => text.trim());
  const attributes = [...body.matchAll(/(?:aria-label|placeholder|title)="([^"]*)"/g)].map(([, text]) => text);
  return [...texts, ...attributes].filter((text) => text && !NAMES.has(text));
}

/** Returns all texts of a page, in alphabetical order. Each language must have these texts. */
export function allTexts(page = pages[0]) {
  for (const [message, path] of Object.entries(serverMessages)) {
    const source = readFileSync(new URL(path, gateway), "utf8");
    if (!source.includes(`"${message}"`)) throw new Error(`${path} does not contain "${message}".`);
  }
  const said = [...scripts(page).values()].filter(translates).flatMap(saidIn);
  const literals = said.filter((argument) => argument.startsWith('"')).map((argument) => JSON.parse(argument));
  return [...new Set([...documentTexts(page), ...literals, ...page.messages])].sort();
}

/** Returns the texts of a page in a language, by the texts' English form. */
export const textsOf = (language, { texts } = pages[0]) =>
  JSON.parse(readFileSync(new URL(`lang/${texts}${language}.json`, web), "utf8"));

if (process.argv[1] === fileURLToPath(import.meta.url) && process.argv.includes("--write")) {
  for (const page of pages) {
    const texts = Object.fromEntries(allTexts(page).map((text) => [text, text]));
    writeFileSync(new URL(`lang/${page.texts}en.json`, web), `${JSON.stringify(texts, null, 2)}\n`);
  }
}
