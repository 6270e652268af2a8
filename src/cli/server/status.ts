// `memoir status`: is it at work, what did it capture, what became of it, and what is wrong.
import { existsSync } from "node:fs";
import { rebuildText, wrongIn } from "../../health/server-checks.ts";
import { type BoundedSize, boundedSizes } from "../../health/sizes.ts";
import { assertWritable } from "../../home/make-home.ts";
import type { Paths } from "../../home/paths.ts";
import { version } from "../../home/version.ts";
import { readConfig } from "../../runtime/config/config.ts";
import { readUnkept, spooledFiles, unkeptText, whyUnwritable } from "../../runtime/events/spool.ts";
import { MemoirError } from "../../sdk/errors.ts";
import type { ServerStatus } from "../../server/schemas/status.ts";
import { baseName, plural } from "../../text/text.ts";
import { modelLines } from "../models/provider.ts";
import { standings } from "../setup/clients.ts";
import { isWithoutClaudeCode, missingEvents } from "../setup/doctor/install-checks.ts";
import { setupOf } from "../setup/setup.ts";
import { ago, columns, size, wrap } from "../terminal/layout.ts";
import type { Terminal } from "../terminal/terminal.ts";
import { currentPaths, ifRunning, server } from "./client.ts";

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
  } else if (existsSync(paths.home))
    print(dim("  It starts by itself when needed, or run `memoir server start`."));
  else print("  Nothing is set up yet: `memoir install` connects your coding agents.");
}

// What is true whether or not a server runs.

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
  // The doctor reports what cannot be looked at.
  const found = await standings(setupOf(terminal), terminal).catch(() => []);
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
  const isAlone = await isWithoutClaudeCode(setupOf(terminal), terminal).catch(() => false);
  const { yellow } = terminal.colors;
  const texts = found.map(({ title, whole }) =>
    whole ? title : `${title} ${yellow("(see `memoir doctor`)")}`,
  );
  return ["clients", [`${isAlone ? "" : "also "}${texts.join(", ")}`]];
}

/** Hooks that a later version, or a plugin, needs are not in the client's settings by themselves. */
async function hooksPart(_: Paths, terminal: Terminal): Promise<Part> {
  // The doctor reports settings that cannot be read.
  const missing = await missingEvents(setupOf(terminal), terminal).catch(() => []);
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
  const said = await toGo(paths);
  return ["to go", said === undefined ? [] : [said]];
}

// The lines that `memoir status` shows a person.

/** A label, and what stands behind it; nothing is left out. */
type Part = readonly [label: string, texts: readonly string[]];

/** A line for each text, the label before the first. */
function partLines(
  [label, texts]: Part,
  { colors }: Pick<Terminal, "colors">,
  paint: (text: string) => string = colors.dim,
): string[] {
  return texts.map((text, at) => `  ${paint((at === 0 ? label : "").padEnd(10))}${text}`);
}

/** One headline, then a label and its texts per line; what is wrong comes last and is left out when nothing is. */
export function statusLines(
  status: ServerStatus,
  { colors, now, width }: Pick<Terminal, "colors" | "now" | "width">,
): string[] {
  const { bold, green, red, dim } = colors;
  const wrong = problems(status, now());
  const since = ago(status.startedAt, now()).replace(" ago", "");
  const up = since === "just now" ? "just started" : `up ${since}`;
  const headline = `${bold("memoir")} ${status.version}  ${green("running")}  ${dim(`pid ${status.pid}, ${up}`)}`;
  const parts: Part[] = [
    ["home", [status.home]],
    ["listens", [status.socket ?? "", `http://127.0.0.1:${status.port}`].filter(Boolean)],
    ["captured", captured(status)],
    ["processed", processed(status)],
    ["waiting", waiting(status)],
    ["memory", memory(status, now())],
    ["rebuild", rebuild(status)],
    ["hints", hints(status)],
    ["endless", endless(status)],
    ["models", modelLines(status.models, now())],
    ["plugins", plugins(status)],
  ];
  const room = width && width - 12;
  const fitting = (texts: readonly string[]) =>
    texts.flatMap((text) => (room ? wrap(text, room) : [text]));
  const lines = parts.flatMap(([label, texts]) => partLines([label, fitting(texts)], { colors }));
  return [headline, ...lines, ...partLines(["wrong", fitting(wrong)], { colors }, red)];
}

function captured(status: ServerStatus): string[] {
  const counters = countersOf(status);
  const events = counted(counters, "event:");
  const dropped = counted(counters, "drop:");
  const refused = Object.entries(status.refused);
  return [
    total(events, "event", "events") || "nothing yet (`memoir doctor` checks your agents)",
    ...listed("left out", dropped),
    ...listed("refused", refused),
  ];
}

function processed(status: ServerStatus): string[] {
  const counters = countersOf(status);
  const settled = counted(counters, "settled:");
  const outcomes = total(settled, "tool use", "tool uses");
  return [outcomes || "nothing yet", ...listed("skipped", counted(counters, "skip:"))];
}

function waiting({ journal, spool }: ServerStatus): string[] {
  if ("error" in journal)
    return [plural(spool.waiting, "event in the spool", "events in the spool")];
  const work = journal.pendingWork + journal.leasedWork;
  const spooled = spool.waiting > 0 ? `, ${spool.waiting} in the spool` : "";
  const pending = `${plural(journal.pendingEvents, "event")}, ${plural(work, "piece")} of work${spooled}`;
  const nothing = journal.pendingEvents + work + spool.waiting === 0;
  return [nothing ? "nothing" : pending];
}

function memory({ storage, journal }: ServerStatus, now: number): string[] {
  if ("error" in storage) return ["not readable"];
  const journalSize = "error" in journal ? "" : `, journal ${size(journal.bytes)}`;
  const counts = [
    plural(storage.observations, "observation"),
    plural(storage.summaries, "summary", "summaries"),
    plural(storage.sessions, "session"),
    plural(storage.projects.length, "project"),
  ];
  const { index } = storage;
  const making =
    index && !index.isWhole
      ? [`rebuilding the search index: ${index.indexed} of ${plural(index.records, "record")}`]
      : index?.madeAnewAt !== undefined
        ? [
            `the search index was rebuilt ${ago(index.madeAnewAt, now)}: it was damaged, incomplete or of another version`,
          ]
        : [];
  return [
    `${counts.join(", ")}; ${size(storage.bytes)}${journalSize}`,
    ...making,
    ...meaning(storage),
  ];
}

/** Whom questions and turns are sent to, and how far it is. */
function meaning({
  meaning,
  turns,
}: Extract<ServerStatus["storage"], { turns: number }>): string[] {
  if (!meaning) return [];
  const trouble = meaning.trouble === undefined ? "" : `; words alone find: ${meaning.trouble}`;
  const made = meaning.model === "" ? "" : ` by ${meaning.model}`;
  return [`meaning of ${meaning.turns} of ${plural(turns, "turn")}${made}${trouble}`];
}

/** Only what is shown less: that hints are given is no news. */
function hints({ journal }: ServerStatus): string[] {
  if ("error" in journal) return [];
  return journal.silent.map(({ project, kind, keptBack }) => {
    const often = `${keptBack} kept back in the last week`;
    return `${kind}: shown less in ${baseName(project)}, nobody used them; ${often} (\`memoir memory stats\`)`;
  });
}

/** While what a damage took is made again. */
function rebuild({ rebuild }: ServerStatus): string[] {
  return rebuild ? [rebuildText(rebuild)] : [];
}

function endless({ endless: { kept, fileBytes } }: ServerStatus): string[] {
  if (!kept || kept.references === 0) return [];
  const originals = plural(kept.references, "original");
  return [
    `${originals} of ${size(kept.characters)} kept in ${size(fileBytes)}; see \`memoir endless\``,
  ];
}

function plugins({ plugins }: ServerStatus): string[] {
  const running = plugins.filter(({ state }) => state === "running").map(({ name }) => name);
  return [`${running.length} running: ${running.join(", ")}`];
}

/** What the config says wrongly, what was found out about files, and what does not work as it should. */
function problems(status: ServerStatus, now: number): string[] {
  return [
    ...status.config.problems.map(({ text }) => `${status.config.path}: ${text}`),
    ...status.findings.map(({ time, text }) => `${ago(time, now)}: ${text}`),
    ...wrongIn(status, now),
  ];
}

function countersOf({ journal }: ServerStatus): Record<string, number> {
  return "error" in journal ? {} : journal.counters;
}

/** Counters whose names begin with `prefix`, without it, largest first. */
function counted(counters: Record<string, number>, prefix: string): Array<[string, number]> {
  return Object.entries(counters)
    .filter(([name, count]) => name.startsWith(prefix) && count > 0)
    .map(([name, count]): [string, number] => [name.slice(prefix.length), count])
    .sort((a, b) => b[1] - a[1]);
}

/** `12 events: 9 PostToolUse, 3 Stop`, or nothing when there are none. */
function total(counts: Array<[string, number]>, one: string, many: string): string {
  const sum = counts.reduce((all, [, count]) => all + count, 0);
  if (sum === 0) return "";
  return `${plural(sum, one, many)}: ${counts.map(([name, count]) => `${count} ${name}`).join(", ")}`;
}

/** `left out 3: 2 skipped tool, 1 …`, or no line. */
function listed(label: string, counts: Array<[string, number]>): string[] {
  const sum = counts.reduce((all, [, count]) => all + count, 0);
  if (sum === 0) return [];
  return [`${label} ${sum}: ${counts.map(([name, count]) => `${count} ${name}`).join(", ")}`];
}

// `memoir status`'s table of sizes.

/** The lines below `sizes`. */
export function sizeLines(sizes: readonly BoundedSize[], width?: number): string[] {
  return columns(
    sizes.map(({ name, bytes, bound }) => [name, size(bytes), bound]),
    width,
  );
}

// What the retention policy is about to delete, in a line.

/** Undefined where there are no rules, nothing would go, or nobody is there to ask. */
export async function toGo({ home }: Paths): Promise<string | undefined> {
  const { memory } = (await readConfig(home)).config.retention;
  const { isForEver, saidOf } = await import("../../health/sizes.ts");
  if (isForEver(memory)) return undefined;
  const asked = server.get("/api/retention", { start: false, timeoutMs: 30_000 });
  const plan = await ifRunning(asked).catch(() => undefined);
  const said = plan && saidOf(plan);
  return said === undefined ? undefined : `${said}; see \`memoir memory prune --dry-run\``;
}
