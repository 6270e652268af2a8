import { afterAll, expect, test } from "bun:test";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import folderHub from "../../plugins/hub-folder/index.ts";
import { memoirPaths } from "../../src/home/paths.ts";
import { readKeys } from "../../src/provider/keys.ts";
import { readConfig } from "../../src/runtime/config/config.ts";
import { MemoirError } from "../../src/sdk/errors.ts";
import { createSync } from "../../src/sync/service.ts";
import { until } from "../e2e/until.ts";
import { home } from "./homes.ts";

const root = mkdtempSync(join(tmpdir(), "memoir-service-"));
const ends: Array<() => Promise<void>> = [];
afterAll(async () => {
  for (const end of ends) await end();
  rmSync(root, { recursive: true, force: true });
});

const good = "postgres://ada:one@db.example/memoir";
const renewed = "postgres://ada:two@db.example:5432/memoir?sslmode=require";
const quiet = { debug() {}, info() {}, warn() {}, error() {}, child: () => quiet };

type Answer = (name: string, input: never) => unknown;

/** Sync over a runtime whose hub follows config and keys as plugins do: every address of `reached` leads to the one in `folder`. */
async function homeOf(
  folder: string,
  { env = {}, reached = [good] }: { env?: Record<string, string>; reached?: string[] } = {},
) {
  const own = mkdtempSync(join(root, "home-"));
  const paths = memoirPaths(own);
  const real = await home(folderHub, { folder });
  let place: string | undefined;
  let isAway = false;
  let isOff = false;
  let instead: Answer = () => undefined;
  const asked: string[] = [];
  const first = async (name: string, input: never) => {
    asked.push(name);
    const other = await instead(name, input);
    if (other !== undefined) return { result: other };
    const isHub = name.startsWith("hub.");
    if (isHub && (isAway || place === undefined || !reached.includes(place)))
      throw new Error(`${place} cannot be reached`);
    return await real.deps.hooks.first(name as never, input);
  };
  const runtime = {
    hooks: { first } as never,
    async reload() {
      const { config } = await readConfig(own);
      const name = config.slots.hub ?? "";
      place = String(config.plugins[name]?.folder ?? (await readKeys(own))[name]);
    },
  };
  let note: (() => void) | undefined;
  const began = (call: () => void) => {
    note = call;
  };
  const begin = () => {
    const now = () => Date.now();
    const off = () => isOff;
    const made = createSync({ paths, runtime, log: quiet, now, env, began, isOff: off });
    ends.unshift(async () => {
      isAway = true;
      await made.stop();
    });
    return made;
  };
  const sync = begin();
  ends.push(() => real.stop());
  const files = async () => ({
    slot: (await readConfig(own)).config.slots.hub,
    folder: (await readConfig(own)).config.plugins["hub-folder"]?.folder,
    key: (await readKeys(own))["hub-postgres"],
    place,
  });
  return {
    ...{ sync, paths, files, asked, log: real.log },
    /** As a process that begins beside what the last one left. */
    again: begin,
    away: (is: boolean) => (isAway = is),
    switchedOff: () => (isOff = true),
    stored: () => note?.(),
    answer: (how: Answer) => (instead = how),
  };
}

const hubFolder = () => mkdtempSync(join(root, "hub-"));
const at = (address: string) => ({ type: "postgres" as const, address });
const inFolder = (folder: string) => ({ type: "folder" as const, folder });

test.each([
  ["another host", at("postgres://ada:one@evil.example/memoir")],
  ["another database", at("postgres://ada:one@db.example/other")],
  ["another port", at("postgres://ada:one@db.example:5433/memoir")],
  [
    "the good host behind the question mark",
    at("postgres://ada:one@evil.example/memoir?host=db.example"),
  ],
  ["a folder", inFolder(root)],
  ["the same hub with a password that it refuses", at("postgres://ada:bad@db.example/memoir")],
])("in a space, %s leaves the hub as it was", async (_, other) => {
  // All but the refused password would do as a hub.
  const place = other.type === "folder" ? other.folder : other.address;
  const reached = place.includes(":bad@") ? [good] : [good, place];
  const { sync, files } = await homeOf(hubFolder(), { reached });
  expect((await sync.create("mine", at(good), {})).made).toBe(true);
  const before = await files();
  expect(before).toMatchObject({ slot: "hub-postgres", key: good });
  await expect(sync.create("team", other, {})).rejects.toThrow();
  expect(await files()).toEqual(before);
  expect((await sync.status()).hub?.ok).toBe(true);
});

test("a hub that was still tried when the process ended is not the one that the next begins with", async () => {
  const me = await homeOf(hubFolder(), { reached: [good, renewed] });
  await me.sync.create("team", at(good), {});
  await me.sync.now();
  const before = await me.files();
  const silent = Promise.withResolvers<object>();
  me.answer((name) => (name === "hub.files" ? silent.promise : undefined));
  const tried = me.sync.create(undefined, at(renewed), {}).catch(() => undefined);
  await until("the new address is tried", async () => (await me.files()).key === renewed);
  expect(await me.again().brief()).toMatchObject({ wrong: [] });
  expect(await me.files()).toEqual(before);
  silent.resolve({ files: [] });
  await tried;
  // Once it has been found well it stays.
  me.answer(() => undefined);
  await me.sync.create(undefined, at(renewed), {});
  await me.again().brief();
  expect((await me.files()).key).toBe(renewed);
});

test("a new password of the same hub replaces the address and makes no space", async () => {
  const { sync, files } = await homeOf(hubFolder(), { reached: [good, renewed] });
  await sync.create("team", at(good), {});
  const { made, spaces } = await sync.create("mine", at(renewed), {});
  expect({ made, kinds: spaces.map(({ kind }) => kind) }).toEqual({ made: false, kinds: ["team"] });
  expect((await files()).key).toBe(renewed);
  expect((await sync.create("mine", at(renewed), {})).spaces).toHaveLength(2);
});

test("an invitation that is refused leaves nothing, and one of the same hub not its address", async () => {
  const folder = hubFolder();
  const ada = await homeOf(folder);
  await ada.sync.create("mine", at(good), {});
  const once = await ada.sync.invite("mine", { role: "writer", isKey: false, label: "Bo" });
  const bo = await homeOf(folder);
  await bo.sync.join(once, {});
  const late = await homeOf(folder);
  const before = await late.files();
  await expect(late.sync.join(once, {})).rejects.toThrow("taken up");
  expect({ ...(await late.files()), place: undefined }).toEqual({ ...before, place: undefined });

  const cy = await homeOf(folder, { reached: [good, renewed] });
  await cy.sync.create("team", at(renewed), {});
  const next = await ada.sync.invite("mine", { role: "writer", isKey: false, label: "Cy" });
  expect((await cy.sync.join(next, {})).spaces).toHaveLength(2);
  expect((await cy.files()).key).toBe(renewed);
});

test("what is stored goes out with a round at once, and during one with the next", async () => {
  const me = await homeOf(hubFolder());
  let isNext = false;
  me.answer(async (name) => {
    if (name === "hub.wait") return await new Promise(() => undefined);
    if (name === "hub.pull" && isNext) {
      isNext = false;
      me.stored();
      await Bun.sleep(400);
    }
    return undefined;
  });
  await me.sync.create("mine", at(good), {});
  const waits = () => me.asked.filter((name) => name === "hub.wait").length;
  // The rounds that a new space sets off by itself.
  await Bun.sleep(700);
  const before = waits();
  isNext = true;
  me.stored();
  await until("two rounds more", () => waits() > before + 1);
});

test.each([
  ["takes a last round", false],
  ["takes none where sync is switched off", true],
])("a stop %s", async (_, isOff) => {
  const me = await homeOf(hubFolder());
  me.answer((name) => (name === "hub.wait" ? new Promise(() => undefined) : undefined));
  await me.sync.create("mine", at(good), {});
  await until("it waits for news", () => me.asked.at(-1) === "hub.wait");
  if (isOff) me.switchedOff();
  const before = me.asked.length;
  await me.sync.stop();
  expect(me.asked.slice(before).includes("hub.pull")).toBe(!isOff);
});

test("a hub that always has something is not asked without a pause", async () => {
  const me = await homeOf(hubFolder());
  me.answer((name) => (name === "hub.wait" ? { changed: true } : undefined));
  await me.sync.create("mine", at(good), {});
  await Bun.sleep(900);
  const waits = me.asked.filter((name) => name === "hub.wait").length;
  expect(waits).toBeWithin(2, 7);
});

test("a start with MEMOIR_SYNC goes on until the hub is there, and after a start that failed", async () => {
  const folder = hubFolder();
  const ada = await homeOf(folder);
  await ada.sync.create("mine", at(good), {});
  const text = await ada.sync.invite("mine", { role: "writer", isKey: true, label: "CI" });
  const key = join(root, "key");
  await writeFile(key, text);
  const me = await homeOf(folder, { env: { MEMOIR_SYNC: key } });
  me.away(true);
  const started = me.sync.start();
  await until("the first try failed", async () => (await me.sync.status()).trouble !== null);
  expect(existsSync(me.paths.sync)).toBe(true);
  expect(await me.files()).toMatchObject({ slot: undefined, key: undefined });
  me.away(false);
  await started;
  expect((await me.sync.status()).spaces).toHaveLength(1);
});

test("a space that fails holds up no other, and its failure is said", async () => {
  const me = await homeOf(hubFolder());
  await me.sync.create("mine", at(good), {});
  const [mine] = (await me.sync.status()).spaces;
  const { spaces } = await me.sync.create("team", at(good), {});
  const other = spaces.find(({ kind }) => kind === "team")?.id;
  const seen: unknown[] = [];
  me.answer((name, { space }: { space?: string }) => {
    if (name === "hub.files") seen.push(space);
    if (name === "hub.files" && space === mine?.id) throw new Error("mine is broken");
    return undefined;
  });
  await expect(me.sync.now()).rejects.toThrow("mine is broken");
  expect(seen).toContain(other);
});

test("leaving by force: here only where the hub is away; else as without", async () => {
  const me = await homeOf(hubFolder());
  await me.sync.create("mine", at(good), {});
  me.away(true);
  await expect(me.sync.leave(undefined)).rejects.toThrow("cannot be reached");
  expect(await me.sync.leave(undefined, { force: true })).toMatchObject({
    isHereOnly: true,
    spaces: [],
  });
  expect(await me.files()).toMatchObject({ slot: undefined, key: undefined });
  expect(await readFile(me.paths.keys, "utf8")).not.toContain("postgres://");
  me.away(false);
  await me.sync.create("mine", at(good), {});
  expect(await me.sync.leave(undefined, { force: true })).toMatchObject({
    isHereOnly: false,
    spaces: [],
  });
});

test("the status counts who is in, not who is invited or was, and says who of the others was here", async () => {
  const folder = hubFolder();
  const [ada, bo] = [await homeOf(folder), await homeOf(folder)];
  await ada.sync.create("mine", at(good), { person: "Ada", machine: "desk" });
  const asked = { role: "writer", isKey: false, label: "guest" } as const;
  const invitation = await ada.sync.invite(undefined, asked);
  expect((await ada.sync.status()).spaces).toMatchObject([{ members: 1, lastHere: null }]);
  await bo.sync.join(invitation, { person: "Ada", machine: "laptop" });
  await ada.sync.now();
  const { spaces } = await ada.sync.status();
  expect(spaces).toMatchObject([{ members: 2, lastHere: { person: "Ada", machine: "laptop" } }]);
  const members = await ada.sync.members(undefined);
  expect(members.map(({ seenAt }) => typeof seenAt)).toEqual(["number", "number"]);
});

const guest = (role: "writer" | "reader" = "writer") =>
  ({ role, isKey: false, label: "guest" }) as const;

/** Ada's home, which owns a team's space, and Bo's, which is in it. */
async function team(role?: "writer" | "reader") {
  const folder = hubFolder();
  const [ada, bo] = [await homeOf(folder), await homeOf(folder)];
  await ada.sync.create("team", at(good), { person: "Ada", machine: "desk" });
  await bo.sync.join(await ada.sync.invite(undefined, guest(role)), {
    person: "Bo",
    machine: "lap",
  });
  return { ada, bo, folder };
}

test("while the hub is away the status counts what waits, and the brief says why; then nothing waits", async () => {
  const me = await homeOf(hubFolder());
  expect(await me.sync.brief()).toBeUndefined();
  await me.sync.create("mine", at(good), {});
  const waiting = async () => (await me.sync.status()).spaces.map((one) => one.waiting);
  await until("the first round is over", async () => (await waiting())[0] === 0);
  expect(await me.sync.brief()).toMatchObject({ trouble: null, wrong: [] });
  me.away(true);
  for (const text of ["one", "two", "three"]) me.log.say(text);
  me.stored();
  await until("a round failed", async () => (await me.sync.brief())?.trouble != null);
  expect(await waiting()).toEqual([3]);
  me.away(false);
  await me.sync.now();
  expect(await waiting()).toEqual([0]);
  expect(await me.sync.brief()).toMatchObject({ trouble: null, wrong: [] });
});

test("a home in no space is told so, whatever it asks", async () => {
  const { sync } = await homeOf(hubFolder());
  const asked = [
    () => sync.members(undefined),
    () => sync.now(),
    () => sync.invite(undefined, guest()),
    () => sync.share("team", "github.com/acme/shop", true),
    () => sync.remove(undefined, "Bo"),
    () => sync.leave(undefined),
  ];
  for (const ask of asked) await expect(ask()).rejects.toThrow("This home is in no space");
  await sync.create("mine", at(good), {});
  await expect(sync.members("team")).rejects.toThrow("This home is in no team's space.");
});

test("a removed member is told so, nothing is shared there, and it comes into another space by itself", async () => {
  const { ada, bo, folder } = await team();
  await ada.sync.remove(undefined, "Bo");
  await expect(ada.sync.remove(undefined, "Bo")).rejects.toThrow("No member is called Bo");
  bo.stored();
  await until("its next round is over", async () => (await bo.sync.brief())?.wrong[0] != null);
  const said = "This home was removed from it.";
  expect(await bo.sync.brief()).toMatchObject({ wrong: [said] });
  await expect(bo.sync.members(undefined)).rejects.toThrow(said);
  await expect(bo.sync.share(undefined, "github.com/acme/shop", true)).rejects.toThrow(said);
  expect((await bo.sync.status()).spaces).toMatchObject([{ lost: said, waiting: 0 }]);
  const cy = await homeOf(folder);
  await cy.sync.create("team", at(good), { person: "Cy", machine: "m" });
  await bo.sync.join(await cy.sync.invite(undefined, guest()), { person: "Bo", machine: "lap" });
  expect((await bo.sync.status()).spaces).toMatchObject([{ kind: "team", lost: null, members: 2 }]);
  // And hears of it without storing something first.
  cy.answer((name) => (name === "storage.projects" ? [] : undefined));
  await cy.sync.share(undefined, "github.com/acme/shop", true);
  cy.log.say("of the other team");
  await cy.sync.now();
  await until("it hears what comes", async () => bo.log.texts().includes("of the other team"));
});

test("a name that nobody and nothing has is answered with the nearest, one that several have with their ids", async () => {
  const { ada, bo, folder } = await team();
  const known = ["github.com/acme/shop", "github.com/acme/docs", "github.com/other/docs"];
  const projects = known.map((id) => ({ id, name: id.split("/").at(-1) ?? "" }));
  ada.answer((name) => (name === "storage.projects" ? projects : undefined));
  const share = (project: string, is: boolean) => ada.sync.share(undefined, project, is);
  for (const is of [true, false]) {
    await expect(share("shpo", is)).rejects.toMatchObject({
      message: "There is no project shpo; did you mean shop?",
      fix: expect.stringContaining("memoir memory projects"),
    });
    await expect(share("docs", is)).rejects.toMatchObject({
      message: "Several projects are called docs.",
      fix: expect.stringContaining("github.com/acme/docs, github.com/other/docs"),
    });
  }
  const cy = await homeOf(folder);
  const invitation = await ada.sync.invite(undefined, guest());
  await cy.sync.join(invitation, { person: "Cleo", machine: "lap" });
  const removed = (name: string) => ada.sync.remove(undefined, name);
  await expect(removed("Cloe")).rejects.toMatchObject({
    message: "No member is called Cloe; did you mean Cleo?",
    fix: expect.stringContaining("memoir sync members"),
  });
  const members = await ada.sync.members(undefined);
  const ids = members.filter(({ machine }) => machine === "lap").map(({ id }) => id.slice(0, 8));
  expect(ids).toHaveLength(2);
  const both = await removed("lap").catch((error) => error);
  for (const id of ids) expect(both.fix).toContain(id);
  // One letter begins an id by chance; whoever is called like the beginning of another's id is who is meant.
  const [bos = ""] = members.filter(({ person }) => person === "Bo").map(({ id }) => id);
  await expect(removed(bos.slice(0, 1))).rejects.toThrow("No member is called");
  const named = await homeOf(folder);
  const another = await ada.sync.invite(undefined, guest());
  await named.sync.join(another, { person: bos.slice(0, 8), machine: "m" });
  expect((await removed(bos.slice(0, 8))).map(({ person }) => person).sort()).toEqual([
    ...["Ada", "Bo", "Cleo"],
  ]);
  expect((await bo.sync.status()).spaces).toMatchObject([{ lost: null }]);
});

test("a folder in another place is told how to be named, to who joins and to who moved it", async () => {
  const { sync } = await homeOf(hubFolder(), { reached: [root] });
  await sync.create("mine", inFolder(root), {});
  await expect(sync.create("mine", inFolder(join(root, "moved")), {})).rejects.toMatchObject({
    fix: expect.stringMatching(/--folder.*config set plugins\.hub-folder\.folder/),
  });
});

test("an invitation to where one is already raises the role, keeps what is shared, and else is left unused", async () => {
  const { ada, bo } = await team("reader");
  const invited = async (role: "owner" | "writer" | "reader") =>
    (await bo.sync.join(await ada.sync.invite(undefined, { ...guest(), role }), {})).joined;
  const role = async () => (await bo.sync.status()).spaces[0]?.role;
  expect([await invited("reader"), await role()]).toEqual(["already", "reader"]);
  expect([await invited("writer"), await role()]).toEqual(["raised", "writer"]);
  for (const one of [ada, bo]) one.answer((name) => (name === "storage.projects" ? [] : undefined));
  for (const one of [ada, bo]) await one.sync.share(undefined, "github.com/acme/shop", true);
  bo.log.say("of a writer");
  await bo.sync.now();
  expect([await invited("owner"), await role()]).toEqual(["raised", "owner"]);
  bo.log.say("of an owner");
  await bo.sync.now();
  await ada.sync.now();
  expect(ada.log.texts()).toEqual(["of a writer", "of an owner"]);
  expect([await invited("reader"), await role()]).toEqual(["already", "owner"]);
  const homes = (await ada.sync.members(undefined)).filter(({ kind }) => kind === "home");
  expect(homes.map((one) => one.role).sort()).toEqual(["owner", "owner"]);
  // Now there is another owner: the first may go.
  await ada.sync.leave(undefined);
});

test("where another home changes the members at the same moment, what was asked is done all the same", async () => {
  const { ada, bo, folder } = await team();
  const cy = await homeOf(folder);
  const asWrites = (one: typeof ada, work: () => Promise<unknown>) => {
    let isFirst = true;
    one.answer(async (name, { name: file = "" }: { name?: string }) => {
      if (name !== "hub.write" || !file.startsWith("charter/") || !isFirst) return;
      isFirst = false;
      await work();
    });
  };
  asWrites(ada, () => bo.sync.leave(undefined));
  const invitation = await ada.sync.invite(undefined, guest());
  asWrites(cy, () => ada.sync.invite(undefined, { ...guest(), label: "another" }));
  expect((await cy.sync.join(invitation, { person: "Cy" })).joined).toBe("new");
  const members = await ada.sync.members(undefined);
  expect(members.map(({ kind }) => kind).sort()).toEqual(["home", "home", "invitation"]);
  expect((await bo.sync.status()).spaces).toEqual([]);
});

test("an open invitation is nobody: the only home leaves, and nobody comes in by it afterwards", async () => {
  const folder = hubFolder();
  const [ada, bo] = [await homeOf(folder), await homeOf(folder)];
  await ada.sync.create("team", at(good), {});
  const open = await ada.sync.invite(undefined, guest());
  expect((await ada.sync.leave(undefined)).spaces).toEqual([]);
  await expect(bo.sync.join(open, {})).rejects.toThrow("taken up or withdrawn");
});

test("with the hub away, what was asked is said not to be done, and is done when asked again", async () => {
  const { ada } = await team();
  ada.answer((name) => {
    if (!name.startsWith("hub.")) return undefined;
    throw new MemoirError("hub_away", "It cannot be reached.");
  });
  const said: Array<[() => Promise<unknown>, string, string]> = [
    [() => ada.sync.members(undefined), "It cannot be reached.", "again once"],
    [() => ada.sync.remove(undefined, "Bo"), "Nobody was removed.", "again once"],
    [() => ada.sync.invite(undefined, guest()), "No invitation was made.", "again once"],
    [() => ada.sync.leave(undefined), "still in the space", "leave --force"],
  ];
  for (const [ask, message, fix] of said)
    await expect(ask()).rejects.toMatchObject({
      message: expect.stringContaining(message),
      fix: expect.stringContaining(fix),
    });
  ada.answer(() => undefined);
  expect((await ada.sync.remove(undefined, "Bo")).map(({ isSelf }) => isSelf)).toEqual([true]);
});

test("a first `now` waits until the invitation in the environment was taken up", async () => {
  const folder = hubFolder();
  const ada = await homeOf(folder);
  await ada.sync.create("mine", at(good), {});
  ada.log.say("from before");
  await ada.sync.now();
  const key = await ada.sync.invite(undefined, { ...guest(), isKey: true });
  const me = await homeOf(folder, { env: { MEMOIR_SYNC: key } });
  me.away(true);
  const started = me.sync.start();
  const done = me.sync.now();
  await until("the first try failed", async () => (await me.sync.status()).trouble !== null);
  me.away(false);
  await done;
  expect(me.log.texts()).toEqual(["from before"]);
  await started;
});

test.each([
  ["a file that is not there", join(root, "none"), [/^MEMOIR_SYNC names \/.*none: /, /again/]],
  ["a word that is no file", "s3cret-key", [/^MEMOIR_SYNC names a file: /]],
  ["half an invitation", "memoir-invitation-1.s3cret", [/^MEMOIR_SYNC: /, /server stop/]],
])("MEMOIR_SYNC with %s is named, with what to do, and not quoted", async (_, given, says) => {
  const me = await homeOf(hubFolder(), { env: { MEMOIR_SYNC: given } });
  void me.sync.start();
  await until("the first try failed", async () => (await me.sync.status()).trouble !== null);
  const { trouble } = await me.sync.status();
  for (const one of says) expect(trouble).toMatch(one);
  expect(trouble).not.toContain("s3cret");
});

test("a reader shares nothing and has nothing that waits", async () => {
  const { bo } = await team("reader");
  bo.log.say("of a reader");
  expect((await bo.sync.status()).spaces).toMatchObject([{ role: "reader", waiting: 0 }]);
  await expect(bo.sync.share(undefined, "github.com/acme/shop", true)).rejects.toThrow(
    "may only read",
  );
});

test("a home comes into one team alone, and an invitation to another stays good", async () => {
  const { bo, folder } = await team();
  const cy = await homeOf(folder);
  await cy.sync.create("team", at(good), { person: "Cy", machine: "m" });
  const invitation = await cy.sync.invite(undefined, guest());
  await expect(bo.sync.join(invitation, {})).rejects.toThrow("in a team's space already");
  await bo.sync.leave(undefined);
  await bo.sync.join(invitation, { person: "Bo", machine: "lap" });
  expect((await bo.sync.status()).spaces).toMatchObject([{ members: 2 }]);
});
