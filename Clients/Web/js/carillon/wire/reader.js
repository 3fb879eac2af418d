/** The error for bytes that are not a message of the schema. */
export class DecodeError extends Error {
  /** @param {string} message what is wrong with the bytes */
  constructor(message) {
    super(message);
    this.name = "DecodeError";
  }
}

const text = new TextDecoder();

/** Reads values in the protobuf wire format in order, and never beyond the end of the bytes. */
export class Reader {
  #bytes;
  #view;
  #position = 0;
  /** The upper 32 bits of the last varint. */
  #high = 0;

  /** @param {Uint8Array} bytes the bytes to read; the reader keeps the array itself, not a copy */
  constructor(bytes) {
    this.#bytes = bytes;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  /** Whether the reader has read all bytes. */
  get isAtEnd() {
    return this.#position >= this.#bytes.length;
  }

  /**
   * Reads a varint and returns its lower 32 bits. `bigVarint` and `flag` also use the upper 32
   * bits.
   */
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

  /** Reads an unsigned 64-bit varint. */
  bigVarint() {
    const low = this.varint();
    return (BigInt(this.#high) << 32n) | BigInt(low);
  }

  /** Reads a varint as a boolean. */
  flag() {
    return this.varint() !== 0 || this.#high !== 0;
  }

  /** Reads eight bytes as a floating-point number. */
  double() {
    const at = this.#advance(8);
    return this.#view.getFloat64(at, true);
  }

  /**
   * Reads a length, and then as many bytes as the length says. Returns a view of the bytes, not a
   * copy.
   */
  bytes() {
    const length = this.varint();
    if (this.#high !== 0) throw new DecodeError("A length is beyond all bounds.");
    const at = this.#advance(length);
    return this.#bytes.subarray(at, at + length);
  }

  /** Reads a length, and then as many bytes of UTF-8 as the length says. */
  string() {
    return text.decode(this.bytes());
  }

  /**
   * Skips the value of an unknown field.
   * @param {number} wireType the wire type of the value
   */
  skip(wireType) {
    if (wireType === 0) this.varint();
    else if (wireType === 1) this.#advance(8);
    else if (wireType === 2) this.bytes();
    else if (wireType === 5) this.#advance(4);
    else throw new DecodeError(`There is no wire type ${wireType} here.`);
  }

  /** @param {number} count the number of bytes needed */
  #advance(count) {
    const at = this.#position;
    if (count > this.#bytes.length - at) throw new DecodeError("A value ends early.");
    this.#position = at + count;
    return at;
  }
}
