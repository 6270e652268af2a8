// Events that wait in the spool, or were found to be none, go with what they are of.
import { readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { readFileText } from "../../home/read-file.ts";

/** A session, or the stretches of it, whose events go. */
interface SpooledPart {
  session: string;
  prompts?: ReadonlyArray<{ from: number; to: number }> | undefined;
}

/** A prompt's hook runs a little before or after its line says. */
const slackMs = 2_000;

/** Removes files of these sessions. A file that holds no event, but names one of them, is taken to be of it. */
export async function forgetSpooled(folder: string, parts: readonly SpooledPart[]): Promise<void> {
  if (parts.length === 0) return;
  for (const place of [folder, join(folder, "rejected")])
    for (const name of await readdir(place).catch(() => [])) {
      if (!name.endsWith(".json")) continue;
      const path = join(place, name);
      const text = await readFileText(path).catch(() => "");
      if (parts.some((part) => isOf(text, part))) await rm(path, { force: true });
    }
}

function isOf(text: string, { session, prompts }: SpooledPart): boolean {
  if (!text.includes(session)) return false;
  const { session: own, time } = eventIn(text) ?? {};
  if (own === undefined || typeof time !== "number") return true;
  if (own !== session) return false;
  return !prompts || prompts.some(({ from, to }) => time >= from - slackMs && time <= to + slackMs);
}

function eventIn(text: string): { session?: unknown; time?: unknown } | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}
