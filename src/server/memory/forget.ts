// What would be forgotten, said before it is done: the records, whole sessions among them, what was derived from them, and copies that hold them.
import { copiesOf, removeCopies } from "../../home/old-copies.ts";
import { MemoirError } from "../../sdk/errors.ts";
import { firstWords } from "../../sdk/first-words.ts";
import type { Session } from "../../sdk/model.ts";
import type { StoredRecord } from "../../sdk/storage.ts";
import { cut, oneLine, plural } from "../../text/text.ts";
import type { ServerRuntime } from "../life/server-runtime.ts";
import { derivedFrom } from "./derived.ts";
import { type Asked, all, list, momentOf } from "./records.ts";
import { type Selection, select } from "./selection.ts";

/** What is about to go. */
interface Going {
  /** Whole ids, known ones only. */
  ids: string[];
  /** A line for each. */
  lines: string[];
  /** Ids of what was made of them and stays. */
  derived: string[];
  /** By words alone: somebody has to choose ids. */
  isOpen: boolean;
  /** Epoch ms of the oldest of it. */
  since: number;
}

/** Looks up what is meant; a prompt means its turn. Throws `usage` or `record_not_found`; see `select`. */
export async function whatGoes(runtime: Asked, selection: Selection): Promise<Going> {
  const { records: selected, isOpen } = await select(runtime, selection);
  const records = await withTurns(runtime, selected);
  const lines = await Promise.all(
    records.map((stored) =>
      stored.kind === "session" ? sessionLine(runtime, stored.record) : line(stored),
    ),
  );
  const ids = records.map(({ record }) => record.id);
  const since = Math.min(...records.map(momentOf));
  return { ids, lines, derived: await derivedFrom(runtime, records), isOpen, since };
}

/** What besides the records themselves is to go. */
interface ForgetMore {
  /** What was derived from them. */
  derived?: boolean;
  /** Backups, and files that were set aside, which still hold them. */
  backups?: boolean;
}

/** What went, and what holds it still. */
interface Went {
  deleted: string[];
  derived: string[];
  /** Paths, below the home, of backups and of files that were set aside. */
  copies: string[];
}

/** Forgets what was looked up. Throws `usage` where nobody chose among what words found. */
export async function forget(
  runtime: Pick<ServerRuntime, "forget" | "home">,
  { ids, derived, since, isOpen }: Going,
  more: ForgetMore = {},
): Promise<Went> {
  const { home } = runtime;
  if (isOpen)
    throw new MemoirError("usage", `Words alone found ${plural(ids.length, "record")}.`, {
      fix: "Look at them in a dry run, and name those to forget by their ids.",
    });
  const { deleted } = await runtime.forget(more.derived ? [...ids, ...derived] : ids);
  if (more.backups) await removeCopies(home, since);
  return {
    deleted,
    derived: more.derived ? [] : derived,
    copies: await copiesOf(home, since),
  };
}

/** What somebody typed stands in its turn too. */
async function withTurns(
  runtime: Asked,
  records: readonly StoredRecord[],
): Promise<StoredRecord[]> {
  const found = new Map(records.map((stored) => [stored.record.id, stored]));
  for (const { kind, record } of records) {
    if (kind !== "prompt") continue;
    const { session, client, promptNumber } = record;
    const turns = await list(runtime, "turn", { session, client, promptNumber });
    for (const turn of turns) found.set(turn.id, { kind: "turn", record: turn });
    // The turn takes it with it.
    if (turns.length > 0) found.delete(record.id);
  }
  return [...found.values()];
}

function line({ kind, record }: Exclude<StoredRecord, { kind: "session" }>): string {
  return `${record.id} ${kind}: ${cut(oneLine(firstWords({ kind, record } as StoredRecord)), 120)}`;
}

async function sessionLine(runtime: Asked, session: Session): Promise<string> {
  const asked = { session: session.id };
  const [turns, observations, summaries, memory] = await Promise.all([
    all(runtime, "turn", asked),
    all(runtime, "observation", asked),
    all(runtime, "summary", asked),
    all(runtime, "memory", asked),
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
