/** The commands of an embedding page: the members of each command, and the checks of a message. */

/** The version of the messages between the frame and the embedding page. */
export const VERSION = 1;

/**
 * @typedef {{ id: number, command: string, values: Record<string, any> }} Command
 * @typedef {{ id: number, status: number, problem: string }} Refused
 *
 * @typedef {object} Shape
 * @property {Record<string, (value: unknown) => boolean>} members
 * @property {(values: Record<string, unknown>) => boolean} isComplete
 */

const flag = (/** @type {unknown} */ value) => typeof value === "boolean";
const text = (/** @type {number} */ most) => (/** @type {unknown} */ value) =>
  typeof value === "string" && value.trim() !== "" && value.length <= most;
const oneOf = (/** @type {string[]} */ ...values) => (/** @type {unknown} */ value) =>
  typeof value === "string" && values.includes(value);
const record = (/** @type {unknown} */ value) => typeof value === "object" && value !== null;

/**
 * Returns the shape of a command that needs all of its members.
 * @param {Shape["members"]} [members]
 * @returns {Shape}
 */
const all = (members = {}) => ({ members, isComplete: (values) => Object.keys(members).every((name) => name in values) });

/** @type {ReadonlyMap<string, Shape>} */
const shapes = new Map([
  [
    "join",
    {
      members: { meeting: text(512), name: text(256), create: flag, credentials: record },
      isComplete: (values) =>
        "credentials" in values ? Object.keys(values).length === 1 : "meeting" in values && "name" in values,
    },
  ],
  ["leave", all()],
  ["setMicrophone", all({ on: flag })],
  ["setCamera", all({ on: flag })],
  ["setScreenShare", all({ on: flag })],
  ["setHand", all({ raised: flag })],
  ["sendMessage", all({ text: text(2_048) })],
  ["setLayout", all({ layout: oneOf("grid", "speaker") })],
  ["showPanel", all({ panel: oneOf("chat", "people", "none") })],
  ["getState", all()],
]);

/** The names of all commands. */
export const commandNames = Object.freeze([...shapes.keys()]);

/**
 * Reads a message of the embedding page.
 * @param {unknown} data
 * @returns {Command | Refused | null} `null` if the message has no valid version or id, so that the
 *   frame cannot answer
 */
export function commandOf(data) {
  if (typeof data !== "object" || data === null || Array.isArray(data)) return null;
  const { carillon, id, command, ...values } = /** @type {Record<string, any>} */ (data);
  if (carillon !== VERSION || !Number.isSafeInteger(id) || id < 0) return null;
  const shape = typeof command === "string" ? shapes.get(command) : undefined;
  if (!shape) return { id, status: 404, problem: "There is no such command." };
  for (const [name, value] of Object.entries(values)) {
    const isValid = Object.hasOwn(shape.members, name) ? shape.members[name] : undefined;
    if (!isValid) return { id, status: 400, problem: `${command} has no member ${name}.` };
    if (!isValid(value)) return { id, status: 400, problem: `${name} of ${command} has a wrong value.` };
  }
  if (!shape.isComplete(values)) return { id, status: 400, problem: `${command} lacks a member, or has too many.` };
  return { id, command, values };
}
