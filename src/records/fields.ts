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
import type { RecordKind } from "../sdk/storage.ts";
import type { Marks, Turn } from "../sdk/turn.ts";
import { nameWords } from "../text/text.ts";
import { idOf } from "./kinds.ts";

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
interface Field {
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

/** A kind's row. */
interface Rows<Kept extends Marks> {
  /** By the record's own names, in the order in which they are told; what the user made of it comes after them. */
  fields: { readonly [Name in keyof Required<Omit<Kept, keyof Marks>>]: Field };
  /** Columns beside them. */
  beside: readonly Column[];
  /** Columns that no two records share. */
  key: readonly string[];
}

interface Kinds {
  observation: Rows<Observation>;
  summary: Rows<Summary>;
  session: Rows<Session>;
  prompt: Rows<Prompt>;
  memory: Rows<MemoryItem>;
  turn: Rows<Turn>;
}

const session = column("session_id", keep);

/** The rows of each kind. A field is added here, to the contract's schema, and by a migration. */
export const rows: Kinds = {
  observation: {
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
      discoveryTokens: value("discovery_tokens", keep),
      observerTokens: value("observer_tokens", keep),
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
    key: ["project", "kind", "content"],
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
