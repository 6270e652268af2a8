// `memoir status`: is it at work, what did it capture, what became of it, and what is wrong.

import { type BoundedSize, boundedSizes } from "../../health/sizes.ts";
import { assertWritable } from "../../home/not-a-file.ts";
import { version } from "../../home/version.ts";
import { readConfig } from "../../runtime/config/config.ts";
import { spooledFiles } from "../../runtime/events/spool.ts";
import { readUnkept, unkeptText, whyUnwritable } from "../../runtime/events/unkept.ts";
import { MemoirError } from "../../sdk/errors.ts";
import { plural } from "../../text/text.ts";
import type { Terminal } from "../terminal/terminal.ts";
import { ifRunning, server } from "./client.ts";
import { currentPaths } from "./reach.ts";
import { sizeLines, statusLines } from "./status-lines.ts";

/** Prints the status; gives 0 when the server runs, 3 when it does not. Starts nothing. */
export async function status(options: { json?: boolean }, terminal: Terminal): Promise<number> {
  const code = await serverStatus(options, terminal);
  if (!options.json) {
    const more = [
      ...[clientLines(terminal), hookLines(terminal), unkeptLines(terminal), tableLines(terminal)],
      retentionLines(terminal),
    ];
    for (const line of (await Promise.all(more)).flat()) terminal.print(line);
  }
  return code;
}

/** Hooks that a later version, or a plugin, needs are not in the client's settings by themselves. */
async function hookLines(terminal: Terminal): Promise<string[]> {
  const { missingEvents } = await import("../setup/doctor/install-checks.ts");
  const { setupOf } = await import("../setup/setup.ts");
  // Settings that cannot be read are the doctor's to tell.
  const missing = await missingEvents(setupOf(terminal), terminal).catch(() => []);
  if (missing.length === 0) return [];
  const { yellow } = terminal.colors;
  return [`  hooks     ${yellow(`not registered: ${missing.join(", ")}`)}; run \`memoir install\``];
}

/** A client beside Claude Code that memoir is registered with. */
interface ClientStatus {
  client: string;
  title: string;
  /** All that an install writes stands there as this version writes it. */
  whole: boolean;
  /** Absolute. */
  files: string[];
}

async function clientStatuses(terminal: Terminal): Promise<ClientStatus[]> {
  const { standings } = await import("../setup/clients.ts");
  const { setupOf } = await import("../setup/setup.ts");
  // What cannot be looked at is the doctor's to tell.
  const found = await standings(setupOf(terminal), terminal).catch(() => []);
  return found.map(({ client, parts }) => ({
    ...{ client: client.name, title: client.title },
    whole: parts.every(({ state }) => state === "current"),
    files: [...new Set(parts.map(({ path }) => path))],
  }));
}

async function clientLines(terminal: Terminal): Promise<string[]> {
  const found = await clientStatuses(terminal);
  if (found.length === 0) return [];
  const { isWithoutClaudeCode } = await import("../setup/doctor/install-checks.ts");
  const { setupOf } = await import("../setup/setup.ts");
  const isAlone = await isWithoutClaudeCode(setupOf(terminal), terminal).catch(() => false);
  const { dim, yellow } = terminal.colors;
  const texts = found.map(({ title, whole }) =>
    whole ? title : `${title} ${yellow("(see `memoir doctor`)")}`,
  );
  return [`  ${dim("clients".padEnd(10))}${isAlone ? "" : "also "}${texts.join(", ")}`];
}

/** How much room the home takes. */
async function tableLines({ colors: { dim }, width }: Terminal): Promise<string[]> {
  const lines = sizeLines(await currentSizes(), width && width - 12);
  return lines.map((line, at) => `  ${dim((at === 0 ? "sizes" : "").padEnd(10))}${line}`);
}

async function currentSizes(): Promise<BoundedSize[]> {
  const paths = currentPaths();
  return boundedSizes(paths, (await readConfig(paths.home)).config);
}

/** What memory would let go by the user's rules. */
async function retentionLines({ colors: { dim } }: Terminal): Promise<string[]> {
  const { toGo } = await import("../memory/to-go.ts");
  const said = await toGo(currentPaths());
  return said === undefined ? [] : [`  ${dim("to go".padEnd(10))}${said}`];
}

/** Read here: it is true whether or not a server runs. */
async function unkeptLines({ colors: { red } }: Terminal): Promise<string[]> {
  const paths = currentPaths();
  const [found, closed] = await Promise.all([readUnkept(paths), whyUnwritable(paths)]);
  return [
    ...(closed === undefined
      ? []
      : [`  not kept  ${red(`nothing can be written to ${paths.home}: ${closed}`)}`]),
    ...(found ? [`  not kept  ${red(unkeptText(found))}; see \`memoir doctor\``] : []),
  ];
}

async function serverStatus(options: { json?: boolean }, terminal: Terminal): Promise<number> {
  const paths = currentPaths();
  const unkept = await readUnkept(paths);
  const ofHome = {
    ...(unkept && { notKept: unkept }),
    ...(options.json && { sizes: await currentSizes(), clients: await clientStatuses(terminal) }),
  };
  const found = await ifRunning(server.get("/api/status", { start: false, timeoutMs: 10_000 }));
  if (found) {
    if (options.json) terminal.print(JSON.stringify({ running: true, ...found, ...ofHome }));
    else for (const line of statusLines(found, terminal)) terminal.print(line);
    return 0;
  }
  const waiting = (await spooledFiles(paths.spool)).length;
  if (options.json) {
    const { home } = paths;
    const spool = { waiting };
    terminal.print(JSON.stringify({ running: false, home, version, spool, ...ofHome }));
    return 3;
  }
  const { bold, yellow, dim, red } = terminal.colors;
  const closed = await assertWritable(paths.journal).catch((error: unknown) => error);
  terminal.print(`${bold("memoir")}  ${yellow("not running")}`);
  terminal.print(`  home  ${paths.home}`);
  if (waiting > 0)
    terminal.print(`  spool  ${plural(waiting, "event waits", "events wait")} for the server`);
  if (closed instanceof MemoirError) {
    terminal.print(`  wrong  ${red(closed.message)}`);
    terminal.print(`  fix    ${closed.fix}`);
  } else terminal.print(dim("  The next hook starts it, and so does `memoir server start`."));
  return 3;
}
