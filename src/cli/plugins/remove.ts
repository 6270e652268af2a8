// `memoir plugin remove`: takes out of config what names a plugin, and the package that `add` installed.

import { join } from "node:path";
import { memoirPaths, userHome } from "../../home/paths.ts";
import { readConfig, setConfigValue, unsetConfigValue } from "../../runtime/config/config.ts";
import { isPath, whereIs } from "../../runtime/plugins/find.ts";
import { MemoirError } from "../../sdk/errors.ts";
import { setupOf } from "../setup/setup.ts";
import { inJson } from "../terminal/agree.ts";
import type { Terminal } from "../terminal/terminal.ts";
import { dependenciesIn } from "./add.ts";
import { putInForce } from "./after-change.ts";
import { currentPlugins } from "./list.ts";
import { runTool } from "./toolchain.ts";

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
  const forgotten = plugin && (await unsetConfigValue(home, ["plugins", plugin.name]));
  if (changed.length + packages.length === 0 && !forgotten) {
    if (!plugin) throw new MemoirError("plugin_not_found", `There is no plugin ${name}.`);
    throw new MemoirError(
      "usage",
      `${plugin.source ?? name} is a file of yours; memoir leaves it.`,
      {
        fix: `Move it out of the plugins folder, or \`memoir plugin disable ${plugin.name}\`.`,
      },
    );
  }
  const { settings } = await putInForce(terminal);
  const kept = packages.length === 0 ? plugin?.source : undefined;
  if (inJson({ removed: name, config: changed, packages, kept, settings }, options, terminal))
    return 0;
  terminal.print(
    `${name} is out of ${[...changed, ...packages.map((one) => `package ${one}`)].join(", ") || "your config"}.`,
  );
  if (kept) terminal.print(`Its file stays: ${kept}`);
  return 0;
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
