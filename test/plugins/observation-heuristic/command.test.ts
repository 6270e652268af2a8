// Shell commands: what they are for, and the message of a commit.
import { describe, expect, test } from "bun:test";
import {
  commitMessage,
  type Purpose,
  readCommand,
} from "../../../plugins/observation-heuristic/command.ts";

const purposes: Array<[string, Purpose]> = [
  ["bun test", "test"],
  ["npm run test:unit -- --watch=false", "test"],
  ["cd app && npx vitest run 2>&1 | tail -20", "test"],
  ["MIX_ENV=test mix test test/a_test.exs", "test"],
  ["python -m pytest -q", "test"],
  ["go test ./... 2>&1 | head -50", "test"],
  ["mise run test:ci", "test"],
  ["cargo nextest run", "test"],
  ["npx tsc --noEmit", "types"],
  ["mix dialyzer", "types"],
  ["npm run typecheck", "types"],
  ["golangci-lint run ./...", "lint"],
  ["mise run fmt && mise run lint", "lint"],
  ["pnpm exec eslint src", "lint"],
  ["go build -o ./out ./cmd/app", "build"],
  ["npm run build", "build"],
  ["prettier --write .", "format"],
  ["git add -A && git commit -m 'add x'", "commit"],
  ["gh pr create --fill", "publish"],
  ["mix ecto.migrate", "migrate"],
  ["npm install left-pad", "install"],
  ["git status --short", "routine"],
  ["git diff | head", "routine"],
  ["ls -la src", "routine"],
  ["cat <<'EOF' > a.txt\nnpm test\nEOF", "routine"],
  ["grep -rn 'npm test' .", "routine"],
  ['echo "go test; done"', "routine"],
  ["for f in *.ts; do wc -l $f; done", "routine"],
  ["node scripts/seed.js", "run"],
  ["", "routine"],
];
test.each(purposes)("%s is %s", (line, purpose) => {
  expect(readCommand(line).purpose).toBe(purpose);
});

test("the telling part is shown without environment and redirections", () => {
  expect(readCommand("cd app && CI=1 npm test -- --ci > out.txt 2>&1").display).toBe(
    "npm test -- --ci",
  );
  expect(readCommand("go test ./... | tail -5").piped).toBe(true);
  expect(readCommand("go test ./...").piped).toBe(false);
});

describe("commit messages", () => {
  const messages: Array<[string, string, string]> = [
    [`git commit -m "fix: close the handle"`, "fix: close the handle", ""],
    [`git commit -am 'Add retry'`, "Add retry", ""],
    [
      `git commit -m "$(cat <<'EOF'\nAdd retry\n\nRetries three times.\n\nCo-Authored-By: X <x@y>\nEOF\n)"`,
      "Add retry",
      "Retries three times.",
    ],
    [
      `git add . && git commit -m "feat(api): \\"quoted\\" name" && git push`,
      'feat(api): "quoted" name',
      "",
    ],
  ];
  test.each(messages)("%s", (line, subject, body) => {
    expect(commitMessage(line)).toEqual({ subject, body });
  });
  test.each([
    "git commit --amend --no-edit",
    "git log -m",
    "echo commit -m 'x'",
    'git commit -m "$(date)"',
  ])("%s has none", (line) => {
    expect(commitMessage(line)).toBeUndefined();
  });
});
