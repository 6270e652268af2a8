// Whole numbers as bytes, small ones in one.

/** Grows as it is written to. */
export interface ByteWriter {
  add(value: number): void;
  bytes(): Uint8Array;
}

/** A writer of whole numbers from 0 to 2^53. */
export function byteWriter(): ByteWriter {
  let bytes = new Uint8Array(256);
  let length = 0;
  return {
    add(value) {
      if (length + 8 > bytes.length) {
        const larger = new Uint8Array(bytes.length * 2);
        larger.set(bytes);
        bytes = larger;
      }
      let rest = value;
      while (rest > 127) {
        bytes[length++] = (rest % 128) | 128;
        rest = Math.floor(rest / 128);
      }
      bytes[length++] = rest;
    },
    bytes: () => bytes.slice(0, length),
  };
}

/** Reads what a writer wrote. Throws a RangeError at the end. */
export class ByteReader {
  private at = 0;
  private readonly bytes: Uint8Array;

  constructor(bytes: Uint8Array) {
    this.bytes = bytes;
  }

  next(): number {
    let byte = this.byte();
    if (byte < 128) return byte;
    let value = byte & 127;
    let scale = 128;
    do {
      byte = this.byte();
      value += (byte & 127) * scale;
      scale *= 128;
    } while (byte > 127);
    return value;
  }

  private byte(): number {
    const byte = this.bytes[this.at++];
    if (byte === undefined) throw new RangeError("The bytes end in the middle of a number.");
    return byte;
  }
}
