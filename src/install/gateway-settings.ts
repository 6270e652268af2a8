// Leads the client through the gateway and back: `<home>/gateway.json` says what was changed, so that `off` gives it back byte for byte.
import { access, rm } from "node:fs/promises";
import { dirname } from "node:path";
import * as v from "valibot";
import { atomicWrite } from "../home/atomic-write.ts";
import { readFileText } from "../home/read-file.ts";
import { baseUrlIn, withBaseUrl, withoutBaseUrl } from "./base-url-text.ts";
import { readLedger, writeLedger } from "./ledger.ts";
import {
  readSettings,
  removeSettings,
  type SettingsFile,
  textHash,
  writeSettings,
} from "./settings-file.ts";

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
  /** Hash of the text that was written, and what differs from the text before. No copy of it: settings may hold keys. */
  written: v.string(),
  splice: v.object({ at: v.number(), removed: v.string(), inserted: v.string() }),
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
export async function readGatewayRecord(home: string): Promise<GatewayRecord | undefined> {
  try {
    const text = await readFileText(gatewayRecordPath(home));
    const parsed = v.safeParse(RecordSchema, JSON.parse(text));
    return parsed.success ? parsed.output : undefined;
  } catch {
    return undefined;
  }
}

/** The base URL that a settings file sets now. */
export async function currentBaseUrl(path: string): Promise<string | undefined> {
  const { text } = await readSettings(path);
  return text === undefined ? undefined : baseUrlIn(text, path);
}

/** Sets the base URL. Rejects with `settings_unreadable` or `settings_unwritable`; nothing is changed then. */
export async function leadThrough(
  home: string,
  path: string,
  url: string,
  upstream: boolean,
): Promise<void> {
  const file = await readSettings(path);
  const before = file.text ?? "";
  const after = withBaseUrl(before, url, path);
  const known = await readGatewayRecord(home);
  if (known && known.settings === path && before === after) return;
  const previous = before.trim() === "" ? undefined : baseUrlIn(before, path);
  const record: GatewayRecord = {
    ...{ settings: path, url, upstream },
    file: file.text !== undefined,
    folder: await exists(dirname(file.target)),
    env: /"env"\s*:/.test(before),
    // Set by an earlier `on` whose record is lost: to go back there would lead nowhere.
    previous: previous === undefined || previous === url ? null : previous,
    written: textHash(after),
    splice: difference(before, after),
  };
  // The record goes first: a crash in between leaves a hash that does not fit, and the entry is taken out by itself.
  await atomicWrite(gatewayRecordPath(home), `${JSON.stringify(record, null, 2)}\n`);
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
  await rm(gatewayRecordPath(home), { force: true });
  return how;
}

function givenBack(
  { text, path }: SettingsFile,
  { url, written, file, env, previous, splice }: GatewayRecord,
): { how: GivenBack; after?: string } {
  if (text === undefined) return { how: "gone" };
  if (textHash(text) === written && splice.inserted !== "") {
    if (!file) return { how: "removed" };
    const { at, removed, inserted } = splice;
    const after = text.slice(0, at) + removed + text.slice(at + inserted.length);
    return { how: "restored", after };
  }
  if (baseUrlIn(text, path) !== url) return { how: "left" };
  return { how: "cleaned", after: withoutBaseUrl(text, previous ?? undefined, !env, path) };
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
function difference(before: string, after: string): GatewayRecord["splice"] {
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

function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}
