// `memoir sessions`, `search`, `related`, `timeline` and `forget` as typed: one and none, what narrows, what is asked of whom.
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { dateTime } from "../../../src/cli/terminal/layout.ts";
import type { Terminal } from "../../../src/cli/terminal/terminal.ts";
import type { AskedRoute, CannedAnswers } from "../../support/canned-server.ts";
import { ownHome } from "../../support/own-home.ts";
import { quietStatus } from "../../support/quiet-status.ts";
import {
  observation,
  prompt,
  searchResult,
  session,
  summary,
  timelineItem,
} from "../../support/records.ts";
import { typed } from "../../support/typed.ts";

let place: Awaited<ReturnType<typeof ownHome>>;
beforeEach(async () => {
  place = await ownHome();
});
afterEach(() => place.end());

const { time } = observation("o1");
const now = time + 7_200_000;
const run = (words: string, answers: CannedAnswers = {}, more: Partial<Terminal> = {}) =>
  typed(words.split(" "), answers, { now: () => now, cwd: "/home/ada/shop/src", ...more });
const shop = {
  ...{ id: "github.com/acme/shop", name: "shop", sessions: 1, observations: 0 },
  lastActiveAt: 0,
};
const known = {
  "/api/status": { ...quietStatus, storage: { ...quietStatus.storage, projects: [shop] } },
};

describe("sessions", () => {
  test("of this folder are of the project that holds it; that none holds it is said, and no error", async () => {
    const other = { project: { id: "till", name: "till", root: "/home/ada/till" } };
    const answers = { "/api/sessions": { sessions: [session("s2", other), session("s1")] } };
    const { asked, code } = await run("sessions --project . --since 2h --until 1h", answers);
    expect([code, asked.map(({ query }) => query)]).toEqual([
      0,
      [
        { limit: "500" },
        {
          ...{ project: "github.com/acme/shop", limit: "20" },
          ...{ since: String(now - 7_200_000), until: String(now - 3_600_000) },
        },
      ],
    ]);
    const beside = (query: object) => ("project" in query ? [] : answers["/api/sessions"].sessions);
    const none = {
      "/api/sessions": ({ query }: AskedRoute) => ({ sessions: beside(query) }),
      "/api/search": { results: [] },
      "/api/timeline": { items: [] },
    };
    for (const words of ["sessions -p .", "search -p .", "memory timeline -p ."]) {
      const { code, out } = await run(words, none, { cwd: "/home/ada/blog" });
      expect([code, out[0]]).toEqual([0, "No session of /home/ada/blog is in memory yet."]);
    }
  });

  test("where there are none says so", async () => {
    const none = { "/api/sessions": { sessions: [] }, ...known };
    expect((await run("sessions", none)).out).toEqual([
      "No sessions in memory yet.",
      "`memoir status` says whether anything is captured.",
    ]);
    expect((await run("sessions -p shop", none)).out).toHaveLength(2);
    expect((await run("sessions --json", none)).out).toEqual(['{"sessions":[]}']);
  });

  test("a list ends with how to look into one; a session that is over has no mark", async () => {
    const one = session("0123456789", { prompts: 1, observations: 0 });
    const { out } = await run("sessions", { "/api/sessions": { sessions: [one] } });
    expect(out).toEqual([
      "01234567     2h ago  shop  1 prompt  0 obs  Fix the login loop",
      "",
      "memoir sessions <id> shows what happened in it.",
    ]);
  });

  test("one without a summary of its own shows the last of its prompts'", async () => {
    const page = {
      ...{ session: session("s1"), prompts: [], observations: [], turns: [] },
      summaries: [
        summary("m1", { scope: "prompt", promptNumber: 1 }),
        summary("m2", { scope: "prompt", promptNumber: 2 }),
      ],
    };
    const { out } = await run("sessions s1", { "/api/sessions/s1": page });
    expect(out.filter((line) => /^m\d/.test(line))).toEqual([
      expect.stringContaining("m2  summary of prompt 2"),
    ]);
  });
});

describe("a misspelt filter that found nothing is wrong usage, with what was meant", () => {
  const none = {
    ...{ "/api/search": { results: [] }, "/api/sessions": { sessions: [] } },
    ...{ "/api/timeline": { items: [] }, "/api/marked": { records: [] }, ...known },
  };
  const mistakes: Array<[string, string, string]> = [
    ["search x -p shp", "There is no project shp; did you mean shop?", "There is shop;"],
    ["search x -p nosuch", "There is no project nosuch.", "There is shop;"],
    ["sessions -p shp", "There is no project shp; did", "`memoir memory projects` lists them"],
    ["memory timeline -p shp", "There is no project shp; did", ""],
    ["memory pin -p shp", "There is no project shp; did", ""],
    ["search x -t bugfx", "Nothing in memory is of type bugfx.", "Did you mean --type bugfix?"],
    ["search x -t nosuch", "Nothing in memory is of type nosuch.", "There is decision, bugfix,"],
    ["sessions --client claud-code", "of client claud-code.", "Did you mean --client claude-code?"],
    ["search --client nosuch", "of client nosuch.", "There is claude-code, codex,"],
    ["search x --by bo", "Nothing in memory is by bo.", "`--by me` is you"],
    ["memory timeline -s 3f", "No session's id begins with 3f.", "`memoir sessions` lists them."],
  ];
  test.each(mistakes)("%s", async (words, message, fix) => {
    const { code, out, err } = await run(words, none);
    expect([code, out, err]).toEqual([
      2,
      [],
      [expect.stringContaining(message), expect.stringContaining(fix)],
    ]);
    const json = await run(`${words} --json`, none);
    expect([json.code, JSON.parse(json.out.join("")).error.code]).toEqual([2, "usage"]);
  });

  test("what memoir knows, or memory has, is none", async () => {
    const fine = ["search x -p shop", "search x -t refactor", "search x -t memory"];
    for (const words of [
      ...fine,
      "search x --client codex",
      "search x --by me",
      "search x -f a.ts",
    ])
      expect(await run(words, none)).toMatchObject({ code: 0, err: [] });
    // A strategy's own type, another member, a session: something is of it, but not with these words.
    const some: CannedAnswers = {
      ...none,
      "/api/search": ({ query }) => ({
        results: query.text === "" ? [searchResult(observation("o7"))] : [],
      }),
    };
    for (const words of ["search x -t incident", "search x --by bo", "search x -s 3f"])
      expect(await run(words, some)).toMatchObject({ code: 0, err: [] });
    // Two that share a name are told apart, and found by it.
    const [status, cli] = [
      known["/api/status"],
      (name: string) => ({ ...shop, id: `g/${name}`, name, plain: "cli" }),
    ];
    const projects = [cli("acme/cli"), cli("till/cli")];
    const two = { ...none, "/api/status": { ...status, storage: { ...status.storage, projects } } };
    expect((await run("search x -p cli", two)).code).toBe(0);
    expect((await run("search x -p acme/cli", two)).code).toBe(0);
  });
});

describe("search", () => {
  const found = searchResult(observation("o7"));
  test("of nothing tries what fits the question", async () => {
    const none = { "/api/search": { results: [] }, ...known };
    const last = async (words: string) => (await run(words, none)).out.at(-1);
    const all =
      "`memoir sessions` lists what there is; `memoir status` says whether anything is captured.";
    expect(await last("search")).toBe(all);
    expect(await last("search x")).toBe(`Try different words. ${all}`);
    expect(await last("search -p shop --type bugfix")).toBe(`Try fewer filters. ${all}`);
    const both = await run("search x -p shop", none);
    expect(both.out).toEqual([
      "Nothing found for “x” in project shop.",
      `Try different words, or fewer filters. ${all}`,
    ]);
  });

  test("outside of a client's session names none, and asks for twenty", async () => {
    const asked = async (env?: Record<string, string>) =>
      (
        await run(
          "search a b",
          { "/api/search": { results: [found] } },
          {
            env: { HOME: place.root, MEMOIR_HOME: place.home, ...env },
          },
        )
      ).asked[0]?.query;
    expect(await asked()).toEqual({ text: "a b", limit: "20", cwd: "/home/ada/shop/src" });
    expect(await asked({ PI_SESSION_ID: "p1" })).toHaveProperty("asking", "p1");
    expect(await asked({ CLAUDE_CODE_SESSION_ID: "" })).not.toHaveProperty("asking");
  });

  test("shows facts only where they are asked for, and of a text that is shown already nothing again", async () => {
    const turn = {
      ...found,
      kind: "turn",
      type: "turn",
      title: "Mend the cart …",
      subtitle: "It is",
    };
    const lines = async (excerpt: string, words = "search x") =>
      (await run(words, { "/api/search": { results: [{ ...turn, excerpt }] } })).out;
    expect(await lines("Then this")).toContain("    Then this");
    expect(await lines("It is so")).not.toContain("    It is so");
    expect((await lines("Mend the cart now")).join()).not.toContain("now");
    expect((await lines("x")).join()).not.toContain("·  ");
    expect(await lines("x", "search x --level facts")).toContain(`    · ${found.facts[0]}`);
    expect((await lines("x")).join()).not.toContain(found.facts[0] ?? "");
  });
});

test("related: an id in full for a record, its beginning for a session, and each on its line", async () => {
  const one = (id: string, kind: string) => ({
    ...{ id, kind, type: kind, title: `T ${id}`, project: "acme/shop", createdAt: time },
    because: [{ kind: "file", what: "a.ts" }],
  });
  const answers = {
    "/api/records/o7": { kind: "observation", record: observation("o7") },
    "/api/related/o7": {
      related: [
        one("0123456789", "session"),
        { ...one("t12345678901", "turn"), projectName: "acme/shop" },
      ],
    },
  };
  expect((await run("memory related o7", answers)).out).toEqual([
    "01234567      session  T 0123456789  shop · 2h ago",
    "    file a.ts",
    "t12345678901  turn     T t12345678901  acme/shop · 2h ago",
    "    file a.ts",
  ]);
  const none = { ...answers, "/api/related/o7": { related: [] } };
  expect((await run("memory related o7", none)).out).toEqual(["Nothing is related to o7."]);
});

test("a timeline of nothing says where to look; around a record that is none it is an error", async () => {
  const empty = { "/api/timeline": { items: [] } };
  expect((await run("memory timeline", empty)).out).toEqual([
    "Memory is empty.",
    "`memoir sessions` lists what there is.",
  ]);
  expect((await run("memory timeline o9", empty)).err[0]).toBe("error: There is no record o9.");
  const items = [timelineItem({ kind: "prompt", record: prompt("p1") })];
  const { out, asked } = await run("memory timeline --session s1", { "/api/timeline": { items } });
  const [day, clock] = dateTime(time).split(" ");
  expect([out, asked.at(-1)?.query.session]).toEqual([
    [day as string, `${clock}   p1  prompt  “Now test it.”`],
    "s1",
  ]);
});

describe("forget", () => {
  const none = { repeats: [], named: {} };
  const going = { going: ["o7 x"], ids: ["o7"], ...none, derived: [], copies: ["b1", "b2"] };
  const gone = { deleted: ["o7"], ...none, derived: ["m1"], copies: ["b1"] };
  const answers = (more: object = {}): CannedAnswers => ({
    "/api/forget": ({ body }) =>
      (body as { dryRun?: boolean }).dryRun ? going : { ...gone, ...more },
  });

  test("says which copies stay, and which go where that is asked for; nothing else is sent than was said", async () => {
    const dry = await run("memory forget o7 --dry-run", answers());
    expect(dry.out.at(-1)).toBe("These copies would still hold it: b1, b2.");
    expect(dry.asked[0]?.body).toEqual({ ids: ["o7"], dryRun: true });
    const with_ = await run("memory forget o7 --dry-run --backups", answers());
    expect(with_.out.at(-1)).toBe("These copies would go as a whole: b1, b2.");
    const json = await run("memory forget o7 --dry-run --json", answers());
    expect(JSON.parse(json.out.join(""))).toEqual(going);
    const done = await run("memory forget o7 --yes --derived --backups", answers());
    expect(done.asked.map(({ body }) => body)).toEqual([
      { ids: ["o7"], derived: true, backups: true },
    ]);
  });

  test("of many thirty are named, and how many more there are", async () => {
    const many = (count: number) => ({
      ...{
        deleted: Array.from({ length: count }, (_, at) => `o${at}`),
        ...none,
        derived: [],
        copies: [],
      },
    });
    const last = async (count: number) =>
      (await run("memory forget --project shop --yes", answers(many(count)))).out;
    expect(await last(30)).toEqual([expect.stringMatching(/^Deleted o0, .*, o29\.$/)]);
    expect(await last(31)).toEqual([expect.stringMatching(/, o29, and 1 record more\.$/)]);
  });

  test("asks for what was derived only where there is some and nothing was said, and takes the answer", async () => {
    const questions: string[] = [];
    const person = (...yes: boolean[]): Partial<Terminal> => ({
      interactive: true,
      confirm: async (question) => {
        questions.push(question);
        return yes.shift() ?? false;
      },
    });
    const derived: CannedAnswers = {
      "/api/forget": ({ body }) =>
        (body as { dryRun?: boolean }).dryRun ? { ...going, derived: ["m1"] } : gone,
    };
    const both = await run("memory forget o7", derived, person(true, true));
    expect(both.asked.at(-1)?.body).toEqual({ ids: ["o7"], derived: true });
    const one = await run("memory forget o7", derived, person(true, false));
    expect(one.asked.at(-1)?.body).toEqual({ ids: ["o7"], derived: false });
    expect(questions).toEqual([
      ...["Delete it?", "Also delete what was made from it?"],
      ...["Delete it?", "Also delete what was made from it?"],
    ]);
    questions.length = 0;
    await run("memory forget o7 --derived", derived, person(true));
    await run("memory forget o7", answers(), person(true));
    expect(questions).toEqual(["Delete it?", "Delete it?"]);
  });
});
