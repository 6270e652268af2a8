// Bytes with the methods that Node gives them. A file of its own, so that declarations of others name no Node type.
import { Buffer } from "node:buffer";

/** The same bytes, with a Buffer's methods. */
export function asBuffer(content: Uint8Array): Buffer {
  return Buffer.isBuffer(content)
    ? content
    : Buffer.from(content.buffer, content.byteOffset, content.byteLength);
}
