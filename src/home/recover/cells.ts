// What stands in a page of a tree: its children, or its rows with their values; and the file's own list of its trees.
import type { SqlValue } from "../../host/sqlite.ts";
import { u16, u32, varint } from "./bytes.ts";

/** By the first byte of a page. Rows of a table without row ids stand in trees like those of indexes, in interior pages too. */
export const kinds = { indexInterior: 2, tableInterior: 5, indexLeaf: 10, tableLeaf: 13 } as const;

/** A page of a tree. */
export interface TreePage {
  number: number;
  kind: number;
  bytes: Uint8Array;
  /** Where each cell begins. */
  cells: number[];
}

/** A value as it is stored; an integer that JavaScript cannot hold exactly comes as a bigint. */
export type Value = SqlValue | bigint;

/** A row as its cell holds it. */
export interface StoredRow {
  /** Undefined in trees without row ids. */
  rowid: number | undefined;
  values: Value[];
}

/** Page `number` as one of a tree; undefined where its head makes no sense. Cells that cannot be are left out. */
export function treePage(pages: PageSource, number: number): TreePage | undefined {
  const bytes = pages.page(number);
  if (!bytes) return undefined;
  const start = number === 1 ? 100 : 0;
  const kind = bytes[start] ?? 0;
  if (![2, 5, 10, 13].includes(kind)) return undefined;
  const pointers = start + (isInterior(kind) ? 12 : 8);
  const count = u16(bytes, start + 3);
  const first = pointers + 2 * count;
  if (first > pages.usable) return undefined;
  const cells: number[] = [];
  for (let i = 0; i < count; i++) {
    const at = u16(bytes, pointers + 2 * i);
    if (at >= first && at < pages.usable - 1) cells.push(at);
  }
  return { number, kind, bytes, cells };
}

export function isInterior(kind: number): boolean {
  return kind === kinds.indexInterior || kind === kinds.tableInterior;
}

/** PageSource below an interior page. */
export function childrenOf({ number, bytes, kind, cells }: TreePage): number[] {
  if (!isInterior(kind)) return [];
  return [...cells.map((at) => u32(bytes, at)), u32(bytes, (number === 1 ? 100 : 0) + 8)];
}

/** Rows of a page. What cannot be read is counted by `failed`. */
export function* rowsOf(
  pages: PageSource,
  page: TreePage,
  failed: () => void,
): Generator<StoredRow> {
  if (page.kind === kinds.tableInterior) return;
  for (const at of page.cells) {
    const row = readCell(pages, page, at);
    if (row) yield row;
    else failed();
  }
}

function readCell(
  pages: PageSource,
  { bytes, kind }: TreePage,
  cell: number,
): StoredRow | undefined {
  const at = kind === kinds.indexInterior ? cell + 4 : cell;
  const length = varint(bytes, at);
  if (!length) return undefined;
  let [size, end] = length;
  let rowid: number | undefined;
  if (kind === kinds.tableLeaf) {
    const id = varint(bytes, end);
    if (!id) return undefined;
    [rowid, end] = id;
  }
  const payload = wholePayload(pages, bytes, end, size, kind === kinds.tableLeaf);
  const values = payload && readRecord(payload);
  return values && { rowid, values };
}

/** The bytes of a row, with what stands in other pages. */
function wholePayload(
  { page, usable, count }: PageSource,
  bytes: Uint8Array,
  start: number,
  size: number,
  isTable: boolean,
): Uint8Array | undefined {
  if (size < 1 || size > usable * count) return undefined;
  const most = isTable ? usable - 35 : Math.floor(((usable - 12) * 64) / 255) - 23;
  const least = Math.floor(((usable - 12) * 32) / 255) - 23;
  const fitting = least + ((size - least) % (usable - 4));
  const local = size <= most ? size : fitting <= most ? fitting : least;
  if (start + local > usable) return undefined;
  if (local === size) return bytes.subarray(start, start + size);
  const payload = new Uint8Array(size);
  payload.set(bytes.subarray(start, start + local));
  let next = u32(bytes, start + local);
  for (let filled = local; filled < size; ) {
    const more = page(next);
    if (!more) return undefined;
    const part = more.subarray(4, Math.min(usable, 4 + size - filled));
    payload.set(part, filled);
    filled += part.length;
    next = u32(more, 0);
  }
  return payload;
}

const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** The values of a record; undefined where its head and its length do not agree. */
function readRecord(payload: Uint8Array): Value[] | undefined {
  const head = varint(payload, 0);
  if (!head || head[0] > payload.length) return undefined;
  const values: Value[] = [];
  let [bodyAt, at] = head;
  while (at < head[0]) {
    const type = varint(payload, at);
    if (!type || type[1] > head[0]) return undefined;
    const size = sizeOf(type[0]);
    if (size === undefined || bodyAt + size > payload.length) return undefined;
    const value = readValue(type[0], payload.subarray(bodyAt, bodyAt + size));
    if (value === undefined) return undefined;
    values.push(value);
    bodyAt += size;
    at = type[1];
  }
  return at === head[0] && bodyAt === payload.length ? values : undefined;
}

const sizes = [0, 1, 2, 3, 4, 6, 8, 8, 0, 0];

function sizeOf(type: number): number | undefined {
  return type < 12 ? sizes[type] : Math.floor((type - 12) / 2);
}

/** Undefined for text that is none. */
function readValue(type: number, bytes: Uint8Array): Value | undefined {
  if (type === 0) return null;
  if (type === 8 || type === 9) return type - 8;
  if (type === 7) return new DataView(bytes.buffer, bytes.byteOffset, 8).getFloat64(0);
  if (type < 12) return integer(bytes);
  // PageSource are held for a while only.
  if (type % 2 === 0) return bytes.slice();
  try {
    return utf8.decode(bytes);
  } catch {
    return undefined;
  }
}

function integer(bytes: Uint8Array): number | bigint {
  if (bytes.length > 6) {
    const exact = new DataView(bytes.buffer, bytes.byteOffset, 8).getBigInt64(0);
    return Number.isSafeInteger(Number(exact)) ? Number(exact) : exact;
  }
  let value = 0;
  for (const byte of bytes) value = value * 256 + byte;
  return (bytes[0] ?? 0) < 128 ? value : value - 256 ** bytes.length;
}

/** Pages by number, from 1. */
export interface PageSource {
  pageSize: number;
  /** Of each page, what its end is not reserved for. */
  usable: number;
  count: number;
  /** Undefined past the end, and where the file is cut. */
  page(number: number): Uint8Array | undefined;
}

/** A table or an index. */
interface Listed {
  name: string;
  root: number;
}

/** `pass` is told of each page that the list stands in. */
export function listedIn(
  pages: PageSource,
  pass: (page: number) => void = () => undefined,
): Listed[] {
  const found: Listed[] = [];
  const seen = new Set<number>();
  const waiting = [1];
  for (let number = waiting.pop(); number !== undefined; number = waiting.pop()) {
    const page = treePage(pages, number);
    const isOfTable = page?.kind === kinds.tableLeaf || page?.kind === kinds.tableInterior;
    if (!isOfTable || seen.has(number)) continue;
    seen.add(number);
    pass(number);
    waiting.push(...childrenOf(page));
    for (const { values } of rowsOf(pages, page, () => undefined)) {
      const [, name, , root] = values;
      if (typeof name === "string" && typeof root === "number" && root > 1)
        found.push({ name, root });
    }
  }
  return found;
}
