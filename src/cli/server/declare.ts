// Declares the commands around the server: hook, serve, start, stop, status.
import { type Command, Option } from "commander";
import { clients } from "../../clients/index.ts";
import type { Run } from "../terminal/run.ts";

interface JsonOption {
  json?: boolean;
}

/** Adds `memoir open` to `program`. */
export function declareOpen(program: Command, run: Run): void {
  program
    .command("open")
    .description("open memory in your browser: search it, read sessions, correct it")
    .option("--print", "only print the address; it opens the page once, within a minute")
    .option("--json", "print JSON")
    .addHelpText("after", "\nExample:\n  $ memoir open")
    .action((options: JsonOption & { print?: boolean }) =>
      run(async (terminal) => (await import("./open.ts")).open(options, terminal)),
    );
}

/** Adds the commands to `program`. */
export function declareServerCommands(program: Command, run: Run): void {
  program
    .command("status")
    .description("show what was captured, what became of it, and how the server is doing")
    .option("--json", "print JSON")
    .addHelpText(
      "after",
      "\nExits with 3 when no server runs.\n\nExample:\n  $ memoir status --json",
    )
    .action((options: JsonOption) =>
      run(async (terminal) => (await import("./status.ts")).status(options, terminal)),
    );
  program
    .command("start")
    .description("start the server in the background; a newer binary takes over from an older one")
    .option("--json", "print JSON")
    .addHelpText("after", "\nExample:\n  $ memoir start")
    .action((options: JsonOption) =>
      run(async (terminal) => (await import("./start.ts")).start(options, terminal)),
    );
  program
    .command("stop")
    .description("finish what is under way and stop the server")
    .option("--json", "print JSON")
    .addHelpText("after", "\nThe next hook starts it again.\n\nExample:\n  $ memoir stop")
    .action((options: JsonOption) =>
      run(async (terminal) => (await import("./stop.ts")).stop(options, terminal)),
    );
  program
    .command("retry")
    .description("put work that was given up after its last try back to work")
    .argument("[ids...]", "ids of `parked` in `memoir status --json`; without any, all of it")
    .option("--json", "print JSON")
    .addHelpText("after", "\nExample:\n  $ memoir retry")
    .action((ids: string[], options: JsonOption) =>
      run(async (terminal) => (await import("./retry.ts")).retry(ids, options, terminal)),
    );
  program
    .command("serve")
    .description("run the server in the foreground")
    .option("--json", "print JSON")
    .addOption(new Option("--stand-in", "only pass on what open sessions send").hideHelp())
    .addHelpText("after", "\nExample:\n  $ memoir serve")
    .action((options: JsonOption & { standIn?: boolean }) =>
      run(async () =>
        options.standIn
          ? (await import("./stand-in.ts")).serveStandIn()
          : (await import("./serve.ts")).serve(options),
      ),
    );
  program
    .command("mcp")
    .description("what a client runs to give its agent memoir's tools: MCP on stdin and stdout")
    .option("--json", "its messages are JSON in any case")
    .addHelpText(
      "after",
      "\nExample:\n  $ memoir mcp     (a client runs it; `memoir install` registers it)",
    )
    .action(() => run(async () => (await import("./mcp.ts")).serveMcp()));
  const names = [...clients].map(([name, { title }]) => `  ${name}   ${title}`).join("\n");
  program
    .command("hook")
    .description(
      "what a client runs on each event: JSON on stdin, JSON or nothing on stdout, always exit 0",
    )
    .argument("[client]", "whose hook it is")
    .option("--home <folder>", "memoir's home, when the client's environment does not name it")
    .option("--json", "nothing else is ever printed")
    .addHelpText(
      "after",
      `\nClients:\n${names}\n\nExample:\n  $ memoir hook claude-code < event.json`,
    )
    // The entry runs the command itself. A hook that names no client must not exit with 2: that would block the agent.
    .action((_client, _options, command: Command) => command.outputHelp());
}
