// Planning as a table: a line of events in, pieces of work out.
import { describe, expect, test } from "bun:test";
import type { PendingEvent, PromptPast } from "../../../src/runtime/journal/planning.ts";
import { decideWork } from "../../../src/runtime/worker/plan.ts";
import type { ClientEventName } from "../../../src/sdk/events.ts";

type PlanInput = Parameters<typeof decideWork>[0];

const limits = { quietMs: 600, idleMs: 1800, maxToolUses: 4, maxBytes: 1000 };

/**
 * Events in a line: `p` prompt, `a`…`h` tool uses, `X:a` tool use a of background agent X, `S` Stop with a message,
 * `s` a silent Stop, `x` a tool use that the user stopped, `X.` SubagentStop of agent X, `E` SessionEnd, `!` anything else, `/` stands for "planned before".
 * `@n` sets the prompt number of what follows; a number in front of a tool use is its size.
 */
function parse(
  line: string,
  recovered: readonly string[] = [],
): Pick<PlanInput, "events" | "past" | "prompts" | "lastActivity"> {
  const events: PendingEvent[] = [];
  const past = new Map<number, PromptPast>();
  let prompts = 0;
  let number: number | undefined;
  let lastActivity: PlanInput["lastActivity"] = null;
  let seq = 0;
  for (const word of line.split(" ")) {
    if (word.startsWith("@")) {
      number = Number(word.slice(1));
      continue;
    }
    if (word === "/") {
      for (const event of events.splice(0)) {
        const facts = past.get(event.promptNumber) ?? { stopped: false, toolUses: false };
        past.set(event.promptNumber, {
          stopped: facts.stopped || event.name === "Stop",
          toolUses: facts.toolUses || event.toolUseId !== undefined,
        });
      }
      continue;
    }
    seq++;
    const [, bytes, agent, mark = ""] = /^(\d*)(?:([A-Z])(?=[:.]))?[:]?(.)$/.exec(word) ?? [];
    const names: Record<string, ClientEventName> = {
      p: "UserPromptSubmit",
      S: "Stop",
      s: "Stop",
      ".": "SubagentStop",
      E: "SessionEnd",
      x: "PostToolUseFailure",
      "!": "Other",
    };
    const name = names[mark] ?? "PostToolUse";
    const isTool = name.startsWith("PostToolUse");
    if (name === "UserPromptSubmit") {
      prompts++;
      number = undefined;
    }
    const key = isTool ? mark : `${word}${seq}`;
    if (isTool || name === "UserPromptSubmit" || name === "Stop") lastActivity = { seq, key };
    events.push({
      seq,
      key,
      name,
      promptNumber: number ?? prompts,
      receivedAt: seq,
      bytes: Number(bytes || 10),
      ...(isTool && { toolUseId: mark }),
      ...(agent && { agent }),
      spoken: mark === "S" || mark === "x",
      recovered: recovered.includes(word),
    });
  }
  return { events, past, prompts, lastActivity };
}

interface Scenario {
  it: string;
  line: string;
  /** `kind prompt-number: seqs`, in order. */
  works: string[];
  settled?: string[];
  dueAt?: number | null;
  given?: Partial<PlanInput>;
}

const scenarios: Scenario[] = [
  { it: "stores a prompt at once", line: "p", works: ["prompt 1: 1"], dueAt: 1801 },
  { it: "gathers tool uses of a running prompt", line: "p / a b", works: [], dueAt: 603 },
  {
    it: "observes and summarizes at Stop",
    line: "p / a b S",
    works: ["observe 1: 2,3,4", "summarize-prompt 1: 4"],
    dueAt: 1804,
  },
  {
    it: "summarizes a prompt that only talked",
    line: "p / S",
    works: ["summarize-prompt 1: 2"],
  },
  {
    it: "does nothing at a Stop where nothing happened",
    line: "p / s",
    works: [],
    settled: ["2 nothing happened"],
  },
  {
    it: "summarizes at a silent Stop when tools were observed before",
    line: "p a b c d / s",
    works: ["summarize-prompt 1: 6"],
  },
  {
    it: "summarizes once when several Stops of a prompt come together",
    line: "p / a S b S",
    works: ["observe 1: 2,3", "observe 1: 4,5", "summarize-prompt 1: 5"],
    settled: ["3 a later Stop follows"],
  },
  {
    it: "keeps the spoken Stop's summary when a silent one follows without tools",
    line: "p / S s",
    works: ["summarize-prompt 1: 2"],
    settled: ["3 nothing happened"],
  },
  {
    it: "closes an interrupted prompt at the next one",
    line: "p / a b p",
    works: ["observe 1: 2,3", "prompt 2: 4"],
  },
  {
    it: "keeps the order over two prompts",
    line: "p a S p b S",
    works: [
      "prompt 1: 1",
      "observe 1: 2,3",
      "summarize-prompt 1: 3",
      "prompt 2: 4",
      "observe 2: 5,6",
      "summarize-prompt 2: 6",
    ],
  },
  {
    it: "summarizes at a silent Stop when tools were gathered",
    line: "p / a s",
    works: ["observe 1: 2,3", "summarize-prompt 1: 3"],
  },
  {
    it: "observes an agent of an older prompt at its last word",
    line: "p / p @1 X:a X.",
    works: ["prompt 2: 2", "observe 1: 3,4"],
  },
  {
    it: "leaves open what came before its own prompt",
    line: "p / @2 a p",
    works: ["prompt 2: 3"],
  },
  {
    it: "is due when the first of its prompts is quiet",
    line: "p / @1 a @2 b",
    works: [],
    dueAt: 602,
  },
  {
    it: "closes older prompts first, however their events came",
    line: "p / @2 a @1 b E",
    works: ["observe 1: 3", "observe 2: 2", "summarize-session 1: 4"],
  },
  {
    it: "closes and summarizes at SessionEnd",
    line: "p / a E",
    works: ["observe 1: 2", "summarize-session 1: 3"],
    dueAt: null,
  },
  {
    it: "does not summarize an empty session",
    line: "E",
    works: [],
    settled: ["1 nothing new to summarize"],
    dueAt: null,
  },
  {
    it: "does not summarize again when nothing came since",
    line: "p S / E",
    works: [],
    settled: ["3 nothing new to summarize"],
    given: { summarizedSeq: 2 },
    dueAt: null,
  },
  {
    it: "summarizes again after a resume",
    line: "p S E / p S E",
    works: ["prompt 2: 4", "summarize-prompt 2: 5", "summarize-session 2: 6"],
    given: { summarizedSeq: 2 },
  },
  {
    it: "closes what has been quiet for long",
    line: "p / a b",
    works: ["observe 1: 2,3"],
    given: { now: 603 },
    dueAt: 1803,
  },
  {
    it: "waits one more moment",
    line: "p / a b",
    works: [],
    given: { now: 602 },
    dueAt: 603,
  },
  {
    it: "summarizes a silent session, closing what is open",
    line: "p / a b",
    works: ["observe 1: 2,3", "summarize-session 1: 3"],
    given: { now: 1803 },
    dueAt: null,
  },
  {
    it: "summarizes a silent session once",
    line: "p a S /",
    works: [],
    given: { now: 9999, summarizedSeq: 3 },
    dueAt: null,
  },
  {
    it: "cuts at the number limit",
    line: "p / a b c d e",
    works: ["observe 1: 2,3,4,5"],
  },
  {
    it: "cuts before the size limit",
    line: "p / 600a 300b 200c",
    works: ["observe 1: 2,3"],
  },
  { it: "takes a giant alone", line: "p / 5000a b", works: ["observe 1: 2"] },
  {
    it: "closes everything when flushed",
    line: "p / a b",
    works: ["observe 1: 2,3"],
    given: { flush: true },
  },
  {
    it: "keeps a subagent in its prompt's episode",
    line: "p / a X:b X. c S",
    works: ["observe 1: 2,3,4,5,6", "summarize-prompt 1: 6"],
  },
  {
    it: "gathers a background subagent's tools after Stop",
    line: "p a S / X:b X:c",
    works: [],
    dueAt: 605,
  },
  {
    it: "lets a background subagent that works over the Stop gather on",
    line: "p / a X:b S",
    works: ["observe 1: 2,4", "summarize-prompt 1: 4"],
    dueAt: 603,
  },
  {
    it: "observes all of it at its SubagentStop",
    line: "p / a X:b S X:c X.",
    works: ["observe 1: 2,4", "summarize-prompt 1: 4", "observe 1: 3,5,6"],
  },
  {
    it: "does not wait at Stop for a subagent that is done",
    line: "p / X:a X. Y:b S",
    works: ["observe 1: 2,3,5", "summarize-prompt 1: 5"],
    dueAt: 604,
  },
  {
    it: "closes a subagent that never ended at SessionEnd",
    line: "p / a X:b S E",
    works: ["observe 1: 2,4", "summarize-prompt 1: 4", "observe 1: 3", "summarize-session 1: 5"],
  },
  {
    it: "closes them at its SubagentStop",
    line: "p a S / X:b X:c X.",
    works: ["observe 1: 4,5,6"],
  },
  {
    it: "closes only the agent's own",
    line: "p a S / X:b Y:c X.",
    works: ["observe 1: 4,6"],
    dueAt: 605,
  },
  {
    it: "closes them at the next prompt",
    line: "p a S / X:b p",
    works: ["observe 1: 4", "prompt 2: 5"],
  },
  {
    it: "lets a background agent of an earlier prompt gather while the next runs",
    line: "p a S p / @1 X:b @2 c",
    works: [],
  },
  {
    it: "closes that agent at its SubagentStop, not the running prompt",
    line: "p a S p / @1 X:b @2 c @1 X.",
    works: ["observe 1: 5,7"],
  },
  {
    it: "closes both at the running prompt's Stop",
    line: "p a S p / @1 X:b @2 c S",
    works: ["observe 1: 5", "observe 2: 6,7", "summarize-prompt 2: 7"],
  },
  {
    it: "a late Stop of an earlier prompt leaves the running one alone",
    line: "p a p / b @1 S",
    works: ["summarize-prompt 1: 5"],
  },
  {
    it: "settles a SubagentStop without tool uses",
    line: "p a S / X.",
    works: [],
    settled: ["4 no tool use"],
  },
  {
    it: "observes tool uses before any prompt",
    line: "a b S",
    works: ["observe 0: 1,2,3", "summarize-prompt 0: 3"],
  },
  {
    it: "sums up a session once that ends twice",
    line: "p a S E E",
    works: ["prompt 1: 1", "observe 1: 2,3", "summarize-prompt 1: 3", "summarize-session 1: 4"],
    settled: ["5 nothing new to summarize"],
  },
  {
    it: "settles what nothing is done for",
    line: "! p",
    works: ["prompt 1: 2"],
    settled: ["1 nothing to do"],
  },
  {
    it: "observes a waited-for tool use alone and at once",
    line: "p / a b c",
    works: ["observe 1: 3 waiting"],
    given: { waiting: new Set(["b"]) },
    dueAt: 604,
  },
  {
    it: "summarizes a prompt whose only tool use was waited for",
    line: "p / a s",
    works: ["observe 1: 2 waiting", "summarize-prompt 1: 3"],
    given: { waiting: new Set(["a"]) },
  },
];

/** Turns have a table of their own. */
const isDerived = ({ kind }: { kind: string }) => kind !== "turn";

/** A line, the works it makes with turns among them as `T1`, and which of its events were read from a transcript. */
const turnScenarios: Array<
  [it: string, line: string, works: string, given?: Partial<PlanInput>, recovered?: string[]]
> = [
  ["at Stop, before anything is derived", "p / a S", "T1 observe1 summarize-prompt1"],
  ["at a Stop after words only", "p / S", "T1 summarize-prompt1"],
  ["once for several Stops", "p / a S b S", "T1 observe1 observe1 summarize-prompt1"],
  ["anew at the next prompt", "p a S / p", "T1 prompt2"],
  ["of what was before the first prompt", "p", "T0 prompt1"],
  ["of a prompt that nothing ended, at the next", "p / a p", "T1 observe1 prompt2"],
  ["behind its own prompt", "p a S", "T0 prompt1 T1 observe1 summarize-prompt1"],
  ["when the user stops a tool", "p / x", "T1"],
  ["not when the user stops a subagent's tool", "p / X:x", ""],
  ["not by a stopped tool that was read afterwards", "p / x", "", {}, ["x"]],
  ["not in the middle of a turn", "p / a b", ""],
  ["not when a batch is full", "p / a b c d", "observe1"],
  ["before a full batch that was read", "p / a b c d", "", {}, ["a", "b", "c", "d"]],
  ["before both", "p / a b c d e S", "T1 observe1 observe1 summarize-prompt1", {}, [..."abcde"]],
  [
    "before what was read and is too large",
    "p / 600a 700b S",
    "T1 observe1 observe1 summarize-prompt1",
    {},
    ["600a", "700b"],
  ],
  ["of a prompt read without an end", "p / a b c d", "T1 observe1", { now: 605 }, [..."abcd"]],
  ["at the session's end", "p a S / E", "T1 summarize-session1"],
  ["not of an empty session", "E", ""],
  ["when it goes quiet", "p / a b", "T1 observe1", { now: 603 }],
  ["when the session goes silent", "p S /", "T1 summarize-session1", { now: 1803 }],
  ["when a background agent ends", "p a S / X:b X.", "T1 observe1"],
  ["once from a transcript", "p a S / p", "prompt2", {}, ["p"]],
  ["nor at its recovered end", "p a S / E", "summarize-session1", {}, ["E"]],
  ["of a recovered prompt without Stop", "p / p", "T1 prompt2", {}, ["p"]],
];

function planLine(line: string, given: Partial<PlanInput> = {}, recovered: readonly string[] = []) {
  const parsed = parse(line, recovered);
  return decideWork({
    ...parsed,
    summarizedSeq: 0,
    lastReceivedAt: parsed.lastActivity?.seq ?? 0,
    now: 100,
    limits,
    waiting: new Set(),
    flush: false,
    ...given,
  });
}

describe("a turn is made", () => {
  test.each(turnScenarios)("%s", (_, line, works, given = {}, recovered = []) => {
    const planned = planLine(line, given, recovered).works;
    const shown = planned.map(({ kind, promptNumber }) =>
      kind === "turn" ? `T${promptNumber}` : kind + promptNumber,
    );
    expect(shown.join(" ")).toBe(works);
    expect(new Set(planned.map(({ key }) => key)).size).toBe(planned.length);
  });
});

describe("decideWork", () => {
  for (const { it, line, works, settled, dueAt, given } of scenarios)
    test(it, () => {
      const planned = planLine(line, given);
      expect(
        planned.works
          .filter(isDerived)
          .map(
            (work) =>
              `${work.kind} ${work.promptNumber}: ${work.seqs.join(",")}${work.waiting ? " waiting" : ""}`,
          ),
      ).toEqual(works);
      expect(planned.settled.map(({ seq, reason }) => `${seq} ${reason}`)).toEqual(settled ?? []);
      if (dueAt !== undefined) expect(planned.dueAt).toBe(dueAt);
    });

  test("a full batch that was read is looked at once it has been quiet", () => {
    expect(planLine("p / a b c d", {}, [..."abcd"]).dueAt).toBe(605);
  });

  test("no event is lost: each is in a piece, settled, or still gathering", () => {
    for (const { line, given } of scenarios) {
      const planned = planLine(line, { ...given, flush: true });
      const seen = new Set([
        ...planned.works.flatMap(({ seqs }) => seqs),
        ...planned.settled.map(({ seq }) => seq),
      ]);
      for (const { seq } of parse(line).events) expect(seen.has(seq)).toBe(true);
    }
  });

  test("a tool use is observed once", () => {
    for (const { line, given } of scenarios) {
      const { events } = parse(line);
      const tools = new Set(events.flatMap(({ seq, toolUseId }) => (toolUseId ? [seq] : [])));
      const observed = planLine(line, { ...given, flush: true })
        .works.filter(({ kind }) => kind === "observe")
        .flatMap(({ seqs }) => seqs.filter((seq) => tools.has(seq)));
      expect(observed.toSorted()).toEqual([...tools].toSorted());
    }
  });

  test("equal inputs have equal keys, other events and other kinds have others", () => {
    const keys = (line: string) =>
      planLine(line)
        .works.filter(isDerived)
        .map(({ key }) => key);
    expect(keys("p / a b S")).toEqual(keys("p / a b S"));
    expect(new Set([...keys("p / a b S"), ...keys("p / a c S")]).size).toBe(3);
  });
});
