// A shell command is memoir's own only when nothing else happens in it.
import { describe, expect, test } from "bun:test";
import { isOwnCommand } from "../../../plugins/capture-skip-tools/index.ts";

const table: Array<[command: string, own: boolean]> = [
  ["memoir search 'token refresh'", true],
  ["~/.memoir/bin/memoir show o12", true],
  ['"/home/ada lovelace/.memoir/bin/memoir" status --json', true],
  ["MEMOIR_HOME=/tmp/x memoir status", true],
  ["cd /repo && memoir search x | head -20", true],
  ["memoir search x --json | jq -r '.results[].title' 2>&1", true],
  ["memoir show o1; memoir show o2", true],
  ["memoir search 'a && b; c | d'", true],
  [
    'memoir store-memory --project shop \\\n  --title "Three words here" \\\n  --facts \'["a; b"]\'',
    true,
  ],
  ["memoir store-overview --content x \\\n && rm -rf build", false],
  [`memoir store-memory --narrative "${"word ".repeat(1_000)}"`, true],
  ["\\\nmemoir search x", true],
  ["memoir search it\\'s && rm -rf build", false],
  ["npx memoir doctor", true],
  ["memoir.exe status", true],
  ["memoir search x && bun test", false],
  ["bun test | grep memoir", false],
  ["grep -rn memoir src", false],
  ["cat memoir.md", false],
  ["ls ~/.memoir", false],
  ["memoir search x | xargs rm", false],
  ["memoir show $(cat id)", false],
  ["git clone https://example.com/memoir", false],
  ["memoirs list", false],
  ["cd memoir", false],
  ["", false],
];

describe("isOwnCommand", () => {
  for (const [command, own] of table) {
    test(`${own ? "own" : "not own"}: ${command}`, () => expect(isOwnCommand(command)).toBe(own));
  }
});
