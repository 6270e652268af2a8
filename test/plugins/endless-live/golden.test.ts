// Every reducer on tool uses of our own making, against what they must become.
import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import { decide } from "../../../plugins/endless-live/index.ts";
import { createSeen } from "../../../plugins/endless-live/seen.ts";
import { expectGolden } from "../../support/golden.ts";
import { compact, goldenPolicy, readCases, withLines } from "./cases.ts";

const cases = await readCases();

describe("reducers", () => {
  test("there are cases for each", () => {
    expect(cases.length).toBeGreaterThan(50);
  });

  test.each(cases.map((one) => [one.name, one] as const))(
    "%s",
    async (name, { arrived, folder }) => {
      const reduced = decide(arrived, createSeen().of("s1", undefined), goldenPolicy);
      const stays = name.startsWith("left/") || name.endsWith("-stays");
      expect(reduced === undefined).toBe(stays);
      const made = reduced && {
        how: reduced.how,
        characters: `${reduced.before.length} → ${reduced.after.length}`,
        response: withLines(reduced.response),
      };
      await expectGolden(
        join(folder, "expected.json"),
        `${compact(made ?? { left: "as it is" })}\n`,
      );
    },
  );
});
