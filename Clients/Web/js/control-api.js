/** The requests of pages to the server's HTTP interface. */
import { say, sayMessage } from "./elements.js";

/** The error for a request that did not succeed. */
export class ControlError extends Error {
  /**
   * @param {number} status the HTTP status; 0 if the server did not answer
   * @param {string} message the text for the user
   */
  constructor(status, message) {
    super(message);
    this.name = "ControlError";
    this.status = status;
  }
}

/** How long the page waits for an answer, in milliseconds. */
const ANSWERS_WITHIN_MS = 15_000;

export class ControlAPI {
  /**
   * The key of the lobby or of the operator, or a join token; empty if the server needs none. The
   * page stores the key only in memory.
   */
  key = "";

  /**
   * Makes a request.
   * @param {string} method
   * @param {string} path the path below the server's address
   * @param {unknown} [body] a value that the function sends as JSON
   * @returns {Promise<any>} the answer, from JSON; `null` if the answer has no body
   * @throws {ControlError}
   */
  async call(method, path, body) {
    /** @type {Record<string, string>} */
    const headers = { accept: "application/json" };
    // A header cannot contain characters outside this range, and no key contains such characters.
    if (!/^[\x20-\x7e]*$/.test(this.key)) throw new ControlError(403, say("This is not the key of this server."));
    if (body !== undefined) headers["content-type"] = "application/json";
    if (this.key) headers["authorization"] = `Bearer ${this.key}`;
    const giveUp = new AbortController();
    const timer = setTimeout(() => giveUp.abort(), ANSWERS_WITHIN_MS);
    let response;
    let text;
    try {
      response = await fetch(path, {
        method,
        headers,
        ...(body !== undefined && { body: JSON.stringify(body) }),
        signal: giveUp.signal,
        cache: "no-store",
        credentials: "omit",
      });
      text = await response.text();
    } catch {
      throw new ControlError(0, say("The server does not answer. Check your network, and try again."));
    } finally {
      clearTimeout(timer);
    }
    const answer = parse(text);
    if (response.ok) return answer;
    throw new ControlError(response.status, messageOf(answer, response.status));
  }

  /** @param {string} path */
  get(path) {
    return this.call("GET", path);
  }
}

/**
 * Returns the server's message. If the page's language has a translation of the message, returns
 * the translation.
 * @param {any} answer
 * @param {number} status
 */
function messageOf(answer, status) {
  const message = answer?.Message ?? answer?.message;
  return typeof message === "string" ? sayMessage(message) : say("The server refused the request with HTTP status {status}. Load the page again.", { status });
}

/** @param {string} text */
function parse(text) {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
