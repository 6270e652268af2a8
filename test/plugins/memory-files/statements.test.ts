// Which sentences of a prompt hold beyond it, and which sessions are worth a look at all.
import { describe, expect, test } from "bun:test";
import { findStatements } from "../../../plugins/memory-files/find-statements.ts";
import { isQuick, isSubstantive, leftOut } from "../../../plugins/memory-files/substance.ts";

const statements: Array<[string, string]> = [
  ["Let's use SQLite instead of Postgres for the cache.", "decisions"],
  ["We decided to keep amounts in cents.", "decisions"],
  ["Ok, I'll go with the second option then.", "decisions"],
  ["Use tabs instead of spaces in the templates.", "decisions"],
  ["I prefer small commits with a reason in the body.", "preferences"],
  ["Always run the linter before you commit.", "preferences"],
  ["Never push to main without asking me.", "preferences"],
  ["You should never edit generated files.", "preferences"],
  ["I don't want any new dependencies here.", "preferences"],
  ["From now on write the tests first.", "preferences"],
  ["The staging database is hosted at db.staging.example.com.", "facts"],
  ["The dev server runs on port 4300 on my machine.", "facts"],
  ["We are on Node v22.4.1 everywhere.", "facts"],
  ["The SDK is installed in /opt/vendor/sdk.", "facts"],
];
const nothing = [
  "Fix the login bug.",
  "Should we use SQLite instead of Postgres?",
  "It always fails at the second step.",
  "Why does the token never expire?",
  "Error: always expected 3 at line 40",
  "+ const always = never;",
  "Add a page that shows all orders.",
  "the ci is running on the current commit but checks the main branch",
  "[linux/arm64 3/7] RUN npm ci: 158.5 npm error Exit handler never called",
  "yes",
  "```\nWe decided to print this in a log\n```",
];

describe("a statement", () => {
  test.each(statements)("%p is one of %s", (text, kind) => {
    expect(findStatements(text).map((found) => found.kind)).toEqual([kind as "facts"]);
  });
  test.each(nothing)("%p is none", (text) => expect(findStatements(text)).toEqual([]));
  test("is taken without what only points at something else", () => {
    const prompt = "Keep them in SQLite instead of memory; I don't want a Redis to look after.";
    expect(findStatements(prompt)).toEqual([
      { kind: "preferences", text: "I don't want a Redis to look after" },
    ]);
  });
  test("loses what people say before they say something", () => {
    expect(findStatements("Ok. let's use apple containers instead of docker")).toEqual([
      { kind: "decisions", text: "Let's use apple containers instead of docker" },
    ]);
  });
  test("is found among others, five a prompt at most", () => {
    const prompt = `Look at the cart. ${"I prefer plain words. Fix it. ".repeat(9)}`;
    expect(findStatements(prompt)).toHaveLength(5);
  });
});

describe("a session", () => {
  test.each([
    "continue",
    "/compact",
    "run the tests again",
    "commit and push",
    "yes",
    "thanks!",
    "looks good to me",
  ])("%p is quick", (text) => expect(isQuick(text)).toBe(true));
  test("is left out for few prompts, or for quick ones only", () => {
    const long = "Please look at why the cart total is wrong when vouchers are used.";
    expect(leftOut([long, long], 3)).toBe("fewer than 3 prompts");
    expect(leftOut(["continue", "run tests", "commit"], 3)).toBe("only quick commands");
    expect(leftOut(["continue", long, "commit"], 3)).toBeUndefined();
    expect(isSubstantive(["continue", long, "commit"])).toBe(false);
    expect(isSubstantive([long, long, long])).toBe(true);
    expect(isSubstantive(["x ".repeat(400)])).toBe(true);
  });
});
