// A folder in which somebody else puts what no memoir writes: nothing hangs, nothing leads out of it, and all else goes on.
import { afterAll, describe, expect, test } from "bun:test";
import { execFileSync } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import plugin from "../../../plugins/hub-folder/index.ts";
import { exchange } from "../../../src/sync/exchange.ts";
import { createSpace, invite, join as joinSpace } from "../../../src/sync/spaces.ts";
import { testHost } from "../../../src/testing/test-host.ts";
import { sampleObservation } from "../../support/sample-records.ts";
import { syncedHome } from "../../support/synced-home.ts";

const root = mkdtempSync(join(tmpdir(), "memoir-folder-hostile-"));
afterAll(() => rmSync(root, { recursive: true, force: true }));

const space = "a".repeat(32);
const streamOf = (letter: string) => letter.repeat(32);
const name = (number: number) => String(number).padStart(10, "0");
const plain = (text: string) => new TextEncoder().encode(text);

async function newHub() {
  const folder = mkdtempSync(join(root, "folder-"));
  const host = await testHost(plugin, {
    home: mkdtempSync(join(root, "home-")),
    config: { folder },
  });
  const push = (stream: string, number: number) =>
    host.call("hub.push", { space, stream, number, bytes: plain(`${stream} ${number}`) });
  const pull = () => host.call("hub.pull", { space, after: {}, bytes: 1e6 });
  const files = async (prefix: string) =>
    (await host.call("hub.files", { space, prefix }))?.files.map((file) => file.name);
  return { ...{ host, push, pull, files }, at: join(folder, "memoir-hub", space) };
}

type Odd = [what: string, put: (path: string) => void];
const odd: Odd[] = [
  ["a pipe", (path) => void execFileSync("mkfifo", [path])],
  ["a link to a device that never ends", (path) => symlinkSync("/dev/zero", path)],
  ["a link to itself", (path) => symlinkSync(path, path)],
  ["a link to nothing", (path) => symlinkSync(join(root, "nothing"), path)],
  ["a folder", (path) => mkdirSync(path)],
  [
    "a file of a terabyte",
    (path) => {
      writeFileSync(path, "");
      truncateSync(path, 2 ** 40);
    },
  ],
];

describe.each(odd)("%s in a hub's folder", (_, put) => {
  test("in the place of a batch is a batch that does not count, and other streams come", async () => {
    const { host, at, push, pull } = await newHub();
    const [bad, good] = [streamOf("b"), streamOf("c")];
    for (const number of [1, 2]) await push(bad, number);
    await push(good, 1);
    for (const number of [2, 3]) {
      rmSync(join(at, "batches", bad, name(number)), { force: true });
      put(join(at, "batches", bad, name(number)));
    }
    const page = await pull();
    expect(
      page?.batches.map(({ stream, number, bytes }) => [stream, number, bytes.length]).sort(),
    ).toEqual([
      [bad, 1, 34],
      [bad, 2, 0],
      [bad, 3, 0],
      [good, 1, 34],
    ]);
    expect(page?.heads.map(({ stream, number }) => [stream, number]).sort()).toEqual([
      [bad, 3],
      [good, 1],
    ]);
    expect(await push(bad, 3)).toMatchObject({ state: "taken" });
    expect(await push(good, 2)).toMatchObject({ state: "stored" });
    await host.stop();
  }, 20_000);

  test("among the lists of members leaves those that are there", async () => {
    const { host, at, files } = await newHub();
    await host.call("hub.write", { space, name: "charter/000001", bytes: plain("first") });
    put(join(at, "files/charter/000002"));
    expect(await files("charter/")).toContain("charter/000001");
    await host.stop();
  }, 20_000);
});

test("what is far too large altogether is said, not held in memory", async () => {
  const { host, at, files } = await newHub();
  await host.call("hub.write", { space, name: "charter/000001", bytes: plain("first") });
  for (let number = 2; number < 12; number += 1) {
    const path = join(at, `files/charter/00000${number}`);
    writeFileSync(path, "");
    truncateSync(path, 32 << 20);
  }
  await expect(files("charter/")).rejects.toThrow("holds more in charter than memoir writes");
  await host.stop();
}, 60_000);

test("links that lead out of it are not written through, and nothing is removed there", async () => {
  const { host, at, push } = await newHub();
  const outside = mkdtempSync(join(root, "outside-"));
  writeFileSync(join(outside, "kept"), "mine");
  await push(streamOf("b"), 1);
  rmSync(join(at, "batches"), { recursive: true });
  symlinkSync(outside, join(at, "batches"));
  await expect(push(streamOf("b"), 1)).rejects.toThrow("leads out of it");
  mkdirSync(join(at, "files"), { recursive: true });
  symlinkSync(outside, join(at, "files/invitation"));
  const bytes = plain("x");
  await expect(host.call("hub.write", { space, name: "invitation/kept", bytes })).rejects.toThrow(
    "leads out of it",
  );
  await host.call("hub.remove", { space, names: ["invitation/kept"] });
  expect(readdirSync(outside)).toEqual(["kept"]);
  await host.stop();
});

test("a folder that is itself behind a link is a hub like any", async () => {
  const [real, link] = [mkdtempSync(join(root, "real-")), join(root, "link")];
  symlinkSync(real, link);
  const home = mkdtempSync(join(root, "home-"));
  const host = await testHost(plugin, { home, config: { folder: link } });
  const batch = { space, stream: streamOf("b"), number: 1, bytes: plain("x") };
  expect(await host.call("hub.push", batch)).toMatchObject({ state: "stored" });
  expect(existsSync(join(real, "memoir-hub", space, "batches", batch.stream, name(1)))).toBe(true);
  await host.stop();
});

test("folders without end below the files of a space are not followed", async () => {
  const { host, at, files } = await newHub();
  await host.call("hub.write", { space, name: "seen/a/b/c", bytes: plain("x") });
  mkdirSync(join(at, "files/seen/a/b", ...Array.from({ length: 200 }, () => "d")), {
    recursive: true,
  });
  writeFileSync(join(at, "files/seen/a/b/d/e"), "deeper than any");
  expect(await files("seen/")).toEqual(["seen/a/b/c"]);
  await host.stop();
});

test("hundreds of files and dozens of streams of somebody else's keep no home from the others", async () => {
  const folder = mkdtempSync(join(root, "folder-"));
  const [ada, bo] = [await syncedHome(root, folder), await syncedHome(root, folder)];
  const { id } = await createSpace(ada.deps, "mine", { person: "Ada", machine: "desk" });
  const guest = { role: "writer", isKey: false, label: "guest" } as const;
  const place = { type: "plugin", name: "hub-folder" } as const;
  const invitation = await invite(ada.deps, id, guest, place);
  await joinSpace(bo.deps, invitation, { person: "Ada", machine: "b" });
  const at = join(folder, "memoir-hub", id);
  mkdirSync(join(at, "files/seen"), { recursive: true });
  for (let one = 0; one < 60; one += 1) {
    const stream = join(at, "batches", `${one}`.padStart(32, "0"));
    mkdirSync(stream, { recursive: true });
    writeFileSync(join(stream, name(1)), "no batch");
  }
  for (let one = 0; one < 300; one += 1) {
    writeFileSync(join(at, "files/charter", `${one} conflicted copy`), "no members");
    writeFileSync(join(at, "files/seen", `garbage-${one}`), "nobody");
  }
  execFileSync("mkfifo", [join(at, "batches", "pipe")]);
  const project = { id: "github.com/acme/shop", name: "shop", root: "/h" };
  const session = {
    ...{ id: "s", client: "claude-code", startedAt: 1, status: "active" },
    project,
  };
  const observations = [sampleObservation({ title: "kept all the same", session: "s" })];
  await ada.records.put({ key: "k", records: { session, observations } as never });
  for (const one of [ada, bo]) await exchange(one.deps, id);
  const titles = (await bo.records.observations({ limit: 10 })).map(({ title }) => title);
  expect(titles).toEqual(["kept all the same"]);
  expect(bo.state.streams(id).filter(({ stuck }) => stuck)).toEqual([]);
  for (const one of [ada, bo]) await one.stop();
}, 120_000);
