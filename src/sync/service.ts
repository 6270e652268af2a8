// Sync in a running server: what a person asks of it, and its start and stop. Without a space it costs one look for a file.

import { existsSync } from "node:fs";
import { homedir, hostname, userInfo } from "node:os";
import { basename } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { nearest, unknownProject } from "../runtime/config/problems.ts";
import { askStorage } from "../runtime/hooks/ask-storage.ts";
import type { Hooks } from "../runtime/ports.ts";
import { MemoirError } from "../sdk/errors.ts";
import { within } from "../sdk/within.ts";
import { calledSo } from "../text/paths.ts";
import type { ExchangeDeps } from "./ask-hub.ts";
import type { Secrets } from "./charter.ts";
import { createHubPlace, type HubPlaceOptions } from "./hub-place.ts";
import type { HubPlace } from "./invitation.ts";
import { createLoop, type LoopOptions } from "./loop.ts";
import type { Invited, Joined } from "./spaces.ts";
import type { Self, Space, SyncState } from "./state.ts";
import type { SyncStatus } from "./status.ts";

export interface SyncOptions extends HubPlaceOptions {
  now(): number;
  env: Readonly<Record<string, string | undefined>>;
  forget?: ExchangeDeps["forget"];
  arrived?: ExchangeDeps["arrived"];
  began?: LoopOptions["began"];
  isOff?: LoopOptions["isOff"];
}

export interface MemberStatus {
  id: string;
  person: string;
  machine: string;
  role: string;
  kind: string;
  isSelf: boolean;
  until: number | null;
  /** When it was here last, to the hour; null where that is not known. */
  seenAt: number | null;
}

type Kind = Secrets["kind"] | undefined;

/** So long a first command waits until an invitation in the environment was taken up. */
const joinMs = 30_000;

export type Sync = ReturnType<typeof createSync>;

/** Over one runtime. Nothing of it is loaded before there is a space, or somebody asks. */
export function createSync(options: SyncOptions) {
  const { paths, env } = options;
  const parts = createParts(options);
  const { open, loop } = parts;
  const asked = { ...createMembership(parts), ...createPeople(parts) };
  let starting: Promise<void> | undefined;

  async function hasSpaces(): Promise<boolean> {
    return existsSync(paths.sync) && (await open()).state.spaces().length > 0;
  }

  /** True where the loop is to begin: there are spaces, or the invitation in the environment made one. */
  async function begins(): Promise<boolean> {
    if (await hasSpaces()) return true;
    const given = env.MEMOIR_SYNC?.trim();
    if (!given) return false;
    const { joinFromEnv } = await import("./from-env.ts");
    await joinFromEnv(given, (text) => asked.join(text, {}));
    return true;
  }

  /** Waits until the invitation in the environment was taken up, for as long as somebody waits for a command. */
  async function joined(): Promise<void> {
    const until = Date.now() + joinMs;
    while (!(await hasSpaces())) {
      if (Date.now() > until)
        throw new MemoirError(
          "sync_refused",
          ["This home has not joined yet.", loop.seen.trouble ?? ""].join(" ").trim(),
          { fix: "It is tried until it works; `memoir sync status` says how it went." },
        );
      await sleep(100);
    }
  }

  return {
    ...asked,

    /** Begins where there is a space, or where the environment brings an invitation, tried until it works. Never rejects. */
    async start(): Promise<void> {
      if (!existsSync(paths.sync) && !env.MEMOIR_SYNC?.trim()) return;
      starting = loop.repeat("sync could not begin", async () => {
        if (await begins()) loop.begin();
        return { isDone: true };
      });
      await starting;
    },

    /** One round, now. Rejects with what is wrong. */
    async now(): Promise<{ came: number; went: number }> {
      if (env.MEMOIR_SYNC?.trim()) await joined();
      if (!(await hasSpaces())) throw inNoSpace();
      return loop.round();
    },

    /** How it goes, without a question to the hub; undefined where nothing is shared. */
    async brief() {
      if (!(await hasSpaces()))
        return loop.seen.trouble === null ? undefined : { ...loop.seen, wrong: [] };
      const { wrongWith } = await import("./status.ts");
      return { ...loop.seen, wrong: wrongWith((await open()).state) };
    },

    /** Ends the loop after a last round, for which a hub has a moment. Never rejects. */
    async stop(): Promise<void> {
      await loop.stop();
      await within(1_500, starting ?? Promise.resolve(), undefined);
      await parts.close();
    },
  };
}

type Parts = ReturnType<typeof createParts>;

/** What all share: one state, one hub and one turn after the other. */
function createParts(options: SyncOptions) {
  const { paths, runtime, log, now, arrived, began, isOff, forget } = options;
  let opened: Promise<{ state: SyncState; deps: ExchangeDeps }> | undefined;
  // Read at each call: plugins may be others by then.
  const hooks: Pick<Hooks, "first"> = { first: (...asked) => runtime.hooks.first(...asked) };

  async function openState(): Promise<{ state: SyncState; deps: ExchangeDeps }> {
    const { openSyncState } = await import("./state.ts");
    const state = await openSyncState(paths.sync);
    await hub.restore(state);
    return {
      state,
      deps: { hooks, state, log, now, ...(arrived && { arrived }), ...(forget && { forget }) },
    };
  }

  function open() {
    opened ??= openState().catch((error) => {
      // The next who asks tries again.
      opened = undefined;
      throw error;
    });
    return opened;
  }

  const loop = createLoop({ open, log, now, began, isOff });
  const hub = createHubPlace(options, open);

  /** The space that is meant: the only one, or the one of this kind. */
  async function meant(kind: Kind): Promise<Space> {
    const { state } = await open();
    const all = state.spaces();
    const asked = all.filter((one) => kind === undefined || one.kind === kind);
    const [space] = asked;
    if (space && asked.length === 1) return space;
    if (!space) throw inNoSpace(all.length > 0 ? kind : undefined);
    throw new MemoirError("sync_refused", "This home is in two spaces.", {
      fix: "Say which with `--space mine` or `--space team`.",
    });
  }

  async function status(): Promise<SyncStatus> {
    const { lastAt, trouble } = loop.seen;
    if (!existsSync(paths.sync)) return { hub: null, spaces: [], lastAt, trouble };
    const { statusOf } = await import("./status.ts");
    return statusOf((await open()).deps, { lastAt, trouble });
  }

  async function close(): Promise<void> {
    await opened?.then(({ state }) => state.close()).catch(() => undefined);
  }

  return { open, close, loop, hub, meant, status, paths, hooks };
}

/** Coming into spaces and leaving them: what changes the hub that is in force. Long because each way has its own order of hub and space. */
function createMembership({ open, loop, hub, meant, status }: Parts) {
  const { inTurn } = loop;

  return {
    /**
     * `replaced`: only the address of the hub in force is another now, its user or password. A home that is in a space makes one more only
     * where its kind is said: it would share all that is here.
     */
    async create(
      kind: Kind,
      place: HubPlace,
      given: Partial<Self>,
    ): Promise<SyncStatus & { made: boolean; replaced: boolean }> {
      const { createSpace } = await import("./spaces.ts");
      const { deps, state } = await open();
      const done = await inTurn(async () => {
        const all = state.spaces();
        const before = all.length > 0 ? await hub.assertSame(place) : place;
        const replaced =
          place.type === "postgres" &&
          !(before.type === "postgres" && before.address === place.address);
        const made = !replaced && (kind !== undefined || all.every(({ lost }) => lost));
        await hub.with(place, async () => {
          if (made) await createSpace(deps, kind ?? "mine", self(given));
        });
        return { made, replaced };
      });
      loop.begin();
      loop.note();
      return { ...(await status()), ...done };
    },

    async invite(kind: Kind, asked: Invited): Promise<string> {
      const { invite } = await import("./spaces.ts");
      const { invitationText } = await import("./invitation.ts");
      const { deps } = await open();
      const { id } = await meant(kind);
      const place = await hub.place();
      const made = inTurn(() => invite(deps, id, asked, place));
      return invitationText(await sayingIfAway(made, "No invitation was made."));
    },

    /** `joined` says what came of it: an invitation to where this home is already may give it another role, or nothing. */
    async join(
      text: string,
      given: Partial<Self> & { folder?: string },
    ): Promise<SyncStatus & { joined: Joined }> {
      const { join } = await import("./spaces.ts");
      const { readInvitation } = await import("./invitation.ts");
      const invitation = readInvitation(text);
      const { deps, state } = await open();
      const joined = await inTurn(async () => {
        const { hub: named } = invitation;
        const asked =
          named.type === "folder" && given.folder ? { ...named, folder: given.folder } : named;
        const inForce = state.spaces().length > 0 ? await hub.assertSame(asked) : asked;
        // The address in force stays as long as it works: an invitation decides for no space but its own.
        const place = inForce === asked || (await hub.isWell()) ? inForce : asked;
        return hub.with(place, () => join(deps, invitation, self(given)));
      });
      loop.begin();
      await within(10_000, loop.round(), undefined).catch(() => undefined);
      // A loop that ran before waits for news of the spaces that there were then.
      loop.note();
      return { ...(await status()), joined };
    },

    /**
     * `force`: also where the hub cannot be asked; then `isHereOnly`, and the others still list this home. `takesBack`: the others remove
     * what this home said; not where the hub cannot be asked.
     */
    async leave(
      kind: Kind,
      { force: isForced = false, takesBack = false }: { force?: boolean; takesBack?: boolean } = {},
    ): Promise<SyncStatus & { isHereOnly: boolean }> {
      const { deps, state } = await open();
      const { id } = await meant(kind);
      const isHereOnly = await inTurn(async () => {
        const isLeftHere = await sayingIfAway(
          leaveSpace(deps, id, { isForced, takesBack }),
          "This home is still in the space.",
          "Leave once `memoir sync status` finds the hub again, or on this machine only: `memoir sync leave --force`.",
        );
        if (state.spaces().length === 0) await hub.forget();
        return isLeftHere;
      });
      return { ...(await status()), isHereOnly };
    },

    status,
  };
}

/** A question of a person is not asked again by itself, as a round is: where the hub is away, what was not done is said. */
async function sayingIfAway<Value>(
  work: Promise<Value>,
  says: string,
  fix = "Run it again once `memoir sync status` finds the hub.",
): Promise<Value> {
  try {
    return await work;
  } catch (error) {
    if (!(error instanceof MemoirError) || error.code !== "hub_away") throw error;
    throw new MemoirError("hub_away", `${error.message} ${says}`.trim(), { fix });
  }
}

/** True where it was left here only: the hub could not be asked. */
async function leaveSpace(
  deps: ExchangeDeps,
  id: string,
  { isForced, takesBack }: { isForced: boolean; takesBack: boolean },
): Promise<boolean> {
  const { leave, takeBackAll } = await import("./spaces.ts");
  const { readMembers } = await import("./members.ts");
  const isThere =
    !isForced ||
    (await readMembers(deps, id).then(
      () => true,
      () => false,
    ));
  if (!isThere) {
    deps.state.drop(id);
    return true;
  }
  if (takesBack) await takeBackAll(deps, id);
  await leave(deps, id);
  return false;
}

/** Within a space: who is in it, and which projects. */
function createPeople({ open, loop, meant, status, paths, hooks }: Parts) {
  const { inTurn } = loop;

  async function members(kind: Kind): Promise<MemberStatus[]> {
    if (!existsSync(paths.sync)) throw inNoSpace();
    const { deps, state } = await open();
    const { readMembers } = await import("./members.ts");
    const { id } = await meant(kind);
    const chain = await sayingIfAway(
      inTurn(() => readMembers(deps, id)),
      "",
    );
    const { lost } = state.space(id) ?? {};
    if (!chain && lost)
      throw new MemoirError("sync_refused", lost, {
        fix: "`memoir sync leave` forgets the space here; what came from it stays.",
      });
    const names = state.space(id)?.secrets.names ?? {};
    const me = await state.identity();
    const { readPresence } = await import("./presence.ts");
    const seen = await readPresence(deps, id);
    return (chain?.at(-1)?.charter.members ?? []).map(({ id: member, role, kind: is, until }) => ({
      ...{ id: member, role, kind: is, isSelf: member === me.id, until: until ?? null },
      seenAt: seen.get(member) ?? null,
      ...{ person: names[member]?.person ?? "?", machine: names[member]?.machine ?? "" },
    }));
  }

  return {
    members,

    /** `takesBack`, where it is not shared any more: the others remove what this home said of it. */
    async share(
      kind: Kind,
      project: string,
      isShared: boolean,
      takesBack = false,
    ): Promise<SyncStatus> {
      const { share, takeBack } = await import("./spaces.ts");
      const { deps } = await open();
      const space = await meant(kind);
      const { standing } = await import("./status.ts");
      if (isShared && (space.lost || standing(space, deps.state).role === "reader"))
        throw new MemoirError("sync_refused", space.lost ?? "This home may only read there.", {
          fix: "Ask an owner for another invitation: `memoir sync invite` makes one for a writer.",
        });
      const { id } = space;
      const known = await projectId(hooks, project);
      await inTurn(async () => {
        await share(deps, id, known, isShared);
        if (takesBack && !isShared) await takeBack(deps, id, await capturedIds(hooks, known));
      });
      loop.note();
      return status();
    },

    async remove(kind: Kind, member: string): Promise<MemberStatus[]> {
      const { remove } = await import("./spaces.ts");
      const { deps } = await open();
      const { id } = await meant(kind);
      const removed = async () => {
        const only = memberNamed(await members(kind), member);
        await inTurn(() => remove(deps, id, only.id));
      };
      await sayingIfAway(removed(), "Nobody was removed.");
      return members(kind);
    },
  };
}

/** The ids that a project was captured under. */
async function capturedIds(hooks: Pick<Hooks, "first">, project: string): Promise<string[]> {
  const all = await askStorage(hooks, "storage.projects", {});
  const { ids = [] } = all.find(({ id }) => id === project) ?? {};
  return [...new Set([project, ...ids])];
}

/** So much of an id names a member; less could be meant for somebody's name. */
const leastOfId = 4;

/** Whoever is called just this before whoever's id begins so. Throws where it is nobody, several, or this home. */
function memberNamed(all: readonly MemberStatus[], named: string): MemberStatus {
  const called = all.filter(({ person, machine }) => [person, machine].includes(named));
  const isId = ({ id }: MemberStatus) => named.length >= leastOfId && id.startsWith(named);
  const found = called.length > 0 ? called : all.filter(isId);
  const [only] = found;
  if (!only) {
    const near = nearest(
      named,
      all.flatMap(({ person, machine }) => [person, machine]),
    );
    throw new MemoirError(
      "sync_refused",
      `No member is called ${named}${near ? `; did you mean ${near}?` : "."}`,
      { fix: "`memoir sync members` lists who is in the space." },
    );
  }
  if (found.length > 1) {
    const each = found.map(({ id, person, machine }) => `${id.slice(0, 8)} (${machine || person})`);
    throw new MemoirError("sync_refused", `${found.length} members are called ${named}.`, {
      fix: `Name one by its id: ${each.join(", ")}.`,
    });
  }
  if (only.isSelf)
    throw new MemoirError("sync_refused", "That is this home itself.", {
      fix: "`memoir sync leave` leaves the space.",
    });
  return only;
}

/** What a person calls a project, as its id. A remote may be named before anything of it is stored. */
async function projectId(hooks: Pick<Hooks, "first">, named: string): Promise<string> {
  const all = await askStorage(hooks, "storage.projects", {});
  const byId = all.filter(({ id, ids = [] }) => [id, ...ids].includes(named));
  const found = byId.length > 0 ? byId : calledSo(all, named);
  const [only] = found;
  if (only && found.length === 1) return only.id;
  if (!only && named.includes("/")) return named;
  throw new MemoirError(
    "record_not_found",
    only
      ? `Several projects are called ${named}.`
      : (unknownProject(named, all) ?? `There is no project ${named}.`),
    {
      fix: only
        ? `Name one by its id: ${found.map(({ id }) => id).join(", ")}.`
        : "`memoir memory projects` lists them.",
    },
  );
}

const self = (given: Partial<Self>): Self => ({
  person: given.person?.trim() || userName(),
  machine: given.machine?.trim() || hostname(),
});

function inNoSpace(kind?: Kind): MemoirError {
  const which =
    kind === undefined ? "no space" : kind === "team" ? "no team's space" : "no space of its own";
  return new MemoirError("sync_refused", `This home is in ${which}.`, {
    fix: "Run `memoir sync init <hub>`, or `memoir sync join`.",
  });
}

function userName(): string {
  // Containers set no USER, and the runtime then calls everybody "unknown".
  const folder = basename(homedir()) || "somebody";
  try {
    const { username } = userInfo();
    return username === "unknown" ? folder : username;
  } catch {
    return folder;
  }
}
