// Where a path is instead that was not found: asked as a failure asks, of turns of other sessions.
import { expect, test } from "bun:test";
import { followMissing, missedPath } from "../../../plugins/context-moments/missing.ts";
import type { Turn } from "../../../src/sdk/turn.ts";
import { piece, turn } from "./made-turns.ts";

const none = "File does not exist.";
const miss = (session: string, path: string, text = none) =>
  turn(session, [piece("failure", `Read ${path}`, text)]);
const seen = (...paths: string[]) => turn("old", [], paths);
const orders = [seen("src/cli/orders.ts", "src/cli/cart/total.ts", ".lintrc.yaml")];

function find(turns: readonly Turn[], about: string, text: string) {
  const following = followMissing();
  for (const one of turns) following.add(one);
  return following.index().find({ session: "new", about, text });
}

test.each([
  [
    "another extension",
    orders,
    "Grep .lintrc.yml",
    "Path does not exist: .lintrc.yml",
    ".lintrc.yml",
    ".lintrc.yaml",
  ],
  [
    "a folder that nobody saw",
    orders,
    "Read src/cli/commands/orders.ts",
    none,
    "src/cli/commands/orders.ts",
    "src/cli/orders.ts",
  ],
  [
    "a shell, by a program",
    orders,
    "cat src/cart/total.ts",
    "Exit code 1\ncat: src/cart/total.ts: No such file or directory",
    "src/cart/total.ts",
    "src/cli/cart/total.ts",
  ],
  [
    "a shell itself",
    orders,
    "cat < src/cart/total.ts",
    "(eval):1: no such file or directory: src/cart/total.ts",
    "src/cart/total.ts",
    "src/cli/cart/total.ts",
  ],
  [
    "a folder in which another session looked",
    [miss("old", "src/commands/orders.ts"), ...orders],
    "Grep src/commands",
    "Path does not exist: /home/ada/shop/src/commands",
    "src/commands/",
    "src/cli/orders.ts",
  ],
  [
    "another file of such a folder",
    [...orders, miss("old", "src/commands/orders.ts")],
    "Read src/commands/enable.ts",
    none,
    "src/commands/",
    "src/cli/orders.ts",
  ],
  [
    "a folder that is gone since",
    [seen("src/commands/help.ts"), ...orders, miss("old", "src/commands")],
    "Read src/commands/orders.ts",
    none,
    "src/commands/orders.ts",
    "src/cli/orders.ts",
  ],
])("%s", (_, turns, about, text, missing, path) => {
  const found = find(turns, about, text);
  expect(found && [found.missing, found.path]).toEqual([missing, path]);
  const mixed = find(turns.toReversed(), about, text);
  expect(mixed?.path).toBe(path);
});

test.each([
  ["two files of that name", [seen("a/orders.ts", "b/orders.ts")], "Read c/orders.ts", none],
  [
    "a folder that is there",
    [seen("src/state_test.ts", "src/session/state.ts")],
    "Read src/session/state_test.ts",
    none,
  ],
  ["a file that was there", [seen("src/a.ts", "lib/a.ts")], "Read src/a.ts", none],
  [
    "what the failure names itself",
    orders,
    "Read .lintrc.yml",
    "File does not exist. Did you mean .lintrc.yaml?",
  ],
  [
    "a command in another folder",
    orders,
    "cat cli/orders.ts",
    "cat: cli/orders.ts: No such file or directory",
  ],
  [
    "a command below a folder that does not stand at the root",
    orders,
    "wc -l cart/orders.ts",
    "wc: cart/orders.ts: open: No such file or directory",
  ],
  [
    "a folder that is there from the root",
    [...orders, miss("old", "src/cli/parse.ts"), seen("lib/parse.ts")],
    "cd src/cli",
    "cd:1: no such file or directory: src/cli",
  ],
  [
    "a file that the session itself worked with",
    [turn("new", [], ["src/orders.ts"])],
    "Read lib/orders.ts",
    none,
  ],
  [
    "a folder that the session itself missed alone",
    [miss("new", "lib/orders.ts"), ...orders],
    "Grep lib",
    "Path does not exist: lib",
  ],
  ["what a test prints", orders, "go test ./...", "open lib/orders.ts: no such file or directory"],
  ["another failure", orders, "Edit lib/orders.ts", "String to replace not found in file."],
  ["a path outside the project", orders, "Read /tmp/x/orders.ts", none],
])("nothing for %s", (_, turns, about, text) => {
  expect(find(turns, about, text)).toBeUndefined();
});

test("what is missed in one folder that is gone is one hint", () => {
  const turns = [miss("old", "lib/orders.ts"), ...orders];
  const prints = ["lib/orders.ts", "lib/enable.ts"].map((path) =>
    find(turns, `Read ${path}`, none),
  );
  expect(new Set(prints.map((one) => one?.fingerprint))).toEqual(new Set(["missing lib"]));
});

test("a path is read without what leads to it and without a slash at its end", () => {
  expect(missedPath("ls ./src/", "ls: ./src/: No such file or directory")).toBe("src");
  expect(missedPath("Read my notes/a.md", none)).toBe("my notes/a.md");
  expect(missedPath("Read a.ts", `<tool_use_error>${none}</tool_use_error>`)).toBe("a.ts");
  expect(missedPath("Read ../a.ts", none)).toBeUndefined();
});
