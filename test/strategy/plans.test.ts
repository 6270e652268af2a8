// Plans across turns: what became of each, and who carried it out.
import { describe, expect, test } from "bun:test";
import type { Evidence } from "../../src/sdk/turn.ts";
import { type PlanTurn, plansOf } from "../../src/strategy/open-ends.ts";

type Made = [session: string, number: number, pieces: Evidence[], changed?: string];
const accepted = (text: string): Evidence => ({ kind: "plan", text });
const proposed = (text: string): Evidence => ({ kind: "closing", text, about: "ExitPlanMode" });
const refused = (plan: string): Evidence => ({
  kind: "refusal",
  text: "why floats?",
  about: `ExitPlanMode: ${plan}`,
});
const commit: Evidence = { kind: "commit", text: "Count in cents" };
const cents = "# Plan: Count in cents\n\n1. Change the vouchers\n2. Change the cart";
const centsAgain = "# Cents everywhere\n\n1. Change the vouchers\n2. Change the cart, and round";
const mails = "# Send mails at night\n\nA queue and a timer.";

const turnsOf = (made: readonly Made[]): PlanTurn[] =>
  made.map(([session, promptNumber, pieces, path], at) => ({
    ...{ session, project: "p", promptNumber, startedAt: at * 10, time: at * 10 + 5, pieces },
    files: path === undefined ? [] : [{ path, changed: true }],
  }));
const placeOf = ({ session, promptNumber }: PlanTurn) => `${session}${promptNumber}`;
const shown = (turns: readonly PlanTurn[]) =>
  plansOf(turns).map(({ title, state, changed, proposed, accepted, carriedOut, lastTouched }) =>
    [
      title,
      changed ? `${state}, changed` : state,
      `by ${proposed.map(placeOf)}`,
      accepted ? `in ${placeOf(accepted)}` : "",
      `done in ${carriedOut.map(placeOf)}`,
      lastTouched,
    ].join(" | "),
  );

const table: Array<[name: string, made: Made[], wanted: string[]]> = [
  [
    "accepted where it was proposed, and carried out by all that follows",
    [
      ["a", 1, [accepted(cents)], "cart.ts"],
      ["a", 2, []],
      ["a", 3, [commit]],
    ],
    ["Count in cents | accepted | by  | in a1 | done in a1,a3 | 25"],
  ],
  [
    "accepted by a fresh session that begins with it",
    [
      ["a", 1, [proposed(cents)]],
      ["b", 1, [accepted(cents)], "cart.ts"],
    ],
    ["Count in cents | accepted | by a1 | in b1 | done in b1 | 15"],
  ],
  [
    "refused, changed, and accepted",
    [
      ["a", 1, [refused(cents), accepted(centsAgain)]],
      ["a", 2, [], "cart.ts"],
    ],
    ["Cents everywhere | accepted, changed | by a1 | in a1 | done in a2 | 15"],
  ],
  [
    "proposed, and nothing since",
    [["a", 1, [proposed(cents)]]],
    ["Count in cents | proposed | by a1 |  | done in  | 5"],
  ],
  [
    "refused, and work went on without it",
    [
      ["a", 1, [refused(cents)]],
      ["a", 2, []],
      ["a", 3, [], "cart.ts"],
    ],
    ["Count in cents | dropped | by a1 |  | done in  | 5"],
  ],
  [
    "left for another",
    [
      ["a", 1, [proposed(cents)]],
      ["a", 2, [accepted(mails)], "mail.ts"],
    ],
    [
      "Send mails at night | accepted | by  | in a2 | done in a2 | 15",
      "Count in cents | dropped | by a1 |  | done in  | 5",
    ],
  ],
  [
    "two in one session: what follows belongs to the later",
    [
      ["a", 1, [accepted(cents)], "cart.ts"],
      ["a", 2, [accepted(mails)], "mail.ts"],
      ["a", 3, [commit]],
    ],
    [
      "Send mails at night | accepted | by  | in a2 | done in a2,a3 | 25",
      "Count in cents | accepted | by  | in a1 | done in a1 | 5",
    ],
  ],
  [
    "of the same heading and other words is another",
    [
      ["a", 1, [accepted("# Fix the tests\n\nRound in the cart before adding")], "cart.ts"],
      ["b", 1, [accepted("# Fix the tests\n\nWait for mails instead of sleeping")], "mail.ts"],
    ],
    [
      "Fix the tests | accepted | by  | in b1 | done in b1 | 15",
      "Fix the tests | accepted | by  | in a1 | done in a1 | 5",
    ],
  ],
  ["none in a turn that only works", [["a", 1, [commit], "cart.ts"]], []],
];

describe("a plan", () => {
  test.each(table)("%s", (_, made, wanted) => {
    const turns = turnsOf(made);
    expect(shown(turns)).toEqual(wanted);
    expect(shown([...turns, ...turns].toReversed())).toEqual(wanted);
  });

  test("of another project is another", () => {
    const turns = turnsOf([
      ["a", 1, [proposed(cents)]],
      ["b", 1, [accepted(cents)]],
    ]).map((turn, at) => ({ ...turn, project: `p${at}` }));
    expect(plansOf(turns).map(({ state }) => state)).toEqual(["accepted", "proposed"]);
  });
});
