// Puts into the journal what a session's transcript has of prompts that memory and the journal have lost.

import { setImmediate } from "node:timers/promises";
import type { RecordedEvent } from "../clients/normal/transcript-events.ts";
import type {
  Past,
  PastPrompts,
  SessionName,
  StoredSession,
} from "../runtime/events/transcripts.ts";
import { askStorage } from "../runtime/hooks/ask-storage.ts";
import type { Captured, Hooks } from "../runtime/ports.ts";
import { MemoirError } from "../sdk/errors.ts";
import type { ClientEvent } from "../sdk/events.ts";
import type { Session } from "../sdk/model.ts";
import type { SessionFiles } from "../transcript/discover.ts";
import { createPlaces, overMs, pieceBytes, pieceEvents, recordedSession } from "./feed-session.ts";

interface AddOptions {
  past: Pick<Past, "add" | "remember">;
  /** The journal may have lost what it knew of the past: what memory has is noted there. */
  isDeep: boolean;
  capture(event: ClientEvent): Promise<Captured>;
  /** memoir's home: sessions of memoir's own are not remembered. */
  home: string;
  /** Epoch ms. */
  now(): number;
  signal: AbortSignal;
}

/** Answers how many prompts it found that were missing. Rejects when aborted. */
export async function addMissing(
  files: SessionFiles,
  stored: ReadSession,
  journaled: PastPrompts,
  options: AddOptions,
): Promise<number> {
  if (!files.main) return 0;
  const recorded = await recordedSession(files);
  const prompts = await promptsIn(recorded.events(files.main, true), options);
  const numbered = numberPrompts(
    prompts,
    [...stored.texts, ...journaled.texts],
    journaled.count,
    (number) => journaled.isForgotten(number) || journaled.waiting.has(number),
  );
  const lost = new Map<number, Numbered>();
  const had: LinedPrompt[] = [];
  for (const [at, prompt] of prompts.entries()) {
    const one = numbered[at];
    if (!one) continue;
    if (isLost(one, stored, journaled)) lost.set(prompt.line, one);
    else if (one.isKnown && !journaled.waiting.has(one.number)) had.push(prompt);
  }
  if (options.isDeep)
    options.past.remember(files.client ?? "claude-code", {
      prompts: had.map(({ event }) => event),
      toolUses: had.flatMap(({ toolUses }) => toolUses),
    });
  if (lost.size === 0) return 0;
  await addOf(files, prompts, lost, options);
  return lost.size;
}

/** Whether something of a prompt is missing that only the transcript may have. */
function isLost(
  { number, isKnown }: Numbered,
  { prompts, turns, summaries, observed }: ReadSession,
  { whole, waiting, isForgotten }: PastPrompts,
): boolean {
  if (whole.has(number) || waiting.has(number) || isForgotten(number)) return false;
  if (!isKnown) return true;
  const isDerived = summaries.has(number) || observed.has(number);
  return !prompts.has(number) || !turns.has(number) || !isDerived;
}

interface LinedPrompt {
  line: number;
  time: number;
  text: string;
  /** As capture leaves it. */
  event: ClientEvent;
  toolUses: string[];
}

/** The prompts of its main file as capture leaves them. */
async function promptsIn(
  recorded: AsyncIterable<RecordedEvent>,
  options: AddOptions,
): Promise<LinedPrompt[]> {
  const prompts: LinedPrompt[] = [];
  for await (const { event, line } of recorded) {
    options.signal.throwIfAborted();
    if ("toolUseId" in event) prompts.at(-1)?.toolUses.push(event.toolUseId);
    if (event.name !== "UserPromptSubmit") continue;
    const captured = await options.capture(event);
    await setImmediate();
    if ("drop" in captured || captured.event.name !== "UserPromptSubmit") continue;
    const { prompt: text, time } = captured.event;
    prompts.push({ line, time, text, event: captured.event, toolUses: [] });
  }
  return prompts;
}

async function addOf(
  files: SessionFiles,
  prompts: readonly LinedPrompt[],
  lost: ReadonlyMap<number, Numbered>,
  options: AddOptions,
): Promise<void> {
  const { main, agents } = files;
  const recorded = await recordedSession(files);
  const places = createPlaces(options.home);
  let number: number | undefined;
  let piece: ClientEvent[] = [];
  let bytes = 0;

  async function flush(): Promise<void> {
    options.signal.throwIfAborted();
    const sent = piece;
    piece = [];
    bytes = 0;
    if (sent.length > 0 && number !== undefined) await options.past.add(number, sent);
    await setImmediate();
  }
  async function put(event: ClientEvent): Promise<void> {
    const { recovered, cwd } = event;
    piece.push({
      ...event,
      cwd: places.placeOf(cwd),
      recovered: { ...recovered, modelFree: true },
    });
    bytes += event.name === "PostToolUse" ? JSON.stringify(event.toolResponse).length : 1_000;
    if (piece.length >= pieceEvents || bytes >= pieceBytes) await flush();
  }

  // What is still going on is ended by its own hooks.
  const isOver = options.now() - files.changedAt > overMs;
  for await (const { event, line } of main ? recorded.events(main, true) : []) {
    if (event.name === "SessionEnd" && !isOver) continue;
    if (event.name === "UserPromptSubmit") {
      await flush();
      number = lost.get(line)?.number;
    }
    if (places.refuses(event.cwd)) return;
    if (number !== undefined && event.name !== "SessionStart") await put(event);
  }
  await flush();
  for (const file of agents)
    for await (const { event } of recorded.events(file, true)) {
      const begun = prompts.findLast(({ time }) => time <= event.time);
      const own = begun && lost.get(begun.line)?.number;
      if (own !== number) await flush();
      number = own;
      if (number !== undefined) await put(event);
    }
  await flush();
}

// Which prompts of a transcript memory knows, and which numbers the others had: pure.

/** A prompt as something tells of it. */
interface TimedPrompt {
  /** Epoch ms. */
  time: number;
  /** As capture leaves it. */
  text: string;
}

/** A prompt that memory or the journal knows. */
interface NumberedPrompt extends TimedPrompt {
  number: number;
}

/** Its number, and whether it was known under it. */
interface Numbered {
  number: number;
  isKnown: boolean;
}

/** A prompt's line and its hook differ in time by less than this. */
const windowMs = 120_000;

/**
 * One answer for each of `recorded`, which are in the order of their file. A known prompt has the same text at about the same
 * time, or in the same place between two others: clocks may differ. Another gets a number that is free in its place, else
 * one behind all `count` that there were; `isTaken` numbers are never given.
 */
export function numberPrompts(
  recorded: readonly TimedPrompt[],
  known: readonly NumberedPrompt[],
  count: number,
  isTaken: (number: number) => boolean,
): Numbered[] {
  const found: Array<number | undefined> = recorded.map(() => undefined);
  const used = new Set<number>();
  const take = (at: number, fits: (prompt: NumberedPrompt) => boolean) => {
    const text = recorded[at]?.text;
    const match = known.find(
      (prompt) => !used.has(prompt.number) && prompt.text === text && fits(prompt),
    );
    if (!match) return;
    found[at] = match.number;
    used.add(match.number);
  };
  for (const [at, { time }] of recorded.entries())
    take(at, (prompt) => Math.abs(prompt.time - time) <= windowMs);
  for (const at of recorded.keys())
    if (found[at] === undefined) {
      const [after, before] = placeOf(at, found);
      take(at, ({ number }) => number > after && number < before);
    }
  const isKnown = found.map((number) => number !== undefined);
  const numbers = new Set(known.map(({ number }) => number));
  let last = Math.max(count, ...numbers, 0);
  for (const at of recorded.keys()) {
    if (found[at] !== undefined) continue;
    const [after, before] = placeOf(at, found);
    let number = after + 1;
    while (number < before && (numbers.has(number) || isTaken(number))) number++;
    if (number >= before || number > last) number = ++last;
    while (numbers.has(number) || isTaken(number)) number = ++last;
    numbers.add(number);
    found[at] = number;
  }
  return found.map((number, at) => ({ number: number ?? 0, isKnown: isKnown[at] ?? false }));
}

/** The numbers between which the one at this place has to lie. */
function placeOf(
  at: number,
  found: ReadonlyArray<number | undefined>,
): [after: number, before: number] {
  const after = found.slice(0, at).findLast((number) => number !== undefined) ?? 0;
  const before =
    found.slice(at + 1).find((number) => number !== undefined && number > after) ??
    Number.POSITIVE_INFINITY;
  return [after, before];
}

// What storage has of one session, by prompt: read to see what is missing.

/** Also with the prompts' texts, and how many records there are. */
export interface ReadSession extends StoredSession {
  texts: NumberedPrompt[];
  records: number;
}

type List = "storage.prompts" | "storage.turns" | "storage.summaries" | "storage.observations";
const most = 10_000;

/** All of one kind that storage has of a session. Rejects when storage failed. */
export async function listOf<Name extends List>(
  hooks: Pick<Hooks, "first">,
  name: Name,
  { session, client }: SessionName,
): Promise<Awaited<ReturnType<typeof askStorage<Name>>>> {
  const query = { session, order: "oldest" as const, limit: most };
  const found = await askStorage<List>(hooks, name, query).catch((error: unknown) => {
    // It begins the ids of others, and storage has nothing of it.
    if (error instanceof MemoirError && error.code === "session_ambiguous") return [];
    throw error;
  });
  return (found as SessionName[]).filter(
    (one) => one.session === session && one.client === client,
  ) as Awaited<ReturnType<typeof askStorage<Name>>>;
}

/** Rejects when storage failed. `known`: the session as storage lists it. */
export async function readStored(
  hooks: Pick<Hooks, "first">,
  name: SessionName,
  known: Session | undefined,
): Promise<ReadSession> {
  const prompts = await listOf(hooks, "storage.prompts", name);
  const turns = await listOf(hooks, "storage.turns", name);
  const summaries = await listOf(hooks, "storage.summaries", name);
  const observations = await listOf(hooks, "storage.observations", name);
  const numbers = (of: ReadonlyArray<{ promptNumber: number }>) =>
    new Set(of.map(({ promptNumber }) => promptNumber));
  const ofPrompts = prompts.map(({ promptNumber: number, text, time }) => ({ number, text, time }));
  const ofTurns = turns.flatMap(({ promptNumber: number, startedAt: time, pieces }) => {
    const text = pieces.find(({ kind }) => kind === "prompt")?.text;
    return text === undefined ? [] : [{ number, text, time }];
  });
  const texts = new Map([...ofTurns, ...ofPrompts].map((prompt) => [prompt.number, prompt]));
  return {
    prompts: numbers(prompts),
    // What is missing from one with gaps may be there by now.
    turns: numbers(turns.filter(({ gaps }) => !gaps)),
    summaries: numbers(summaries.filter(({ scope }) => scope === "prompt")),
    observed: numbers(observations),
    observations: new Set(observations.map(({ id }) => id)),
    isKnown: known !== undefined && known.title !== "",
    isSummed: summaries.some(({ scope }) => scope === "session"),
    texts: [...texts.values()],
    records: prompts.length + turns.length + summaries.length + observations.length,
  };
}
