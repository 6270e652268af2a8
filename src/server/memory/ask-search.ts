// The one way to storage's search for whoever asks over a wire: names for times are looked up before.

import { createHash } from "node:crypto";
import { askStorage } from "../../runtime/hooks/ask-storage.ts";
import { editable } from "../../sdk/editable.ts";
import type { SearchQuery, SearchResult, StoredRecord } from "../../sdk/storage.ts";
import type { EvidenceKind, Marks } from "../../sdk/turn.ts";
import { type gitMarks, gitRenames } from "./git-marks.ts";
import type { Asked } from "./records.ts";

/** What is asked, and from where. */
interface WireSearch extends SearchQuery {
  /** The asker's folder: its repository names the times where no project is named. */
  cwd?: string;
}

/** A result, and who is behind what it shows; a session's title is nobody's. */
export type Hit = SearchResult & { by?: string };

/** Searches. A question in which no name for a time can stand asks no repository. */
export type AskSearch = (query: WireSearch) => Promise<Hit[]>;

/** For one runtime. A file that is asked for is looked for by its former names too. */
export function searcher(
  runtime: Asked,
  marksOf: ReturnType<typeof gitMarks>,
  renamesOf = gitRenames(),
): AskSearch {
  async function rootOf({ project, cwd }: WireSearch): Promise<string | undefined> {
    if (project === undefined) return cwd;
    const [last] = await askStorage(runtime.hooks, "storage.sessions", { project, limit: 1 });
    return last?.project.root;
  }

  return async (asked) => {
    const { cwd: _, ...query } = asked;
    const folder = await rootOf(asked);
    const { file } = query;
    const [marks, formerly] = await Promise.all([
      folder === undefined ? [] : marksOf(folder, [query.text, ...(query.also ?? [])]),
      folder === undefined || file === undefined ? [] : renamesOf(folder, file),
    ]);
    const found = await askStorage(runtime.hooks, "storage.search", {
      ...query,
      ...(marks.length > 0 ? { marks } : {}),
      ...(formerly.length > 0 ? { formerly } : {}),
    });
    return await withSpeakers(runtime, found);
  };
}

async function withSpeakers(runtime: Asked, found: SearchResult[]): Promise<Hit[]> {
  // What a storage of somebody else's answers is checked on its way out.
  const known = found.filter(({ kind, id }) => kind !== "session" && typeof id === "string");
  const ids = [...new Set(known.map(({ id }) => id))];
  if (ids.length === 0) return found;
  const stored = await askStorage(runtime.hooks, "storage.get", { ids });
  const records = new Map(stored.map((one) => [one.record.id, one]));
  return found.map((hit) => {
    const record = records.get(hit.id);
    const by = record && whoSaid(record, hit.piece ?? 0);
    return { ...hit, ...(by !== undefined && { by }) };
  });
}

// Who a record is by, in a few words: the user, the agent, a tool, the client, or whoever concluded it; and whether it is as somebody read it. Pure.

/** Who is behind each kind of piece. */
export const speakers: Readonly<Record<EvidenceKind, string>> = {
  prompt: "user",
  typed: "user",
  refusal: "user",
  choice: "user",
  plan: "agent, accepted by user",
  interrupted: "user",
  closing: "agent",
  said: "agent",
  task: "agent",
  todo: "agent",
  report: "subagent",
  compaction: "client",
  commit: "agent",
  failure: "tool",
  repair: "tool",
  passed: "tool",
  ran: "tool",
};

/** Of a whole record, or of a piece of a turn; undefined for a whole turn, whose pieces are by many. */
export function whoSaid({ kind, record }: StoredRecord, piece?: number): string | undefined {
  if (record.edited)
    return isConfirmed(record) ? "confirmed by the user" : "in the user's own words";
  switch (kind) {
    case "prompt":
      return "typed by the user";
    case "memory":
      return ofItem(record);
    case "observation":
    case "summary": {
      // A storage of somebody else's may have kept none.
      const { strategy, model } = record.provenance ?? {};
      const by = [strategy, model].filter(Boolean).join(", ");
      return `concluded${by === "" ? "" : ` by ${by}`}`;
    }
    case "session":
      return undefined;
    case "turn": {
      const said = piece === undefined ? undefined : record.pieces[piece];
      return said && speakers[said.kind];
    }
  }
}

/** Its words are as they were: all that the user said of it is that it stands. */
function isConfirmed({ edited }: Marks): boolean {
  return Object.keys(edited?.was ?? {}).join() === "state";
}

/** With its version, and with `by` where one alone said it. */
export function attributed(stored: StoredRecord): StoredRecord & { by?: string; version: string } {
  const by = whoSaid(stored);
  return { ...stored, ...(by !== undefined && { by }), version: versionOf(stored) };
}

function ofItem({ state, quote, content }: Extract<StoredRecord, { kind: "memory" }>["record"]) {
  if (state === undefined) return "concluded; the user did not say it so";
  if (state === "candidate") return "said by the user once";
  return quote === undefined || quote === content ? "said by the user" : "chosen by the user";
}

/** Another one once it changes: of its texts, its state, and what the user made of it. */
export function versionOf({ kind, record }: StoredRecord): string {
  const { pinned, hidden, merged, edited } = record;
  const texts = [...editable[kind], "state"].map((name) => Reflect.get(record, name) ?? null);
  const said = JSON.stringify([texts, pinned, hidden, merged, edited?.time]);
  return createHash("sha256").update(said).digest("base64url").slice(0, 16);
}
