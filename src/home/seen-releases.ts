// The newest release that was seen signed, kept in the home: an old list that is served again is known for one.
import { join } from "node:path";
import * as v from "valibot";
import { atomicWrite, readFileText } from "./read-file.ts";

const SeenSchema = v.object({
  newest: v.exactOptional(v.object({ version: v.string(), date: v.exactOptional(v.string()) })),
  /** Epoch ms of the last daily look. */
  lookedAt: v.exactOptional(v.number()),
});

type SeenReleases = v.InferOutput<typeof SeenSchema>;

const fileOf = (home: string) => join(home, "upgrade.json");

/** Empty where nothing was kept, or nothing that makes sense. */
export async function seenReleases(home: string): Promise<SeenReleases> {
  try {
    return v.parse(SeenSchema, JSON.parse(await readFileText(fileOf(home))));
  } catch {
    return {};
  }
}

/** Changes what is kept. */
export async function keepSeen(home: string, change: SeenReleases): Promise<void> {
  const seen = { ...(await seenReleases(home)), ...change };
  await atomicWrite(fileOf(home), `${JSON.stringify(seen)}\n`);
}

interface Release {
  version: string;
  date?: string;
}

/** By version, then by the commit's date. */
export function isBefore(one: Release, other: Release): boolean {
  if (isOlder(one.version, other.version)) return true;
  return !isOlder(other.version, one.version) && (one.date ?? "") < (other.date ?? one.date ?? "");
}

/** By semantic versioning's order: what comes behind `+` names a build, and two builds are neither older nor newer. */
export function isOlder(version: string, than: string): boolean {
  const [[left = [], leftMore], [right = [], rightMore]] = [partsOf(version), partsOf(than)];
  for (const at of [0, 1, 2]) {
    const [number = 0, other = 0] = [left[at], right[at]];
    if (number !== other) return number < other;
  }
  if (leftMore === undefined || rightMore === undefined)
    return leftMore !== undefined && rightMore === undefined;
  return leftMore.localeCompare(rightMore, "en", { numeric: true }) < 0;
}

/** The numbers, and what a version that comes before them has behind a `-`. */
function partsOf(version: string): [numbers: number[], more: string | undefined] {
  const [, numbers = "", more] = /^([\d.]*)(?:-([^+]*))?/.exec(version) ?? [];
  return [numbers.split(".").map(Number), more];
}
