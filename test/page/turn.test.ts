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
const passed = piece("passed", "npm test");
const commit = piece("commit", "3f2a91c (main)");
const lint = piece("failure", "npm run lint");

test.each([
  ["nothing", [], []],
  ["a failure that nothing fixed", [failure, said], [{ piece: failure }, { piece: said }]],
  [
    "a failure, steps, and the fix of the same command",
    [prompt, failure, said, said, repair],
    [{ piece: prompt }, { failure, between: [said, said], fix: repair }],
  ],
  [
    "what passed as a fix or a commit, and what passed by itself",
    [failure, repair, passed, commit, passed, said, passed].map((one, at) => ({
      ...one,
      toolUseId: `use ${[0, 1, 1, 2, 2, 3, 4][at]}`,
    })),
    [
      {
        failure: { ...failure, toolUseId: "use 0" },
        between: [],
        fix: { ...repair, toolUseId: "use 1" },
      },
      { piece: { ...commit, toolUseId: "use 2" } },
      { piece: { ...said, toolUseId: "use 3" } },
      { piece: { ...passed, toolUseId: "use 4" } },
    ],
  ],
  ["passes of an unknown use", [passed, passed], [{ piece: passed }, { piece: passed }]],
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
