// Snapshots: what a stream said in 64 small batches, once more as one file, so that nobody replays years. The data's way:
//
//   push: 64 batches more are out ─► what of their changes still holds, sealed, with the digests of the 64 ─► `snapshot/<stream>/<n>`
//   pull: 64 batches or more behind ─► ten such files at a time ─► apply ─► behind the last of them; what follows comes as batches
//
// Each is written once, so that all of them cost what the stream does; a snapshot of everything would be written anew each time. Whoever
// comes back after months reads them as a new home does. A window that holds too much for one file was large batches: they are read.
//
// What a snapshot may say is what the batches may: its author's signature, key and replica are held against the members, and the digests
// against what was read before and what the hub shows. One that does not hold, or is not there, is as if there were none. Who is no member
// any more could rewrite what they said, so of them only batches count. A forget travels as a change: it buries what a snapshot has
// of before it, whichever comes first.

import type { HubFile, HubHead } from "../sdk/hub.ts";
import { askHub, type ExchangeDeps } from "./ask-hub.ts";
import { keyOfEpoch, type Placed } from "./charter.ts";
import { writerOf } from "./members.ts";
import { applyOpened, open } from "./opened.ts";
import { mayWrite, ownChanges } from "./push.ts";
import { Refused, seal, signingKey } from "./seal.ts";
import { memberOfStream, type ReadStream, type Space } from "./state.ts";

/** Batches that one stands for. */
const span = 64;
/** More changes are left in their batches. */
const mostChanges = 1_024;
/** What is larger after all is left there too. */
const mostBytes = 4 << 20;

const nameOf = (stream: string, index: number) =>
  `snapshot/${stream}/${String(index).padStart(9, "0")}`;

/** Writes what is due of this home's stream. Rejects as the hub does; the next round goes on. */
export async function writeSnapshots(
  deps: ExchangeDeps,
  id: string,
  chain: readonly Placed[],
): Promise<void> {
  const { hooks, state } = deps;
  const space = state.space(id);
  if (!space || !mayWrite(space, chain)) return;
  for (let index = state.marks(id)?.snapshots ?? 0; (index + 1) * span <= space.number; index++) {
    const bytes = await sealed(deps, space, chain, index * span + 1);
    const name = nameOf(space.stream, index);
    if (bytes && bytes.byteLength <= mostBytes)
      await askHub(hooks, "hub.write", { space: id, name, bytes });
    state.mark(id, "snapshots", index + 1);
  }
}

/** The batches from `number` on as one; undefined where that is not known, or too much. */
async function sealed(deps: ExchangeDeps, space: Space, chain: readonly Placed[], number: number) {
  const { state } = deps;
  const all = state.pushed(space.id, number - 1, number + span - 1);
  const before = all[0]?.number === number - 1 ? all.shift() : undefined;
  const last = all.at(-1);
  const isKnown = all.length === span && (before !== undefined || number === 1);
  if (!last || !isKnown || all.some((one) => one.replica !== last.replica || !one.digest))
    return undefined;
  const { replica, upTo } = last;
  const nonce = state.ownReplica(replica)?.nonce;
  // Of a stream that goes on from another, the first has what the other had, too.
  const from = before?.replica === replica ? before.upTo : 0;
  const page = await ownChanges(deps, space, { replica, from, limit: mostChanges + span });
  const changes = page.changes.filter((one) => one.number <= upTo);
  const epoch = chain.at(-1)?.charter.epoch ?? 0;
  const key = keyOfEpoch(space.secrets, epoch);
  if (!nonce || !key || page.upTo < upTo || changes.length > mostChanges) return undefined;
  const { sign } = await writerOf(state, space);
  const header = {
    ...{ space: space.id, epoch, stream: space.stream, number, is: "snapshot" as const },
    ...{ previous: before?.digest ?? "", by: memberOfStream(space.stream) },
  };
  const digests = all.map(({ digest }) => digest);
  return seal(header, { replica, nonce, from, upTo, changes, digests }, key, signingKey(sign));
}

/**
 * Takes in what stands for many batches that are not read yet, and notes that in `read`. Answers how many changes were new; undefined where
 * there was nothing. `tried` are names that were asked for.
 */
export async function readSnapshots(
  deps: ExchangeDeps,
  space: Space,
  chain: readonly Placed[],
  heads: readonly HubHead[],
  read: Map<string, ReadStream>,
  tried: Set<string>,
): Promise<number | undefined> {
  let came: number | undefined;
  for (const head of heads) {
    if (head.stream === space.stream) continue;
    for (;;) {
      const { number = 0, stuck } = read.get(head.stream) ?? {};
      if (stuck || head.number - number < span) break;
      const ten = nameOf(head.stream, Math.floor(number / span)).slice(0, -1);
      if (tried.has(ten)) break;
      tried.add(ten);
      const { files } = await askHub(deps.hooks, "hub.files", { space: space.id, prefix: ten });
      const taken = await takeAll(deps, space, chain, { head, files, read });
      if (taken !== undefined) came = (came ?? 0) + taken;
    }
  }
  return came;
}

interface Found {
  head: HubHead;
  files: readonly HubFile[];
  read: Map<string, ReadStream>;
}

/** One after the other, as far as they follow what is read. */
async function takeAll(
  deps: ExchangeDeps,
  space: Space,
  chain: readonly Placed[],
  { head, files, read }: Found,
): Promise<number | undefined> {
  const { stream } = head;
  const named = new Map(files.map(({ name, bytes }) => [name, bytes]));
  const openAt = (index: number) => {
    const bytes = named.get(nameOf(stream, index));
    const opened =
      bytes && open(space, chain, { stream, number: index * span + 1, bytes }, { is: "snapshot" });
    // What is wrong with it is seen when its turn comes.
    opened?.catch(() => undefined);
    return opened;
  };
  let came: number | undefined;
  let next: ReturnType<typeof openAt>;
  for (;;) {
    const known = read.get(stream) ?? { number: 0, digest: "" };
    const index = Math.floor(known.number / span);
    next ??= openAt(index);
    if (!next || head.number - known.number < span) return came;
    try {
      const opened = await next;
      // Memory may have to wait before it can write: the next is opened meanwhile.
      next = openAt(index + 1);
      const last = lastOf(opened, known, head);
      const { applied } = await applyOpened(deps, space, [opened]);
      const at = { stream, ...last, member: opened.author.id, at: deps.now() };
      deps.state.read(space.id, at);
      read.set(stream, at);
      came = (came ?? 0) + applied;
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      deps.log.warn("a snapshot is not taken; its batches are read", {
        ...{ space: space.id, stream, why: error.message },
      });
      return came;
    }
  }
}

/** The last batch that a snapshot stands for. Throws Refused where it is one of another stream than what was read and what the hub shows. */
function lastOf(
  { header, content }: Awaited<ReturnType<typeof open>>,
  known: { number: number; digest: string },
  head: HubHead,
): { number: number; digest: string } {
  const { digests = [] } = content;
  const digestAt = (number: number) =>
    number === header.number - 1 ? header.previous : digests[number - header.number];
  const number = header.number + digests.length - 1;
  const isEnd = number !== head.number || digestAt(number) === head.digest;
  if (digests.length !== span || number > head.number || !isEnd)
    throw new Refused("forged", "it stands for other batches than the hub shows");
  if (digestAt(known.number) !== known.digest)
    throw new Refused("forged", "it does not follow what was read before");
  return { number, digest: digestAt(number) ?? "" };
}
