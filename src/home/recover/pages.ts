// The pages of a database file as they would be read after a restart: the log's over the file's, whatever of both is there.
import { closeSync, fstatSync, openSync, readSync } from "node:fs";
import { u16, u32 } from "./bytes.ts";
import { isPageSize, type ReadBytes, readWal } from "./wal.ts";

/** Pages by number, from 1. */
export interface Pages {
  pageSize: number;
  /** Of each page, what its end is not reserved for. */
  usable: number;
  count: number;
  /** Undefined past the end, and where the file is cut. */
  page(number: number): Uint8Array | undefined;
  close(): void;
}

/** Pages held in memory at a time, in bytes. */
const cachedBytes = 8 * 1024 * 1024;

interface OpenFile {
  read: ReadBytes;
  size: number;
  close(): void;
}

/** Opens a file and its log; no bytes of them are changed. Undefined where neither holds a page. */
export function openPages(path: string): Pages | undefined {
  const file = openFile(path);
  const log = openFile(`${path}-wal`);
  const wal = log && readWal(log.read);
  const close = () => {
    file?.close();
    log?.close();
  };
  const pageSize = wal?.pageSize ?? (file && pageSizeOf(file));
  if (pageSize === undefined) {
    close();
    return undefined;
  }
  const count = wal?.pageCount ?? Math.ceil((file?.size ?? 0) / pageSize);
  const cache = new Map<number, Uint8Array>();
  function look(number: number): Uint8Array | undefined {
    const at = wal?.at.get(number);
    const bytes =
      at !== undefined && log
        ? log.read(at, pageSize ?? 0)
        : file?.read((number - 1) * (pageSize ?? 0), pageSize ?? 0);
    return bytes?.length === pageSize ? bytes : undefined;
  }
  const pages: Pages = {
    pageSize,
    usable: pageSize,
    count,
    page(number) {
      if (!Number.isInteger(number) || number < 1 || number > count) return undefined;
      const known = cache.get(number);
      if (known) return known;
      const bytes = look(number);
      if (!bytes) return undefined;
      if (cache.size * pageSize >= cachedBytes) cache.delete(cache.keys().next().value ?? 0);
      cache.set(number, bytes);
      return bytes;
    },
    close,
  };
  const first = pages.page(1);
  const reserved = first && hasHeader(first) ? (first[20] ?? 0) : 0;
  pages.usable = pageSize - (reserved <= 64 ? reserved : 0);
  return pages;
}

/** Whether the log beside a file holds committed pages, and such that SQLite would pass over without a word. */
export function lookAtLog(path: string): { pages: number; unread: number } {
  const log = openFile(`${path}-wal`);
  try {
    const wal = log && readWal(log.read);
    return { pages: wal?.at.size ?? 0, unread: wal?.unread ?? 0 };
  } finally {
    log?.close();
  }
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
