// Where the hub of a home is: in the config's slot, and a folder's path in the config or a database's address in keys.json.
import { resolve } from "node:path";
import type { Log } from "../home/log.ts";
import type { Paths } from "../home/paths.ts";
import { readKeys } from "../provider/keys.ts";
import {
  readConfig,
  setConfigValue,
  storeKey,
  unsetConfigValue,
} from "../runtime/config/config.ts";
import type { Hooks } from "../runtime/ports.ts";
import { MemoirError } from "../sdk/errors.ts";
import type { HubPlace } from "./invitation.ts";
import type { SyncState } from "./state.ts";

export interface HubPlaceOptions {
  paths: Pick<Paths, "home" | "sync" | "keys">;
  runtime: { readonly hooks: Hooks; reload(): Promise<unknown> };
  log: Log;
}

/** What the config and keys.json say of one hub. */
interface Noted {
  name: string;
  slot: string | undefined;
  folder: unknown;
  key: string | undefined;
}

type Noting = Pick<SyncState, "hubBefore" | "noteHubBefore" | "forgetHubBefore">;

/** Reads and changes it. A change that comes to nothing is taken back. Long because each step notes what it would take back. */
export function createHubPlace(
  { paths, runtime, log }: HubPlaceOptions,
  open: () => Promise<{ state: Noting }>,
) {
  async function noted(name: string): Promise<Noted> {
    const { config } = await readConfig(paths.home);
    const key = (await readKeys(paths.home))[name];
    return { name, slot: config.slots.hub, folder: config.plugins[name]?.folder, key };
  }

  /** Writes what differs, so that what a person wrote beside it stays. */
  async function write(wanted: Noted): Promise<void> {
    const { name, slot, folder, key } = wanted;
    const there = await noted(name);
    if (key !== there.key) await storeKey(paths as Paths, name, key);
    if (folder !== there.folder) await put(["plugins", name, "folder"], folder);
    if (slot !== there.slot) await put(["slots", "hub"], slot);
    await runtime.reload();
  }

  async function put(path: readonly string[], value: unknown): Promise<void> {
    if (value === undefined) await unsetConfigValue(paths.home, path);
    else await setConfigValue(paths.home, path, value);
  }

  async function health() {
    const { askHub } = await import("./ask-hub.ts");
    // Of no space: it rejects with what is wrong and with what to do, where the hub's health is one text.
    await askHub(runtime.hooks, "hub.files", { space: "0".repeat(32), prefix: "charter/" });
    return await askHub(runtime.hooks, "hub.health", {});
  }

  async function assertWell({ type }: HubPlace): Promise<void> {
    const isFolder = type === "folder";
    let fix = isFolder
      ? "Name a folder that is there and that you may write to. To begin, `mkdir` makes one; to join, connect its disk, or say by `--folder` where it lies here."
      : "Check that the server runs and the address is right, then run it again: nothing was changed here.";
    const { ok, trouble = "" } = await health().catch((error: unknown) => {
      if (!isFolder && error instanceof MemoirError && error.code === "hub_refused")
        fix = error.fix;
      return { ok: false, trouble: error instanceof Error ? error.message : String(error) };
    });
    if (!ok) throw new MemoirError("hub_refused", `This cannot be the hub: ${trouble}`, { fix });
  }

  async function goBack(state: Noting, before: Noted): Promise<void> {
    try {
      await write(before);
      state.forgetHubBefore();
    } catch (error) {
      log.error("the hub that was in use could not be restored", { error });
    }
  }

  const hub = {
    /** The one in force. */
    async place(): Promise<HubPlace> {
      const { config } = await readConfig(paths.home);
      const { name, folder, key } = await noted(config.slots.hub ?? "");
      if (name === "hub-folder") return { type: "folder", folder: String(folder ?? "") };
      if (name === "hub-postgres" && key) return { type: "postgres", address: key };
      return { type: "plugin", name };
    },

    /** False also where it does not answer. */
    isWell: () =>
      health().then(
        ({ ok }) => ok,
        () => false,
      ),

    /** Does `work` with this hub in force. Where the hub or `work` refuses, all is as it was before. */
    async with<Value>(place: HubPlace, work: () => Promise<Value>): Promise<Value> {
      const name = place.type === "plugin" ? place.name : `hub-${place.type}`;
      const { state } = await open();
      const before = await noted(name);
      const { folder, key } = before;
      // Whatever ends this process, the next one goes back to it.
      state.noteHubBefore(before);
      try {
        await write({
          ...{ name, slot: name },
          folder: place.type === "folder" ? place.folder : folder,
          key: place.type === "postgres" ? place.address : key,
        });
        await assertWell(place);
        state.forgetHubBefore();
        return await work();
      } catch (error) {
        await goBack(state, before);
        throw error;
      }
    },

    /** Goes back to the hub before one that was still tried when the process ended. Never rejects. */
    async restore(state: Noting): Promise<void> {
      const before = state.hubBefore();
      if (before !== undefined) await goBack(state, before as Noted);
    },

    /** Rejects with `sync_refused` where `place` is another hub than the one in force. */
    async assertSame(place: HubPlace): Promise<HubPlace> {
      const inForce = await hub.place();
      if (place.type === "postgres" && databaseOf(place.address) === undefined)
        throw new MemoirError("hub_refused", "This is no connection string.", {
          fix: "One begins with postgres://, then <user>:<password>@<host>:5432/<database>; @ : / ? # % in user or password are written %40 %3A %2F %3F %23 %25. Nothing was changed.",
        });
      if (isSamePlace(inForce, place) || (isLost(inForce) && place.type === "postgres"))
        return inForce;
      throw new MemoirError(
        "sync_refused",
        `This home shares memory through ${nameOf(inForce)} already.`,
        { fix: otherHubFix(inForce, place) },
      );
    },

    async forget(): Promise<void> {
      const { config } = await readConfig(paths.home);
      const name = config.slots.hub;
      if (!name) return;
      const there = await noted(name);
      const isOwn = name === "hub-folder" || name === "hub-postgres";
      await write({
        ...there,
        ...{ slot: undefined, ...(isOwn ? { folder: undefined, key: undefined } : {}) },
      });
    },
  };
  return hub;
}

function otherHubFix(inForce: HubPlace, place: HubPlace): string {
  if (inForce.type === "postgres" && place.type === "postgres")
    return "For a new user or password, give the same host and database; `memoir sync leave` comes before another hub.";
  if (inForce.type === "folder" && place.type === "folder")
    return "If it is the same folder in another place, say where it is here: to join by `--folder`, after a move by `memoir config set plugins.hub-folder.folder <path>`. `memoir sync leave` comes before another hub.";
  return "`memoir sync status` shows it; `memoir sync leave` comes before another hub.";
}

/** Whether both lead to one hub. Of a database, who asks and how is left out. */
export function isSamePlace(one: HubPlace, other: HubPlace): boolean {
  return one.type === other.type && identityOf(one) === identityOf(other);
}

/** A database whose address is gone or cannot be read keeps nobody from giving the right one. */
function isLost(place: HubPlace): boolean {
  return place.type === "postgres"
    ? databaseOf(place.address) === undefined
    : place.type === "plugin" && place.name === "hub-postgres";
}

function identityOf(place: HubPlace): string | undefined {
  if (place.type === "folder") return resolve(place.folder);
  return place.type === "postgres" ? databaseOf(place.address) : place.name;
}

/** What a person may see of it. */
function nameOf(place: HubPlace): string {
  return identityOf(place) ?? "another database";
}

/** Host, port and database of an address, as the hub's plugin reads them; undefined where it is none that can be read. */
function databaseOf(address: string): string | undefined {
  if (!/^postgres(ql)?:/.test(address.trim()) || !URL.canParse(address.trim())) return undefined;
  const { hostname, port, pathname, username, search, hash } = new URL(address.trim());
  // A password that is not encoded: what looks like a host is a part of it.
  if (hostname === "" || hash !== "" || `${pathname}${search}`.includes("@")) return undefined;
  try {
    const database = decodeURIComponent(pathname.slice(1) || username || "memoir");
    return `${decodeURIComponent(hostname).toLowerCase()}:${port || "5432"}/${database}`;
  } catch {
    return undefined;
  }
}
