// What stays of a long text: its beginning, its headings, its conclusion, and the paragraphs that were asked for, with those beside them.

import type { Row } from "../text/rows.ts";
import type { Asked } from "./asked.ts";

/** A part of the text stays, within bounds. */
const [share, leastRoom, mostRoom] = [0.45, 8_000, 14_000];
/** One part in so many of it is for the beginning, for the conclusion, and for headings, each. */
const forEach = 8;
/** Longer paragraphs are cut, so that no table or list counts as one. */
const longestBlock = 8;
/** What was asked for goes on beside it, and below its heading: so much of its bits does the neighbour have. */
const beside = 0.4;
/** A name of something is worth so many bits, and all of one paragraph no more than so many. */
const [forName, mostForNames] = [0.4, 3];

/** Of what the best paragraph of a long text has, another has so much at least, and no more than these bits; a shorter one is mostly read whole. */
const [shareOfBest, mostRequired, long] = [0.2, 2, 12_000];

interface Block {
  rows: readonly Row[];
  size: number;
  /** The place of the heading that it stands under; -1 for none. */
  under: number;
}

const heading = /^#{1,6}\s/;
const underline = /^\s*(?:={3,}|-{3,}|~{3,})\s*$/;

/** `SaveChanges`, `manual_commit`: no word of prose. */
const name = /[A-Za-z]+(?:_[A-Za-z\d]+|[a-z][A-Z][A-Za-z\d]*)+/g;

/** How much of a text of this size stays. */
export function roomOfProse(size: number): number {
  return Math.min(mostRoom, Math.max(leastRoom, size * share));
}

/** The numbers of the rows that stay. */
export function keptOfProse(rows: readonly Row[], asked: Asked | undefined): Set<number> {
  const blocks = blocksOf(rows);
  const kept = new Set<number>();
  const whole = rows.reduce((sum, { text }) => sum + text.length + 1, 0);
  const all = roomOfProse(whole);
  const part = all / forEach;
  let left = all;
  const take = (wanted: readonly Row[]): void => {
    for (const { line, text } of wanted) {
      if (kept.has(line)) continue;
      kept.add(line);
      left -= text.length + 1;
    }
  };
  const takeUpTo = (room: number, wanted: Iterable<readonly Row[]>): void => {
    const least = left - room;
    for (const some of wanted) {
      const size = some.reduce((sum, { text }) => sum + text.length + 1, 0);
      if (left - size < least) return;
      take(some);
    }
  };
  takeUpTo(
    part,
    blocks.map(({ rows }) => rows),
  );
  takeUpTo(
    part,
    blocks.toReversed().map(({ rows }) => rows),
  );
  takeUpTo(
    part,
    headsOf(rows).map((row) => [row]),
  );
  const bits = bitsOf(blocks, asked);
  // Of what weighs the same the beginnings of sections come first.
  const depth = (at: number): number => at - (blocks[at]?.under ?? 0);
  const best = [...blocks.keys()].sort(
    (one, other) => (bits[other] ?? 0) - (bits[one] ?? 0) || depth(one) - depth(other),
  );
  // Far less than the best has is no answer.
  const most = bits[best[0] ?? 0] ?? 0;
  const least = asked && whole > long ? Math.min(mostRequired, shareOfBest * most) : 0;
  for (const at of best) {
    const { rows: own = [], size = 0 } = blocks[at] ?? {};
    if (size <= left && (bits[at] ?? 0) >= least) take(own);
  }
  return kept;
}

/** What each has of what was asked for, what is beside it and its heading counted in part. */
function bitsOf(blocks: readonly Block[], asked: Asked | undefined): number[] {
  const texts = blocks.map(({ rows }) => rows.map(({ text }) => text).join(" "));
  const own = asked?.bitsOf(texts) ?? [];
  const known = new Set<string>();
  return blocks.map(({ under }, at) => {
    const near = Math.max(own[at - 1] ?? 0, own[at + 1] ?? 0);
    const before = known.size;
    for (const [found] of (texts[at] ?? "").matchAll(name)) known.add(found);
    const names = Math.min(mostForNames, forName * (known.size - before));
    return (own[at] ?? 0) + beside * near + beside * (own[under] ?? 0) + names;
  });
}

/** Paragraphs, and headings by themselves. */
function blocksOf(rows: readonly Row[]): Block[] {
  const blocks: Block[] = [];
  let open: Row[] = [];
  let under = -1;
  const close = (): void => {
    if (open.length === 0) return;
    const size = open.reduce((sum, { text }) => sum + text.length + 1, 0);
    blocks.push({ rows: open, size, under });
    open = [];
  };
  for (const [at, row] of rows.entries()) {
    const isHead = isHeading(rows, at);
    if (isHead || row.text.trim() === "" || open.length >= longestBlock) close();
    if (row.text.trim() === "") continue;
    open.push(row);
    if (!isHead) continue;
    close();
    under = blocks.length - 1;
  }
  close();
  return blocks;
}

const indentation = (text: string): number => text.length - text.trimStart().length;

/** Marked as one, underlined, or alone at the left of what stands below. */
function isHeading(rows: readonly Row[], at: number): boolean {
  const text = rows[at]?.text ?? "";
  if (text.trim() === "" || underline.test(text)) return false;
  if (heading.test(text) || underline.test(rows[at + 1]?.text ?? "")) return true;
  return indentation(text) === 0 && indentation(rows[at + 1]?.text ?? "") > 0;
}

/** Headings, and the entries of a list that have their text below them: `-d, --home-dir DIR`. */
function headsOf(rows: readonly Row[]): Row[] {
  return rows.filter(({ text }, at) => {
    const next = rows[at + 1]?.text ?? "";
    const before = rows[at - 1]?.text.trim() ?? "";
    const isEntry = before === "" && indentation(next) > indentation(text) && next.trim() !== "";
    return isHeading(rows, at) || (isEntry && text.trim() !== "");
  });
}
