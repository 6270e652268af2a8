// `memoir doctor`: checks everything memoir needs, and says how to fix what is wrong.
import {
  type Check,
  type Checks,
  checked,
  type Finding,
  fail,
  ok,
  warn,
} from "../../health/check.ts";
import {
  folderChecks,
  type HomeAsked,
  keptChecks,
  settingsChecks,
} from "../../health/home-checks.ts";
import { checkStatus } from "../../health/server-checks.ts";
import { checkDatabases } from "../../home/database/check-databases.ts";
import type { PartFinding } from "../../install/client-files.ts";
import { backupPlaces } from "../../runtime/config/backup-places.ts";
import { MemoirError } from "../../sdk/errors.ts";
import type { ServerStatus } from "../../server/schemas/status.ts";
import type { OptionsOf } from "../commands/declared.ts";
import type { setupCommands } from "../commands/setup.ts";
import { checkProxy } from "../endless/narrower-address.ts";
import { toGo } from "../memory/to-go.ts";
import { currentPaths, server } from "../server/client.ts";
import { lowerPriority } from "../server/low-priority.ts";
import { inJson, markOf } from "../terminal/agree.ts";
import { ago, wrap } from "../terminal/layout.ts";
import { printable } from "../terminal/printable.ts";
import type { Terminal } from "../terminal/terminal.ts";
import { type ClientStanding, othersHere, standings } from "./clients.ts";
import { checkBinary, claudeCodeChecks, isWithoutClaudeCode } from "./doctor/install-checks.ts";
import { runInstalled } from "./installed-binary.ts";
import { type Setup, setupOf } from "./setup.ts";

type DoctorOptions = OptionsOf<(typeof setupCommands)["doctor"]>;

/** Prints every check. Gives 1 when one of them failed, 0 else. Starts and changes nothing; `seen` notes that findings were read. */
export async function doctor(options: DoctorOptions, terminal: Terminal): Promise<number> {
  if (options.daily) return dailyCheck(terminal);
  const setup = setupOf(terminal);
  const { paths } = setup;
  const status = serverStatus();
  // Its own check reports what goes wrong with it.
  status.catch(() => undefined);
  const checks = await checked(await checksHere(setup, terminal), {
    ...{ paths, setup, terminal, status, platform: terminal.platform, env: terminal.env },
    ...{ now: terminal.now(), seen: options.seen === true, toGo: () => toGo(paths) },
    // One that answers nonsense is there too.
    served: () => status.then(Boolean, () => true),
  });
  if (options.bundle !== undefined) {
    const { bundleOf, giveBundle } = await import("./doctor/bundle.ts");
    const found = await status.catch(() => undefined);
    const file = typeof options.bundle === "string" ? options.bundle : undefined;
    return giveBundle(await bundleOf(paths, checks, found, terminal), file, terminal);
  }
  const failed = checks.filter(({ state }) => state === "fail").length;
  if (inJson({ ok: failed === 0, checks, log: paths.log }, options, terminal))
    return failed === 0 ? 0 : 1;
  for (const check of printable(checks)) printCheck(check, terminal);
  const warned = checks.filter(({ state }) => state === "warn").length;
  terminal.print("");
  if (failed + warned === 0) terminal.print("Everything is fine.");
  else terminal.print(`${failed} to fix, ${warned} to look at. Log: ${paths.log}`);
  return failed === 0 ? 0 : 1;
}

interface Asked extends HomeAsked {
  setup: Setup;
  terminal: Terminal;
  status: Promise<ServerStatus | undefined>;
}

/** All checks, in the order in which they are shown. */
async function checksHere(setup: Setup, terminal: Terminal): Promise<Checks<Asked>> {
  const others = await standings(setup, terminal).catch(() => []);
  // Nothing is wrong with Claude Code where memoir serves other clients and was never registered there.
  const isLeftOut =
    others.length > 0 && (await isWithoutClaudeCode(setup, terminal).catch(() => false));
  const leftOut: Checks<Asked> = {
    hooks: () => ok("for other clients; `memoir install` adds memoir to Claude Code"),
  };
  return {
    ...folderChecks,
    binary: checkBinary,
    ...(isLeftOut ? leftOut : claudeCodeChecks),
    clients: checkClients,
    ...settingsChecks,
    proxy: () => checkProxy(terminal),
    server: checkServer,
    last: checkLastSession,
    ...keptChecks,
  };
}

async function checkServer({ status, now }: Asked): Promise<Finding | Check[]> {
  const found = await status;
  if (found) return checkStatus(found, now);
  return warn("not running", "The next hook starts it; so does `memoir server start`.");
}

async function serverStatus(): Promise<ServerStatus | undefined> {
  try {
    return await server.get("/api/status", { start: false, timeoutMs: 5_000 });
  } catch (error) {
    const isAway = error instanceof MemoirError && error.code === "server_unreachable";
    if (isAway && error.message.includes("not running")) return undefined;
    throw error;
  }
}

/** The newest session; nothing when storage, which another check reports, does not answer. */
async function checkLastSession({ now }: Asked): Promise<Finding | undefined> {
  const answer = await server
    .get("/api/sessions", { query: { limit: 1 }, start: false })
    .catch(() => undefined);
  const last = answer?.sessions[0];
  return (
    last && ok(`${last.project.name}, ${ago(last.lastActiveAt, now)}: ${last.title || "untitled"}`)
  );
}

function printCheck({ name, state, message, fix }: Check, terminal: Terminal): void {
  const [first = "", ...rest] = wrap(message, terminal.width, " ".repeat(12));
  terminal.print(`${markOf(state, terminal)} ${name.padEnd(9)} ${first.trimStart()}`);
  for (const line of rest) terminal.print(line);
  if (!fix) return;
  const [begin = "", ...more] = wrap(fix, terminal.width, " ".repeat(17));
  terminal.print(`${" ".repeat(12)}${terminal.colors.cyan("fix:")} ${begin.trimStart()}`);
  for (const line of more) terminal.print(line);
}

// How memoir stands in the clients beside Claude Code: hooks and tools as they should be, and what only the client can tell.

const versionMs = 5_000;

/** One finding for each thing that is wrong, one line for a client where all is well, by the client's name; and who else is here. */
export async function checkClients({
  setup,
  terminal,
}: {
  setup: Setup;
  terminal: Terminal;
}): Promise<Finding[]> {
  const standing = await standings(setup, terminal);
  const known = new Set(standing.map(({ client }) => client));
  const others = (await othersHere(terminal)).filter((client) => !known.has(client));
  const found = (await Promise.all(standing.map((one) => findingsOf(one, terminal)))).flat();
  if (others.length === 0) return found;
  const titles = others.map(({ title }) => title).join(", ");
  const names = others.map(({ name }) => name).join(" ");
  const adds = `\`memoir install ${names}\` adds it`;
  return [...found, ok(`also here: ${titles} without memoir; ${adds}`)];
}

async function findingsOf(
  { client: { name, title }, adapter, place, parts }: ClientStanding,
  terminal: Terminal,
): Promise<Finding[]> {
  const wrong = parts.flatMap((part) => wrongPart(part, name) ?? []);
  const own = (await adapter.registration?.look?.(place)) ?? [];
  const found = [...wrong, ...own].map((one) => ({
    ...one,
    name,
    message: `${title}: ${one.message}`,
  }));
  if (wrong.length > 0) return found;
  const version = await versionOf(adapter.registration?.program ?? "", terminal);
  const where = [...new Set(parts.map(({ path }) => path))].join(" and ");
  return [{ ...ok(`${[title, version].filter(Boolean).join(" ")}: ${where}`), name }, ...found];
}

function wrongPart({ path, what, state }: PartFinding, name: string): Finding | undefined {
  const again = `Run \`memoir install ${name}\`.`;
  const of = `${what} in ${path}`;
  const found = {
    none: fail(`${of}: missing`, again),
    current: undefined,
    other: fail(`${of}: not as this version writes it`, again),
    foreign: warn(`${of}: something else bears memoir's name`, "Give that another name."),
    unreadable: fail(`${of}: cannot be read`, `Look at the file, then: ${again}`),
  };
  return found[state];
}

/** What the client says of itself; nothing where it is not in the PATH. */
async function versionOf(program: string, { env }: Terminal): Promise<string> {
  const asked = { ...env, MEMOIR_INTERNAL: "1" };
  const said = await runInstalled(program, ["--version"], asked, versionMs).catch(() => "");
  return /\d+\.\d+(?:\.\d+)?[\w.-]*/.exec(said)?.[0] ?? "";
}

/** `memoir doctor --daily`: the server starts it once a day, to find damage that nobody has met yet. Gives 1 for that; it is noted as a finding. */
async function dailyCheck(terminal: Terminal): Promise<number> {
  lowerPriority();
  const paths = currentPaths();
  const { memory } = await backupPlaces(paths);
  const all = [memory, paths.journal, paths.endless, paths.usage];
  const damaged = await checkDatabases(paths.home, all, { now: terminal.now, memory });
  return damaged.length > 0 ? 1 : 0;
}
