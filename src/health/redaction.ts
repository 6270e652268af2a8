// By which rules of redaction what is stored was gone over last: a home from before a new rule may hold what it takes out.
import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import * as v from "valibot";
import type { Paths } from "../home/paths.ts";
import { atomicWrite, readFileText } from "../home/read-file.ts";
import { rules } from "../privacy/redact.ts";
import { type Finding, warn } from "./check.ts";

/** `rules`: a digest of the rules; `isUnderWay`: a removal began and did not end. */
const MarkSchema = v.object({
  rules: v.optional(v.string()),
  time: v.number(),
  isUnderWay: v.optional(v.boolean()),
});
type Mark = v.InferOutput<typeof MarkSchema>;

/** Relative to the home. */
const markFile = "redacted.json";

/** Changes with what the rules say. */
function rulesDigest(): string {
  return createHash("sha256").update(JSON.stringify(rules)).digest("hex").slice(0, 32);
}

/** Undefined where nothing was ever noted, or what was makes no sense. */
export async function readMark(home: string): Promise<Mark | undefined> {
  try {
    return v.parse(MarkSchema, JSON.parse(await readFileText(join(home, markFile))));
  } catch {
    return undefined;
  }
}

/** Notes that all that is stored was gone over by today's rules, or that this began. */
export async function writeMark(home: string, time: number, isUnderWay = false): Promise<void> {
  const mark: Mark = isUnderWay ? { time, isUnderWay } : { time, rules: rulesDigest() };
  await atomicWrite(join(home, markFile), `${JSON.stringify(mark)}\n`);
}

/** What was put in the place of what was gone over may hold anything. */
export async function dropMark(home: string): Promise<void> {
  await rm(join(home, markFile), { force: true });
}

/** True for a home in which nothing was stored yet. */
export function isEmptyHome({ journal, memory }: Paths): boolean {
  return !existsSync(journal) && !existsSync(memory);
}

/** What to do where the rules are newer than what is stored. */
export async function checkRedaction(paths: Paths): Promise<Finding | undefined> {
  if (isEmptyHome(paths)) return undefined;
  const mark = await readMark(paths.home);
  if (mark?.rules === rulesDigest()) return undefined;
  if (mark?.isUnderWay)
    return warn(
      "removing secrets from what is stored was interrupted",
      "Run `memoir memory redact --stored` again; it continues.",
    );
  return warn(
    "memoir has new redaction rules since your memory was last checked for secrets",
    "Run `memoir memory redact --stored`: it shows what they find in stored memory, and removes it if you agree.",
  );
}
