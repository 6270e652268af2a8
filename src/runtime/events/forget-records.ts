// Forgets records by the user's word: the journal first, so that nothing is made of them meanwhile, then storage, then listeners.
import { readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import * as v from "valibot";
import { forgetInPluginData } from "../../home/database/plugin-data.ts";
import type { Log } from "../../home/log.ts";
import { memoirPaths } from "../../home/paths.ts";
import { atomicWrite, readFileText } from "../../home/read-file.ts";
import { MemoirError } from "../../sdk/errors.ts";
import type { ForgottenNotice } from "../../sdk/hooks.ts";
import type { Records } from "../../sdk/model.ts";
import type { DeleteResult, StoredRecord } from "../../sdk/storage.ts";
import type { Turn } from "../../sdk/turn.ts";
import { undoFolder } from "../../transcript/undo-log.ts";
import type { Endless } from "../endless/endless.ts";
import { askStorage, type Heard } from "../hooks/ask-storage.ts";
import type { Journal } from "../journal/journal.ts";
import type { Forgotten } from "../journal/seen-before.ts";
import type { Hooks } from "../ports.ts";
import { hasWordsOnlyOf, itemsOf, recordTombstone, withoutForgotten } from "./forgotten.ts";

// Takes out what was forgotten after the home's files were last as they are: a backup that was gone back to may hold it again.

const page = 500;
const kinds = ["sessions", "turns", "prompts", "observations", "summaries", "memory"] as const;

/** Looks at every record, and forgets those that were forgotten. Never rejects; answers how many went. */
export async function sweepForgotten(
  deps: ForgetDeps & { journal: { isBuried: Parameters<typeof withoutForgotten>[1]["isBuried"] } },
): Promise<number> {
  try {
    const ids: string[] = [];
    for (const kind of kinds) ids.push(...(await buriedOf(kind, deps)));
    if (ids.length === 0) return 0;
    const { deleted } = await forgetRecords(ids, deps);
    deps.log.info("Records that were deleted had come back, and were removed.", {
      records: deleted.length,
    });
    return deleted.length;
  } catch (error) {
    deps.log.warn("Whether records are there again that were forgotten could not be seen.", {
      error,
    });
    return 0;
  }
}

async function buriedOf(
  kind: (typeof kinds)[number],
  { hooks, journal }: Parameters<typeof sweepForgotten>[0],
): Promise<string[]> {
  const ids: string[] = [];
  for (let offset = 0; ; offset += page) {
    const query = { limit: page, offset, order: "oldest" as const };
    const asked = kind === "observations" ? { ...query, superseded: true } : query;
    const found = ((await hooks.first(`storage.${kind}`, asked))?.result ?? []) as Array<{
      id: string;
    }>;
    const left = withoutForgotten({ [kind]: found } as Records, journal)[kind] as typeof found;
    const stays = new Set(left.map(({ id }) => id));
    ids.push(...found.flatMap(({ id }) => (stays.has(id) ? [] : [id])));
    if (found.length < page) return ids;
  }
}

// Events that wait in the spool, or were found to be none, go with what they are of.

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

/** Who keeps something of what happened. */
export interface ForgetDeps {
  home: string;
  hooks: Hooks;
  journal: Pick<
    Journal,
    "rows" | "state" | "forget" | "forgetSession" | "bury" | "purge" | "session"
  >;
  endless: Pick<Endless, "forget">;
  log: Log;
  /** Epoch ms. */
  now: () => number;
}

const PartSchema = v.object({
  client: v.string(),
  session: v.string(),
  /** The prompts of which all goes, each with its first and last moment; absent for the whole session. */
  prompts: v.optional(v.array(v.object({ number: v.number(), from: v.number(), to: v.number() }))),
});
/** A session of which something goes that may come back. */
type Part = v.InferOutput<typeof PartSchema>;

/** What is under way, without a word of it: after a crash it is done once more. */
const UnderWaySchema = v.object({ ids: v.array(v.string()), parts: v.array(PartSchema) });
type UnderWay = v.InferOutput<typeof UnderWaySchema>;

const fileName = "forgetting.json";

/** Nothing to delete: bytes of what was deleted may be left in the files. */
const bytesLeft: UnderWay = { ids: [], parts: [] };

/** How it is done. */
export interface ForgetHow {
  /** By a rule, while others wait: a few records at a time. Files are written anew by the next `resumeForgetting`. */
  gently?: boolean;
  /** What another memory forgot, whether it is here or is yet to be made of a transcript. */
  heard?: readonly Heard[];
}

/** Nothing brings them back; the client's own transcript stays as it is. Rejects when storage failed. */
export async function forgetRecords(
  ids: readonly string[],
  deps: ForgetDeps,
  how: ForgetHow = {},
): Promise<DeleteResult> {
  const { heard } = how;
  if (heard) deps.journal.bury(heard.map((one) => ({ kind: "identity", ...one })));
  if (heard && ids.length === 0) return { deleted: [] };
  const records = await askStorage(deps.hooks, "storage.get", { ids: [...ids] });
  const parts = partsOf(records);
  const known = new Set(records.map(({ record }) => record.id));
  // Of a session that storage has not heard of yet the journal knows.
  for (const id of ids) {
    const session = known.has(id) ? undefined : deps.journal.session(id);
    if (session) parts.push({ client: session.client, session: id });
  }
  const tombstones = [
    ...records.flatMap((stored) => tombstonesOf(stored, deps.now())),
    ...parts.flatMap(wholeSession(deps.now())),
  ];
  if (tombstones.length > 0) deps.journal.bury(tombstones);
  await emptyTitles(records, deps);
  const work = { ids: [...ids], parts };
  await atomicWrite(join(deps.home, fileName), JSON.stringify(work));
  return await carryOut(work, deps, how);
}

/** Ends what a crash broke off, and removes the bytes that gentle deletions left. Never rejects. */
export async function resumeForgetting(deps: ForgetDeps): Promise<void> {
  let text: string;
  try {
    text = await readFileText(join(deps.home, fileName));
  } catch {
    return;
  }
  try {
    await carryOut(v.parse(UnderWaySchema, JSON.parse(text)), deps);
  } catch (error) {
    deps.log.warn("What was being forgotten could not be ended; it is tried at the next start.", {
      error,
    });
  }
}

/** Every step may be done twice. */
async function carryOut(
  { ids, parts }: UnderWay,
  deps: ForgetDeps,
  { gently = false }: ForgetHow = {},
): Promise<DeleteResult> {
  const { hooks, journal, home } = deps;
  const toolUses = new Map<string, string[]>();
  for (const part of parts) {
    const uses = forgetInJournal(part, journal);
    toolUses.set(part.session, [...(toolUses.get(part.session) ?? []), ...uses]);
  }
  for (const [session, uses] of toolUses) {
    await deps.endless.forget({ session, toolUses: uses });
    // What stood in the transcript before it was rewritten.
    if (/^[\w-]{1,200}$/.test(session))
      await rm(join(undoFolder(home), session), { recursive: true, force: true });
  }
  await forgetSpooled(memoirPaths(home).spool, parts);
  const result = gently
    ? await deleteGently(ids, parts, hooks)
    : await askStorage(hooks, "storage.delete", { ids });
  const notice: ForgottenNotice = {
    ids: result.deleted,
    sessions: [...toolUses.keys()],
    toolUses: [...toolUses.values()].flat(),
  };
  const isChanged = result.deleted.length > 0 || parts.length > 0;
  let isLeft = false;
  if (isChanged) {
    await deps.endless.forget({ records: [...new Set([...ids, ...result.deleted])] });
    isLeft = await isLeftWithPlugins([...ids, ...notice.ids, ...toolUses.keys()], deps);
    await hooks.parallel("forgotten", notice);
    await forgetLate(parts, deps);
  }
  if (gently) {
    await atomicWrite(join(home, fileName), JSON.stringify(bytesLeft));
    return result;
  }
  if (isChanged || ids.length === 0) await journal.purge();
  // The next start tries it again.
  if (!isLeft) await rm(join(home, fileName), { force: true });
  return result;
}

/** Takes out what plugins keep of it; true where one of their databases could not forget. */
async function isLeftWithPlugins(
  ids: readonly string[],
  { home, log }: ForgetDeps,
): Promise<boolean> {
  const failed = await forgetInPluginData(memoirPaths(home), [...new Set(ids)]);
  for (const { name, error } of failed)
    log.error("a plugin's database could not forget; it is tried again at the next start", {
      file: name,
      error,
    });
  return failed.length > 0;
}

/** So many records go at a time: some milliseconds, in which nobody is answered. */
const fewRecords = 5;

/** The turns of whole sessions first, which are most of them; between two steps whoever waits is answered. */
async function deleteGently(
  ids: readonly string[],
  parts: readonly Part[],
  hooks: Hooks,
): Promise<DeleteResult> {
  const deleted: string[] = [];
  const remove = async (some: readonly string[]): Promise<number> => {
    const result = await askStorage(hooks, "storage.delete", { ids: [...some], gently: true });
    deleted.push(...result.deleted);
    await new Promise((resolve) => setTimeout(resolve, 0));
    return result.deleted.length;
  };
  for (const { session, prompts } of parts)
    for (let gone = prompts ? 0 : 1; gone > 0; ) {
      const turns = await askStorage(hooks, "storage.turns", { session, limit: fewRecords });
      const own = turns.filter((turn) => turn.session === session);
      gone = own.length > 0 ? await remove(own.map(({ id }) => id)) : 0;
    }
  for (let at = 0; at < ids.length; at += fewRecords) await remove(ids.slice(at, at + fewRecords));
  return { deleted: [...new Set(deleted)] };
}

/** What a listener was making of a session while it was forgotten. */
async function forgetLate(parts: readonly Part[], { hooks }: ForgetDeps): Promise<void> {
  const whole = parts.flatMap(({ session, prompts }) => (prompts ? [] : [session]));
  const late: string[] = [];
  for (const session of whole) {
    const list = await hooks.first("storage.memory", { session, limit: 1_000 }).catch(ambiguous);
    // The id of what is gone may be the beginning of another's.
    for (const item of list?.result ?? []) if (item.session === session) late.push(item.id);
  }
  if (late.length === 0) return;
  const { deleted } = await askStorage(hooks, "storage.delete", { ids: late });
  await hooks.parallel("forgotten", { ids: deleted });
}

function ambiguous(error: unknown): undefined {
  if (error instanceof MemoirError && error.code === "session_ambiguous") return;
  throw error;
}

function forgetInJournal({ client, session, prompts }: Part, journal: ForgetDeps["journal"]) {
  return journal.rows(session).flatMap((row) => {
    if (journal.state(row)?.client !== client) return [];
    if (!prompts) return journal.forgetSession(row);
    return journal.forget(
      row,
      prompts.map(({ number }) => number),
    );
  });
}

function partsOf(records: readonly StoredRecord[]): Part[] {
  const whole = new Set(
    records.flatMap(({ kind, record }) => (kind === "session" ? record.id : [])),
  );
  const parts: Part[] = [];
  for (const { kind, record } of records)
    if (kind === "session") parts.push({ client: record.client, session: record.id });
    else if (kind === "turn" && !whole.has(record.session)) {
      const prompt = { number: record.promptNumber, from: record.startedAt, to: record.time };
      const part = parts.find(
        ({ client, session }) => client === record.client && session === record.session,
      );
      if (part?.prompts) part.prompts.push(prompt);
      else parts.push({ client: record.client, session: record.session, prompts: [prompt] });
    }
  return parts;
}

function tombstonesOf(stored: StoredRecord, now: number): Forgotten[] {
  if (stored.kind === "session") return [];
  if (stored.kind !== "turn") return recordTombstone(stored, now);
  const { client, session, startedAt: time, pieces } = stored.record;
  const prompt = pieces.find(({ kind }) => kind === "prompt");
  return [
    ...recordTombstone(stored, now),
    ...(prompt ? saidIn({ client, session, text: prompt.text }, time, now) : []),
  ];
}

/** A transcript's clock may be off by less than this. */
const clockMs = 24 * 60 * 60_000;

function saidIn(
  said: { client: string; session: string; text: string },
  time: number,
  now: number,
): Forgotten[] {
  return [
    { kind: "prompt", ...said, time },
    { kind: "said", ...said, until: now + clockMs },
  ];
}

function wholeSession(until: number) {
  return ({ client, session, prompts }: Part): Forgotten[] =>
    prompts ? [] : [{ kind: "session", client, session, until }, itemsOf(session, until)];
}

/** A title that says what only the turns said that go is emptied with them. */
async function emptyTitles(records: readonly StoredRecord[], { hooks }: ForgetDeps) {
  const turns = records.flatMap(({ kind, record }) => (kind === "turn" ? [record] : []));
  const bySession = Map.groupBy(turns, ({ session }) => session);
  for (const [id, going] of bySession) {
    const [stored] = await askStorage(hooks, "storage.get", { ids: [id] });
    if (stored?.kind !== "session") continue;
    const says = await hasWordsOnlyOf(hooks, id, going as Turn[]);
    const { title, subtitle, observations: _, ...session } = stored.record;
    if (!says(title) && !says(subtitle)) continue;
    await askStorage(hooks, "storage.put", {
      key: `untitled:${id}:${crypto.randomUUID()}`,
      records: {
        sessions: [
          {
            ...session,
            title: says(title) ? "" : title,
            subtitle: says(subtitle) ? "" : subtitle,
          },
        ],
      },
    });
  }
}
