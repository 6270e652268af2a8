import { expect, test } from "bun:test";
import { search } from "../../../src/server/memory/records.ts";
import {
  sampleMemory,
  sampleObservation,
  sampleSession,
  sampleTurn,
} from "../../../src/testing/samples.ts";
import { askedRecords } from "../../support/asked-records.ts";
import { fakeHooks } from "../../support/fake-hooks.ts";

test("names for times come from the project's repository, else from the folder that asks", async () => {
  const folders: string[] = [];
  const hooks = fakeHooks({
    "storage.search": () => [],
    "storage.sessions": ({ project }) =>
      project === "shop" ? [{ project: { root: "/code/shop" } } as never] : [],
  });
  const ask = (query: Parameters<typeof search>[1]) =>
    search({ hooks }, query, async (folder) => {
      folders.push(folder);
      return "1763000000 v1.2\n";
    });
  const marks = [{ name: "v1.2", time: 1_763_000_000_000 }];
  await ask({ text: "tokens before v1.2", project: "shop", cwd: "/elsewhere" });
  await ask({ text: "tokens", also: ["since v1.2"], cwd: "/elsewhere" });
  await ask({ text: "tokens before v1.2", project: "unknown", cwd: "/elsewhere" });
  await ask({ text: "tokens", cwd: "/elsewhere" });
  expect(folders).toEqual(["/code/shop", "/elsewhere"]);
  expect(hooks.inputs("storage.search")).toEqual([
    { by: "turn", text: "tokens before v1.2", project: "shop", marks },
    { by: "turn", text: "tokens", also: ["since v1.2"], marks },
    { by: "turn", text: "tokens before v1.2", project: "unknown" },
    { by: "turn", text: "tokens" },
  ]);
});

test("the folder that asks tells its project, the innermost, unless one is named", async () => {
  const at = (id: string, root: string) => ({ project: { id, root } }) as never;
  const hooks = fakeHooks({
    "storage.search": () => [],
    "storage.sessions": () => [at("code", "/code"), at("shop", "/code/shop"), at("s", "/code/sh")],
  });
  for (const query of [{ cwd: "/code/shop/src" }, { cwd: "/code/shopping" }, { cwd: "/else" }, {}])
    await search({ hooks }, { text: "tokens", ...query }, async () => "");
  await search({ hooks }, { text: "tokens", project: "blog", cwd: "/code" }, async () => "");
  const heres = hooks.inputs("storage.search").map((query) => (query as { here?: string }).here);
  expect(heres).toEqual(["shop", "code", undefined, undefined, undefined]);
});

test("each hit says who is behind what it shows: of a turn, who said the passage that was found", async () => {
  const world = await askedRecords(() => 5);
  const of = { session: "s-1" };
  await world.store.put({
    key: "k",
    records: {
      sessions: [sampleSession({ ...of, title: "Walrus" })],
      turns: [
        sampleTurn({
          ...of,
          pieces: [
            { kind: "prompt", text: "Feed it" },
            { kind: "failure", text: "walrus not found", about: "feed" },
          ],
        }),
        sampleTurn({ ...of, promptNumber: 2, pieces: [{ kind: "prompt", text: "Name a walrus" }] }),
      ],
      observations: [sampleObservation({ ...of, title: "Walrus fed" })],
      memory: [sampleMemory({ ...of, content: "Keep the walrus", state: "candidate" })],
    },
  });
  const hits = await search(world.runtime, { text: "walrus", by: "record" });
  expect(Object.fromEntries(hits.map(({ id, by }) => [id, by]))).toMatchObject({
    t1: "tool",
    t2: "user",
    o1: expect.stringMatching(/^written by /),
    m1: "suggested, not confirmed by the user",
  });
  const [newest] = await search(world.runtime, { text: "", kinds: ["turn"] });
  expect(newest?.by).toBe("user");
  world.store.close();
});
