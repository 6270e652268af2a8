// What memory holds already of the sessions and projects that are being imported.
import { askStorage } from "../../../runtime/hooks/ask-storage.ts";
import { MemoirError } from "../../../sdk/errors.ts";
import { type AnyRecord, identityOf } from "../../../sdk/identity.ts";
import type { Session } from "../../../sdk/model.ts";
import type { StoredRecord } from "../../../sdk/storage.ts";
import type { Asked } from "../ask-timeline.ts";

/** As many as a storage gives at once. */
const atOnce = 1_000;

/** What is stored of the sessions and projects of these records, by identity. */
export async function knownRecords(
  runtime: Asked,
  records: readonly AnyRecord[],
): Promise<Map<string, AnyRecord>> {
  const known = new Map<string, AnyRecord>();
  const note = (one: StoredRecord) => known.set(identityOf(one as AnyRecord), one as AnyRecord);
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
  return known;
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

function sessionOf({ kind, record }: AnyRecord): Array<[string, { id: string; client: string }]> {
  if (kind === "memory") return [];
  const id = kind === "session" ? record.id : record.session;
  return [[`${record.client} ${id}`, { id, client: record.client }]];
}
