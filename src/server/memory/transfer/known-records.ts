// What memory holds already of the sessions and projects that are being imported: what is there stays, unless what comes is newer.
import { askStorage } from "../../../runtime/hooks/ask-storage.ts";
import { originalOf } from "../../../sdk/editable.ts";
import { MemoirError } from "../../../sdk/errors.ts";
import type { Observation, Session } from "../../../sdk/model.ts";
import type { StoredRecord } from "../../../sdk/storage.ts";
import type { Marks } from "../../../sdk/turn.ts";
import type { Asked } from "../ask-timeline.ts";
import type { ImportedRecord } from "./import-line.ts";

/** As many as a storage gives at once. */
const atOnce = 1_000;

/** What stands in the way of a record, if anything. */
interface Known {
  /** It is there already, or something newer in its place: under which id, and whether the user made something of it. */
  find(one: ImportedRecord): { id?: string; isMarked?: boolean } | undefined;
  /** From now on it is there. */
  add(one: ImportedRecord): void;
}

/** Reads what may stand in the way of these records. */
export async function knownRecords(
  runtime: Asked,
  records: readonly ImportedRecord[],
): Promise<Known> {
  const known = new Map<string, { time: number; id: string; isMarked: boolean }>();
  const note = ({ kind, record }: StoredRecord) => {
    const one = { kind, record } as ImportedRecord;
    known.set(keyOf(one), { time: timeOf(one), id: record.id, isMarked: isMarked(record) });
  };
  const fresh = new Map<string, { time: number; id?: string; isMarked?: boolean }>();
  const sessions = new Map(records.flatMap(sessionOf));
  for (const { id, client } of sessions.values()) {
    const wanted = new Set(
      records.filter((one) => sessionOf(one)[0]?.[0] === `${client} ${id}`).map(({ kind }) => kind),
    );
    for (const one of await storedOf(runtime, id, client, wanted)) note(one);
  }
  const projects = new Set(
    records.flatMap((one) => (one.kind === "memory" ? [one.record.project] : [])),
  );
  for (const project of projects)
    for (const record of await everyPage((page) =>
      askStorage(runtime.hooks, "storage.memory", { project, ...page }),
    ))
      note({ kind: "memory", record });
  return {
    find(one) {
      const found = fresh.get(keyOf(one)) ?? known.get(keyOf(one));
      return found && found.time >= timeOf(one) ? found : undefined;
    },
    add: (one) => fresh.set(keyOf(one), { time: timeOf(one) }),
  };
}

async function storedOf(
  { hooks }: Asked,
  session: string,
  client: string,
  wanted: ReadonlySet<string>,
): Promise<StoredRecord[]> {
  const query = { session, client };
  const isOurs = (record: { session: string; client: string }) =>
    record.session === session && record.client === client;
  const found: StoredRecord[] = [];
  try {
    const [stored] = (await askStorage(hooks, "storage.sessions", query)).filter(
      (one: Session) => one.id === session && one.client === client,
    );
    // Only the beginning of another's id, or of nobody's.
    if (!stored) return [];
    found.push({ kind: "session", record: stored });
    if (wanted.has("prompt"))
      for (const record of await everyPage((page) =>
        askStorage(hooks, "storage.prompts", { ...query, ...page }),
      ))
        if (isOurs(record)) found.push({ kind: "prompt", record });
    if (wanted.has("turn"))
      for (const record of await everyPage((page) =>
        askStorage(hooks, "storage.turns", { ...query, ...page }),
      ))
        if (isOurs(record)) found.push({ kind: "turn", record });
    if (wanted.has("observation"))
      for (const record of await everyPage((page) =>
        askStorage(hooks, "storage.observations", { ...query, superseded: true, ...page }),
      ))
        if (isOurs(record)) found.push({ kind: "observation", record });
    if (wanted.has("summary"))
      for (const record of await everyPage((page) =>
        askStorage(hooks, "storage.summaries", { ...query, ...page }),
      ))
        if (isOurs(record)) found.push({ kind: "summary", record });
    return found;
  } catch (error) {
    if (error instanceof MemoirError && error.code === "session_ambiguous") return [];
    throw error;
  }
}

async function everyPage<One>(
  ask: (page: { limit: number; offset: number; order: "oldest" }) => Promise<One[]>,
): Promise<One[]> {
  const all: One[] = [];
  for (let offset = 0; ; offset += atOnce) {
    const page = await ask({ limit: atOnce, offset, order: "oldest" });
    all.push(...page);
    if (page.length < atOnce) return all;
  }
}

function sessionOf({
  kind,
  record,
}: ImportedRecord): Array<[string, { id: string; client: string }]> {
  if (kind === "memory") return [];
  const id = kind === "session" ? record.id : record.session;
  return [[`${record.client} ${id}`, { id, client: record.client }]];
}

/** Whether the user made something of it. */
export function isMarked({ pinned, hidden, edited }: Marks): boolean {
  return pinned === true || hidden === true || edited !== undefined;
}

/** What a record is the only one of. */
function keyOf(one: ImportedRecord): string {
  switch (one.kind) {
    case "session":
      return JSON.stringify(["session", one.record.client, one.record.id]);
    case "prompt":
    case "turn":
      return JSON.stringify([one.kind, ...within(one.record), one.record.promptNumber]);
    case "summary":
      return JSON.stringify([
        "summary",
        ...within(one.record),
        one.record.scope,
        one.record.promptNumber,
      ]);
    case "observation": {
      const said = saying(originalOf(one.record));
      return JSON.stringify(["observation", ...within(one.record), ...said]);
    }
    case "memory": {
      const { project, kind, content } = originalOf(one.record);
      return JSON.stringify(["memory", project, kind, content]);
    }
  }
}

function within({ client, session }: { client: string; session: string }): string[] {
  return [client, session];
}

/** As the built-in storage tells a repeat: by title and facts, whatever their case and spacing. */
function saying({
  title,
  facts,
  subtitle,
  narrative,
}: Pick<Observation, "title" | "facts" | "subtitle" | "narrative">) {
  return [title, ...(facts.length > 0 ? facts : [subtitle, narrative])].map((part) =>
    part.toLowerCase().replace(/\s+/g, " ").trim(),
  );
}

/** The newer of two that are the same counts. */
function timeOf(one: ImportedRecord): number {
  switch (one.kind) {
    case "session":
      return one.record.lastActiveAt;
    case "memory":
      return Date.parse(one.record.date);
    default:
      return one.record.time;
  }
}
