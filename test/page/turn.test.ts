// How a turn is read: a failure is tied to what fixed it, and everything else stands where it happened.
import { expect, test } from "bun:test";
import { partsOf } from "../../src/page/parts/turn.tsx";
import type { Evidence } from "../../src/sdk/turn.ts";

const piece = (kind: Evidence["kind"], about?: string): Evidence => ({
  ...{ kind, text: `${kind} of ${about}` },
  ...(about !== undefined && { about }),
});
const prompt = piece("prompt");
const said = piece("said");
const failure = piece("failure", "npm test");
const repair = piece("repair", "npm test");
const lint = piece("failure", "npm run lint");

test.each([
  ["nothing", [], []],
  ["a failure that nothing fixed", [failure, said], [{ piece: failure }, { piece: said }]],
  [
    "a failure, steps, and the fix of the same command",
    [prompt, failure, said, said, repair],
    [{ piece: prompt }, { failure, between: [said, said], fix: repair }],
  ],
  ["a fix of another command", [lint, repair], [{ piece: lint }, { piece: repair }]],
  [
    "another failure on the way",
    [failure, lint, repair, said],
    [{ failure, between: [lint], fix: repair }, { piece: said }],
  ],
  [
    "the same one twice",
    [failure, repair, failure, repair],
    [
      { failure, between: [], fix: repair },
      { failure, between: [], fix: repair },
    ],
  ],
])("%s", (_, pieces, parts) => {
  expect(partsOf(pieces)).toEqual(parts as ReturnType<typeof partsOf>);
});
