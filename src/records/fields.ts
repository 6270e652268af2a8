// The fields of every kind of record, each once: the column it is kept in, how it is read, and what a repeat does to it.
import type { Row, SqlInput } from "../host/sqlite.ts";
import {
  type MemoryItem,
  type Observation,
  ofSummaryTexts,
  type Prompt,
  type Session,
  type Summary,
} from "../sdk/model.ts";
import type { RecordKind, StoredRecord } from "../sdk/storage.ts";
import type { Marks, Turn } from "../sdk/turn.ts";
import { tokensOf } from "../search/document.ts";
import { nameWords } from "../text/text.ts";

type NumberedKind = Exclude<RecordKind, "session">;
/** A record of a kind. */
export type RecordOf<Kind extends RecordKind> = Extract<StoredRecord, { kind: Kind }>["record"];
/** A kind whose records name files, which have rows of their own. */
export type FileKind = "observation" | "summary" | "turn";

/** A column that a put writes; `$name` stands for what was put. */
interface Column {
  name: string;
  /** SQL of its first value. */
  first: string;
  /** SQL of its value once the same record is put again. */
  repeat: string;
}

/** Parses the JSON in a column of the row at hand, and notes what cannot be read; undefined then. */
export type ReadJson = (column: string, json: string) => unknown;

/** A field of a record. */
export interface Field {
  columns: readonly Column[];
  /** Undefined: the record has no such field. */
  read(row: Row, json: ReadJson): unknown;
  /** What its columns get, by name. */
  write(value: unknown): Record<string, SqlInput>;
}

type Rule = (column: string) => string;
/** Rules for a repeat: it says it anew, it changes nothing, or it says it anew only where it says it. */
const replace: Rule = (column) => `$${column}`;
const keep: Rule = (column) => column;
const fill: Rule = (column) => `coalesce($${column}, ${column})`;

function column(name: string, rule: Rule): Column {
  return { name, first: `$${name}`, repeat: rule(name) };
}

/** As it is; null is a value. */
function value(name: string, rule = replace): Field {
  return {
    columns: [column(name, rule)],
    read: (row) => row[name],
    write: (one) => ({ [name]: one as SqlInput }),
  };
}

/** May be absent. */
function optional(name: string, rule = replace): Field {
  return { ...value(name, rule), read: (row) => row[name] ?? undefined };
}

/** A flag that is true or absent. */
function flag(name: string): Field {
  return {
    ...value(name),
    read: (row) => row[name] !== 0 || undefined,
    write: (one) => ({ [name]: one === true }),
  };
}

/** JSON; null is absent. `shape` brings what was parsed into its form. */
function json(name: string, shape: (parsed: unknown) => unknown, rule = replace): Field {
  return {
    columns: [column(name, rule)],
    read(row, parse) {
      const text = row[name];
      return typeof text === "string" ? shape(parse(name, text)) : undefined;
    },
    write: (one) => ({ [name]: one === undefined ? undefined : JSON.stringify(one) }),
  };
}

const listIn = (parsed: unknown): unknown[] => (Array.isArray(parsed) ? parsed : []);
const stringsIn = (parsed: unknown) => listIn(parsed).filter((one) => typeof one === "string");
const objectIn = (parsed: unknown) =>
  typeof parsed === "object" && parsed !== null ? parsed : undefined;

function list(name: string): Field {
  return json(name, listIn);
}

/** Whatever is no string is left out. */
function strings(name: string, rule = replace): Field {
  return json(name, stringsIn, rule);
}

/** What a record was derived from; an empty list is none. */
function places(rule = replace): Field {
  const field = json("evidence", listIn, rule);
  return { ...field, write: (one) => field.write(listIn(one).length === 0 ? undefined : one) };
}

/** An object of which each part has columns of its own; absent where all of them are. */
function group(parts: Record<string, Field>): Field {
  return {
    columns: Object.values(parts).flatMap(({ columns }) => columns),
    read: (row, parse) => {
      const read = readFields(parts, row, parse);
      return Object.keys(read).length > 0 ? read : undefined;
    },
    write: (one) => writeFields(parts, one ?? {}),
  };
}

/** Comes with the row, and is written by nobody. */
function derived(read: (row: Row) => unknown): Field {
  return { columns: [], read, write: () => ({}) };
}

type Fields = Readonly<Record<string, Field>>;

/** The fields that a row has, in their order. */
export function readFields(fields: Fields, row: Row, parse: ReadJson): Record<string, unknown> {
  const record: Record<string, unknown> = {};
  for (const [name, field] of Object.entries(fields)) {
    const read = field.read(row, parse);
    if (read !== undefined) record[name] = read;
  }
  return record;
}

/** What a record writes into its columns, by name. */
export function writeFields(fields: Fields, record: object): Record<string, SqlInput> {
  const written: Record<string, SqlInput> = {};
  for (const [name, field] of Object.entries(fields))
    Object.assign(written, field.write(Reflect.get(record, name)));
  return written;
}

function numbered(kind: Exclude<RecordKind, "session">): Field {
  return derived(({ id }) => idOf(kind, Number(id)));
}

/** What the row of a record's session says. */
const ofSession = {
  session: derived(({ client_session_id }) => client_session_id),
  client: derived(({ client }) => client),
};

const provenance = (rule = replace) =>
  group({ strategy: value("strategy", rule), model: value("model", rule) });

/** Paths as a record has them, by what was done to the files. */
type Files = Record<"modified" | "read", readonly string[]>;

/** What is declared of a kind. */
interface Kind<Kept extends Marks> {
  table: string;
  /** An id is this letter and the row's number: `o12`. Sessions go by the client's own id. */
  letter: string;
  /** SQL that says of which session and client a row `r` is, and when; `s` is its session's row. */
  session: string;
  client?: string;
  time: string;
  /** Of a kind that has rows of the files that it names. */
  files?(record: Omit<Kept, "id">): Files;
  /** By the record's own names, in the order in which they are shown; what the user made of it comes after them. */
  fields: { readonly [Name in keyof Required<Omit<Kept, keyof Marks | "from">>]: Field };
  /** Columns beside them. */
  beside: readonly Column[];
  /** Columns that no two records share; none where the log alone tells. */
  key: readonly string[];
}

interface Kinds {
  observation: Kind<Observation>;
  summary: Kind<Summary>;
  session: Kind<Session>;
  prompt: Kind<Prompt>;
  memory: Kind<MemoryItem>;
  turn: Kind<Turn>;
}

const session = column("session_id", keep);

/** Where most rows say of which session they are, and when. */
const inSession = { session: "s.client_session_id", client: "s.client", time: "r.created_at" };

/** Each kind, in the order in which a new index is filled. A field is added here, to the contract's schema, and by a migration. */
export const kinds: Kinds = {
  observation: {
    table: "observations",
    letter: "o",
    ...inSession,
    files: ({ filesRead: read, filesModified: modified }) => ({ modified, read }),
    key: ["session_id", "content_hash"],
    beside: [session, column("content_hash", keep), column("title_key", keep)],
    fields: {
      id: numbered("observation"),
      ...ofSession,
      project: value("project", keep),
      branch: optional("branch", keep),
      promptNumber: value("prompt_number", keep),
      type: value("type", keep),
      title: value("title", keep),
      subtitle: value("subtitle"),
      facts: strings("facts", keep),
      narrative: value("narrative"),
      concepts: strings("concepts"),
      filesRead: strings("files_read"),
      filesModified: strings("files_modified"),
      toolUseIds: strings("tool_use_ids"),
      agent: group({ id: optional("agent_id", keep), type: optional("agent_type", keep) }),
      time: value("created_at", (name) => `max(${name}, $${name})`),
      discoveryTokens: value("discovery_tokens"),
      observerTokens: value("observer_tokens"),
      provenance: provenance(keep),
      evidence: places(fill),
      supersededBy: {
        ...derived(({ superseded_by: newer }) =>
          newer === null ? undefined : idOf("observation", Number(newer)),
        ),
        columns: [{ name: "superseded_by", first: "NULL", repeat: "NULL" }],
      },
    },
  },
  summary: {
    table: "session_summaries",
    letter: "s",
    ...inSession,
    files: ({ filesRead: read, filesEdited: modified }) => ({ modified, read }),
    key: ["session_id", "scope", "prompt_number"],
    beside: [session],
    fields: {
      id: numbered("summary"),
      scope: value("scope", keep),
      ...ofSession,
      project: value("project"),
      promptNumber: value("prompt_number", keep),
      ...ofSummaryTexts((name) => value(nameWords(name, "_"))),
      filesRead: strings("files_read"),
      filesEdited: strings("files_edited"),
      time: value("created_at"),
      observerTokens: value("observer_tokens"),
      provenance: provenance(),
      evidence: places(),
    },
  },
  session: {
    table: "sessions",
    letter: "session ",
    session: "r.client_session_id",
    client: "r.client",
    time: "r.last_active_at",
    key: ["client", "client_session_id"],
    beside: [],
    fields: {
      id: value("client_session_id", keep),
      client: value("client", keep),
      project: group({
        id: value("project"),
        name: derived(({ project_name }) => project_name),
        root: value("root"),
        branch: optional("branch", fill),
      }),
      title: text("title"),
      subtitle: text("subtitle"),
      prompts: counted("prompts"),
      status: value("status"),
      transcriptPath: optional("transcript_path", fill),
      startedAt: value("started_at", earliest("min")),
      lastActiveAt: value("last_active_at", earliest("max")),
      endedAt: value("ended_at", (name) => `CASE WHEN $keepEnded THEN ${name} ELSE $${name} END`),
      endReason: optional(
        "end_reason",
        (name) => `CASE WHEN $keepEnded OR $ended_at = ended_at THEN coalesce($${name}, ${name})
        ELSE $${name} END`,
      ),
      observations: derived(({ observations }) => observations),
    },
  },
  prompt: {
    table: "prompts",
    letter: "p",
    ...inSession,
    key: ["session_id", "prompt_number"],
    beside: [session],
    fields: {
      id: numbered("prompt"),
      ...ofSession,
      project: value("project"),
      promptNumber: value("prompt_number", keep),
      text: value("user_prompt"),
      time: value("created_at"),
    },
  },
  memory: {
    table: "memory",
    letter: "m",
    session: "r.client_session_id",
    time: "r.created_at",
    // By its change alone: see `headOf`.
    key: [],
    beside: [column("created_at", replace)],
    fields: {
      id: numbered("memory"),
      kind: value("kind", keep),
      date: value("date"),
      content: value("content", keep),
      context: value("context"),
      session: value("client_session_id"),
      project: value("project", keep),
      state: optional("state", fill),
      quote: optional("quote", fill),
      evidence: places(fill),
    },
  },
  turn: {
    table: "turns",
    letter: "t",
    ...inSession,
    files: ({ files }) => ({
      modified: files.flatMap(({ path, changed }) => (changed ? path : [])),
      read: files.flatMap(({ path, changed }) => (changed ? [] : path)),
    }),
    key: ["session_id", "prompt_number"],
    beside: [session],
    fields: {
      id: numbered("turn"),
      ...ofSession,
      project: value("project"),
      branch: optional("branch"),
      promptNumber: value("prompt_number", keep),
      startedAt: value("created_at"),
      time: value("last_at"),
      end: value("ended"),
      pieces: list("pieces"),
      files: list("files"),
      leftOut: json("left_out", objectIn),
      gaps: flag("gaps"),
    },
  },
};

/** A session's text: empty until somebody says it. */
function text(name: string): Field {
  const field = value(name, fill);
  return { ...field, columns: [{ ...column(name, fill), first: `coalesce($${name}, '')` }] };
}

/** A session's count, which only grows. */
function counted(name: string): Field {
  const first = `coalesce($${name}, 0)`;
  return { ...value(name), columns: [{ name, first, repeat: `max(${name}, ${first})` }] };
}

/** A session's times only widen; those of one that was known by its records alone are the first update's. */
function earliest(which: "min" | "max"): Rule {
  return (name) => `CASE WHEN $isFirst THEN $${name} ELSE ${which}(${name}, $${name}) END`;
}

// What a record is called, and the paths that it names.

/** All kinds, as they are searched where none are named. */
export const allKinds = Object.keys(kinds) as readonly RecordKind[];
/** Their tables. */
export const recordTables: readonly string[] = Object.values(kinds).map(({ table }) => table);

/** A record by its kind and the number of its row. */
export interface RecordRow {
  kind: RecordKind;
  row: number;
}

/** `o12` for the observation in row 12. */
export function idOf(kind: NumberedKind, row: number): string {
  return documentOf({ kind, row });
}

/** The kind and row an id means, or undefined when it has not the form of one. */
export function parseId(id: string): { kind: NumberedKind; row: number } | undefined {
  const record = recordOf(id);
  return record?.kind === "session" ? undefined : (record as ReturnType<typeof parseId>);
}

/** What the index calls a record; of a session its row's number, for two clients may use one id. */
export function documentOf({ kind, row }: RecordRow): string {
  return `${kinds[kind].letter}${row}`;
}

/** The kind and row that a document's id stands for. */
export function recordOf(document: string): RecordRow | undefined {
  const [, letter, row] = /^(session |[a-z])([1-9]\d{0,15})$/.exec(document) ?? [];
  const kind = allKinds.find((one) => kinds[one].letter === letter);
  return kind && { kind, row: Number(row) };
}

/** A title's words without order, inflection and stop words. */
export function titleKey(title: string): string {
  const terms = tokensOf(title).flatMap(({ term, stop }) => (stop ? [] : term));
  return [...new Set(terms)].sort().join(" ");
}

// Paths as they are kept, so that a file leads to the records that name it.

/** Of a kind that names files, those of a record. */
export function filesOf(kind: RecordKind, record: object): Partial<Files> {
  return kinds[kind].files?.(record as never) ?? {};
}

/** Forward slashes, no leading `./`: `.\\src\\a.ts` and `./src/a.ts` are both `src/a.ts`. */
export function slashed(path: string): string {
  return path
    .replaceAll("\\", "/")
    .replace(/^(?:\.\/)+/, "")
    .replace(/(?<=.)\/+$/, "");
}
