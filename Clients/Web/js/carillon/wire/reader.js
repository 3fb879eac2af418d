/** Bytes that are no message of the schema. */
export class DecodeError extends Error {
  /** @param {string} message what is wrong with them */
  constructor(message) {
    super(message);
    this.name = "DecodeError";
  }
}

const text = new TextDecoder();

/** Reads the parts of the protobuf wire format from bytes, in order, and never beyond their end. */
export class Reader {
  #bytes;
  #view;
  #position = 0;
  /** The upper half of the varint that was read last. */
  #high = 0;

  /** @param {Uint8Array} bytes what is read; kept, not copied */
  constructor(bytes) {
    this.#bytes = bytes;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  /** Whether everything was read. */
  get isAtEnd() {
    return this.#position >= this.#bytes.length;
  }

  /** The lower 32 bits of a varint; the upper ones are there for `bigVarint` and `flag`. */
  varint() {
    let low = 0;
    let high = 0;
    for (let shift = 0; shift < 70; shift += 7) {
      if (this.isAtEnd) throw new DecodeError("A number ends early.");
      const byte = /** @type {number} */ (this.#bytes[this.#position++]);
      const part = byte & 0x7f;
      if (shift < 28) low |= part << shift;
      else if (shift === 28) {
        low |= part << 28;
        high |= part >>> 4;
      } else high |= part << (shift - 32);
      if (byte < 0x80) {
        this.#high = high >>> 0;
        return low >>> 0;
      }
    }
    throw new DecodeError("A number has more than ten bytes.");
  }

  /** A varint of 64 bits, without a sign. */
  bigVarint() {
    const low = this.varint();
    return (BigInt(this.#high) << 32n) | BigInt(low);
  }

  /** A varint as a truth value. */
  flag() {
    return this.varint() !== 0 || this.#high !== 0;
  }

  /** Eight bytes as a floating-point number. */
  double() {
    const at = this.#advance(8);
    return this.#view.getFloat64(at, true);
  }

  /** A length and as many bytes, as a view of what is read. */
  bytes() {
    const length = this.varint();
    if (this.#high !== 0) throw new DecodeError("A length is beyond all bounds.");
    const at = this.#advance(length);
    return this.#bytes.subarray(at, at + length);
  }

  /** A length and as many bytes of UTF-8. */
  string() {
    return text.decode(this.bytes());
  }

  /**
   * Passes over a value that nobody knows.
   * @param {number} wireType how it is laid out
   */
  skip(wireType) {
    if (wireType === 0) this.varint();
    else if (wireType === 1) this.#advance(8);
    else if (wireType === 2) this.bytes();
    else if (wireType === 5) this.#advance(4);
    else throw new DecodeError(`There is no wire type ${wireType} here.`);
  }

  /** @param {number} count how many bytes are needed */
  #advance(count) {
    const at = this.#position;
    if (count > this.#bytes.length - at) throw new DecodeError("A value ends early.");
    this.#position = at + count;
    return at;
  }
}
