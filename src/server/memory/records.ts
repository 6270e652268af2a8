// Records asked of the storage in force, by their kind.
import { askStorage, withoutHidden } from "../../runtime/hooks/ask-storage.ts";
import { MemoirError } from "../../sdk/errors.ts";
import type { RecordKind, StoredRecord, TurnListQuery } from "../../sdk/storage.ts";
import type { ServerRuntime } from "../life/server-runtime.ts";

/** Whose hooks answer; the storage may be another after a reload. */
export type Asked = Pick<ServerRuntime, "hooks">;

type RecordOf<Kind extends RecordKind> = Extract<StoredRecord, { kind: Kind }>["record"];
type Narrowing = TurnListQuery & { superseded?: boolean };
/** What narrows a list; undefined narrows nothing. */
type ListQuery = { [Name in keyof Narrowing]?: Narrowing[Name] | undefined };

const lists = {
  session: "storage.sessions",
  turn: "storage.turns",
  prompt: "storage.prompts",
  observation: "storage.observations",
  summary: "storage.summaries",
  memory: "storage.memory",
} as const satisfies Record<RecordKind, string>;

/** Kinds of records that are of a session. */
export const partKinds = ["turn", "prompt", "observation", "summary", "memory"] as const;

/** A page of one kind. */
export async function list<Kind extends RecordKind>(
  { hooks }: Asked,
  kind: Kind,
  query: ListQuery,
): Promise<Array<RecordOf<Kind>>> {
  const said = Object.entries(query).filter(([, value]) => value !== undefined);
  const found = await askStorage(hooks, lists[kind], Object.fromEntries(said) as never);
  return found as Array<RecordOf<Kind>>;
}

const longestPage = 10_000;

/** Every page of one kind, superseded observations too; whoever waits is answered between two pages. A memory item is of no file. */
export async function all<Kind extends RecordKind>(
  runtime: Asked,
  kind: Kind,
  { file, ...filter }: ListQuery,
  { atOnce = longestPage, most = Infinity }: { atOnce?: number; most?: number } = {},
): Promise<Array<RecordOf<Kind>>> {
  const found: Array<RecordOf<Kind>> = [];
  const query = {
    ...filter,
    ...(kind !== "memory" && { file }),
    ...(kind === "observation" && { superseded: true }),
  };
  for (let offset = 0; ; offset += atOnce) {
    const page = await list(runtime, kind, { ...query, offset, limit: atOnce });
    found.push(...page);
    if (page.length < atOnce || found.length >= most) return found;
    await new Promise((resolve) => setTimeout(resolve, 0));
  }
}

/** Records with the kind that they are of. */
export function stored<Kind extends RecordKind>(
  kind: Kind,
  records: ReadonlyArray<RecordOf<Kind>>,
): StoredRecord[] {
  return records.map((record) => ({ kind, record }) as StoredRecord);
}

/** One record. Throws `record_not_found`. */
export async function recordOf({ hooks }: Asked, id: string): Promise<StoredRecord> {
  const [found] = await askStorage(hooks, "storage.get", { ids: [id] });
  if (!found) throw new MemoirError("record_not_found", "There is no record of that id.");
  return found;
}

/** When it was, in epoch ms; a turn stands where its prompt was. */
export function momentOf({ kind, record }: StoredRecord): number {
  switch (kind) {
    case "session":
    case "turn":
      return record.startedAt;
    case "memory":
      return Date.parse(record.date) || 0;
    default:
      return record.time;
  }
}

/** `Project.id` of a record. */
export function projectOf({ kind, record }: StoredRecord): string {
  return kind === "session" ? record.project.id : record.project;
}

/** Memory as agents are told of it, in their tools and in the commands of their shells: its storage gives nothing that the user hid. */
export function forAgents<Runtime extends Asked>(runtime: Runtime): Runtime {
  const { first } = withoutHidden(runtime.hooks);
  return { ...runtime, hooks: { ...runtime.hooks, first } };
}
