// Sync in a running server: a round when something was stored here, when the hub has something, and now and then; and what a person asks
// of it. Without a space it costs one look for a file.
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { hostname, userInfo } from "node:os";
import type { Log } from "../home/log.ts";
import type { Paths } from "../home/paths.ts";
import { readKeys } from "../provider/keys.ts";
import {
  readConfig,
  setConfigValue,
  storeKey,
  unsetConfigValue,
} from "../runtime/config/config.ts";
import { askStorage } from "../runtime/hooks/ask-storage.ts";
import type { Hooks } from "../runtime/ports.ts";
import { MemoirError } from "../sdk/errors.ts";
import { within } from "../sdk/within.ts";
import type { Secrets } from "./charter.ts";
import type { ExchangeDeps } from "./exchange.ts";
import type { HubPlace, Invitation, Invited, Self } from "./spaces.ts";
import type { Space, SyncState } from "./state.ts";

export interface SyncOptions {
  paths: Pick<Paths, "home" | "sync" | "keys">;
  runtime: { readonly hooks: Hooks; reload(): Promise<unknown> };
  log: Log;
  now(): number;
  env: Readonly<Record<string, string | undefined>>;
  arrived?: ExchangeDeps["arrived"];
}

/** After something was stored: what follows at once goes out with it. */
const gatherMs = 150;
/** How long one wait at the hub takes at most. */
const waitMs = 25_000;
/** After a failure, and twice as long after each more. */
const retryMs = { first: 1_000, most: 60_000 };
/** At a stop: what was captured last still goes out, if the hub is quick. */
const lastRoundMs = 1_500;

/** What a space looks like to a person. */
interface SpaceStatus {
  id: string;
  kind: Secrets["kind"];
  members: number;
  /** Of a team's: what is shared. Of one's own: what is kept local. */
  projects: string[];
  /** Batches that wait to go out. */
  waiting: number;
  /** Why nothing is exchanged, if so. */
  lost: string | null;
  streams: Array<{ person: string; machine: string; at: number; stuck: string | null }>;
}

export interface SyncStatus {
  hub: { ok: boolean; where: string; trouble: string | null; bytes: number | null } | null;
  spaces: SpaceStatus[];
  /** Epoch ms of the last round that came through; null: none did since the start. */
  lastAt: number | null;
  trouble: string | null;
}

export interface MemberStatus {
  id: string;
  person: string;
  machine: string;
  role: string;
  kind: string;
  isSelf: boolean;
  until: number | null;
}

export type Sync = ReturnType<typeof createSync>;

/**
 * Over one runtime. Nothing of it is loaded before there is a space, or somebody asks. Long because what a person asks and what goes
 * on by itself share one turn, one hub and one state.
 */
export function createSync(options: SyncOptions) {
  const { paths, runtime, log, now, env } = options;
  let opened: Promise<{ state: SyncState; deps: ExchangeDeps }> | undefined;
  let isOver = false;
  let wake = Promise.withResolvers<void>();
  let rounds: Promise<unknown> = Promise.resolve();
  let running: Promise<void> | undefined;
  let lastAt: number | null = null;
  let trouble: string | null = null;
  let gathering: ReturnType<typeof setTimeout> | undefined;

  function open() {
    opened ??= import("./state.ts").then(async ({ openSyncState }) => {
      const state = await openSyncState(paths.sync);
      const { arrived } = options;
      // Read at each call: plugins may be others by then.
      const hooks: Pick<Hooks, "first"> = { first: (...asked) => runtime.hooks.first(...asked) };
      return { state, deps: { hooks, state, log, now, ...(arrived ? { arrived } : {}) } };
    });
    return opened;
  }

  /** One after the other: two rounds at once would seal the same changes twice. */
  function inTurn<Value>(work: () => Promise<Value>): Promise<Value> {
    const mine = rounds.then(work);
    rounds = mine.catch(() => undefined);
    return mine;
  }

  async function round(): Promise<{ came: number; went: number }> {
    const { state, deps } = await open();
    const { exchange } = await import("./exchange.ts");
    const all = { came: 0, went: 0 };
    for (const { id, lost } of state.spaces()) {
      if (lost) continue;
      const { came, went } = await inTurn(() => exchange(deps, id));
      all.came += came;
      all.went += went;
    }
    lastAt = now();
    trouble = null;
    return all;
  }

  async function loop(): Promise<void> {
    let pause = retryMs.first;
    while (!isOver) {
      try {
        await round();
        pause = retryMs.first;
        await waitForNews();
      } catch (error) {
        trouble = error instanceof Error ? error.message : String(error);
        log.warn("no exchange with the hub", { error });
        await Promise.race([sleep(pause), stopped.promise]);
        pause = Math.min(retryMs.most, pause * 2);
      }
    }
  }

  const stopped = Promise.withResolvers<void>();
  const sleep = (ms: number) =>
    new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, ms);
      void stopped.promise.then(() => clearTimeout(timer));
    });

  async function waitForNews(): Promise<void> {
    const { state } = await open();
    const spaces = state.spaces().flatMap(({ id, lost }) => (lost ? [] : [id]));
    const { askHub } = await import("./exchange.ts");
    const { promise } = wake;
    if (spaces.length === 0) return void (await Promise.race([promise, stopped.promise]));
    const heard = askHub(runtime.hooks, "hub.wait", { spaces, ms: waitMs });
    // Whoever is woken otherwise leaves this question to end by itself.
    heard.catch(() => undefined);
    await Promise.race([heard, promise, stopped.promise]);
  }

  function begin(): void {
    running ??= loop();
    sync.note = note;
  }

  function note(): void {
    if (gathering) return;
    gathering = setTimeout(() => {
      gathering = undefined;
      wake.resolve();
      wake = Promise.withResolvers();
    }, gatherMs);
  }

  async function putHub(place: HubPlace): Promise<void> {
    const name = place.type === "plugin" ? place.name : `hub-${place.type}`;
    const { config } = await readConfig(paths.home);
    const before = config.slots.hub;
    if (before !== undefined && before !== name)
      throw new MemoirError("sync_refused", `This home shares memory through ${before} already.`, {
        fix: "`memoir sync status` shows where; `memoir sync leave` comes before another hub.",
      });
    if (place.type === "folder")
      await setConfigValue(paths.home, ["plugins", name, "folder"], place.folder);
    if (place.type === "postgres") await storeKey(paths as Paths, name, place.address);
    await setConfigValue(paths.home, ["slots", "hub"], name);
    await runtime.reload();
    try {
      const { askHub } = await import("./exchange.ts");
      const { ok, trouble: why = "" } = await askHub(runtime.hooks, "hub.health", {});
      if (!ok) throw new MemoirError("hub_refused", `This cannot be the hub: ${why}`);
    } catch (error) {
      if (before === undefined) await forgetHub(name);
      throw error;
    }
  }

  async function forgetHub(name: string): Promise<void> {
    await unsetConfigValue(paths.home, ["slots", "hub"]);
    await unsetConfigValue(paths.home, ["plugins", name, "folder"]);
    await storeKey(paths as Paths, name, undefined);
    await runtime.reload();
  }

  async function place(): Promise<HubPlace> {
    const { config } = await readConfig(paths.home);
    const name = config.slots.hub ?? "";
    if (name === "hub-folder")
      return { type: "folder", folder: String(config.plugins[name]?.folder ?? "") };
    const address = (await readKeys(paths.home))[name];
    if (name === "hub-postgres" && address) return { type: "postgres", address };
    return { type: "plugin", name };
  }

  /** The space that is meant: the only one, or the one of this kind. */
  async function meant(kind: Secrets["kind"] | undefined): Promise<Space> {
    const { state } = await open();
    const all = state.spaces().filter((one) => kind === undefined || one.kind === kind);
    const [space] = all;
    if (space && all.length === 1) return space;
    throw new MemoirError(
      "sync_refused",
      space ? "This home is in two spaces." : "This home is in no such space.",
      {
        fix: space
          ? "Say which with `--space mine` or `--space team`."
          : "Run `memoir sync init <hub>`, or `memoir sync join <invitation>`.",
      },
    );
  }

  /** What a person calls a project, as its id. A remote may be named before anything of it is stored. */
  async function projectId(named: string): Promise<string> {
    const all = await askStorage(runtime.hooks, "storage.projects", {});
    const found = all.filter(({ id, name, ids = [] }) => [id, name, ...ids].includes(named));
    const [only] = found;
    if (only && found.length === 1) return only.id;
    if (!only && named.includes("/")) return named;
    throw new MemoirError(
      "record_not_found",
      only ? `Several projects are called ${named}.` : `No project is called ${named}.`,
      { fix: "Name it by the id that `memoir memory projects` lists." },
    );
  }

  const self = (given: Partial<Self>): Self => ({
    person: given.person?.trim() || userName(),
    machine: given.machine?.trim() || hostname(),
  });

  const sync = {
    /** Begins where there is a space, or where the environment brings an invitation. Never rejects. */
    async start(): Promise<void> {
      if (existsSync(paths.sync)) return begin();
      const given = env.MEMOIR_SYNC?.trim();
      if (!given) return;
      try {
        const text = given.startsWith("memoir-invitation") ? given : await readFile(given, "utf8");
        await sync.join(text, {});
      } catch (error) {
        trouble = error instanceof Error ? error.message : String(error);
        log.error("the invitation in MEMOIR_SYNC was not taken up", { error });
      }
    },

    /** Something was stored here. Returns at once; absent as long as nothing is shared. */
    note: undefined as (() => void) | undefined,

    async create(kind: Secrets["kind"], hub: HubPlace, given: Partial<Self>): Promise<SyncStatus> {
      await putHub(hub);
      const { createSpace } = await import("./spaces.ts");
      const { deps } = await open();
      await inTurn(() => createSpace(deps, kind, self(given)));
      begin();
      note();
      return sync.status();
    },

    async invite(kind: Secrets["kind"] | undefined, asked: Invited): Promise<string> {
      const { invitationText, invite } = await import("./spaces.ts");
      const { deps } = await open();
      const { id } = await meant(kind);
      const hub = await place();
      return invitationText(await inTurn(() => invite(deps, id, asked, hub)));
    },

    async join(text: string, given: Partial<Self> & { folder?: string }): Promise<SyncStatus> {
      const { join, readInvitation } = await import("./spaces.ts");
      const invitation: Invitation = readInvitation(text);
      const hub = invitation.hub;
      await putHub(hub.type === "folder" && given.folder ? { ...hub, folder: given.folder } : hub);
      const { deps } = await open();
      await inTurn(() => join(deps, invitation, self(given)));
      begin();
      await within(10_000, round(), undefined).catch(() => undefined);
      return sync.status();
    },

    async share(kind: Secrets["kind"] | undefined, project: string, isShared: boolean) {
      const { share } = await import("./spaces.ts");
      const { deps } = await open();
      const { id } = await meant(kind);
      const known = await projectId(project);
      await inTurn(() => share(deps, id, known, isShared));
      note();
      return sync.status();
    },

    async remove(kind: Secrets["kind"] | undefined, member: string): Promise<MemberStatus[]> {
      const { remove } = await import("./spaces.ts");
      const { deps } = await open();
      const { id } = await meant(kind);
      const named = await sync.members(kind);
      const found = named.filter(
        (one) => one.id.startsWith(member) || one.person === member || one.machine === member,
      );
      const [only] = found;
      if (!only || found.length > 1)
        throw new MemoirError("sync_refused", `${found.length} members are called ${member}.`, {
          fix: "Name one by the id that `memoir sync members` shows.",
        });
      if (only.isSelf)
        throw new MemoirError("sync_refused", "That is this home itself.", {
          fix: "`memoir sync leave` leaves the space.",
        });
      await inTurn(() => remove(deps, id, only.id));
      return sync.members(kind);
    },

    async leave(kind: Secrets["kind"] | undefined): Promise<SyncStatus> {
      const { leave } = await import("./spaces.ts");
      const { deps, state } = await open();
      const { id } = await meant(kind);
      await inTurn(() => leave(deps, id));
      const { config } = await readConfig(paths.home);
      if (state.spaces().length === 0 && config.slots.hub) await forgetHub(config.slots.hub);
      return sync.status();
    },

    /** One round, now. Rejects with what is wrong. */
    now: round,

    async members(kind: Secrets["kind"] | undefined): Promise<MemberStatus[]> {
      if (!existsSync(paths.sync)) return [];
      const { deps, state } = await open();
      const { readMembers } = await import("./exchange.ts");
      const { id } = await meant(kind);
      const chain = await inTurn(() => readMembers(deps, id));
      const names = state.space(id)?.secrets.names ?? {};
      const me = await state.identity();
      return (chain?.at(-1)?.charter.members ?? []).map(
        ({ id: member, role, kind: is, until }) => ({
          ...{ id: member, role, kind: is, isSelf: member === me.id, until: until ?? null },
          ...{ person: names[member]?.person ?? "?", machine: names[member]?.machine ?? "" },
        }),
      );
    },

    async status(): Promise<SyncStatus> {
      if (!existsSync(paths.sync)) return { hub: null, spaces: [], lastAt, trouble };
      const { state } = await open();
      const { askHub } = await import("./exchange.ts");
      const spaces = state.spaces();
      const health = await askHub(runtime.hooks, "hub.health", {
        ...(spaces[0] ? { space: spaces[0].id } : {}),
      }).catch((error: Error) => ({
        ok: false,
        where: "",
        trouble: error.message,
        bytes: undefined,
      }));
      const hub = { ...health, trouble: health.trouble ?? null, bytes: health.bytes ?? null };
      return {
        hub: spaces.length > 0 ? hub : null,
        lastAt,
        trouble,
        spaces: spaces.map((space) => spaceStatus(space, state)),
      };
    },

    /** Ends the loop after a last round, for which a hub has a moment. Never rejects. */
    async stop(): Promise<void> {
      isOver = true;
      clearTimeout(gathering);
      stopped.resolve();
      if (running) await within(lastRoundMs, round(), undefined).catch(() => undefined);
      await within(lastRoundMs, running ?? Promise.resolve(), undefined);
      if (opened) await opened.then(({ state }) => state.close()).catch(() => undefined);
    },
  };
  return sync;
}

function spaceStatus(space: Space, state: SyncState): SpaceStatus {
  const { id, kind, projects, lost, secrets } = space;
  const streams = state.streams(id).map(({ member, at, stuck }) => ({
    ...{
      person: secrets.names[member]?.person ?? "?",
      machine: secrets.names[member]?.machine ?? "",
    },
    ...{ at, stuck: stuck ?? null },
  }));
  const members = Object.keys(secrets.names).length;
  const waiting = state.outgoing(id) ? 1 : 0;
  return { id, kind, members, projects, waiting, lost: lost ?? null, streams };
}

function userName(): string {
  try {
    return userInfo().username;
  } catch {
    return "somebody";
  }
}
