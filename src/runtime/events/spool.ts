// What happens to an event that did not reach the server: it waits in the spool, one durable file each, until the server takes the files in,
// oldest first. One that the disk does not take is counted.

import { readdirSync } from "node:fs";
import {
  access,
  constants,
  type FileHandle,
  lstat,
  mkdir,
  open,
  readdir,
  rm,
  stat,
  statfs,
} from "node:fs/promises";
import { join } from "node:path";
import process from "node:process";
import * as v from "valibot";
import { errorMessage } from "../../home/describe-error.ts";
import { addFinding } from "../../home/findings.ts";
import type { Log } from "../../home/log.ts";
import type { Paths } from "../../home/paths.ts";
import { atomicWrite, readFileText } from "../../home/read-file.ts";
import { MemoirError } from "../../sdk/errors.ts";
import type { ClientEvent } from "../../sdk/events.ts";
import { clientEventNames } from "../../sdk/hooks.ts";
import { moveFile, within } from "../../sdk/within.ts";
import { plural } from "../../text/text.ts";

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
    if (code === "ENOTDIR")
      throw new MemoirError("home_unusable", `${folder} can't be used as a folder.`);
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
      const reason = await whyNoEvent(path, error);
      if (reason !== undefined) {
        await reject(folder, name);
        rejected?.(name);
        log.warn("spooled event rejected", { file: name, reason });
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

/** Why a file will never be an event; undefined where it may be taken the next time. */
async function whyNoEvent(path: string, error: unknown): Promise<string | undefined> {
  if (error instanceof MemoirError && error.code === "payload_invalid") return error.message;
  const there = await lstat(path).catch(() => undefined);
  if (!there) return undefined;
  const target = there.isSymbolicLink() ? await stat(path).catch(() => undefined) : there;
  return target?.isFile() ? undefined : "It is a folder, or a link to nothing.";
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
  await moveFile(join(folder, name), join(rejected, name));
}

// Keeps the spool empty while the server runs, and lets what waits there go before what comes in.

interface SpoolLoopOptions {
  folder: string;
  handle(event: ClientEvent): Promise<unknown>;
  log: Log;
  now(): number;
  /** Called when events that waited were taken, all of them. Must not reject. */
  emptied?(): Promise<void>;
  /** Called with each file that held no event, once it is kept aside in `rejected`. */
  rejected?(name: string): void;
  /** Milliseconds between two looks. Default 2,000. */
  everyMs?: number;
}

export type SpoolLoop = ReturnType<typeof createSpoolLoop>;

const defaultEveryMs = 2_000;
/** How long after a start, or after hooks met a server that did not answer, live events let the spool go first. */
const settlingMs = 10_000;
/** How long one live event waits for the spool. */
const beforeMs = 250;
/** The hook command gives up after this and spools; what a server that hung finds in its sockets is older, in no order, and all of it waits in the spool too. */
const lateMs = 1_000;
const beforeLateMs = 5_000;
/** A spool that cannot be emptied is looked at ever more seldom, up to this. */
const slowestMs = 60_000;

/** Looks only when it is asked to, until `start`. */
export function createSpoolLoop(options: SpoolLoopOptions) {
  const { folder, handle, log, now } = options;
  const everyMs = options.everyMs ?? defaultEveryMs;
  let settledAt = now() + settlingMs;
  let pause = everyMs;
  let stopped = false;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let pass: Promise<void> | undefined;

  const run = async (): Promise<void> => {
    try {
      const { drained, rejected, failed } = await drainSpool(folder, handle, log, options.rejected);
      if (drained + rejected > 0) log.info("spool drained", { drained, rejected, failed });
      pause = failed > 0 ? Math.min(pause * 2, slowestMs) : everyMs;
      if (drained > 0 && failed === 0) await whole();
    } catch (error) {
      log.warn("spool not readable", { error });
      pause = Math.min(pause * 2, slowestMs);
    }
  };
  /** A hook that looked just before may be writing its event to the spool still, while the next is answered. */
  const whole = async () => {
    settledAt = now() + settlingMs;
    await options.emptied?.();
  };
  /** Takes everything in that waits now; joins a pass that is under way. Never rejects. */
  const drain = (): Promise<void> => {
    pass ??= run().finally(() => {
      pass = undefined;
    });
    return pass;
  };
  const start = (afterLook: () => Promise<void>): void => {
    if (stopped) return;
    timer = setTimeout(async () => {
      await drain();
      await afterLook();
      start(afterLook);
    }, pause);
  };
  return {
    drain,
    /** Looks from now on, again and again, and calls `afterLook` after each, which must not reject. */
    start,
    /**
     * Before an event that came in live, with its own time in epoch ms: older events may still wait, in the first
     * seconds after a start, whenever the event was long on its way, and when it `probes` whether a server that was
     * late is well again. Takes a bounded time.
     */
    async before(time: number, probes = false): Promise<void> {
      const isLate = probes || now() - time > lateMs;
      if (!isLate && (now() > settledAt || (!pass && !isAnySpooled(folder)))) return;
      await within(isLate ? beforeLateMs : beforeMs, drain(), undefined);
    },
    /** Files that wait. */
    waiting: async () => (await spooledFiles(folder)).length,
    /** Waits for the pass under way and ends the loop. */
    async stop(): Promise<void> {
      stopped = true;
      clearTimeout(timer);
      await pass;
    },
  };
}

// Events that could be kept nowhere, counted in a file whose bytes are there from before: a full disk takes no new ones.

/** Events that were not kept. */
interface Unkept {
  count: number;
  /** The file is full: there may have been more. */
  orMore: boolean;
  /** Epoch ms of the first and the last. */
  since: number;
  until: number;
  /** Why the last was not kept, in words. */
  reason: string;
}

const slotBytes = 16;
const slots = 4_096;
const digits = 13;
const blank = " ".repeat(slotBytes - 1).concat("\n");

const codes: Record<string, [letter: string, words: string]> = {
  ENOSPC: ["S", "no space is left on the disk"],
  EDQUOT: ["Q", "the disk's quota is used up"],
  EROFS: ["R", "the disk is read-only"],
  EACCES: ["A", "memoir may not write there"],
  EPERM: ["A", "memoir may not write there"],
};
const other: [letter: string, words: string] = ["O", "writing failed"];

/** Why an event could not be written, in words. */
export function reasonOf(error: unknown): string {
  return codeOf(error)[1];
}

/** Why nothing can be written to a home that is there, in words; undefined where it can. */
export async function whyUnwritable({ home }: Paths): Promise<string | undefined> {
  return access(home, constants.W_OK).then(
    () => undefined,
    (error) => (codeOf(error) === other ? undefined : reasonOf(error)),
  );
}

/** Makes the file where there is none, or one of another size. Rejects when that cannot be. */
export async function prepareUnkept({ unkept }: Paths): Promise<void> {
  const { size } = await stat(unkept).catch(() => ({ size: -1 }));
  if (size !== slots * slotBytes) await atomicWrite(unkept, blank.repeat(slots));
}

/** Counts an event that could not be kept; false where not even that can be written. Never rejects. */
export async function countUnkept(
  { unkept }: Paths,
  time: number,
  error: unknown,
): Promise<boolean> {
  try {
    const file = await openCount(unkept);
    try {
      const text = await file.readFile("latin1");
      // Processes that count at the same time begin at different places.
      const first = (process.pid * 61) % slots;
      const order = Array.from({ length: slots }, (_, at) => (first + at) % slots);
      const free = order.find((slot) => isBlank(text, slot)) ?? slots - 1;
      const line = `${String(time).padStart(digits, "0")} ${codeOf(error)[0]}\n`;
      await file.write(line, free * slotBytes, "latin1");
      await file.datasync();
    } finally {
      await file.close();
    }
    return true;
  } catch {
    return false;
  }
}

/** What somebody put into the file's place is not written to. */
async function openCount(path: string): Promise<FileHandle> {
  const file = await open(path, "r+");
  if ((await file.stat()).isFile()) return file;
  await file.close();
  throw new Error(`${path} is no file`);
}

/** What was not kept so far; undefined where all was. Never rejects. */
export async function readUnkept({ unkept }: Paths): Promise<Unkept | undefined> {
  try {
    return parse(await readFileText(unkept, "latin1"));
  } catch {
    return undefined;
  }
}

/**
 * Makes a finding of what was counted, and counts anew. What cannot be said for good, because there is still no room, is
 * left and answered.
 */
export async function settleUnkept(paths: Paths, now: number): Promise<Unkept | undefined> {
  const file = await openCount(paths.unkept).catch(() => undefined);
  if (!file) return undefined;
  try {
    const text = await file.readFile("latin1");
    const found = parse(text);
    if (!found) return undefined;
    const what = `could not take ${unkeptText(found)}`;
    const fix =
      "There is room again. `memoir backfill` reads what the client's transcripts still have.";
    if (!addFinding(paths.home, { time: now, file: "spool", what, fix })) return found;
    // Only what was read: another process may be counting.
    for (let slot = 0; slot < slots; slot++)
      if (!isBlank(text, slot)) await file.write(blank, slot * slotBytes, "latin1");
    return undefined;
  } catch {
    return undefined;
  } finally {
    await file.close();
  }
}

/** `50 events between … and …: no space is left on the disk`. */
export function unkeptText({ count, orMore, since, until, reason }: Unkept): string {
  const events = orMore ? `${count} events or more` : plural(count, "event");
  const [first, last] = [minute(since), minute(until)];
  const when = first === last ? `at ${first}` : `between ${first} and ${last}`;
  return `${events} ${when} UTC, because ${reason}`;
}

/** A line for the person, while nothing can be kept. */
export async function unkeptNotice(paths: Paths, reason: string): Promise<string> {
  const found = await readUnkept(paths);
  const room = await statfs(paths.home).catch(() => undefined);
  const free = room
    ? ` (${Math.floor((Number(room.bavail) * Number(room.bsize)) / 1_000)} kB free)`
    : "";
  const counted = found
    ? `${found.orMore ? "more than " : ""}${plural(found.count, "event")} so far ${found.count === 1 ? "was" : "were"} not kept`
    : "how many events are lost meanwhile cannot be counted either";
  return `memoir: nothing can be written to ${paths.home}${free}: ${reason}; ${counted}. Make room or give write permission back; memoir continues by itself.`;
}

/** One that was counted; blank places, which are nearly all of them, are passed over by the expression alone. */
const place = /(\d{13}) ([A-Z])\n/g;

function parse(text: string): Unkept | undefined {
  let [count, since, until] = [0, Number.POSITIVE_INFINITY, 0];
  let letter = other[0];
  for (const [, at, code = letter] of text.matchAll(place)) {
    const time = Number(at);
    count++;
    since = Math.min(since, time);
    if (time < until) continue;
    until = time;
    letter = code;
  }
  if (count === 0) return undefined;
  const [, reason] = Object.values(codes).find(([code]) => code === letter) ?? other;
  return { count, orMore: count === slots, since, until, reason };
}

function isBlank(text: string, slot: number): boolean {
  return text.startsWith("   ", slot * slotBytes);
}

function codeOf(error: unknown): [letter: string, words: string] {
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  return codes[code] ?? other;
}

function minute(time: number): string {
  return new Date(time).toISOString().slice(0, 16).replace("T", " ");
}
