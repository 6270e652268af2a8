// Which server takes over from which.
import { expect, test } from "bun:test";
import { isNewer } from "../../../src/cli/server/version-order.ts";

const scenarios: Array<[left: string, right: string, newer: boolean]> = [
  ["0.2.0", "0.1.9", true],
  ["0.10.0", "0.9.0", true],
  ["1.0.0", "0.99.99", true],
  ["0.1.1", "0.1.0", true],
  ["0.1.0", "0.1.0", false],
  ["0.1.0", "0.1.1", false],
  ["0.9.0", "0.10.0", false],
  ["1.0.0-beta.1", "0.9.0", true],
  ["something", "0.1.0", false],
  ["0.1.0", "", false],
];
for (const [left, right, newer] of scenarios) {
  test(`${left} is ${newer ? "" : "not "}newer than ${right || "nothing"}`, () => {
    expect(isNewer(left, right)).toBe(newer);
  });
}
