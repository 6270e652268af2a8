// One request on its way: what was decided before is repeated, what is new is decided once, and all of it is on disk before it goes out.

import { type ModelRequest, type PluginContext, within } from "../../src/sdk/index.ts";
import { type Clearing, tellCleared } from "../../src/strategy/index.ts";
import { plural } from "../../src/text/index.ts";
import { fetchBlocks, isClearedInput } from "../../src/transcript/index.ts";
import type { Book, Entry, Sent } from "./book.ts";
import { clearableIn, oldResultsIn, usesIn } from "./candidates.ts";
import { type Config, fetchToolIn } from "./config.ts";
import {
  applyDecisions,
  blocksOf,
  cacheLifeOf,
  contentHash,
  type Decisions,
  type Edit,
  type Injection,
  isToolResult,
  isToolUse,
  lastAssistant,
  lineageOf,
  type Message,
  messagesOf,
  prefixCharacters,
} from "./messages.ts";
import { type RetirementSum, weighRetirement } from "./retire.ts";

/** What a rewriting works with. */
interface Tools {
  ctx: PluginContext<Config>;
  book: Book;
  clearing: Clearing;
  /** Aborted once the request went out without us. */
  signal: AbortSignal;
}

/** Results that one batch keeps; more follow with the next. */
const mostRetired = 300;
/** Of a session, the newest, that are looked through for what was observed about its tool uses. */
const mostObservations = 2_000;
/** How long each of the three steps may take; together less than the request waits. */
const stepMs = 500;

/** One request, read. */
interface Reading {
  request: ModelRequest;
  body: Readonly<Record<string, unknown>>;
  messages: readonly Message[];
  lineage: readonly string[];
  /** Index of the last message that was sent before; -1 when none was. */
  known: number;
  sent: Sent | undefined;
  model: string;
}

/** The changed request, or undefined where it goes out as it came. Rejects when the book cannot be used. */
export async function rewriteRequest(
  request: ModelRequest,
  tools: Tools,
): Promise<ModelRequest | undefined> {
  const { ctx, book, signal } = tools;
  const { body, session } = request;
  const messages = messagesOf(body);
  const model = typeof body.model === "string" ? body.model : "";
  if (!messages || model === "") return undefined;
  const lineage = lineageOf(messages);
  const known = lineage.findLastIndex((hash) => book.sent(hash) !== undefined);
  const sent = known < 0 ? undefined : book.sent(lineage[known] ?? "");
  const reading: Reading = { request, body, messages, lineage, known, sent, model };

  // What is decided already is repeated in any case; only what is new may fail, or come too late.
  const settle = <Value>(work: Promise<Value>, otherwise: Value) =>
    settledWithin(stepMs, work, otherwise, (error) =>
      ctx.log.warn("a part of a request was left as it is", { session, error }),
    );
  const inherited = known < 0 ? await book.inherited([...usesIn(messages).keys()]) : [];
  const cleared = await settle(clear(reading, decisionsIn(book, inherited), tools), []);
  const edits = [...inherited, ...cleared];
  const decided = decisionsIn(book, edits);
  const injection = await settle(inject(reading, decided, tools), undefined);
  const batch = await settle(retire(reading, decided, tools), noBatch);
  // Too late: it went out as it came, and what was not sent must not be repeated.
  if (signal.aborted) return undefined;
  const at = ctx.now();
  const isFirst = request.agent === undefined && !book.isKnown();
  const entry: Entry = {
    ...{ model, at, fresh: lineage.slice(known + 1), last: lineage.at(-1) ?? "" },
    ...{ edits: [...edits, ...batch.edits], injection },
  };
  const isWritten = await book.write(entry);
  if (signal.aborted) {
    if (isWritten) await book.takeBack(entry);
    return undefined;
  }
  // Nobody waits for the books: the request is decided.
  if (isWritten)
    noteRewriting(reading, { injection, sum: batch.sum, isFirst }, tools).catch((error: unknown) =>
      ctx.log.warn("a request's rewriting was not booked", { error }),
    );
  const applied = applyDecisions(messages, lineage, book);
  return applied === messages ? undefined : { ...request, body: { ...body, messages: applied } };
}

/** What the book says, and what is about to be written into it. */
function decisionsIn(book: Book, more: readonly Edit[]): Decisions {
  return {
    edit: (id, part) =>
      book.edit(id, part) ?? more.find((one) => one.toolUseId === id && one.part === part),
    injection: book.injection,
  };
}

/** Inputs of the assistant's last message, when it is about to be sent for the first time. */
async function clear(reading: Reading, decided: Decisions, tools: Tools): Promise<Edit[]> {
  const { ctx, clearing } = tools;
  const { messages, known, request } = reading;
  const at = messages.findLastIndex(({ role }) => role === "assistant");
  if (!ctx.config.clear || at <= known) return [];
  const edits = await Promise.all(
    clearableIn(messages, clearing.wants)
      .filter(({ id }) => !decided.edit(id, "input"))
      .map(async (use): Promise<Edit[]> => {
        const instead = await clearing.input(use, placeOf(request));
        return instead ? [editOf(use.id, "input", use.input, JSON.stringify(instead))] : [];
      }),
  );
  return edits.flat();
}

function editOf(toolUseId: string, part: Edit["part"], value: unknown, instead: string): Edit {
  return { toolUseId, part, hash: contentHash(value), instead };
}

/** The observations about inputs that are gone from this conversation, and that were not put into it. */
async function inject(
  reading: Reading,
  decided: Decisions,
  { ctx }: Tools,
): Promise<Injection | undefined> {
  const { storage } = ctx;
  const { messages, lineage, body, request } = reading;
  const cleared = messages
    .flatMap(blocksOf)
    .filter(isToolUse)
    .filter(({ id }) => decided.edit(id, "input") !== undefined);
  if (cleared.length === 0) return undefined;
  const fetchTool = fetchToolIn(body);
  const where = placeFor(messages, body, fetchTool, (index) => index > reading.known);
  if (!where || decided.injection(lineage[where.index] ?? "")) return undefined;
  const injected = new Set(lineage.flatMap((hash) => decided.injection(hash)?.observations ?? []));
  const known = await storage.observations({ session: request.session, limit: mostObservations });
  const gone = cleared.map(({ id, input }) => ({ id, characters: JSON.stringify(input).length }));
  const told = tellCleared(gone, known, ({ id }) => injected.has(id));
  if (!told) return undefined;
  const hash = lineage[where.index] ?? "";
  return injectionFor(where.place, hash, told, fetchTool);
}

interface Batch {
  edits: Edit[];
  sum: RetirementSum | undefined;
}

const noBatch: Batch = { edits: [], sum: undefined };

/** Old results, when a batch of them pays. */
async function retire(reading: Reading, decided: Decisions, tools: Tools): Promise<Batch> {
  const { ctx, clearing } = tools;
  const { config, endless } = ctx;
  const { messages, lineage, known, sent, body, model, request } = reading;
  // The very same request once more is a client that tries again.
  if (!config.retire || !sent || known === lineage.length - 1) return noBatch;
  const sentUses = usesIn(messages.slice(0, known + 1));
  const out = applyDecisions(messages, lineage, decided);
  const mayBesideThinking = config.clear && !request.wasRefused;
  const old = oldResultsIn(body, out, clearing.wants, mayBesideThinking);
  const { candidates, contextTokens, answers } = old;
  const undecided = candidates.filter(
    ({ toolUseId: id, part }) =>
      (sentUses.get(id)?.results.length ?? 0) > 0 && decided.edit(id, part) === undefined,
  );
  const paying = await Promise.all(undecided.map(({ tool, part }) => clearing.pays(tool, part)));
  const open = undecided.filter((_, at) => paying[at]).slice(0, mostRetired);
  const situation = {
    contextTokens,
    answers,
    cacheIsCold: sent.model !== model || ctx.now() - sent.at > cacheLifeOf(body),
  };
  const wanted = weighRetirement({ ...situation, results: open });
  if (!wanted.retire) return noBatch;
  const kept = new Map<string, Edit>();
  const uses = usesIn(messages);
  await Promise.all(
    open
      .filter(({ id }) => wanted.ids.includes(id))
      .map(async ({ id, toolUseId, part, tool, text, value }) => {
        const place = placeOf(request);
        const { use } = uses.get(toolUseId) ?? {};
        if (part === "input" && use) {
          const instead = await clearing.input(use, place);
          if (instead) kept.set(id, editOf(toolUseId, part, value, JSON.stringify(instead)));
        } else if (part === "output") {
          // One that the transcript lost was kept then.
          const isCleared = use && isClearedInput(use.input);
          const input = isCleared ? (await endless.kept(toolUseId, "input"))?.value : use?.input;
          const instead = await clearing.output({ id: toolUseId, tool, value, text, input }, place);
          if (instead !== undefined) kept.set(id, editOf(toolUseId, part, value, instead));
        }
      }),
  );
  // What may not be kept stays; the rest has to pay by itself.
  const results = open.filter(({ id }) => kept.has(id));
  const sum = weighRetirement({ ...situation, results });
  if (!sum.retire) return noBatch;
  return { edits: sum.ids.flatMap((id) => kept.get(id) ?? []), sum };
}

function placeOf({ session, project, agent }: ModelRequest) {
  return {
    session,
    ...(project !== undefined && { project }),
    ...(agent !== undefined && { agent }),
  };
}

/** What is new in a request, for the books. */
interface Decided {
  injection: Injection | undefined;
  sum: RetirementSum | undefined;
  /** Of its session. */
  isFirst: boolean;
}

async function noteRewriting(
  { request, body }: Reading,
  { injection, sum, isFirst }: Decided,
  { ctx }: Tools,
): Promise<void> {
  const { session } = request;
  const place = placeOf(request);
  if (isFirst)
    await ctx.endless.note({ kind: "unshared", ...place, characters: prefixCharacters(body) });
  if (injection)
    await ctx.endless.note({ kind: "injected", ...place, characters: injection.json.length });
  if (!sum) return;
  ctx.log.info("old results left a session's requests", { session, results: sum.ids.length });
  const characters = Math.round(sum.tokens * 4);
  const reason = `${plural(sum.ids.length, "part")}: ${sum.why}`;
  await ctx.endless.note({ kind: "retired", ...place, characters, reason });
}

// What is put in about cleared inputs: a fetch by memoir's tool before the assistant's message, or a text in the user's. Pure.

/** Where the next injection goes. */
interface Place {
  index: number;
  place: Injection["place"];
}

/**
 * A pair stands in front of the assistant's last message, where the request offers memoir's tool; else a text is added
 * to the message that the model is to answer. With thinking on, what the assistant says after a prompt has to begin with
 * thinking, so there a pair only follows tool results.
 */
function placeFor(
  messages: readonly Message[],
  body: Readonly<Record<string, unknown>>,
  fetchTool: string | undefined,
  isNew: (index: number) => boolean,
): Place | undefined {
  const assistant = lastAssistant(messages);
  const thinks = ((body.thinking ?? {}) as { type?: unknown }).type;
  const mayThink = thinks !== undefined && thinks !== "disabled";
  const before = blocksOf(messages[assistant - 1]);
  const afterResults = before.length > 0 && before.every(isToolResult);
  if (fetchTool !== undefined && assistant > 0 && isNew(assistant) && (!mayThink || afterResults))
    return { index: assistant, place: "before" };
  // Behind the user's message there may be notes of the client's.
  const user = messages.findLastIndex(({ role }) => role === "user");
  return assistant >= 0 && user > assistant && isNew(user)
    ? { index: user, place: "inside" }
    : undefined;
}

/** What is put in, as JSON. The same from the same place and records. */
function injectionFor(
  place: Place["place"],
  hash: string,
  { ids, text }: { ids: string[]; text: string },
  fetchTool: string | undefined,
): Injection {
  if (place === "inside" || fetchTool === undefined)
    return {
      hash,
      place: "inside",
      json: JSON.stringify([{ type: "text", text }]),
      observations: ids,
    };
  const { use, result } = fetchBlocks(JSON.stringify([hash, ids]), fetchTool, { ids, text });
  const pair = [
    { role: "assistant", content: [use] },
    { role: "user", content: [result] },
  ];
  return { hash, place, json: JSON.stringify(pair), observations: ids };
}

/** The work's value, or `otherwise` after `ms` or a failure, which `failed` gets. Never rejects. */
async function settledWithin<Value>(
  ms: number,
  work: Promise<Value>,
  otherwise: Value,
  failed: (error: unknown) => void,
): Promise<Value> {
  try {
    return await within(ms, work, new Error(`not done after ${ms} ms`));
  } catch (error) {
    failed(error);
    return otherwise;
  }
}
