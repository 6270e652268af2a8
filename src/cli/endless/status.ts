// `memoir endless status`: what is on where, what was left out and fetched back, which tools do not pay, how much is kept.

import { withoutPasswords } from "../../privacy/passwords.ts";
import { type Config, readConfig } from "../../runtime/config/config.ts";
import type { EndlessStatus } from "../../runtime/endless/endless.ts";
import type { EndlessMetrics } from "../../runtime/endless/metrics.ts";
import { isNamed } from "../../runtime/endless/switch.ts";
import { timeIn } from "../../server/inputs.ts";
import type { Answer } from "../../server/route-types.ts";
import { plural } from "../../text/text.ts";
import { ifRunning, server } from "../server/client.ts";
import { setupOf } from "../setup/setup.ts";
import { ago, size, wrap } from "../terminal/layout.ts";
import { printable } from "../terminal/printable.ts";
import type { Terminal } from "../terminal/terminal.ts";
import { type Speed, short, strategySpeeds } from "./metrics.ts";

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
