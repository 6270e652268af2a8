// Where a record was made from that does not say so: prompt, closing and what came of its tool uses.
import { expect, test } from "bun:test";
import { placesIn } from "../../../src/runtime/worker/turn.ts";
import type { Evidence } from "../../../src/sdk/turn.ts";
import { sampleTurn } from "../../support/sample-records.ts";

const pieces: Evidence[] = [
  { kind: "prompt", text: "Mend it" },
  { kind: "passed", text: "", toolUseId: "t1" },
  { kind: "passed", text: "", toolUseId: "t2" },
  { kind: "said", text: "Hm." },
  { kind: "closing", text: "Done." },
];
const turn = sampleTurn({ promptNumber: 4, pieces });
const placed = (...ids: string[]) => placesIn([turn], ids)?.map(({ piece }) => piece);

test("it rests on what frames its turn, and on its own tool uses", () => {
  expect(placesIn([turn])?.[0]).toEqual({ turn: 4, piece: 0 });
  expect([placed(), placed("t2"), placed("t1", "t2")]).toEqual([
    [0, 4],
    [0, 2, 4],
    [0, 1, 2, 4],
  ]);
});

test("on nothing where there is none of it, and on forty places at most", () => {
  expect(placesIn([sampleTurn({ pieces: pieces.slice(3, 4) })], ["t1"])).toBeUndefined();
  expect(placesIn(Array.from({ length: 50 }, () => turn))).toHaveLength(40);
});
