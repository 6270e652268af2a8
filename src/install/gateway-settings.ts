// Leads the client through the gateway and back: `<home>/gateway.json` says what was changed, so that `off` gives it back byte for byte.
import { existsSync } from "node:fs";
import { dirname } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { findNodeAtLocation } from "jsonc-parser";
import * as v from "valibot";
import { MemoirError } from "../sdk/errors.ts";
import { isRecord, recordOf } from "../text/text.ts";
import {
  readLedger,
  readNote,
  readSettings,
  removeSettings,
  type SettingsFile,
  textHash,
  writeLedger,
  writeNote,
  writeSettings,
} from "./file-change.ts";
import { openText, removeAt, removeEmpty, replaceAt, valueAt } from "./json-edit.ts";
import { parseSettings } from "./settings.ts";

// A variable of `env` in the client's settings as text: set, given back, and every other byte stays where it is.

/** All that is set and is a string. Throws MemoirError `settings_unreadable`. */
function variablesIn(text: string, path: string): Record<string, string> {
  const { env } = parseSettings(text, path);
  return Object.fromEntries(
    Object.entries(env ?? {}).filter(
      (entry): entry is [string, string] => typeof entry[1] === "string",
    ),
  );
}

/** The settings with the variable set. Throws MemoirError `settings_unreadable` where that cannot be done safely. */
function withVariable(text: string, name: string, value: string, path: string): string {
  const env = valueAt(text, ["env"], path);
  if (env !== undefined && !isRecord(env)) throw notSafe(path, name);
  return checked(text, replaceAt(text, ["env", name], value, path), { name, value, path });
}

/** The settings with `previous` in its place again; undefined takes it out, and `env` with it where it is empty then and `envToo`. */
function withoutVariable(
  text: string,
  { name, previous, envToo }: { name: string; previous: string | undefined; envToo: boolean },
  path: string,
): string {
  const at = ["env", name];
  if (valueAt(text, at, path) === undefined) return text;
  const after =
    previous === undefined
      ? removeEmpty(removeAt(text, at, path), ["env"], envToo ? 1 : 0, path)
      : replaceAt(text, at, previous, path);
  return checked(text, after, { name, value: previous, path });
}

interface Edit {
  name: string;
  /** Afterwards. */
  value: string | undefined;
  path: string;
}

/** Proves the edit before anyone writes it: the value is what it should be, and nothing else changed. */
function checked(before: string, after: string, { name, value, path }: Edit): string {
  const isSafe =
    variablesIn(after, path)[name] === value &&
    !isTwice(before, name, path) &&
    isDeepStrictEqual(rest(before, name, path), rest(after, name, path));
  if (!isSafe) throw notSafe(path, name);
  return after;
}

/** The settings without the variable and an `env` that would be empty. */
function rest(text: string, name: string, path: string): unknown {
  const { env, ...others } = parseSettings(text, path);
  const { [name]: _, ...variables } = recordOf(env);
  return Object.keys(variables).length === 0 ? others : { ...others, env: variables };
}

/** The client reads the last of two, and an edit would change the first. */
function isTwice(text: string, name: string, path: string): boolean {
  const env = findNodeAtLocation(openText(text, path).root, ["env"]);
  const names = (env?.children ?? []).map((property) => property.children?.[0]?.value as unknown);
  return names.indexOf(name) !== names.lastIndexOf(name);
}

function notSafe(path: string, name: string): MemoirError {
  return new MemoirError(
    "settings_unreadable",
    `${path} could not be changed safely; nothing was written.`,
    { fix: `Look at \`env\` and \`${name}\` in the file, then run the command again.` },
  );
}

/** The variable by which the client finds its model's API. */
const baseUrlName = "ANTHROPIC_BASE_URL";

/** What differs between two texts: no copy of either, as settings may hold keys. */
const SpliceSchema = v.object({ at: v.number(), removed: v.string(), inserted: v.string() });

const RecordSchema = v.object({
  /** Absolute path of the settings. */
  settings: v.string(),
  /** What was set. */
  url: v.string(),
  /** Whether there was a file, and a folder for it. */
  file: v.boolean(),
  folder: v.boolean(),
  /** Whether there was an `env`. */
  env: v.boolean(),
  /** The base URL before; null where there was none. */
  previous: v.nullable(v.string()),
  /** Whether `endless.gateway.upstream` was set from it. */
  upstream: v.boolean(),
  /** Hash of the text that was written, and what the base URL changed in the text before. */
  written: v.string(),
  splice: SpliceSchema,
  /** Variables that were set after it, in this order: those that keep the client's proxy away from this machine. */
  more: v.optional(
    v.array(
      v.object({
        ...{ name: v.string(), value: v.string(), previous: v.nullable(v.string()) },
        splice: SpliceSchema,
      }),
    ),
    [],
  ),
});

/** What `memoir endless gateway on` changed. */
type GatewayRecord = v.InferOutput<typeof RecordSchema>;

/** How the settings are given back. `left`: somebody has set another address since. */
export type GivenBack = "restored" | "removed" | "cleaned" | "left" | "gone";

/** Its path; the hook command looks whether it is there. */
export function gatewayRecordPath(home: string): string {
  return `${home}/gateway.json`;
}

/** Undefined while the client is not led through the gateway, as far as memoir knows. */
export function readGatewayRecord(home: string): Promise<GatewayRecord | undefined> {
  return readNote(gatewayRecordPath(home), RecordSchema);
}

/** The base URL that a settings file sets now. */
async function currentBaseUrl(path: string): Promise<string | undefined> {
  return (await settingsVariables(path))[baseUrlName];
}

/** The variables that a settings file gives its client now, without what the record says memoir wrote. */
export async function settingsVariables(
  path: string,
  record?: GatewayRecord,
): Promise<Record<string, string>> {
  const { text } = await readSettings(path);
  const found = text === undefined ? {} : variablesIn(text, path);
  if (record?.settings !== path) return found;
  for (const { name, value, previous } of record.more) {
    if (found[name] !== value) continue;
    if (previous === null) delete found[name];
    else found[name] = previous;
  }
  return found;
}

/**
 * Sets the base URL and `variables`. Rejects with `settings_unreadable` or `settings_unwritable`; nothing is changed then.
 * What an earlier time set is given back first where it was something else.
 */
export async function leadThrough(
  home: string,
  path: string,
  url: string,
  upstream: boolean,
  variables: Readonly<Record<string, string>> = {},
): Promise<void> {
  const known = await readGatewayRecord(home);
  if (known?.settings === path) {
    const set = Object.fromEntries(known.more.map(({ name, value }) => [name, value]));
    const isSame = isDeepStrictEqual(set, { ...variables });
    if (isSame && (await currentBaseUrl(path)) === url) return;
    if (!isSame) await leadBack(home);
  }
  const file = await readSettings(path);
  const before = file.text ?? "";
  let after = withVariable(before, baseUrlName, url, path);
  const previous = variablesIn(before, path);
  const record: GatewayRecord = {
    ...{ settings: path, url, upstream },
    file: file.text !== undefined,
    folder: existsSync(dirname(file.target)),
    env: /"env"\s*:/.test(before),
    // Set by an earlier `on` whose record is lost: to go back there would lead nowhere.
    previous: previous[baseUrlName] === url ? null : (previous[baseUrlName] ?? null),
    written: "",
    splice: difference(before, after),
    more: [],
  };
  for (const [name, value] of Object.entries(variables)) {
    const next = withVariable(after, name, value, path);
    const splice = difference(after, next);
    record.more.push({ name, value, previous: previous[name] ?? null, splice });
    after = next;
  }
  record.written = textHash(after);
  // The record goes first: a crash in between leaves a hash that does not fit, and the entry is taken out by itself.
  await writeNote(gatewayRecordPath(home), record);
  await writeSettings(file, after);
  await follow(home, path, before, after);
}

/** Gives the settings back; nothing to do without a record. `dryRun` only says how. */
export async function leadBack(home: string, dryRun = false): Promise<GivenBack | undefined> {
  const record = await readGatewayRecord(home);
  if (!record) return undefined;
  const file = await readSettings(record.settings);
  const { how, after } = givenBack(file, record);
  if (dryRun) return how;
  if (how === "removed") await removeSettings(file, record.folder ? [] : [dirname(file.target)]);
  else if (after !== undefined) {
    await writeSettings(file, after);
    await follow(home, record.settings, file.text ?? "", after);
  }
  await writeNote(gatewayRecordPath(home), undefined);
  return how;
}

function givenBack(
  { text, path }: SettingsFile,
  { url, written, file, env, previous, splice, more }: GatewayRecord,
): { how: GivenBack; after?: string } {
  if (text === undefined) return { how: "gone" };
  if (textHash(text) === written && splice.inserted !== "") {
    if (!file) return { how: "removed" };
    let after = text;
    for (const { at, removed, inserted } of [splice, ...more.map((one) => one.splice)].reverse())
      after = after.slice(0, at) + removed + after.slice(at + inserted.length);
    return { how: "restored", after };
  }
  let after = text;
  for (const one of [...more].reverse()) {
    if (variablesIn(after, path)[one.name] !== one.value) continue;
    const edit = { name: one.name, previous: one.previous ?? undefined, envToo: !env };
    after = withoutVariable(after, edit, path);
  }
  if (variablesIn(after, path)[baseUrlName] !== url)
    return { how: "left", ...(after !== text && { after }) };
  const edit = { name: baseUrlName, previous: previous ?? undefined, envToo: !env };
  return { how: "cleaned", after: withoutVariable(after, edit, path) };
}

/** Install's own record goes with the change, so that uninstall still gives its bytes back. */
async function follow(home: string, path: string, before: string, after: string): Promise<void> {
  const ledger = await readLedger(home);
  const entry = ledger.find(({ settings }) => settings === path);
  if (entry?.written !== textHash(before)) return;
  const followed = { ...entry, written: textHash(after) };
  await writeLedger(
    home,
    ledger.map((other) => (other === entry ? followed : other)),
  );
}

/** The one stretch in which two texts differ. */
function difference(before: string, after: string): v.InferOutput<typeof SpliceSchema> {
  let at = 0;
  while (at < before.length && at < after.length && before[at] === after[at]) at++;
  let end = 0;
  const most = Math.min(before.length, after.length) - at;
  while (end < most && before.at(-1 - end) === after.at(-1 - end)) end++;
  return {
    at,
    removed: before.slice(at, before.length - end),
    inserted: after.slice(at, after.length - end),
  };
}
