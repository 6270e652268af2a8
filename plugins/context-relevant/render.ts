// Writes what belongs to a prompt in a few lines. Pure.

import { wrapContext } from "../../src/privacy/index.ts";
import { cut, oneLine, toBmp } from "../../src/text/index.ts";
import type { Relevant } from "./relevance.ts";

/** How the notes are written. */
export interface NotesOptions {
  /** UTF-16 units, the mark included. */
  maxCharacters: number;
  /** How the agent calls memoir in a shell. */
  command: string;
  /** Writes epoch ms as a day. */
  day(time: number): string;
}

/** The lines that fit, and the ids of what they show; undefined when nothing fits. */
export function renderRelevant(
  relevant: readonly Relevant[],
  { maxCharacters, command, day }: NotesOptions,
): { context: string; ids: string[] } | undefined {
  const intro = `Notes of earlier sessions that touch on this prompt; check before use. \`${command} show <id>\` tells more.`;
  const wrap = (lines: readonly string[]) =>
    wrapContext([intro, ...lines].join("\n"), { source: "prompt" });
  const lines: string[] = [];
  const ids: string[] = [];
  for (const { result, fact } of relevant) {
    const line = lineOf(result, fact, day);
    if (wrap([...lines, line]).length > maxCharacters) continue;
    lines.push(line);
    ids.push(result.id);
  }
  return lines.length === 0 ? undefined : { context: wrap(lines), ids };
}

function lineOf(
  { id, createdAt, type, title, subtitle }: Relevant["result"],
  fact: string | undefined,
  day: (time: number) => string,
): string {
  const plain = (text: string, max: number) => cut(toBmp(oneLine(text)), max);
  const head = [id, day(createdAt), plain(type, 30), plain(title, 120)].join(" · ");
  const meaning = plain(subtitle, 200);
  const detail = plain(fact ?? "", 200);
  const said = [meaning, isSame(meaning, detail) ? "" : detail].filter((text) => text !== "");
  return `- ${[head, ...said].join(" — ")}`;
}

/** True when one of the two only repeats how the other begins. */
function isSame(one: string, other: string): boolean {
  const [a, b] = [one, other].map((text) => text.replace(/[.…\s]+$/, "").toLowerCase());
  return a !== undefined && b !== undefined && (a.startsWith(b) || b.startsWith(a)) && a !== "";
}
