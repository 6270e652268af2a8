// `memoir status`: is it at work, what did it capture, what became of it, and what is wrong.
import { type BoundedSize, boundedSizes } from "../../health/sizes.ts";
import { assertWritable } from "../../home/not-a-file.ts";
import type { Paths } from "../../home/paths.ts";
import { version } from "../../home/version.ts";
import { readConfig } from "../../runtime/config/config.ts";
import { spooledFiles } from "../../runtime/events/spool.ts";
import { readUnkept, unkeptText, whyUnwritable } from "../../runtime/events/unkept.ts";
import { MemoirError } from "../../sdk/errors.ts";
import { plural } from "../../text/text.ts";
import type { Terminal } from "../terminal/terminal.ts";
import { ifRunning, server } from "./client.ts";
import { currentPaths } from "./reach.ts";
import { type Part, partLines, sizeLines, statusLines } from "./status-lines.ts";

/** Prints the status; gives 0 when the server runs, 3 when it does not. Starts nothing. */
export async function status(options: { json?: boolean }, terminal: Terminal): Promise<number> {
  const paths = currentPaths();
  const found = await ifRunning(server.get("/api/status", { start: false, timeoutMs: 10_000 }));
  if (options.json) {
    const { home } = paths;
    const spool = { waiting: (await spooledFiles(paths.spool)).length };
    const notKept = await readUnkept(paths);
    const answer = {
      ...(found ? { running: true, ...found } : { running: false, home, version, spool }),
      ...(notKept && { notKept }),
      sizes: await currentSizes(paths),
      clients: await clientStatuses(terminal),
    };
    terminal.print(JSON.stringify(answer));
  } else {
    if (found) for (const line of statusLines(found, terminal)) terminal.print(line);
    else await printAway(paths, terminal);
    const parts = [clientsPart, hooksPart, unkeptPart, sizesPart, retentionPart];
    for (const part of await Promise.all(parts.map((look) => look(paths, terminal))))
      for (const line of partLines(part, terminal)) terminal.print(line);
  }
  return found ? 0 : 3;
}

/** What is known where no server runs. */
async function printAway(paths: Paths, { print, colors }: Terminal): Promise<void> {
  const { bold, yellow, dim, red } = colors;
  const waiting = (await spooledFiles(paths.spool)).length;
  const closed = await assertWritable(paths.journal).catch((error: unknown) => error);
  print(`${bold("memoir")}  ${yellow("not running")}`);
  print(`  home  ${paths.home}`);
  if (waiting > 0)
    print(`  spool  ${plural(waiting, "event waits", "events wait")} for the server`);
  if (closed instanceof MemoirError) {
    print(`  wrong  ${red(closed.message)}`);
    print(`  fix    ${closed.fix}`);
  } else print(dim("  The next hook starts it, and so does `memoir server start`."));
}

// What is true whether or not a server runs.

/** Only `status` and `doctor` look at clients: other commands do not load what knows them. */
const clientsRoom = async (terminal: Terminal) => ({
  ...(await import("../setup/clients.ts")),
  ...(await import("../setup/doctor/install-checks.ts")),
  setup: (await import("../setup/setup.ts")).setupOf(terminal),
});

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
  const { standings, setup } = await clientsRoom(terminal);
  // What cannot be looked at is the doctor's to tell.
  const found = await standings(setup, terminal).catch(() => []);
  return found.map(({ client, parts }) => ({
    client: client.name,
    title: client.title,
    whole: parts.every(({ state }) => state === "current"),
    files: [...new Set(parts.map(({ path }) => path))],
  }));
}

async function clientsPart(_: Paths, terminal: Terminal): Promise<Part> {
  const found = await clientStatuses(terminal);
  if (found.length === 0) return ["clients", []];
  const { isWithoutClaudeCode, setup } = await clientsRoom(terminal);
  const isAlone = await isWithoutClaudeCode(setup, terminal).catch(() => false);
  const { yellow } = terminal.colors;
  const texts = found.map(({ title, whole }) =>
    whole ? title : `${title} ${yellow("(see `memoir doctor`)")}`,
  );
  return ["clients", [`${isAlone ? "" : "also "}${texts.join(", ")}`]];
}

/** Hooks that a later version, or a plugin, needs are not in the client's settings by themselves. */
async function hooksPart(_: Paths, terminal: Terminal): Promise<Part> {
  const { missingEvents, setup } = await clientsRoom(terminal);
  // Settings that cannot be read are the doctor's to tell.
  const missing = await missingEvents(setup, terminal).catch(() => []);
  if (missing.length === 0) return ["hooks", []];
  const { yellow } = terminal.colors;
  return ["hooks", [`${yellow(`not registered: ${missing.join(", ")}`)}; run \`memoir install\``]];
}

async function unkeptPart(paths: Paths, { colors: { red } }: Terminal): Promise<Part> {
  const [found, closed] = await Promise.all([readUnkept(paths), whyUnwritable(paths)]);
  const texts: string[] = [];
  if (closed !== undefined) texts.push(red(`nothing can be written to ${paths.home}: ${closed}`));
  if (found) texts.push(`${red(unkeptText(found))}; see \`memoir doctor\``);
  return ["not kept", texts];
}

/** How much room the home takes. */
async function sizesPart(paths: Paths, { width }: Terminal): Promise<Part> {
  return ["sizes", sizeLines(await currentSizes(paths), width && width - 12)];
}

async function currentSizes(paths: Paths): Promise<BoundedSize[]> {
  return boundedSizes(paths, (await readConfig(paths.home)).config);
}

/** What memory would let go by the user's rules. */
async function retentionPart(paths: Paths): Promise<Part> {
  const { toGo } = await import("../memory/to-go.ts");
  const said = await toGo(paths);
  return ["to go", said === undefined ? [] : [said]];
}
