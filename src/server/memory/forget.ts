// What would be forgotten, said before it is done: the records, whole sessions among them, and what was derived from them and stays.
import { askStorage } from "../../runtime/hooks/ask-storage.ts";
import { MemoirError } from "../../sdk/errors.ts";
import type { Session } from "../../sdk/model.ts";
import type { StoredRecord } from "../../sdk/storage.ts";
import type { Turn } from "../../sdk/turn.ts";
import { cut, oneLine, plural } from "../../text/text.ts";
import type { ServerRuntime } from "../life/server-runtime.ts";
import type { Asked } from "./ask-timeline.ts";

/** What is about to go. */
export interface Going {
  /** Whole ids, known ones only. */
  ids: string[];
  /** A line for each. */
  lines: string[];
  /** Ids of what was made of them and stays. */
  derived: string[];
}

const page = 500;

/** Looks the ids up; a session's may be its beginning. Throws `record_not_found` when nothing has any of them. */
export async function whatGoes(runtime: Asked, ids: readonly string[]): Promise<Going> {
  const records = await recordsOf(runtime, ids);
  if (records.length === 0)
    throw new MemoirError("record_not_found", `There is no record ${ids.join(", ")} to forget.`, {
      fix: "Copy ids from a search; a session's stands in the list of sessions.",
    });
  const going = new Set(records.map(({ record }) => record.id));
  const lines: string[] = [];
  const derived: string[] = [];
  for (const stored of records) {
    lines.push(
      stored.kind === "session" ? await sessionLine(runtime, stored.record) : line(stored),
    );
    if (stored.kind === "turn") derived.push(...(await derivedFrom(runtime, stored.record)));
  }
  return { ids: [...going], lines, derived: [...new Set(derived)].filter((id) => !going.has(id)) };
}

/** Forgets what was looked up; the ids of all that went. */
export async function forget(
  runtime: Pick<ServerRuntime, "forget">,
  { ids }: Going,
): Promise<string[]> {
  return (await runtime.forget(ids)).deleted;
}

async function recordsOf(runtime: Asked, ids: readonly string[]): Promise<StoredRecord[]> {
  const found = await askStorage(runtime.hooks, "storage.get", { ids: [...ids] });
  const known = new Set(found.map(({ record }) => record.id));
  for (const id of ids) {
    if (known.has(id) || id.length < 4 || /^[osmpt]\d+$/.test(id)) continue;
    const [session] = await askStorage(runtime.hooks, "storage.sessions", {
      session: id,
      limit: 1,
    });
    if (session) found.push({ kind: "session", record: session });
  }
  return found;
}

function line({ kind, record }: Exclude<StoredRecord, { kind: "session" }>): string {
  return `${record.id} ${kind}: ${cut(oneLine(textOf({ kind, record } as StoredRecord)), 120)}`;
}

function textOf(stored: StoredRecord): string {
  switch (stored.kind) {
    case "observation":
    case "session":
      return stored.record.title;
    case "summary":
      return stored.record.completed || stored.record.request;
    case "prompt":
      return stored.record.text;
    case "memory":
      return stored.record.content;
    case "turn":
      return stored.record.pieces[0]?.text ?? "";
  }
}

async function sessionLine(runtime: Asked, session: Session): Promise<string> {
  const asked = { session: session.id, limit: page };
  const [turns, observations, summaries, memory] = await Promise.all([
    askStorage(runtime.hooks, "storage.turns", asked),
    askStorage(runtime.hooks, "storage.observations", asked),
    askStorage(runtime.hooks, "storage.summaries", asked),
    askStorage(runtime.hooks, "storage.memory", asked),
  ]);
  const counts = [
    plural(turns.length, "turn"),
    plural(observations.length, "observation"),
    plural(summaries.length, "summary", "summaries"),
    plural(memory.length, "memory item"),
  ];
  const title = cut(oneLine(session.title || "untitled"), 120);
  return `the whole session ${session.id} (${title}): ${counts.join(", ")}`;
}

/** What was made of a turn's prompt, or quotes it. */
async function derivedFrom(runtime: Asked, turn: Turn): Promise<string[]> {
  const asked = { session: turn.session, limit: page };
  const [observations, summaries, memory] = await Promise.all([
    askStorage(runtime.hooks, "storage.observations", asked),
    askStorage(runtime.hooks, "storage.summaries", asked),
    askStorage(runtime.hooks, "storage.memory", { project: turn.project, limit: page }),
  ]);
  const isOf = ({ promptNumber, scope }: { promptNumber: number; scope?: string }) =>
    promptNumber === turn.promptNumber && scope !== "session";
  const quotes = ({ session, evidence = [] }: Pick<Turn, "session"> & Quoting) =>
    evidence.some(
      (place) => (place.session ?? session) === turn.session && place.turn === turn.promptNumber,
    );
  return [
    ...observations.filter(isOf),
    ...summaries.filter((summary) => isOf(summary) || quotes(summary)),
    ...memory.filter(quotes),
  ].map(({ id }) => id);
}

interface Quoting {
  evidence?: Array<{ session?: string | undefined; turn: number }> | undefined;
}
