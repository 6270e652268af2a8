// What a model would be asked about sessions: four characters a token, and what each prompt and tool use adds.
import { expect, test } from "bun:test";
import type { PlannedSession } from "../../src/backfill/plan.ts";
import { estimateModelTokens } from "../../src/backfill/plan.ts";

const session = (prompts: number, toolUses: number, characters: number) =>
  ({ prompts, toolUses, characters }) as PlannedSession;

test.each<[PlannedSession[], number, number]>([
  [[], 0, 0],
  [[session(1, 0, 0)], 2_500, 500],
  [[session(0, 2, 9)], 3, 120],
  [[session(2, 3, 4_000), session(1, 0, 1)], 8_501, 1_680],
])("%j", (sessions, input, output) => {
  expect(estimateModelTokens(sessions)).toEqual({ input, output });
});
