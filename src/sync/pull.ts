// What comes from others: each batch is held against the members and its chain, and applied before the position moves.
import type { Change } from "../sdk/change.ts";
import { MemoirError } from "../sdk/errors.ts";
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

/** Takes in what others wrote. Answers how many changes were new. */
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
  let idle = 0;
  for (let more = true; more; ) {
    if (idle++ > mostIdle)
      throw new MemoirError("hub_away", "The hub always has more, and none of it is new.");
    const space = state.space(id);
    if (!space) return came;
    const read = new Map(state.streams(id).map((one) => [one.stream, one]));
    const after = Object.fromEntries(
      [...read.values()].map(({ stream, number }) => [stream, number]),
    );
    const asked = {
      space: id,
      after: { ...after, [space.stream]: space.number, ...passed },
      // Of whom nothing is known, snapshots may say the most of it.
      bytes: read.size === 0 ? 1 : pullBytes,
    };
    const page = await askHub(hooks, "hub.pull", asked);
    if (await compareHeads(deps, space, page.heads, read)) continue;
    const old = await readSnapshots(deps, space, chain, page.heads, read, tried);
    if (old !== undefined) {
      came += old;
      if (old > 0) idle = 0;
      continue;
    }
    const taken = new Set<string>();
    let waiting: Waiting[] = [];
    let changes = 0;
    const settleAll = async () => {
      const all = waiting;
      waiting = [];
      changes = 0;
      came += await settle(deps, space, all, read);
    };
    for (const batch of page.batches) {
      const isSent = wasSent(deps, space, batch);
      const next = isSent ? undefined : await openNext(deps, space, chain, batch, read, settleAll);
      if (isSent || next) taken.add(batch.stream);
      if (!next) continue;
      idle = 0;
      waiting.push(next);
      changes += next.opened.changes.length;
      if (changes >= atOnce) await settleAll();
    }
    await settleAll();
    for (const { stream } of page.batches)
      if (!taken.has(stream) || read.get(stream)?.stuck) passed[stream] = Number.MAX_SAFE_INTEGER;
    more = page.more && page.batches.length > 0;
  }
  return came;
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
 * itself, so that one stops its own stream alone. Answers how many changes were new.
 */
async function settle(
  deps: ExchangeDeps,
  space: Space,
  waiting: readonly Waiting[],
  read: Map<string, ReadStream>,
): Promise<number> {
  const { state, now } = deps;
  const [only] = waiting;
  if (!only) return 0;
  try {
    const opened = waiting.map((one) => one.opened);
    const { applied } = await applyOpened(deps, space, opened);
    const last = new Map(waiting.map((one) => [one.batch.stream, one]));
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
  for (const one of waiting)
    if (!read.get(one.batch.stream)?.stuck) came += await settle(deps, space, [one], read);
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
