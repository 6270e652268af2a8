// The pages of a database file as they would be read after a restart: the log's over the file's, whatever of both is there.
import { closeSync, fstatSync, openSync, readSync } from "node:fs";
import { isDeepStrictEqual } from "node:util";
import { u16, u32 } from "./bytes.ts";
import { listedIn, type PageSource } from "./cells.ts";
import {
  headerBytes,
  isHeader,
  isPageSize,
  type ReadBytes,
  readWal,
  readWalIndex,
  type WalIndex,
  type WalPages,
  walIndexBytes,
} from "./wal.ts";

/** Those of files that are open. */
export interface Pages extends PageSource {
  close(): void;
}

/** Pages held in memory at a time, in bytes. */
const cachedBytes = 8 * 1024 * 1024;

interface OpenFile {
  read: ReadBytes;
  size: number;
  close(): void;
}

/**
 * Opens a file and its log; no bytes of them are changed. Undefined where neither holds a page. A log of another database,
 * under which fewer of the tables named in `own` are listed than in the file without it, is passed over.
 */
export function openPages(path: string, own: readonly string[] = []): Pages | undefined {
  const file = openFile(path);
  const log = openFile(`${path}-wal`);
  const close = () => {
    file?.close();
    log?.close();
  };
  const wal = log && readWal(log.read);
  const alone = pagesOf(file, undefined);
  const together = log && wal ? pagesOf(file, { log, wal }) : alone;
  const pages = isForeign(alone, together, own) ? alone : together;
  if (!pages) close();
  return pages && { ...pages, close };
}

/** Whether the log hides tables that the file has without it; a file that has few of them may itself be another's. */
function isForeign(
  alone: PageSource | undefined,
  together: PageSource | undefined,
  own: readonly string[],
): boolean {
  if (!alone || !together || alone === together || own.length === 0) return false;
  const known = (pages: PageSource) =>
    new Set(listedIn(pages).flatMap(({ name }) => (own.includes(name) ? [name] : []))).size;
  const there = known(alone);
  return there * 2 >= own.length && there > known(together);
}

/** A log that lies over the file. */
interface LogOver {
  log: OpenFile;
  wal: WalPages;
}

function pagesOf(file: OpenFile | undefined, over: LogOver | undefined): PageSource | undefined {
  const pageSize = over?.wal.pageSize ?? (file ? pageSizeOf(file) : undefined);
  return pageSize === undefined ? undefined : pagesOfSize(pageSize, file, over);
}

function pagesOfSize(
  pageSize: number,
  file: OpenFile | undefined,
  over: LogOver | undefined,
): PageSource {
  const count = over?.wal.pageCount ?? Math.ceil((file?.size ?? 0) / pageSize);
  const cache = new Map<number, Uint8Array>();
  function look(number: number): Uint8Array | undefined {
    const at = over?.wal.at.get(number);
    const bytes =
      over && at !== undefined
        ? over.log.read(at, pageSize)
        : file?.read((number - 1) * pageSize, pageSize);
    return bytes?.length === pageSize ? bytes : undefined;
  }
  function page(number: number): Uint8Array | undefined {
    if (!Number.isInteger(number) || number < 1 || number > count) return undefined;
    const known = cache.get(number);
    if (known) return known;
    const bytes = look(number);
    if (!bytes) return undefined;
    if (cache.size * pageSize >= cachedBytes) cache.delete(cache.keys().next().value ?? 0);
    cache.set(number, bytes);
    return bytes;
  }
  const first = page(1);
  const reserved = first && hasHeader(first) ? (first[20] ?? 0) : 0;
  return { pageSize, usable: pageSize - (reserved <= 64 ? reserved : 0), count, page };
}

/** What SQLite would pass over without a word in the log beside a file. */
interface LogState {
  /** Committed pages that it holds. */
  pages: number;
  /** Of those that SQLite does not read, since a damaged place stands before them. */
  unread: number;
  /** Pages that were committed and stand neither in it nor in the file; 0 also where nothing tells. */
  lost: number;
  /** It is another database's. */
  isForeign: boolean;
}

/** Looks at the log beside a file whose tables are `own`, and at the log's index, which a killed process left. */
export function lookAtLog(path: string, own: readonly string[]): LogState {
  const index = readIndex(path);
  const file = openFile(path);
  const log = openFile(`${path}-wal`);
  try {
    const wal = log && readWal(log.read);
    const together = log && wal && pagesOf(file, { log, wal });
    const lost = index && isOfLog(index, log) ? lostOf(index, wal?.frames ?? 0) : 0;
    // A process that has the file open may have folded the log in meanwhile.
    const isSure = lost > 0 && isDeepStrictEqual(readIndex(path), index);
    return {
      ...{ pages: wal?.at.size ?? 0, unread: wal?.unread ?? 0, lost: isSure ? lost : 0 },
      isForeign: together !== undefined && isForeign(pagesOf(file, undefined), together, own),
    };
  } finally {
    file?.close();
    log?.close();
  }
}

function readIndex(path: string): WalIndex | undefined {
  const file = openFile(`${path}-shm`);
  const index = file && readWalIndex(file.read(0, walIndexBytes));
  file?.close();
  return index;
}

/** It speaks of this very log, or of one that has no beginning any more. */
function isOfLog({ salts }: WalIndex, log: OpenFile | undefined): boolean {
  const header = log?.read(0, headerBytes);
  return !header || !isHeader(header) || isDeepStrictEqual(header.slice(16, 24), salts.slice());
}

function lostOf({ frames, folded }: WalIndex, there: number): number {
  return Math.max(0, frames - Math.max(folded, there));
}

/** Whether a first page begins as SQLite's files do, with a page size that can be. */
export function hasHeader(first: Uint8Array): boolean {
  return new TextDecoder().decode(first.subarray(0, 15)) === "SQLite format 3" && sizeIn(first) > 0;
}

function sizeIn(first: Uint8Array): number {
  const size = u16(first, 16) === 1 ? 65_536 : u16(first, 16);
  return isPageSize(size) ? size : 0;
}

/** As the header says; else the size at whose steps most pages begin as pages of a tree do, by looks into the whole file. */
function pageSizeOf(file: OpenFile): number | undefined {
  const first = file.read(0, 100);
  if (hasHeader(first)) return sizeIn(first);
  const found = new Map<number, number>();
  const regions = Math.ceil(file.size / largestPage);
  for (let region = 0; region < regions; region += Math.max(1, Math.floor(regions / 64))) {
    const bytes = file.read(region * largestPage, largestPage);
    for (let size = largestPage; size >= 512; size /= 2)
      for (let at = region === 0 ? size : 0; at < bytes.length; at += size)
        if (isLikeTree(bytes.subarray(at, at + size), size))
          found.set(size, (found.get(size) ?? 0) + 1);
  }
  return [...found].sort((a, b) => b[1] - a[1])[0]?.[0];
}

const largestPage = 65_536;

/** Its head is that of a page of a tree: the place where cells begin leaves room for their pointers. */
function isLikeTree(bytes: Uint8Array, size: number): boolean {
  const kind = bytes[0] ?? 0;
  if (bytes.length < size || ![2, 5, 10, 13].includes(kind)) return false;
  const cells = u16(bytes, 3);
  const begin = u16(bytes, 5) || 65_536;
  const head = kind < 8 ? 12 : 8;
  return begin <= size && head + 2 * cells <= begin && (cells > 0 || u32(bytes, 0) > 0);
}

function openFile(path: string): OpenFile | undefined {
  let descriptor: number;
  try {
    descriptor = openSync(path, "r");
  } catch {
    return undefined;
  }
  return {
    size: fstatSync(descriptor).size,
    read(at, length) {
      const bytes = new Uint8Array(length);
      try {
        return bytes.subarray(0, readSync(descriptor, bytes, 0, length, at));
      } catch {
        // A sector that the disk does not give.
        return bytes.subarray(0, 0);
      }
    },
    close: () => closeSync(descriptor),
  };
}
