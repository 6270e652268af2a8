// After which events a turn is made or made anew, why, and where its piece stands among the others.
import { expect, test } from "bun:test";
import type {
  PendingEvent,
  PlannedWork,
  PromptPast,
} from "../../../src/runtime/journal/planning.ts";
import { planTurns, workKey } from "../../../src/runtime/worker/plan.ts";

let made = 0;
const event = (name: PendingEvent["name"], promptNumber: number, more: object = {}) => {
  made++;
  return {
    name,
    promptNumber,
    key: `k${made}`,
    recovered: false,
    ...more,
  } as unknown as PendingEvent;
};
/** The turns that are wanted after these events, as `number why`. */
function wanted(
  events: readonly PendingEvent[],
  past: ReadonlyMap<number, PromptPast> = new Map(),
) {
  const plan = planTurns(past);
  for (const one of events) plan.meet(one);
  const works: PlannedWork[] = [];
  plan.insertInto(works);
  const reasons = ["stop", "next", "end", "stopped", "closed", "silent"];
  return works.map(({ kind, key, promptNumber, seqs, waiting }) => {
    expect([kind, seqs, waiting]).toEqual(["turn", [], false]);
    const why = reasons.find((reason) =>
      events.some((one) => key === workKey("turn", [String(promptNumber), reason, one.key])),
    );
    return `${promptNumber} ${why}`;
  });
}
const recovered = { recovered: true };
const spoken = { spoken: true };
const agent = { agent: { id: "a" } };

test.each<[string, PendingEvent[], string[]]>([
  ["a Stop", [event("Stop", 2)], ["2 stop"]],
  ["each Stop of one prompt, the last", [event("Stop", 2), event("Stop", 2)], ["2 stop"]],
  ["the next prompt, of the one before", [event("UserPromptSubmit", 3)], ["2 next"]],
  ["the first prompt, of what was before any", [event("UserPromptSubmit", 1)], ["0 next"]],
  ["no prompt without a number", [event("UserPromptSubmit", 0)], []],
  ["the end of a session", [event("SessionEnd", 2)], ["2 end"]],
  ["no end before any prompt", [event("SessionEnd", 0)], []],
  [
    "a tool that the user stopped with a word",
    [event("PostToolUseFailure", 2, spoken)],
    ["2 stopped"],
  ],
  ["no tool that failed by itself", [event("PostToolUseFailure", 2)], []],
  ["no subagent's", [event("PostToolUseFailure", 2, { ...spoken, ...agent })], []],
  [
    "none that was read afterwards",
    [event("PostToolUseFailure", 2, { ...spoken, ...recovered })],
    [],
  ],
  ["no tool that worked", [event("PostToolUse", 2, spoken)], []],
  [
    "a Stop and then the next prompt, both times",
    [event("Stop", 2), event("UserPromptSubmit", 3)],
    ["2 next"],
  ],
  [
    "of a transcript a Stop alone: what it tells is whole",
    [
      event("Stop", 2, recovered),
      event("UserPromptSubmit", 3, recovered),
      event("SessionEnd", 3, recovered),
    ],
    ["2 stop", "3 end"],
  ],
  [
    "of a transcript that ends with its Stop, that",
    [event("Stop", 2, recovered), event("SessionEnd", 2, recovered)],
    ["2 stop"],
  ],
  [
    "without a Stop, the next prompt of a transcript too",
    [event("UserPromptSubmit", 3, recovered)],
    ["2 next"],
  ],
])("a turn is made after %s", (_, events, turns) => {
  expect(wanted(events)).toEqual(turns);
});

test("what was stopped in an earlier planning is whole for a transcript, not for hooks", () => {
  const past = new Map([[2, { stopped: true } as PromptPast]]);
  expect(wanted([event("UserPromptSubmit", 3, recovered)], past)).toEqual([]);
  expect(wanted([event("UserPromptSubmit", 3)], past)).toEqual(["2 next"]);
  const open = new Map([[2, { stopped: false } as PromptPast]]);
  expect(wanted([event("UserPromptSubmit", 3, recovered)], open)).toEqual(["2 next"]);
});

test("tool uses that stopped gathering make their turn, unless another reason was met; they are given back", () => {
  const plan = planTurns(new Map());
  plan.meet(event("Stop", 2));
  const use = (promptNumber: number) => event("PostToolUse", promptNumber);
  const groups = [
    { promptNumber: 2, events: [use(2)] },
    { promptNumber: 3, events: [use(3), use(3)] },
    { promptNumber: 4, events: [] },
  ] as unknown as Parameters<typeof plan.closed>[0];
  expect(plan.closed(groups)).toBe(groups);
  plan.silent(5, { key: "quiet" });
  const works: PlannedWork[] = [];
  plan.insertInto(works);
  const last = groups[1]?.events.at(-1)?.key ?? "";
  expect(works.map(({ key }) => key).slice(1)).toEqual([
    ...[workKey("turn", ["3", "closed", last]), workKey("turn", ["5", "silent", "quiet"])],
  ]);
  expect(works.map(({ promptNumber }) => promptNumber)).toEqual([2, 3, 5]);
});

test("a turn stands behind its prompt, before all else of it and of later ones", () => {
  const work = (kind: PlannedWork["kind"], promptNumber: number) =>
    ({
      kind,
      promptNumber,
      key: `${kind}${promptNumber}`,
      seqs: [],
      waiting: false,
    }) as PlannedWork;
  const works = [
    ...[work("prompt", 1), work("observe", 1), work("summarize-prompt", 1)],
    ...[work("prompt", 2), work("observe", 2), work("prompt", 4)],
  ];
  const plan = planTurns(new Map());
  for (const number of [3, 2, 1, 4]) plan.meet(event("Stop", number));
  plan.insertInto(works);
  expect(works.map(({ kind, promptNumber }) => `${kind} ${promptNumber}`)).toEqual([
    ...["prompt 1", "turn 1", "observe 1", "summarize-prompt 1"],
    ...["prompt 2", "turn 2", "observe 2", "turn 3", "prompt 4", "turn 4"],
  ]);
});
