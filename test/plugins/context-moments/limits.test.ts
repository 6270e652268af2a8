// How far the index of failures goes: how much may have been done in between, how common a line may be, what is followed no longer.

import { expect, test } from "bun:test";
import { advisedBy, needsOf, tellingLines } from "../../../plugins/context-moments/likeness.ts";
import type { Evidence, Turn } from "../../../src/sdk/turn.ts";
import { indexFailures } from "../../support/moments.ts";
import { piece, turn } from "./made-turns.ts";

const command = "bun test cart";
const error = "TypeError: cart.total is no function";
const failure = (about = command, text = error) => piece("failure", about, text);
const passed = (about = command, text = "") => piece("passed", about, text);
const repair = (files: readonly string[], about = command, text = error) =>
  piece("repair", about, `${text}\n\n→ ${files.join("\n")}`);
const names = (count: number) => Array.from({ length: count }, (_, at) => `src/f${at}.ts`);
const ask = (turns: Turn[], about = command, text = error) =>
  indexFailures(turns).find({ session: "new", about, text, hidden: false });

test.each([
  ["twelve files", 12, 12],
  ["thirteen files", 13, undefined],
])("a repair of %s counts up to twelve", (_, count, expected) => {
  expect(ask([turn("old", [failure(), repair(names(count)), passed()])])?.done.length).toBe(
    expected as number,
  );
  const later = [turn("old", [failure()]), turn("old", [passed()], names(count))];
  expect(ask(later)?.done.length).toBe(expected as number);
});

test.each([
  [3, ["src/f0.ts", "src/f1.ts", "src/f2.ts"]],
  [4, undefined],
])(
  "where as much passes in the same turn, %d changed files are its repair up to three",
  (count, done) => {
    const line = "go test ./internal/fx -run TestRounds";
    const said = "--- FAIL: TestRounds\nhalf a cent must round to even";
    const past = turn("old", [failure(line, said), passed("go test ./internal/fx")], names(count));
    expect(ask([past], line, said)?.done).toEqual(done as string[]);
  },
);

test("of what ran in between, the last three that the failure named are told; else the last one alone", () => {
  const said = "Run `mix one`, `mix two`, `mix three` and `mix four` before a commit of this";
  const line = "git commit";
  const ran = ["mix one", "mix two", "ls", "mix three", "mix four", "pwd"].map((one) =>
    passed(one),
  );
  const named = turn("old", [failure(line, said), ...ran, passed(line)]);
  expect(ask([named], line, said)?.done).toEqual(["`mix two`", "`mix three`", "`mix four`"]);
  const silent = "the hook refused to take this commit";
  const unnamed = turn("old", [failure(line, silent), ...ran, passed(line)]);
  // A bare look around mends nothing.
  expect(ask([unnamed], line, silent)).toBeUndefined();
  const last = turn("old", [failure(line, silent), ...ran, passed("mix format"), passed(line)]);
  expect(ask([last], line, silent)?.done).toEqual(["`mix format`"]);
});

test("once it passed, a later passing repairs nothing more", () => {
  const past = turn("old", [failure(), repair(["src/right.ts"]), passed()]);
  const after = turn("old", [passed()], ["src/later.ts"]);
  const elsewhere = turn("old", [passed("bun test")], ["src/later.ts"]);
  expect(ask([past, after, elsewhere])?.done).toEqual(["src/right.ts"]);
});

test("what passed with nothing done repaired nothing, and is closed", () => {
  const flaky = turn("old", [failure(), passed()]);
  const after = turn("old", [passed()], ["src/later.ts"]);
  expect(ask([flaky, after])).toBeUndefined();
});

test("a failure is followed while fewer than a hundred others are open", () => {
  const others = (count: number) =>
    Array.from({ length: count }, (_, at) => failure(`make part-${at}`, `part ${at} is wrong`));
  const told = (count: number) =>
    ask([
      turn("old", [failure()]),
      turn("old", others(count)),
      turn("old", [passed()], ["src/cart.ts"]),
    ]);
  expect(told(99)?.done).toEqual(["src/cart.ts"]);
  expect(told(100)).toBeUndefined();
});

test("a line that more than four kinds of failures say tells nothing of one of them", () => {
  const usual = "See the full report in the log";
  const past = (kinds: number) =>
    Array.from({ length: kinds }, (_, at) =>
      turn(`old${at}`, [
        failure(`tool${at} run`, usual),
        repair([`src/f${at}.ts`], `tool${at} run`, usual),
        passed(`tool${at} run`),
      ]),
    );
  expect(ask(past(4), "tool0 run", usual)).toBeDefined();
  expect(ask(past(5), "tool0 run", usual)).toBeUndefined();
});

test("a line that is printed when all is well tells of no failure", () => {
  const turns = [
    turn("old", [
      failure(command, "Collected the tests of carts"),
      repair(["src/a.ts"], command, "Collected the tests of carts"),
    ]),
    turn("other", [passed("bun test", "Collected the tests of carts")]),
  ];
  expect(ask(turns.slice(0, 1), command, "Collected the tests of carts")).toBeDefined();
  expect(ask(turns, command, "Collected the tests of carts")).toBeUndefined();
});

test("the words of the commit say how it was closed, else the agent's last ones", () => {
  const closing = (text: string): Evidence => ({ kind: "closing", text });
  const own = [failure(), repair(["src/a.ts"]), passed()];
  const told = (...more: Evidence[]) => ask([turn("old", [...own, ...more])])?.closing;
  expect(told(closing("First."), closing("Last."))).toBe("Last.");
  const commit: Evidence = { kind: "commit", text: "Count once\n\nAnd why" };
  expect(told(commit, closing("Last."))).toBe("Count once");
  expect(told()).toBe("");
});

test("what a failure needs is what its repair repeats: names and numbers, not what is another each time", () => {
  const text = `port 4173 of web-shop is taken by 22f106e5c, ab`;
  const run = (word: string) => [`kill ${word}`];
  expect(needsOf(text, run("4173"))).toEqual(["4173"]);
  expect(needsOf(text, run("web-shop"))).toContain("web-shop");
  expect(needsOf(text, run("22f106e5c"))).toEqual([]);
  expect(needsOf(text, run("ab"))).toEqual([]);
  expect(needsOf(text, [])).toEqual([]);
});

test("advice is a step of more than one word that the failure names", () => {
  expect(advisedBy("use git push -u", ["git push -u"])).toEqual(["git push"]);
  expect(advisedBy("use make", ["make"])).toEqual([]);
  expect(advisedBy("use git pull", ["git push"])).toEqual([]);
});

test("of a long text the first and the last sixty lines are looked at, of a huge one both its ends", () => {
  const word = (at: number) => [...String(at)].map((digit) => "abcdefghij"[Number(digit)]).join("");
  const lines = Array.from({ length: 130 }, (_, at) => `telling line ${word(at)} end`);
  const told = tellingLines(lines.join("\n"));
  expect(told).toEqual([...lines.slice(0, 60), ...lines.slice(-60)]);
  expect(tellingLines(lines.slice(0, 120).join("\n"))).toHaveLength(120);
  const huge = `the first telling line\n${"x".repeat(30_000)}\nthe last telling line`;
  expect(tellingLines(huge)).toEqual(["the first telling line", "the last telling line"]);
});
