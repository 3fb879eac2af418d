/** The server's messages that contain values, such as a number. */

/**
 * The messages, with a placeholder for each value. No value contains a space. The test program
 * catalogue.js checks that the server's sources contain these messages.
 */
export const patterns = Object.freeze([
  "No meeting {id}; it may have ended. Create one first.",
  "No attendee {id} in this meeting. Create one first.",
  "The meeting is full at {capacity} attendees; delete one, or create the meeting with a larger maximum.",
  "There are {most} meetings, which is the limit; end one, or raise --max-meetings.",
  "The {service} service does not answer; try again.",
  "No engine that knows {language} is attached.",
]);

/** @typedef {readonly [english: string, values: Readonly<Record<string, string>>]} Parts */

const readers = patterns.map((pattern) => ({ pattern, expression: expressionOf(pattern) }));

/** @param {string} pattern */
function expressionOf(pattern) {
  const parts = pattern.split(/\{(\w+)\}/);
  return new RegExp(`^${parts.map((part, at) => (at % 2 ? `(?<${part}>[^ ]+)` : part.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"))).join("")}$`);
}

/**
 * Returns the pattern that matches a server's message, and the values in the message. If no pattern
 * matches, returns the message itself, without values.
 * @param {string} message
 * @returns {Parts}
 */
export function partsOf(message) {
  for (const { pattern, expression } of readers) {
    const found = expression.exec(message);
    if (found) return [pattern, { ...found.groups }];
  }
  return [message, {}];
}
