// The small parts of the memory files: what a session is read from, files and index on disk, choices that are taken up.
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gatherSession } from "../../../plugins/memory-files/find-items.ts";
import { addToFiles, kinds, removeFromFiles } from "../../../plugins/memory-files/item-files.ts";
import {
  type HistoryEntry,
  type MemoryFolder,
  memoryFolder,
  noteForgotten,
  openHistory,
  withoutForgotten,
} from "../../../plugins/memory-files/memory-folder.ts";
import { choiceOf, isTakenUp } from "../../../plugins/memory-files/said-items.ts";
import type { StorageClient } from "../../../src/sdk/context.ts";
import type { EvidenceKind } from "../../../src/sdk/turn.ts";
import { sampleMemory, sampleTurn } from "../../support/sample-records.ts";

let root: string;
let folder: MemoryFolder;
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), "memoir-files-"));
  folder = memoryFolder(join(root, "memory"));
});
afterEach(() => rm(root, { recursive: true }));
const path = (name: string) => join(root, "memory", name);
const json = async (name: string) => JSON.parse(await readFile(path(name), "utf8"));
const broken = async (name: string, text = "no json") => {
  await folder.write(name, 1);
  await writeFile(path(name), text);
};

describe("the folder", () => {
  test("is made with the first write, for its owner alone, and holds whole files only", async () => {
    expect(await folder.read("a.json")).toEqual({ state: "missing" });
    expect(await readdir(root)).toEqual([]);
    await folder.write("a.json", { one: 1 });
    expect(await readFile(path("a.json"), "utf8")).toBe('{\n  "one": 1\n}\n');
    expect(await folder.read("a.json")).toEqual({ state: "read", value: { one: 1 } });
    expect([
      (await stat(path(""))).mode & 0o777,
      (await stat(path("a.json"))).mode & 0o777,
    ]).toEqual([...[0o700, 0o600]]);
    await broken("b.json");
    expect(await folder.read("b.json")).toEqual({ state: "broken" });
  });

  test("a write that fails says so, and leaves no draft behind", async () => {
    await folder.write("a.json", 1);
    await expect(folder.write("no/such.json", 1)).rejects.toThrow();
    const round: Record<string, unknown> = {};
    round.own = round;
    await expect(folder.write("a.json", round)).rejects.toThrow();
    expect(await readdir(path(""))).toEqual(["a.json"]);
  });
});

const item = (
  id: string,
  kind: (typeof kinds)[number] = "facts",
  content = `content of ${id}`,
) => ({
  ...sampleMemory({ kind, content }),
  id,
});

describe("the files of items", () => {
  test("one a kind, without naming it in each item; new ones at the end, known ones once", async () => {
    expect(await addToFiles(folder, [item("m1"), item("m2", "decisions")])).toEqual([]);
    expect((await readdir(path(""))).sort()).toEqual(
      [...kinds.map((kind) => `${kind}.json`), "written.json"].sort(),
    );
    await addToFiles(folder, [item("m3"), { ...item("m1"), content: "another" }]);
    const { kind: _, ...first } = item("m1");
    const { kind: __, ...third } = item("m3");
    expect(await json("facts.json")).toEqual([first, third]);
    expect((await json("decisions.json")).map(({ id }: { id: string }) => id)).toEqual(["m2"]);
  });

  test("what is no list is left alone and named, the others are written", async () => {
    await broken("facts.json");
    await broken("decisions.json", '{"mine": 1}');
    expect(await addToFiles(folder, [item("m1"), item("m2", "preferences")])).toEqual([
      ...kinds
        .filter((kind) => kind === "facts" || kind === "decisions")
        .map((kind) => `${kind}.json`),
    ]);
    expect(await readFile(path("facts.json"), "utf8")).toBe("no json");
    expect(await json("preferences.json")).toHaveLength(1);
  });

  test("what is taken out is said, others stay, also those that a person wrote", async () => {
    await addToFiles(folder, [item("m1"), item("m2"), item("m3", "decisions")]);
    await folder.write("facts.json", [...(await json("facts.json")), "a line of mine"]);
    await broken("gotchas.json");
    expect(await removeFromFiles(folder, new Set(["m1", "m3", "m9"]))).toEqual({
      contents: expect.arrayContaining(["content of m1", "content of m3"]),
      broken: ["gotchas.json"],
    });
    const { kind: _, ...second } = item("m2");
    expect(await json("facts.json")).toEqual([second, "a line of mine"]);
    expect(await json("decisions.json")).toEqual([]);
    await rm(path("facts.json"));
    expect((await removeFromFiles(folder, new Set(["m2"]))).contents).toEqual([]);
  });
});

describe("what was forgotten", () => {
  test("is not found again, however it is spaced and written, and leaves no text", async () => {
    await noteForgotten(folder, ["Use  PNPM\nhere"]);
    await noteForgotten(folder, ["And bun", "and bun"]);
    const found = ["use pnpm here", "AND BUN", "use npm here"].map((content) =>
      item("m", "facts", content),
    );
    expect((await withoutForgotten(folder, found)).map(({ content }) => content)).toEqual([
      "use npm here",
    ]);
    const hashes: string[] = await json("forgotten.json");
    expect(hashes.map((hash) => /^[0-9a-f]{32}$/.test(hash))).toEqual([true, true]);
  });

  test("nothing is written for nothing, nor into a file that cannot be understood", async () => {
    await noteForgotten(folder, []);
    expect(await readdir(root)).toEqual([]);
    for (const text of ["no json", '{"a": 1}']) {
      await broken("forgotten.json", text);
      await noteForgotten(folder, ["x"]);
      expect(await readFile(path("forgotten.json"), "utf8")).toBe(text);
      expect(await withoutForgotten(folder, [item("m1")])).toHaveLength(1);
    }
  });
});

describe("the index of sessions", () => {
  const entry = (session: string, prompts = 1): HistoryEntry => ({
    ...{ session, project: "shop", title: "t", date: "2026-11-01", prompts, topics: [] },
    summarized: true,
  });
  test("begins now, and keeps its beginning and what was noted last of each", async () => {
    const first = await openHistory(folder, 77);
    await first.note(entry("s1"));
    await first.note(entry("s2"));
    await first.note(entry("s1", 2));
    const again = await openHistory(folder, 99);
    expect([again.since, again.has("s1"), again.has("s3")]).toEqual([77, true, false]);
    expect(again.find("s1")).toEqual(entry("s1", 2));
    expect((await json("history.json")).sessions.map((one: HistoryEntry) => one.session)).toEqual([
      ...["s2", "s1"],
    ]);
  });

  test("sessions are taken out; nothing is written where none is there", async () => {
    const history = await openHistory(folder, 77);
    await history.leaveOut(new Set(["s1"]));
    expect(await readdir(root)).toEqual([]);
    await history.note(entry("s1"));
    await history.note(entry("s2"));
    await history.leaveOut(new Set(["s1", "s9"]));
    expect([history.has("s1"), history.has("s2")]).toEqual([false, true]);
    expect((await openHistory(folder, 1)).has("s1")).toBe(false);
  });

  test.each(["no json", '{"since": "x"}'])("%s is not written over", async (text) => {
    await broken("history.json", text);
    const history = await openHistory(folder, 77);
    await history.note(entry("s1"));
    expect([history.since, history.has("s1")]).toEqual([77, true]);
    await history.leaveOut(new Set(["s1"]));
    expect(await readFile(path("history.json"), "utf8")).toBe(text);
  });
});

describe("what a session is read from", () => {
  const storage = (kind: string) => {
    const asked: unknown[] = [];
    const list = (name: string) => async (query: object) => {
      asked.push([name, query]);
      return ["second", "first"].map((id) => ({ id: `${id} ${name}`, session: "s1" }));
    };
    const client = {
      get: async (query: object) => {
        asked.push(["get", query]);
        return kind === "" ? [] : [{ kind, record: { id: "s1" } }];
      },
      ...{ prompts: list("prompts"), observations: list("observations") },
      summaries: list("summaries"),
      turns: async (query: object) => [
        ...(await list("turns")(query)),
        { id: "t9", session: "s1-longer" },
      ],
    };
    return { asked, client: client as unknown as StorageClient };
  };

  test("its newest 300 records of each kind, oldest first, and no turns of others", async () => {
    const { asked, client } = storage("session");
    const found = await gatherSession(client, "s1");
    const ids = (list: ReadonlyArray<{ id: string }> = []) => list.map(({ id }) => id);
    expect(found?.session).toEqual({ id: "s1" } as never);
    for (const name of ["prompts", "observations", "summaries", "turns"] as const)
      expect(ids(found?.[name])).toEqual([`first ${name}`, `second ${name}`]);
    const query = { session: "s1", limit: 300 };
    expect(asked).toEqual([
      ["get", { ids: ["s1"] }],
      ...["prompts", "observations", "summaries", "turns"].map((name) => [name, query]),
    ]);
  });

  test("nothing where there is no such session", async () => {
    expect(await gatherSession(storage("").client, "s1")).toBeUndefined();
    expect(await gatherSession(storage("turn").client, "s1")).toBeUndefined();
  });
});

describe("a choice", () => {
  test("is an item that ends in its answer, of which the question is the rest", () => {
    const content = "Which database? Postgres 17";
    expect(choiceOf({ content, quote: "Postgres 17\nbecause of the team" })).toEqual({
      ...{ answer: "Postgres 17", question: "Which database?" },
    });
    for (const quote of [undefined, "", "Postgres", content])
      expect(choiceOf({ content, ...(quote !== undefined && { quote }) })).toBeUndefined();
  });

  const spoken = (text: string, kind: EvidenceKind = "prompt") => [
    sampleTurn({ pieces: [{ kind, text }] }),
  ];
  const choice = { answer: "green buttons everywhere", question: "Which buttons look best?" };
  test.each<[boolean, string]>([
    [true, "Make the green buttons larger everywhere"],
    [true, "Paint the buttons green"],
    [false, "Paint the buttons red"],
    [false, "Nothing of it"],
  ])("is taken up %p by: %s", (wanted, text) => {
    expect(isTakenUp(choice, spoken(text))).toBe(wanted);
  });

  test("of one word needs a word of its question beside it, in one turn", () => {
    const one = { answer: "Postgres", question: "Which database engine?" };
    expect(isTakenUp(one, spoken("We use Postgres"))).toBe(false);
    expect(isTakenUp(one, spoken("The database runs in Postgres"))).toBe(true);
    expect(isTakenUp(one, [...spoken("We use Postgres"), ...spoken("The database")])).toBe(false);
  });

  test("is taken up by what people and agents state, not by what a tool printed", () => {
    const text = "green buttons everywhere";
    const stating = ["prompt", "typed", "refusal", "choice", "plan", "commit", "closing"] as const;
    for (const kind of stating)
      expect([kind, isTakenUp(choice, spoken(text, kind))]).toEqual([kind, true]);
    for (const kind of ["passed", "failure", "said", "report"] as const)
      expect([kind, isTakenUp(choice, spoken(text, kind))]).toEqual([kind, false]);
  });
});
