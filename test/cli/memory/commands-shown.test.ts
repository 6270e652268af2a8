// What the commands about memory ask the server, and what they show of its answer.
import { afterAll, afterEach, beforeAll, expect, test } from "bun:test";
import { recall } from "../../../src/cli/endless/restore.ts";
import { forget } from "../../../src/cli/memory/correct.ts";
import { context, related, search, sessions, timeline } from "../../../src/cli/memory/look.ts";
import { dateTime } from "../../../src/cli/terminal/layout.ts";
import type { Terminal } from "../../../src/cli/terminal/terminal.ts";
import { type CannedAnswers, cannedServer } from "../../support/canned-server.ts";
import { ownHome } from "../../support/own-home.ts";
import { plainTerminal } from "../../support/plain-terminal.ts";
import { quietStatus } from "../../support/quiet-status.ts";
import {
  observation,
  prompt,
  searchResult,
  session,
  summary,
  timelineItem,
} from "../../support/records.ts";

let place: Awaited<ReturnType<typeof ownHome>>;
let stop: (() => Promise<void>) | undefined;
beforeAll(async () => {
  place = await ownHome();
});
afterEach(async () => {
  await stop?.();
  stop = undefined;
});
afterAll(() => place.end());

const { time } = observation("o1");
const now = time + 7_200_000;

/** Runs a command against these answers. */
async function run(
  answers: CannedAnswers,
  command: (terminal: Terminal) => Promise<number>,
  more: Partial<Terminal> = {},
) {
  const server = await cannedServer(place.home, answers);
  stop = server.stop;
  const terminal = plainTerminal({ now: () => now, cwd: "/w/shop", ...more });
  const code = await command(terminal);
  await server.stop();
  stop = undefined;
  return { code, lines: terminal.out.join("\n").split("\n"), asked: server.asked };
}
const found = searchResult(
  observation("o7", { title: "Token loops", subtitle: "It called itself." }),
);
const limit = 10;

test("search asks with every option, and shows title, place, age and what next", async () => {
  const { asked, lines } = await run(
    { "/api/search": { results: [{ ...found, corrected: { tokne: "token" } }] } },
    (terminal) =>
      search(
        ["tokne", "loop"],
        {
          ...{ limit, project: "shop", session: "s1", client: "c", since: "1h", until: "today" },
          ...{ type: "bugfix", concept: "http", file: "a.ts", level: "facts", explain: true },
          ...{ kind: ["observation", "turn"], also: ["one, two", "three"] },
        },
        terminal,
      ),
    { env: { CLAUDE_CODE_SESSION_ID: "s9" } },
  );
  expect(asked[0]?.query).toMatchObject({
    ...{ text: "tokne loop", project: "shop", session: "s1", client: "c", limit: "10" },
    ...{ since: String(now - 3_600_000), type: "bugfix", concept: "http", file: "a.ts" },
    ...{ level: "facts", kinds: "observation,turn", also: "one  two,three", explain: "true" },
    ...{ asking: "s9", cwd: "/w/shop" },
  });
  expect(lines).toEqual([
    "No match for “tokne”; searched for “token” instead.",
    "o7  bugfix  Token loops  shop · 2h ago",
    "    It called itself.",
    `    · ${found.facts[0]}`,
    "",
    "Details: memoir show o7 · Around it: memoir memory timeline o7",
  ]);
});

test("a turn shows the passage that was found, unless its title says it; why where that was asked", async () => {
  const turn = { ...found, id: "t3", kind: "turn", type: "turn", subtitle: "" };
  const why = {
    ...{ words: [{ word: "token", adds: 2.1 }], field: "said", session: 0.93, documentRank: 2 },
    likeness: 0.7,
  };
  const show = async (part: object) =>
    (
      await run({ "/api/search": { results: [{ ...turn, ...part }] } }, (terminal) =>
        search(["x"], { limit }, terminal),
      )
    ).lines;
  expect((await show({ excerpt: "The call\nloops" }))[1]).toBe("    The call loops");
  expect((await show({ excerpt: "Token loops" }))[1]).toBe("");
  expect((await show({ why }))[1]).toBe(
    "    because of token 2.1, its meaning 0.70 (said); session 0.93; record 2 of all",
  );
});

test("what holds no more says in search and timeline by what it was superseded, and stays in its place", async () => {
  const results = [
    { ...found, supersededBy: "o9" },
    { ...found, id: "o9" },
  ];
  const shown = await run({ "/api/search": { results } }, (terminal) =>
    search(["token"], { limit }, terminal),
  );
  expect(shown.lines.slice(0, 5)).toEqual([
    "o7  bugfix  Token loops  shop · 2h ago",
    "    It called itself.",
    "    superseded by o9",
    "o9  bugfix  Token loops  shop · 2h ago",
    "    It called itself.",
  ]);
  const long = "A token that is refreshed by its own refresh call loops for ever, as the log says";
  const items = [
    timelineItem({
      kind: "observation",
      record: observation("o7", { title: long, supersededBy: "o9" }),
    }),
    timelineItem({ kind: "observation", record: observation("o8", { title: "Short" }) }),
  ];
  const lines = (width?: number) =>
    run({ "/api/timeline": { items } }, (terminal) => timeline(undefined, { limit }, terminal), {
      width,
    });
  expect((await lines()).lines[1]).toEndWith(`o7  bugfix  ${long} (superseded by o9)`);
  const narrow = (await lines(80)).lines[1] ?? "";
  expect(narrow).toEndWith("… (superseded by o9)");
  expect(narrow.length).toBeWithin(70, 81);
});

test("search at 80 columns: title beside place, what is said below, facts as bullets, nothing over the edge", async () => {
  const long =
    "The interceptor retried its own refresh call and so one expired token looped. ".repeat(2);
  const results = [
    { ...found, title: long, subtitle: long, facts: [long], excerpt: long },
    { ...found, id: "t12345", kind: "turn", type: "turn", subtitle: "", excerpt: `Then: ${long}` },
  ];
  const { lines } = await run(
    { "/api/search": { results } },
    (terminal) => search(["token"], { limit, level: "facts" }, terminal),
    { width: 80 },
  );
  expect(lines.map((line) => line.slice(0, 24).trimEnd())).toEqual([
    "o7      bugfix  The inte",
    "    The interceptor retr",
    "    · The interceptor re",
    "t12345  turn    Token lo",
    "    Then: The intercepto",
    `    · ${found.facts[0]?.slice(0, 18)}`,
    "",
    "Details: memoir show o7",
  ]);
  const [head = "", below = "", fact = ""] = lines;
  expect(head).toEndWith("…  shop · 2h ago");
  expect([head.length, below.length, fact.length].map((length) => length > 64)).toEqual([
    ...[true, true, true],
  ]);
  expect(lines.slice(0, 6).filter((line) => line.length > 80)).toEqual([]);
});

test("a session is shown by the beginning of its id; nothing found says where it was looked, and what was meant", async () => {
  const whole = {
    ...found,
    kind: "session",
    type: "session",
    id: "0123456789abcdef",
    subtitle: "",
  };
  const shown = await run({ "/api/search": { results: [whole] } }, (terminal) =>
    search(["x"], { limit }, terminal),
  );
  expect(shown.lines[0]).toStartWith("01234567  session  Token loops");
  const nothing = (words: string[], options: object = {}) =>
    run({ "/api/search": { results: [] } }, (terminal) =>
      search(words, { limit, ...options }, terminal),
    );
  expect((await nothing(["x"])).lines[0]).toBe("Nothing found for “x”, in all projects.");
  expect((await nothing([], { type: "bugfix" })).lines[0]).toBe("Nothing found of type bugfix.");
});

test("sessions: a line each, and one of them from its first prompt to its summary", async () => {
  const list = await run(
    {
      "/api/sessions": {
        sessions: [session("0123456789", { status: "active" }), session("s2", { title: "" })],
      },
    },
    (terminal) => sessions(undefined, { limit }, terminal),
  );
  expect(list.lines.slice(0, 2)).toEqual([
    "01234567  ●  2h ago  shop  2 prompts  3 obs  Fix the login loop",
    "s2           2h ago  shop  2 prompts  3 obs  untitled",
  ]);
  const page = {
    session: session("s1"),
    prompts: [prompt("p2", { promptNumber: 2, text: "And now?" }), prompt("p1")],
    observations: [observation("o7"), observation("o8", { promptNumber: 0 })],
    summaries: [summary("m1", { scope: "prompt" }), summary("m2")],
    turns: [],
  };
  const one = await run({ "/api/sessions/s1": page }, (terminal) =>
    sessions("s1", { limit }, terminal),
  );
  expect(one.lines.filter((line) => /^\d\./.test(line))).toEqual([
    "0. (before the first prompt)",
    "1. Now test it.",
    "2. And now?",
  ]);
  const all = one.lines.join("\n");
  expect(all.indexOf("o8")).toBeLessThan(all.indexOf("1. Now"));
  expect([all.includes("m2  summary of session"), all.includes("m1")]).toEqual([true, false]);
  await expect(run({}, (terminal) => sessions("s9", { limit }, terminal))).rejects.toThrow(
    "No session's id begins with s9.",
  );
});

test("sessions: old ones by their day, and a full list says how to see more", async () => {
  const old = session("s1", { lastActiveAt: Date.parse("2026-02-14T12:00:00Z") });
  const answer = { "/api/sessions": { sessions: [old, old] } };
  const shown = async (limit: number) =>
    (await run(answer, (terminal) => sessions(undefined, { limit }, terminal))).lines.join("\n");
  expect(await shown(2)).toContain("2026-02-14  shop");
  expect(await shown(2)).toContain("The newest 2; --limit 4 shows more.");
  expect(await shown(3)).not.toContain("--limit");
});

test("a timeline has its days once, and marks the record it is around", async () => {
  const day = 86_400_000;
  const items = [
    timelineItem({ kind: "prompt", record: prompt("p1", { time: time - day }) }),
    timelineItem({ kind: "observation", record: observation("o7") }),
    timelineItem({ kind: "summary", record: summary("m1", { completed: "" }) }),
  ];
  const { asked, lines } = await run(
    {
      "/api/records/o7": { kind: "observation", record: observation("o7") },
      "/api/timeline": { items },
    },
    (terminal) => timeline("o7", { limit: 5, project: "shop" }, terminal),
  );
  expect(asked.at(-1)?.query).toMatchObject({ around: "o7", limit: "5", project: "shop" });
  const [[before, clock], [date]] = [
    dateTime(time - day).split(" "),
    dateTime(time).split(" "),
  ] as [string[], string[]];
  expect(lines).toEqual([
    String(before),
    `${clock}   p1  prompt           “Now test it.”`,
    String(date),
    `${clock} → o7  bugfix           Token refresh loops on 401`,
    `${clock}   m1  session summary  Stop the login from looping.`,
  ]);
  const shop = { id: "acme/shop", name: "shop", sessions: 1, observations: 0, lastActiveAt: 0 };
  const known = { ...quietStatus, storage: { ...quietStatus.storage, projects: [shop] } };
  const none = await run({ "/api/timeline": { items: [] }, "/api/status": known }, (terminal) =>
    timeline(undefined, { limit: 5, project: "shop" }, terminal),
  );
  expect(none.lines[0]).toBe("Nothing happened in project shop.");
});

test("as JSON each command prints what the server answered, and gives 0", async () => {
  const json = async (answers: CannedAnswers, command: (terminal: Terminal) => Promise<number>) => {
    const { code, lines } = await run(answers, command);
    return [code, JSON.parse(lines.join(""))];
  };
  const items = [timelineItem({ kind: "prompt", record: prompt("p1") })];
  const page = { items, around: { kind: "prompt", record: prompt("p1") } };
  const options = { limit, json: true };
  expect(
    await json({ "/api/timeline": page }, (terminal) => timeline(undefined, options, terminal)),
  ).toEqual([0, page]);
  expect(
    await json({ "/api/search": { results: [found] } }, (terminal) =>
      search(["x"], options, terminal),
    ),
  ).toEqual([0, { results: [found] }]);
  const list = { sessions: [session("s1")] };
  expect(
    await json({ "/api/sessions": list }, (terminal) => sessions(undefined, options, terminal)),
  ).toEqual([0, list]);
  const whole = { session: session("s1"), prompts: [], observations: [], summaries: [], turns: [] };
  expect(
    await json({ "/api/sessions/s1": whole }, (terminal) => sessions("s1", options, terminal)),
  ).toEqual([0, whole]);
  const record = { kind: "observation", record: observation("o7") };
  expect(
    await json({ "/api/records/o7": record, "/api/related/o7": { related: [] } }, (terminal) =>
      related("o7", options, terminal),
    ),
  ).toEqual([0, { related: [] }]);
});

test("a timeline keeps to its screen, whatever ids and kinds it has", async () => {
  const long = "Say at length what was done to the cart and to every total in it, and why. ".repeat(
    2,
  );
  const items = [
    timelineItem({
      kind: "summary",
      record: summary("s12345", { scope: "session", completed: long }),
    }),
    timelineItem({ kind: "observation", record: observation("o1", { title: long }) }),
    timelineItem({ kind: "prompt", record: prompt("p1", { text: long }) }),
  ];
  const { lines } = await run(
    { "/api/timeline": { items } },
    (terminal) => timeline(undefined, { limit: 5 }, terminal),
    { width: 80 },
  );
  expect(lines.filter((line) => line.length > 80)).toEqual([]);
  expect(lines.filter((line) => line.length > 70)).toHaveLength(3);
});

test("what is related says why, and by what it was superseded", async () => {
  const record = { kind: "observation", record: observation("o7") };
  const one = {
    ...{
      id: "o8",
      kind: "observation",
      type: "bugfix",
      title: "Logout loops",
      project: "acme/shop",
      createdAt: time,
    },
    because: [
      { kind: "file", what: "a.ts" },
      { kind: "error", what: "401" },
    ],
    supersededBy: "o9",
  };
  const answers = {
    ...{ "/api/records/o7": record, "/api/related/o7": { related: [one] } },
    "/api/search": { results: [] },
  };
  const shown = await run(answers, (terminal) =>
    related("o7", { limit: 3, kind: ["turn"] }, terminal),
  );
  expect(shown.asked.at(-1)?.query).toMatchObject({ limit: "3", kinds: "turn" });
  expect(shown.lines).toEqual([
    "o8  bugfix  Logout loops  shop · 2h ago",
    "    superseded by o9",
    "    file a.ts, error 401",
  ]);
  const none = await run({ ...answers, "/api/related/o7": { related: [] } }, (terminal) =>
    related("o7", { limit: 3, client: "codex" }, terminal),
  );
  expect(none.lines).toEqual(["Nothing is related to o7 of client codex."]);
});

test("a context is shown as it is given, of the folder that is meant; none says so", async () => {
  const shown = await run({ "/api/context": { context: "# Known\nThe cart." } }, (terminal) =>
    context({ cwd: "/", source: "compact" }, terminal),
  );
  expect(shown.asked[0]?.query).toEqual({ cwd: "/", source: "compact" });
  expect(shown.lines).toEqual(["# Known", "The cart."]);
  const none = (options: object) =>
    run({ "/api/context": { context: "" } }, (terminal) =>
      context({ source: "startup", ...options }, terminal),
    );
  expect((await none({})).lines[0]).toContain("A session in /w/shop would get no context");
  expect((await none({ prompt: "x" })).lines[0]).toBe(
    "This prompt would get no context: no earlier session says enough about this.",
  );
});

test("forget shows what would go, and goes on only with a yes", async () => {
  const stays = {
    ...{ derived: ["m1"], repeats: ["m2"], copies: ["b"] },
    named: { m1: "m1 memory: Loops", m2: "m2 memory: Another" },
  };
  const answers: CannedAnswers = {
    "/api/forget": ({ body }) =>
      (body as { dryRun?: boolean }).dryRun
        ? { going: ["o7 observation: Token loops"], ids: ["o7"], ...stays }
        : { deleted: ["o7"], ...stays },
  };
  const person = (answer: boolean) => ({
    interactive: true,
    confirm: async (question: string) => answer && question === "Delete it?",
  });
  const no = await run(answers, (terminal) => forget(["o7"], {}, terminal), person(false));
  expect([no.code, no.asked.length, no.lines.at(-1)]).toEqual([1, 1, "Nothing was changed."]);
  expect(no.lines.join("\n")).toContain(
    [
      "What was made from it would stay:",
      "  m1 memory: Loops",
      "What may repeat it would stay:",
      "  m2 memory: Another",
    ].join("\n"),
  );
  const yes = await run(answers, (terminal) => forget(["o7"], {}, terminal), person(true));
  expect([yes.code, yes.asked.length]).toEqual([0, 2]);
  expect(yes.lines.slice(-5)).toEqual([
    "Deleted o7.",
    "Made from it and kept; to delete: memoir memory forget m1",
    ...["May repeat it and was kept:", "  m2 memory: Another"],
    "Copies that still hold it: b. `--backups` deletes them too.",
  ]);
  const script = await run(answers, (terminal) =>
    forget(["o7"], { yes: true, json: true }, terminal),
  );
  expect([script.asked.length, JSON.parse(script.lines.join(""))]).toEqual([
    1,
    { deleted: ["o7"], derived: ["m1"], repeats: ["m2"], copies: ["b"] },
  ]);
  await expect(run(answers, (terminal) => forget(["o7"], {}, terminal))).rejects.toMatchObject({
    code: "usage",
  });
  await stop?.();
  await expect(
    run(answers, (terminal) => forget(["o7"], { json: true }, terminal), person(true)),
  ).rejects.toMatchObject({ code: "usage" });
});

test("forget by words: hits are numbered, and only those that are chosen go", async () => {
  const found = {
    ...{ going: ["t1 turn: One", "t2 turn: Two", "t3 turn: Three"], ids: ["t1", "t2", "t3"] },
    ...{ derived: [], repeats: [], named: {}, copies: [], deleted: ["t2"] },
  };
  const answers: CannedAnswers = { "/api/forget": found };
  const person = (answer: string) => ({
    ...{ interactive: true, confirm: async () => true },
    ask: async () => answer,
  });
  const words = { query: "login", since: "2026-11-20" };
  const two = await run(answers, (terminal) => forget([], words, terminal), person("2, 9"));
  expect(two.lines[1]).toBe("  2  t2 turn: Two");
  expect(two.asked.at(-1)?.body).toMatchObject({ query: "login", ids: ["t2"] });
  const all = await run(answers, (terminal) => forget([], words, terminal), person("all"));
  expect(all.asked.at(-1)?.body).toMatchObject({ ids: ["t1", "t2", "t3"] });
  const none = await run(answers, (terminal) => forget([], words, terminal), person(""));
  expect([none.code, none.asked.length]).toEqual([1, 1]);
  await stop?.();
  await expect(
    run(answers, (terminal) => forget([], { ...words, yes: true }, terminal)),
  ).rejects.toMatchObject({ code: "usage" });
});

test("a dry run of forget prints the list, and asks nothing more of anybody", async () => {
  const answers: CannedAnswers = {
    "/api/forget": {
      going: ["t1 turn: One"],
      ids: ["t1"],
      derived: ["o1"],
      repeats: [],
      named: {},
      copies: ["b"],
    },
  };
  const options = { project: "shop", file: "a.ts", dryRun: true, derived: true, backups: true };
  const { code, lines, asked } = await run(answers, (terminal) => forget([], options, terminal));
  expect([code, lines]).toEqual([
    0,
    [
      "This would be deleted permanently:",
      "  t1 turn: One",
      "What was made from it would go too:",
      "  o1",
      "These copies would go as a whole: b.",
    ],
  ]);
  expect(asked.map(({ body }) => body)).toEqual([options]);
});

test("recall prints the page that was asked for, as it was where it is piped; no match is exit code 1", async () => {
  const page = { text: "a\u001b[31mb", more: "" };
  const answers: CannedAnswers = {
    "/api/recall/toolu_1": ({ query }) => ({
      recalled: query.grep === "z" ? { text: "" } : { text: page.text },
    }),
    "/api/recall/toolu_1/value": { kept: { value: 1 } },
  };
  const ask = (options: object, more: Partial<Terminal> = {}) =>
    run(answers, (terminal) => recall("toolu_1", options, terminal), more);
  const piped = await ask({ part: "input", lines: "1-2", page: 2 });
  expect(piped.asked[0]?.query).toEqual({ part: "input", lines: "1-2", page: "2" });
  expect(piped.lines).toEqual([page.text]);
  expect((await ask({}, { width: 80 })).lines.join()).not.toContain("\u001b");
  const none = await ask({ grep: "z" });
  expect([none.code, none.lines[0]]).toEqual([1, "No line matches."]);
  expect((await ask({ json: true })).lines).toEqual(['{"value":1}']);
});
