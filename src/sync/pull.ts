// What comes from others: each batch is held against the members and its chain, and applied before the position moves.
import { isDeepStrictEqual } from "node:util";
import type { Change } from "../sdk/change.ts";
import { MemoirError } from "../sdk/errors.ts";
import type { HookInput } from "../sdk/hooks.ts";
import type { HubBatch, HubHead } from "../sdk/hub.ts";
import { askHub, type ExchangeDeps } from "./ask-hub.ts";
import type { Placed } from "./charter.ts";
import { apply, applyOpened, noteBack, type Opened, open } from "./opened.ts";
import { startAnew } from "./push.ts";
import { digestOf, Refused } from "./seal.ts";
import { readSnapshots } from "./snapshots.ts";
import { memberOfStream, newStream, type ReadStream, type Space } from "./state.ts";

/** How much is asked for in one pull. */
const pullBytes = 4 << 20;
/** For a home that begins: some hundred records, however few a batch has. More would take longer than a session's start waits. */
const newest = { batches: 64, bytes: 256 << 10 };
/** So many changes are applied at once: enough for their words to be read later, and whoever searches or begins a session waits for no more. */
const atOnce = 256;
/** Pages in a row without anything new: a hub that always has more would be asked without end. */
const mostIdle = 50;

/**
 * Takes in what others wrote. Answers how many changes were new. The hub looks for the next page while one is taken in, and a group of
 * batches is opened and given to memory while the one before it reaches the disk: each of these waits for something else.
 */
export async function pull(
  deps: ExchangeDeps,
  id: string,
  chain: readonly Placed[],
): Promise<number> {
  const { hooks, state } = deps;
  let came = 0;
  /** Streams that are not asked for again in this round, whatever stands behind what was not taken. */
  const passed: Record<string, number> = {};
  const tried = new Set<string>();
  const ask = pageAsker(hooks);
  let idle = 0;
  for (let more = true; more; ) {
    if (idle++ > mostIdle)
      throw new MemoirError("hub_away", "The hub always has more, and none of it is new.");
    const space = state.space(id);
    if (!space) return came;
    const read = new Map(state.streams(id).map((one) => [one.stream, one]));
    const after = {
      ...Object.fromEntries([...read.values()].map(({ stream, number }) => [stream, number])),
      ...{ [space.stream]: space.number, ...passed },
    };
    // Of whom nothing is known, snapshots may say the most of it; a stream that does not count must not cost a page each.
    const isFirst = read.size === 0 && Object.keys(passed).length === 0;
    const page = await ask.page({ space: id, after, bytes: isFirst ? 1 : pullBytes });
    if (await compareHeads(deps, space, page.heads, read)) continue;
    const old = await readSnapshots(deps, space, chain, page.heads, read, tried);
    if (old !== undefined) {
      came += old;
      if (old > 0) idle = 0;
      continue;
    }
    if (page.more && !isFirst)
      ask.ahead({ space: id, after: { ...after, ...lastOf(page.batches) }, bytes: pullBytes });
    const { taken, isNew, changes } = await takePage(deps, space, chain, page.batches, read);
    came += changes;
    if (isNew) idle = 0;
    for (const { stream } of page.batches)
      if (!taken.has(stream) || read.get(stream)?.stuck) passed[stream] = Number.MAX_SAFE_INTEGER;
    more = page.more && page.batches.length > 0;
  }
  return came;
}

/** Asks for pages, one of them ahead: that is thrown away where another is wanted then. */
function pageAsker(hooks: ExchangeDeps["hooks"]) {
  const ask = (asked: HookInput<"hub.pull">) => askHub(hooks, "hub.pull", asked);
  let next: { asked: HookInput<"hub.pull">; page: ReturnType<typeof ask> } | undefined;
  return {
    page(asked: HookInput<"hub.pull">): ReturnType<typeof ask> {
      const ahead = next;
      next = undefined;
      return ahead && isDeepStrictEqual(ahead.asked, asked) ? ahead.page : ask(asked);
    },
    ahead(asked: HookInput<"hub.pull">): void {
      const page = ask(asked);
      // Heard by whoever takes it.
      page.catch(() => undefined);
      next = { asked, page };
    },
  };
}

/** The last number of each stream. */
const lastOf = (batches: readonly HubBatch[]): Record<string, number> =>
  Object.fromEntries(batches.map(({ stream, number }) => [stream, number]));

/** Takes in the batches of a page, and notes that in `read`. Answers the streams of which some count, and what came. */
async function takePage(
  deps: ExchangeDeps,
  space: Space,
  chain: readonly Placed[],
  batches: readonly HubBatch[],
  read: Map<string, ReadStream>,
): Promise<{ taken: Set<string>; isNew: boolean; changes: number }> {
  const taken = new Set<string>();
  let isNew = false;
  let came = 0;
  let waiting: Waiting[] = [];
  let changes = 0;
  /** The last group that was given to memory. */
  let last: Promise<number> = Promise.resolve(0);
  /** Gives memory what waits, once it has what was given before the last. */
  const settleAll = async () => {
    const before = last;
    last = settle(deps, space, waiting, read, before);
    last.catch(() => undefined);
    waiting = [];
    changes = 0;
    came += await before;
  };
  const settleFirst = async () => {
    await settleAll();
    await last;
  };
  try {
    for (const batch of batches) {
      const isSent = wasSent(deps, space, batch);
      const next = isSent
        ? undefined
        : await openNext(deps, space, chain, batch, read, settleFirst);
      if (isSent || next) taken.add(batch.stream);
      if (!next) continue;
      isNew = true;
      waiting.push(next);
      changes += next.opened.changes.length;
      if (changes >= atOnce) await settleAll();
    }
    await settleAll();
    came += await last;
  } finally {
    await last.catch(() => undefined);
  }
  return { taken, isNew, changes: came };
}

/** Takes in the last batches of each stream, whatever comes before them. What is wrong with one is seen when its turn comes. */
export async function pullNewest(
  deps: ExchangeDeps,
  id: string,
  chain: readonly Placed[],
): Promise<void> {
  const { hooks, state } = deps;
  const space = state.space(id);
  if (!space) return;
  const asked = { space: id, after: {}, bytes: newest.bytes, newest: newest.batches };
  const { batches, heads } = await askHub(hooks, "hub.pull", asked);
  const last = new Map(heads.map(({ stream, number }) => [stream, number]));
  const age = ({ stream, number }: HubBatch) => (last.get(stream) ?? number) - number;
  const changed: string[] = [];
  let waiting: Change[] = [];
  const applyWaiting = async () => {
    const changes = waiting;
    waiting = [];
    if (changes.length > 0) changed.push(...(await apply(deps, space, { changes })).changed);
  };
  for (const batch of batches.toSorted((one, other) => age(one) - age(other))) {
    if (batch.stream === space.stream) continue;
    try {
      const opened = await open(space, chain, batch);
      state.heard(id, opened.content.replica, opened.author.id);
      noteBack(deps, space, opened);
      waiting.push(...opened.changes);
      if (waiting.length >= atOnce) await applyWaiting();
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
    }
  }
  await applyWaiting().catch((error) => {
    if (!(error instanceof Refused)) throw error;
  });
  await deps.arrived?.({ changed, gone: [] });
}

/**
 * A hub that has less of a stream than before, or something else at its end, went back or shows each reader something else. True where
 * this home begins a stream anew: a copy of it wrote in its place, and a program that syncs a folder kept that.
 */
async function compareHeads(
  deps: ExchangeDeps,
  space: Space,
  heads: readonly HubHead[],
  read: ReadonlyMap<string, ReadStream>,
): Promise<boolean> {
  const { log, state } = deps;
  const shown = new Map(heads.map((head) => [head.stream, head]));
  const { number: own = 0, digest } = shown.get(space.stream) ?? {};
  if (own > 0 && own === space.number && digest !== space.digest) {
    await startAnew(deps, space, own - 1);
    return true;
  }
  // It was put back: what it has not is sent anew, in a stream of a new name, for others may have read on in the old one.
  if (own < space.number) state.startStream(space, newStream(memberOfStream(space.stream)), own);
  for (const was of read.values()) {
    const head = shown.get(was.stream);
    const isOther = head?.number === was.number && head.digest !== was.digest;
    if (!isOther || was.stuck) continue;
    log.error("a hub shows another batch than before", { space: space.id, stream: was.stream });
    state.read(space.id, { ...was, stuck: "The hub shows another batch than before." });
  }
  return false;
}

/** The hub had what waits to go out, and its answer was lost. */
function wasSent({ state }: ExchangeDeps, space: Space, { stream, number, bytes }: HubBatch) {
  const out = stream === space.stream ? state.outgoing(space.id) : undefined;
  const digest = digestOf(bytes);
  if (out?.number !== number || digestOf(out.bytes) !== digest) return false;
  state.sent(space, digest);
  return true;
}

/** A batch that holds, and is not in memory yet. */
interface Waiting {
  batch: HubBatch;
  opened: Opened;
  before: Pick<ReadStream, "number" | "digest">;
}

/** Opens one batch and notes it in `read`; undefined where it is not the next of its stream, or does not count. */
async function openNext(
  deps: ExchangeDeps,
  space: Space,
  chain: readonly Placed[],
  batch: HubBatch,
  read: Map<string, ReadStream>,
  settleFirst: () => Promise<void>,
): Promise<Waiting | undefined> {
  const { now } = deps;
  const isOwn = batch.stream === space.stream;
  if (isOwn) {
    const { stream, number, digest } = space;
    const isMine = await open(space, chain, batch, { before: digest }).catch(() => undefined);
    // Whoever cannot sign as this home does has nothing to say in its stream.
    if (batch.number !== number + 1 || !isMine) return undefined;
    // First of all: what another home calls by the numbers of this one's changes would pass for known.
    read.set(stream, { stream, number, digest, member: memberOfStream(stream), at: now() });
    await startAnew(deps, space);
  }
  const { number, digest } = read.get(batch.stream) ?? { number: 0, digest: "" };
  if (batch.number !== number + 1) return undefined;
  const waiting = { batch, before: { number, digest } };
  try {
    const opened = await open(space, chain, batch, { before: digest });
    read.set(batch.stream, placeOf(waiting, opened.author.id, now()));
    return { ...waiting, opened };
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    // Noted once what comes before it is in memory.
    await settleFirst();
    if (!isOwn) stop(deps, space, waiting, error, read);
    return undefined;
  }
}

const placeOf = ({ batch }: Pick<Waiting, "batch">, member: string, at: number): ReadStream => ({
  ...{ stream: batch.stream, number: batch.number, digest: digestOf(batch.bytes), member, at },
});

/**
 * Gives memory what waits, all of it at once: to index many costs a tenth of what each by itself does. Where that is refused, each by
 * itself, so that one stops its own stream alone. Answers how many changes were new. `before`: what was given to memory before, and may
 * still be on its way; what came to memory before that does not follow it, and is given once more.
 */
async function settle(
  deps: ExchangeDeps,
  space: Space,
  waiting: readonly Waiting[],
  read: Map<string, ReadStream>,
  before?: Promise<number>,
): Promise<number> {
  const { state, now } = deps;
  const give = (those: readonly Waiting[]) =>
    applyOpened(
      deps,
      space,
      those.map((one) => one.opened),
    );
  if (waiting.length === 0) return 0;
  const given = give(waiting);
  given.catch(() => undefined);
  await before;
  // What came before it in its stream may not count.
  const isGoing = ({ batch }: Waiting) => !read.get(batch.stream)?.stuck;
  const going = waiting.filter(isGoing);
  const [only] = going;
  if (!only) return 0;
  try {
    const { applied, isBehind } = await given;
    if (before && isBehind) await give(going);
    const last = new Map(going.map((one) => [one.batch.stream, one]));
    for (const one of last.values())
      state.read(space.id, placeOf(one, one.opened.author.id, now()));
    return applied;
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    if (waiting.length === 1) {
      stop(deps, space, only, error, read);
      return 0;
    }
  }
  let came = 0;
  for (const one of going) if (isGoing(one)) came += await settle(deps, space, [one], read);
  return came;
}

/** Goes no further in a stream, and notes why. */
function stop(
  { state, log, now }: ExchangeDeps,
  space: Space,
  { batch: { stream, number }, before }: Omit<Waiting, "opened">,
  error: Refused,
  read: Map<string, ReadStream>,
): void {
  const member = memberOfStream(stream);
  // A stream of nobody's is as if it were not there.
  if (!space.secrets.names[member]) return;
  log.error("a batch is not taken", { space: space.id, stream, why: error.message });
  const stuck =
    error.kind === "newer"
      ? "A newer memoir wrote it: `memoir upgrade` reads on."
      : `Batch ${number} does not count: ${error.message}.`;
  const stays = { stream, ...before, member, at: now(), stuck };
  state.read(space.id, stays);
  read.set(stream, stays);
}
