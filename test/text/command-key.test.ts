// Which command lines count as the same command.
import { expect, test } from "bun:test";
import { commandKey } from "../../src/text/command-key.ts";

test.each([
  ["cd /app && npm test 2>&1", "npm test"],
  ["npm   test | tail -20", "npm test"],
  ["npm test 2>&1 | grep -v ok | head", "npm test"],
  ["cat a | jq .b", "cat a | jq .b"],
])("the key of %s", (line, wanted) => {
  expect(commandKey(line)).toBe(wanted);
});
