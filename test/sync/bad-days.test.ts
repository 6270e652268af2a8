// A hub that lies, loses and hangs, and members that do what they may not.
import { Database } from "bun:sqlite";
import { afterAll, describe, expect, test } from "bun:test";
import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { rename as move, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import folderHub from "../../plugins/hub-folder/index.ts";
import { askHub } from "../../src/sync/ask-hub.ts";
import { exchange } from "../../src/sync/exchange.ts";
import { seal, signingKey, unseal } from "../../src/sync/seal.ts";
import { createSpace, invite, join as joinSpace, share } from "../../src/sync/spaces.ts";
import { newIdentity, openSyncState, publicOf } from "../../src/sync/state.ts";
import { home } from "./homes.ts";

const root = mkdtempSync(join(tmpdir(), "memoir-bad-"));
const ends: Array<() => Promise<void>> = [];
afterAll(async () => {
  for (const end of ends) await end();
  rmSync(root, { recursive: true, force: true });
});

const project = "github.com/acme/shop";

/** Two homes in one space, of which the first has said three things in three batches, and nobody has read them. */
async function pair() {
  const folder = mkdtempSync(join(root, "hub-"));
  const ada = await home(folderHub, { folder });
  const bo = await home(folderHub, { folder });
  ends.push(ada.stop, bo.stop);
  const { id } = await createSpace(ada.deps, "team", { person: "Ada", machine: "desk" });
  const asked = { role: "writer", isKey: false, label: "guest" } as const;
  const place = { type: "plugin", name: "test" } as const;
  await joinSpace(bo.deps, await invite(ada.deps, id, asked, place), {
    person: "Bo",
    machine: "m",
  });
  for (const one of [ada, bo]) await share(one.deps, id, project, true);
  // Nobody is at the very beginning, which is a case of its own.
  ada.log.say("zero");
  for (const one of [ada, bo]) await exchange(one.deps, id);
  for (const text of ["one", "two", "three"]) {
    ada.log.say(text);
    await exchange(ada.deps, id);
  }
  return { id, folder, ada, bo };
}

type Pulled = {
  batches: Array<{ stream: string; number: number; bytes: Uint8Array }>;
  more: boolean;
};

const said = (one: Awaited<ReturnType<typeof home>>) =>
  one.log.texts().filter((text) => text !== "zero");

const stuck = (one: Awaited<ReturnType<typeof home>>, id: string) =>
  one.state.streams(id).flatMap((stream) => stream.stuck ?? []);

describe("a hub that lies", () => {
  const lies: Record<string, (batches: Pulled["batches"]) => Pulled["batches"]> = {
    "drops a batch": (all) => all.filter(({ number }) => number !== 3),
    "gives one batch for another": (all) =>
      all.map((one) => (one.number === 3 ? { ...one, bytes: all[2]?.bytes ?? one.bytes } : one)),
    "cuts a batch": (all) =>
      all.map((one) => (one.number === 3 ? { ...one, bytes: one.bytes.slice(0, -9) } : one)),
    "flips a bit": (all) =>
      all.map((one) =>
        one.number === 3
          ? { ...one, bytes: one.bytes.map((byte, at) => (at === 300 ? byte ^ 1 : byte)) }
          : one,
      ),
    "calls one stream another": (all) =>
      all.map((one) => ({ ...one, stream: `${"0".repeat(32)}-aaaa` })),
  };
  for (const [name, how] of Object.entries(lies))
    test(`${name}: what comes before it counts, what comes after waits, and it is all there once the hub is honest`, async () => {
      const { id, bo } = await pair();
      bo.lie((hook, _input, answer) =>
        hook === "hub.pull"
          ? { ...(answer as Pulled), batches: how((answer as Pulled).batches) }
          : answer,
      );
      await exchange(bo.deps, id);
      expect(said(bo)).toEqual(name.startsWith("calls") ? [] : ["one"]);
      bo.lie((_hook, _input, answer) => answer);
      await exchange(bo.deps, id);
      expect(said(bo)).toEqual(["one", "three", "two"]);
      expect(stuck(bo, id)).toEqual([]);
    });

  test("repeats and reorders: each record is there once", async () => {
    const { id, bo } = await pair();
    bo.lie((hook, _input, answer) => {
      const { batches, ...rest } = answer as Pulled;
      return hook === "hub.pull"
        ? { ...rest, batches: [...batches.toReversed(), ...batches, ...batches] }
        : answer;
    });
    await exchange(bo.deps, id);
    await exchange(bo.deps, id);
    expect(said(bo)).toEqual(["one", "three", "two"]);
  });

  test("goes back in the members' history: nothing is exchanged, and it is said", async () => {
    const { id, ada, bo } = await pair();
    const { files } = await askHub(ada.deps.hooks, "hub.files", { space: id, prefix: "charter/" });
    bo.lie((hook, _input, answer) =>
      hook === "hub.files" ? { files: files.slice(0, 1) } : answer,
    );
    expect(exchange(bo.deps, id)).rejects.toThrow("another list of members");
    expect(said(bo)).toEqual([]);
  });

  test("shows another end of a stream than before: it is said", async () => {
    const { id, bo } = await pair();
    await exchange(bo.deps, id);
    bo.lie((hook, _input, answer) => {
      const page = answer as Pulled & { heads: Array<{ digest: string }> };
      return hook === "hub.pull"
        ? { ...page, heads: page.heads.map((head) => ({ ...head, digest: "0".repeat(64) })) }
        : answer;
    });
    await exchange(bo.deps, id);
    expect(stuck(bo, id)).toEqual(["The hub shows another batch than before."]);
  });
});

describe("a hub that loses", () => {
  test("its newest batches: they are sent again, and nobody has anything twice", async () => {
    const { id, folder, ada, bo } = await pair();
    await exchange(bo.deps, id);
    const streams = join(folder, "memoir-hub", id, "batches");
    const mine =
      (await readdir(streams)).find((name) => name === ada.state.space(id)?.stream) ?? "";
    for (const number of [3, 4]) await rm(join(streams, mine, String(number).padStart(10, "0")));
    ada.log.say("four");
    await exchange(ada.deps, id);
    await exchange(bo.deps, id);
    expect(said(bo)).toEqual(["four", "one", "three", "two"]);
    const fresh = await home(folderHub, { folder });
    ends.push(fresh.stop);
    const asked = { role: "writer", isKey: false, label: "guest" } as const;
    const invitation = await invite(ada.deps, id, asked, { type: "plugin", name: "test" });
    await joinSpace(fresh.deps, invitation, { person: "Cy", machine: "m" });
    await exchange(fresh.deps, id);
    expect(said(fresh)).toEqual(["four", "one", "three", "two"]);
  });

  test("the connection in the midst of a push: it is there once", async () => {
    const { id, ada, bo } = await pair();
    let lost = 0;
    ada.lie((hook, _input, answer) => {
      if (hook !== "hub.push" || lost++ > 0) return answer;
      throw new Error("the connection was lost after the hub had it");
    });
    ada.log.say("four");
    expect(exchange(ada.deps, id)).rejects.toThrow("connection");
    await exchange(ada.deps, id);
    await exchange(bo.deps, id);
    expect(said(bo)).toEqual(["four", "one", "three", "two"]);
  });
});

describe("homes that are not what they were", () => {
  test("a copy of a home: both go on under names of their own, and nothing is lost", async () => {
    const { id, folder, ada, bo } = await pair();
    const copy = await home(folderHub, { folder });
    ends.push(copy.stop);
    copy.state.close();
    cpSync(join(ada.folder, "sync.db"), join(copy.folder, "sync.db"));
    for (const ending of ["-wal", "-shm"])
      cpSync(join(ada.folder, `sync.db${ending}`), join(copy.folder, `sync.db${ending}`));
    const { openSyncState } = await import("../../src/sync/state.ts");
    const state = await openSyncState(join(copy.folder, "sync.db"));
    copy.deps.state = state;
    copy.log.become(ada.log.copy());
    ada.log.say("of the first");
    copy.log.say("of the copy");
    for (let round = 0; round < 4; round += 1)
      for (const one of [ada, copy, bo]) await exchange(one.deps, id);
    for (const one of [ada, copy, bo])
      expect([...new Set(said(one))]).toEqual([
        "of the copy",
        "of the first",
        "one",
        "three",
        "two",
      ]);
    expect(copy.log.replica()).not.toBe(ada.log.replica());
    state.close();
  });
});

describe("a program that syncs the folder", () => {
  const named: Record<string, (name: string) => string> = {
    Syncthing: (name) => `${name}.sync-conflict-20261127-101500-ABCDEFG`,
    Dropbox: (name) => `${name} (Ada's conflicted copy 2026-11-27)`,
    OneDrive: (name) => `${name}-DESKTOP-7Q2`,
    iCloud: (name) => `${name} 2`,
  };
  for (const [program, rename] of Object.entries(named))
    test(`that gives the list of members another name is no hindrance: ${program}`, async () => {
      const { id, folder, ada, bo } = await pair();
      const { number = 0 } = ada.state.space(id)?.charter ?? {};
      const asked = { role: "reader", isKey: false, label: "guest" } as const;
      await invite(ada.deps, id, asked, { type: "plugin", name: "test" });
      const charters = join(folder, "memoir-hub", id, "files/charter");
      const name = String(number + 1).padStart(6, "0");
      await move(join(charters, name), join(charters, rename(name)));
      await exchange(bo.deps, id);
      expect(bo.state.space(id)?.charter.number).toBe(number + 1);
    });

  test("that keeps a copy's batch in place of this home's: both are said, each once", async () => {
    const { id, folder, ada, bo } = await pair();
    for (const one of [ada, bo]) await exchange(one.deps, id);
    const copy = await home(folderHub, { folder });
    ends.push(copy.stop);
    copy.log.become(ada.log.copy());
    const source = new Database(join(ada.folder, "sync.db"));
    source.run("VACUUM INTO ?", [join(ada.folder, "copy.db")]);
    source.close();
    const state = await openSyncState(join(ada.folder, "copy.db"));
    ends.push(async () => state.close());
    const batches = join(folder, "memoir-hub", id, "batches", ada.state.space(id)?.stream ?? "");
    const last = async () => join(batches, (await readdir(batches)).sort().at(-1) ?? "");
    copy.log.say("of the copy");
    await exchange({ ...copy.deps, state }, id);
    const theirs = await readFile(await last());
    await rm(await last());
    ada.log.say("of Ada's own");
    await exchange(ada.deps, id);
    // Each had its batch stored before the program saw that there were two.
    await writeFile(await last(), theirs);
    for (let times = 0; times < 3; times += 1)
      for (const deps of [ada.deps, { ...copy.deps, state }, bo.deps]) await exchange(deps, id);
    for (const text of ["of the copy", "of Ada's own"])
      expect([text, new Set(said(bo)).has(text)]).toEqual([text, true]);
    expect(stuck(bo, id)).toEqual([]);
  });
});

describe("a hostile member", () => {
  /** What Bo's keys seal, put where Bo's stream goes on. */
  async function sealed(change: {
    header?: Record<string, unknown>;
    content?: unknown;
    raw?: Uint8Array;
  }) {
    const made = await pair();
    const { id, ada, bo } = made;
    const space = bo.state.space(id);
    if (!space) throw new Error("no space");
    const { sign, id: by } = await bo.state.identity();
    const key = Buffer.from(space.secrets.keys[1] ?? "", "base64");
    const header = {
      space: id,
      epoch: 1,
      stream: space.stream,
      number: 1,
      previous: "",
      by,
      ...change.header,
    };
    const content = change.content ?? {
      replica: bo.log.replica(),
      nonce: "",
      from: 0,
      upTo: 1,
      changes: [],
    };
    const bytes = change.raw ?? (await seal(header, content, key, signingKey(sign)));
    await askHub(bo.deps.hooks, "hub.push", { space: id, stream: space.stream, number: 1, bytes });
    ada.log.say("goes on");
    await exchange(ada.deps, id);
    return made;
  }

  test("gives out another's changes as its own: they are refused, and all else goes on", async () => {
    const forged = await pair();
    const change = forged.ada.log.say("mine");
    await exchange(forged.ada.deps, forged.id);
    await exchange(forged.bo.deps, forged.id);
    const space = forged.bo.state.space(forged.id);
    const { sign, id: by } = await forged.bo.state.identity();
    const content = {
      replica: change.replica,
      nonce: "",
      from: 0,
      upTo: 9,
      changes: [{ ...change, body: { text: "forged" } }],
    };
    const header = {
      space: forged.id,
      epoch: 1,
      stream: space?.stream ?? "",
      number: 1,
      previous: "",
      by,
    };
    const key = Buffer.from(space?.secrets.keys[1] ?? "", "base64");
    const bytes = await seal(header, content, key, signingKey(sign));
    await askHub(forged.bo.deps.hooks, "hub.push", {
      space: forged.id,
      stream: header.stream,
      number: 1,
      bytes,
    });
    await exchange(forged.ada.deps, forged.id);
    expect(said(forged.ada)).not.toContain("forged");
    expect(stuck(forged.ada, forged.id).join()).toContain("another member's changes");
  });

  const attacks: Record<string, Parameters<typeof sealed>[0]> = {
    "another space's": { header: { space: "a".repeat(32) } },
    "another number": { header: { number: 7 } },
    "another stream": { header: { stream: `${"b".repeat(32)}-cc` } },
    "no batch": { raw: new TextEncoder().encode("hello") },
    "a newer form": { raw: new TextEncoder().encode("memoir2\nsomething") },
    "no changes": { content: { hello: "world" } },
  };
  for (const [name, attack] of Object.entries(attacks))
    test(`writes ${name}: its stream stops, with the reason, and all else goes on`, async () => {
      const { id, ada } = await sealed(attack);
      expect(said(ada)).toEqual(["goes on", "one", "three", "two"]);
      expect(stuck(ada, id)).toHaveLength(1);
    });

  test("writes what unpacks to more than anybody can hold: it is not unpacked", async () => {
    const key = new Uint8Array(32);
    const { sign } = await newIdentity();
    const { publicKey, id: by } = publicOf(sign);
    const header = { space: "s", epoch: 1, stream: `${by}-a`, number: 1, previous: "", by };
    const bytes = await seal(header, "x".repeat(70 << 20), key, signingKey(sign));
    expect(bytes.length).toBeLessThan(1 << 20);
    expect(unseal(bytes, key, publicKey)).rejects.toThrow("cannot be opened");
  });
});
