// `memoir endless status`: what is on where, what was left out and fetched back, which tools do not pay, how much is kept;
// and `memoir endless gateway status`.

import { readGatewayRecord } from "../../install/gateway-settings.ts";
import { withoutPasswords } from "../../privacy/passwords.ts";
import { type Config, readConfig } from "../../runtime/config/config.ts";
import type { EndlessMetrics, NoteMetrics } from "../../runtime/endless/metrics.ts";
import { isNamed } from "../../runtime/endless/switch.ts";
import type { EndlessStatus } from "../../runtime/status-schema.ts";
import type { Answer } from "../../server/route-types.ts";
import type { GatewayStatus } from "../../server/schemas/status.ts";
import { short } from "../../text/amounts.ts";
import { plural } from "../../text/text.ts";
import { timeIn } from "../../text/time-of.ts";
import { ifRunning, server } from "../server/client.ts";
import { setupOf } from "../setup/setup.ts";
import { ago, printable, size, wrap } from "../terminal/layout.ts";
import type { Terminal } from "../terminal/terminal.ts";
import { type GatewayOptions, isDefault, narrowerAddress, warning } from "./gateway.ts";
import { type Speed, strategySpeeds } from "./metrics.ts";

/** What the server knows. */
interface Served extends Pick<Answer<"/api/status">, "endless" | "plugins" | "gateway"> {
  today: EndlessMetrics;
  total: EndlessMetrics;
  speeds: Speed[];
}

type EndlessConfig = Config["endless"];

/** Prints it; gives 0, or 3 when no server runs. Starts nothing. */
export async function endlessStatus(
  options: { json?: boolean },
  terminal: Terminal,
): Promise<number> {
  const { config } = await readConfig(setupOf(terminal).paths.home);
  const { everywhere, projects, sessions, holdOut, keepDays, keepBytes, gateway } = config.endless;
  const served = await ask(terminal);
  if (options.json) {
    const where = { everywhere, projects, sessions, holdOut, keepDays, keepBytes, gateway };
    terminal.print(JSON.stringify({ running: served !== undefined, config: where, ...served }));
    return served ? 0 : 3;
  }
  const { dim, bold } = terminal.colors;
  const parts: Array<[string, string[]]> = [
    ["on", whereLines(config.endless)],
    ...(gateway.enabled || isNamed(config.endless, "gateway")
      ? [["gateway", gatewayLines(config.endless)] as [string, string[]]]
      : []),
    ...(served ? servedParts(served, config.endless, terminal.now()) : []),
  ];
  terminal.print(bold("Endless Mode"));
  const room = terminal.width && terminal.width - 14;
  for (const [label, texts] of parts) {
    const lines = texts.flatMap((text) => (room ? wrap(text, room) : [text]));
    for (const [at, line] of lines.entries())
      terminal.print(`  ${dim((at === 0 ? label : "").padEnd(12))}${printable(line)}`);
  }
  if (!served)
    terminal.print(
      dim("  No server runs, so there are no figures; `memoir server start` starts it."),
    );
  return served ? 0 : 3;
}

async function ask(terminal: Terminal): Promise<Served | undefined> {
  const today = timeIn("today", terminal.now(), "today");
  const status = await ifRunning(server.get("/api/status", { start: false, timeoutMs: 10_000 }));
  if (!status) return undefined;
  const { endless, plugins, gateway } = status;
  return {
    endless,
    plugins: plugins.filter(({ fills, name }) => fills.includes("endless-mode") && name !== "off"),
    today: await server.get("/api/endless/metrics", { query: { since: today } }),
    total: await server.get("/api/endless/metrics"),
    speeds: await strategySpeeds(),
    ...(gateway === undefined ? {} : { gateway }),
  };
}

function whereLines({ everywhere, projects, sessions, holdOut }: EndlessConfig): string[] {
  const words = (list: readonly string[]) => (list.length > 0 ? list.join(", ") : "off");
  const lines = [
    ...(everywhere.length > 0 ? [`everywhere: ${words(everywhere)}`] : []),
    ...Object.entries(projects).map(([id, list]) => `project ${id}: ${words(list)}`),
    ...Object.entries(sessions).map(([id, list]) => `session ${id}: ${words(list)}`),
  ];
  if (lines.length === 0)
    return ["nowhere; `memoir endless on` enables it in this folder's project"];
  if (holdOut > 0)
    lines.push(`${Math.round(holdOut * 100)} % of sessions stay untouched, for comparison`);
  return lines;
}

function gatewayLines(config: EndlessConfig): string[] {
  const { enabled, port, upstream } = config.gateway;
  if (!enabled)
    return ["off: the strategy gateway sees no session; `memoir endless gateway on` changes that"];
  return [
    `http://127.0.0.1:${port} to ${withoutPasswords(upstream)}; \`memoir endless gateway status\` says more`,
  ];
}

function servedParts(
  served: Served,
  config: EndlessConfig,
  now: number,
): Array<[string, string[]]> {
  const { plugins, speeds, today, total, endless } = served;
  const losing = total.tools.filter(({ profits }) => !profits);
  const failed = plugins.filter(({ state }) => state === "failed");
  return [
    ["strategies", plugins.map(({ name }) => strategyLine(name, speeds))],
    ["left out", bothTimes(sums(today), sums(total))],
    ["fetched", bothTimes(backSums(today), backSums(total))],
    ["gained", total.gained.sessions === 0 ? [] : [total.gained.words]],
    [
      "no gain",
      losing.map(
        ({ strategy, tool, kind, why }) =>
          `${strategy} on ${tool}${kind === "" ? "" : `, ${kind}`}: ${why}`,
      ),
    ],
    ["kept", [keptLine(endless, config, now)]],
    ["wrong", failed.map(({ name, error }) => `${name}: ${error ?? "failed"}`)],
  ].filter((part): part is [string, string[]] => (part[1]?.length ?? 0) > 0);
}

/** Handlers that take less are not worth a word. */
const leastMs = 0.1;

function strategyLine(name: string, speeds: readonly Speed[]): string {
  const called = speeds.filter(({ strategy, calls }) => strategy === name && calls > 0);
  if (called.length === 0) return `${name}: not called yet`;
  // Hooks in which it only takes note say nothing.
  const telling = called.filter(({ failures, p50 }) => failures > 0 || (p50 ?? 0) >= leastMs);
  const busiest = called.toSorted((a, b) => b.calls - a.calls).slice(0, 1);
  const calls = (telling.length > 0 ? telling : busiest).map(
    ({ hook, calls, failures, p50 }) =>
      `${hook} ${plural(calls, "call")}${failures > 0 ? `, ${failures} failed` : ""}${p50 === null ? "" : `, ${p50.toFixed(1)} ms`}`,
  );
  return `${name}: ${calls.join("; ")}`;
}

function bothTimes(today: string, total: string): string[] {
  return total === "nothing" ? [total] : [`today ${today}`, `in all ${total}`];
}

function sums({ tools }: EndlessMetrics): string {
  const add = (field: "reduced" | "charactersOut" | "tokensOut") =>
    tools.reduce((sum, one) => sum + one[field], 0);
  if (add("reduced") === 0) return "nothing";
  return `${short(add("charactersOut"))} characters, about ${short(add("tokensOut"))} tokens, ${plural(add("reduced"), "time")}`;
}

function backSums({ tools }: EndlessMetrics): string {
  const times = tools.reduce((sum, one) => sum + one.fetchedBack, 0);
  const characters = tools.reduce((sum, one) => sum + one.charactersBack, 0);
  return times === 0 ? "nothing" : `${short(characters)} characters, ${plural(times, "time")}`;
}

function keptLine(
  { kept, fileBytes, error }: EndlessStatus,
  { keepDays, keepBytes }: EndlessConfig,
  now: number,
): string {
  if (error !== undefined) return `cannot be read: ${error}`;
  if (!kept || kept.references === 0) return "nothing";
  const oldest = kept.oldestAt === null ? "" : `, the oldest ${ago(kept.oldestAt, now)}`;
  return `${plural(kept.references, "original")} of ${size(kept.characters)} in ${size(kept.bytes)} (file ${size(fileBytes)})${oldest}; for ${plural(keepDays, "day")}, at most ${size(keepBytes)}`;
}

// `memoir endless gateway status`: where requests go, what became of them, and the sums of the last batches.

/** Prints it; gives 0, 1 when it is on and does not work, 3 when no server runs. Starts nothing. */
export async function gatewayStatus(options: GatewayOptions, terminal: Terminal): Promise<number> {
  const { home } = setupOf(terminal).paths;
  const { gateway: config } = (await readConfig(home)).config.endless;
  const record = await readGatewayRecord(home);
  const status = await ifRunning(server.get("/api/status", { start: false, timeoutMs: 10_000 }));
  const served = status?.gateway;
  const elsewhere = await narrowerAddress(config.port, terminal);
  const sums = served && sumsOf(await server.get("/api/endless/metrics"));
  const isBroken = served !== undefined && config.enabled && !served.listening;
  const code = served === undefined ? 3 : isBroken ? 1 : 0;
  if (options.json) {
    const settings = record?.settings ?? null;
    const status = served ?? { ...config, listening: false };
    terminal.print(
      JSON.stringify({ running: served !== undefined, ...status, settings, elsewhere, ...sums }),
    );
    return code;
  }
  const { bold, dim, red } = terminal.colors;
  const line = (label: string, text: string) =>
    terminal.print(`  ${dim(label.padEnd(10))}${printable(text)}`);
  terminal.print(`${bold("gateway")} ${config.enabled ? "on" : "off"}`);
  const by = served?.proxy === undefined ? "" : `, through the proxy ${served.proxy}`;
  line("requests", `http://127.0.0.1:${config.port} → ${withoutPasswords(config.upstream)}${by}`);
  line("settings", record ? `${record.settings} leads here` : "no client is led here");
  if (elsewhere)
    line(
      "but",
      `${elsewhere.path} sets ${elsewhere.url ?? elsewhere.variable}, which counts in this folder`,
    );
  if (!served)
    terminal.print(
      dim("  No server runs; the next hook starts it, and so does `memoir server start`."),
    );
  else for (const text of servedLines(served)) line("passed", text);
  if (served?.error) terminal.print(`  ${red("wrong".padEnd(10))}${printable(served.error)}`);
  if (served && sums)
    for (const part of sumLines(sums, served.upstream, terminal.now())) line(...part);
  if (config.enabled) terminal.print(dim(`  ${warning}`));
  return code;
}

function servedLines(status: GatewayStatus): string[] {
  const { enabled, listening, requests, rewritten, unsure, failed, whole, unreached, refused } =
    status;
  if (!listening) return [enabled ? "it does not listen" : "it is off"];
  const parts: Array<[number, string]> = [
    [rewritten, "rewritten"],
    [unsure, "left alone as unsure"],
    [failed, "left alone as a strategy failed"],
    [whole, "sent again whole, as the API refused the shortened form"],
    [unreached, "did not reach the API"],
    [refused, "refused"],
  ];
  const said = parts.filter(([count]) => count > 0).map(([count, text]) => `${count} ${text}`);
  const open = enabled ? [] : ["for sessions that are still open, unchanged"];
  return [[plural(requests, "request"), ...said, ...open].join(", ")];
}

/** What the books say of the strategy `gateway`. */
function sumsOf({ notes, treated, gained }: EndlessMetrics) {
  const own = (kind: NoteMetrics["kind"]) =>
    notes.filter((note) => note.strategy === "gateway" && note.kind === kind);
  const unshared = own("unshared");
  const { before, after } = treated;
  const sum = (field: "turns" | "cacheRead" | "cacheWrite" | "input") =>
    before[field] + after[field];
  return {
    /** Newest first, at most five. */
    batches: own("retired")
      .sort((one, other) => other.at - one.at)
      .slice(0, 5)
      .map(({ at, session, reason }) => ({ at, session, why: reason })),
    gained,
    /** Sessions, and tokens of the beginning that they share with everybody's. */
    prefixes: {
      sessions: unshared.reduce((all, { count }) => all + count, 0),
      tokens: unshared.reduce((all, { tokens }) => all + tokens, 0),
    },
    /** Of all requests of sessions with Endless Mode. */
    cache: {
      ...{ answers: sum("turns"), input: sum("input") },
      ...{ read: sum("cacheRead"), write: sum("cacheWrite") },
    },
  };
}

/** Of one input token: written to the cache, and read from it. */
const cachePrices = { writePrice: 1.25, readPrice: 0.1 };

/** What was sent and what it gained, against what is dearer through an address of one's own. */
function sumLines(
  { batches, cache, gained, prefixes }: ReturnType<typeof sumsOf>,
  upstream: string,
  now: number,
): Array<[label: string, text: string]> {
  const { read, write, input, answers } = cache;
  const share = Math.round((read / Math.max(1, read + write + input)) * 100);
  const lines: Array<[string, string]> = [];
  if (answers > 0) {
    const words = `${share} % of input read from the cache, ${write} tokens written to it`;
    lines.push(["cache", `${plural(answers, "answer")}: ${words}`], ["gained", gained.words]);
  }
  for (const { at, session, why } of batches)
    lines.push(["batches", `${ago(at, now)}, ${session.slice(0, 8)}: ${why}`]);
  const { writePrice, readPrice } = cachePrices;
  const cost = Math.round(prefixes.tokens * (writePrice - readPrice));
  if (prefixes.sessions > 0 && isDefault(upstream))
    lines.push([
      "sum",
      `${plural(prefixes.sessions, "session")} began without the cache that all users share, which took at most ${cost} tokens at the input price`,
    ]);
  return lines;
}
