// What memoir found out about its own files: one line each in `findings.jsonl`, until a person has seen it; and in `rebuild.jsonl` what
// the journal and the clients' transcripts may still have of what was lost, until it was made again.
import { existsSync } from "node:fs";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { appendDurablySync, atomicWrite, readFileTextSync } from "./read-file.ts";

/** One thing found out about one file of the home. */
export interface Finding {
  /** Epoch ms. */
  time: number;
  /** The file's name in the home. */
  file: string;
  /** What happened to it, as a sentence's middle: `was damaged`. */
  what: string;
  /** Where the file stands that was set aside. */
  aside?: string;
  /** Rows that were read out of it, by table. */
  saved?: Record<string, number>;
  /** What was there and could not be read. */
  lost?: { pages: number; rows: number };
  /** Of so many records, as they were last counted, so many are not there any more. */
  missing?: { records: number; of: number };
  /** What came back from elsewhere: `12 rows from the backup …`. */
  from?: string[];
  /** What there is to do, in a sentence; absent where there is nothing. */
  fix?: string;
}

/** A finding with the name by which it is marked as seen, and how often it was shown. */
export interface KnownFinding extends Finding {
  id: string;
  shown: number;
}

/** The list in `home`. */
export function findingsFile(home: string): string {
  return join(home, "findings.jsonl");
}

/** Shown so often at a prompt, a finding is not shown there again. */
const timesShown = 2;
/** As if shown so often: a person said that it is seen. */
const seen = 1_000;
const keptMs = 30 * 24 * 60 * 60_000;
const mostBytes = 512 * 1024;
const mostKept = 200;

/** Adds one, for good when it returns. A disk that does not take it must not be a second damage: false then. */
export function addFinding(home: string, finding: Finding): boolean {
  return append(home, finding);
}

/** Notes that findings were shown at a prompt. */
export function markShown(home: string, ids: readonly string[]): boolean {
  return ids.every((id) => append(home, { shown: id, times: 1 }));
}

/** Notes that a person has seen findings: nothing shows them any more. */
export function markSeen(home: string, ids: readonly string[]): boolean {
  return ids.every((id) => append(home, { shown: id, times: seen }));
}

/** More is known of a finding: it is shown at one more prompt, unless a person said that it is seen. */
export function retell(home: string, id: string): boolean {
  const shown = readFindings(home).find((finding) => finding.id === id)?.shown ?? 0;
  if (shown < timesShown || shown >= seen) return true;
  return append(home, { shown: id, times: timesShown - 1 - shown });
}

/** All findings, oldest first; lines that are torn are left out. */
export function readFindings(home: string): KnownFinding[] {
  const found = new Map<string, KnownFinding>();
  for (const line of textOf(home).split("\n")) {
    const parsed = parseFinding(line);
    if (!parsed) continue;
    if ("shown" in parsed) {
      const known = found.get(parsed.shown);
      if (known) known.shown += parsed.times;
      continue;
    }
    const id = [parsed.file, parsed.time, parsed.aside ?? parsed.what].join(" ");
    found.set(id, { ...parsed, id, shown: found.get(id)?.shown ?? 0 });
  }
  return [...found.values()];
}

/** Findings to show at a prompt. */
export function openFindings(home: string): KnownFinding[] {
  return readFindings(home).filter(({ shown }) => shown < timesShown);
}

/** Findings of the last 30 days that nobody marked as seen, for whoever asks how memoir fares. */
export function recentFindings(home: string, now: number): KnownFinding[] {
  return readFindings(home).filter(({ shown, time }) => shown < seen && now - time < keptMs);
}

/** Keeps the newest, once there are many. */
export async function pruneFindings(home: string): Promise<void> {
  const text = textOf(home);
  if (text.length <= mostBytes) return;
  const lines = text.split("\n").filter((line) => parseFinding(line) !== undefined);
  await atomicWrite(findingsFile(home), `${lines.slice(-mostKept).join("\n")}\n`);
}

/** A finding as a person reads it: what happened, what was saved, what could not be read, where the old file is. */
export function findingText(finding: Finding): string {
  const { file, what, aside, saved, lost, missing, from, fix } = finding;
  const rows = Object.values(saved ?? {}).reduce((sum, n) => sum + n, 0);
  const parts = [`${file} ${what}.`];
  if (saved)
    parts.push(
      rows === 0 ? "Nothing could be read out of it." : `Saved: ${savedText(file, saved)}.`,
    );
  if (lost && lost.pages + lost.rows > 0) parts.push(`${lostText(lost)} could not be read.`);
  else if (lost && rows > 0 && !missing) parts.push("Nothing that could be read was left behind.");
  if (missing && rows > 0)
    parts.push(
      `${missing.records} of the ${missing.of} records that it held when they were last counted are gone.`,
    );
  if (from && from.length > 0) parts.push(`Added: ${from.join(", ")}.`);
  if (fix) parts.push(fix);
  // Last, so that no full stop is taken for a part of the name.
  if (aside) parts.push(`The old file is kept: ${aside}`);
  return parts.join(" ");
}

function lostText({ pages, rows }: { pages: number; rows: number }): string {
  const said: string[] = [];
  if (pages > 0) said.push(pages === 1 ? "1 page" : `${pages} pages`);
  if (rows > 0) said.push(rows === 1 ? "1 row" : `${rows} rows`);
  return said.join(" and ");
}

function append(home: string, line: object): boolean {
  try {
    appendDurablySync(findingsFile(home), `${lineBreak(home)}${JSON.stringify(line)}\n`);
    return true;
  } catch {
    return false;
  }
}

/** A line that was cut off must not swallow the next. */
function lineBreak(home: string): string {
  const text = textOf(home);
  return text === "" || text.endsWith("\n") ? "" : "\n";
}

function textOf(home: string): string {
  try {
    return readFileTextSync(findingsFile(home));
  } catch {
    return "";
  }
}

function parseFinding(line: string): Finding | { shown: string; times: number } | undefined {
  try {
    const value: unknown = JSON.parse(line);
    if (typeof value !== "object" || value === null) return undefined;
    if ("shown" in value && typeof value.shown === "string" && "times" in value)
      return { shown: value.shown, times: Number(value.times) };
    const isFinding =
      "time" in value && typeof value.time === "number" && "file" in value && "what" in value;
    return isFinding ? (value as Finding) : undefined;
  } catch {
    return undefined;
  }
}

// How many of a user's things were saved from a damaged database, in words: tables are memoir's inside.

/** What a row of a table is to a user: one, and many. */
type Words = readonly [one: string, many: string];

const session: Words = ["session", "sessions"];

/**
 * By file and table, in the order in which they are named. What is in no list is for memoir's own use: links, marks, indexes,
 * second halves of what is counted already.
 */
export const savedThings: Readonly<Record<string, Readonly<Record<string, Words>>>> = {
  "memory.db": {
    sessions: session,
    prompts: ["prompt", "prompts"],
    turns: ["turn", "turns"],
    observations: ["observation", "observations"],
    session_summaries: ["summary", "summaries"],
    memory: ["memory item", "memory items"],
  },
  "journal.db": { sessions: session, events: ["event", "events"] },
  "endless.db": {
    sessions: session,
    refs: ["tool result kept", "tool results kept"],
  },
  "usage.db": { calls: ["model call", "model calls"] },
};

/** `3 sessions, 12 observations and 40 other rows`, or `57 rows` where nothing of them is a user's. `saved`: rows by table, at least one. */
export function savedText(file: string, saved: Readonly<Record<string, number>>): string {
  const things = Object.entries(savedThings[file] ?? {});
  const parts = things.flatMap(([table, words]) =>
    saved[table] ? [counted(saved[table], words)] : [],
  );
  const rest = Object.entries(saved)
    .filter(([table]) => !things.some(([known]) => known === table))
    .reduce((sum, [, n]) => sum + n, 0);
  if (parts.length === 0) return counted(rest, ["row", "rows"]);
  if (rest > 0) parts.push(counted(rest, ["other row", "other rows"]));
  const last = parts.pop() ?? "";
  return parts.length === 0 ? last : `${parts.join(", ")} and ${last}`;
}

function counted(n: number, [one, many]: Words): string {
  return `${n} ${n === 1 ? one : many}`;
}

// Notes durably that something of memory was lost which the journal and the clients' transcripts may still have: one line each in `rebuild.jsonl`, until it was made again.

/** Why something has to be made again. */
export interface RebuildWanted {
  /** Epoch ms; that of the finding, where there is one. */
  time: number;
  /** The file that lost it, as its name in the home. */
  file: string;
  /** `restore`: an older copy stands in its place, by the user's word. `fewer`: it holds fewer rows than when it was counted last. */
  why: "damage" | "restore" | "fewer";
}

/** Where it is noted. */
export function rebuildFile(home: string): string {
  return join(home, "rebuild.jsonl");
}

/** Notes it, for good when it returns. A disk that takes no line must not be a second damage: false then. */
export function wantRebuild(home: string, wanted: RebuildWanted): boolean {
  try {
    appendDurablySync(rebuildFile(home), `${JSON.stringify(wanted)}\n`);
    return true;
  } catch {
    return false;
  }
}

/** What is still to be made again, oldest first; a line that is torn counts as some damage. */
export function rebuildsWanted(home: string): RebuildWanted[] {
  return lines(home).map(parseWanted);
}

/** Whether anything is; costs one look at the disk. */
export function isRebuildWanted(home: string): boolean {
  return existsSync(rebuildFile(home));
}

/** These are made again; what was noted since stays. */
export async function rebuildDone(home: string, done: readonly RebuildWanted[]): Promise<void> {
  const left = lines(home).slice(done.length);
  if (left.length === 0) await rm(rebuildFile(home), { force: true, recursive: true });
  else await atomicWrite(rebuildFile(home), left.map((line) => `${line}\n`).join(""));
}

function lines(home: string): string[] {
  try {
    return readFileTextSync(rebuildFile(home))
      .split("\n")
      .filter((line) => line !== "");
  } catch {
    // A folder in its place says as much: something was noted there.
    return isRebuildWanted(home) ? [""] : [];
  }
}

function parseWanted(line: string): RebuildWanted {
  try {
    const value: unknown = JSON.parse(line);
    if (typeof value === "object" && value !== null && "file" in value && "time" in value)
      return value as RebuildWanted;
  } catch {
    // Torn.
  }
  return { time: 0, file: "memory.db", why: "damage" };
}
