// Which command lines count as the same command.
import { expect, test } from "bun:test";
import { commandKey } from "../../src/text/prose/plain.ts";

test.each([
  ["cd /app && npm test 2>&1", "npm test"],
  ["npm   test | tail -20", "npm test"],
  ["npm test 2>&1 | grep -v ok | head", "npm test"],
  ["cat a | jq .b", "cat a | jq .b"],
  ["cd /app; cd src && make", "make"],
  ["make && cd /app && npm test", "make && cd /app && npm test"],
  ["npm test > /dev/null 2> /dev/null", "npm test"],
  ["npm test 1>&2", "npm test"],
  ["cat log | tee out | sed s/a/b/ | tail", "cat log"],
  ["tail -f log", "tail -f log"],
  ["cat a | sort | head", "cat a | sort"],
])("the key of %s", (line, wanted) => {
  expect(commandKey(line)).toBe(wanted);
});
