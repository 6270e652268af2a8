// Declares the commands by which an agent with a shell tells memory something itself.
import { type Command, Option } from "commander";
import type { observationTypes } from "../../sdk/model.ts";
import type { Run } from "../terminal/run.ts";
import type {
  OverviewOptions,
  SessionMetadataOptions,
  StoreMemoryOptions,
} from "./store-memory.ts";

type ObservationType = (typeof observationTypes)[number];
/** Written again, as the compiler checks: with the list itself every command would load the records' schemas. */
const types = Object.keys({
  decision: true,
  bugfix: true,
  feature: true,
  refactor: true,
  discovery: true,
} satisfies Record<ObservationType, true>);

/** Adds the commands to `program`. */
export function declareStoreMemoryCommands(program: Command, run: Run): void {
  const place = (command: Command) =>
    command
      .requiredOption("-p, --project <project>", "the project, by name or id")
      .requiredOption("-s, --session <id>", "the client's session id");

  place(
    program
      .command("store-memory")
      .description("store an observation of your own; the same again stores nothing"),
  )
    .requiredOption("--title <words>", "3 to 8 words")
    .requiredOption("--subtitle <words>", "at most 24 words: what it means")
    .requiredOption("--facts <json>", "a JSON list of 1 to 7 facts, 50 to 150 characters each")
    .requiredOption("--concepts <json>", "a JSON list of 1 to 5 broad categories")
    .requiredOption("--files <json>", "a JSON list of the files it is about; [] for none")
    .requiredOption("--date <date>", "when it happened: 2026-11-21 or an ISO time")
    .addOption(
      new Option("--type <type>", "what kind of finding (discovery by default)").choices(types),
    )
    .option("--narrative <text>", "the whole story")
    .option("--prompt <number>", "the number of the prompt it belongs to")
    .option("--id <id>", "a name of yours: what was stored under it is not stored again")
    .option("--json", "print JSON")
    .addHelpText(
      "after",
      `
Example:
  $ memoir store-memory --project shop --session 3f2a91c0 --date 2026-11-21 --type bugfix \\
      --title "Refresh loop in login fixed" \\
      --subtitle "An expired token no longer refreshes itself for ever" \\
      --facts '["src/auth/refresh.ts: the refresh call bypasses the interceptor"]' \\
      --concepts '["authentication", "http"]' --files '["src/auth/refresh.ts"]'`,
    )
    .action((options: StoreMemoryOptions) =>
      run(async (terminal) => (await import("./store-memory.ts")).storeMemory(options, terminal)),
    );

  place(
    program.command("update-session-metadata").description("give a session its title and subtitle"),
  )
    .requiredOption("--title <words>", "3 to 6 words")
    .requiredOption("--subtitle <words>", "at most 20 words")
    .option("--json", "print JSON")
    .addHelpText(
      "after",
      `
Example:
  $ memoir update-session-metadata --project shop --session 3f2a91c0 \\
      --title "Login loop fixed" --subtitle "Expired tokens no longer refresh themselves for ever"`,
    )
    .action((options: SessionMetadataOptions) =>
      run(async (terminal) =>
        (await import("./store-memory.ts")).updateSessionMetadata(options, terminal),
      ),
    );

  place(
    program
      .command("store-overview")
      .description("store what a session came to, in two or three sentences"),
  )
    .requiredOption("--content <text>", "what was done, the state it is in, key decisions")
    .option("--request <text>", "what the user wanted")
    .option("--learned <text>", "what was found out about the project")
    .option("--next-steps <text>", "what remains")
    .option("--json", "print JSON")
    .addHelpText(
      "after",
      `
Example:
  $ memoir store-overview --project shop --session 3f2a91c0 \\
      --content "The login loop is fixed and covered by a test." --next-steps "Cover logout too."`,
    )
    .action((options: OverviewOptions) =>
      run(async (terminal) => (await import("./store-memory.ts")).storeOverview(options, terminal)),
    );
}
