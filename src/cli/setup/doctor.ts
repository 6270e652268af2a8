// `memoir doctor`: checks everything memoir needs, and says how to fix what is wrong.

import { readdir, stat, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import process from "node:process";
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
import type { Paths } from "../../home/paths.ts";
import { readFileText } from "../../home/read-file.ts";
import { version } from "../../home/version.ts";
import type { PartFinding } from "../../install/client-files.ts";
import { redactDeep } from "../../privacy/redact.ts";
import { backupPlaces } from "../../runtime/config/backup-places.ts";
import { readConfigOrLast } from "../../runtime/config/config.ts";
import { MemoirError } from "../../sdk/errors.ts";
import type { ServerStatus } from "../../server/schemas/status.ts";
import type { OptionsOf } from "../commands/declared.ts";
import type { setupCommands } from "../commands/setup.ts";
import { checkProxy } from "../endless/gateway.ts";
import { currentPaths, server } from "../server/client.ts";
import { toGo } from "../server/status.ts";
import { ago, printable, wrap } from "../terminal/layout.ts";
import { inJson, markOf } from "../terminal/output.ts";
import type { Terminal } from "../terminal/terminal.ts";
import { type ClientStanding, othersHere, standings } from "./clients.ts";
import {
  checkBinary,
  checkRelease,
  claudeCodeChecks,
  isWithoutClaudeCode,
} from "./doctor/install-checks.ts";
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
    release: checkRelease,
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
  return warn("not running", "It starts by itself when needed, or run `memoir server start`.");
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
async function checkClients({
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
  const paths = currentPaths();
  const { memory } = await backupPlaces(paths);
  const all = [memory, paths.journal, paths.endless, paths.usage];
  const damaged = await checkDatabases(paths.home, all, { now: terminal.now, memory });
  return damaged.length > 0 ? 1 : 0;
}

// `memoir doctor --bundle`: what a bug report needs, without anything that was said, typed or remembered.

/** Lines of each log that go into a report. */
const lastLines = 200;
/** Strings that say what a thing is; under any other name a string may be somebody's own words. */
const names: ReadonlySet<string> = new Set(
  "time level scope message code plugin hook slot kind state version reason client event name model".split(
    " ",
  ),
);
/** Of these not even the shape goes into a report. */
const left: ReadonlySet<string> = new Set([
  "projects",
  "silent",
  "session",
  "sessions",
  "home",
  "token",
]);

/** What `bundleOf` puts together; JSON. */
type Bundle = Readonly<Record<string, unknown>>;

/** The report: versions, config, checks, figures of the server, log lines without their words, sizes of files. */
export async function bundleOf(
  paths: Paths,
  checks: readonly Check[],
  status: ServerStatus | undefined,
  terminal: Terminal,
): Promise<Bundle> {
  const { set, problems } = await readConfigOrLast(paths.home);
  const bundle = {
    made: new Date(terminal.now()).toISOString(),
    memoir: version,
    runs: {
      ...(process.versions.bun && { bun: process.versions.bun }),
      platform: terminal.platform,
      arch: process.arch,
    },
    config: withoutRules(set),
    problems,
    // The last session's title is somebody's own words.
    checks: checks.filter(({ name }) => name !== "last").map(withoutThrown),
    status: status ? figuresOf(status) : "not running",
    files: await sizesOf(paths.home),
    log: await linesOf(paths.log),
    hookLog: await linesOf(paths.hookLog),
  };
  return withoutHome(redactDeep(bundle).value, paths.home, terminal) as Bundle;
}

/** What a plugin threw may quote what it stumbled over. */
function withoutThrown(check: Check): Check {
  const message = check.message.replace(
    /(failed in [\w.:-]+|cannot be loaded): ([\s\S]*?)(?= \([^()]*:\d+:\d+\)| \(\d+ of \d+ calls\)|$)/g,
    (_, what: string, thrown: string) => `${what}: [${thrown.length} characters]`,
  );
  return { ...check, message };
}

/** Rules of redaction may say what must not be said. */
function withoutRules({ privacy, ...rest }: Record<string, unknown>): Record<string, unknown> {
  return privacy === undefined ? rest : { ...rest, privacy: "[left out]" };
}

/** A value with its numbers and names; every other string is replaced by its length. */
export function figuresOf(value: unknown, key = ""): unknown {
  if (typeof value === "string")
    return names.has(key) && value.length <= 120 && !/\s{2}|\n/.test(value) && isName(value, key)
      ? value
      : `[${value.length} characters]`;
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.slice(0, 50).map((item) => figuresOf(item, key));
  return Object.fromEntries(
    Object.entries(value)
      .filter(([name]) => !left.has(name) && /^[\w.:-]{1,60}$/.test(name))
      .map(([name, item]) => [name, figuresOf(item, name)]),
  );
}

/** A log's own message is a sentence of memoir's; everything else that is a name has no blanks. */
const isName = (value: string, key: string): boolean =>
  key === "message" ? !/["'`:]/.test(value) : /^[\w.:@/+-]*$/.test(value);

async function linesOf(path: string): Promise<unknown[]> {
  const text = await readFileText(path).catch(() => "");
  return text
    .trimEnd()
    .split("\n")
    .slice(-lastLines)
    .flatMap((line) => {
      try {
        const { error, ...record } = JSON.parse(line) as Record<string, unknown>;
        // An error's message may quote what it stumbled over; its code may not.
        return [figuresOf(error === undefined ? record : { ...record, error: figuresOf(error) })];
      } catch {
        return line === "" ? [] : [`[${line.length} characters]`];
      }
    });
}

/** Bytes of each file of the home, and of each folder of it together; names of files inside of folders stay out. */
async function sizesOf(home: string): Promise<Record<string, number>> {
  const sizes: Record<string, number> = {};
  for (const entry of await readdir(home, { withFileTypes: true }).catch(() => [])) {
    const path = join(home, entry.name);
    sizes[entry.isDirectory() ? `${entry.name}/` : entry.name] = entry.isDirectory()
      ? await sizeOfFolder(path)
      : ((await stat(path).catch(() => undefined))?.size ?? 0);
  }
  return sizes;
}

async function sizeOfFolder(folder: string): Promise<number> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
  const sizes = entries
    .filter((entry) => entry.isFile())
    .map((entry) =>
      stat(join(entry.parentPath, entry.name))
        .then(({ size }) => size)
        .catch(() => 0),
    );
  return (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
}

/** A person's name stands in the path of the home. */
function withoutHome(value: unknown, home: string, { env }: Terminal): unknown {
  const folders = [home, env.HOME, env.USERPROFILE].filter(
    (folder) => folder !== undefined && folder.length > 1,
  );
  let text = JSON.stringify(value);
  for (const [at, folder] of folders.entries())
    text = text.replaceAll(JSON.stringify(folder).slice(1, -1), at === 0 ? "<home>" : "~");
  return JSON.parse(text);
}

/**
 * Prints the report, then writes it to `file`, where one is named, after asking where somebody is there to answer. Gives
 * 0, also when the answer is no.
 */
export async function giveBundle(
  bundle: Bundle,
  file: string | undefined,
  terminal: Terminal,
): Promise<number> {
  const text = JSON.stringify(bundle, null, 2);
  terminal.print(text);
  if (file === undefined) return 0;
  if (terminal.interactive && !(await terminal.confirm(`Write this to ${file}?`))) return 0;
  await writeFile(resolve(terminal.cwd, file), `${text}\n`, { mode: 0o600, flag: "wx" });
  terminal.warn(`Written to ${file}. Look it through before you send it.`);
  return 0;
}
