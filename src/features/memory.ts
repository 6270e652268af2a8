// Looking into memory, and forgetting: each operation with its words, what it takes, and its command. Routes and agents' tools take words and inputs from here; no command loads a schema for it. Memory is always there, so it is no plugin.
import type { Loading, OptionsOf } from "../cli/commands/declared.ts";
import type { Terminal } from "../cli/terminal/terminal.ts";
import { type RecordKind, searchLevels } from "../sdk/storage.ts";
import type { OwnCommand } from "./feature.ts";

/** The kinds of record. */
export const recordKinds = [
  "observation",
  "summary",
  "prompt",
  "session",
  "memory",
  "turn",
] as const satisfies readonly RecordKind[];

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

/** All of them, in the order of the help; what each takes stands in the order of the API document. */
export const memory = {
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
      by: {
        says: "What one result stands for",
        choices: ["turn", "session", "record", "passage"],
      },
      explain: {
        is: "switch",
        says: "Say why each result is there",
        typed: "--explain",
        agents: "",
      },
      // The same as `defaultLimit` in src/search/rank/fuse.ts and `maxLimit` in src/records/search.ts.
      limit: { ...limit, most: 200, default: 20 },
    },
    load:
      async (): Loading =>
      async (words: string[], options: OptionsOf<(typeof memory)["search"]>, terminal: Terminal) =>
        options.ask
          ? (await import("../cli/memory/ask.ts")).ask(words, options, terminal)
          : (await import("../cli/memory/look.ts")).search(words, options, terminal),
    args: [["[words...]", "What to look for; without words, the newest records that match"]],
    options: {
      "--ask": {
        says: "Answer in a few sentences, as `memoir ask` does",
        conflicts: ["also", "concept", "explain", "kind", "level", "type"],
      },
    },
    more: "Finds records with any of the words, in any order and form.",
    examples: [
      "memoir search refresh token",
      'memoir search refresh token --also "session expires" --also auth.ts',
      "memoir search --file src/auth.ts --since 3d",
      "memoir search --type decision --project shop --json",
    ],
  },
  ask: {
    does: "Answer a question from your memory",
    takes: { project, session, file, since, until, client, person },
    load: async (): Loading => (await import("../cli/memory/ask.ts")).ask,
    args: [["<question...>", "A question in your own words"]],
    more: `The model in \`slots.provider\` writes the searches and answers from what they
find, naming the records behind each sentence. Two small calls, within your budget.
Without a model, prints what plain search finds.`,
    examples: [
      'memoir ask "why do refresh tokens live only a day?"',
      'memoir ask "what did we change the week after we added Redis?" --project .',
    ],
  },
  reindex: {
    does: "Rebuild the search index",
    load: async (): Loading => (await import("../cli/memory/look.ts")).reindex,
    more: "Records stay as they are.",
    examples: ["memoir memory reindex"],
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
    load: async (): Loading => (await import("../cli/memory/correct.ts")).forget,
    args: [["[id...]", "Ids as search prints them; a session's id deletes the whole session"]],
    options: { "-y, --yes": "Delete without asking" },
    more: `Deletes records that match all options. Nothing makes them again, not even a backfill.
What was made from a turn stays and is listed, unless you pass --derived. Your
client's own transcripts stay too.`,
    examples: [
      "memoir memory forget m4 t12",
      "memoir memory forget 3f2a91c0 --derived",
      "memoir memory forget --project shop --since 2026-11-20 --dry-run",
      'memoir memory forget --query "the customer\'s name"',
    ],
  },
  prune: {
    does: "Apply the retention policy now",
    load: async (): Loading => (await import("../cli/memory/correct.ts")).prune,
    options: {
      "--dry-run": "Only show what would be deleted",
      "-y, --yes": "Delete without asking",
    },
    more: `Memory is kept forever unless you set \`retention.memory\`. Then the server deletes
the oldest sessions by itself, a few at a time, while it is idle.`,
    examples: ["memoir config set retention.memory.days 365", "memoir memory prune --dry-run"],
  },
  show: {
    does: "Show records in full",
    load: async (): Loading => (await import("../cli/memory/show.ts")).show,
    args: [["<id...>", "Ids as search and timeline print them"]],
    more: "Turns, observations, summaries, prompts, sessions and memory items.",
    examples: ["memoir show o12 s3"],
  },
  sessions: {
    does: "List sessions, newest first, or show one",
    takes: { project, client, person, since, until, limit: { ...limit, most: 500, default: 20 } },
    load: async (): Loading => (await import("../cli/memory/look.ts")).sessions,
    args: [["[session]", "Show this session (the beginning of its id is enough)"]],
    examples: ["memoir sessions --since 1w", "memoir sessions 3f2a"],
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
    load: async (): Loading => (await import("../cli/memory/look.ts")).timeline,
    args: [["[id]", "A record: show what happened before and after it"]],
    more: "Turns, observations and summaries.",
    examples: ["memoir memory timeline --project . --since today", "memoir memory timeline o12"],
  },
  related: {
    does: "List related records",
    takes: { project, since, until, client, kinds, limit: { ...limit, most: 200, default: 20 } },
    load: async (): Loading => (await import("../cli/memory/look.ts")).related,
    args: [["<id>", "An id as search and timeline print it"]],
    more: "By the same files, names, errors and commits, and by work that continued.",
    examples: ["memoir memory related t12 --since 30d"],
  },
  context: {
    does: "Print the context a session in this folder would get",
    load: async (): Loading => (await import("../cli/memory/look.ts")).context,
    options: {
      "--cwd <folder>": "Another folder",
      "--source <source>": {
        says: "How the session starts",
        choices: ["startup", "resume", "clear", "compact"],
        default: "startup",
      },
      "--prompt <text>": "Print what this prompt would get instead",
      "--why": {
        says: "Also list the rules and decisions left out, and why",
        conflicts: ["prompt"],
      },
    },
    examples: ["memoir context", 'memoir context --prompt "why is login slow"'],
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
    load: async (): Loading => (await import("../cli/history/stats.ts")).stats,
    examples: ["memoir memory stats", "memoir memory stats --project . --since 1w --json"],
  },
} as const satisfies Readonly<Record<string, OwnCommand>>;
