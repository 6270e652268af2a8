// What the index beside a write-ahead log (`-shm`) says of it. A process that was killed leaves it: it knows how much was committed.
import { isLittleMachine } from "./wal.ts";

/** A log as its writers saw it last. */
export interface WalIndex {
  /** Frames up to the last commit. */
  frames: number;
  /** As many of them stand in the database itself. */
  folded: number;
  /** Which generation of the log it speaks of, as that log's own header has it. */
  salts: Uint8Array;
}

/** One copy of its head; there are two, and what is written between them was not finished. */
const headBytes = 48;
/** Up to the number of frames that were folded in. */
export const walIndexBytes = 2 * headBytes + 4;

/** Undefined where it is none, or speaks of no log. */
export function readWalIndex(bytes: Uint8Array): WalIndex | undefined {
  if (bytes.length < walIndexBytes) return undefined;
  const [head, again] = [bytes.subarray(0, headBytes), bytes.subarray(headBytes, 2 * headBytes)];
  if (head[12] !== 1 || head.some((byte, at) => byte !== again[at])) return undefined;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const number = (at: number) => view.getUint32(at, isLittleMachine);
  if (number(0) !== formatVersion) return undefined;
  return { frames: number(16), folded: number(2 * headBytes), salts: head.subarray(32, 40) };
}

const formatVersion = 3_007_000;
