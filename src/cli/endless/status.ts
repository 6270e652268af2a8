// `memoir endless status`: what is on where, what was left out and fetched back, which tools do not pay, how much is kept;
// and `memoir endless gateway status`.

import * as v from "valibot";
import { isThere } from "../../home/read-file.ts";
import { type Database, openDatabase } from "../../host/sqlite.ts";
import { readGatewayRecord } from "../../install/gateway-settings.ts";
import { withoutPasswords } from "../../privacy/passwords.ts";
import { type Config, readConfig } from "../../runtime/config/config.ts";
import type { EndlessStatus } from "../../runtime/endless/endless.ts";
import type { EndlessMetrics } from "../../runtime/endless/metrics.ts";
import { isNamed } from "../../runtime/endless/switch.ts";
import type { GatewayStatus } from "../../server/gateway/gateway.ts";
import { timeIn } from "../../server/inputs.ts";
import type { Answer } from "../../server/route-types.ts";
import { plural } from "../../text/text.ts";
import { ifRunning, server } from "../server/client.ts";
import { setupOf } from "../setup/setup.ts";
import { ago, size, wrap } from "../terminal/layout.ts";
import { printable } from "../terminal/printable.ts";
import type { Terminal } from "../terminal/terminal.ts";
import { type GatewayOptions, isDefault, warning } from "./gateway.ts";
import { type Speed, short, strategySpeeds } from "./metrics.ts";
import { narrowerAddress } from "./narrower-address.ts";

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
    return ["nowhere; `memoir endless on` switches it on in this folder's project"];
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
  const served = await askGateway();
  const elsewhere = await narrowerAddress(config.port, terminal);
  const sums = await readSums(home);
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
  for (const text of sumLines(sums, terminal.now())) line("batches", text);
  const lost = scopeLine(sums, served?.upstream ?? config.upstream);
  if (lost) line("sum", lost);
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

function sumLines({ batches, cache }: GatewaySums, now: number): string[] {
  if (!cache) return [];
  const { read, write, input, answers } = cache;
  const share = Math.round((read / Math.max(1, read + write + input)) * 100);
  const lines = [
    `${plural(answers, "answer")}: ${share} % of input read from the cache, ${write} tokens written to it`,
  ];
  if (batches.length === 0) lines.push("no batch of old results has left");
  for (const { at, session, ids, why } of batches)
    lines.push(`${ago(at, now)}, ${session.slice(0, 8)}: ${plural(ids.length, "result")}; ${why}`);
  return lines;
}

/** Of one input token: written to the cache, and read from it. */
const cachePrices = { writePrice: 1.25, readPrice: 0.1 };

/** What is dearer through an address of one's own, against what batches gain; nothing where the API was never asked directly. */
function scopeLine({ prefixes, gained }: GatewaySums, upstream: string): string | undefined {
  if (prefixes.sessions === 0 || !isDefault(upstream)) return undefined;
  const { writePrice, readPrice } = cachePrices;
  const cost = Math.round(prefixes.tokens * (writePrice - readPrice));
  return `batches gain ${Math.round(gained)} tokens at the input price; ${plural(prefixes.sessions, "session")} began without the cache that all users share, which took at most ${cost}`;
}

async function askGateway(): Promise<GatewayStatus | undefined> {
  const status = await ifRunning(server.get("/api/status", { start: false, timeoutMs: 10_000 }));
  return status?.gateway;
}

// What the strategy `gateway` wrote down: the sums of its batches, and what its sessions' answers took. Read only.

const SumSchema = v.object({
  ids: v.array(v.string()),
  tokens: v.number(),
  rewritten: v.number(),
  turnsToCome: v.number(),
  cost: v.number(),
  gain: v.number(),
  cacheIsCold: v.boolean(),
  why: v.string(),
});

interface GatewaySums {
  /** Newest first, at most five. */
  batches: Array<v.InferOutput<typeof SumSchema> & { session: string; at: number }>;
  /** What all batches gain less what they cost, in tokens at the input price. */
  gained: number;
  /** Sessions, and tokens of the beginning that they share with everybody's. */
  prefixes: { sessions: number; tokens: number };
  /** Input tokens of all answers; absent before the first. */
  cache?: { answers: number; read: number; write: number; input: number };
}

/** Empty where there is no such book. */
async function readSums(home: string): Promise<GatewaySums> {
  const path = `${home}/endless-gateway.db`;
  if (!(await isThere(path)))
    return { batches: [], gained: 0, prefixes: { sessions: 0, tokens: 0 } };
  const db = await openDatabase(path, { readonly: true });
  try {
    const rows = db
      .prepare<{ session: string; at: number; sum: string }>(
        "SELECT session, at, sum FROM batches ORDER BY at DESC LIMIT 5",
      )
      .all();
    const all = db.prepare<{ sum: string }>("SELECT sum FROM batches").all();
    const total = db
      .prepare<{ answers: number; read: number; write: number; input: number }>(
        `SELECT count(*) AS answers, total(cache_read) AS read, total(cache_write) AS write,
         total(input) AS input FROM turns`,
      )
      .get();
    return {
      gained: all
        .map(({ sum }) => v.parse(SumSchema, JSON.parse(sum)))
        .reduce((gained, { gain, cost }) => gained + gain - cost, 0),
      prefixes: prefixesIn(db),
      batches: rows.map(({ session, at, sum }) => ({
        ...v.parse(SumSchema, JSON.parse(sum)),
        ...{ session, at },
      })),
      ...(total && total.answers > 0 && { cache: total }),
    };
  } finally {
    db.close();
  }
}

/** A book that no server of this version opened yet has none. */
function prefixesIn(db: Database): GatewaySums["prefixes"] {
  const isThere = db.prepare("SELECT 1 FROM sqlite_master WHERE name = 'prefixes'").get();
  const found =
    isThere &&
    db
      .prepare<{ sessions: number; tokens: number }>(
        "SELECT count(*) AS sessions, total(tokens) AS tokens FROM prefixes",
      )
      .get();
  return found ? { sessions: found.sessions, tokens: found.tokens } : { sessions: 0, tokens: 0 };
}
