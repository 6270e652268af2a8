// What operations are asked, as plain data: the route's schema, the command's options and the agents' tool are made of it. No command loads a schema for it.
import type { Input, Inputs } from "../sdk/operation.ts";
import { type RecordKind, searchLevels } from "../sdk/storage.ts";

/** The kinds of record. */
export const recordKinds = [
  "observation",
  "summary",
  "prompt",
  "session",
  "memory",
  "turn",
] as const satisfies readonly RecordKind[];

/** What every invitation to a space begins with. */
export const invitationStart = "memoir-invitation-";
/** Of an invitation that is a key. */
export const keySays = "For containers and CI: any number of homes, until you remove it";

/** The halves of a tool use. */
export const toolParts = ["input", "output"] as const;

/** One input of memoir's own operations. */
export interface OwnInput extends Input {
  /** What an agent is told of it, as shortly as may be; its tool does not take it where nothing stands here. */
  agents?: string;
  /** How it narrows a question, in words before its value: `in project`. */
  narrows?: string;
}

const project = {
  says: "Only this project (name or id; `.` means this folder's)",
  typed: "-p, --project <project>",
  narrows: "in project",
} as const;
const session = {
  says: "Only this session (the beginning of its id is enough)",
  typed: "-s, --session <session>",
  narrows: "in session",
} as const;
const client = {
  says: "Only sessions of this client: claude-code, codex, …",
  typed: "--client <name>",
  narrows: "of client",
} as const;
const person = {
  says: "Only what this person or machine made; `me` for yourself",
  typed: "--by <name>",
  narrows: "by",
} as const;
const file = {
  says: "Only what touched this file (the end of its path is enough)",
  typed: "-f, --file <path>",
  narrows: "on file",
} as const;
const since = {
  is: "time",
  says: "Only from this time on",
  typed: "--since <when>",
  narrows: "since",
} as const;
const until = {
  is: "time",
  says: "Only before this time",
  typed: "--until <when>",
  narrows: "before",
} as const;
const kinds = {
  says: "Only these kinds of record",
  typed: "--kind <kind>",
  choices: recordKinds,
  many: true,
  narrows: "among",
} as const;
const limit = {
  is: "count",
  says: "How many at most",
  typed: "-n, --limit <count>",
} as const;

/** What an operation does, as a sentence without its full stop, and what it takes, in the order of the API document. */
export const operationInputs = {
  search: {
    does: "Search your memory",
    takes: {
      text: { is: "phrasing", says: "Words to look for; empty gives the newest records" },
      project: { ...project, agents: "Default all" },
      session: { ...session, agents: "" },
      type: {
        says: "Only this type: decision, bugfix, feature, refactor, change, discovery; or a strategy's own",
        typed: "-t, --type <type>",
        narrows: "of type",
        agents: "decision, bugfix, feature, refactor, change, discovery",
      },
      concept: {
        says: "Only observations with this concept",
        typed: "-c, --concept <concept>",
        narrows: "with concept",
        agents: "",
      },
      file: { ...file, agents: "Path, its end, or folder" },
      since: { ...since, agents: "3d, 2026-03-01" },
      until: { ...until, agents: "" },
      client: { ...client, agents: "" },
      person: { ...person, agents: "" },
      asking: { says: "The session that asks: its last prompt is no answer" },
      cwd: { says: "The folder that asks: its repository's tags may name a time" },
      kinds,
      level: {
        says: "What to search, from coarse to fine",
        typed: "--level <level>",
        narrows: "at level",
        choices: searchLevels,
      },
      also: {
        is: "phrasing",
        says: "The same question in other words, names, file or error text",
        typed: "-a, --also <words>",
        many: true,
      },
      by: { says: "What a result is", choices: ["turn", "session", "record", "passage"] },
      explain: {
        is: "switch",
        says: "Say why each result is there",
        typed: "--explain",
        agents: "",
      },
      limit: { ...limit, most: 200, default: 20 },
    },
  },
  ask: {
    does: "Answer a question from your memory",
    takes: { project, session, file, since, until, client, person },
  },
  sessions: {
    does: "List sessions, newest first",
    takes: { project, client, person, since, until, limit: { ...limit, most: 500, default: 20 } },
  },
  timeline: {
    does: "Show what happened, in order",
    takes: {
      project: { ...project, agents: "" },
      session: { ...session, agents: "" },
      client,
      person,
      around: { says: "A record's id: what happened before and after it", agents: "A record's id" },
      since: { ...since, agents: "" },
      until: { ...until, agents: "" },
      limit: { ...limit, most: 500, default: 50 },
    },
  },
  related: {
    does: "List related records",
    takes: { project, since, until, client, kinds, limit: { ...limit, most: 200, default: 20 } },
  },
  forget: {
    does: "Delete records or sessions permanently",
    takes: {
      session: { ...session, is: "filled", agents: "" },
      project: { ...project, is: "filled", agents: "" },
      file: { ...file, is: "filled", agents: "" },
      query: {
        is: "filled",
        says: "Search for these words and choose among the results",
        typed: "-q, --query <words>",
      },
      since: { ...since, agents: "" },
      until: { ...until, agents: "" },
      dryRun: { is: "switch", says: "Only show what would be deleted", typed: "--dry-run" },
      derived: {
        is: "switch",
        says: "Also delete observations, summaries and memory items made from it",
        typed: "--derived",
        agents: "",
      },
      backups: {
        is: "switch",
        says: "Also delete whole backups and damaged files that still hold it",
        typed: "--backups",
      },
    },
  },
  stats: {
    does: "Show cost and savings by day and project",
    takes: {
      since: { ...since, default: "30d" },
      project,
      model: {
        is: "filled",
        says: "Price tokens at this model's list price; default claude-sonnet-5-5",
        typed: "--model <model>",
      },
    },
  },
} as const satisfies Record<string, { does: string; takes: Readonly<Record<string, OwnInput>> }>;

/** The options of a command that asks for it, by how they are typed. */
type OptionsIn<Of> = {
  [Name in keyof Of as Of[Name] extends { typed: infer Typed extends string }
    ? Typed
    : never]: Of[Name];
};

/** What a command offers of an operation's inputs. */
export function optionsOf<const Of extends Inputs>(takes: Of): OptionsIn<Of> {
  const typed = Object.values(takes).flatMap((one) =>
    one.typed === undefined ? [] : [[one.typed, one] as const],
  );
  return Object.fromEntries(typed) as OptionsIn<Of>;
}
