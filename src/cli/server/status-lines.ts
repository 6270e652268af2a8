// The lines that `memoir status` shows a person.

import { rebuildText, wrongIn } from "../../health/server-checks.ts";
import type { BoundedSize } from "../../health/sizes.ts";
import type { ServerStatus } from "../../server/schemas/status.ts";
import { baseName, plural } from "../../text/text.ts";
import { modelLines } from "../models/model-lines.ts";
import { ago, columns, size, wrap } from "../terminal/layout.ts";
import type { Terminal } from "../terminal/terminal.ts";

/** A label, and what stands behind it; nothing is left out. */
export type Part = readonly [label: string, texts: readonly string[]];

/** A line for each text, the label before the first. */
export function partLines(
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
    total(events, "event", "events") || "nothing yet",
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
      ? [`search is being made anew: ${index.indexed} of ${plural(index.records, "record")}`]
      : index?.madeAnewAt !== undefined
        ? [
            `search was made anew ${ago(index.madeAnewAt, now)}: it was damaged, incomplete or of another version`,
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

/** Only what fell silent: that hints are given is no news. */
function hints({ journal }: ServerStatus): string[] {
  if ("error" in journal) return [];
  return journal.silent.map(({ project, kind, keptBack }) => {
    const since = keptBack === 0 ? "" : `; ${keptBack} kept back in the last week`;
    return `${kind}: silent in ${baseName(project)}, nobody used them${since} (\`memoir memory stats\`)`;
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
