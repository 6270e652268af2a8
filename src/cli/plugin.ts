// `memoir plugin list`, `enable`, `disable`.
import { readLedger } from "../install/ledger.ts";
import { applyRegistration, planRegistration } from "../install/register.ts";
import { setConfigValue, unsetConfigValue } from "../runtime/config.ts";
import { describePlugins } from "../runtime/plugins/describe.ts";
import type { PluginInfo, SubscriptionInfo } from "../runtime/ports.ts";
import { MemoirError } from "../sdk/errors.ts";
import { slots } from "../sdk/plugin.ts";
import { failing } from "./failing.ts";
import { columns, fit } from "./layout.ts";
import { callServer } from "./server-client.ts";
import { setupOf, wantedRegistration } from "./setup.ts";
import type { Terminal } from "./terminal.ts";

interface PluginList {
  plugins: PluginInfo[];
  subscriptions: SubscriptionInfo[];
}

/** Lists plugins with their subscriptions: the server's view when one runs, else the config's. Gives 0. */
export async function listPlugins(
  options: { json?: boolean },
  terminal: Terminal,
): Promise<number> {
  const { plugins, subscriptions } = await currentPlugins(terminal);
  if (options.json) {
    terminal.print(JSON.stringify({ plugins, subscriptions }));
    return 0;
  }
  const { bold, dim, red, green } = terminal.colors;
  const marks = {
    running: green("●"),
    enabled: green("●"),
    waiting: dim("○"),
    disabled: dim("○"),
    failed: red("✗"),
  };
  for (const plugin of plugins) {
    const isIn = plugin.state === "running" || plugin.state === "enabled";
    const roles = isIn ? plugin.fills : plugin.slots;
    const role = roles.length > 0 ? roles.join(", ") : "listener";
    const off = plugin.state === "disabled" ? dim(" (off)") : "";
    const from = plugin.source ? dim(`  ${plugin.source}`) : "";
    terminal.print(`${marks[plugin.state]} ${bold(plugin.name)}  ${role}${off}${from}`);
    if (plugin.description)
      terminal.print(dim(`    ${fit(plugin.description, terminal.width && terminal.width - 4)}`));
    if (plugin.error) terminal.print(red(`    ${plugin.error}`));
    else if (isIn && plugin.fills.length === 0 && plugin.slots.length > 0)
      terminal.print(
        `    It does not fill ${plugin.slots.join(", ")} here; what it has for that is not called. A plugin without \`slot\` joins in.`,
      );
    const own = subscriptions.filter((subscription) => subscription.plugin === plugin.name);
    for (const line of columns(own.map(describe))) terminal.print(`    ${line}`);
    for (const { text } of failing(own)) terminal.print(red(`    ${text}`));
  }
  return 0;
}

/** Switches a plugin on or off in config, lets a running server know, and registers the events needed now. */
export async function switchPlugin(
  name: string,
  enabled: boolean,
  options: { json?: boolean },
  terminal: Terminal,
): Promise<number> {
  const setup = setupOf(terminal);
  const { home } = setup.paths;
  const { plugins } = await describePlugins(home, terminal.env);
  if (!plugins.some((plugin) => plugin.name === name))
    throw new MemoirError("plugin_not_found", `There is no plugin ${name}.`);
  const needed = plugins
    .find((plugin) => plugin.name === name)
    ?.fills.find((slot) => slots[slot].mode === "exclusive");
  if (needed && !enabled)
    throw new MemoirError("plugin_slot", `${name} fills ${needed}, which cannot be empty.`, {
      fix: `Name another plugin there: \`memoir config set slots.${needed} …\`.`,
    });
  const path = ["plugins", name, "enabled"];
  // On is the default, and config holds only what differs from it.
  if (enabled) await unsetConfigValue(home, path);
  else await setConfigValue(home, path, false);
  await reloadServer();
  const settings = await registerAgain(terminal);
  const after = (await describePlugins(home, terminal.env)).plugins.find((p) => p.name === name);
  if (options.json) {
    terminal.print(JSON.stringify({ plugin: name, enabled, settings }));
    return 0;
  }
  terminal.print(`${name} is ${enabled ? "on" : "off"}.`);
  if (enabled && after?.state === "disabled")
    terminal.print(
      `No slot names it yet: add it with \`memoir config set slots.${after.slots[0]} …\`.`,
    );
  for (const file of settings)
    terminal.print(`${file}: registered the events that are needed now.`);
  return 0;
}

/** Brings every settings file that memoir is registered in up to date; gives those that changed. */
export async function registerAgain(terminal: Terminal): Promise<string[]> {
  const setup = setupOf(terminal);
  const entries = await readLedger(setup.paths.home);
  if (entries.length === 0) return [];
  const { wanted } = await wantedRegistration(setup, terminal);
  const changed: string[] = [];
  for (const { scope, settings } of entries) {
    const change = await planRegistration(settings, wanted);
    await applyRegistration(setup.paths.home, scope, change);
    if (change.diff.length > 0) changed.push(settings);
  }
  return changed;
}

/** Asks a running server to read config and plugins again; false when none runs. */
export async function reloadServer(): Promise<boolean> {
  try {
    await callServer("/api/reload", { method: "POST", start: false });
    return true;
  } catch (error) {
    if (error instanceof MemoirError && error.code === "server_unreachable") return false;
    throw error;
  }
}

async function currentPlugins(terminal: Terminal): Promise<PluginList> {
  try {
    return await callServer<PluginList>("/api/plugins", { start: false, timeoutMs: 5_000 });
  } catch (error) {
    if (!(error instanceof MemoirError) || error.code !== "server_unreachable") throw error;
    return describePlugins(setupOf(terminal).paths.home, terminal.env);
  }
}

function describe(subscription: SubscriptionInfo): string[] {
  const { hook, order, filter, calls, failures, p50, p99 } = subscription;
  const only = Object.entries(filter ?? {}).map(([key, values]) => `${key}: ${values.join(" ")}`);
  const speed = p50 === null ? "" : `p50 ${p50.toFixed(1)} ms, p99 ${(p99 ?? p50).toFixed(1)} ms`;
  const count = calls === 0 ? "" : `${calls} calls${failures > 0 ? `, ${failures} failed` : ""}`;
  return [hook, order === "normal" ? "" : order, only.join("; "), count, speed];
}
