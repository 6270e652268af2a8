// Draws what is remembered and told of the recorded sessions, at random, each beside its source: to be graded by hand.

import { createHash } from "node:crypto";
import { summaryTextNames } from "../../../src/sdk/model.ts";
import { readSessions } from "../../support/transcript-events.ts";
import { type Grades, gradedKinds, grades } from "../cases.ts";
import { recordings } from "../recordings.ts";
import type { Kept, Memory } from "./memory.ts";

type GradedKind = (typeof gradedKinds)[number];

/** One thing to be graded: worth telling, true but minor, junk, or wrong. */
export interface AuditItem {
  kind: GradedKind;
  /** Names it in a file of grades without its text: session, prompt, and a hash of what it says. */
  key: string;
  text: string;
  /** The prompt and the closing words that it came from. */
  asked: string;
  closing: string;
}

/** How many of a kind are drawn; all where it is not named. */
export type AuditSizes = Partial<Record<GradedKind, number>>;

/** Draws items; the same seed and memory give the same ones. `contexts` are what sessions were told, by session. */
export async function drawAudit(
  memory: Memory,
  contexts: ReadonlyMap<string, string>,
  seed: number,
  sizes: AuditSizes,
): Promise<AuditItem[]> {
  const everything = await memory.everything();
  const sources = await readSources(everything);
  const random = generator(seed);
  return gradedKinds.flatMap((kind) => {
    const all = everything.flatMap((record) =>
      textsOf(record, kind).map((text) => itemOf(kind, record, text, sources)),
    );
    if (kind === "told")
      for (const [session, context] of contexts)
        for (const text of entriesOf(context).filter(saysSomething))
          all.push(itemOf(kind, { session, promptNumber: 0 }, text, sources));
    return pick(all, sizes[kind] ?? all.length, random);
  });
}

/** A line with what is indented below it: one thing that was told. */
function entriesOf(context: string): string[] {
  return context.split(/\n(?!\s)/).map((entry) => entry.trim());
}

/** True for an entry of a list: no heading, no tag, and not what says that this is from memory. */
function saysSomething(entry: string): boolean {
  return entry.startsWith("- ") && entry.length > 20;
}

/** What of a record is graded as this kind. */
function textsOf({ kind, record }: Kept, wanted: GradedKind): string[] {
  if (kind === "observations" && wanted === "title")
    return [`[${record.type}] ${record.title} — ${record.subtitle}`];
  if (kind === "observations" && wanted === "fact")
    return Array.isArray(record.facts) ? record.facts.map(String) : [];
  if (kind === "summaries" && wanted === "summary") return [summaryText(record)];
  if (kind === "memory" && wanted === "standing")
    return [`[${record.kind}, ${record.state}] ${record.content} (${record.context})`];
  return [];
}

function summaryText(record: Kept["record"]): string {
  const lines = summaryTextNames
    .filter((field) => typeof record[field] === "string" && record[field] !== "")
    .map((field) => `${field}: ${record[field]}`);
  return [`(${record.scope})`, ...lines].join("\n    ");
}

interface Source {
  asked: string;
  closing: string;
}

/** Prompts with their closing words, by session and number. */
async function readSources(everything: readonly Kept[]): Promise<Map<string, Source>> {
  const closings = new Map<string, string>();
  for (const { session } of await readSessions(recordings))
    for (const { time, lastAssistantMessage } of session.prompts)
      closings.set(`${session.id} ${time}`, lastAssistantMessage);
  const sources = new Map<string, Source>();
  for (const { kind, session, promptNumber, time, record } of everything)
    if (kind === "prompts")
      sources.set(`${session} ${promptNumber}`, {
        asked: shortened(String(record.text), 300),
        closing: shortened(closings.get(`${session} ${time}`) ?? "", 900),
      });
  return sources;
}

function itemOf(
  kind: GradedKind,
  { session, promptNumber }: Pick<Kept, "session" | "promptNumber">,
  text: string,
  sources: ReadonlyMap<string, Source>,
): AuditItem {
  const hash = createHash("sha256").update(text).digest("hex").slice(0, 8);
  const { asked = "", closing = "" } = sources.get(`${session} ${promptNumber}`) ?? {};
  return { kind, key: `${session} ${promptNumber} ${hash}`, text, asked, closing };
}

function shortened(text: string, most: number): string {
  const line = text.replaceAll(/\s+/g, " ").trim();
  return line.length <= most
    ? line
    : `${line.slice(0, most / 2)} … ${line.slice(line.length - most / 2)}`;
}

function pick<Item>(items: readonly Item[], count: number, random: () => number): Item[] {
  const rest = [...items];
  const chosen: Item[] = [];
  while (chosen.length < count && rest.length > 0)
    chosen.push(...rest.splice(Math.floor(random() * rest.length), 1));
  return chosen;
}

function generator(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

/** For reading: each item under its source. */
export function auditLines(items: readonly AuditItem[]): string {
  return items
    .map(({ kind, key, text, asked, closing }, at) =>
      [
        `${at + 1}. ${kind} ${key}`,
        ...(asked === "" ? [] : [`    asked:   ${asked}`]),
        ...(closing === "" ? [] : [`    closing: ${closing}`]),
        `  = ${text}`,
      ].join("\n"),
    )
    .join("\n\n");
}

/** How often each grade was given, a line for each kind. */
export function gradeLines(name: string, { what, graded }: Grades): string {
  const lines = gradedKinds.map((kind) => {
    const of = graded.filter((one) => one.kind === kind);
    const counts = grades.map((grade) => {
      const count = of.filter((one) => one.grade === grade).length;
      return `${grade} ${count}`.padEnd(11);
    });
    return `  ${kind.padEnd(10)}${String(of.length).padStart(4)}: ${counts.join(" ")}`;
  });
  return [`${name} (${what})`, ...lines].join("\n");
}
