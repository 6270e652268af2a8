// One round with the hub, a space at a time: who is in it → what came → what goes out. Nothing here is waited for by a hook.
//
// A round may end anywhere: what came is applied before the position moves, what goes out is kept as bytes before it is pushed, and both
// may be done again. What a hub shows is held against what this home saw before; a member's batch against the members and its chain.
import { randomBytes } from "node:crypto";
import * as v from "valibot";
import type { Log } from "../home/log.ts";
import { askStorage } from "../runtime/hooks/ask-storage.ts";
import type { Hooks } from "../runtime/ports.ts";
import { type ApplyRequest, type ApplyResult, type Change, ChangeSchema } from "../sdk/change.ts";
import { MemoirError } from "../sdk/errors.ts";
import type { HookInput, HookName, HookOutput } from "../sdk/hooks.ts";
import type { HubBatch, HubHead } from "../sdk/hub.ts";
import { msOf } from "./change.ts";
import { authorOf, follow, keyOfEpoch, type Placed, readChain } from "./charter.ts";
import { digestOf, Refused, readHeader, replicaOf, seal, signingKey, unseal } from "./seal.ts";
import type { ReadStream, Space, SyncState } from "./state.ts";

export interface ExchangeDeps {
  hooks: Pick<Hooks, "first">;
  state: SyncState;
  log: Log;
  now(): number;
  /** Records that are new here or gone. */
  arrived?(ids: { changed: string[]; gone: string[] }): Promise<void>;
}

/** What a batch holds. */
const ContentSchema = v.object({
  replica: v.string(),
  from: v.number(),
  upTo: v.number(),
  /** What proves that the replica is the author's. */
  nonce: v.string(),
  changes: v.array(v.unknown()),
});

/** How much is asked for in one pull, and how much goes into one batch. */
const pullBytes = 4 << 20;
const batchChanges = 256;
/** Of each stream, for a home that begins: some hundred records of each. */
const newestBatches = 2;
/** What is larger was made by nobody's memoir. */
const mostBatchBytes = 16 << 20;
/** A clock may be wrong by so much: what claims to be later could never be corrected. */
const mostAheadMs = 2 * 365 * 86_400_000;

type HubHook = Extract<HookName, `hub.${string}`>;

/** Asks the hub in force. Rejects with its own errors, and with `hub_away` where there is none. */
export async function askHub<Name extends HubHook>(
  hooks: Pick<Hooks, "first">,
  name: Name,
  input: HookInput<Name>,
): Promise<HookOutput<Name>> {
  const answer = await hooks.first(name, input);
  if (!answer)
    throw new MemoirError("hub_away", "No hub is in force here.", {
      fix: "See in `memoir plugin list` whether it failed; `slots.hub` names it.",
    });
  return answer.result;
}

/** A stream's name: its member's id, and what tells its streams apart. */
export function newStream(member: string): string {
  return `${member}-${randomBytes(6).toString("hex")}`;
}

/** Whose stream it is. */
function memberOfStream(stream: string): string {
  return stream.split("-")[0] ?? "";
}

/** Under whose keys this home writes in a space: its own, or those of a key that many homes share. */
export async function writerOf(state: SyncState, space: Space) {
  if (space.invitation?.isKey) return space.invitation.identity;
  return state.identity();
}

/** Everything once. Rejects where the hub does; what came before that stays. */
export async function exchange(
  deps: ExchangeDeps,
  id: string,
): Promise<{ came: number; went: number }> {
  const chain = await readMembers(deps, id);
  if (!chain) return { came: 0, went: 0 };
  let went = 0;
  // A home that begins is useful with the newest; all of it follows, and what came twice counts once.
  if (deps.state.streams(id).length === 0) await pullNewest(deps, id, chain);
  let came = 0;
  try {
    came = await pull(deps, id, chain);
  } finally {
    // What cannot be read keeps nothing here from going out.
    went = await push(deps, id, chain);
  }
  return { came, went };
}

/** Who is in the space now; undefined where this home is not, which is noted. */
export async function readMembers(
  { hooks, state, log }: ExchangeDeps,
  id: string,
): Promise<Placed[] | undefined> {
  const space = state.space(id);
  if (!space || space.lost) return undefined;
  const pin = space.charter.number > 0 ? space.charter : undefined;
  const look = async () =>
    (await askHub(hooks, "hub.files", { space: id, prefix: "charter/" })).files;
  let files = await look();
  if (files.length === 0 && state.kept(id).length > 0) {
    log.warn("the hub was emptied; it gets its members back", { space: id });
    for (const { number, bytes } of state.kept(id))
      await askHub(hooks, "hub.write", {
        space: id,
        name: charterName(number),
        bytes,
        isNew: true,
      });
    files = await look();
  }
  const chain = readChain(
    id,
    files.map(({ bytes }) => bytes),
    pin,
  );
  const last = chain.at(-1);
  if (!last)
    throw new MemoirError("sync_refused", "The hub shows another list of members than before.", {
      fix: "Do not trust it: ask the space's owner whether the hub was replaced or put back.",
    });
  if (last.digest === space.charter.digest) return chain;
  const writer = await writerOf(state, space);
  let secrets = space.secrets;
  const isSame = chain.some(({ digest }) => digest === pin?.digest);
  for (const [at, placed] of chain.entries())
    if (placed.charter.number > (pin?.number ?? 0) - (isSame ? 0 : 1)) {
      secrets = (await follow(chain[at - 1], placed, secrets, writer)) ?? secrets;
      state.keep(id, placed.charter.number, placed.bytes);
    }
  const { number, members, epoch } = last.charter;
  if (!members.some((one) => one.id === memberOfStream(space.stream))) {
    log.warn("this home is no member of a space any more", { space: id });
    state.save({ ...space, lost: "This home was removed from it." });
    return undefined;
  }
  if (!keyOfEpoch(secrets, epoch))
    throw new MemoirError("sync_refused", "The space's new key cannot be read here.", {
      fix: "Ask the space's owner to remove this home and to invite it again.",
    });
  state.save({ ...space, secrets, charter: { number, digest: last.digest } });
  return chain;
}

/** Where a charter stands: where a hub can say who was first, the number alone decides. */
export function charterName(number: number): string {
  return `charter/${String(number).padStart(6, "0")}`;
}

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
    compareHeads(deps, space, page.heads, read);
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
async function pullNewest(deps: ExchangeDeps, id: string, chain: readonly Placed[]): Promise<void> {
  const { hooks, state, now } = deps;
  const space = state.space(id);
  if (!space) return;
  const asked = { space: id, after: {}, bytes: pullBytes, newest: newestBatches };
  const { batches } = await askHub(hooks, "hub.pull", asked);
  const changed: string[] = [];
  for (const batch of batches) {
    if (batch.stream === space.stream) continue;
    const opened = await open(space, chain, batch, undefined, now()).catch(() => undefined);
    if (!opened) continue;
    state.heard(id, opened.content.replica, opened.author.id);
    const result = await apply(deps, space, { changes: opened.changes });
    changed.push(...result.changed);
  }
  await deps.arrived?.({ changed, gone: [] });
}

/** A hub that has less of a stream than before, or something else at its end, went back or shows each reader something else. */
function compareHeads(
  { log, state }: ExchangeDeps,
  space: Space,
  heads: readonly HubHead[],
  read: ReadonlyMap<string, ReadStream>,
): void {
  const shown = new Map(heads.map((head) => [head.stream, head]));
  const own = shown.get(space.stream)?.number ?? 0;
  // It was put back: what it has not is sent anew, in a stream of a new name, for others may have read on in the old one.
  if (own < space.number) state.startStream(space, newStream(memberOfStream(space.stream)), own);
  for (const was of read.values()) {
    const head = shown.get(was.stream);
    const isOther = head?.number === was.number && head.digest !== was.digest;
    if (!isOther || was.stuck) continue;
    log.error("a hub shows another batch than before", { space: space.id, stream: was.stream });
    state.read(space.id, { ...was, stuck: "The hub shows another batch than before." });
  }
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
    const isMine = await open(space, chain, batch, digest, now()).catch(() => undefined);
    // Whoever cannot sign as this home does has nothing to say in its stream.
    if (batch.number !== number + 1 || !isMine) return undefined;
    // First of all: what another home calls by the numbers of this one's changes would pass for known.
    read.set(stream, { stream, number, digest, member: memberOfStream(stream), at: now() });
    await renew(deps, space);
  }
  const known = read.get(batch.stream);
  const { number, digest: before } = known ?? { number: 0, digest: "" };
  if (batch.number !== number + 1) return undefined;
  try {
    const { author, changes, content } = await open(space, chain, batch, before, now());
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
  { hooks, state }: ExchangeDeps,
  space: Space,
  request: Pick<ApplyRequest, "changes" | "from" | "upTo">,
): Promise<ApplyResult> {
  const about = { replicas: state.heardIn(space.id), projects: space.projects };
  try {
    return await askStorage(hooks, "storage.apply", {
      ...request,
      ...(space.kind === "team" ? { about } : {}),
    });
  } catch (error) {
    if (error instanceof MemoirError && !/TypeError|cannot|undefined/.test(`${error.cause}`))
      throw error;
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
  now: number,
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
  // Who made a change is who sealed it, whatever the change says.
  const name = space.secrets.names[author.id];
  const changes = content.output.changes.flatMap((one): Change[] => {
    const change = v.safeParse(ChangeSchema, one);
    if (!change.success || change.output.replica !== replica) return [];
    if (msOf(change.output.time) > now + mostAheadMs) return [];
    return [{ ...change.output, by: { ...name } }];
  });
  return { author, changes, content: content.output };
}

/**
 * Another home writes this one's stream: a copy of it, or itself before it went back to a backup. What the hub has not of this home gets
 * new numbers under a new name, in memory and here.
 */
async function renew(deps: ExchangeDeps, space: Space): Promise<void> {
  const { state, log } = deps;
  log.warn("another home has the keys of this one", { space: space.id });
  await newReplica(deps, memberOfStream(space.stream));
  state.startStream(space, newStream(memberOfStream(space.stream)), space.number);
}

/** Gives this home's changes a replica that is provably its own: those that some space has not yet get new numbers. */
async function newReplica({ hooks, state }: ExchangeDeps, member: string): Promise<string> {
  const { replica } = await askStorage(hooks, "storage.changes", { limit: 1 });
  const sent = state.spaces().map((one) => (one.replica === replica ? one.sent : 0));
  const renewAs = state.newReplica(member);
  await askStorage(hooks, "storage.apply", { renewAfter: Math.min(...sent), renewAs });
  return renewAs;
}

/** Sends what this home made. Answers how many changes went. */
export async function push(
  deps: ExchangeDeps,
  id: string,
  chain: readonly Placed[],
): Promise<number> {
  const { hooks, state } = deps;
  let went = 0;
  for (let anew = 0; anew < 3; ) {
    const space = state.space(id);
    if (!space || !mayWrite(space, chain)) return went;
    const out = state.outgoing(id) ?? (await fill(deps, space, chain));
    if (!out) return went;
    const { number, bytes } = out;
    const asked = { space: id, stream: space.stream, number, bytes };
    const answer = await askHub(hooks, "hub.push", asked);
    if (answer.state === "stored" || answer.state === "there") {
      state.sent(space, digestOf(bytes));
      went += 1;
      continue;
    }
    // What the hub has not goes out anew in a stream of a new name. A copy of this home that was quicker is met when its batch is read.
    const kept = answer.state === "behind" ? answer.number : space.number;
    state.startStream(space, newStream(memberOfStream(space.stream)), kept);
    anew += 1;
  }
  throw new MemoirError("hub_away", "The hub takes nothing of this home's.");
}

function mayWrite({ stream }: Space, chain: readonly Placed[]): boolean {
  return authorOf(chain, memberOfStream(stream), stream, 0) !== undefined;
}

/** The next batch, kept until the hub has it; undefined where there is nothing to send. */
async function fill(deps: ExchangeDeps, space: Space, chain: readonly Placed[]) {
  const { hooks, state } = deps;
  if (space.kind === "team" && space.projects.length === 0) return undefined;
  const by = memberOfStream(space.stream);
  const { replica: current } = await askStorage(hooks, "storage.changes", { limit: 1 });
  const proof = state.ownReplica(current);
  const replica = proof?.member === by ? current : await newReplica(deps, by);
  const nonce = state.ownReplica(replica)?.nonce ?? "";
  let from = space.replica === replica ? space.sent : 0;
  for (;;) {
    const page = await askStorage(hooks, "storage.changes", {
      after: { [replica]: from },
      replica: "own",
      limit: batchChanges,
      ...(space.kind === "team" ? { projects: space.projects } : {}),
      ...(space.kind === "mine" && space.projects.length > 0 ? { except: space.projects } : {}),
    });
    const upTo = page.upTo[replica] ?? from;
    const changes = page.changes.filter(({ kind }) => space.kind === "mine" || kind !== "project");
    if (changes.length === 0) {
      if (upTo <= from) return undefined;
      state.skip(space.id, replica, upTo);
      from = upTo;
      continue;
    }
    const epoch = chain.at(-1)?.charter.epoch ?? 0;
    const key = keyOfEpoch(space.secrets, epoch);
    if (!key) throw new MemoirError("sync_refused", "The space's key is not known here.");
    const number = space.number + 1;
    const { id, stream, digest: previous } = space;
    const header = { space: id, epoch, stream, number, previous, by };
    const writer = await writerOf(state, space);
    const content = { replica, nonce, from, upTo, changes };
    const bytes = await seal(header, content, key, signingKey(writer.sign));
    const out = { number, bytes, upTo };
    // From here on its numbers are this replica's.
    state.skip(id, replica, from);
    state.put(id, out);
    return out;
  }
}
