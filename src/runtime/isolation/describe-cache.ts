// What plugins said about themselves, kept on disk by the content of their files, so that nobody imports them to ask again.
import { createHash } from "node:crypto";
import { mkdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import * as v from "valibot";
import { memoirPaths } from "../../home/paths.ts";
import { atomicWrite, readFileText } from "../../home/read-file.ts";
import { version } from "../../home/version.ts";
import { isDeno } from "../../host/engine.ts";
import { type HookName, hookKinds } from "../../sdk/hooks.ts";
import { sdkVersion, slotNames } from "../../sdk/plugin.ts";
import { fingerprint } from "../plugins/fingerprint.ts";
import type { Checked, Described } from "./messages.ts";

/** Change it when the shape of what is kept changes. */
const format = 1;
/** Options differ from time to time; the last few are kept. */
const maxChecks = 8;

// Just what the host works with: an entry that lacks it is asked for anew, instead of failing the plugin at each start.
const DescribedSchema = v.looseObject({
  name: v.string(),
  description: v.string(),
  sdk: v.number(),
  slot: v.optional(v.union([v.picklist(slotNames), v.array(v.picklist(slotNames))])),
  events: v.optional(v.array(v.string())),
  hooks: v.array(
    v.looseObject({
      hook: v.custom<HookName>((hook) => Object.hasOwn(hookKinds, String(hook))),
      order: v.optional(v.picklist(["pre", "normal", "post"])),
      deadlineMs: v.optional(v.union([v.number(), v.literal("config")])),
      place: v.optional(v.string()),
    }),
  ),
  hasStart: v.boolean(),
});
const CheckedSchema = v.looseObject({
  problems: v.array(v.looseObject({ path: v.string(), message: v.string() })),
  deadlines: v.record(v.string(), v.number()),
});
const EntrySchema = v.object({
  key: v.string(),
  described: v.custom<Described>((value) => v.is(DescribedSchema, value)),
  checks: v.record(
    v.string(),
    v.custom<Checked>((value) => v.is(CheckedSchema, value)),
  ),
});

/** A plugin's answers, by the text of the options that they are about. */
type Kept = v.InferOutput<typeof EntrySchema>;

const lockFiles = ["package.json", "bun.lock", "bun.lockb", "package-lock.json", "deno.lock"];

/** A word for the present state of a plugin's files and of what it depends on. */
export async function stateOf(source: string): Promise<string> {
  const hash = createHash("sha256");
  hash.update(`${format} ${version} ${sdkVersion} ${isDeno ? "deno" : "bun"}\0`);
  hash.update(await fingerprint(source));
  for (const name of lockFiles) {
    const text = await readFileText(join(dirname(source), name)).catch(() => "");
    hash.update(`${name}\0${text}\0`);
  }
  return hash.digest("hex").slice(0, 32);
}

function fileOf(home: string, source: string): string {
  const name = createHash("sha256").update(source).digest("hex").slice(0, 24);
  return join(memoirPaths(home).cache, "plugins", `${name}.json`);
}

/** What is kept about a plugin, of whatever state; undefined when nothing is. Never rejects. */
async function readEntry(home: string, source: string): Promise<Kept | undefined> {
  try {
    return v.parse(EntrySchema, JSON.parse(await readFileText(fileOf(home, source))));
  } catch {
    return undefined;
  }
}

/** What a plugin says of itself and of these options: kept from an earlier time, else asked now and kept. */
export async function answersOf(
  { home, source }: { home: string; source: string },
  options: object,
  ask: () => Promise<{ described: Described; checked: Checked }>,
): Promise<{ described: Described; checked: Checked }> {
  const key = await stateOf(source);
  const entry = await readEntry(home, source);
  const kept = entry?.key === key ? entry : undefined;
  const text = JSON.stringify(options);
  const checked = kept?.checks[text];
  if (kept && checked) return { described: kept.described, checked };
  const answers = await ask();
  const checks = Object.entries({ ...kept?.checks, [text]: answers.checked }).slice(-maxChecks);
  const next: Kept = { key, described: answers.described, checks: Object.fromEntries(checks) };
  try {
    const path = fileOf(home, source);
    await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    await atomicWrite(path, JSON.stringify(next));
  } catch {
    // A home that cannot be written costs time, nothing else.
  }
  return answers;
}

/** The slots of a plugin when it could be loaded last, whatever became of its files; empty when that is not known. */
export async function lastSlots(home: string, source: string): Promise<readonly string[]> {
  return [(await readEntry(home, source))?.described.slot ?? []].flat();
}
