// Who is in a space now: what a hub shows of its charters, held against what this home saw before.
import { MemoirError } from "../sdk/errors.ts";
import { askHub, type ExchangeDeps } from "./ask-hub.ts";
import { follow, keyOfEpoch, type Member, type Placed, readChain } from "./charter.ts";
import { digestOf } from "./seal.ts";
import { memberOfStream, type Space, type SyncState } from "./state.ts";

/** Under whose keys this home writes in a space: its own, or those of a key that many homes share. */
export async function writerOf(state: SyncState, space: Space) {
  if (space.invitation?.isKey) return space.invitation.identity;
  return state.identity();
}

/** Who is in the space now; undefined where this home is not, which is noted. */
export async function readMembers(
  { hooks, state, log }: ExchangeDeps,
  id: string,
): Promise<Placed[] | undefined> {
  const space = state.space(id);
  if (!space || space.lost) return undefined;
  const pin = space.charter.number > 0 ? space.charter : undefined;
  const look = async (prefix = "charter/") =>
    (await askHub(hooks, "hub.files", { space: id, prefix })).files;
  let files: Files = pin ? await lookFrom(pin.number, look) : await look();
  const kept = state.kept(id);
  if (files.length > 0) files.push(...kept.filter(({ number }) => number < (pin?.number ?? 0)));
  else {
    files = await look();
    const shown = new Set(files.map(({ bytes }) => digestOf(bytes)));
    // None takes the place of another; whether what it shows then holds is seen below.
    const missing = kept.filter(({ bytes }) => !shown.has(digestOf(bytes)));
    if (missing.length > 0) {
      log.warn("the hub went back to an older state; it gets its members back", { space: id });
      for (const { number, bytes } of missing) {
        const name = charterName(number);
        await askHub(hooks, "hub.write", { space: id, name, bytes, isNew: true });
      }
      files = await look();
    }
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

/** Who was in the space when this home looked last. */
export function knownMembers(state: SyncState, id: string): Member[] {
  const files = state.kept(id).map(({ bytes }) => bytes);
  return readChain(id, files).at(-1)?.charter.members ?? [];
}

type Files = Array<{ bytes: Uint8Array }>;

/** Whoever is further behind reads all that there is. */
const mostSteps = 8;

/** What came before was seen, and is kept here. */
async function lookFrom(number: number, look: (prefix?: string) => Promise<Files>): Promise<Files> {
  const files = [...(await look(charterName(number)))];
  for (let next = number + 1; files.length > 0; next += 1) {
    if (next > number + mostSteps) return look();
    const more = await look(charterName(next));
    if (more.length === 0) break;
    files.push(...more);
  }
  return files;
}

/** Where a charter stands: where a hub can say who was first, the number alone decides. */
export function charterName(number: number): string {
  return `charter/${String(number).padStart(6, "0")}`;
}
