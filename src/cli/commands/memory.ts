// The commands that look into memory, correct it, and carry it.
import { clients } from "../../clients/index.ts";
import type { observationTypes } from "../../sdk/model.ts";
import { type RecordKind, searchLevels } from "../../sdk/storage.ts";
import type { Declared } from "./declared.ts";

/** What a date may look like. */
export const when = "2h, 3d, yesterday, last week, 2026-11-21 or an ISO time";
const heard = [...clients.values()].filter(({ abilities }) => abilities.way === "hooks");

const project = {
  "-p, --project <project>": "only this project (name or id; `.` is this folder's)",
} as const;
const session = {
  "-s, --session <id>": "only this session (the beginning of an id is enough)",
} as const;
const inTime = {
  "--since <when>": `not older than ${when}`,
  "--until <when>": "older than that",
} as const;
const ofClient = {
  "--client <name>": `only sessions of this client: ${heard.map(({ name }) => name).join(", ")}`,
  ...inTime,
} as const;
const limit = (most: number, usually: number) =>
  ({
    "-n, --limit <count>": { says: `how many at most (1 to ${most})`, most, default: usually },
  }) as const;
const kinds = ["observation", "summary", "prompt", "session", "memory", "turn"] as const;
const kind = {
  "--kind <kind>": {
    says: "only this kind of record, or a,b",
    choices: kinds satisfies readonly RecordKind[],
    many: true,
  },
} as const;
const before = { "--dry-run": "only show what would go", "-y, --yes": "do not ask" } as const;

/** What looks into memory. */
export const lookCommands = {
  search: {
    does: "find what is remembered: any of the words, in any order and inflection",
    args: [
      ["[words...]", "what to look for; without words, the newest records that fit the options"],
    ],
    options: {
      ...project,
      "-t, --type <type>": "only observations of this type: decision, bugfix, feature, …",
      "-c, --concept <concept>": "only observations with this concept",
      "-f, --file <path>": "only what touched this file (the end of a path is enough)",
      ...session,
      ...ofClient,
      ...limit(200, 20),
      "-a, --also <words>": {
        says: "the same question in other words, names, file or error text; may be repeated",
        many: true,
      },
      "--explain": "say why each result is there",
      "--level <level>": { says: "what is searched, from coarse to fine", choices: searchLevels },
      ...kind,
    },
    examples: [
      "memoir search refresh token",
      'memoir search refresh token --also "session expires" --also auth.ts',
      "memoir search --file src/auth.ts --since 3d",
      "memoir search --type decision --project shop --json",
    ],
  },
  reindex: {
    does: "make anew what search needs beside the records; they stay as they are",
    examples: ["memoir memory reindex"],
  },
  forget: {
    does: "take records, sessions, or all that fits, out of memory for good",
    args: [["[id...]", "ids as search prints them; a session's takes all that is of it"]],
    options: {
      "-p, --project <project>": "what is of this project (name or id; `.` is this folder's)",
      "-s, --session <id>": "what is of this session (the beginning of an id is enough)",
      "-f, --file <path>": "what touched this file (the end of a path is enough)",
      "-q, --query <words>": "what a search finds; you choose among it",
      ...inTime,
      "--derived": "what was derived from it too: observations, summaries, memory items",
      "--backups": "backups and damaged files that still hold it too, as a whole",
      ...before,
    },
    more: `Of several options all must hold. Nothing is made of it again, also not by a
backfill. What was derived from a turn stays unless you say otherwise, and is
named; so do the client's own transcripts.`,
    examples: [
      "memoir memory forget m4 t12",
      "memoir memory forget 3f2a91c0 --derived",
      "memoir memory forget --project shop --since 2026-11-20 --dry-run",
      'memoir memory forget --query "the customer\'s name"',
    ],
  },
  prune: {
    does: "let go now of what `retention.memory` no longer keeps",
    options: before,
    more: `Memory is kept for ever unless you set a rule. With one, the server lets the
oldest sessions go by itself, a few at a time, while nobody asks it anything.`,
    examples: ["memoir config set retention.memory.days 365", "memoir memory prune --dry-run"],
  },
  show: {
    does: "show records in full: turns, observations, summaries, prompts, sessions, memory items",
    args: [["<id...>", "ids as search and timeline print them"]],
    examples: ["memoir show o12 s3"],
  },
  sessions: {
    does: "list sessions, newest first; with an id, what happened in that session",
    args: [["[id]", "a session's id or the beginning of it"]],
    options: { ...project, ...ofClient, ...limit(500, 20) },
    examples: ["memoir sessions --since 1w", "memoir sessions 3f2a"],
  },
  timeline: {
    does: "what happened, in order: turns, observations and summaries",
    args: [["[id]", "a record to look around from"]],
    options: { ...project, ...session, ...ofClient, ...limit(500, 50) },
    examples: ["memoir memory timeline --project . --since today", "memoir memory timeline o12"],
  },
  related: {
    does: "what else belongs to a record: the same files, names, errors, commits; work that went on",
    args: [["<id>", "an id as search and timeline print them"]],
    options: {
      "-p, --project <project>": "of this project instead (name or id)",
      ...ofClient,
      ...limit(200, 20),
      ...kind,
    },
    examples: ["memoir memory related t12 --since 30d"],
  },
  context: {
    does: "print the context that a session starting in this folder would be given",
    options: {
      "--cwd <folder>": "another folder",
      "--source <source>": {
        says: "how the session starts",
        choices: ["startup", "resume", "clear", "compact"],
        default: "startup",
      },
      "--prompt <text>": "what this prompt would be given instead",
    },
    examples: ["memoir context", 'memoir context --prompt "why is login slow"'],
  },
} as const satisfies Declared;

const ids = "ids as search prints them; a session's may be its beginning";
const listed = {
  "-p, --project <project>": "list only this project's (name or id)",
} as const;

/** What corrects memory. */
export const correctCommands = {
  edit: {
    does: "write a record in your own words; no later run writes over them",
    args: [["<id>", "an id as search prints it; a session's may be its beginning"]],
    options: {
      "--title <text>": "of an observation or a session",
      "--subtitle <text>": "of an observation or a session",
      "--text <text>": "the story of an observation, what an item says, what was completed",
      "--fact <text>": {
        says: "a fact of an observation, instead of all it had; may be repeated",
        many: true,
      },
      "--context <text>": "what stands beside a memory item",
      "--set <field=text>": { says: "any other text: next-steps=…; may be repeated", many: true },
      "--undo": "give back what was there before it was edited",
    },
    more: `Without options your editor opens (VISUAL, EDITOR). Prompts and turns are evidence, and
stay as they were said: hide or forget them.`,
    examples: [
      'memoir memory edit m4 --text "Tests run with bun test"',
      'memoir memory edit o12 --title "Tokens live a day" --fact "Measured on 2026-11-21"',
      "memoir memory edit o12 --undo",
    ],
  },
  merge: {
    does: "tell several records by one alone: the others are hidden, and name it",
    args: [
      ["<into>", "the id of the one that stays"],
      ["<id...>", "ids of those that say it too"],
    ],
    more: `Observations with observations, memory items with memory items, of one project.
\`memoir memory edit\` gives the one that stays better words, \`memoir memory unhide\` parts them again.`,
    examples: ["memoir memory merge m4 m7 m9"],
  },
  pin: {
    does: "always tell records first when a session of their project starts",
    args: [["[id...]", ids]],
    options: listed,
    more: "Without ids, what is pinned.",
    examples: ["memoir memory pin m4 o12"],
  },
  unpin: {
    does: "pin records no longer",
    args: [["<id...>", ids]],
    examples: ["memoir memory unpin m4"],
  },
  hide: {
    does: "keep records, and never tell an agent of them",
    args: [["[id...]", ids]],
    options: listed,
    more: `A session hides all that is of it. \`memoir search\` still finds it for you, marked.
Without ids, what is hidden.`,
    examples: ["memoir memory hide o12 3f2a91c0"],
  },
  unhide: {
    does: "hide records no longer, merged ones too",
    args: [["<id...>", ids]],
    examples: ["memoir memory unhide o12"],
  },
  confirm: {
    does: "say that memory items stand, in the words that they have",
    args: [["<id...>", ids]],
    examples: ["memoir memory confirm m4 m7"],
  },
} as const satisfies Declared;

/** What keeps memory safe, and carries it elsewhere. */
export const carryCommands = {
  backup: {
    does: "copy memoir's databases, config and memory files while everything goes on",
    options: {
      "--list": "show which backups there are",
      "--verify": "read every byte of every backup, and say whether it is whole",
      "--to <folder>": "make it in this folder; the rule of what is kept does not look there",
      "--daily": { says: "what the server runs once a day", hidden: true },
    },
    more: `The server makes one every day while nothing goes on (\`backup.daily\`), and before
a database's form changes. Backups made by hand stay until you remove them.`,
    examples: [
      "memoir memory backup",
      "memoir memory backup --list",
      "memoir memory backup --to /media/stick/memoir",
    ],
  },
  restore: {
    does: "go back to a backup; what is there now becomes a backup first",
    args: [["[backup]", "its name or the beginning of it, or its folder; without it, the newest"]],
    options: {
      "--all": "put the journal, what Endless Mode keeps and the counts of model calls back too",
      "--config": "put config.json back as well",
      "--dry-run": "only show what would change",
      "-y, --yes": "do not ask",
    },
    more: `Memory and memory files go back; the journal and other databases only where they
cannot be read, or with --all. The server is stopped for it; events that come in
meanwhile wait in the spool. A backup that is damaged, or that a newer memoir made,
is refused.`,
    examples: ["memoir memory restore", "memoir memory restore 20261121 --dry-run"],
  },
  export: {
    does: "write everything that is remembered as JSON lines",
    args: [["[file]", "where to; `-`, or nothing, is stdout"]],
    options: {
      ...project,
      "--since <when>": inTime["--since <when>"],
      "--json": "print what was written as JSON",
    },
    more: `One record a line, all of its fields, redacted as it is stored. \`memoir memory import\` takes
it in elsewhere.`,
    examples: [
      "memoir memory export memory.jsonl",
      "memoir memory export --project shop | gzip > shop.jsonl.gz",
    ],
  },
  import: {
    does: "take an export, or another program's memory, in; the same again stores nothing",
    args: [
      ["[file]", "what `memoir memory export` wrote; `-` is stdin; with --from, its database"],
    ],
    options: {
      "--from <program>": { says: "another program's memory", choices: ["claude-mem"] },
      "--map <name=folder>": {
        says: "with --from: the folder of a project that it knows by name only; may be repeated",
        many: true,
      },
      "--dry-run": "only say what would be stored",
    },
    more: `What is there already stays, unless what comes is newer. Secrets are taken out once
more. What you had forgotten stays forgotten. A bad line is named and left out.`,
    examples: [
      "memoir memory import memory.jsonl",
      "memoir memory import --from claude-mem --map shop=/home/me/shop",
      "zcat shop.jsonl.gz | memoir memory import -",
    ],
  },
} as const satisfies Declared;

/** With the list itself every command would load the records' schemas. */
const types = [
  "decision",
  "bugfix",
  "feature",
  "refactor",
  "discovery",
] as const satisfies typeof observationTypes;
const place = {
  "-p, --project <project>": { says: "the project, by name or id", required: true },
  "-s, --session <id>": { says: "the client's session id", required: true },
} as const;
const must = (says: string) => ({ says, required: true }) as const;

/** By which an agent with a shell tells memory something itself. */
export const tellCommands = {
  "store-memory": {
    does: "store an observation of your own; the same again stores nothing",
    options: {
      ...place,
      "--title <words>": must("3 to 8 words"),
      "--subtitle <words>": must("at most 24 words: what it means"),
      "--facts <json>": must("a JSON list of 1 to 7 facts, 50 to 150 characters each"),
      "--concepts <json>": must("a JSON list of 1 to 5 broad categories"),
      "--files <json>": must("a JSON list of the files it is about; [] for none"),
      "--date <date>": must("when it happened: 2026-11-21 or an ISO time"),
      "--type <type>": { says: "what kind of finding (discovery by default)", choices: types },
      "--narrative <text>": "the whole story",
      "--prompt <number>": "the number of the prompt it belongs to",
      "--id <id>": "a name of yours: what was stored under it is not stored again",
    },
    examples: [
      `memoir store-memory --project shop --session 3f2a91c0 --date 2026-11-21 --type bugfix \\
      --title "Refresh loop in login fixed" \\
      --subtitle "An expired token no longer refreshes itself for ever" \\
      --facts '["src/auth/refresh.ts: the refresh call bypasses the interceptor"]' \\
      --concepts '["authentication", "http"]' --files '["src/auth/refresh.ts"]'`,
    ],
  },
  "update-session-metadata": {
    does: "give a session its title and subtitle",
    options: {
      ...place,
      "--title <words>": must("3 to 6 words"),
      "--subtitle <words>": must("at most 20 words"),
    },
    examples: [
      `memoir update-session-metadata --project shop --session 3f2a91c0 \\
      --title "Login loop fixed" --subtitle "Expired tokens no longer refresh themselves for ever"`,
    ],
  },
  "store-overview": {
    does: "store what a session came to, in two or three sentences",
    options: {
      ...place,
      "--content <text>": must("what was done, the state it is in, key decisions"),
      "--request <text>": "what the user wanted",
      "--learned <text>": "what was found out about the project",
      "--next-steps <text>": "what remains",
    },
    examples: [
      `memoir store-overview --project shop --session 3f2a91c0 \\
      --content "The login loop is fixed and covered by a test." --next-steps "Cover logout too."`,
    ],
  },
} as const satisfies Declared;
