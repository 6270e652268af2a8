// Declares the commands that look into memory: search, show, sessions, timeline, related, context.
import { type Command, Option } from "commander";
import { clients } from "../../clients/index.ts";
import { type RecordKind, searchLevels } from "../../sdk/storage.ts";
import { count, someOf } from "../terminal/option-values.ts";
import type { Run } from "../terminal/run.ts";
import type { ContextOptions } from "./context.ts";
import type { ForgetOptions } from "./forget.ts";
import type { PruneOptions } from "./prune.ts";
import type { RelatedOptions } from "./related.ts";
import type { SearchOptions } from "./search.ts";
import type { SessionsOptions } from "./sessions.ts";
import type { TimelineOptions } from "./timeline.ts";

const kinds: readonly RecordKind[] = [
  "observation",
  "summary",
  "prompt",
  "session",
  "memory",
  "turn",
];
const when = "2h, 3d, yesterday, last week, 2026-11-21 or an ISO time";

/** Several kinds joined by commas are no choice by themselves; the shell offers the single ones. */
function kindOption(): Option {
  const option = new Option("--kind <kind>", "only this kind of record, or a,b");
  option.argParser(someOf(kinds));
  option.argChoices = [...kinds];
  return option;
}

const heard = [...clients.values()].filter(({ abilities }) => abilities.way === "hooks");
const onlyClient = `only sessions of this client: ${heard.map(({ name }) => name).join(", ")}`;

/** Adds the commands to `program`. Long because it is the list of the commands with their options. */
export function declareMemoryCommands(program: Command, run: Run): void {
  program
    .command("search")
    .description("find what is remembered: any of the words, in any order and inflection")
    .argument(
      "[words...]",
      "what to look for; without words, the newest records that fit the options",
    )
    .option("-p, --project <project>", "only this project (name or id; `.` is this folder's)")
    .option("-t, --type <type>", "only observations of this type: decision, bugfix, feature, …")
    .option("-c, --concept <concept>", "only observations with this concept")
    .option("-f, --file <path>", "only what touched this file (the end of a path is enough)")
    .option("-s, --session <id>", "only this session (the beginning of an id is enough)")
    .option("--client <name>", onlyClient)
    .option("--since <when>", `not older than ${when}`)
    .option("--until <when>", "older than that")
    .option("-n, --limit <count>", "how many at most (1 to 200)", count(200), 20)
    .option(
      "-a, --also <words>",
      "the same question in other words, names, file or error text; may be repeated",
      (words: string, before: string[] = []) => [...before, words],
    )
    .option("--explain", "say why each result is there")
    .addOption(
      new Option("--level <level>", "what is searched, from coarse to fine").choices(searchLevels),
    )
    .addOption(kindOption())
    .option("--json", "print JSON")
    .addHelpText(
      "after",
      `
Examples:
  $ memoir search refresh token
  $ memoir search refresh token --also "session expires" --also auth.ts
  $ memoir search --file src/auth.ts --since 3d
  $ memoir search --type decision --project shop --json`,
    )
    .action((words: string[], options: SearchOptions) =>
      run(async (terminal) => (await import("./search.ts")).search(words, options, terminal)),
    );
  program
    .command("reindex")
    .description("make anew what search needs beside the records; they stay as they are")
    .option("--json", "print JSON")
    .addHelpText("after", "\nExample:\n  $ memoir reindex")
    .action((options: { json?: boolean }) =>
      run(async (terminal) => (await import("./reindex.ts")).reindex(options, terminal)),
    );
  program
    .command("forget")
    .description("take records, sessions, or all that fits, out of memory for good")
    .argument("[id...]", "ids as search prints them; a session's takes all that is of it")
    .option("-p, --project <project>", "what is of this project (name or id; `.` is this folder's)")
    .option("-s, --session <id>", "what is of this session (the beginning of an id is enough)")
    .option("-f, --file <path>", "what touched this file (the end of a path is enough)")
    .option("-q, --query <words>", "what a search finds; you choose among it")
    .option("--since <when>", `not older than ${when}`)
    .option("--until <when>", "older than that")
    .option("--derived", "what was derived from it too: observations, summaries, memory items")
    .option("--backups", "backups and damaged files that still hold it too, as a whole")
    .option("--dry-run", "only show what would go")
    .option("-y, --yes", "do not ask")
    .option("--json", "print JSON")
    .addHelpText(
      "after",
      `
Of several options all must hold. Nothing is made of it again, also not by a
backfill. What was derived from a turn stays unless you say otherwise, and is
named; so do the client's own transcripts.

Examples:
  $ memoir forget m4 t12
  $ memoir forget 3f2a91c0 --derived
  $ memoir forget --project shop --since 2026-11-20 --dry-run
  $ memoir forget --query "the customer's name"`,
    )
    .action((ids: string[], options: ForgetOptions) =>
      run(async (terminal) => (await import("./forget.ts")).forget(ids, options, terminal)),
    );
  program
    .command("prune")
    .description("let go now of what `retention.memory` no longer keeps")
    .option("--dry-run", "only show what would go")
    .option("-y, --yes", "do not ask")
    .option("--json", "print JSON")
    .addHelpText(
      "after",
      `
Memory is kept for ever unless you set a rule. With one, the server lets the
oldest sessions go by itself, a few at a time, while nobody asks it anything.

Examples:
  $ memoir config set retention.memory.days 365
  $ memoir prune --dry-run`,
    )
    .action((options: PruneOptions) =>
      run(async (terminal) => (await import("./prune.ts")).prune(options, terminal)),
    );
  program
    .command("show")
    .description(
      "show records in full: turns, observations, summaries, prompts, sessions, memory items",
    )
    .argument("<id...>", "ids as search and timeline print them")
    .option("--json", "print JSON")
    .addHelpText("after", "\nExample:\n  $ memoir show o12 s3")
    .action((ids: string[], options: { json?: boolean }) =>
      run(async (terminal) => (await import("./show.ts")).show(ids, options, terminal)),
    );
  program
    .command("sessions")
    .description("list sessions, newest first; with an id, what happened in that session")
    .argument("[id]", "a session's id or the beginning of it")
    .option("-p, --project <project>", "only this project (name or id; `.` is this folder's)")
    .option("--client <name>", onlyClient)
    .option("--since <when>", `not older than ${when}`)
    .option("--until <when>", "older than that")
    .option("-n, --limit <count>", "how many at most (1 to 500)", count(500), 20)
    .option("--json", "print JSON")
    .addHelpText("after", "\nExamples:\n  $ memoir sessions --since 1w\n  $ memoir sessions 3f2a")
    .action((id: string | undefined, options: SessionsOptions) =>
      run(async (terminal) => (await import("./sessions.ts")).sessions(id, options, terminal)),
    );
  program
    .command("timeline")
    .description("what happened, in order: turns, observations and summaries")
    .argument("[id]", "a record to look around from")
    .option("-p, --project <project>", "only this project (name or id; `.` is this folder's)")
    .option("-s, --session <id>", "only this session (the beginning of an id is enough)")
    .option("--client <name>", onlyClient)
    .option("--since <when>", `not older than ${when}`)
    .option("--until <when>", "older than that")
    .option("-n, --limit <count>", "how many at most (1 to 500)", count(500), 50)
    .option("--json", "print JSON")
    .addHelpText(
      "after",
      "\nExamples:\n  $ memoir timeline --project . --since today\n  $ memoir timeline o12",
    )
    .action((id: string | undefined, options: TimelineOptions) =>
      run(async (terminal) => (await import("./timeline.ts")).timeline(id, options, terminal)),
    );
  program
    .command("related")
    .description(
      "what else belongs to a record: the same files, names, errors, commits; work that went on",
    )
    .argument("<id>", "an id as search and timeline print them")
    .option("-p, --project <project>", "of this project instead (name or id)")
    .option("--client <name>", onlyClient)
    .option("--since <when>", `not older than ${when}`)
    .option("--until <when>", "older than that")
    .option("-n, --limit <count>", "how many at most (1 to 200)", count(200), 20)
    .addOption(kindOption())
    .option("--json", "print JSON")
    .addHelpText("after", "\nExample:\n  $ memoir related t12 --since 30d")
    .action((id: string, options: RelatedOptions) =>
      run(async (terminal) => (await import("./related.ts")).related(id, options, terminal)),
    );
  program
    .command("context")
    .description("print the context that a session starting in this folder would be given")
    .option("--cwd <folder>", "another folder")
    .addOption(
      new Option("--source <source>", "how the session starts")
        .choices(["startup", "resume", "clear", "compact"])
        .default("startup"),
    )
    .option("--prompt <text>", "what this prompt would be given instead")
    .option("--json", "print JSON")
    .addHelpText(
      "after",
      '\nExamples:\n  $ memoir context\n  $ memoir context --prompt "why is login slow"',
    )
    .action((options: ContextOptions) =>
      run(async (terminal) => (await import("./context.ts")).context(options, terminal)),
    );
}
