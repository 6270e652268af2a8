// Bytes with the methods that Node gives them, and one that it does not. A file of its own, so that declarations of others name no Node type.
import { Buffer } from "node:buffer";

/** The same bytes, with a Buffer's methods. */
export function asBuffer(content: Uint8Array): Buffer {
  return Buffer.isBuffer(content)
    ? content
    : Buffer.from(content.buffer, content.byteOffset, content.byteLength);
}

/** Whether the bytes before `end` are `mark`. From its last byte on: most lines differ there. */
export function endsWith(bytes: Uint8Array, end: number, mark: Uint8Array): boolean {
  for (let at = 1; at <= mark.length; at++)
    if (bytes[end - at] !== mark[mark.length - at]) return false;
  return true;
}
