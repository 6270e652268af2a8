// What a person sees of shared memory: the hub, each space, what waits and what came.
import { askStorage } from "../runtime/hooks/ask-storage.ts";
import type { Hooks } from "../runtime/ports.ts";
import { askHub, type ExchangeDeps } from "./ask-hub.ts";
import type { Secrets } from "./charter.ts";
import { knownMembers } from "./members.ts";
import { readPresence } from "./presence.ts";
import { ownChanges } from "./push.ts";
import { memberOfStream, type Space, type SyncState } from "./state.ts";

/** So many are counted. */
const mostWaiting = 1_000;

/** What a space looks like to a person. */
interface SpaceStatus {
  id: string;
  kind: Secrets["kind"];
  members: number;
  /** What this home may do there. */
  role: string;
  /** Of a team's: what is shared. Of one's own: what is kept local. */
  projects: string[];
  /** Changes that wait to go out, `mostWaiting` of them at most. */
  waiting: number;
  /** Why nothing is exchanged, if so. */
  lost: string | null;
  streams: Array<{
    member: string;
    person: string;
    machine: string;
    at: number;
    stuck: string | null;
  }>;
  /** Which of the others was here last, as far as the hub says; to the hour. */
  lastHere: { person: string; machine: string; at: number } | null;
}

export interface SyncStatus {
  hub: { ok: boolean; where: string; trouble: string | null; bytes: number | null } | null;
  spaces: SpaceStatus[];
  /** Epoch ms of the last round that came through; null: none did since the start. */
  lastAt: number | null;
  trouble: string | null;
}

/** Asks the hub how it is; one that does not answer is said. */
export async function statusOf(
  deps: ExchangeDeps,
  seen: Pick<SyncStatus, "lastAt" | "trouble">,
): Promise<SyncStatus> {
  const { state, hooks } = deps;
  const spaces = state.spaces();
  const hub = spaces[0] ? await hubStatus(hooks, spaces[0].id) : null;
  return {
    ...{ hub, ...seen },
    spaces: await Promise.all(
      spaces.map(async (space) => {
        const stands = standing(space, state);
        return {
          ...{ ...spaceStatus(space, state), ...stands },
          // A storage that cannot say it keeps no status from being shown.
          waiting: await waitingIn(deps, space, stands.role).catch(() => 0),
          lastHere: hub?.ok ? await lastHere(deps, space) : null,
        };
      }),
    ),
  };
}

/** What keeps memory from being shared, beside the hub. */
export function wrongWith(state: SyncState): string[] {
  return state.spaces().flatMap((space) => wrongIn(spaceStatus(space, state)));
}

async function hubStatus(
  hooks: Pick<Hooks, "first">,
  space: string,
): Promise<NonNullable<SyncStatus["hub"]>> {
  const away = (error: Error & { fix?: string }) => ({
    ...{ ok: false, where: "the hub" },
    trouble: [error.message, error.fix].filter(Boolean).join(" "),
  });
  const found: { ok: boolean; where: string; trouble?: string; bytes?: number } = await askHub(
    hooks,
    "hub.health",
    { space },
  ).catch(away);
  return { ...found, trouble: found.trouble ?? null, bytes: found.bytes ?? null };
}

/** Of the others. A hub that does not say it keeps no status from being shown. */
async function lastHere(deps: ExchangeDeps, { id, stream, secrets }: Space) {
  const seen = await readPresence(deps, id).catch(() => new Map<string, number>());
  seen.delete(memberOfStream(stream));
  const [last] = [...seen].sort(([, a], [, b]) => b - a);
  if (!last) return null;
  const [member, at] = last;
  return { ...(secrets.names[member] ?? { person: "?", machine: "" }), at };
}

/** What of a space a person has to look at. */
function wrongIn({ lost, streams }: Pick<SpaceStatus, "lost" | "streams">): string[] {
  const stuck = streams.flatMap((one) =>
    one.stuck === null
      ? []
      : `${[one.person, one.machine].filter(Boolean).join(", ")}: ${one.stuck}`,
  );
  return [...(lost === null ? [] : [lost]), ...stuck];
}

/** How many are in a space, and as what this home is. */
export function standing({ id, stream }: Space, state: SyncState) {
  const members = knownMembers(state, id);
  const me = memberOfStream(stream);
  return {
    members: members.filter(({ kind }) => kind !== "invitation").length,
    role: members.find((one) => one.id === me)?.role ?? "",
  };
}

/** How many changes of this home's the hub has not. */
async function waitingIn(deps: ExchangeDeps, space: Space, role: string): Promise<number> {
  if (space.lost || role === "reader") return 0;
  const { replica } = await askStorage(deps.hooks, "storage.changes", { limit: 1 });
  const from = space.replica === replica ? space.sent : 0;
  const asked = { replica, from, limit: mostWaiting };
  return (await ownChanges(deps, space, asked)).changes.length;
}

function spaceStatus(
  space: Space,
  state: SyncState,
): Pick<SpaceStatus, "id" | "kind" | "projects" | "lost" | "streams"> {
  const { id, kind, projects, lost, secrets } = space;
  const streams = state.streams(id).map(({ member, at, stuck }) => ({
    ...{
      member,
      person: secrets.names[member]?.person ?? "?",
      machine: secrets.names[member]?.machine ?? "",
    },
    ...{ at, stuck: stuck ?? null },
  }));
  return { id, kind, projects, lost: lost ?? null, streams };
}
