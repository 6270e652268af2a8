// A record's texts as a form in an editor, and back: a heading for each, its text below. Pure.
import { editable } from "../../sdk/editable.ts";
import type { StoredRecord } from "../../sdk/storage.ts";
import { nameWords } from "../../text/text.ts";

/** Texts by field; `facts` is a list. */
export type Texts = Record<string, string | string[]>;

/** The texts of a record that can be edited, by field, in their order. */
export function textsOf({ kind, record }: StoredRecord): Texts {
  const names: readonly string[] = editable[kind];
  return Object.fromEntries(
    names.map((name) => [name, Reflect.get(record, name) as string | string[]]),
  );
}

const heading = (name: string) => `## ${nameWords(name)}`;

/** The form; a line of a text that reads like one of its headings is moved in by a blank. */
export function formOf(id: string, texts: Texts): string {
  const headings = new Set(Object.keys(texts).map(heading));
  const parts = Object.entries(texts).map(([name, text]) => {
    const lines = typeof text === "string" ? text.split("\n") : text.map(asFact);
    const safe = lines.map((line) => (headings.has(line.trimEnd()) ? ` ${line}` : line));
    return `${heading(name)}\n${safe.join("\n")}\n`;
  });
  return [`# ${id}: change what stands below the headings, save and close.\n`, ...parts].join("\n");
}

function asFact(fact: string): string {
  return `- ${fact.replace(/\s*\n\s*/g, " ")}`;
}

/** What a person changed; a heading that is gone leaves its text as it was. */
export function changesIn(form: string, before: Texts): Texts {
  const byHeading = new Map(Object.keys(before).map((name) => [heading(name), name]));
  const found = new Map<string, string[]>();
  let under: string[] | undefined;
  for (const line of form.split(/\r?\n/)) {
    const name = byHeading.get(line.trimEnd());
    if (name === undefined) under?.push(line);
    else {
      under = [];
      found.set(name, under);
    }
  }
  const changes: Texts = {};
  for (const [name, lines] of found) {
    const was = before[name] ?? "";
    const text = lines.join("\n").trim();
    const now = Array.isArray(was) ? factsIn(lines) : text;
    const same = Array.isArray(was) ? factsIn(was.map(asFact)) : was.trim();
    if (JSON.stringify(now) !== JSON.stringify(same)) changes[name] = now;
  }
  return changes;
}

function factsIn(lines: readonly string[]): string[] {
  return lines
    .map((line) => line.replace(/^\s*[-*·]?\s*/, "").trim())
    .filter((line) => line !== "");
}
