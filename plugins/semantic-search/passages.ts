// A turn → the passages that are embedded: what was said and asked, in stretches that read as one.
import { createHash } from "node:crypto";
import { redactText, stripPrivate } from "../../src/privacy/index.ts";
import type { EvidenceKind, Turn } from "../../src/sdk/index.ts";

/** A stretch of a turn's piece. */
export interface Passage {
  piece: number;
  start: number;
  end: number;
  /** Redacted once more: rules may have grown since it was stored. */
  text: string;
  /** Of the text as it is sent. */
  hash: string;
}

/** Commands and their output are found by their words. */
const meant: ReadonlySet<EvidenceKind> = new Set([
  "prompt",
  "typed",
  "refusal",
  "choice",
  "plan",
  "closing",
  "said",
  "task",
  "report",
  "compaction",
  "commit",
]);
const wanted = 700;
const least = 20;
const mostPassages = 64;

/** At most 64, in their order. */
export function passagesOf({ pieces }: Pick<Turn, "pieces">): Passage[] {
  const found: Passage[] = [];
  for (const [piece, { kind, text }] of pieces.entries()) {
    if (!meant.has(kind)) continue;
    for (const { start, end } of stretches(text)) {
      const passage = sendable(text.slice(start, end));
      if (passage.length < least) continue;
      if (found.length === mostPassages) return found;
      found.push({ piece, start, end, text: passage, hash: hashOf(passage) });
    }
  }
  return found;
}

/** One value for all passages of a turn. */
export function turnHash(passages: readonly Passage[]): string {
  return hashOf(passages.map(({ hash, piece, start }) => `${hash} ${piece} ${start}`).join("\n"));
}

/** What may be sent of a text: no secrets, nothing private. */
export function sendable(text: string): string {
  return redactText(stripPrivate(text)).text.trim();
}

function hashOf(text: string): string {
  return createHash("sha256").update(text).digest("base64url").slice(0, 22);
}

/** Paragraphs joined up to so many characters; longer ones are cut where a sentence, a line or a word ends. */
function stretches(text: string): Array<{ start: number; end: number }> {
  const found: Array<{ start: number; end: number }> = [];
  for (let start = 0; start < text.length; ) {
    const end =
      text.length - start <= wanted ? text.length : cutBefore(text, start, start + wanted);
    found.push({ start, end });
    start = end;
  }
  return found;
}

function cutBefore(text: string, start: number, limit: number): number {
  const earliest = start + Math.floor(wanted / 2);
  for (const border of ["\n\n", "\n", ". ", "。", " "]) {
    const at = text.lastIndexOf(border, limit - border.length);
    if (at >= earliest) return at + border.length;
  }
  const code = text.charCodeAt(limit - 1);
  return code >= 0xd800 && code <= 0xdbff ? limit - 1 : limit;
}
