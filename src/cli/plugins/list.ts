// `memoir plugin list` and `info`: every plugin with its hooks and what they cost, or everything about one.

import { stat } from "node:fs/promises";
import { relative } from "node:path";
import { failing, type PausedPart, pausedParts } from "../../health/server-checks.ts";
import { memoirPaths, type Paths, userHome } from "../../home/paths.ts";
import { readLedger } from "../../install/file-change.ts";
import { planRegistration } from "../../install/settings.ts";
import type { JsonSchema } from "../../runtime/config/json-schema.ts";
import { asLongAsItTakes } from "../../runtime/hooks/parts.ts";
import { type declaredIn, declaredNear } from "../../runtime/isolation/reach.ts";
import { describePlugins, pluginNamed, readOptions } from "../../runtime/plugins/describe.ts";
import { fingerprint, type Overlooked, overlookedIn } from "../../runtime/plugins/find.ts";
import { localStates } from "../../runtime/plugins/project-plugins.ts";
import { commandFor, waitsFor } from "../../runtime/plugins/registry.ts";
import type { LocalState, PluginInfo, SubscriptionInfo } from "../../runtime/ports.ts";
import type { Contribution } from "../../runtime/status-schema.ts";
import { commandClash } from "../commands/contributed.ts";
import { commands } from "../commands/index.ts";
import { ifRunning, server } from "../server/client.ts";
import { setupOf, wantedRegistration } from "../setup/setup.ts";
import { columns, dateTime, fit, printable, width as widthOf, wrap } from "../terminal/layout.ts";
import { inJson } from "../terminal/output.ts";
import type { Terminal } from "../terminal/terminal.ts";
import { reachWords } from "./declared-hooks.ts";

/** Plugins as the server or config sees them. */
interface PluginList {
  plugins: PluginInfo[];
  subscriptions: SubscriptionInfo[];
  /** What they bring beside hooks. */
  contributions: Contribution[];
  /** Folders of projects that bring plugins. */
  local: LocalState[];
  /** What lies in the plugins folder and is no plugin. */
  overlooked?: Overlooked[];
}

/** Prints plugins and their subscriptions: the server's view when one runs, else the config's. Gives 0. */
export async function listPlugins(
  options: { json?: boolean; all?: boolean },
  terminal: Terminal,
): Promise<number> {
  const list = await currentPlugins(terminal);
  if (inJson(list, options, terminal)) return 0;
  for (const line of listLines(printable(list), setupOf(terminal).paths.home, terminal, options))
    terminal.print(line);
  for (const settings of await unregistered(terminal))
    terminal.print(
      terminal.colors.yellow(`${settings}: not every event is registered. Run \`memoir install\`.`),
    );
  return 0;
}

/** Settings files in which an event that plugins need is missing: a file that was dropped in registers nothing. */
async function unregistered(terminal: Terminal): Promise<string[]> {
  const setup = setupOf(terminal);
  const entries = await readLedger(setup.paths.home).catch(() => []);
  if (entries.length === 0) return [];
  const { wanted } = await wantedRegistration(setup, terminal);
  const missing: string[] = [];
  for (const { settings } of entries)
    if ((await planRegistration(settings, wanted)).diff.length > 0) missing.push(settings);
  return missing;
}

type ShownList = Omit<PluginList, "contributions"> & Partial<Pick<PluginList, "contributions">>;

/** Where it is asked from. */
const doorsOf = ({ ownDoors, for: doors = [] }: Pick<Contribution, "for" | "ownDoors">) =>
  ownDoors ?? doors;

/** What a plugin brings, as a row among its hooks. */
function asRow({ part, refused, ...one }: Contribution): Row {
  const more = refused ? ["refused"] : doorsOf(one);
  return { ...one, hook: [part, more.join(", ")].filter(Boolean).join("  "), order: "normal" };
}

/** What a line of the list needs of a subscription. */
type Row = Pick<
  SubscriptionInfo,
  "calls" | "failures" | "p50" | "p99" | "filter" | "order" | "lastError" | "plugin"
> & { hook: string };

/** The lines of the list, for a terminal of any width. */
export function listLines(
  { plugins, subscriptions, contributions = [], local, overlooked = [] }: ShownList,
  home: string,
  { colors, width, now }: Pick<Terminal, "colors" | "width"> & Partial<Pick<Terminal, "now">>,
  { all = false }: { all?: boolean } = {},
): string[] {
  const { dim } = colors;
  const own = plugins.filter(({ origin }) => origin !== "built-in");
  const builtIn = plugins.filter(({ origin }) => origin === "built-in");
  const shown = builtIn.filter(({ state }) => all || state !== "disabled");
  const off = builtIn.filter((plugin) => !shown.includes(plugin)).map(({ name }) => name);
  const print = (one: PluginInfo) =>
    pluginLines(
      one,
      [
        ...subscriptionsOf(one, plugins, subscriptions),
        // Of what is built in the help says more.
        ...contributions
          .filter(({ plugin }) => plugin === one.name && (all || one.origin !== "built-in"))
          .map(asRow),
      ],
      { home, colors, width },
      pausedParts(plugins, subscriptions, now?.() ?? Date.now()).filter(
        ({ plugin }) => plugin === one.name,
      ),
    );
  const sections = [
    ...(own.length + overlooked.length > 0 ? [dim("yours"), ...own.flatMap(print)] : []),
    ...overlooked.flatMap(({ name, why }) =>
      wrap(`○ ${name} is no plugin: ${why}.`, width, "    ").map((line, at) =>
        colors.yellow(at === 0 ? line.trimStart() : line),
      ),
    ),
    ...local.flatMap((one) => localLines(one, { colors, width })),
    ...(own.length + local.length + overlooked.length > 0 ? ["", dim("built in")] : []),
    ...shown.flatMap(print),
  ];
  if (off.length === 0) return sections;
  const [first = "", ...rest] = wrap(`off: ${off.join(", ")}`, width && width - 2, "  ");
  return [...sections, dim(`○ ${first.trimStart()}`), ...rest.map(dim)];
}

/** Subscriptions name their plugin; two plugins may have one name, a failed one beside one that runs, or those of two projects. */
function subscriptionsOf(
  plugin: PluginInfo,
  all: readonly PluginInfo[],
  subscriptions: readonly SubscriptionInfo[],
): SubscriptionInfo[] {
  if (plugin.state !== "running" && plugin.state !== "enabled") return [];
  const named = subscriptions.filter((subscription) => subscription.plugin === plugin.name);
  const isShared = all.some((one) => one !== plugin && one.name === plugin.name && one.projects);
  if (!isShared) return named;
  const projects = plugin.projects?.join();
  return named.filter(({ filter }) => filter?.project?.join() === projects);
}

interface Look extends Pick<Terminal, "colors" | "width"> {
  home: string;
}

function pluginLines(
  plugin: PluginInfo,
  own: Row[],
  look: Look,
  paused: readonly PausedPart[],
): string[] {
  const { bold, dim, red, yellow } = look.colors;
  const isIn = plugin.state === "running" || plugin.state === "enabled";
  const roles = isIn ? plugin.fills : plugin.slots;
  // What was not loaded has no description, nor slots that are known.
  const isUnknown = !isIn && plugin.description === "";
  const alone = plugin.brings && own.length === 0 ? "" : "listener";
  const role = roles.join(", ") || (isUnknown ? "" : alone);
  const fate = { disabled: "off", waiting: "waits", failed: "failed", running: "", enabled: "" };
  const head = `${markOf(plugin, look)} ${bold(plugin.name)}${role && `  ${role}`}`;
  const notes = [
    fate[plugin.state] && ` (${fate[plugin.state]})`,
    plugin.projects && `  only in ${plugin.projects.join(", ")}`,
    plugin.source && `  ${shownPath(plugin.source, look.home)}`,
  ].filter(Boolean);
  const room = look.width && look.width - 4;
  const text = (words: string, paint: (line: string) => string) =>
    wrap(words, look.width, "    ").map(paint);
  const after = notes.join("");
  const fits = look.width === undefined || widthOf(head + after) <= look.width;
  const lines = fits ? [head + dim(after)] : [head, dim(`    ${fit(after.trim(), room)}`)];
  if (plugin.description) lines.push(dim(`    ${fit(plugin.description, room)}`));
  if (plugin.error)
    lines.push(...text(isIn ? `its change is not in effect: ${plugin.error}` : plugin.error, red));
  for (const slot of plugin.slots)
    if (waitsFor(slot) && plugin.state !== "disabled" && !plugin.fills.includes(slot)) {
      if (plugin.state === "failed" || plugin.origin === "built-in") continue;
      const how = plugin.projects
        ? `a project's plugin cannot take the slot ${slot}`
        : `enabled with: ${commandFor(plugin.name, slot)}`;
      lines.push(...text(how, yellow));
    }
  if (plugin.brings) lines.push(...text(`brings ${plugin.brings.join(", ")}`, dim));
  if (isIn && own.length === 0 && !plugin.brings && plugin.origin !== "built-in")
    lines.push(...text("none of its hooks is enabled: it is never called", yellow));
  lines.push(...subscriptionLines(own, room).map((line) => `    ${line}`));
  for (const { text: words } of failing(own)) lines.push(...text(words, red));
  for (const { text: words } of paused) lines.push(...text(words, yellow));
  if (plugin.standby) lines.push(dim(`    stands by for ${plugin.standby.join(", ")}`));
  return lines;
}

function markOf({ state, error }: PluginInfo, { colors }: Look): string {
  const { green, red, yellow, dim } = colors;
  if (state === "failed") return red("✗");
  if (state === "waiting") return yellow("○");
  if (state === "disabled") return dim("○");
  return error ? yellow("●") : green("●");
}

/** A path below the home as config would name it. */
function shownPath(path: string, home: string): string {
  const below = relative(home, path);
  return below.startsWith("..") ? path : `./${below}`;
}

/** One line each where it fits, two where the terminal is narrow. */
function subscriptionLines(own: Row[], room: number | undefined): string[] {
  const rows = own.map((one) => [whatOf(one), countOf(one), speedOf(one)]);
  const lines = columns(rows);
  if (room === undefined || lines.every((line) => widthOf(line) <= room)) return lines;
  return own.flatMap((one) => {
    const figures = [countOf(one), speedOf(one)].filter(Boolean).join(", ");
    return [fit(whatOf(one), room), ...(figures ? [`  ${fit(figures, room - 2)}`] : [])];
  });
}

function whatOf({ hook, order, filter }: Row): string {
  const only = Object.entries(filter ?? {}).map(([key, values]) => `${key}: ${values.join(" ")}`);
  return [hook, order === "normal" ? "" : order, only.join("; ")].filter(Boolean).join("  ");
}

function countOf({ calls, failures }: Pick<Row, "calls" | "failures">): string {
  if (calls === 0) return "";
  return `${calls} ${calls === 1 ? "call" : "calls"}${failures > 0 ? `, ${failures} failed` : ""}`;
}

function speedOf({ p50, p99 }: Pick<Row, "p50" | "p99">): string {
  return p50 === null ? "" : `p50 ${p50.toFixed(1)} ms, p99 ${(p99 ?? p50).toFixed(1)} ms`;
}

function localLines(
  { folder, state, fix }: LocalState,
  { colors, width }: Pick<Terminal, "colors" | "width">,
): string[] {
  if (state === "trusted") return [];
  const { yellow } = colors;
  return wrap(`○ ${folder}: ${state}, not run. ${fix}`, width).map(yellow);
}

/** The server's view when one runs, else what config makes of the plugins. */
export async function currentPlugins(terminal: Terminal): Promise<PluginList> {
  const { home } = setupOf(terminal).paths;
  const local = await localStates(home, terminal.cwd, userHome(terminal.env));
  const overlooked = await overlookedIn(memoirPaths(home).plugins);
  const seen = await ifRunning(server.get("/api/plugins", { start: false, timeoutMs: 5_000 }));
  if (seen) return { ...seen, local, overlooked };
  const { plugins, subscriptions, contributions } = await describePlugins(home, terminal.env);
  return { plugins, subscriptions, contributions, local, overlooked };
}

// `memoir plugin info`: everything about one plugin.

/** One option of a plugin. */
interface Option {
  key: string;
  description: string;
  default?: unknown;
  /** What config says; absent when it says nothing. */
  set?: unknown;
}

interface About {
  plugin: PluginInfo;
  subscriptions: SubscriptionInfo[];
  contributions: Contribution[];
  options: Option[];
  /** Present for a plugin with files. */
  files?: { hash: string; changedAt: number };
  /** The same: what its package.json says that it reaches. */
  reach?: ReturnType<typeof declaredIn>;
}

/** Prints a plugin. Throws `plugin_not_found`. */
export async function showPlugin(
  name: string,
  options: { json?: boolean },
  terminal: Terminal,
): Promise<number> {
  const about = printable(await readAbout(name, terminal));
  if (options.json) terminal.print(JSON.stringify(about));
  else
    for (const line of aboutLines(about, setupOf(terminal).paths.home, terminal))
      terminal.print(line);
  return 0;
}

/** A plugin's options, by the plugin's name. Throws `plugin_not_found`. */
export async function pluginOptions(name: string, terminal: Terminal): Promise<Option[]> {
  return (await readAbout(name, terminal)).options;
}

async function readAbout(name: string, terminal: Terminal): Promise<About> {
  const { paths } = setupOf(terminal);
  // A server of an earlier version knows of none.
  const { plugins, subscriptions, contributions = [] } = await currentPlugins(terminal);
  const plugin = pluginNamed(plugins, name);
  const { source } = plugin;
  const changedAt = source && (await stat(source).catch(() => undefined))?.mtimeMs;
  return {
    plugin,
    subscriptions: subscriptionsOf(plugin, plugins, subscriptions),
    contributions: contributions.filter((one) => one.plugin === plugin.name),
    options: await optionsOfPlugin(plugin, paths).catch(() => []),
    ...(source && changedAt && { files: { hash: await fingerprint(source), changedAt } }),
    ...(source && { reach: declaredNear(source) ?? {} }),
  };
}

async function optionsOfPlugin(plugin: PluginInfo, paths: Paths): Promise<Option[]> {
  const { schema, set } = await readOptions(plugin, { paths });
  return optionsIn(schema as JsonSchema, set);
}

/** Every option by the path that sets it: of a group each by itself. */
function optionsIn({ properties = {} }: JsonSchema, config: unknown, above = ""): Option[] {
  const set = typeof config === "object" && config !== null ? { ...config } : {};
  return Object.entries(properties).flatMap(([name, about]) => {
    const value: unknown = Object.getOwnPropertyDescriptor(set, name)?.value;
    const key = above + name;
    if (about.properties) return optionsIn(about, value, `${key}.`);
    return {
      ...{ key, description: about.description ?? "" },
      ...(about.default === undefined ? {} : { default: about.default }),
      ...(value === undefined ? {} : { set: value }),
    };
  });
}

function aboutLines(
  { plugin, subscriptions, contributions, options, files, reach }: About,
  home: string,
  { colors, width }: Terminal,
): string[] {
  const { bold, dim, red } = colors;
  const rows: Array<[string, string]> = [
    ["state", plugin.state + (plugin.projects ? `, only in ${plugin.projects.join(", ")}` : "")],
    [
      "slots",
      plugin.slots.join(", ") ||
        (plugin.brings && subscriptions.length === 0 ? "none" : "none: a listener"),
    ],
    ["fills", plugin.fills.join(", ") || "none"],
    ["from", plugin.source ? shownPath(plugin.source, home) : plugin.origin],
  ];
  if (plugin.brings) rows.push(["brings", plugin.brings.join(", ")]);
  if (files) rows.push(["changed", `${dateTime(files.changedAt)}, content ${files.hash}`]);
  if (reach)
    rows.push([
      "reach",
      reachWords(reach)
        .map((line) => line.trim().replace(/\s+/g, " "))
        .join("; "),
    ]);
  if (plugin.projects) rows.push(["trust", "runs a copy of what you allowed"]);
  for (const slot of plugin.slots)
    if (waitsFor(slot) && !plugin.fills.includes(slot) && !plugin.projects)
      rows.push(["in force", commandFor(plugin.name, slot)]);
  const label = (name: string, text: string) => {
    const [first = "", ...rest] = wrap(text, width, " ".repeat(12));
    return [`  ${dim(name.padEnd(10))}${first.trimStart()}`, ...rest];
  };
  const lines = [bold(plugin.name), ...wrap(plugin.description, width, "  "), ""];
  for (const [name, text] of rows) lines.push(...label(name, text));
  if (plugin.error) lines.push(...label("error", plugin.error).map(red));
  if (subscriptions.length > 0) lines.push("", bold("listens to"));
  for (const one of subscriptions) {
    lines.push(`  ${one.hook}`);
    const only = Object.entries(one.filter ?? {}).map(([key, all]) => `${key}: ${all.join(" ")}`);
    const figures = [
      `${one.kind}, order ${one.order}, at most ${one.deadlineMs} ms`,
      ...only,
      `${one.calls} ${one.calls === 1 ? "call" : "calls"}, ${one.failures} failed${one.p50 === null ? "" : `; p50 ${one.p50.toFixed(2)} ms, p99 ${(one.p99 ?? one.p50).toFixed(2)} ms`}`,
    ];
    for (const text of figures) lines.push(...wrap(text, width, "    ").map(dim));
    if (one.lastError) lines.push(...wrap(`last error: ${one.lastError}`, width, "    ").map(red));
  }
  if (contributions.length > 0) lines.push("", bold("brings"));
  for (const one of contributions) {
    const clash =
      one.kind === "operations" && one.for?.includes("command")
        ? commandClash(plugin.name, commands)
        : undefined;
    lines.push(`  ${[one.part, doorsOf(one).join(", ")].filter(Boolean).join("  ")}`);
    const bound = one.deadlineMs < asLongAsItTakes && `at most ${one.deadlineMs} ms`;
    const about = [one.does ?? one.title, bound].filter(Boolean);
    const figures = [countOf(one) || "0 calls", speedOf(one)].filter(Boolean).join("; ");
    for (const text of [about.join("; "), figures])
      lines.push(...wrap(text, width, "    ").map(dim));
    for (const wrong of [one.refused, clash, one.lastError && `last error: ${one.lastError}`])
      if (wrong) lines.push(...wrap(wrong, width, "    ").map(red));
  }
  if (options.length > 0) lines.push("", bold("options"));
  const rowsOfOptions = columns(options.map(optionRow));
  const isWide = width === undefined || rowsOfOptions.every((line) => line.length + 2 <= width);
  if (isWide) lines.push(...rowsOfOptions.map((line) => `  ${line}`));
  else
    for (const [key = "", value = "", description = ""] of options.map(optionRow)) {
      lines.push(...wrap(`${key}  ${value}`, width, "  "));
      if (description) lines.push(...wrap(description, width, "    ").map(dim));
    }
  if (options.length > 0)
    lines.push(dim(`  memoir config set plugins.${plugin.name}.<option> <value>`));
  return lines;
}

function optionRow({ key, description, default: usual, set }: Option): string[] {
  const value =
    set === undefined ? `${JSON.stringify(usual) ?? "unset"} (default)` : JSON.stringify(set);
  return [key, value, description];
}
