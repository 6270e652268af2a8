// Which server takes over from which.
import { expect, test } from "bun:test";
import { takesOver } from "../../../src/cli/server/start-stop.ts";

const scenarios: Array<[left: string, right: string, over: boolean]> = [
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
  ["0.1.0+19fef7e4", "0.1.0+138a2a57", true],
  ["0.1.0+138a2a57", "0.1.0+19fef7e4", true],
  ["0.1.0+19fef7e4", "0.1.0", true],
  ["0.1.0+19fef7e4", "0.1.0+19fef7e4", false],
  ["0.1.0+19fef7e4", "0.1.1+138a2a57", false],
  ["0.2.0+19fef7e4", "0.1.1+138a2a57", true],
];
for (const [left, right, over] of scenarios) {
  test(`${left} ${over ? "takes over from" : "leaves"} a server of ${right || "nothing"}`, () => {
    expect(takesOver(left, right)).toBe(over);
  });
}
