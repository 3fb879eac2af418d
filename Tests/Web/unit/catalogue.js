/**
 * Finds the texts of the pages in the pages' sources. `node Tests/Web/unit/catalogue.js --write`
 * writes lang/en.json and lang/operator/en.json.
 */
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { partsOf, patterns } from "../../../Clients/Web/js/meet/server-messages.js";

export const web = new URL("../../../Clients/Web/", import.meta.url);
const root = new URL("../../../", import.meta.url);
const gateway = new URL("Services/Gateway/", root);

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
  "The store does not answer; retry later.": "../../Shared/Storage/StorageError.swift",
});

/**
 * The server's messages that contain values (server-messages.js), each with the source files that
 * contain the message.
 * @type {Readonly<Record<string, readonly string[]>>}
 */
const patternSources = Object.freeze({
  "No meeting {id}; it may have ended. Create one first.": ["Shared/Storage/StorageError.swift"],
  "No attendee {id} in this meeting. Create one first.": ["Shared/Storage/StorageError.swift"],
  "The meeting is full at {capacity} attendees; delete one, or create the meeting with a larger maximum.": [
    "Shared/Storage/StorageError.swift",
  ],
  "There are {most} meetings, which is the limit; end one, or raise --max-meetings.": ["Shared/Storage/StorageError.swift"],
  "The {service} service does not answer; try again.": [
    "Services/Gateway/Media/MediaServiceConnector.swift",
    "Services/Gateway/Messages/MessagingServiceConnector.swift",
    "Services/Gateway/Roster/PresenceServiceConnector.swift",
    "Services/Gateway/Tiles/TilesServiceConnector.swift",
    "Services/Gateway/Transcripts/TranscriptionServiceConnector.swift",
  ],
});

/** The server's messages that the operator's page translates. */
const messagesForOperators = Object.freeze([
  "The store does not answer; retry later.",
  "No meeting {id}; it may have ended. Create one first.",
  "No attendee {id} in this meeting. Create one first.",
  "The {service} service does not answer; try again.",
  "The request could not be carried out; try again.",
  "The gateway receives too many requests. Send this request again after a second.",
]);

/**
 * The rules for names that the server inserts into the messages about wrong names. The texts are
 * those of DisplayName.swift, with the numbers inserted. test_page_languages.py gets each message
 * from a gateway.
 */
const rules = [
  "at most 64 characters and 256 bytes",
  "text with at least one visible character",
  "text without control characters and line breaks",
  "text that ends each bidirectional embedding, override and isolate that it begins",
];

/** The messages that the server composes from a field's name, a kind of name and a rule. */
const composedMessages = Object.freeze(
  rules.flatMap((rule) => [
    `Name: Not a valid display name: it must be ${rule}.`,
    `Meeting: Not a valid meeting name: it must be ${rule}.`,
  ]),
);

/**
 * The reasons for failed captions, which the service transcription composes from parts. Each reason
 * has its parts in TranscriptionSettings.swift.
 * @type {Readonly<Record<string, readonly string[]>>}
 */
const captionFailures = Object.freeze({
  "No engine is attached.": ["No engine", "is attached"],
  "No engine that knows {language} is attached.": ["No engine", "that knows VALUE is attached"],
});

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
    messages: [...Object.keys(serverMessages), ...composedMessages, ...patterns, ...Object.keys(captionFailures)],
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

/** The file that contains the parts of the reasons why captions fail. */
const captionSource = "Services/Transcription/Work/TranscriptionSettings.swift";

/**
 * Returns the string literals of a Swift file. Literals that `+` joins are returned as one literal.
 * Each value in a literal becomes `VALUE`.
 * @param {string} path
 */
function literalsIn(path) {
  const source = readFileSync(new URL(path, root), "utf8").replace(/"\s*\+\s*"/g, "");
  return [...source.matchAll(/"((?:[^"\\\n]|\\.)*)"/g)].map(([, literal = ""]) => literal.replace(/\\\([^)]*\)/g, "VALUE"));
}

/**
 * Throws an error unless the server's sources contain the messages that match a pattern.
 * @param {string} pattern
 */
function checkPattern(pattern) {
  const parts = captionFailures[pattern];
  const sources = parts ? [captionSource] : (patternSources[pattern] ?? []);
  if (sources.length === 0) throw new Error(`catalogue.js names no source of "${pattern}".`);
  for (const path of sources) {
    const literals = literalsIn(path);
    const isThere = parts ? parts.every((part) => literals.includes(part)) : literals.some((each) => partsOf(each)[0] === pattern);
    if (!isThere) throw new Error(`${path} does not contain "${pattern}".`);
  }
}

/** Returns all texts of a page, in alphabetical order. Each language must have these texts. */
export function allTexts(page = pages[0]) {
  for (const [message, path] of Object.entries(serverMessages)) {
    const source = readFileSync(new URL(path, gateway), "utf8");
    if (!source.includes(`"${message}"`)) throw new Error(`${path} does not contain "${message}".`);
  }
  for (const pattern of new Set([...patterns, ...Object.keys(captionFailures)])) checkPattern(pattern);
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
