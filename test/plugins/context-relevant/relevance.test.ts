// Which results belong to a prompt.
import { describe, expect, test } from "bun:test";
import {
  relevantOf,
  type Standing,
  standingOf,
  weigh,
  wordsOf,
} from "../../../plugins/context-relevant/relevance.ts";
import type { SearchResult } from "../../../src/sdk/storage.ts";
import { observation, searchResult } from "../../support/records.ts";

/** A result of which these words were found, each with what it adds. */
function found(id: string, words: Record<string, number>, part: Partial<SearchResult> = {}) {
  const why = {
    words: Object.entries(words).map(([word, adds]) => ({ word, adds })),
    field: "said",
    session: 1,
    documentRank: 1,
  };
  return { ...searchResult(observation(id)), why, ...part };
}

/** Ids of those that belong to a question that opens a session; `about`: what their turns were about. */
function belong(prompt: string, ...results: SearchResult[]): string[] {
  return belongAs("question", {}, prompt, ...results);
}

function belongAs(
  standing: Standing,
  about: Record<string, string>,
  prompt: string,
  ...results: SearchResult[]
): string[] {
  const weighed = weigh(wordsOf(prompt) ?? [], results);
  const subjects = new Map(
    Object.entries(about).map(([id, text]) => [id, { came: text, about: text, touched: "" }]),
  );
  return relevantOf(weighed, subjects, standing).map(({ result }) => result.id);
}

test("to a request that opens a session belongs what its turn came to, not what only has its words", () => {
  const prompt = "compare the gemini implementation with the duplicated gitignore refactor";
  const result = found("a", { gemini: 5, duplicated: 5, gitignore: 5, refactor: 5 });
  const came = "the gitignore refactor is no longer duplicated";
  expect(belongAs("opening", { a: came }, prompt, result)).toEqual(["a"]);
  expect(belongAs("opening", { a: "the gitignore is committed" }, prompt, result)).toEqual([]);
});

describe("a result belongs to a prompt", () => {
  const prompt = "why does the token refresh loop after logout";
  test.each<[string, string, SearchResult, boolean]>([
    ["with most of its words", prompt, found("a", { token: 4, refresh: 4, loop: 5 }), true],
    ["by stems", prompt, found("a", { refresh: 4, logou: 4, toke: 3 }), true],
    ["not with one word of many", prompt, found("a", { token: 4 }), false],
    [
      "not with two light words",
      "add pagination to the products endpoint",
      found("a", { add: 1, products: 5 }),
      false,
    ],
    [
      "with two of three",
      "compile telemetry windows",
      found("a", { windows: 6, compile: 4 }),
      true,
    ],
    [
      "with a name of code",
      "who else calls os.Getwd in those tools",
      found("a", { "os.getwd": 6, getwd: 5, os: 4 }, { excerpt: "It calls `os.Getwd()` there." }),
      true,
    ],
    [
      "not with a part of a name",
      "can you add a robots.txt that blocks crawlers",
      found("a", { robots: 8 }),
      false,
    ],
    [
      "not with the parts of names in other places",
      "rename the function getUser to fetchUser in user.service.ts",
      found("a", { get: 5, user: 5, fetch: 5, function: 2 }, { excerpt: "get the user, fetch it" }),
      false,
    ],
    [
      "not by words that were taken for others",
      prompt,
      found(
        "a",
        { token: 4, refresh: 4, loop: 5 },
        { corrected: { token: "taken", refresh: "fresh" } },
      ),
      false,
    ],
    ["in scripts without spaces", "修复登录错误", found("a", { 修复: 3, 登录: 4, 错误: 4 }), true],
  ])("%s", (_, asked, result, wanted) => {
    expect(belong(asked, result)).toEqual(wanted ? ["a"] : []);
  });
  test("words that other results have weigh what they add there", () => {
    const light = found("a", { token: 4, refresh: 4, loop: 4 });
    expect(belong("token refresh loop cart price list", light)).toEqual(["a"]);
    const heavy = found("b", { cart: 7, price: 7, list: 7 });
    expect(belong("token refresh loop cart price list", light, heavy)).toEqual(["a", "b"]);
    const heavier = found("b", { cart: 30, price: 30, list: 30 });
    const elsewhere = { ...light, session: "s9" };
    expect(belong("token refresh loop cart price list", elsewhere, heavier)).toEqual(["b"]);
  });
  test("what its turn was about counts at half", () => {
    const prompt = "does the telemetry package compile for windows";
    const wide = found("t1", { windows: 4, telemetry: 2 });
    const other = found("t2", { compile: 9, package: 9 });
    expect(belong(prompt, { ...wide, session: "s9" }, other)).toEqual(["t2"]);
    const t1 = "It compiles on Windows: the package has no telemetry there.";
    expect(belongAs("question", { t1 }, prompt, wide, other)).toEqual(["t1", "t2"]);
    const strange = "does the telemetry package of parse_invoice compile for windows";
    const elsewhere = { ...wide, session: "s9" };
    expect(belongAs("question", { t1 }, strange, elsewhere, other)).toEqual(["t2"]);
  });
  test("ordinary words around names that are nowhere have to be most of it", () => {
    const words = { write: 4, unit: 4, tests: 4 };
    const heavy = found("b", { write: 10 }, { session: "s9" });
    expect(belong("write unit tests for invoices in billing", found("a", words), heavy)).toEqual([
      "a",
    ]);
    const prompt = "write unit tests for parse_invoice in billing.py";
    expect(belong(prompt, found("a", words), heavy)).toEqual([]);
  });
  test("what the session met already is no news", () => {
    const words = { token: 4, refresh: 4, loop: 5 };
    const weighed = (isMet: (word: { bare: string }) => boolean) =>
      relevantOf(weigh(wordsOf(prompt) ?? [], [found("a", words)], isMet), new Map(), "question");
    expect(weighed(() => false)).toHaveLength(1);
    expect(weighed(({ bare }) => bare !== "logout")).toEqual([]);
  });
  test("words that many sessions have point at none of them", () => {
    const words = { token: 4, refresh: 4, loop: 5 };
    const of = (count: number) =>
      Array.from({ length: count }, (_, at) => found(`o${at}`, words, { session: `s${at}` }));
    const about = { o0: "token refresh", o1: "token refresh", o2: "token refresh" };
    expect(belongAs("question", about, prompt, ...of(3))).toEqual(["o0", "o1", "o2"]);
    expect(belongAs("question", about, prompt, ...of(4))).toEqual([]);
    expect(belongAs("question", {}, prompt, ...of(2))).toEqual([]);
  });
  test("a longer or later prompt is led by a rare name that a turn came to, and by nothing else", () => {
    const asked = "and readFile, does the token refresh loop there";
    const words = { token: 4, refresh: 4, loop: 5 };
    const results = [found("a", words), found("b", words)];
    expect(belongAs("other", {}, asked, ...results)).toEqual([]);
    expect(belongAs("other", { b: "The token refresh loops." }, asked, ...results)).toEqual([]);
    expect(belongAs("other", { a: "read_file reads it once." }, asked, ...results)).toEqual(["a"]);
    expect(belongAs("other", { a: "Reread file by file." }, asked, ...results)).toEqual([]);
  });
  test("nothing found, nothing told", () => {
    expect(belong(prompt)).toEqual([]);
    expect(belong(prompt, found("a", {}))).toEqual([]);
    const { why: _, ...unsaid } = found("a", { token: 4, refresh: 4, loop: 5 });
    expect(belong(prompt, unsaid)).toEqual([]);
  });
});

describe("a name leads to a turn", () => {
  const none = { came: "", about: "", touched: "" };
  const led = (prompt: string, ...subjects: Array<Partial<typeof none>>) => {
    const all = subjects.map((one, at) => [`t${at}`, { ...none, ...one }] as const);
    const results = all.map(([id]) => found(id, { x: 1 }, { session: `s-${id}` }));
    const isTalk = ({ bare }: { bare: string }) => bare === "saidoften";
    const weighed = weigh(wordsOf(prompt) ?? [], results, () => false, isTalk);
    return relevantOf(weighed, new Map(all), "other").map(({ result }) => result.id);
  };
  const came = (text: string) => ({ came: text, about: text });
  test.each<[string, string, Array<Partial<typeof none>>, string[]]>([
    ["that came to it", "fix readFile", [came("readFile reads once"), came("no")], ["t0"]],
    ["not where its closing only mentions it", "fix readFile", [{ about: "readFile" }], []],
    [
      "not where more sessions touched it",
      "fix readFile",
      [came("readFile reads"), { touched: "readFile" }, { about: "See readFile." }],
      [],
    ],
    ["not where people name it whatever they ask", "fix saidOften", [came("saidOften")], []],
    ["not by a file that nobody touched", "fix strings.Contains", [came("strings.Contains")], []],
    [
      "by a file that its session touched",
      "copy a/run-e2e.sh",
      [{ ...came("run-e2e.sh runs"), touched: "a/run-e2e.sh" }],
      ["t0"],
    ],
    [
      "that touched two of its names",
      "test oneName/twoName",
      [{ touched: "oneName\ntwoName" }],
      ["t0"],
    ],
    ["not that touched one of them", "test oneName/twoName", [{ touched: "oneName" }], []],
    [
      "of several to that with most of them",
      "test oneName/twoName",
      [came("oneName waits"), came("oneName before twoName")],
      ["t1"],
    ],
  ])("%s", (_, prompt, subjects, wanted) => {
    expect(led(prompt, ...subjects)).toEqual(wanted);
  });
});

test("a question is answered by the one session that has most of it in several passages", () => {
  const prompt = "why are old records shown after the import of backups?";
  const one = found("a", { old: 5, records: 5, shown: 5 }, { session: "s1" });
  const rest = found("b", { import: 5, backups: 5 }, { session: "s1" });
  expect(belong(prompt, one, rest)).toEqual(["a", "b"]);
  const other = { old: 5, records: 5, shown: 5, import: 5, backups: 5 };
  const near = ["s2", "s3", "s4"].map((session) => found(session, other, { session }));
  expect(belong(prompt, one, rest, ...near)).toEqual([]);
});

test("of a long prompt the twelve heaviest words are asked for, and nothing is met more than wholly", () => {
  const names = Array.from(
    { length: 14 },
    (_, at) => `word${String.fromCharCode(97 + at).repeat(4)}`,
  );
  const words = names.map((bare) => ({ bare, isName: false }));
  const one = weigh(words, [found("a", { [names[0] ?? ""]: 5 })]);
  expect(one.wanted).toBe(60);
  const all = weigh(words, [found("a", Object.fromEntries(names.map((name) => [name, 5])))]);
  expect(relevantOf(all, new Map(), "question")).toMatchObject([{ coverage: 1 }]);
});

test.each<[string, boolean, Standing]>([
  ["why does it loop?", true, "question"],
  ["ログインできないのはなぜ？", true, "question"],
  ["make it loop", true, "opening"],
  ["why does it loop?", false, "asked"],
  ["make it loop", false, "other"],
  [`why does it loop? ${"It should not. ".repeat(20)}`, true, "other"],
])("%s stands, opening its session: %p, as %s", (prompt, opens, standing) => {
  expect(standingOf(prompt, opens)).toBe(standing);
});

test("a short question later in a session gets what one other session alone has most of", () => {
  const prompt = "Why did the total leave out the tax?";
  const most = found("a", { total: 1, leave: 1, tax: 1 }, { session: "s1" });
  const two = found("a", { total: 1, tax: 1 }, { session: "s1" });
  const too = found("b", { total: 1, leave: 1, tax: 1 }, { session: "s2" });
  expect(belongAs("asked", {}, prompt, most)).toEqual(["a"]);
  expect(belongAs("asked", {}, prompt, two)).toEqual([]);
  expect(belongAs("asked", {}, prompt, most, too)).toEqual([]);
  expect(belongAs("other", {}, prompt, most)).toEqual([]);
});
