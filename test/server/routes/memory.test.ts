// What the routes about memory ask of storage, and what they answer.
import { describe, expect, test } from "bun:test";
import { createApp } from "../../../src/server/app.ts";
import { sessionContexts } from "../../../src/server/memory/context-preview.ts";
import { observation, prompt, searchResult, session, summary } from "../../support/records.ts";
import { appOptions } from "../app-options.ts";
import { type FakeOptions, fakeRuntime } from "../fake-runtime.ts";

/** The routes over a storage that answers so, with what it was asked. */
function routes(answers: FakeOptions["answers"] = {}) {
  const asked: Array<[string, unknown]> = [];
  const noted = Object.fromEntries(
    Object.entries(answers).map(([name, answer]) => [
      name,
      (input: unknown) => {
        asked.push([name, input]);
        return (answer as (input: unknown) => unknown)(input);
      },
    ]),
  );
  const runtime = fakeRuntime({ answers: noted });
  const app = createApp({ ...appOptions(), runtime });
  const call = async (path: string, body?: object) => {
    const init = body && { method: "POST", body: JSON.stringify(body) };
    const response = await app.handle(new Request(`http://localhost/api${path}`, init));
    return { status: response.status, body: await response.json() };
  };
  return { call, asked };
}

test("a search without words is one for what is newest; every filter goes along", async () => {
  const { call, asked } = routes({
    "storage.search": () => [searchResult(observation("o7"))],
    "storage.sessions": () => [],
    "storage.get": () => [],
  });
  const { body } = await call("/search?limit=3&kinds=turn,prompt&since=5&project=shop");
  expect(body.results.map(({ id }: { id: string }) => id)).toEqual(["o7"]);
  expect(asked.filter(([name]) => name === "storage.search")).toEqual([
    [
      "storage.search",
      { by: "turn", text: "", limit: 3, kinds: ["turn", "prompt"], since: 5, project: "shop" },
    ],
  ]);
});

test("a search with titles says what its sessions are called, of which client they are, and who made those of others", async () => {
  const from = { person: "Bo", machine: "box" };
  const { call } = routes({
    "storage.search": () => [searchResult(observation("o7", { session: "s1" }))],
    "storage.sessions": () => [],
    "storage.get": ({ ids }: { ids: string[] }) =>
      ids.flatMap((id) =>
        id === "s1" ? [{ kind: "session", record: { ...session("s1"), title: "Cart", from } }] : [],
      ),
  } as FakeOptions["answers"]);
  expect((await call("/search?titles=true")).body).toMatchObject({
    ...{ titles: { s1: "Cart" }, clients: { s1: "claude-code" }, makers: { s1: from } },
  });
  expect((await call("/search")).body).not.toHaveProperty("makers");
});

describe("one session", () => {
  const [one, two] = [session("s1"), session("s12")];
  const page = {
    "storage.prompts": () => [prompt("p1")],
    "storage.summaries": () => [summary("m1")],
    "storage.observations": () => [observation("o7")],
    "storage.turns": () => [],
  };

  test("of more than fits, says where it goes on: at the first list that was cut", async () => {
    const many = Array.from({ length: 500 }, (_, at) => prompt(`p${at}`, { time: 1_000 + at }));
    const made = Array.from({ length: 500 }, (_, at) => observation(`o${at}`, { time: 10 + at }));
    const { call, asked } = routes({
      ...{ ...page, "storage.sessions": () => [one] },
      ...{ "storage.prompts": () => many, "storage.observations": () => made },
    });
    expect((await call("/sessions/s1")).body.next).toBe(509);
    expect((await call("/sessions/s1?since=509")).body.next).toBe(510);
    expect(asked.filter(([name]) => name === "storage.turns").map(([, query]) => query)).toEqual([
      { session: "s1", limit: 500, order: "oldest" },
      { session: "s1", limit: 500, order: "oldest", since: 509 },
    ]);
    const few = routes({ ...page, "storage.sessions": () => [one] });
    expect((await few.call("/sessions/s1")).body).not.toHaveProperty("next");
  });

  test("was told so much, by records that are still there, and lost so much to Endless Mode; one that is unknown is none", async () => {
    const known = { ...one, startedAt: 100, lastActiveAt: 200 };
    const times: unknown[] = [];
    const runtime = fakeRuntime({
      answers: {
        "storage.get": ({ ids }) => [
          ...(ids.includes("s1") ? [{ kind: "session" as const, record: known }] : []),
          ...(ids.includes("o7")
            ? [{ kind: "observation" as const, record: observation("o7") }]
            : []),
        ],
      },
    });
    const told = {
      ...{ session: "s1", client: "claude-code", event: "SessionStart", time: 101, tokens: 9 },
      records: ["o7", "o8"],
    };
    runtime.toldTo = (of) => {
      times.push(of);
      return [told];
    };
    runtime.endless.takenOut = async () => {
      throw new Error("damaged");
    };
    const found = await sessionContexts(runtime, "s1");
    expect(found).toMatchObject({ told: [told], records: [{ id: "o7" }], takenOut: [] });
    const day = 24 * 60 * 60_000;
    expect(times).toEqual([{ session: "s1", since: 100 - day, until: 200 + day }]);
    await expect(sessionContexts(runtime, "s9")).rejects.toMatchObject({
      code: "record_not_found",
    });
  });

  test("comes with what is in it, the oldest first", async () => {
    const { call, asked } = routes({ ...page, "storage.sessions": () => [one] });
    const { body } = await call("/sessions/s1");
    expect(body).toMatchObject({ session: { id: "s1" }, prompts: [{ id: "p1" }], turns: [] });
    expect(asked[0]).toEqual(["storage.sessions", { session: "s1", limit: 2 }]);
    for (const [, query] of asked.slice(1))
      expect(query).toMatchObject({ session: "s1", order: "oldest" });
    expect(asked).toHaveLength(5);
  });

  test("whose id begins another's is itself, and none is not found", async () => {
    const both = routes({ ...page, "storage.sessions": () => [two, one] });
    expect((await both.call("/sessions/s1")).body.session.id).toBe("s1");
    const none = routes({ ...page, "storage.sessions": () => [] });
    expect(await none.call("/sessions/s9")).toMatchObject({
      status: 404,
      body: { error: { code: "record_not_found" } },
    });
  });
});

test("a record is given whole, and one that is not there is not found", async () => {
  const stored = { kind: "observation" as const, record: observation("o7") };
  const { call } = routes({ "storage.get": ({ ids }) => (ids.includes("o7") ? [stored] : []) });
  expect((await call("/records/o7")).body).toMatchObject({
    kind: "observation",
    record: { id: "o7" },
  });
  expect((await call("/records/o8")).status).toBe(404);
});

test("a dry run of forgetting says what would go, and nothing goes", async () => {
  const { call, asked } = routes({
    "storage.get": () => [{ kind: "observation", record: observation("o7") }],
    "storage.delete": ({ ids }) => ({ deleted: ids }),
  });
  const dry = await call("/forget", { ids: ["o7"], dryRun: true });
  expect(dry.body).toMatchObject({
    deleted: [],
    going: [expect.stringContaining("o7 observation: ")],
  });
  expect(asked.map(([name]) => name)).not.toContain("storage.delete");
});

describe("the server's own routes", () => {
  const options = appOptions();
  const done: string[] = [];
  const app = createApp({
    ...options,
    drainSpool: async () => void done.push("spool"),
    reloaded: async () => void done.push("reloaded"),
    stop: () => void done.push("stop"),
  });
  const post = async (path: string, body: object = {}) =>
    (
      await app.handle(
        new Request(`http://localhost/api${path}`, { method: "POST", body: JSON.stringify(body) }),
      )
    ).json();

  test("a drain takes the spool in first, then waits for the work of whom it names", async () => {
    expect(await post("/drain", { session: "s1" })).toEqual({ drained: true });
    expect(done.splice(0)).toEqual(["spool"]);
    expect(options.runtime.drains.at(-1)).toEqual({ session: "s1", timeoutMs: 30_000 });
    await post("/drain", { timeoutMs: 5 });
    expect(options.runtime.drains.at(-1)).toEqual({ timeoutMs: 5 });
    done.length = 0;
  });

  test("a reload is told once it is in force, and a stop begins before its answer", async () => {
    expect(await post("/reload")).toEqual({ reloaded: true });
    expect([options.runtime.calls.at(-1), done.splice(0)]).toEqual(["reload", ["reloaded"]]);
    expect(await post("/stop")).toEqual({ stopping: true });
    expect(done).toEqual(["stop"]);
  });

  test("a context is previewed for a session that nobody has, at its start or for a prompt", async () => {
    const get = (query: string) => app.handle(new Request(`http://localhost/api/context?${query}`));
    await get("cwd=/w/shop");
    await get("cwd=/w/shop&source=compact");
    await get("cwd=/w/shop&prompt=Fix%20it");
    expect(options.runtime.previewed.map((event) => ({ ...event, time: 0 }))).toMatchObject([
      { name: "SessionStart", source: "startup", cwd: "/w/shop" },
      { name: "SessionStart", source: "compact" },
      { name: "UserPromptSubmit", prompt: "Fix it" },
    ]);
    expect(new Set(options.runtime.previewed.map(({ session: of }) => of)).size).toBe(3);
  });
});
