// What command lines say of themselves.
import { describe, expect, test } from "bun:test";
import {
  commitMessage,
  commitsIn,
  hidesExit,
  publishedIn,
  publishing,
} from "../../src/evidence/command-line.ts";

describe("an exit that tells nothing", () => {
  test.each([
    ["npm test", false],
    ["npm test 2>&1 | tail -5", true],
    ["npm test || true", true],
    ["set -o pipefail; npm test | tee log", false],
    ["grep 'a|b' file", false],
    ['rg "x || y" src', false],
    ["cat <<'EOF'\na | b\nEOF", false],
    ["cd a && npm test && npm run lint", false],
  ])("%s", (line, wanted) => {
    expect(hidesExit(line)).toBe(wanted);
  });
});

describe("the message of a commit", () => {
  test.each([
    ["git commit -m 'Fix the cart'", "Fix the cart"],
    ['git add . && git commit -am "Say \\"no\\" once" && git push', 'Say "no" once'],
    ['git commit -m "Subject" -m "Body of it"', "Subject\n\nBody of it"],
    ["git commit --message='One'", "One"],
    ["git commit -m $'One\\n\\nTwo'", "One\n\nTwo"],
    [
      "git commit -m \"$(cat <<'EOF'\nSubject\n\nBody with 'quotes' and \"more\"\nEOF\n)\"",
      "Subject\n\nBody with 'quotes' and \"more\"",
    ],
    ["git commit -F - <<EOF\nSubject\nEOF", "Subject"],
    ["git -C /app commit -m 'Elsewhere'", "Elsewhere"],
    ["git commit --amend --no-edit", ""],
    ["git log --grep commit", undefined],
  ])("%s", (line, wanted) => {
    expect(commitMessage(line)).toBe(wanted as string | undefined);
  });
});

test("commits are read off git's output", () => {
  const output =
    "hook ran\n[main 1a2b3c4] Fix the cart\n 2 files changed\n[detached HEAD 99aabb0] Other\n[fix/a (root-commit) 1234567] First\n[2] not one";
  expect(commitsIn(output)).toEqual([
    { branch: "main", id: "1a2b3c4", subject: "Fix the cart" },
    { branch: "detached HEAD", id: "99aabb0", subject: "Other" },
    { branch: "fix/a", id: "1234567", subject: "First" },
  ]);
});

test.each(publishing.map(({ example, what }) => [example, what] as const))(
  "%s publishes",
  (example, what) => {
    expect(publishing.filter(({ command }) => command.test(example))).toHaveLength(1);
    expect(publishedIn(example)).toMatchObject({
      what: what === "pull request" ? what : `${what} v1.2.0`,
    });
    expect(publishedIn(example)?.text).toMatch(/^(?:Count in cents|Cents)(?:\n\nNo floats\.)?$/);
  },
);

test.each<[string, ReturnType<typeof publishedIn>]>([
  [
    `gh pr create --title "Count in cents" --body "$(cat <<'EOF'\n## Why\n\nIt's "exact"\nEOF\n)" --base main`,
    { what: "pull request", text: `Count in cents\n\n## Why\n\nIt's "exact"` },
  ],
  ["git tag v1.2.0 && git push origin v1.2.0", { what: "tag v1.2.0", text: "v1.2.0" }],
  ["git push && git tag -m 'Cents' v1.2.0", { what: "tag v1.2.0", text: "Cents" }],
  ["git tag", undefined],
  ["git tag | tail -3", undefined],
  ["git tag -l 'v*'", undefined],
  ["git tag --sort=-creatordate | head", undefined],
  ["git tag -d v1.2.0", undefined],
  ["gh pr create --dry-run --title x", undefined],
  ["gh pr view 12", undefined],
  [
    'gh pr edit 12 --title "Count in cents" --body x',
    { what: "pull request", text: "Count in cents\n\nx" },
  ],
  ['gh pr edit 12 --body "No floats in the cart."', undefined],
  ["gh pr edit 12 --body-file notes.md && gh pr view 12", undefined],
  [`gh pr edit 12 --body "$(cat <<'EOF'\nIt's set by --title x\nEOF\n)"`, undefined],
  [
    'gh pr create --body "Not --title y" --title "Count in cents"',
    { what: "pull request", text: "Count in cents\n\nNot --title y" },
  ],
  ['git commit -m "Say how git tag v1 is made"', undefined],
])("what %j publishes", (line, wanted) => {
  expect(publishedIn(line)).toEqual(wanted);
});
