// What holds for every reduction whatever the result is: golden cases, and hundreds of damaged copies of them.
import { describe, expect, test } from "bun:test";
import { decide, hasSameShape } from "../../../plugins/endless-live/index.ts";
import type { Arrived, Reduced } from "../../../plugins/endless-live/reducer.ts";
import { isReduced } from "../../../plugins/endless-live/reducer.ts";
import { createSeen } from "../../../plugins/endless-live/seen.ts";
import { mutated, randomNumbers } from "../../support/mutations.ts";
import { goldenPolicy, readCases } from "./cases.ts";

const cases = await readCases();
const reduce = (arrived: Arrived): Reduced | undefined =>
  decide(arrived, createSeen().of("s1", undefined), goldenPolicy);

const strings = (value: unknown): string[] => {
  if (typeof value === "string") return [value];
  if (typeof value !== "object" || value === null) return [];
  return Object.values(value).flatMap(strings);
};
const isWellFormed = (value: unknown) => strings(value).every((text) => text.isWellFormed());

/** Fails with the case's name in the message. */
function check(name: string, arrived: Arrived): boolean {
  const frozen = JSON.stringify(arrived);
  const reduced = reduce(arrived);
  expect(JSON.stringify(arrived), name).toBe(frozen);
  expect(JSON.stringify(reduce(arrived)), name).toBe(JSON.stringify(reduced));
  if (!reduced) return false;
  expect(hasSameShape(arrived.response, reduced.response), name).toBe(true);
  expect(reduced.after.length, name).toBeLessThan(reduced.before.length);
  if (isWellFormed(arrived.response)) expect(isWellFormed(reduced.response), name).toBe(true);
  const told = strings(reduced.response).filter(isReduced);
  expect(told.length, name).toBe(1);
  expect(told[0], name).toContain(arrived.recall);
  expect(reduce({ ...arrived, response: reduced.response }), name).toBeUndefined();
  return true;
}

describe("a reduction", () => {
  test("keeps shape, shortens, tells how to get the whole, and is done once", () => {
    const count = cases.filter(({ name, arrived }) => check(name, arrived)).length;
    expect(count).toBeGreaterThan(40);
  });

  test("the same for damaged texts", () => {
    const random = randomNumbers(5);
    let reduced = 0;
    for (const { name, arrived } of cases) {
      for (let round = 0; round < 8; round++) {
        const damage = (value: unknown): unknown => {
          if (typeof value === "string" && value.length > 500)
            return mutated(Buffer.from(value), random).toString();
          if (Array.isArray(value)) return value.map(damage);
          if (typeof value !== "object" || value === null) return value;
          return Object.fromEntries(
            Object.entries(value).map(([key, part]) => [key, damage(part)]),
          );
        };
        const response = damage(arrived.response);
        if (check(`${name} ${round}`, { ...arrived, response })) reduced++;
      }
    }
    expect(reduced).toBeGreaterThan(200);
  });

  test("the same for damaged shapes", () => {
    const random = randomNumbers(11);
    let parsed = 0;
    for (const { name, arrived } of cases) {
      const json = Buffer.from(JSON.stringify(arrived.response));
      for (let round = 0; round < 8; round++) {
        let response: unknown;
        try {
          response = JSON.parse(mutated(json, random).toString());
          parsed++;
        } catch {
          response = mutated(json, random).toString();
        }
        check(`${name} ${round}`, { ...arrived, response });
      }
    }
    expect(parsed).toBeGreaterThan(50);
  });

  test.each([
    "{",
    '{"stdout":null}',
    "[]",
    "null",
    "7",
    '"text"',
    '[{"type":"text"}]',
    '{"file":{}}',
  ])("a response that is %s stays, whatever the tool", (json) => {
    const tools = new Set(cases.map(({ arrived }) => arrived.tool));
    for (const tool of tools) {
      const response: unknown = json === "{" ? undefined : JSON.parse(json);
      expect(
        reduce({ id: "t", tool, input: {}, response, recall: "memoir recall t" }),
      ).toBeUndefined();
    }
  });

  test("never takes longer than it must on text made to be slow", () => {
    const nasty = [
      "a/".repeat(20_000),
      `${"-".repeat(15_000)}%`,
      `x:${"-1".repeat(10_000)}-`,
      `${" ".repeat(15_000)}1%`,
      "commit 1234567\n".repeat(2_000),
      `${"@@ ".repeat(8_000)}`,
      "│   ".repeat(6_000),
      "=== RUN   T\n".repeat(2_500),
      "A ".repeat(12_000),
      `diff --git a/${"x ".repeat(9_000)}`,
    ];
    for (const [at, stdout] of nasty.entries())
      for (const command of ["grep -rn x .", "tree", "npm install", "go test -v", "git log", "x"]) {
        const response = { stdout, stderr: "", interrupted: false, isImage: false };
        const arrived = {
          id: "t",
          tool: "Bash",
          input: { command },
          response,
          recall: "memoir recall t",
        };
        check(`${at} ${command}`, arrived);
      }
  });
});
