// `memoir endless metrics`: what was left out by tool and strategy, what requests took, and how held-out sessions compare.

import type { endless } from "../../features/endless.ts";
import type { TurnUsage } from "../../runtime/endless/books.ts";
import type { EndlessMetrics, NoteMetrics, UsageMetrics } from "../../runtime/endless/metrics.ts";
import { short } from "../../text/amounts.ts";
import { plural } from "../../text/text.ts";
import { timeIn } from "../../text/time-of.ts";
import type { OptionsOf } from "../commands/declared.ts";
import { server } from "../server/client.ts";
import { columns, dateTime, printable, wrap } from "../terminal/layout.ts";
import type { Terminal } from "../terminal/terminal.ts";
import { projectMeant, sessionMeant } from "./scope.ts";

type MetricsOptions = OptionsOf<(typeof endless)["operations"]["metrics"]>;

/** How long a strategy's handlers took since the server started. */
export interface Speed {
  strategy: string;
  hook: string;
  calls: number;
  failures: number;
  p50: number | null;
  p99: number | null;
}

/** Prints the report; gives 0. */
export async function endlessMetrics(options: MetricsOptions, terminal: Terminal): Promise<number> {
  const session = options.session && (await sessionMeant(options.session));
  const since = timeIn(options.since, terminal.now(), "--since");
  const project = options.project && (await projectMeant(options.project, terminal.cwd));
  const metrics = await server.get("/api/endless/metrics", {
    query: { since, project, session },
  });
  const speeds = await strategySpeeds();
  if (options.json) {
    terminal.print(JSON.stringify({ ...metrics, speeds }));
    return 0;
  }
  const { bold, dim } = terminal.colors;
  const { width } = terminal;
  const paragraph = (text: string) => (width === undefined ? [text] : wrap(text, width));
  const print = (lines: readonly string[]) => {
    for (const line of lines) terminal.print(printable(line));
  };
  terminal.print(bold(`Since ${dateTime(since)} (--since ${options.since})`));
  const compared = metrics.treated.sessions + metrics.heldOut.sessions > 0;
  if (metrics.tools.length === 0 && metrics.notes.length === 0 && !compared) {
    const where = [
      ...(project === undefined ? [] : [` in project ${project}`]),
      ...(session === undefined ? [] : [` in session ${session}`]),
    ];
    print(paragraph(`Endless Mode did nothing${where.join("")} in that time.`));
    print(paragraph("`memoir endless status` says where it is on."));
    return 0;
  }
  const tables = [toolTable(metrics), noteTable(metrics.notes), usageTable(metrics)];
  // Handlers are timed for all sessions together.
  if (project === undefined && session === undefined) tables.splice(2, 0, speedTable(speeds));
  for (const table of tables) print(tableLines(bold, table, width));
  if (compared) print(["", ...paragraph(metrics.gained.words)]);
  if (compared) print(paragraph(metrics.comparison.words));
  const about =
    "Tokens left out are estimates of four characters each; usage is what the API reported.";
  for (const line of ["", ...paragraph(about)]) terminal.print(dim(line));
  return 0;
}

/** The handlers of the strategies in force. */
export async function strategySpeeds(): Promise<Speed[]> {
  const { plugins, subscriptions } = await server.get("/api/plugins");
  const strategies = plugins.filter(({ fills }) => fills.includes("endless-mode"));
  return subscriptions
    .filter(({ plugin }) => strategies.some(({ name }) => name === plugin))
    .map(({ plugin, hook, calls, failures, p50, p99 }) => ({
      strategy: plugin,
      ...{ hook, calls, failures, p50, p99 },
    }));
}

function toolTable({ tools }: EndlessMetrics): string[][] {
  const head = [
    "Left out",
    "tool",
    "kind",
    "times",
    "of characters",
    "left out",
    "tokens ~",
    "fetched back",
    "pays",
  ];
  return [
    head,
    ...tools.map((one) => [
      one.strategy,
      one.tool,
      one.kind,
      String(one.reduced),
      short(one.characters),
      `${short(one.charactersOut)}${share(one.charactersOut, one.characters)}`,
      short(one.tokensOut),
      one.fetchedBack === 0
        ? "never"
        : `${plural(one.fetchedBack, "time")}, ${short(one.charactersBack)}${share(one.charactersBack, one.charactersOut)}`,
      one.judged ? (one.profits ? "yes" : "no") : "too few to say",
    ]),
  ];
}

function noteTable(notes: readonly NoteMetrics[]): string[][] {
  return [
    ["Noted", "what", "times", "characters", "time", "why"],
    ...notes
      .slice(0, 30)
      .map(({ strategy, kind, reason, count, characters, ms, longestMs }) => [
        strategy,
        kind,
        String(count),
        characters === 0 ? "" : short(characters),
        ms === 0 ? "" : `${seconds(ms / count)} each, at most ${seconds(longestMs)}`,
        reason,
      ]),
  ];
}

function speedTable(speeds: readonly Speed[]): string[][] {
  return [
    ["Speed", "hook", "calls", "p50", "p99"],
    ...speeds
      .filter(({ calls }) => calls > 0)
      .map(({ strategy, hook, calls, failures, p50, p99 }) => [
        strategy,
        hook,
        `${calls}${failures > 0 ? `, ${failures} failed` : ""}`,
        p50 === null ? "" : `${p50.toFixed(1)} ms`,
        p99 === null ? "" : `${p99.toFixed(1)} ms`,
      ]),
  ];
}

function usageTable({ treated, heldOut }: EndlessMetrics): string[][] {
  const rows = [
    ...usageRows("with Endless Mode, before it acted", treated, treated.before),
    ...usageRows("with Endless Mode, since it acted", treated, treated.after),
    ...usageRows("held out", heldOut, heldOut.before),
  ];
  return [
    [
      "Requests",
      "sessions",
      "turns",
      "input",
      "cache read",
      "cache written",
      "output",
      "carried by a turn",
    ],
    ...rows,
  ];
}

function usageRows(name: string, { sessions }: UsageMetrics, usage: TurnUsage): string[][] {
  if (usage.turns === 0) return [];
  const { turns, input, cacheRead, cacheWrite, output } = usage;
  const carried = Math.round((input + cacheRead + cacheWrite) / turns);
  return [
    [
      name,
      ...[sessions, turns].map(String),
      ...[input, cacheRead, cacheWrite, output, carried].map(short),
    ],
  ];
}

/** ` (31 %)`, or nothing where there is no whole. */
function share(part: number, whole: number): string {
  return whole > 0 ? ` (${Math.round((part / whole) * 100)} %)` : "";
}

function seconds(ms: number): string {
  return ms < 1_000 ? `${Math.round(ms)} ms` : `${(ms / 1_000).toFixed(1)} s`;
}

// A table under its head; on a terminal that is too narrow for it, each row is a list.

/** An empty line, the head (the first row), the others; nothing for a table without others. */
function tableLines(
  bold: (text: string) => string,
  rows: readonly string[][],
  width: number | undefined,
): string[] {
  if (rows.length < 2) return [];
  const [head = "", ...body] = columns(rows);
  if (width === undefined || [head, ...body].every((line) => line.length <= width))
    return ["", bold(head), ...body];
  const [names = [], ...entries] = rows;
  const lists = entries.flatMap(([first = "", ...cells]) => [
    first,
    ...columns(cells.flatMap((cell, at) => (cell === "" ? [] : [["", names[at + 1] ?? "", cell]]))),
  ]);
  return ["", bold(names[0] ?? ""), ...lists];
}
