// The commands around recorded sessions: backfill, figures, transcripts.
import { clients } from "../../clients/index.ts";
import type { Declared } from "./declared.ts";
import { when } from "./memory.ts";

const which = [["[which]", "a `.jsonl` file, or a session's id or the beginning of it"]] as const;
const last = { "--last": "the session that changed last" } as const;
const jsonLines = { "--json": "print JSON, an object a line" } as const;

/** The clients whose history is read. */
const recorded = [...clients.values()]
  .flatMap(({ abilities, title }) => (abilities.backfill ? [title] : []))
  .join(", ");

/** What reads them, and what came of it. */
export const historyCommands = {
  backfill: {
    does: "read recorded sessions into memory, newest first; safe to repeat and to interrupt",
    args: [
      ["[path...]", `transcript folders or \`.jsonl\` files; default: the history of ${recorded}`],
    ],
    options: {
      "-p, --project <folder>": "only sessions in this folder (its name or path; `.` is this one)",
      "--since <when>": `only sessions that went on after ${when}`,
      "--provider <name>": "`none` asks no model; a provider's name allows the one in force",
      "--dry-run": "show what would be read, read nothing into memory",
      "-y, --yes": "do not ask; with a provider in force, only together with --provider",
    },
    more: "Ctrl-C stops it; the same command goes on from there. Exits with 1 when something was not read.",
    examples: [
      "memoir backfill --dry-run",
      "memoir backfill --provider none --yes",
      "memoir backfill --project shop --since 1w",
    ],
  },
  stats: {
    does: "what memory cost and what it gave back, by day and project",
    options: {
      "-p, --project <project>": "only this project (name or id; `.` is this folder's)",
      "--since <when>": { says: `not older than ${when}`, default: "30d" },
    },
    examples: ["memoir memory stats", "memoir memory stats --project . --since 1w --json"],
  },
  transcript: {
    does: "read clients' recorded sessions: dump, check, count",
    usually: "list",
    examples: ["memoir session dump --last"],
    commands: {
      dump: {
        does: "print a session to be read: what was asked, said and done",
        args: which,
        options: { ...last, "--thinking": "also what the model thought", ...jsonLines },
        examples: ["memoir session dump --last | less"],
      },
      markdown: {
        does: "print every line and field of a transcript as Markdown",
        args: which,
        options: { ...last, ...jsonLines },
        examples: ["memoir session markdown 3f2a > s.md"],
      },
      context: {
        does: "print what an observation is given around a tool use",
        args: which,
        options: { ...last, "--tool <id>": "the tool use; default: the last one" },
        examples: ["memoir session context --last --json"],
      },
      examples: {
        does: "print requests with the reasoning that followed them",
        args: which,
        options: {
          ...last,
          "-n, --limit <count>": {
            says: "how many at most (1 to 1000)",
            most: 1_000,
            default: 5,
          },
        },
        examples: ["memoir session examples --last -n 3"],
      },
      stats: {
        does: "count entries, tools, tokens and cost; a folder is added up",
        args: which,
        options: last,
        examples: ["memoir session stats ~/.claude/projects"],
      },
      validate: {
        does: "name the lines that cannot be read; exits with 1 when there are any",
        args: which,
        options: last,
        examples: ["memoir session validate --last"],
      },
      list: {
        does: "list recorded sessions, newest first",
        args: [["[folder]", "a folder of a client's sessions; default: every client's"]],
        options: {
          "-n, --limit <count>": {
            says: "how many at most (1 to 10000)",
            most: 10_000,
            default: 20,
          },
        },
        examples: ["memoir session list -n 50"],
      },
    },
  },
} as const satisfies Declared;
