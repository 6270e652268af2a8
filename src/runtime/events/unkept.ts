// Events that could be kept nowhere, counted in a file whose bytes are there from before: a full disk takes no new ones.
import { access, constants, type FileHandle, open, stat, statfs } from "node:fs/promises";
import process from "node:process";
import { addFinding } from "../../home/findings.ts";
import type { Paths } from "../../home/paths.ts";
import { atomicWrite, readFileText } from "../../home/read-file.ts";
import { plural } from "../../text/text.ts";

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
  return `memoir: nothing can be written to ${paths.home}${free}: ${reason}; ${counted}. Make room or give write permission back; memoir goes on by itself.`;
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
