// What comes from others: each batch is held against the members and its chain, and applied before the position moves.
import * as v from "valibot";
import { askStorage } from "../runtime/hooks/ask-storage.ts";
import { type ApplyRequest, type ApplyResult, type Change, ChangeSchema } from "../sdk/change.ts";
import { MemoirError } from "../sdk/errors.ts";
import type { HubBatch, HubHead } from "../sdk/hub.ts";
import { askHub, type ExchangeDeps } from "./ask-hub.ts";
import { authorOf, keyOfEpoch, type Placed } from "./charter.ts";
import { startAnew } from "./push.ts";
import { digestOf, Refused, readHeader, replicaOf, unseal } from "./seal.ts";
import { memberOfStream, newStream, type ReadStream, type Space } from "./state.ts";

/** How much is asked for in one pull. */
const pullBytes = 4 << 20;
/** For a home that begins: some hundred records, however few a batch has. More would take longer than a session's start waits. */
const newest = { batches: 64, bytes: 256 << 10 };
/** So many changes of them are applied at once. */
const newestAtOnce = 256;
/** What is larger was made by nobody's memoir. */
const mostBatchBytes = 16 << 20;

/** What a batch holds. */
const ContentSchema = v.object({
  replica: v.string(),
  from: v.number(),
  upTo: v.number(),
  /** What proves that the replica is the author's. */
  nonce: v.string(),
  changes: v.array(v.unknown()),
});

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
  for (let more = true; more; ) {
    const space = state.space(id);
    if (!space) return came;
    const read = new Map(state.streams(id).map((one) => [one.stream, one]));
    const after = Object.fromEntries(
      [...read.values()].map(({ stream, number }) => [stream, number]),
    );
    const asked = {
      space: id,
      after: { ...after, [space.stream]: space.number, ...passed },
      bytes: pullBytes,
    };
    const page = await askHub(hooks, "hub.pull", asked);
    if (await compareHeads(deps, space, page.heads, read)) continue;
    const taken = new Set<string>();
    for (const batch of page.batches) {
      const applied = await take(deps, space, chain, batch, read);
      if (applied === undefined) continue;
      taken.add(batch.stream);
      came += applied;
    }
    for (const { stream } of page.batches)
      if (!taken.has(stream)) passed[stream] = Number.MAX_SAFE_INTEGER;
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
      const opened = await open(space, chain, batch, undefined);
      state.heard(id, opened.content.replica, opened.author.id);
      waiting.push(...opened.changes);
      if (waiting.length >= newestAtOnce) await applyWaiting();
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

/** Takes one batch in; undefined where it is not the next of its stream, or does not count. */
async function take(
  deps: ExchangeDeps,
  space: Space,
  chain: readonly Placed[],
  batch: HubBatch,
  read: Map<string, ReadStream>,
): Promise<number | undefined> {
  const { state, log, now } = deps;
  const isOwn = batch.stream === space.stream;
  const out = isOwn ? state.outgoing(space.id) : undefined;
  if (out?.number === batch.number && digestOf(out.bytes) === digestOf(batch.bytes)) {
    // The hub had it, and its answer was lost.
    state.sent(space, digestOf(batch.bytes));
    return 0;
  }
  if (isOwn) {
    const { stream, number, digest } = space;
    const isMine = await open(space, chain, batch, digest).catch(() => undefined);
    // Whoever cannot sign as this home does has nothing to say in its stream.
    if (batch.number !== number + 1 || !isMine) return undefined;
    // First of all: what another home calls by the numbers of this one's changes would pass for known.
    read.set(stream, { stream, number, digest, member: memberOfStream(stream), at: now() });
    await startAnew(deps, space);
  }
  const known = read.get(batch.stream);
  const { number, digest: before } = known ?? { number: 0, digest: "" };
  if (batch.number !== number + 1) return undefined;
  try {
    const { author, changes, content } = await open(space, chain, batch, before);
    const { replica, from, upTo } = content;
    state.heard(space.id, replica, author.id);
    const request = { changes, from: { [replica]: from }, upTo: { [replica]: upTo } };
    const result = await apply(deps, space, request);
    for (const one of result.refused) log.warn("a change was left out", { ...one });
    const at: ReadStream = {
      stream: batch.stream,
      number: batch.number,
      digest: digestOf(batch.bytes),
      member: author.id,
      at: now(),
    };
    state.read(space.id, at);
    read.set(batch.stream, at);
    if (result.copied) log.warn("another home has the replica of this one", { space: space.id });
    await deps.arrived?.({ changed: result.changed, gone: result.gone });
    return result.applied;
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    if (isOwn) return undefined;
    const member = known?.member ?? memberOfStream(batch.stream);
    // A stream of nobody's is as if it were not there.
    if (!space.secrets.names[member]) return undefined;
    log.error("a batch is not taken", {
      space: space.id,
      stream: batch.stream,
      why: error.message,
    });
    const stuck =
      error.kind === "newer"
        ? "A newer memoir wrote it: `memoir upgrade` reads on."
        : `Batch ${batch.number} does not count: ${error.message}.`;
    const stays = { stream: batch.stream, number, digest: before, member, at: now(), stuck };
    state.read(space.id, stays);
    read.set(batch.stream, stays);
    return undefined;
  }
}

/**
 * Has the storage take changes in. In a team nobody says anything of records that did not come from the team and are not shared with it.
 * What the storage cannot take at all is the batch's fault; what a person is told of is not.
 */
async function apply(
  { hooks, state, forget }: ExchangeDeps,
  space: Space,
  request: Pick<ApplyRequest, "changes" | "from" | "upTo">,
): Promise<ApplyResult> {
  const about = { replicas: state.heardIn(space.id), projects: space.projects };
  const asked = { ...request, ...(space.kind === "team" ? { about } : {}) };
  try {
    const isForget = request.changes?.some(({ kind }) => kind === "forget") ?? false;
    const would =
      isForget && (await askStorage(hooks, "storage.apply", { ...asked, dryRun: true }));
    const gone = would ? would.gone : [];
    // A crash after it leaves them to the next round.
    if (gone.length > 0) await forget?.(gone);
    const result = await askStorage(hooks, "storage.apply", asked);
    return { ...result, gone: [...new Set([...gone, ...result.gone])] };
  } catch (error) {
    if (!(error instanceof MemoirError) || error.code !== "record_invalid") throw error;
    throw new Refused("damaged", "memory cannot take it");
  }
}

/** A batch as its author sealed it. Rejects with Refused. */
async function open(
  space: Space,
  chain: readonly Placed[],
  { stream, number, bytes }: HubBatch,
  /** Digest of the batch before it; undefined where that is not known yet. */
  before: string | undefined,
) {
  if (bytes.byteLength > mostBatchBytes) throw new Refused("damaged", "it is too large");
  const { by, epoch, previous, ...header } = readHeader(bytes);
  if (header.space !== space.id || header.stream !== stream || header.number !== number)
    throw new Refused("forged", "it is another batch than its place says");
  if (before !== undefined && previous !== before)
    throw new Refused("forged", "it does not follow the batch before it");
  if (memberOfStream(stream) !== by) throw new Refused("forged", "its stream is another member's");
  const author = authorOf(chain, by, stream, number);
  const end = chain.at(-1)?.charter.ended[stream];
  const isOther = end?.number === number && end.digest !== digestOf(bytes);
  if (!author || isOther) throw new Refused("forged", "its author may not write here");
  const key = keyOfEpoch(space.secrets, epoch);
  if (!key) throw new Refused("damaged", "the key it is sealed with is not known");
  const opened = await unseal(bytes, key, author.sign);
  const content = v.safeParse(ContentSchema, opened.content);
  if (!content.success) throw new Refused("damaged", "it holds no changes");
  const { replica, nonce } = content.output;
  if (replica !== replicaOf(author.id, nonce))
    throw new Refused("forged", "it gives out another member's changes as its own");
  // Who made a change is who sealed it, whatever the change says; in one's own space all are one person.
  const { names } = space.secrets;
  const { person } = names[memberOfStream(space.stream)] ?? {};
  const name = { ...names[author.id], ...(space.kind === "mine" && person && { person }) };
  const changes = content.output.changes.flatMap((one): Change[] => {
    const change = v.safeParse(ChangeSchema, one);
    if (!change.success || change.output.replica !== replica) return [];
    return [{ ...change.output, by: name }];
  });
  return { author, changes, content: content.output };
}
