// Who of a space was here last: said by each, to the hour, and by nobody in another's name.
import { afterAll, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import folderHub from "../../plugins/hub-folder/index.ts";
import { askHub } from "../../src/sync/ask-hub.ts";
import { exchange } from "../../src/sync/exchange.ts";
import { readPresence } from "../../src/sync/presence.ts";
import { createSpace, invite, join as joinSpace, remove } from "../../src/sync/spaces.ts";
import { home } from "./homes.ts";

const root = mkdtempSync(join(tmpdir(), "memoir-presence-"));
const ends: Array<() => Promise<void>> = [];
afterAll(async () => {
  for (const end of ends) await end();
  rmSync(root, { recursive: true, force: true });
});

const hour = 3_600_000;

test("a home says once an hour that it is here, readers too, and nobody says it for another", async () => {
  const folder = mkdtempSync(join(root, "hub-"));
  let time = Date.now();
  const opened = async () => {
    const made = await home(folderHub, { folder });
    ends.push(made.stop);
    made.deps.now = () => time;
    return { ...made, me: (await made.state.identity()).id };
  };
  const [ada, bo, eve] = [await opened(), await opened(), await opened()];
  const { id } = await createSpace(ada.deps, "team", { person: "Ada", machine: "desk" });
  for (const one of [bo, eve]) {
    const asked = { role: "reader", isKey: false, label: "guest" } as const;
    const invitation = await invite(ada.deps, id, asked, { type: "plugin", name: "test" });
    await joinSpace(one.deps, invitation, { person: "Guest", machine: "m" });
  }
  const seen = async () => Object.fromEntries(await readPresence(ada.deps, id));
  await exchange(ada.deps, id);
  await exchange(bo.deps, id);
  const first = { [ada.me]: time, [bo.me]: time };
  expect(await seen()).toEqual(first);
  time += hour / 2;
  await exchange(bo.deps, id);
  expect(await seen()).toEqual(first);
  time += hour;
  await exchange(bo.deps, id);
  await exchange(eve.deps, id);
  expect(await seen()).toEqual({ ...first, [bo.me]: time, [eve.me]: time });

  const { files } = await askHub(eve.deps.hooks, "hub.files", { space: id, prefix: "seen/" });
  const own = files.find(({ name }) => name.endsWith(eve.me))?.bytes ?? new Uint8Array();
  await askHub(eve.deps.hooks, "hub.write", { space: id, name: `seen/${ada.me}`, bytes: own });
  expect(await seen()).toEqual({ [bo.me]: time, [eve.me]: time });

  await remove(ada.deps, id, bo.me);
  expect(await seen()).toEqual({ [eve.me]: time });
  // A clock that is ahead is not here tomorrow.
  time -= 3 * hour;
  expect(await seen()).toEqual({ [eve.me]: time });
});
