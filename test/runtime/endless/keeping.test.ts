// What is kept comes back exactly, once, for as long as config says, and never with a secret in it.
import { afterEach, expect, test } from "bun:test";
import { readdir, rename, rm, stat, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { readFindings } from "../../../src/home/findings.ts";
import { openDatabase } from "../../../src/host/sqlite.ts";
import type { EndlessDeps } from "../../../src/runtime/endless/endless.ts";
import { type EndlessRoom, keepRequest, openEndlessRoom } from "../../support/endless-room.ts";

const rooms: EndlessRoom[] = [];
afterEach(async () => {
  for (const room of rooms.splice(0)) await room.close();
});
async function open(more: Partial<EndlessDeps> = {}) {
  const room = await openEndlessRoom(more);
  rooms.push(room);
  return { ...room, live: room.endless.client("live") };
}

const day = 86_400_000;
const secret = "ghp_0123456789abcdefghijklmnopqrstuvwxyz";

test.each<[string, unknown]>([
  ["an object, its keys in their order", { z: 1, a: [null, true, "x"], "": { deep: [] } }],
  ["a text of every kind", "ünïcödé 日本語 👩‍👩‍👧 \u0000 \u0007 \ud800 \r\n\t"],
  ["a list of blocks", [{ type: "text", text: "a" }]],
  ["a number", 1.5e300],
  ["nothing", null],
  ["an empty text", ""],
])("%s comes back exactly", async (_, value) => {
  const { live, again } = await open();
  expect(await live.keep(keepRequest({ value }))).toBe(true);
  const kept = await (await again()).client("other").kept("toolu_01", "output");
  expect(JSON.stringify(kept?.value)).toBe(JSON.stringify(value));
  expect(kept).toMatchObject({ session: "shop-1", toolUseId: "toolu_01", tool: "Bash" });
});

test.each<[string, unknown]>([
  ["a secret", { stdout: `token ${secret}` }],
  ["a secret by its name", { password: "correct horse battery" }],
  ["private content", "a <private>diary</private> b"],
  ["what is not valid JSON", undefined],
  ["what is far too long", "x".repeat(9_000_000)],
])("%s is not kept", async (_, value) => {
  const { live, endless, path } = await open();
  expect(await live.keep(keepRequest({ value }))).toBe(false);
  expect(await live.kept("toolu_01", "output")).toBeUndefined();
  expect((await endless.metrics({ since: 0 })).tools).toEqual([]);
  expect(await stat(path).catch(() => "no file")).toBe("no file");
});

test("an input that redaction would change is not kept either", async () => {
  const { live } = await open();
  const value = { command: `curl -H 'Authorization: Bearer ${secret}' x` };
  expect(await live.keep(keepRequest({ part: "input", value }))).toBe(false);
  expect(await live.keep(keepRequest({ part: "input", value: { command: "ls" } }))).toBe(true);
});

test("the same again changes nothing and is booked once; another value has its own place", async () => {
  const { live, endless } = await open();
  for (let time = 0; time < 3; time++) expect(await live.keep(keepRequest())).toBe(true);
  await Promise.all([1, 2, 3].map(() => live.keep(keepRequest())));
  expect((await endless.status()).kept).toMatchObject({ references: 1, contents: 1 });
  const [tool] = (await endless.metrics({ since: 0 })).tools;
  expect(tool).toMatchObject({ reduced: 1, charactersOut: 900, tokensOut: 225, characters: 1_000 });
  // A later strategy takes away what the first left in place: the whole is what the first kept.
  const left = "two lines; memoir recall toolu_01";
  expect(await endless.client("gateway").keep(keepRequest({ value: left }))).toBe(true);
  expect((await live.kept("toolu_01", "output"))?.value).toEqual(keepRequest().value);
  expect((await endless.status()).kept).toMatchObject({ references: 2, contents: 2 });
});

test("one content is written once, however many tool uses had it, and goes with the last of them", async () => {
  const { live, endless, pass, configure } = await open();
  configure({ keepDays: 10 });
  const value = { stdout: "the same ".repeat(5_000) };
  for (let at = 0; at < 3; at++) {
    expect(await live.keep(keepRequest({ toolUseId: `t${at}`, value }))).toBe(true);
    pass(4 * day);
  }
  expect((await endless.status()).kept).toMatchObject({ references: 3, contents: 1 });
  await endless.prune();
  expect((await endless.status()).kept).toMatchObject({ references: 2, contents: 1 });
  expect(await live.kept("t0", "output")).toBeUndefined();
  expect((await live.kept("t1", "output"))?.value).toEqual(value);
  pass(20 * day);
  await endless.prune();
  expect((await endless.status()).kept).toMatchObject({ references: 0, contents: 0, bytes: 0 });
});

test("above the size that config allows, the oldest go first", async () => {
  const { live, endless, pass, configure } = await open();
  const noise = (seed: number) => {
    let state = seed + 1;
    const next = () => {
      state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
      // No sign that assigns: what follows one by chance could be taken for a secret.
      return String.fromCharCode(65 + ((state >>> 16) % 58));
    };
    return Array.from({ length: 300_000 }, next).join("");
  };
  for (let at = 0; at < 8; at++) {
    expect(await live.keep(keepRequest({ toolUseId: `t${at}`, value: [noise(at)] }))).toBe(true);
    pass(1_000);
  }
  const before = (await endless.status()).kept?.bytes ?? 0;
  expect(before).toBeGreaterThan(1_500_000);
  configure({ keepBytes: 1_000_000 });
  await endless.prune();
  const after = await endless.status();
  expect(after.kept?.bytes).toBeLessThanOrEqual(1_000_000);
  expect(after.kept?.bytes).toBeGreaterThan(700_000);
  expect(await live.kept("t0", "output")).toBeUndefined();
  expect(await live.kept("t7", "output")).toBeDefined();
});

test("reading makes no file, and the file is its owner's alone", async () => {
  const { live, endless, path } = await open();
  expect(await live.kept("t", "output")).toBeUndefined();
  expect(await live.figures()).toEqual([]);
  await endless.prune();
  expect(await endless.status()).toEqual({ kept: null, fileBytes: 0, damaged: [] });
  expect(await stat(path).catch(() => "no file")).toBe("no file");
  await live.keep(keepRequest());
  expect((await stat(path)).mode & 0o777).toBe(0o600);
  expect((await endless.status()).fileBytes).toBeGreaterThan(0);
});

test("a damaged file is put aside when it is opened", async () => {
  const room = await open();
  await writeFile(room.path, "this is no database, and was one once ".repeat(1_000));
  expect(await room.live.keep(keepRequest())).toBe(true);
  expect((await room.live.kept("toolu_01", "output"))?.value).toEqual(keepRequest().value);
  const names = await readdir(room.folder);
  const aside = names.filter((name) => /^endless\.db\.damaged-\d+$/.test(name));
  expect(aside).toHaveLength(1);
  expect((await room.endless.status()).damaged).toEqual([`${room.folder}/${aside[0]}`]);
  expect(room.log.lines.filter(({ level }) => level === "error")).toHaveLength(1);
});

test("damage that shows later costs the file, not the keep", async () => {
  let broken = false;
  const room = await open({
    open: async (path, options) => {
      const db = await openDatabase(path, options);
      return {
        ...db,
        transaction: (work) => {
          if (broken) {
            broken = false;
            throw new Error("database disk image is malformed");
          }
          return db.transaction(work);
        },
      };
    },
  });
  expect(await room.live.keep(keepRequest())).toBe(true);
  broken = true;
  expect(await room.live.keep(keepRequest({ toolUseId: "t2" }))).toBe(true);
  expect(await room.live.kept("t2", "output")).toBeDefined();
  expect((await readdir(room.folder)).some((name) => name.includes(".damaged-"))).toBe(true);
});

test("a full disk: nothing is kept, nothing is thrown, one line is logged, and later it works", async () => {
  let full = true;
  const room = await open({
    open: async (path, options) => {
      const db = await openDatabase(path, options);
      return {
        ...db,
        transaction: (work) => {
          if (full) throw new Error("database or disk is full");
          return db.transaction(work);
        },
      };
    },
  });
  for (let at = 0; at < 3; at++)
    expect(await room.live.keep(keepRequest({ toolUseId: `t${at}` }))).toBe(false);
  expect(await room.live.figures()).toEqual([]);
  expect(room.log.lines.filter(({ level }) => level === "warn")).toHaveLength(1);
  full = false;
  room.pass(10_000);
  expect(await room.live.keep(keepRequest())).toBe(true);
});

test("a file that cannot be opened is asked for again after a pause", async () => {
  let tries = 0;
  const room = await open({
    open: async (path, options) => {
      tries++;
      if (tries === 1) throw new Error("unable to open database file");
      return openDatabase(path, options);
    },
  });
  for (let at = 0; at < 3; at++) expect(await room.live.keep(keepRequest())).toBe(false);
  expect(tries).toBe(1);
  await writeFile(room.path, "");
  const code = "endless_unwritable";
  await expect(room.endless.recall({ id: "t" })).rejects.toMatchObject({ code });
  expect((await room.endless.status()).error).toContain("unable to open");
  room.pass(10_000);
  expect(await room.live.keep(keepRequest())).toBe(true);
});

test.each<[string, (path: string) => Promise<void>]>([
  ["deleted", (path) => rm(path)],
  ["moved away", (path) => rename(path, `${path}.away`)],
])(
  "a file that is %s under the server is put back: what it held and what is kept then are on disk",
  async (_, take) => {
    const room = await open();
    expect(await room.live.keep(keepRequest())).toBe(true);
    await take(room.path);
    const keeps = ["t2", "t3"].map((toolUseId) => room.live.keep(keepRequest({ toolUseId })));
    expect(await Promise.all(keeps)).toEqual([true, true]);
    const { kept } = (await room.again()).client("live");
    expect(await kept("t2", "output")).toBeDefined();
    expect(await kept("toolu_01", "output")).toBeDefined();
  },
);

test("a file that is emptied or gone while nobody has it open is missed: what it held was counted", async () => {
  const room = await open();
  expect(await room.live.keep(keepRequest())).toBe(true);
  await room.endless.stop();
  await rm(room.path);
  expect(await (await room.again()).client("live").keep(keepRequest())).toBe(true);
  expect(readFindings(dirname(room.path)).map(({ file, what }) => `${file} ${what}`)).toEqual([
    "endless.db was gone; when it was last counted it held 1 record",
  ]);
});

test("another program's lock is not waited for again and again", async () => {
  const room = await open();
  expect(await room.live.keep(keepRequest())).toBe(true);
  const other = await openDatabase(room.path);
  other.exec("BEGIN IMMEDIATE");
  // Each of them would take the lock's whole patience: five seconds as SQLite is opened elsewhere.
  for (let at = 0; at < 200; at++)
    expect(await room.live.keep(keepRequest({ toolUseId: `t${at}` }))).toBe(false);
  expect((await room.live.kept("toolu_01", "output"))?.value).toEqual(keepRequest().value);
  other.exec("ROLLBACK");
  other.close();
  room.pass(10_000);
  expect(await room.live.keep(keepRequest({ toolUseId: "later" }))).toBe(true);
});

test.each([
  "x; rm -r .",
  "$(id)",
  "a b",
  "../up",
  "-x",
  "a\nb",
  "%41",
  "'",
  "é",
  "t".repeat(10_000),
])("what could not be asked for by its id in a shell is not kept: %j", async (toolUseId) => {
  const { live, endless } = await open();
  expect(await live.keep(keepRequest({ toolUseId }))).toBe(false);
  expect((await endless.status()).kept).toBeNull();
});

test.each(["toolu_01Ab", "functions.Bash:0", "call_0-1"])("%s can be asked for", async (id) => {
  const { live, endless } = await open();
  expect(await live.keep(keepRequest({ toolUseId: id }))).toBe(true);
  expect((await endless.recall({ id })).id).toBe(id);
});

test("capture plugins judge an output by the input that it came from", async () => {
  const { live } = await open({
    capture: async (event) =>
      event.name === "PostToolUse" && JSON.stringify(event.toolInput).includes("/vault/")
        ? { drop: "vault", by: "vaults" }
        : { event, failed: [] },
  });
  const read = (file: string, toolUseId: string) =>
    live.keep(keepRequest({ toolUseId, value: "text", otherHalf: { file_path: file } }));
  expect(await read("/vault/a", "t1")).toBe(false);
  expect(await read("/shop/a", "t2")).toBe(true);
});

test("a secret in the other half alone does not hinder, and is not written", async () => {
  const { live, again } = await open();
  const otherHalf = { command: `login ${secret}` };
  expect(await live.keep(keepRequest({ otherHalf }))).toBe(true);
  const kept = await (await again()).client("x").kept("toolu_01", "output");
  expect(JSON.stringify(kept)).not.toContain(secret);
});

test("what the user had forgotten cannot be recalled; what another session kept of the same can", async () => {
  const { live, endless } = await open();
  await endless.forget({ session: "shop-1", toolUses: ["toolu_01"] });
  await live.keep(keepRequest());
  await live.keep(keepRequest({ toolUseId: "toolu_02" }));
  await live.keep(keepRequest({ session: "fork", toolUseId: "toolu_01" }));
  await live.keep(keepRequest({ toolUseId: "toolu_03", value: "alone" }));
  await endless.forget({ session: "shop-1", toolUses: ["toolu_01", "toolu_03", "unknown"] });
  expect(await live.kept("toolu_01", "output")).toMatchObject({ session: "fork" });
  expect(await live.kept("toolu_02", "output")).toBeDefined();
  expect(await live.kept("toolu_03", "output")).toBeUndefined();
  expect((await endless.status()).kept).toMatchObject({ references: 2, contents: 1 });
});

test("what was taken out of a session is listed once for each part, the oldest first", async () => {
  const { live, endless, pass } = await open();
  await live.keep(keepRequest({ toolUseId: "t2", value: "a" }));
  const oldest = (await endless.status()).kept?.oldestAt;
  pass(10);
  await live.keep(keepRequest({ toolUseId: "t1", part: "input", value: { command: "x" } }));
  await live.keep(keepRequest({ toolUseId: "t1", value: "bb" }));
  await endless.client("transcript").keep(keepRequest({ toolUseId: "t2", value: "a" }));
  await live.keep(keepRequest({ toolUseId: "t3", session: "another" }));
  const since = oldest ?? 0;
  const listed = async (from: number, until: number) => {
    const parts = await endless.takenOut({ session: "shop-1", since: from, until });
    return parts.map((one) => `${one.toolUseId} ${one.part} ${one.characters}`).sort();
  };
  expect(await listed(since, since + 20)).toEqual(["t1 input 15", "t1 output 4", "t2 output 3"]);
  expect((await endless.takenOut({ session: "shop-1", since, until: since + 20 }))[0]).toEqual({
    ...{ toolUseId: "t2", tool: "Bash", part: "output", keptAt: since, characters: 3 },
  });
  expect(await listed(since, since + 5)).toEqual(["t2 output 3"]);
  expect((await endless.status()).kept?.oldestAt).toBe(since);
});
