// One round with the hub, a space at a time: who is in it → what came → what goes out. Nothing here is waited for by a hook.
//
// A round may end anywhere: what came is applied before the position moves, what goes out is kept as bytes before it is pushed, and both
// may be done again. What a hub shows is held against what this home saw before; a member's batch against the members and its chain.
import type { ExchangeDeps } from "./ask-hub.ts";
import { readMembers } from "./members.ts";
import { sayPresence } from "./presence.ts";
import { pull, pullNewest } from "./pull.ts";
import { push } from "./push.ts";
import { writeSnapshots } from "./snapshots.ts";
import { comeBack, renewKey } from "./spaces.ts";

/** Everything once. Rejects where the hub does; what came before that stays. */
export async function exchange(
  deps: ExchangeDeps,
  id: string,
): Promise<{ came: number; went: number }> {
  await comeBack(deps, id);
  let chain = await readMembers(deps, id);
  if (chain && (await renewKey(deps, id, chain))) chain = await readMembers(deps, id);
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
    await writeSnapshots(deps, id, chain);
    await sayPresence(deps, id, chain);
  }
  return { came, went };
}
