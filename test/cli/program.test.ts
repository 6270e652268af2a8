// The command line itself: help, exit codes and errors, without a server.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { allCommands, declareProgram, main } from "../../src/cli/program.ts";
import { version } from "../../src/home/version.ts";
import { ownHome } from "../support/own-home.ts";
import { plainTerminal } from "../support/plain-terminal.ts";

// One of them asks a server before it refuses what was typed.
let place: Awaited<ReturnType<typeof ownHome>>;
beforeAll(async () => {
  place = await ownHome();
});
afterAll(() => place.end());

async function run(...args: string[]) {
  const terminal = plainTerminal({ env: { HOME: "/nowhere" } });
  const code = await main(["memoir", "memoir", ...args], terminal);
  return { code, out: terminal.out.join("\n"), err: terminal.err.join("\n") };
}

describe("program", () => {
  const program = declareProgram(plainTerminal(), async () => {});
  const commands = allCommands(program);

  test("has every command that the manual names", () => {
    expect(commands.map((command) => command.name()).sort()).toEqual(
      [
        ...[
          "ask",
          "completions",
          "config",
          "confirm",
          "context",
          "demo",
          "disable",
          "doctor",
          "enable",
          "edit",
          "forget",
          "get",
          "hide",
          "hook",
          "install",
          "mcp",
          "merge",
        ],
        ...["projects", "list", "join", "split", "rename"],
        ...[
          "list",
          "open",
          "path",
          "pin",
          "plugin",
          "prune",
          "schema",
          "search",
          "serve",
          "sessions",
          "set",
          "show",
          "show",
        ],
        ...["unhide", "unpin"],
        // Of Endless Mode.
        ...["recall", "endless", "on", "off", "status", "metrics", "restore"],
        ...["gateway", "on", "off", "status"],
        ...[
          "provider",
          "list",
          "test",
          "key",
          "stats",
          "reindex",
          "backup",
          "restore",
          "export",
          "import",
          "redact",
          "related",
          "retry",
          "start",
          "status",
          "stop",
          "timeline",
          "uninstall",
          "unset",
          "upgrade",
          "version",
        ],
        ...[
          "backfill",
          "memory",
          "session",
          "server",
          "status",
          "list",
          "dump",
          "markdown",
          "examples",
          "stats",
          "validate",
        ],
        ...["sync", "init", "invite", "join", "share", "unshare", "status", "now"],
        ...["members", "remove", "leave"],
        ...["store-memory", "update-session-metadata", "store-overview"],
        ...["new", "check", "test", "dev", "add", "remove", "info", "docs", "trust"],
        "context",
      ].sort(),
    );
  });

  test.each(commands.map((command) => [command.name(), command] as const))(
    "%s has a description and, in its help, an example and every option explained",
    async (_name, command) => {
      const path: string[] = [];
      for (let at = command; at.parent; at = at.parent) path.unshift(at.name());
      const { out, code } = await run(...path, "--help");
      expect(code).toBe(0);
      expect(command.description()).not.toBe("");
      expect(out).toContain(`$ memoir ${path[0]}`);
      if (command.commands.length === 0) expect(out).toContain("--json");
      for (const option of command.options) expect(option.description).not.toBe("");
      for (const line of out.split("\n")) expect(line.length).toBeLessThanOrEqual(100);
    },
  );

  test("without a command it shows help", async () => {
    const { code, out } = await run();
    expect([code, out.includes("  install   Install memoir")]).toEqual([0, true]);
  });

  test.each([["version"], ["--version"], ["-V"]])("%s", async (word) => {
    const { code, out } = await run(word);
    expect([code, out.endsWith(version)]).toEqual([0, true]);
  });

  test("a hook that names no client does not block the agent", async () => {
    expect((await run("hook")).code).toBe(0);
  });

  test("the first help fits a screen and leads to every command in one step", async () => {
    const { out } = await run();
    const lines = out.split("\n");
    expect(lines.length).toBeLessThanOrEqual(24);
    for (const line of lines) expect(line.length).toBeLessThanOrEqual(80);
    const rows = lines.flatMap((line) => /^ {2}([a-z]+) /.exec(line)?.[1] ?? []);
    const everyday =
      "install status search show open context sessions backfill doctor config plugin help";
    expect(rows.slice(0, 12)).toEqual(everyday.split(" "));
    const [, also = ""] = /^Also: (.*)\.$/m.exec(out) ?? [];
    const named = new Set([...rows, ...also.split(", ")]);
    for (const name of ["ask", "demo", "provider", "uninstall", "upgrade"])
      expect(named).toContain(name);
    const left = program.commands.map((one) => one.name()).filter((name) => !named.has(name));
    // Typed by programs alone.
    expect(left.sort()).toEqual(
      "hook mcp recall serve store-memory store-overview update-session-metadata".split(" "),
    );
  });

  test("`help all` lists every command", async () => {
    const all = (await run("help", "all")).out;
    for (const line of ["memoir memory pin ", "memoir uninstall ", "memoir endless gateway on "])
      expect(all).toContain(line);
  });

  test.each([
    [["help", "pin"], "memoir pin", "memoir memory pin"],
    [["transcript", "--help"], "memoir transcript", "memoir session"],
    [["stop", "--help"], "memoir stop", "memoir server stop"],
  ])("%p still works, and names its new spelling", async (args, old, now) => {
    const { code, out, err } = await run(...args);
    expect([code, out.split("\n")[0]]).toEqual([0, expect.stringContaining(`Usage: ${now} `)]);
    expect(err).toBe(`\`${old}\` is now \`${now}\`; the next version drops the old name.`);
  });

  const mistakes: Array<[string[], string, string]> = [
    [["serach"], "Unknown command 'serach'.", "Did you mean search?"],
    [["search", "--lmit", "3"], "Unknown option '--lmit'.", "Did you mean --limit?"],
    [
      ["search", "--no-cache and why"],
      "Unknown option '--no-cache and why'.",
      'memoir search -- "--no-cache and why"',
    ],
    [["show", "--no-cache"], "Unknown option '--no-cache'.", "See `memoir show --help`"],
    [["search", "--limit", "many"], "whole number from 1 to 200", "--help"],
    [["search", "--limit", "0"], "whole number from 1 to 200", "--help"],
    [["search", "--limit", "1.5"], "whole number from 1 to 200", "--help"],
    [["search", "--limit", "201"], "whole number from 1 to 200", "--help"],
    [["search", "--kind", ""], "Allowed choices are observation", "--help"],
    [["search", "--level", "deep"], "Allowed choices are sessions, summaries", "--help"],
    [["search", "--since", "soon"], "--since cannot be read as a date: soon", "yesterday"],
    [["show"], "Missing required argument 'id'.", "`memoir show --help`"],
    [
      ["memory", "merge", "m4"],
      "Missing required argument 'id'.",
      "Give <id>: ids of its duplicates.",
    ],
    [["plugin", "info"], "Missing required argument 'plugin'.", "`memoir plugin info --help`"],
    [["version", "twice"], "Too many arguments", "--help"],
    [
      ["sync", "init", "postgres", "postgres://ada:secret@host/db"],
      "A connection string is not typed as an argument.",
      "`memoir sync init postgres`",
    ],
    [
      ["sync", "join", "memoir-invitation-1.eyJ"],
      "not typed as an argument.",
      "`memoir sync join`",
    ],
    [["help", "nope"], "Unknown command 'nope'.", "memoir help all"],
    [["help", "config", "nope"], "Unknown command 'nope'.", "`memoir config --help`"],
    [["help", "plugin", "chek"], "Unknown command 'chek'.", "Did you mean check?"],
    [["search", "--kind", "npm", "x"], "Allowed choices are observation, summary", "--help"],
    [["search", "--kind", "turn,memry"], "Allowed choices are observation", "Did you mean memory?"],
    [["search", "--level", "session"], "Allowed choices are sessions", "Did you mean sessions?"],
    [["provider", "key", "foo"], 'There is no provider "foo".', "A key is for one of anthropic"],
    [["provider", "key", "claude-cli"], "claude-cli needs no key.", "slots.provider claude-cli"],
    [["provider", "key", "openai"], 'There is no provider "openai".', "openai-compatible"],
    [["plugin", "enabel", "x"], "Unknown command 'enabel'", "enable"],
    [["config", "get", "nothing.here"], "There is no setting nothing.here.", "schema"],
    [["config", "get", "log.levl"], "There is no setting log.levl.", "Did you mean log.level?"],
    [["config", "get", "plugins.hybrid.nothing"], "There is no setting", "schema"],
    [["completions", "basch"], "Unknown shell 'basch'. Allowed choices", "Did you mean bash?"],
    [["memory", "list"], "Unknown command 'list'.", "There is `memoir memory related`"],
    [["memory", "serch"], "Unknown command 'serch'.", "There is `memoir search`"],
    [["update"], "Unknown command 'update'.", "There is `memoir upgrade`"],
    // Nothing that deletes is proposed.
    [["memory", "delete"], "Unknown command 'delete'.", "fix: `memoir memory --help` lists"],
    [["completions", "fis"], "Allowed choices are bash, zsh, fish", "Did you mean fish?"],
    [["upgrade", "--back", "--check"], "cannot be used with option '--check'", "--help"],
    [["sessions", ""], "The session is empty.", "`memoir sessions --help`"],
    [["show", "o1", " "], "The id is empty.", "`memoir show --help`"],
    [["config", "get", ""], "The key is empty.", "`memoir config get --help`"],
    [["frobnicate"], "Unknown command 'frobnicate'.", "`memoir help all` lists every command"],
    [["config", "unset", "log.levl"], "There is no setting log.levl.", "Did you mean log.level?"],
    [["context", "--prompt", " "], "The prompt is empty.", ""],
    [["context", "--cwd", "/no/such"], "There is no folder /no/such.", "`--cwd`"],
  ];
  test.each(mistakes)(
    "%p: exit 2, one line of error, one of advice",
    async (args, message, fix) => {
      const { code, out, err } = await run(...args);
      expect(code).toBe(2);
      expect(out).toBe("");
      expect(err.split("\n")).toHaveLength(2);
      expect(err).toContain(message);
      expect(err.split("\n")[1]).toContain(fix);
      const inJson = await run(...args, "--json");
      expect(inJson.err).toBe("");
      expect(JSON.parse(inJson.out).error).toMatchObject({ code: "usage" });
    },
  );
});
