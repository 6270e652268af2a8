// Reads the rows of a damaged file: along its trees as far as they hold together, then what hangs from none of them.

import { u32 } from "./bytes.ts";
import {
  childrenOf,
  isInterior,
  kinds,
  listedIn,
  rowsOf,
  type StoredRow,
  type TreePage,
  treePage,
} from "./cells.ts";
import { hasHeader, type Pages } from "./pages.ts";
import { fits, type Shape } from "./shapes.ts";

/** A row, and whose it is. */
export interface FoundRow extends StoredRow {
  shape: Shape;
  /** Its page hangs from no tree that could be followed: it may be an old state of a row. */
  isLoose: boolean;
}

/** What could not be read. */
interface Unread {
  /** Pages that trees lead to, or the file should have, and that make no sense. */
  pages: number;
  /** Rows of readable pages. */
  rows: number;
}

/** So many pages are read in one go. */
const stretch = 64;

const sequenceShape: Shape = {
  name: "sqlite_sequence",
  isIndexLike: false,
  isIndex: false,
  columns: ["name", "seq"].map((name) => ({
    name,
    affinity: name === "seq" ? "integer" : "text",
    mayBeNull: false,
    isRowid: false,
    isJson: false,
  })),
  leastColumns: 2,
};

/**
 * Rows of the shapes' tables, first those whose place in a tree is certain. `undefined` in between is a place to let others
 * have their turn. Nothing is held but a byte for each page.
 */
export function* readRows(
  pages: Pages,
  shapes: readonly Shape[],
  unread: Unread,
): Generator<FoundRow | undefined> {
  const reader = createReader(pages, unread);
  markFree(pages, reader.pass);
  const listed = listedIn(pages, reader.pass);
  // Without it nobody knows which pages the trees had.
  if (listed.length === 0) unread.pages += Math.min(1, pages.count);
  const all = [...shapes, sequenceShape];
  const known = new Map(all.map((shape) => [shape.name, shape]));
  /** Tables of which part was not found along their tree. */
  const torn = new Set<Shape>(all);
  for (const { name, root } of listed.filter(({ name }) => known.has(name))) {
    const shape = known.get(name);
    if (shape && (yield* reader.tree(root, shape))) torn.delete(shape);
  }
  for (const { name, root } of listed.filter(({ name }) => !known.has(name)))
    yield* reader.strangers(name === "" ? 0 : root);
  // Where every tree is whole, what hangs from none is what was deleted.
  if (torn.size > 0) yield* reader.loose([...torn]);
}

/** Long because every step shares what was seen. */
function createReader(pages: Pages, unread: Unread) {
  const seen = new Uint8Array(pages.count + 1);
  const failedRow = () => unread.rows++;
  let read = 0;
  const isDue = () => ++read % stretch === 0;

  function pass(page: number): void {
    if (page <= pages.count) seen[page] = 1;
  }

  /** Rows along a tree; answers whether all of it was there. */
  function* tree(root: number, shape: Shape): Generator<FoundRow | undefined, boolean> {
    let isWhole = true;
    const waiting = [root];
    for (let number = waiting.pop(); number !== undefined; number = waiting.pop()) {
      if (isDue()) yield undefined;
      const page = seen[number] ? undefined : treePage(pages, number);
      if (!page || isIndexKind(page) !== shape.isIndexLike) {
        isWhole = false;
        if (!seen[number]) unread.pages++;
        continue;
      }
      const failed = unread.rows;
      const rows = [...rowsOf(pages, page, failedRow)];
      const own = rows.filter(({ values }) => fits(shape, values));
      // A page of somebody else, to which damage led.
      if (rows.length > 0 && own.length === 0) {
        isWhole = false;
        continue;
      }
      pass(number);
      if (unread.rows > failed || own.length < rows.length) isWhole = false;
      unread.rows += rows.length - own.length;
      waiting.push(...childrenOf(page));
      for (const row of own) yield { ...row, shape, isLoose: false };
    }
    return isWhole;
  }

  /** Passes over a tree of which nothing is wanted. */
  function* strangers(root: number): Generator<undefined> {
    const waiting = [root];
    for (let number = waiting.pop(); number !== undefined; number = waiting.pop()) {
      if (isDue()) yield undefined;
      const page = seen[number] ? undefined : treePage(pages, number);
      if (!page) continue;
      pass(number);
      waiting.push(...childrenOf(page));
    }
  }

  /** Rows of what hangs from no tree, each piece as far as it holds together. */
  function* loose(torn: readonly Shape[]): Generator<FoundRow | undefined> {
    const held = new Uint8Array(pages.count + 1);
    for (let number = 2; number <= pages.count; number++) {
      if (isDue()) yield undefined;
      const page = seen[number] ? undefined : treePage(pages, number);
      if (!page || !isInterior(page.kind)) continue;
      for (const child of childrenOf(page)) if (child <= pages.count) held[child] = 1;
    }
    for (const isRoot of [true, false])
      for (let number = 2; number <= pages.count; number++) {
        if (isDue()) yield undefined;
        // What is still unseen the second time was held by pages that hold one another, or by one of another kind.
        if (!seen[number] && (held[number] === 0) === isRoot) yield* piece(number, torn);
      }
  }

  function* piece(root: number, torn: readonly Shape[]): Generator<FoundRow | undefined> {
    const top = treePage(pages, root);
    if (!top) return;
    const isIndex = isIndexKind(top);
    const possible = torn.filter(({ isIndexLike }) => isIndexLike === isIndex);
    const waiting = [root];
    for (let number = waiting.pop(); number !== undefined; number = waiting.pop()) {
      if (isDue()) yield undefined;
      const page = seen[number] ? undefined : treePage(pages, number);
      if (!page || isIndexKind(page) !== isIndex) continue;
      pass(number);
      waiting.push(...childrenOf(page));
      const rows = [...rowsOf(pages, page, failedRow)];
      const shape = onlyShape(possible, rows);
      if (!shape || shape.isIndex) continue;
      for (const row of rows) if (fits(shape, row.values)) yield { ...row, shape, isLoose: true };
    }
  }

  return { pass, tree, strangers, loose };
}

function isIndexKind({ kind }: TreePage): boolean {
  return kind === kinds.indexLeaf || kind === kinds.indexInterior;
}

/** The one shape that most of the rows have; undefined where it could be one or the other. */
function onlyShape(possible: readonly Shape[], rows: readonly StoredRow[]): Shape | undefined {
  const fitting = possible
    .map((shape) => ({ shape, n: rows.filter(({ values }) => fits(shape, values)).length }))
    .filter(({ n }) => n * 2 > rows.length)
    .sort((a, b) => b.n - a.n || (isCloser(b.shape, a.shape, rows) ? 1 : -1));
  const [best, next] = fitting;
  if (!best || (next && next.n === best.n && !isCloser(best.shape, next.shape, rows)))
    return undefined;
  return best.shape;
}

/** Rows have as many values as the first has columns, and not as many as the second; or the first alone demands JSON, and gets it. */
function isCloser(first: Shape, second: Shape, rows: readonly StoredRow[]): boolean {
  const length = rows[0]?.values.length;
  if (first.columns.length === length && second.columns.length !== length) return true;
  const demands = ({ columns }: Shape) => columns.some(({ isJson }) => isJson);
  return demands(first) && !demands(second);
}

/** Told of each page that is free, or that only says what others are. */
export function markFree(pages: Pages, mark: (page: number) => void): void {
  const first = pages.page(1);
  if (!first) return;
  if (hasHeader(first) && u32(first, 52) > 0) markByMap(pages, mark);
  let trunk = u32(first, 32);
  for (let left = Math.min(u32(first, 36), pages.count); trunk > 0 && left > 0; ) {
    const page = pages.page(trunk);
    if (!page) return;
    const leaves = u32(page, 4);
    // A page of a tree, to which damage led, is no list: its first bytes would name pages far beyond the end.
    if (u32(page, 0) > pages.count || leaves > Math.floor(pages.usable / 4) - 2) return;
    mark(trunk);
    for (let i = 0; i < leaves; i++) mark(u32(page, 8 + 4 * i));
    left -= leaves + 1;
    trunk = u32(page, 0);
  }
}

const freePage = 2;
const entryBytes = 5;

/** A file that gives pages back keeps of each page what it is, in pages of their own. */
function markByMap({ page, usable, count }: Pages, mark: (page: number) => void): void {
  const entries = Math.floor(usable / entryBytes);
  for (let at = 2; at <= count; at += entries + 1) {
    mark(at);
    const map = page(at);
    if (!map) continue;
    for (let i = 0; i < entries && at + 1 + i <= count; i++)
      if (map[i * entryBytes] === freePage && u32(map, i * entryBytes + 1) === 0) mark(at + 1 + i);
  }
}
