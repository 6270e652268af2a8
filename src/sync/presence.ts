// Who of a space was here last: each home leaves its time with the hub, at most once in a while, signed and sealed like a batch.
import { askHub, type ExchangeDeps } from "./ask-hub.ts";
import { keyOfEpoch, type Placed } from "./charter.ts";
import { knownMembers, writerOf } from "./members.ts";
import { readHeader, seal, signingKey, unseal } from "./seal.ts";
import { publicOf } from "./state.ts";

/** Coarse on purpose: others are to see whether a machine is still there, not when somebody is at it. */
const everyMs = 60 * 60_000;

const prefix = "seen/";

/** Says that this home is here, where it has not for a while. */
export async function sayPresence(
  { hooks, state, now }: ExchangeDeps,
  id: string,
  chain: readonly Placed[],
): Promise<void> {
  const space = state.space(id);
  const at = now();
  if (!space || Math.abs(at - (state.marks(id)?.seen ?? 0)) < everyMs) return;
  const epoch = chain.at(-1)?.charter.epoch ?? 0;
  const key = keyOfEpoch(space.secrets, epoch);
  if (!key) return;
  const { sign } = await writerOf(state, space);
  const { id: by } = publicOf(sign);
  const header = { space: id, epoch, stream: by, number: at, previous: "", by, is: presence };
  const bytes = await seal(header, {}, key, signingKey(sign));
  await askHub(hooks, "hub.write", { space: id, name: `${prefix}${by}`, bytes });
  state.mark(id, "seen", at);
}

const presence = "presence" as const;

/** When each member was here last, as far as they said so. Epoch ms by member's id. */
export async function readPresence(
  { hooks, state, now }: ExchangeDeps,
  id: string,
): Promise<Map<string, number>> {
  const space = state.space(id);
  const seen = new Map<string, number>();
  if (!space) return seen;
  const members = knownMembers(state, id);
  const { files } = await askHub(hooks, "hub.files", { space: id, prefix });
  for (const { name, bytes } of files) {
    const member = members.find((one) => `${prefix}${one.id}` === name);
    if (!member) continue;
    try {
      const { epoch, is, number, space: of } = readHeader(bytes);
      const key = keyOfEpoch(space.secrets, epoch);
      if (!key || is !== presence || of !== id) continue;
      await unseal(bytes, key, member.sign);
      seen.set(member.id, Math.min(number, now()));
    } catch {
      // Whoever wrote that was not the member.
    }
  }
  return seen;
}
