// The spool: events that could not reach the server, one durable file each, drained into the runtime in the order they happened.
import { readdirSync } from "node:fs";
import { lstat, mkdir, readdir, rename, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import * as v from "valibot";
import { errorMessage } from "../../home/describe-error.ts";
import type { Log } from "../../home/log.ts";
import { atomicWrite, readFileText } from "../../home/read-file.ts";
import { MemoirError } from "../../sdk/errors.ts";
import type { ClientEvent } from "../../sdk/events.ts";
import { clientEventNames } from "../../sdk/hooks.ts";

/** Dates end here (epoch ms). */
const latestTime = 8.64e15;

/** The fields that every event has; the rest was typed by the adapter that wrote the file. */
const SpooledEvent = v.looseObject({
  name: v.picklist(clientEventNames),
  id: v.string(),
  key: v.string(),
  client: v.string(),
  session: v.string(),
  time: v.pipe(v.number(), v.minValue(0), v.maxValue(latestTime)),
  cwd: v.string(),
});

/** What one pass over the spool did. `failed` files stay for the next pass. */
interface DrainResult {
  drained: number;
  rejected: number;
  failed: number;
}

/** A pass gives up after this many events in a row could not be taken: the trouble is not the events'. */
const failuresInARow = 5;

/** Writes one event durably; the caller has redacted it. Makes the folder when it is missing. Gives the file's path. */
export async function writeSpool(folder: string, event: ClientEvent): Promise<string> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const path = join(folder, `${String(event.time).padStart(15, "0")}-${crypto.randomUUID()}.json`);
  await atomicWrite(path, JSON.stringify(event));
  return path;
}

/** Names of the waiting files, oldest first; none when there is no folder. */
export async function spooledFiles(folder: string): Promise<string[]> {
  try {
    return (await readdir(folder)).filter(isSpooled).sort();
  } catch (error) {
    const { code } = error as { code?: string };
    if (code === "ENOENT") return [];
    if (code === "ENOTDIR") throw new MemoirError("home_unusable", `${folder} can be no folder.`);
    throw error;
  }
}

/** Whether a file waits, or the folder cannot be read. Blocks for microseconds: to ask on another thread takes a hook that waits longer. */
export function isAnySpooled(folder: string): boolean {
  try {
    return readdirSync(folder).some(isSpooled);
  } catch (error) {
    return (error as { code?: string }).code !== "ENOENT";
  }
}

const isSpooled = (name: string) => name.endsWith(".json");

/**
 * Hands every waiting event to `handle`, oldest first, and removes its file once `handle` has resolved. What is no
 * event moves to `rejected/` below the folder and is never deleted.
 */
export async function drainSpool(
  folder: string,
  handle: (event: ClientEvent) => Promise<unknown>,
  log: Log,
  rejected?: (name: string) => void,
): Promise<DrainResult> {
  const result: DrainResult = { drained: 0, rejected: 0, failed: 0 };
  let inARow = 0;
  for (const name of await spooledFiles(folder)) {
    const path = join(folder, name);
    try {
      await handle(readEvent(await readFileText(path)));
      await rm(path, { force: true });
      result.drained += 1;
      inARow = 0;
    } catch (error) {
      if (error instanceof MemoirError && error.code === "payload_invalid") {
        await reject(folder, name);
        rejected?.(name);
        log.warn("spooled event rejected", { file: name, reason: error.message });
        result.rejected += 1;
        continue;
      }
      if (await isNoFile(path)) {
        await reject(folder, name);
        rejected?.(name);
        result.rejected += 1;
        continue;
      }
      if ((error as { code?: string }).code === "ENOENT") continue;
      log.warn("spooled event not taken yet", { file: name, reason: errorMessage(error) });
      result.failed += 1;
      inARow += 1;
      if (inARow >= failuresInARow) break;
    }
  }
  return result;
}

/** A folder, or a link to nothing: it will never be read. */
async function isNoFile(path: string): Promise<boolean> {
  const there = await lstat(path).catch(() => undefined);
  if (!there) return false;
  const target = there.isSymbolicLink() ? await stat(path).catch(() => undefined) : there;
  return !target?.isFile();
}

function readEvent(text: string): ClientEvent {
  const value = parsedObject(text);
  const parsed = v.safeParse(SpooledEvent, value);
  if (!parsed.success) {
    const field = v.getDotPath(parsed.issues[0]) ?? "the whole";
    throw new MemoirError("payload_invalid", `The file holds no event: ${field} is wrong.`);
  }
  return parsed.output as ClientEvent;
}

/** What stands in the file, also where something else was written behind it. */
function parsedObject(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    const end = endOfObject(text);
    if (end > 0 && end < text.length) return parsedObject(text.slice(0, end));
    throw new MemoirError("payload_invalid", "The file holds no JSON.", { cause });
  }
}

/** Where the object ends that the text begins with; 0 where it begins with none, or it has no end. */
function endOfObject(text: string): number {
  let depth = 0;
  let isText = false;
  for (let at = 0; at < text.length; at++) {
    const character = text[at];
    if (isText && character === "\\") at++;
    else if (character === '"') isText = !isText;
    else if (!isText && character === "{") depth++;
    else if (!isText && character === "}" && --depth === 0) return at + 1;
    if (depth === 0) return 0;
  }
  return 0;
}

async function reject(folder: string, name: string): Promise<void> {
  const rejected = join(folder, "rejected");
  await mkdir(rejected, { recursive: true, mode: 0o700 });
  await rename(join(folder, name), join(rejected, name));
}
