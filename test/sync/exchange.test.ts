// What a round asks the hub, in which order.
import { afterAll, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import folderHub from "../../plugins/hub-folder/index.ts";
import { exchange } from "../../src/sync/exchange.ts";
import { createSpace, invite, join as joinSpace } from "../../src/sync/spaces.ts";
import { home } from "./homes.ts";

const root = mkdtempSync(join(tmpdir(), "memoir-exchange-"));
const ends: Array<() => Promise<void>> = [];
afterAll(async () => {
  for (const end of ends) await end();
  rmSync(root, { recursive: true, force: true });
});

test("a home that begins asks for the newest first, then for all, and says its own last", async () => {
  const folder = mkdtempSync(join(root, "hub-"));
  const opened = async () => {
    const made = await home(folderHub, { folder });
    ends.push(made.stop);
    return made;
  };
  const [ada, bo] = [await opened(), await opened()];
  const { id } = await createSpace(ada.deps, "mine", { person: "Ada", machine: "desk" });
  const asked = { role: "owner", isKey: false, label: "Bo" } as const;
  const invitation = await invite(ada.deps, id, asked, { type: "plugin", name: "test" });
  await joinSpace(bo.deps, invitation, { person: "Bo", machine: "lap" });
  ada.log.say("from Ada");
  await exchange(ada.deps, id);

  const calls: string[] = [];
  bo.lie((name, input, answer) => {
    const isNewest = (input as { newest?: number }).newest !== undefined;
    if (name === "hub.pull") calls.push(isNewest ? "the newest" : "all");
    if (name === "hub.push") calls.push("its own");
    return answer;
  });
  const round = async () => {
    calls.length = 0;
    await exchange(bo.deps, id);
    // All comes in pages.
    return calls.filter((call, at) => call !== calls[at - 1]);
  };
  bo.log.say("from Bo");
  expect(await round()).toEqual(["the newest", "all", "its own"]);
  expect(bo.log.texts()).toEqual(["from Ada", "from Bo"]);
  bo.log.say("once more");
  expect(await round()).toEqual(["all", "its own"]);
});
