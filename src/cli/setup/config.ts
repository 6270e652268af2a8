// `memoir config show | get | set | unset | path | schema`.

import { redactDeep } from "../../privacy/redact.ts";
import {
  type ConfigFile,
  problemText,
  readConfigOrLast,
  setConfigValue,
  unsetConfigValue,
} from "../../runtime/config/config.ts";
import { configJsonSchema, configKeys } from "../../runtime/config/json-schema.ts";
import { nearest } from "../../runtime/config/problems.ts";
import { retiredNote } from "../../runtime/config/retired.ts";
import { checkPlugins } from "../../runtime/plugins/describe.ts";
import { effectiveConfig } from "../../runtime/plugins/registry.ts";
import { MemoirError } from "../../sdk/errors.ts";
import { putInForce } from "../plugins/after-change.ts";
import { answer } from "../terminal/output.ts";
import type { Terminal } from "../terminal/terminal.ts";
import { setupOf } from "./setup.ts";

interface JsonOption {
  json?: boolean;
}

/** Prints what the user set, or with `all` what is in force. Gives 1 when the file has problems. */
export async function showConfig(
  options: JsonOption & { all?: boolean },
  terminal: Terminal,
): Promise<number> {
  const { home } = setupOf(terminal).paths;
  const file = await readConfigOrLast(home);
  const shown = withoutSecrets(options.all ? effectiveConfig(file.config) : file.set);
  const problems = file.broken
    ? file.problems
    : await checkPlugins(home, terminal.env)(file.set as Record<string, unknown>);
  const report = { path: file.path, config: shown, problems };
  const lines = () => {
    const isEmpty = Object.keys(shown).length === 0;
    const { dim, red } = terminal.colors;
    for (const problem of problems) terminal.warn(`${red("wrong:")} ${problemText(problem)}`);
    const note = isEmpty
      ? ["Nothing is set: defaults are in effect. `memoir config show --all` prints them."]
      : [];
    return [
      dim(file.path),
      ...(file.broken ? [brokenNote(file)] : note),
      ...(isEmpty ? [] : [JSON.stringify(shown, null, 2)]),
    ];
  };
  return answer(terminal, options, report, lines, problems.length > 0 ? 1 : 0);
}

/** As it is printed: an address with a password in it is one in a screenshot too. */
function withoutSecrets<Value>(value: Value): Value {
  return redactDeep(value).value as Value;
}

/** What is in force while the file is not valid JSON. */
function brokenNote({ set }: ConfigFile): string {
  return Object.keys(set).length > 0
    ? "The config can't be read: the previous settings stay in effect until it is fixed."
    : "The config can't be read, and there are no previous settings: defaults are in effect, and all text is withheld until it is fixed.";
}

/** Prints one value in force, nothing for a key without one. Throws `usage` for what is no key. */
export async function getConfig(
  path: string,
  options: JsonOption,
  terminal: Terminal,
): Promise<number> {
  const file = await readConfigOrLast(setupOf(terminal).paths.home);
  refuseRetired(path);
  const known = effectiveConfig(file.config);
  const found =
    lookUp(known, path) ?? lookUp(file.set, path) ?? (await usualOption(path, terminal));
  const value = withoutSecrets({ [path]: found })[path];
  if (value === undefined) {
    await refuseUnknown(path, terminal);
    if (!options.json) terminal.warn(`${path} is not set and has no default.`);
    return answer(terminal, options, { path, value: null }, () => []);
  }
  const text = typeof value === "string" ? value : JSON.stringify(value, null, 2);
  return answer(terminal, options, { path, value }, () => [text]);
}

/** Throws `usage` for what is no key; a key that holds others is one. */
async function refuseUnknown(path: string, terminal: Terminal): Promise<void> {
  const keys = [...(await configKeys()).keys()];
  if (keys.some((key) => key === path || key.startsWith(`${path}.`))) return;
  if ((await usualOption(path, terminal)) !== undefined) return;
  throw new MemoirError("usage", `There is no setting ${path}.`, { fix: meant(path, keys) });
}

/** What an option of a plugin is when nothing is set, whether or not it is in force; undefined where it is nothing then. */
async function usualOption(path: string, terminal: Terminal): Promise<unknown> {
  const [, plugin, option] = /^plugins\.([^.]+)\.(.+)$/.exec(path) ?? [];
  if (plugin === undefined || option === undefined) return undefined;
  const { pluginOptions } = await import("../plugins/list.ts");
  const options = await pluginOptions(plugin, terminal).catch(() => []);
  const own = options.find(({ key }) => key === option);
  const group = options.filter(({ key }) => key.startsWith(`${option}.`));
  if (own || group.length === 0) return own?.default;
  return Object.fromEntries(
    group.map(({ key, default: usual }) => [key.slice(option.length + 1), usual]),
  );
}

/** The key that a person most likely meant: its last word is a few slips away, or its first ones are missing. */
function meant(path: string, keys: readonly string[]): string {
  const above = path.slice(0, path.lastIndexOf(".") + 1);
  const beside = keys.flatMap((key) => {
    const name = key.slice(above.length);
    return key.startsWith(above) && !name.includes(".") ? name : [];
  });
  const near = nearest(path.slice(above.length), beside);
  const key = near ? above + near : keys.find((one) => one.endsWith(`.${path}`));
  return key
    ? `Did you mean ${key}?`
    : "`memoir config show --all` prints what is in effect, `memoir config schema` every setting.";
}

/** Sets one value: JSON where it reads as JSON, text else. */
export async function setConfig(
  path: string,
  text: string,
  options: JsonOption,
  terminal: Terminal,
): Promise<number> {
  refuseRetired(path);
  const { home, config } = setupOf(terminal).paths;
  const value = parseValue(text);
  await setConfigValue(home, path, value, checkPlugins(home, terminal.env)).catch((error) => {
    throw asList(error, path, value);
  });
  const inForce = (await putInForce(terminal)).running && !waitsForStart(path);
  const shown = withoutSecrets({ [path]: value })[path];
  return answer(terminal, options, { path, value: shown, file: config, inForce }, () => [
    `${path} = ${JSON.stringify(shown)}${inForce ? "" : startNote(path)}`,
  ]);
}

/** Throws `usage` for a key that is no longer a choice. */
function refuseRetired(path: string): void {
  const retired = retiredNote(path);
  if (retired !== undefined)
    throw new MemoirError("usage", `${path} ${retired}.`, { fix: "Nothing to set there." });
}

/** A single word where a list is wanted: how the list is written. */
function asList(error: unknown, path: string, value: unknown): unknown {
  const isForList =
    error instanceof MemoirError && error.message.startsWith(`${path}: must be a list`);
  if (!isForList || typeof value !== "string" || /[[\]'"]/.test(value)) return error;
  const list = value.split(",").map((word) => word.trim());
  return new MemoirError("config_invalid", error.message, {
    fix: `Write a list: \`memoir config set ${path} '${JSON.stringify(list)}'\`.`,
  });
}

/** Takes one value out. */
export async function unsetConfig(
  path: string,
  options: JsonOption,
  terminal: Terminal,
): Promise<number> {
  const { home } = setupOf(terminal).paths;
  const found = await unsetConfigValue(home, path);
  if (!found) await refuseUnknown(path, terminal);
  const inForce = (await putInForce(terminal)).running && !waitsForStart(path);
  return answer(terminal, options, { path, removed: found, inForce }, () => [
    found
      ? `${path} is reset to its default.${inForce ? "" : startNote(path)}`
      : `${path} was not set.`,
  ]);
}

/** Prints where the file is, whether or not it exists. */
export async function configPath(options: JsonOption, terminal: Terminal): Promise<number> {
  const { config } = setupOf(terminal).paths;
  return answer(terminal, options, { path: config }, () => [config]);
}

/** Prints the JSON schema, with the options of every built-in plugin. */
export async function configSchema(_: JsonOption, terminal: Terminal): Promise<number> {
  terminal.print(JSON.stringify(await configJsonSchema(), null, 2));
  return 0;
}

/** Whether a server goes on with the old value until it starts anew; docs/configuration.md says the same. */
export function waitsForStart(path: string): boolean {
  return /^(?:server|journal|worker|watch)\b/.test(path);
}

function startNote(path: string): string {
  return `\nIt takes effect at the next server start${/^(?:slots|plugins|listeners)\b/.test(path) ? "" : " (`memoir server stop`, then `memoir server start`)"}.`;
}

function parseValue(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

function lookUp(root: unknown, path: string): unknown {
  let value = root;
  for (const key of path.split(".")) {
    if (typeof value !== "object" || value === null || !Object.hasOwn(value, key)) return undefined;
    value = (value as Record<string, unknown>)[key];
  }
  return value;
}
