// Which pages stand in a write-ahead log: the newest valid frame of each, also past a place that is damaged; and what the index beside it (`-shm`) says of it.
import { u32 } from "./bytes.ts";

/** Reads `length` bytes at `at`; fewer where the file ends. */
export type ReadBytes = (at: number, length: number) => Uint8Array;

/** What a log holds. */
export interface WalPages {
  pageSize: number;
  /** By page number, where in the log its newest content begins. */
  at: Map<number, number>;
  /** Pages of the database after the last commit. */
  pageCount: number;
  /** Frames that SQLite reads: up to the last commit before a damaged one. */
  frames: number;
  /** Valid frames of committed transactions that SQLite does not read, since a damaged one stands before them. */
  unread: number;
}

/** Of a log's header. */
export const headerBytes = 32;
const frameHeaderBytes = 24;

type Sum = readonly [number, number];

interface Frame {
  page: number;
  /** Pages of the database where the frame ends a transaction, else 0. */
  commit: number;
  at: number;
  /** It follows on the frame before it; false: that one is damaged. */
  isLinked: boolean;
}

/** The pages of a log, or undefined where it holds no committed page. */
export function readWal(read: ReadBytes): WalPages | undefined {
  const header = read(0, headerBytes);
  if (!isHeader(header)) return undefined;
  const magic = u32(header, 0);
  const pageSize = u32(header, 8);
  const pages: WalPages = { pageSize, at: new Map(), pageCount: 0, frames: 0, unread: 0 };
  let open: Frame[] = [];
  let isBroken = false;
  for (const frame of frames(read, header, pageSize, (magic & 1) === 0)) {
    if (!frame.isLinked) {
      isBroken = true;
      pages.unread += open.length;
    }
    open.push(frame);
    if (frame.commit === 0) continue;
    for (const { page, at } of open) pages.at.set(page, at);
    if (isBroken) pages.unread += open.length;
    else pages.frames += open.length;
    pages.pageCount = frame.commit;
    open = [];
  }
  return pages.at.size === 0 ? undefined : pages;
}

/** Whether a log begins so. */
export function isHeader(header: Uint8Array): boolean {
  const isMagic = (u32(header, 0) & 0xff_ff_ff_fe) === 0x37_7f_06_82;
  return header.length >= headerBytes && isMagic && isPageSize(u32(header, 8));
}

/** All frames of this log's generation whose bytes are those that were written. */
function* frames(
  read: ReadBytes,
  header: Uint8Array,
  pageSize: number,
  isLittle: boolean,
): Generator<Frame> {
  const own: Sum = checksum(header.subarray(0, 24), [0, 0], isLittle);
  let before: Sum | undefined = sumAt(header, 24);
  let isLinked = own[0] === before[0] && own[1] === before[1];
  for (let at = headerBytes; ; at += frameHeaderBytes + pageSize) {
    const bytes = read(at, frameHeaderBytes + pageSize);
    if (bytes.length < frameHeaderBytes + pageSize) return;
    const isOfLog = u32(bytes, 8) === u32(header, 16) && u32(bytes, 12) === u32(header, 20);
    const stored = sumAt(bytes, 16);
    const sum =
      before &&
      checksum(
        bytes.subarray(frameHeaderBytes),
        checksum(bytes.subarray(0, 8), before, isLittle),
        isLittle,
      );
    const page = u32(bytes, 0);
    if (isOfLog && page > 0 && sum && sum[0] === stored[0] && sum[1] === stored[1]) {
      yield { page, commit: u32(bytes, 4), at: at + frameHeaderBytes, isLinked };
      isLinked = true;
    } else isLinked = false;
    before = isOfLog ? stored : undefined;
  }
}

function sumAt(bytes: Uint8Array, at: number): Sum {
  return [u32(bytes, at), u32(bytes, at + 4)];
}

/** SQLite's checksum over pairs of words, going on from `start`. */
function checksum(bytes: Uint8Array, start: Sum, isLittle: boolean): Sum {
  let a = start[0] | 0;
  let b = start[1] | 0;
  const words = wordsOf(bytes, isLittle);
  for (let at = 0; at + 1 < words.length; at += 2) {
    a = (a + (words[at] ?? 0) + b) | 0;
    b = (b + (words[at + 1] ?? 0) + a) | 0;
  }
  return [a >>> 0, b >>> 0];
}

/** As the machine reads them where that is the log's order: nearly all machines are of the one that SQLite then takes. */
function wordsOf({ buffer, byteOffset, byteLength }: Uint8Array, isLittle: boolean): Int32Array {
  if (isLittle && isLittleMachine && byteOffset % 4 === 0)
    return new Int32Array(buffer, byteOffset, byteLength >> 2);
  const view = new DataView(buffer, byteOffset, byteLength);
  return Int32Array.from({ length: byteLength >> 2 }, (_, i) => view.getInt32(4 * i, isLittle));
}

/** Whether this machine puts a number's lowest byte first. */
export const isLittleMachine = new Uint8Array(Uint32Array.of(1).buffer)[0] === 1;

/** A power of two from 512 to 65,536. */
export function isPageSize(size: number): boolean {
  return size >= 512 && size <= 65_536 && (size & (size - 1)) === 0;
}

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
