// What operations are asked, as plain data: the route's schema, the command's options and the agents' tool are made of it. No command loads a schema for it.
import type { Inputs } from "../sdk/operation.ts";
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

const project = {
  says: "Only this project (name or id; `.` means this folder's)",
  typed: "-p, --project <project>",
} as const;
const session = {
  says: "Only this session (the beginning of its id is enough)",
  typed: "-s, --session <session>",
} as const;
const client = {
  says: "Only sessions of this client: claude-code, codex, …",
  typed: "--client <name>",
} as const;
const person = {
  says: "Only what this person or machine made; `me` for yourself",
  typed: "--by <name>",
} as const;
const file = {
  says: "Only what touched this file (the end of its path is enough)",
  typed: "-f, --file <path>",
} as const;
const since = { is: "time", says: "Only from this time on", typed: "--since <when>" } as const;
const until = { is: "time", says: "Only before this time", typed: "--until <when>" } as const;
const kinds = {
  says: "Only these kinds of record",
  typed: "--kind <kind>",
  choices: recordKinds,
  many: true,
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
      project,
      session,
      type: {
        says: "Only this type: decision, bugfix, feature, refactor, change, discovery; or a strategy's own",
        typed: "-t, --type <type>",
      },
      concept: { says: "Only observations with this concept", typed: "-c, --concept <concept>" },
      file,
      since,
      until,
      client,
      person,
      asking: { says: "The session that asks: its last prompt is no answer" },
      cwd: { says: "The folder that asks: its repository's tags may name a time" },
      kinds,
      level: {
        says: "What to search, from coarse to fine",
        typed: "--level <level>",
        choices: searchLevels,
      },
      also: {
        is: "phrasing",
        says: "The same question in other words, names, file or error text",
        typed: "-a, --also <words>",
        many: true,
      },
      by: { says: "What a result is", choices: ["turn", "session", "record", "passage"] },
      explain: { is: "switch", says: "Say why each result is there", typed: "--explain" },
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
      project,
      session,
      client,
      person,
      around: { says: "A record's id: what happened before and after it" },
      since,
      until,
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
      session: { ...session, is: "filled" },
      project: { ...project, is: "filled" },
      file: { ...file, is: "filled" },
      query: {
        is: "filled",
        says: "Search for these words and choose among the results",
        typed: "-q, --query <words>",
      },
      since,
      until,
      dryRun: { is: "switch", says: "Only show what would be deleted", typed: "--dry-run" },
      derived: {
        is: "switch",
        says: "Also delete observations, summaries and memory items made from it",
        typed: "--derived",
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
} as const satisfies Record<string, { does: string; takes: Inputs }>;

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
