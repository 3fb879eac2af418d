/** The server's HTTP side, as far as pages use it. */
import { say } from "./elements.js";

/** An answer that is no success. */
export class ControlError extends Error {
  /**
   * @param {number} status of HTTP; 0 where nobody answered
   * @param {string} message what to tell a person
   */
  constructor(status, message) {
    super(message);
    this.name = "ControlError";
    this.status = status;
  }
}

/** How long an answer is waited for, in milliseconds. */
const ANSWERS_WITHIN_MS = 15_000;

export class ControlAPI {
  /** Of the lobby, of the operator, or a join token, where one is wanted; kept in memory only. */
  key = "";

  /**
   * Makes a request.
   * @param {string} method
   * @param {string} path below the server's address
   * @param {unknown} [body] sent as JSON
   * @returns {Promise<any>} the answer, from JSON; `null` where it has no body
   * @throws {ControlError}
   */
  async call(method, path, body) {
    /** @type {Record<string, string>} */
    const headers = { accept: "application/json" };
    // No header carries other characters, and no key has them.
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
      throw new ControlError(0, say("The server does not answer. Is it running?"));
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
 * Returns the server's message, in the page's language if it has a text for it.
 * @param {any} answer
 * @param {number} status
 */
function messageOf(answer, status) {
  const message = answer?.Message ?? answer?.message;
  return typeof message === "string" ? say(message) : say("The server answered {status}.", { status });
}

/** @param {string} text */
function parse(text) {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
