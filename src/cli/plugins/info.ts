// `memoir plugin info`: everything about one plugin.
import { stat } from "node:fs/promises";
import type { Paths } from "../../home/paths.ts";
import { pluginNamed, readOptions } from "../../runtime/plugins/describe.ts";
import { fingerprint } from "../../runtime/plugins/find.ts";
import { commandFor, waitsFor } from "../../runtime/plugins/registry.ts";
import type { PluginInfo, SubscriptionInfo } from "../../runtime/ports.ts";
import { setupOf } from "../setup/setup.ts";
import { columns, dateTime, wrap } from "../terminal/layout.ts";
import { printable } from "../terminal/printable.ts";
import type { Terminal } from "../terminal/terminal.ts";
import { currentPlugins, shownPath, subscriptionsOf } from "./list.ts";

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
  options: Option[];
  /** Present for a plugin with files. */
  files?: { hash: string; changedAt: number };
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
  const { plugins, subscriptions } = await currentPlugins(terminal);
  const plugin = pluginNamed(plugins, name);
  const { source } = plugin;
  const changedAt = source && (await stat(source).catch(() => undefined))?.mtimeMs;
  return {
    plugin,
    subscriptions: subscriptionsOf(plugin, plugins, subscriptions),
    options: await optionsOfPlugin(plugin, paths).catch(() => []),
    ...(source && changedAt && { files: { hash: await fingerprint(source), changedAt } }),
  };
}

interface Schema {
  properties?: Record<string, { description?: string; default?: unknown }>;
}

async function optionsOfPlugin(plugin: PluginInfo, paths: Paths): Promise<Option[]> {
  const { schema, set } = await readOptions(plugin, { paths });
  return Object.entries((schema as Schema).properties ?? {}).map(([key, about]) => ({
    key,
    description: about.description ?? "",
    ...(about.default === undefined ? {} : { default: about.default }),
    ...(Object.hasOwn(set, key) ? { set: set[key] } : {}),
  }));
}

function aboutLines(
  { plugin, subscriptions, options, files }: About,
  home: string,
  { colors, width }: Terminal,
): string[] {
  const { bold, dim, red } = colors;
  const rows: Array<[string, string]> = [
    ["state", plugin.state + (plugin.projects ? `, only in ${plugin.projects.join(", ")}` : "")],
    ["slots", plugin.slots.join(", ") || "none: a listener"],
    ["fills", plugin.fills.join(", ") || "none"],
    ["from", plugin.source ? shownPath(plugin.source, home) : plugin.origin],
  ];
  if (files) rows.push(["changed", `${dateTime(files.changedAt)}, content ${files.hash}`]);
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
