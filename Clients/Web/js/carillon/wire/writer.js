const text = new TextEncoder();

/** Writes values in the protobuf wire format, one after another. */
export class Writer {
  #bytes = new Uint8Array(256);
  #length = 0;

  /** Returns a copy of everything written so far. */
  finish() {
    return this.#bytes.slice(0, this.#length);
  }

  /** @param {number} value one byte */
  byte(value) {
    this.#reserve(1);
    this.#bytes[this.#length++] = value;
  }

  /** @param {number | bigint} value an integer; a negative integer takes ten bytes */
  varint(value) {
    let rest = typeof value === "bigint" ? value : BigInt(Math.trunc(value));
    rest = BigInt.asUintN(64, rest);
    while (rest > 0x7fn) {
      this.byte(Number(rest & 0x7fn) | 0x80);
      rest >>= 7n;
    }
    this.byte(Number(rest));
  }

  /** @param {number} value a floating-point number */
  double(value) {
    this.#reserve(8);
    new DataView(this.#bytes.buffer).setFloat64(this.#length, value, true);
    this.#length += 8;
  }

  /** @param {Uint8Array} value the writer writes the length, then the bytes */
  bytes(value) {
    this.varint(value.length);
    this.#reserve(value.length);
    this.#bytes.set(value, this.#length);
    this.#length += value.length;
  }

  /** @param {string} value the writer writes the length, then the text as UTF-8 */
  string(value) {
    this.bytes(text.encode(value));
  }

  /** @param {number} count the number of bytes to write next */
  #reserve(count) {
    if (this.#length + count <= this.#bytes.length) return;
    const grown = new Uint8Array(Math.max(this.#bytes.length * 2, this.#length + count));
    grown.set(this.#bytes);
    this.#bytes = grown;
  }
}
