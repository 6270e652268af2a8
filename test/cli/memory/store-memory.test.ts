// `memoir store-memory`, `update-session-metadata`, `store-overview` as typed: what goes to the server, and what is printed.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { ownHome } from "../../support/own-home.ts";
import { typed } from "../../support/typed.ts";

let place: Awaited<ReturnType<typeof ownHome>>;
beforeAll(async () => {
  place = await ownHome();
});
afterAll(() => place.end());

const session = ["-p", "shop", "-s", "s1"];
const required = {
  ...{ "--title": "Loop fixed", "--subtitle": "It is", "--facts": '["a", "b"]' },
  ...{ "--concepts": "[]", "--files": '["a.ts"]', "--date": "2026-11-21" },
};
const store = (more: Record<string, string> = {}, flags: string[] = [], stored = true) =>
  typed(
    ["store-memory", ...session, ...Object.entries({ ...required, ...more }).flat(), ...flags],
    { "/api/store-memory": { id: "o7", stored } },
    { cwd: "/w/shop" },
  );

test("an observation goes to the server with its lists parsed, its date as a time and the folder it was said in", async () => {
  const { code, out, asked } = await store({
    ...{ "--date": "2026-11-21T10:00:00Z", "--type": "bugfix", "--narrative": "All" },
    ...{ "--prompt": "0", "--id": "mine" },
  });
  expect([code, out]).toEqual([0, ["Stored as o7."]]);
  expect(asked).toEqual([
    {
      ...{ method: "POST", path: "/api/store-memory", query: {} },
      body: {
        ...{ project: "shop", session: "s1", root: "/w/shop", title: "Loop fixed" },
        ...{ subtitle: "It is", facts: ["a", "b"], concepts: [], files: ["a.ts"] },
        ...{ time: Date.UTC(2026, 10, 21, 10), type: "bugfix", narrative: "All" },
        ...{ prompt: 0, id: "mine" },
      },
    },
  ]);
  expect((await store()).asked[0]?.body).not.toHaveProperty("prompt");
});

test("a repeat says under which id it was stored; as JSON it is the server's answer", async () => {
  expect((await store({}, [], false)).out).toEqual(["Was stored before, as o7."]);
  expect((await store({}, ["--json"], false)).out).toEqual(['{"id":"o7","stored":false}']);
});

test("a list that is none, a number that is none and an option left out are refused before anything is asked", async () => {
  for (const [name, value] of [
    ["--facts", "one, two"],
    ["--concepts", '{"a":1}'],
    ["--files", '["a", 1]'],
  ] as const) {
    const { code, err, asked } = await store({ [name]: value });
    expect([code, err[0], asked]).toEqual([2, `error: ${name} is not a JSON list of texts.`, []]);
    expect(err[1]).toStartWith(`fix: Write ${name} '["one", "two"]', with single quotes`);
  }
  for (const prompt of ["1.5", "x1", "1x", "-1", "1234567890"]) {
    const { code, err, asked } = await store({ "--prompt": prompt });
    expect([code, err[0], asked]).toEqual([2, "error: --prompt is no whole number.", []]);
  }
  const { code, err } = await typed(["store-memory", ...session]);
  expect([code, err[0]]).toEqual([2, expect.stringContaining("--title")]);
});

test("a session's title and an overview go with all their fields, and say what became of them", async () => {
  const answers = {
    "/api/update-session-metadata": { session: "s1" },
    "/api/store-overview": { id: "m3", stored: true },
  };
  const run = (...words: string[]) => typed([...words, ...session], answers, { cwd: "/w/shop" });
  const place = { project: "shop", session: "s1", root: "/w/shop" };
  const titled = await run("update-session-metadata", "--title", "T", "--subtitle", "S");
  expect([titled.out, titled.asked[0]?.body]).toEqual([
    ["Session s1 is called “T”."],
    { ...place, title: "T", subtitle: "S" },
  ]);
  const overview = ["store-overview", "--content", "C", "--request", "R", "--learned", "L"];
  const stored = await run(...overview, "--next-steps", "N");
  expect([stored.out, stored.asked[0]?.body]).toEqual([
    ["Stored as m3."],
    { ...place, content: "C", request: "R", learned: "L", nextSteps: "N" },
  ]);
  expect((await run(...overview, "--json")).out).toEqual(['{"id":"m3","stored":true}']);
  expect(
    (await run("update-session-metadata", "--title", "T", "--subtitle", "S", "--json")).out,
  ).toEqual(['{"session":"s1"}']);
});
