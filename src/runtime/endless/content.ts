// A kept value as bytes: its JSON text, named by its hash, compressed; and back, exactly.
import { Buffer } from "node:buffer";
import { createHash } from "node:crypto";
import { zstdCompressSync, zstdDecompressSync } from "node:zlib";

/** What is written. */
export interface Packed {
  /** SHA-256 of the JSON text: values that differ in their keys' order are two contents, since both must come back. */
  hash: Uint8Array;
  data: Uint8Array;
  /** Of the JSON text. */
  characters: number;
}

/** Undefined for what is no JSON. */
export function packContent(value: unknown): Packed | undefined {
  let text: string | undefined;
  try {
    text = JSON.stringify(value);
  } catch {
    return undefined;
  }
  if (text === undefined) return undefined;
  const bytes = Buffer.from(text);
  return {
    hash: createHash("sha256").update(bytes).digest(),
    data: zstdCompressSync(bytes),
    characters: text.length,
  };
}

/** The value again. Throws when the bytes are damaged. */
export function unpackContent(data: Uint8Array): unknown {
  return JSON.parse(zstdDecompressSync(data).toString());
}
