// What goes out: sealed, kept as bytes until the hub has it, and sent under a replica that is provably this home's.
import { askStorage } from "../runtime/hooks/ask-storage.ts";
import type { TakenBack } from "../sdk/change.ts";
import { MemoirError } from "../sdk/errors.ts";
import { askHub, type ExchangeDeps } from "./ask-hub.ts";
import { authorOf, keyOfEpoch, type Placed } from "./charter.ts";
import { writerOf } from "./members.ts";
import { digestOf, seal, signingKey } from "./seal.ts";
import { memberOfStream, newStream, type Space } from "./state.ts";

/** How much goes into one batch. */
const batchChanges = 256;

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

export function mayWrite({ stream }: Space, chain: readonly Placed[]): boolean {
  return authorOf(chain, memberOfStream(stream), stream, 0) !== undefined;
}

/** The next batch, kept until the hub has it; undefined where there is nothing to send. */
async function fill(deps: ExchangeDeps, space: Space, chain: readonly Placed[]) {
  const { hooks, state } = deps;
  const back = state.ownBack(space.id);
  const next = back.all[back.said];
  if (next) return fillBack(deps, space, chain, next);
  if (space.kind === "team" && [...space.projects, ...space.former].length === 0) return undefined;
  const by = memberOfStream(space.stream);
  const { replica: current } = await askStorage(hooks, "storage.changes", { limit: 1 });
  const proof = state.ownReplica(current);
  const replica = proof?.member === by ? current : await newReplica(deps, by);
  const nonce = state.ownReplica(replica)?.nonce ?? "";
  let from = space.replica === replica ? space.sent : 0;
  for (;;) {
    const { changes, upTo } = await ownChanges(deps, space, { replica, from, limit: batchChanges });
    if (changes.length === 0) {
      if (upTo <= from) return undefined;
      state.skip(space.id, replica, upTo);
      from = upTo;
      continue;
    }
    const out = await sealed(deps, space, chain, { replica, nonce, from, upTo, changes });
    // From here on its numbers are this replica's.
    state.skip(space.id, replica, from);
    state.put(space.id, { ...out, upTo });
    return out;
  }
}

/** A batch that says what is not shared any more. */
async function fillBack(
  deps: ExchangeDeps,
  space: Space,
  chain: readonly Placed[],
  { replica, upTo, projects }: TakenBack,
) {
  const { nonce = "" } = deps.state.ownReplica(replica) ?? {};
  const takesBack = projects ? { projects } : {};
  const content = { replica, nonce, from: upTo, upTo, changes: [], takesBack };
  const out = await sealed(deps, space, chain, content);
  deps.state.put(space.id, { ...out, upTo: space.sent }, true);
  return out;
}

/** The next batch of this home's stream. */
async function sealed(
  { state }: ExchangeDeps,
  space: Space,
  chain: readonly Placed[],
  content: object,
): Promise<{ number: number; bytes: Uint8Array }> {
  const epoch = chain.at(-1)?.charter.epoch ?? 0;
  const key = keyOfEpoch(space.secrets, epoch);
  if (!key) throw new MemoirError("sync_refused", "The space's key is not known here.");
  const number = space.number + 1;
  const { id, stream, digest: previous } = space;
  const header = { space: id, epoch, stream, number, previous, by: memberOfStream(stream) };
  const writer = await writerOf(state, space);
  return { number, bytes: await seal(header, content, key, signingKey(writer.sign)) };
}

/** What of this home's changes goes into a space, and up to which number that is all. */
export async function ownChanges(
  { hooks }: ExchangeDeps,
  { kind: of, projects, former }: Space,
  { replica, from, limit }: { replica: string; from: number; limit: number },
) {
  const page = await askStorage(hooks, "storage.changes", {
    ...{ after: { [replica]: from }, replica, limit },
    ...(of === "team" ? { projects, forgotten: former } : {}),
    ...(of === "mine" && projects.length > 0 ? { except: projects } : {}),
  });
  const changes = page.changes.filter(({ kind }) => of === "mine" || kind !== "project");
  return { changes, upTo: page.upTo[replica] ?? from };
}

/**
 * Another home writes this one's stream: a copy of it, or itself before it went back to a backup. What the hub has not of this home gets
 * new numbers under a new name, in memory and here.
 */
export async function startAnew(
  deps: ExchangeDeps,
  space: Space,
  kept = space.number,
): Promise<void> {
  const { state, log } = deps;
  const member = memberOfStream(space.stream);
  log.warn("another home has the keys of this one", { space: space.id });
  await newReplica(deps, member, kept < space.number ? state.sentIn(space.id, kept) : space.sent);
  state.startStream(space, newStream(member), kept);
}

/** Gives this home's changes a replica that is provably its own: those that some space has not yet get new numbers. */
async function newReplica(
  { hooks, state }: ExchangeDeps,
  member: string,
  most = Infinity,
): Promise<string> {
  const { replica } = await askStorage(hooks, "storage.changes", { limit: 1 });
  const sent = state.spaces().map((one) => (one.replica === replica ? one.sent : 0));
  const renewAs = state.newReplica(member);
  await askStorage(hooks, "storage.apply", { renewAfter: Math.min(most, ...sent), renewAs });
  return renewAs;
}
