// Reads and writes <home>/config.json, which holds only what the user set.
import { realpath } from "node:fs/promises";
import { prepareHome } from "../../home/make-home.ts";
import { memoirPaths, type Paths } from "../../home/paths.ts";
import { atomicWrite, readFileText } from "../../home/read-file.ts";
import { readKeys } from "../../provider/keys.ts";
import { MemoirError } from "../../sdk/errors.ts";
import { type ConfigFile, checkConfig, parseConfig } from "./parse.ts";
import { type ConfigProblem, problemText } from "./problems.ts";

export { type ConfigFile, parseConfig } from "./parse.ts";
export { type ConfigProblem, problemText } from "./problems.ts";
export type { Config, UserConfig } from "./schema.ts";

/** Reads the config of a home. Never rejects: what cannot be read stands in `problems`. */
export async function readConfig(home: string): Promise<ConfigFile> {
  const { config: path } = memoirPaths(home);
  try {
    return parseConfig(path, await readFileText(path));
  } catch (error) {
    if ((error as { code?: string }).code === "ENOENT") return parseConfig(path, undefined);
    const message = `it cannot be read: ${(error as Error).message}`;
    const nothing = parseConfig(path, undefined);
    return { ...nothing, problems: [{ path: "", message }], broken: true, captureUnclear: true };
  }
}

/** A place in the config: dotted, or as a list where a key holds a dot itself. */
type ConfigPath = string | readonly string[];

/**
 * Sets one value. Rejects with `config_unreadable` when the file is broken (it is left alone), with
 * `config_invalid` when the value is not allowed there. `check` may object too, to options of plugins.
 */
export function setConfigValue(
  home: string,
  path: ConfigPath,
  value: unknown,
  check?: CheckConfig,
): Promise<void> {
  const keys = splitPath(path);
  return edit(home, { check, at: keys.join(".") }, (root) => {
    let holder = root;
    for (const key of keys.slice(0, -1)) {
      const inner = holder[key];
      if (typeof inner !== "object" || inner === null || Array.isArray(inner)) holder[key] = {};
      holder = holder[key] as Record<string, unknown>;
    }
    holder[keys.at(-1) ?? ""] = value;
  });
}

/** Takes one value out, and with it the objects that it leaves empty. True when it was there. */
export async function unsetConfigValue(home: string, path: ConfigPath): Promise<boolean> {
  const keys = splitPath(path);
  let found = false;
  await edit(home, {}, (root) => {
    found = remove(root, keys);
  });
  return found;
}

/** Says what else is wrong with a config about to be written. */
type CheckConfig = (set: Record<string, unknown>) => Promise<ConfigProblem[]>;

async function edit(
  home: string,
  { check, at = "" }: { check?: CheckConfig | undefined; at?: string },
  change: (root: Record<string, unknown>) => void,
): Promise<void> {
  const file = await readConfig(home);
  if (file.broken)
    throw new MemoirError(
      "config_unreadable",
      `${file.path} was not changed: ${file.problems.map(problemText).join("; ")}`,
      { fix: "Correct the file by hand, then run the command again." },
    );
  const root = structuredClone(file.set);
  change(root);
  const after = [...checkConfig(root), ...((await check?.(root)) ?? [])];
  // What was wrong before, elsewhere, is not what this change did.
  const before = after.length > 0 ? [...file.problems, ...((await check?.(file.set)) ?? [])] : [];
  // By its place: what is said of it may name what this change brings.
  const known = new Set(before.map((problem) => problem.path || problemText(problem)));
  const objections = after.filter(
    (problem) => !known.has(problem.path || problemText(problem)) || liesAlong(problem.path, at),
  );
  if (objections.length > 0) {
    const fix = objections.find((problem) => problem.fix !== undefined)?.fix;
    const texts = new Set(objections.map(problemText));
    throw new MemoirError("config_invalid", [...texts].join("; "), {
      fix: fix ?? "Nothing was changed; `memoir config schema` prints what is allowed.",
    });
  }
  await prepareHome(memoirPaths(home));
  await atomicWrite(await linkTarget(file.path), `${JSON.stringify(root, null, 2)}\n`);
}

/** True when one of two dotted paths leads to the other, or is it. */
function liesAlong(one: string, other: string): boolean {
  return (
    one !== "" &&
    other !== "" &&
    (`${one}.`.startsWith(`${other}.`) || `${other}.`.startsWith(`${one}.`))
  );
}

/** A linked config (kept with other dotfiles, say) stays a link: what it leads to is written. */
async function linkTarget(path: string): Promise<string> {
  try {
    return await realpath(path);
  } catch {
    return path;
  }
}

function splitPath(path: ConfigPath): readonly string[] {
  const keys = typeof path === "string" ? path.split(".") : path;
  if (keys.length === 0 || keys.some((key) => key === "" || key === "__proto__"))
    throw new MemoirError("usage", `"${keys.join(".")}" is no config path`, {
      fix: "Write keys joined by dots, such as `slots.storage`.",
    });
  return keys;
}

function remove(holder: Record<string, unknown>, keys: readonly string[]): boolean {
  const [key, ...rest] = keys;
  if (key === undefined || !Object.hasOwn(holder, key)) return false;
  if (rest.length === 0) return delete holder[key];
  const inner = holder[key];
  if (typeof inner !== "object" || inner === null) return false;
  const found = remove(inner as Record<string, unknown>, rest);
  if (found && Object.keys(inner).length === 0) delete holder[key];
  return found;
}

// The last config that could be read, kept beside the file: what is in force when a restart meets a file that is broken.

/**
 * Reads the config as a server begins with it. A file that is not valid JSON leaves the last readable one in force, its problems
 * beside it; where there was none, `captureUnclear` withholds all text. Never rejects.
 */
export async function readConfigOrLast(home: string): Promise<ConfigFile> {
  const file = await readConfig(home);
  if (!file.broken) return file;
  const { path, problems } = file;
  const last = await readFileText(memoirPaths(home).lastConfig).catch(() => undefined);
  const kept = last === undefined ? undefined : parseConfig(path, last);
  return kept && !kept.broken ? { ...kept, problems, broken: true } : file;
}

/** Keeps what was read, for a start after the file broke. Never rejects: it is a copy. */
export async function keepConfig(home: string, { broken, set }: ConfigFile): Promise<void> {
  if (broken) return;
  const path = memoirPaths(home).lastConfig;
  const text = `${JSON.stringify(set, null, 2)}\n`;
  const before = await readFileText(path).catch(() => "{}\n");
  if (before !== text) await atomicWrite(path, text).catch(() => undefined);
}

// Keeps providers' keys in `keys.json` of memoir's home, readable by its owner only.

/**
 * Stores a key under a provider's name, or with `undefined` takes it out; whether there was one before. Throws
 * `keys_unreadable` rather than lose others.
 */
export async function storeKey(
  paths: Paths,
  name: string,
  key: string | undefined,
): Promise<boolean> {
  const { [name]: before, ...others } = await readKeys(paths.home);
  if (key === undefined && before === undefined) return false;
  const keys = key === undefined ? others : { ...others, [name]: key };
  await prepareHome(paths);
  await atomicWrite(paths.keys, `${JSON.stringify(keys, null, 2)}\n`);
  return before !== undefined;
}
