// The small parts: thresholds, shapes, which commands print files or ask memoir, what is generated, what tells of trouble.
import { describe, expect, test } from "bun:test";
import { hasSameShape, isOwnCall, threshold } from "../../../plugins/endless-live/index.ts";
import { isWorthIt } from "../../../plugins/endless-live/policy.ts";
import { isChosen, printsFiles, thingsOf } from "../../../plugins/endless-live/reduce/bash.ts";
import { isReduced, recallLine } from "../../../plugins/endless-live/reducer.ts";
import { isGenerated } from "../../../plugins/endless-live/text/diff.ts";
import {
  cleanLine,
  isTrouble,
  lostPaths,
  pathsIn,
} from "../../../plugins/endless-live/text/rows.ts";
import { defaultPolicy } from "./cases.ts";

test("the line left in place is recognised, also with memoir's path in it", () => {
  for (const recall of ["memoir recall t1", '"/home/ada/my tools/memoir" recall toolu_01aB'])
    expect(isReduced(`text\n${recallLine({ recall }, "3 of 9 lines")}\n`)).toBe(true);
  expect(isReduced("see [memoir left out 3 lines; whole: memoir recall t1] above\nand more")).toBe(
    false,
  );
  expect(isReduced("")).toBe(false);
});

describe("policy", () => {
  test("a threshold for each tool, moved by config, all of MCP at once", () => {
    const moved = {
      ...defaultPolicy,
      over: { Bash: 9, "mcp__*": 7, mcp__a__b: 5 },
      leave: ["Gr*"],
    };
    expect(threshold("Bash", moved)).toBe(9);
    expect(threshold("mcp__x__y", moved)).toBe(7);
    expect(threshold("mcp__a__b", moved)).toBe(5);
    expect(threshold("Grep", moved)).toBeUndefined();
    expect(threshold("Frobnicate", moved)).toBeUndefined();
    expect(threshold("Grep", defaultPolicy)).toBeGreaterThan(0);
  });

  test.each([
    ...Object.entries({ Bash: 1_500, TaskOutput: 3_000, Grep: 1_500, Glob: 2_500, Read: 800 }),
    ...Object.entries({ WebFetch: 10_000, Task: 10_000, Agent: 10_000, mcp__a__b: 4_000 }),
  ])("without config %s is looked at above %p characters", (tool, characters) => {
    expect(threshold(tool, defaultPolicy)).toBe(characters);
  });

  test("a replacement must save a share and a number of characters", () => {
    const policy = { ...defaultPolicy, leastSaved: 500, leastShare: 0.25 };
    expect(isWorthIt(4_000, 2_900, policy)).toBe(true);
    expect(isWorthIt(4_000, 3_100, policy)).toBe(false);
    expect(isWorthIt(900, 450, policy)).toBe(false);
    expect(isWorthIt(10, 10, { ...policy, leastSaved: 0, leastShare: 0 })).toBe(false);
  });
});

test.each([
  [true, { a: "x", n: 1 }, { a: "y", n: 2 }],
  [true, { a: ["x", "y", "z"] }, { a: ["q"] }],
  [true, { a: ["x"] }, { a: ["q", "r"] }],
  [
    true,
    [
      { type: "text", text: "a" },
      { type: "image", data: "b" },
    ],
    [
      { type: "text", text: "c" },
      { type: "image", data: "b" },
    ],
  ],
  [false, { a: "x", b: 1 }, { a: "x" }],
  [false, { a: "x" }, { a: "x", b: 1 }],
  [false, { a: "x" }, { a: ["x"] }],
  [false, { a: null }, { a: {} }],
  [false, { a: [] }, { a: ["x"] }],
  [false, { a: ["x"] }, { a: [1] }],
  [false, "x", ["x"]],
])("same shape is %p: %j, %j", (expected, before, after) => {
  expect(hasSameShape(before, after)).toBe(expected);
});

test.each([
  [true, "cat src/a.ts"],
  [true, "cd /x && sed -n '1,80p' a.ts"],
  [true, "head -50 a.ts | grep -n foo"],
  [true, "ls; cat a.ts b.ts"],
  [false, "cat > a.ts <<'EOF'\nx\nEOF"],
  [false, "cat a.json | jq ."],
  [false, "bun test 2>&1 | tail -40"],
  [false, "git log | cat"],
  [false, "echo 'cat a.ts'"],
  [false, ""],
])("prints files is %p: %s", (expected, command) => {
  expect(printsFiles(command)).toBe(expected);
});

test.each([
  [true, "npm test 2>&1 | tail -40"],
  [false, "npm test 2>&1 | tail -200"],
  [true, "gh api repos/o/r/pulls | jq '.[0].title'"],
  [false, "gh api repos/o/r/pulls | jq -M '.'"],
  [true, "git help -c | sed -n '40,90p'"],
  [false, "git help -c | sed -n '1,420p'"],
  [true, "jq '.scripts' package.json"],
  [true, "cd /shop && grep -n total logs/shop.log"],
  [false, "grep -rn total src"],
  [true, 'psql shop -c "select id, total from orders where id = 4711"'],
  [false, "psql shop -c 'select * from orders'"],
  [true, "kubectl get pod web-1 -o yaml"],
  [false, "kubectl get pods"],
  [false, "npm test"],
])("the command chose its output is %p: %s", (expected, command) => {
  expect(isChosen(command)).toBe(expected);
});

test.each([
  ["cd /srv/shop2024 && kubectl describe pod web-7f9c4d", ["web-7f9c4d"]],
  ["curl -s https://api.example.org/items | head -100", ["https://api.example.org/items"]],
  ["node scripts/seed.js data.json > /dev/null", ["data.json"]],
  ["python3 -u manage.py migrate", []],
  ["go test ./... -count=1", []],
  ["sudo cat /var/log/shop.log", ["/var/log/shop.log"]],
  ["git log -100 --since 2026-11-01", []],
  ["find /home/me/v2-2024/shop/src/components -type f", []],
  ["grep -rn total /home/me/v2/shop9/src", []],
  ["ls /srv/runs/2026-11-01", ["/srv/runs/2026-11-01"]],
])("what a command is about: %s", (command, things) => {
  expect(thingsOf(command)).toEqual(things);
});

test.each([
  [true, "Bash", { command: "memoir recall t1 --grep total" }],
  [true, "Bash", { command: "cd x; ~/.memoir/bin/memoir.exe recall t1" }],
  [true, "mcp__memoir__search", {}],
  [false, "Bash", { command: "git commit -m 'Begin memoir'" }],
  [false, "Bash", { command: "ls ~/.memoir" }],
  [false, "Bash", {}],
  [false, "mcp__tracker__search", {}],
])("is memoir's own is %p: %s %j", (expected, tool, input) => {
  expect(isOwnCall({ tool, input })).toBe(expected);
});

test.each([
  [true, "package-lock.json"],
  [true, "/x/web/dist/app.js"],
  [true, "a/app.min.js"],
  [false, "src/lock.ts"],
  [false, "package.json"],
  [false, "distance.ts"],
])("is generated is %p: %s", (expected, path) => {
  expect(isGenerated(path)).toBe(expected);
});

test.each([
  [true, "src/a.ts:3:4: error: no such file"],
  [true, "npm warn deprecated x"],
  [true, "✗ rounds once"],
  [true, "2 failed, 3 passed"],
  [true, "ValueError: an odd total"],
  [true, "java.lang.NullPointerException: of the order"],
  [true, "    not ok 13 - a selector in a subtest"],
  [false, "the ValueError page"],
  [false, "0 errors, 0 warnings"],
  [false, "errors: 0"],
  [false, "compiled PlatformError.ts"],
  [false, "replayed order 7"],
])("tells of trouble is %p: %s", (expected, line) => {
  expect(isTrouble(line)).toBe(expected);
});

test("paths are found, and listed when they are lost", () => {
  expect(
    pathsIn("see src/a.ts:12, /home/ada/b and https://example.org/c/d (./e/f.go) 1/2"),
  ).toEqual(["src/a.ts", "/home/ada/b", "./e/f.go"]);
  expect(lostPaths(["src/a.ts src/b.ts src/b.ts"], "kept src/a.ts")).toBe(
    "… paths in the lines left out: src/b.ts",
  );
  expect(lostPaths(["nothing"], "")).toBeUndefined();
  const many = Array.from({ length: 500 }, (_, at) => `src/folder/file${at}.ts`).join("\n");
  expect(lostPaths([many], "")).toStartWith(
    "… paths in the lines left out:\nsrc/folder/: file0.ts file1.ts ",
  );
  expect(lostPaths([many], "")).toEndWith(" … and 468 more (468 .ts)");
});

test("a line is what a terminal shows in the end", () => {
  expect(cleanLine("10%\r50%\r\u001b[2K\u001b[32mdone\u001b[0m  ")).toBe("done");
  expect(cleanLine("windows line\r")).toBe("windows line");
});
