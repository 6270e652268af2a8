// Changes inside one line of a transcript. A line that would not come out the same when nothing is changed is left alone.
import { isRecord, recordOf } from "../text/values.ts";
import { type Json, parseObject } from "./json.ts";

/** What happens to one line. */
export interface LineEdit {
  /** New inputs by tool-use id. */
  inputs?: ReadonlyMap<string, Json>;
  /** The entry's new parent. */
  parent?: string;
  /** Takes out the tool's structured result, which no model reads. */
  dropResult?: boolean;
  /** Texts that are replaced wherever a string holds them. */
  scrub?: readonly Scrub[];
}

/** A text that was taken out elsewhere, and what stands for it. */
export interface Scrub {
  text: string;
  instead: string;
}

/**
 * The line's object, when writing it gives the very same text: only then does an edit change nothing else. Numbers
 * beyond a double, doubled keys and odd spacing do not.
 */
export function exactObject(text: string): Json | undefined {
  const value = parseObject(text);
  return value && JSON.stringify(value) === text ? value : undefined;
}

/** The content blocks of an entry's message; empty where it has none. */
export function blocksOf(entry: Json): Json[] {
  const content = recordOf(entry.message).content;
  return Array.isArray(content) ? content.filter(isRecord) : [];
}

/** The tool use of this id in an entry; undefined where there is none or where it is signed. */
export function plainUse(entry: Json, id: string): { block: Json; input: Json } | undefined {
  const block = blocksOf(entry).find((block) => block.type === "tool_use" && block.id === id);
  const input = block?.input;
  if (
    !block ||
    !isRecord(input) ||
    Object.keys(block).some((key) => /signature|encrypted/i.test(key))
  )
    return undefined;
  return { block, input };
}

/** The line with its edits; undefined when it cannot be edited exactly, or when nothing changes. */
export function editLine(text: string, edit: LineEdit): string | undefined {
  const entry = exactObject(text);
  if (!entry) return undefined;
  for (const [id, input] of edit.inputs ?? []) {
    const found = plainUse(entry, id);
    if (!found) return undefined;
    found.block.input = input;
  }
  if (edit.parent !== undefined) entry.parentUuid = edit.parent;
  if (edit.dropResult) delete entry.toolUseResult;
  const made = edit.scrub ? (scrubbed(entry, edit.scrub, 0) as Json) : entry;
  const written = JSON.stringify(made);
  return written === text ? undefined : written;
}

/** Deeper values are nothing that a client writes. */
const maxDepth = 100;

function scrubbed(value: unknown, scrubs: readonly Scrub[], depth: number): unknown {
  if (typeof value === "string")
    return scrubs.reduce(
      (text, { text: out, instead }) =>
        text.includes(out) ? text.replaceAll(out, () => instead) : text,
      value,
    );
  if (depth > maxDepth || typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map((item) => scrubbed(item, scrubs, depth + 1));
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [key, scrubbed(item, scrubs, depth + 1)]),
  );
}
