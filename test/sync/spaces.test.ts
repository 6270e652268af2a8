import { afterAll, describe, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { readdir, readFile, rename } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import folderHub from "../../plugins/hub-folder/index.ts";
import { askHub } from "../../src/sync/ask-hub.ts";
import { exchange } from "../../src/sync/exchange.ts";
import { invitationText, readInvitation } from "../../src/sync/invitation.ts";
import {
  createSpace,
  invite,
  join as joinSpace,
  leave,
  remove,
  share,
} from "../../src/sync/spaces.ts";
import { home } from "./homes.ts";

const root = mkdtempSync(join(tmpdir(), "memoir-spaces-"));
const ends: Array<() => Promise<void>> = [];
afterAll(async () => {
  for (const end of ends) await end();
  rmSync(root, { recursive: true, force: true });
});

type Home = Awaited<ReturnType<typeof home>>;
const place = { type: "plugin", name: "test" } as const;
const project = "github.com/acme/shop";

async function newHome(folder: string): Promise<Home> {
  const made = await home(folderHub, { folder });
  ends.push(made.stop);
  return made;
}

/** An owner and as many others, in a space of its own folder. */
async function team(
  count: number,
  role: "writer" | "reader" = "writer",
  kind: "mine" | "team" = "team",
) {
  const folder = mkdtempSync(join(root, "hub-"));
  const owner = await newHome(folder);
  const space = await createSpace(owner.deps, kind, { person: "Ada", machine: "desk" });
  const others: Home[] = [];
  for (let at = 0; at < count; at += 1) {
    const asked = { role, isKey: false, label: `guest ${at}` };
    const text = invitationText(await invite(owner.deps, space.id, asked, place));
    const other = await newHome(folder);
    await joinSpace(other.deps, readInvitation(text), { person: `Bo ${at}`, machine: "laptop" });
    others.push(other);
  }
  const all = [owner, ...others];
  const round = async () => {
    for (let times = 0; times < 2; times += 1)
      for (const one of all) await exchange(one.deps, space.id);
  };
  if (kind === "team") for (const one of all) await share(one.deps, space.id, project, true);
  return { id: space.id, folder, owner, others, all, round };
}

/** All bytes below a folder, as one text. */
async function bytesOf(folder: string): Promise<string> {
  const names = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = names.filter((one) => one.isFile());
  const texts = files.map((one) => readFile(join(one.parentPath, one.name), "latin1"));
  return `${names.map(({ name }) => name).join("\n")}\n${(await Promise.all(texts)).join("\n")}`;
}

test("a home that is raised is in again with the next round, whatever broke off the way in, and shares what it shared", async () => {
  const { id, owner, others } = await team(1, "reader");
  const [bo] = others as [Home];
  const asked = { role: "writer", isKey: false, label: "more" } as const;
  const invitation = await invite(owner.deps, id, asked, place);
  let written = 0;
  const { first } = bo.deps.hooks;
  bo.deps.hooks = {
    first: async (name: string, input: never) => {
      if (name === "hub.write" && ++written === 2) throw new Error("killed");
      return first(name as "hub.write", input);
    },
  } as never;
  await expect(joinSpace(bo.deps, invitation, { person: "Bo", machine: "m" })).rejects.toThrow(
    "killed",
  );
  bo.log.say("said while it was out");
  await exchange(bo.deps, id);
  expect(bo.state.space(id)).toMatchObject({ projects: [project] });
  expect(bo.state.space(id)?.lost).toBeUndefined();
  await exchange(owner.deps, id);
  expect(owner.log.texts()).toEqual(["said while it was out"]);
});

test("two machines of one person that are called the same are told apart, others are as they are called", async () => {
  const { id, owner, folder } = await team(0, "writer", "mine");
  const named: Array<string | undefined> = [];
  for (const person of ["Ada", "Ada", "Bo"]) {
    const asked = { role: "writer", isKey: false, label: "guest" } as const;
    const other = await newHome(folder);
    const invitation = await invite(owner.deps, id, asked, place);
    await joinSpace(other.deps, invitation, { person, machine: "desk" });
    const me = (await other.state.identity()).id;
    named.push(other.state.space(id)?.secrets.names[me]?.machine);
  }
  expect(named).toEqual(["desk 2", "desk 3", "desk"]);
});

test("two owners who change the members at once through a folder agree on one of the changes", async () => {
  const { id, folder, owner: ada } = await team(0);
  const asked = { isKey: false, label: "guest" } as const;
  const bo = await newHome(folder);
  const invitation = await invite(ada.deps, id, { ...asked, role: "owner" }, place);
  await joinSpace(bo.deps, invitation, { person: "Bo", machine: "m" });
  for (const one of [ada, bo]) await exchange(one.deps, id);
  const before = ada.state.space(id)?.charter.number ?? 0;
  const charters = join(folder, "memoir-hub", id, "files/charter");
  const newest = async () => join(charters, (await readdir(charters)).sort().at(-1) ?? "");
  await invite(ada.deps, id, { ...asked, role: "reader" }, place);
  const [ofAda, carried] = [await newest(), join(folder, "not carried yet")];
  await rename(ofAda, carried);
  await invite(bo.deps, id, { ...asked, role: "writer" }, place);
  expect(await newest()).toBe(ofAda);
  await rename(carried, `${ofAda} (Ada's conflicted copy)`);
  for (const one of [ada, bo]) await exchange(one.deps, id);
  const [first, second] = [ada, bo].map(({ state }) => state.space(id)?.charter);
  expect(first).toMatchObject({ number: before + 1 });
  expect(second).toEqual(first);
});

describe("homes that share a space", () => {
  test("have what each of them said, by whom, and read nothing twice", async () => {
    const { all, round, owner, others } = await team(2);
    for (const [at, one] of all.entries()) one.log.say(`of ${at}`);
    await round();
    for (const one of all) expect(one.log.texts()).toEqual(["of 0", "of 1", "of 2"]);
    expect(owner.log.authors()).toEqual(["Bo 0", "Bo 1", "me"]);
    expect(others[0]?.log.authors()).toEqual(["Ada", "Bo 1", "me"]);
    const again = await exchange(owner.deps, owner.state.spaces()[0]?.id ?? "");
    expect(again).toEqual({ came: 0, went: 0 });
  });

  test("leave nothing readable with the hub, and nothing of a project that is not shared", async () => {
    const { folder, owner, others, round } = await team(1);
    owner.log.say("the launch code is swordfish");
    owner.log.say("a private thought", "github.com/ada/diary");
    await round();
    expect(others[0]?.log.texts()).toEqual(["the launch code is swordfish"]);
    const kept = await bytesOf(folder);
    for (const word of ["swordfish", "private", "diary", "acme", "shop", "Ada", "desk", "Bo 0"])
      expect(kept).not.toContain(word);
  });

  test("share all but what is kept local, where the space is one's own", async () => {
    const { id, owner, others, round } = await team(1, "writer", "mine");
    await share(owner.deps, id, "github.com/ada/diary", false);
    owner.log.say("a private thought", "github.com/ada/diary");
    owner.log.say("of work", "github.com/acme/api");
    await round();
    expect(others[0]?.log.texts()).toEqual(["of work"]);
    await share(owner.deps, id, "github.com/ada/diary", true);
    await round();
    expect(others[0]?.log.texts()).toEqual(["a private thought", "of work"]);
  });

  test("send what was said before a project was shared", async () => {
    const { id, owner, others, round } = await team(1);
    owner.log.say("early", "github.com/acme/api");
    await round();
    expect(others[0]?.log.texts()).toEqual([]);
    await share(owner.deps, id, "github.com/acme/api", true);
    await round();
    expect(others[0]?.log.texts()).toEqual(["early"]);
  });

  test("do not take what a reader writes", async () => {
    const { owner, others, round } = await team(1, "reader");
    owner.log.say("to all");
    others[0]?.log.say("from a reader");
    await round();
    expect(others[0]?.log.texts()).toEqual(["from a reader", "to all"]);
    expect(owner.log.texts()).toEqual(["to all"]);
  });

  test("keep out who was removed, and what that one writes later", async () => {
    const { id, owner, others, round } = await team(2);
    const [gone, stays] = others as [Home, Home];
    gone.log.say("while a member");
    await round();
    const member = (await gone.state.identity()).id;
    await remove(owner.deps, id, member);
    owner.log.say("after the removal");
    await exchange(owner.deps, id);
    await exchange(stays.deps, id);
    // It goes on by what it knew, as somebody hostile would.
    const { files } = await askHub(gone.deps.hooks, "hub.files", { space: id, prefix: "charter/" });
    const before = files.slice(0, -1);
    gone.lie((name, _input, answer) => (name === "hub.files" ? { files: before } : answer));
    gone.log.say("written afterwards");
    await exchange(gone.deps, id).catch(() => undefined);
    await exchange(owner.deps, id);
    await exchange(stays.deps, id);
    for (const one of [owner, stays])
      expect(one.log.texts()).toEqual(["after the removal", "while a member"]);
    gone.lie((_name, _input, answer) => answer);
    await exchange(gone.deps, id);
    expect(gone.log.texts()).not.toContain("after the removal");
    expect(gone.state.space(id)?.lost).toContain("removed");
  });

  test("let one invitation in once, and a key as often as it is used", async () => {
    const { id, folder, owner, round } = await team(0);
    owner.log.say("of the owner");
    await round();
    const asked = { role: "writer", isKey: false, label: "guest" } as const;
    const once = await invite(owner.deps, id, asked, place);
    const first = await newHome(folder);
    await joinSpace(first.deps, once, { person: "Cy", machine: "m" });
    const second = await newHome(folder);
    expect(joinSpace(second.deps, once, { person: "Di", machine: "m" })).rejects.toThrow(
      "taken up or withdrawn",
    );
    const key = await invite(owner.deps, id, { ...asked, isKey: true, label: "CI" }, place);
    for (const word of ["one", "two"]) {
      const container = await newHome(folder);
      await joinSpace(container.deps, key, { person: "x", machine: "x" });
      await share(container.deps, id, project, true);
      await exchange(container.deps, id);
      expect(container.log.texts()).toContain("of the owner");
      container.log.say(`of container ${word}`);
      await exchange(container.deps, id);
    }
    await exchange(owner.deps, id);
    expect(owner.log.texts()).toEqual(["of container one", "of container two", "of the owner"]);
    expect(owner.log.authors()).toEqual(["CI", "me"]);
  });

  test("are told in words what is wrong with an invitation", async () => {
    const { id, folder, owner } = await team(0);
    const asked = { role: "writer", isKey: false, label: "guest" } as const;
    const old = await invite(owner.deps, id, { ...asked, until: Date.now() - 1 }, place);
    const guest = await newHome(folder);
    expect(joinSpace(guest.deps, old, { person: "Cy", machine: "m" })).rejects.toThrow("too old");
    expect(() => readInvitation("memoir-invitation-1.abc")).toThrow("no whole invitation");
    expect(() => readInvitation("memoir-invitation-2.abc")).toThrow("newer memoir");
  });

  test("leave, and only the last owner may not while others are there", async () => {
    const { id, owner, others, round } = await team(1);
    const [other] = others as [Home];
    expect(leave(owner.deps, id)).rejects.toThrow("only owner");
    other.log.say("stays with the others");
    await round();
    await leave(other.deps, id);
    expect(other.state.spaces()).toEqual([]);
    await exchange(owner.deps, id);
    expect(owner.log.texts()).toEqual(["stays with the others"]);
    await leave(owner.deps, id);
  });

  test("begin with the newest, before all that comes ahead of it is there", async () => {
    const { id, folder, owner } = await team(0);
    // A batch each, as a session at work makes them.
    const all = Array.from({ length: 70 }, (_, i) => `said ${i + 10}`);
    for (const text of all) {
      owner.log.say(text);
      await exchange(owner.deps, id);
    }
    const asked = { role: "writer", isKey: false, label: "guest" } as const;
    const guest = await newHome(folder);
    await joinSpace(guest.deps, await invite(owner.deps, id, asked, place), {
      person: "C",
      machine: "",
    });
    let pulls = 0;
    guest.lie((name, _input, answer) => {
      if (name === "hub.pull" && ++pulls === 2) throw new Error("the hub went away");
      return answer;
    });
    await expect(exchange(guest.deps, id)).rejects.toThrow("went away");
    expect(guest.log.texts()).toEqual(all.slice(-64));
    await exchange(guest.deps, id);
    expect(guest.log.texts()).toEqual(all);
  });
});
