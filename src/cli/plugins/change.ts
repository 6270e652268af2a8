// `memoir plugin add`, `remove`, `enable` and `disable`: which plugins there are, and which of them run.

// `memoir plugin add`: a package from npm or a tarball, a file or a folder goes into memoir.

import { realpath, rm, rmdir, stat } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { memoirPaths, userHome } from "../../home/paths.ts";
import { atomicWrite } from "../../home/read-file.ts";
import { builtins } from "../../runtime/builtins.ts";
import { readConfig, setConfigValue, unsetConfigValue } from "../../runtime/config/config.ts";
import { slotsOf } from "../../runtime/hooks/subscription.ts";
import { describePlugins, eventsOf, switchInConfig } from "../../runtime/plugins/describe.ts";
import { discoverPlugins, isPath, readManifest, whereIs } from "../../runtime/plugins/find.ts";
import { commandFor, guard, waitsFor } from "../../runtime/plugins/registry.ts";
import { MemoirError } from "../../sdk/errors.ts";
import { commandClash } from "../commands/contributed.ts";
import { commands } from "../commands/index.ts";
import { setupOf } from "../setup/setup.ts";
import { printable } from "../terminal/layout.ts";
import { agreed, inJson } from "../terminal/output.ts";
import type { Terminal } from "../terminal/terminal.ts";
import { putInForce } from "./after-change.ts";
import { declaredHooks, declaredLines, reachLines, refuseUndeclared } from "./declared-hooks.ts";
import { currentPlugins } from "./list.ts";
import { loadOwn, prepareForPlugins, runTool } from "./own-plugin.ts";
import { isTarball, packageIn } from "./tarball.ts";

interface AddOptions {
  yes?: boolean;
  json?: boolean;
}

/** Gives 0, or 1 when the answer is no: then nothing stays behind. */
export async function addPlugin(
  what: string,
  options: AddOptions,
  terminal: Terminal,
): Promise<number> {
  const { home } = await prepareForPlugins(terminal);
  const found = await take(what, home, terminal);
  const { reference, isDropped = false } = found;
  let about: About | undefined;
  try {
    about = await introduce(found, options, terminal);
  } finally {
    if (!about) await found.undo();
  }
  if (!about) {
    terminal.print("Nothing was added.");
    return 1;
  }
  // Slots that stack, and listeners, are in force at once; a slot that has to be chosen waits for config.
  const { slots } = about;
  const stacks = slots.filter((slot) => !waitsFor(slot));
  for (const slot of isDropped ? [] : stacks) await nameIn(["slots", slot], reference, home);
  if (slots.length === 0 && !isDropped) await nameIn(["listeners"], reference, home);
  const { running, settings } = await putInForce(terminal);
  const next = slots
    .filter(waitsFor)
    .map((slot) => commandFor(isDropped ? about.name : reference, slot));
  const enabled = !(await isSwitchedOff(about.name, home));
  const added = { added: true, ...about, enabled, running, settings, next };
  if (inJson(added, options, terminal)) return 0;
  const isOn = slots.length === 0 || stacks.length > 0 ? "; it is on" : "";
  terminal.print(
    enabled
      ? `Added${isOn}.`
      : `Added; it is switched off: \`memoir plugin enable ${about.name}\` enables it.`,
  );
  for (const command of next) terminal.print(`Enabled with: ${command}`);
  return 0;
}

type About = Awaited<ReturnType<typeof describe>>;

/** Shows what a plugin declares that it hears, and asks before its code runs; undefined where the answer is no. */
async function introduce(
  { reference, folder }: Taken,
  options: AddOptions,
  terminal: Terminal,
): Promise<About | undefined> {
  await refuseNamed(reference, setupOf(terminal).paths.home);
  const declared = await declaredHooks(folder);
  const reach = await reachLines(folder);
  if (!options.json)
    for (const line of [...declaredLines(declared), ...reach]) terminal.print(line);
  if (!(await agreed("It runs with your rights. Add it?", options, terminal))) return undefined;
  const about = await describe(reference, declared, terminal);
  if (!options.json) {
    const { name, description, slots, hooks, events } = about;
    terminal.print(`${terminal.colors.bold(name)}: ${description}`);
    terminal.print(`  slots   ${slots.join(", ") || "none: a listener"}`);
    terminal.print(`  hears   ${hooks.join(", ") || "nothing"}`);
    terminal.print(`  events  ${events.join(", ") || "none of the client's"}`);
  }
  return about;
}

/** Throws where it is no plugin, has a built-in's name, or hears more than it declares. */
async function describe(
  reference: string,
  declared: readonly string[] | undefined,
  terminal: Terminal,
) {
  const { plugin, source } = await loadOwn(reference, terminal);
  if (Object.hasOwn(builtins, plugin.name))
    throw new MemoirError("plugin_invalid", `A built-in plugin is called ${plugin.name} already.`, {
      fix: "Its author has to rename it; nothing was added.",
    });
  if (declared) refuseUndeclared(plugin, declared);
  const slots = slotsOf(plugin);
  return printable({
    name: plugin.name,
    description: plugin.description,
    slots,
    hooks: Object.keys(plugin.hooks),
    events: eventsOf(plugin),
    source,
  });
}

interface Taken {
  /** As config names it. */
  reference: string;
  /** It lies in the plugins folder: config need not name it. */
  isDropped?: boolean;
  /** Where its package.json is, if it has one. */
  folder?: string;
  undo(): Promise<void>;
}

async function take(what: string, home: string, terminal: Terminal): Promise<Taken> {
  const nothing = async () => {};
  const isPacked = isTarball(what) && !what.includes("://");
  if (!isPath(what) && !isPacked) return install(what, home);
  const path = resolve(terminal.cwd, what.replace(/^~(?=[/\\]|$)/, userHome(terminal.env)));
  const found = await stat(path).catch(() => undefined);
  if (!found) throw new MemoirError("plugin_not_found", `There is nothing at ${path}.`);
  if (found.isFile() && isPacked) return install(path, home, await packageIn(path));
  const manifest = await readManifest(join(path, "package.json"));
  // A folder with packages of its own has to be installed; any other is named where it is.
  const isDropped = (await realpath(dirname(path))) === (await realpath(memoirPaths(home).plugins));
  if (found.isDirectory() && manifest?.dependencies && isDropped) {
    await runInstall(["install"], path, what);
    return { reference: path, folder: path, isDropped, undo: nothing };
  }
  if (found.isDirectory() && manifest?.dependencies && typeof manifest.name === "string")
    return install(path, home, manifest.name);
  return { reference: path, folder: path, isDropped, undo: nothing };
}

/** Runs the package manager inside this program, with nobody's scripts. Throws `plugin_install`. */
async function runInstall(words: readonly string[], cwd: string, what: string): Promise<void> {
  const run = await runTool([...words, "--ignore-scripts", "--no-progress"], { cwd });
  if (run.code === 0) return;
  const said = `${run.err}\n${run.out}`.split("\n").find((line) => /error/i.test(line));
  const why = said?.trim().replace(/^error: /, "") ?? "failed";
  throw new MemoirError("plugin_install", `${what} was not installed: ${why}`);
}

/** Installs into `<home>/plugins`, with nobody's scripts. */
async function install(what: string, home: string, known?: string): Promise<Taken> {
  const asked = known ?? what.replace(/(?<=.)@.*$/, "");
  // Before anything is installed: its code would be in force at once.
  await refuseNamed(asked, home);
  const folder = memoirPaths(home).plugins;
  const manifest = join(folder, "package.json");
  const before = await dependenciesIn(manifest);
  const hadManifest = (await readManifest(manifest)) !== undefined;
  /** As before: what only this attempt has brought goes again. */
  const tidy = async () => {
    await rmdir(join(folder, "node_modules")).catch(() => undefined);
    if (hadManifest || Object.keys(await dependenciesIn(manifest)).length > 0) return;
    for (const file of ["package.json", "bun.lock"]) await rm(join(folder, file), { force: true });
  };
  if (!hadManifest)
    await atomicWrite(
      manifest,
      `${JSON.stringify({ name: "memoir-plugins", private: true, type: "module" }, null, 2)}\n`,
    );
  await runInstall(["add", what], folder, what).catch(async (error: unknown) => {
    await tidy();
    throw error;
  });
  const name =
    known ??
    Object.keys(await dependenciesIn(manifest)).find((one) => !Object.hasOwn(before, one)) ??
    asked;
  const wasThere = Object.hasOwn(before, name);
  return {
    reference: name,
    folder: join(folder, "node_modules", name),
    undo: async () => {
      if (wasThere) return;
      await runTool(["remove", name], { cwd: folder });
      await tidy();
    },
  };
}

async function refuseNamed(reference: string, home: string) {
  const { config } = await readConfig(home);
  const named = [config.listeners, Object.values(config.slots)].flat(2);
  if (named.includes(reference))
    throw new MemoirError("plugin_invalid", `${reference} is in your config already.`, {
      fix: isPath(reference)
        ? "It is read where it lies: a change to its files needs no adding."
        : `To update it, take it out first: \`memoir plugin remove ${reference}\` (options that you set go with it); then add the new one.`,
    });
}

/** Whether config switches it off. */
async function isSwitchedOff(name: string, home: string): Promise<boolean> {
  return (await readConfig(home)).config.plugins[name]?.enabled === false;
}

/** Puts a reference behind those that a list in config names; a list that is not set begins with the built-in ones. */
async function nameIn(path: readonly string[], reference: string, home: string): Promise<void> {
  const { set } = await readConfig(home);
  let value: unknown = set;
  for (const key of path) value = (value as Record<string, unknown> | undefined)?.[key];
  const usual = path[0] === "slots" ? ["..."] : [];
  const list: unknown[] = value === undefined ? usual : [value].flat();
  if (!list.includes(reference)) await setConfigValue(home, path, [...list, reference]);
}

/** What a manifest names, by package; nothing where there is none. */
async function dependenciesIn(path: string): Promise<Record<string, unknown>> {
  const { dependencies } = (await readManifest(path)) ?? {};
  return typeof dependencies === "object" && dependencies !== null ? { ...dependencies } : {};
}

// `memoir plugin remove`: takes out of config what names a plugin, and the package that `add` installed.

/** Removes a plugin by its name or by what config calls it. Files of the user's stay. Gives 0. */
export async function removePlugin(
  name: string,
  options: { json?: boolean },
  terminal: Terminal,
): Promise<number> {
  const { home } = setupOf(terminal).paths;
  const { plugins } = await currentPlugins(terminal);
  const plugin = plugins.find((known) => known.name === name);
  if (plugin?.origin === "built-in")
    throw new MemoirError("usage", `${name} is built in.`, {
      fix: `Switch it off: \`memoir plugin disable ${name}\`.`,
    });
  const places = { home, userHome: userHome(terminal.env) };
  const isIt = async (reference: string) =>
    reference === name ||
    (plugin?.source !== undefined && (await whereIs(reference, places)) === plugin.source);
  const changed = await takeOut(home, isIt);
  const packages = await removePackages(home, isIt);
  // What lies in the plugins folder is on by itself: it stays switched off as long as it lies there.
  const dropped = await discoverPlugins(memoirPaths(home).plugins);
  const lies = plugin !== undefined && dropped.some(({ path }) => path === plugin.source);
  const staysOff = lies && (await isSwitchedOff(plugin.name, home));
  changed.push(...(await forgetOptions(plugin?.name ?? name, staysOff, home)));
  if (changed.length + packages.length === 0) {
    if (!plugin) throw new MemoirError("plugin_not_found", `There is no plugin ${name}.`);
    throw new MemoirError(
      "usage",
      `${plugin.source ?? name} is a file of yours; memoir leaves it.`,
      {
        fix: staysOff
          ? `It stays switched off. Delete it, then \`memoir plugin remove ${plugin.name}\` takes that out of config too.`
          : `Move it out of the plugins folder, or \`memoir plugin disable ${plugin.name}\`.`,
      },
    );
  }
  const { settings } = await putInForce(terminal);
  const kept = packages.length === 0 ? plugin?.source : undefined;
  if (inJson({ removed: name, config: changed, packages, kept, settings }, options, terminal))
    return 0;
  const done = [
    changed.length > 0 && `no longer in config: ${changed.join(", ")}`,
    packages.length > 0 && `uninstalled: ${packages.map((one) => `package ${one}`).join(", ")}`,
  ].filter(Boolean);
  terminal.print(`Removed ${name}; ${done.join("; ")}.`);
  if (kept) terminal.print(`Its file stays: ${kept}`);
  if (staysOff) terminal.print("It stays switched off as long as it lies there.");
  else if (lies && !plugin.slots.some(waitsFor))
    terminal.print(`\`memoir plugin disable ${plugin.name}\` switches it off while it lies there.`);
  return 0;
}

/** Takes a plugin's entry out of `plugins`, all but that it is off where it stays so; gives what went. */
async function forgetOptions(name: string, staysOff: boolean, home: string): Promise<string[]> {
  const path = ["plugins", name];
  if (!staysOff) return (await unsetConfigValue(home, path)) ? [path.join(".")] : [];
  const { config } = await readConfig(home);
  if (Object.keys(config.plugins[name] ?? {}).length < 2) return [];
  await setConfigValue(home, path, { enabled: false });
  return [path.join(".")];
}

type IsIt = (reference: string) => Promise<boolean>;

/** Takes the references out of `slots` and `listeners`; a list that is what it was without config goes as a whole. */
async function takeOut(home: string, isIt: IsIt): Promise<string[]> {
  const { set } = await readConfig(home);
  const changed: string[] = [];
  const slots = (set.slots ?? {}) as Record<string, unknown>;
  const places: Array<[string[], unknown]> = [
    ...Object.entries(slots).map(([slot, value]): [string[], unknown] => [["slots", slot], value]),
    [["listeners"], set.listeners],
  ];
  for (const [path, value] of places) {
    if (value === undefined) continue;
    const list = [value].flat().filter((one) => typeof one === "string");
    const isOurs = await Promise.all(list.map(isIt));
    if (!isOurs.includes(true)) continue;
    const rest = list.filter((_, at) => !isOurs[at]);
    const isUsual = rest.length === 0 || (rest.length === 1 && rest[0] === "...");
    if (isUsual) await unsetConfigValue(home, path);
    else await setConfigValue(home, path, rest);
    changed.push(path.join("."));
  }
  return changed;
}

/** Removes packages of `<home>/plugins/package.json`. */
async function removePackages(home: string, isIt: IsIt): Promise<string[]> {
  const folder = memoirPaths(home).plugins;
  const named = Object.keys(await dependenciesIn(join(folder, "package.json")));
  const removed: string[] = [];
  for (const one of named.filter((reference) => !isPath(reference)))
    if (await isIt(one)) {
      const { code, err } = await runTool(["remove", one], { cwd: folder });
      if (code !== 0)
        throw new MemoirError(
          "plugin_install",
          `${one} was not removed: ${err.trim().split("\n").at(-1) ?? ""}`,
        );
      removed.push(one);
    }
  return removed;
}

// `memoir plugin enable` and `disable`: which plugins run.

/** Switches a plugin on or off in config, lets a running server know, and registers the events needed now. */
export async function switchPlugin(
  enabled: boolean,
  name: string,
  options: { json?: boolean },
  terminal: Terminal,
): Promise<number> {
  const { paths } = setupOf(terminal);
  const { lifted } = await switchInConfig({ paths, env: terminal.env }, name, enabled);
  const { settings } = await putInForce(terminal);
  const { plugins, contributions } = await describePlugins(paths.home, terminal.env);
  const after = plugins.find((p) => p.name === name);
  const error = enabled && after?.state === "failed" ? (after.error ?? "it failed") : undefined;
  const code = error === undefined ? 0 : 1;
  if (inJson({ plugin: name, enabled, ...(error && { error }), settings }, options, terminal))
    return code;
  const now = enabled ? (error ? "switched on, but does not run" : "on") : "off";
  terminal.print(`${name} is ${now}${lifted ? ", and no longer paused" : ""}.`);
  if (!enabled && name === guard)
    terminal.warn("Secrets and private parts are kept from now on, as they are typed and printed.");
  if (error !== undefined) terminal.warn(error);
  const hasCommand = contributions.some(
    (one) => one.plugin === name && one.for?.includes("command"),
  );
  const clash = enabled && hasCommand ? commandClash(name, commands) : undefined;
  if (clash) terminal.warn(`${clash}.`);
  for (const slot of after?.slots ?? [])
    if (enabled && !after?.fills.includes(slot) && (waitsFor(slot) || after?.state === "disabled"))
      terminal.print(`It is not in the slot ${slot} yet: \`${commandFor(name, slot)}\`.`);
  for (const file of settings)
    terminal.print(`${file}: registered the events that are needed now.`);
  return code;
}
