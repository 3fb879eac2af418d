/**
 * A proto2 codec that uses the table in `schema.js`.
 *
 * A decoded message has only the fields that were on the wire, because this protocol distinguishes
 * an absent field from a default value. Repeated fields always exist. 64-bit integers have the type
 * `bigint`, enumerations are numbers, and bytes are `Uint8Array`s. The codec skips fields that are
 * not in the table.
 *
 * @typedef {Record<string, any>} Decoded
 */
import { DecodeError, Reader } from "./reader.js";
import { schema } from "./schema.js";
import { Writer } from "./writer.js";

/** The largest nesting depth of messages. The schema's own depth is 7. */
const DEEPEST = 16;

/** @type {Readonly<Record<string, number>>} */
const wireTypes = { double: 1, string: 2, bytes: 2 };

/** @type {Map<string, Map<number, readonly [string, import("./schema.js").Field]>>} */
const fieldsByNumber = new Map(
  Object.entries(schema).map(([name, fields]) => [
    name,
    new Map(Object.entries(fields).map(([key, field]) => [field[0], /** @type {const} */ ([key, field])])),
  ]),
);

/** @param {string} type a type of the schema */
const wireTypeOf = (type) => (type in schema ? 2 : wireTypes[type] ?? 0);

/**
 * Decodes a message.
 * @param {string} name the name of the message in the schema
 * @param {Uint8Array} bytes the whole message
 * @param {number} [depth] the number of enclosing messages
 * @returns {Decoded}
 * @throws {DecodeError} when the bytes are not valid protobuf
 */
export function decode(name, bytes, depth = 0) {
  if (depth > DEEPEST) throw new DecodeError("Messages lie too deep in one another.");
  const fields = fieldsByNumber.get(name);
  if (!fields) throw new RangeError(`The schema has no ${name}.`);
  /** @type {Decoded} */
  const message = {};
  for (const [key, field] of fields.values()) if (field[2]) message[key] = [];

  const reader = new Reader(bytes);
  while (!reader.isAtEnd) {
    const tag = reader.varint();
    const wireType = tag & 7;
    const number = tag >>> 3;
    if (number === 0) throw new DecodeError("There is no field 0.");
    const known = fields.get(number);
    if (!known) {
      reader.skip(wireType);
      continue;
    }
    const [key, [, type, isRepeated]] = known;
    if (wireType === wireTypeOf(type)) {
      const value = decodeValue(reader, type, depth);
      if (isRepeated) message[key].push(value);
      else message[key] = value;
    } else if (isRepeated && wireType === 2) {
      const packed = new Reader(reader.bytes());
      while (!packed.isAtEnd) message[key].push(decodeValue(packed, type, depth));
    } else {
      reader.skip(wireType);
    }
  }
  return message;
}

/**
 * @param {Reader} reader
 * @param {string} type
 * @param {number} depth
 */
function decodeValue(reader, type, depth) {
  switch (type) {
    case "uint32":
      return reader.varint();
    case "enum":
      return reader.varint() | 0;
    case "bool":
      return reader.flag();
    case "uint64":
      return reader.bigVarint();
    case "int64":
      return BigInt.asIntN(64, reader.bigVarint());
    case "double":
      return reader.double();
    case "string":
      return reader.string();
    case "bytes":
      return reader.bytes().slice();
    default:
      return decode(type, reader.bytes(), depth + 1);
  }
}

/**
 * Encodes a message: the fields that are neither `undefined` nor `null`, in the table's order.
 * @param {string} name the name of the message in the schema
 * @param {Decoded} message the fields of the message
 * @returns {Uint8Array}
 */
export function encode(name, message) {
  const writer = new Writer();
  const fields = schema[name];
  if (!fields) throw new RangeError(`The schema has no ${name}.`);
  for (const [key, [number, type, isRepeated]] of Object.entries(fields)) {
    const value = message[key];
    if (value === undefined || value === null) continue;
    for (const each of isRepeated ? value : [value]) {
      writer.varint((number << 3) | wireTypeOf(type));
      encodeValue(writer, type, each);
    }
  }
  return writer.finish();
}

/**
 * @param {Writer} writer
 * @param {string} type
 * @param {any} value
 */
function encodeValue(writer, type, value) {
  if (type in schema) writer.bytes(encode(type, value));
  else if (type === "double") writer.double(value);
  else if (type === "string") writer.string(value);
  else if (type === "bytes") writer.bytes(value);
  else if (type === "bool") writer.varint(value ? 1 : 0);
  else writer.varint(value);
}
