// The commands that correct memory, and carry it.
import type { observationTypes } from "../../sdk/model.ts";
import type { Terminal } from "../terminal/terminal.ts";
import type { Declared, Loading, OptionsOf } from "./declared.ts";

const ids = "Ids as search prints them; the beginning of a session's is enough";
const listed = { "-p, --project <project>": "List only this project's (name or id)" } as const;
const marks = async (verb: "pin" | "unpin" | "hide" | "unhide" | "confirm"): Loading =>
  (await import("../memory/correct.ts")).mark.bind(undefined, verb);

/** What corrects memory. */
export const correctCommands = {
  edit: {
    does: "Edit a record",
    load: async (): Loading => (await import("../memory/correct.ts")).edit,
    args: [["<id>", "An id as search prints it; the beginning of a session's is enough"]],
    options: {
      "--title <text>": "Title of an observation or a session",
      "--subtitle <text>": "Subtitle of an observation or a session",
      "--text <text>":
        "Main text: an observation's narrative, a memory item's content, what was completed",
      "--fact <text>": {
        says: "A fact of an observation, replacing all it had",
        many: true,
      },
      "--context <text>": "Context of a memory item",
      "--set <field=text>": { says: "Any other text: next-steps=…", many: true },
      "--undo": "Restore the text from before it was edited",
    },
    more: `Without options your editor opens (VISUAL, EDITOR). What you write is never
overwritten. Prompts and turns are evidence and can't be edited: hide or delete them.`,
    examples: [
      'memoir memory edit m4 --text "Tests run with bun test"',
      'memoir memory edit o12 --title "Tokens live a day" --fact "Measured on 2026-11-21"',
      "memoir memory edit o12 --undo",
    ],
  },
  merge: {
    does: "Merge duplicate records",
    load: async (): Loading => (await import("../memory/correct.ts")).merge,
    args: [
      ["<into>", "The id of the record to keep"],
      ["<id...>", "Ids of its duplicates"],
    ],
    more: `The duplicates are hidden and name the one you keep. Merge observations with
observations, memory items with memory items, of one project. \`memoir memory edit\`
rewrites the one you keep, \`memoir memory unhide\` undoes the merge.`,
    examples: ["memoir memory merge m4 m7 m9"],
  },
  pin: {
    does: "Pin records to the top of every context",
    load: () => marks("pin"),
    args: [["[id...]", ids]],
    options: listed,
    more: "Without ids, list the pinned records.",
    examples: ["memoir memory pin m4 o12"],
  },
  unpin: {
    does: "Unpin records",
    load: () => marks("unpin"),
    args: [["<id...>", ids]],
    examples: ["memoir memory unpin m4"],
  },
  hide: {
    does: "Hide records from agents",
    load: () => marks("hide"),
    args: [["[id...]", ids]],
    options: listed,
    more: `Hiding a session hides everything in it. \`memoir search\` still finds it for you,
marked as hidden. Without ids, list the hidden records.`,
    examples: ["memoir memory hide o12 3f2a91c0"],
  },
  unhide: {
    does: "Show hidden or merged records to agents again",
    load: () => marks("unhide"),
    args: [["<id...>", ids]],
    examples: ["memoir memory unhide o12"],
  },
  confirm: {
    does: "Confirm suggested decisions and preferences",
    load: () => marks("confirm"),
    args: [["<id...>", ids]],
    examples: ["memoir memory confirm m4 m7"],
  },
  projects: {
    does: "List, join, split and rename projects",
    usually: "list",
    examples: ["memoir memory projects"],
    commands: {
      list: {
        does: "List projects and point out likely duplicates",
        load: async (): Loading => (await import("../memory/projects.ts")).listProjects,
        more: `A repository is one project, known by its remote, else by its folder. Its clones and
worktrees belong to it, even deleted ones.`,
        examples: ["memoir memory projects list"],
      },
      join: {
        does: "Join several projects into one",
        load: async (): Loading => (await import("../memory/projects.ts")).join,
        args: [
          ["<into>", "The project to keep, by name or id"],
          ["<project...>", "The projects that belong to it"],
        ],
        more: "Applies to stored and future sessions. `split` undoes it.",
        examples: ["memoir memory projects join github.com/acme/shop /home/me/old-shop"],
      },
      split: {
        does: "Split folders or joined projects into their own projects",
        load: async (): Loading => (await import("../memory/projects.ts")).split,
        args: [["<project...>", "Ids or folders that `list` shows with --json"]],
        more: "Applies to stored and future sessions. `join` undoes it.",
        examples: ["memoir memory projects split /home/me/shop-fork"],
      },
      rename: {
        does: "Rename a project",
        load: async (): Loading => (await import("../memory/projects.ts")).rename,
        args: [
          ["<project>", "Its name or id"],
          ["<name>", "The new name; '' restores the old one"],
        ],
        examples: ['memoir memory projects rename github.com/acme/shop "The shop"'],
      },
    },
  },
} as const satisfies Declared;

const claudeMem = () => import("../memory/claude-mem/import-claude-mem.ts");

/** What keeps memory safe, and carries it elsewhere. */
export const carryCommands = {
  backup: {
    does: "Back up memory and settings",
    load: async (): Loading => (await import("../memory/backup.ts")).backup,
    options: {
      "--list": "List the backups",
      "--verify": "Read every byte of every backup and report damage",
      "--to <folder>": "Write it to this folder, where retention does not apply",
      "--daily": { says: "Run by the server once a day", hidden: true },
    },
    more: `Work continues meanwhile. The server makes a backup every day while it is idle
(\`backup.daily\`), and before a database changes its format. Backups you make stay
until you remove them.`,
    examples: [
      "memoir memory backup",
      "memoir memory backup --list",
      "memoir memory backup --to /media/stick/memoir",
    ],
  },
  restore: {
    does: "Restore a backup (saves the current state first)",
    load: async (): Loading => (await import("../memory/restore.ts")).restore,
    args: [["[backup]", "Its name, the beginning of it, or its folder; the newest by default"]],
    options: {
      "--all": "Also restore the journal, Endless Mode's originals and the model call counts",
      "--config": "Also restore config.json",
      "--dry-run": "Only show what would change",
      "-y, --yes": "Restore without asking",
    },
    more: `Restores memory, its files and plugins' data; other databases only if they can't
be read, or with --all. The server stops meanwhile, and events wait in the
spool. Damaged backups and those of a newer memoir are refused.`,
    examples: ["memoir memory restore", "memoir memory restore 20261121 --dry-run"],
  },
  export: {
    does: "Export your memory as JSON lines",
    load: async (): Loading => (await import("../memory/transfer.ts")).exportMemory,
    args: [["[file]", "The file to write; `-` or nothing is stdout"]],
    options: {
      "-p, --project <project>": "Only this project (name or id; `.` is this folder's)",
      "--since <when>": { says: "Only from this time on", is: "time" },
      "--to <plugin>": "Export in this plugin's own format",
      "--json": "Print a report as JSON",
    },
    more: `One record per line with all its fields, redacted as stored. An export of everything
also has what plugins keep. \`memoir memory import\` reads it into another memory.`,
    examples: [
      "memoir memory export memory.jsonl",
      "memoir memory export --project shop | gzip > shop.jsonl.gz",
    ],
  },
  import: {
    does: "Import an export or another program's memory",
    load:
      async (): Loading =>
      async (
        file: string | undefined,
        options: OptionsOf<(typeof carryCommands)["import"]>,
        terminal: Terminal,
      ) =>
        options.from === undefined
          ? (await import("../memory/transfer.ts")).importMemory(file, options, terminal)
          : (await claudeMem()).importClaudeMem(file, options, terminal),
    args: [["[file]", "An export; `-` is stdin; with --from, that program's database"]],
    options: {
      "--from <program>": { says: "Another program's memory", choices: ["claude-mem"] },
      "--map <name=folder>": {
        says: "With --from: the folder of a project it only knows by name",
        many: true,
      },
      "--dry-run": "Only show what would be stored",
    },
    more: `Safe to repeat. Existing records stay unless the imported ones are newer. Secrets
are removed again, and what you deleted stays deleted. Bad lines are named and
skipped.`,
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
  "change",
  "discovery",
] as const satisfies typeof observationTypes;
const place = {
  "-p, --project <project>": { says: "The project, by name or id", required: true },
  "-s, --session <session>": { says: "The client's session id", required: true },
} as const;
const must = (says: string) => ({ says, required: true }) as const;

/** With which an agent in a shell stores something itself. */
export const storeCommands = {
  "store-memory": {
    does: "Store an observation (safe to repeat)",
    load: async (): Loading => (await import("../memory/store-memory.ts")).storeMemory,
    options: {
      ...place,
      "--title <words>": must("3 to 8 words"),
      "--subtitle <words>": must("At most 24 words: what it means"),
      "--facts <json>": must("A JSON list of 1 to 7 facts, 50 to 150 characters each"),
      "--concepts <json>": must("A JSON list of 1 to 5 broad categories"),
      "--files <json>": must("A JSON list of the files it is about; [] for none"),
      "--date <date>": must("When it happened: 2026-11-21 or an ISO time"),
      "--type <type>": { says: "What kind of finding (discovery by default)", choices: types },
      "--narrative <text>": "The whole story",
      "--prompt <number>": "The number of the prompt it belongs to",
      "--id <name>": "Your own key: nothing is stored twice under it",
    },
    examples: [
      `memoir store-memory --project shop --session 3f2a91c0 --date 2026-11-21 --type bugfix \\
      --title "Refresh loop in login fixed" \\
      --subtitle "An expired token no longer refreshes itself forever" \\
      --facts '["src/auth/refresh.ts: the refresh call bypasses the interceptor"]' \\
      --concepts '["authentication", "http"]' --files '["src/auth/refresh.ts"]'`,
    ],
  },
  "update-session-metadata": {
    does: "Set a session's title and subtitle",
    load: async (): Loading => (await import("../memory/store-memory.ts")).updateSessionMetadata,
    options: {
      ...place,
      "--title <words>": must("3 to 8 words"),
      "--subtitle <words>": must("At most 20 words"),
    },
    examples: [
      `memoir update-session-metadata --project shop --session 3f2a91c0 \\
      --title "Login loop fixed" --subtitle "Expired tokens no longer refresh themselves forever"`,
    ],
  },
  "store-overview": {
    does: "Store a session's overview in two or three sentences",
    load: async (): Loading => (await import("../memory/store-memory.ts")).storeOverview,
    options: {
      ...place,
      "--content <text>": must("What was done, its state, key decisions"),
      "--request <text>": "What the user wanted",
      "--learned <text>": "What was found out about the project",
      "--next-steps <text>": "What remains to do",
    },
    examples: [
      `memoir store-overview --project shop --session 3f2a91c0 \\
      --content "The login loop is fixed and covered by a test." --next-steps "Cover logout too."`,
    ],
  },
} as const satisfies Declared;
