// The measure of Endless Mode on made-up transcripts: what counts as kept out, what counts as missed, what covers a need.
import { describe, expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { wordsOf } from "../../src/runtime/endless/second-looks.ts";
import type { TranscriptEntry } from "../../src/transcript/entry.ts";
import {
  entriesOf,
  said,
  type TranscriptScript,
  transcriptScript,
  used,
} from "../support/transcript-lines.ts";
import { parsePolicy } from "./endless.ts";
import { markThread } from "./endless-marks.ts";
import { needsOf } from "./endless-needs.ts";
import { type Outcome, replayThread, type Strategy } from "./endless-replay.ts";
import { bluntCap, cleared } from "./endless-strategies.ts";
import { sumOutcomes } from "./endless-sums.ts";
import { readThreads, recordedRoot, type Thread, threadsIn } from "./endless-threads.ts";

/** Takes every result away. */
const nothing: Strategy = {
  name: "nothing",
  reduce: () => ({ result: () => ({ text: "(gone)", how: "emptied" }) }),
};

async function threadOf(write: (script: TranscriptScript) => void): Promise<Thread> {
  const script = transcriptScript();
  write(script);
  const entries = (await entriesOf(script.text())) as TranscriptEntry[];
  const [thread] = threadsIn(entries, "shop/s1.jsonl", "s1");
  if (!thread) throw new Error("no thread");
  return thread;
}

const replay = (thread: Thread, strategy: Strategy): Outcome =>
  replayThread(markThread(thread), strategy);
const missed = ({ removals }: Outcome): string[] =>
  removals.flatMap(({ tool, harms }) => harms.map(({ kind, text }) => `${tool} ${kind} ${text}`));

const file =
  "const rateOfTax = 0.2;\nexport const price = (net: number) => net * (1 + rateOfTax);\n";
const numbered = file
  .split("\n")
  .map((line, at) => `     ${at + 1}→${line}`)
  .join("\n");

/** A read of a file, then whatever. */
const afterRead =
  (then: (script: TranscriptScript) => void) =>
  (script: TranscriptScript): void => {
    script.user("Round the prices.");
    script.assistant("m1", [used("t1", "Read", { file_path: "/shop/price.ts" })]);
    script.result("t1", numbered);
    then(script);
  };
const edit = (script: TranscriptScript, old: string) =>
  script.assistant("m9", [
    used("t9", "Edit", { file_path: "/shop/price.ts", old_string: old, new_string: "x" }),
  ]);

describe("what a turn needs", () => {
  test.each([
    ["see src/cart/total.ts for it", ["src/cart/total.ts"]],
    ["/usr/bin/env", ["/usr/bin/env"]],
    ["and/or, missing/invalid", []],
    ["applyDiscount and max_items1 and VERSION2A", ["applyDiscount", "max_items1", "VERSION2A"]],
    ["something ordinary, Capitalised", []],
    ["short aB_1", []],
  ])("%s", (text, expected) => {
    expect(wordsOf(text).map((word) => word.text)).toEqual(expected);
  });

  test("an edit needs its old lines but not its braces, and what it names", () => {
    const step = {
      kind: "use" as const,
      id: "t",
      tool: "Edit",
      input: { old_string: "  if (isOpen) {\n}\n  close();", new_string: "callShutDown()" },
      text: "",
      request: 0,
    };
    expect(needsOf(step).map(({ kind, text, partial }) => [kind, text, partial])).toEqual([
      ["edit", "if (isOpen) {", true],
      ["edit", "close();", true],
      ["identifier", "callShutDown", false],
    ]);
  });
});

describe("what counts as missed", () => {
  test("an edit of lines that stood only in a removed read", async () => {
    const thread = await threadOf(
      afterRead((script) => edit(script, "const rateOfTax = 0.2;\nexport")),
    );
    expect(missed(replay(thread, nothing))).toEqual([
      "Read edit const rateOfTax = 0.2;",
      "Read edit export",
      "Read identifier rateOfTax",
    ]);
  });

  test("part of a line, too", async () => {
    const thread = await threadOf(afterRead((script) => edit(script, "(net: number)")));
    expect(missed(replay(thread, nothing))).toEqual(["Read edit (net: number)"]);
  });

  test("an identifier that the assistant tells", async () => {
    const thread = await threadOf(
      afterRead((script) => script.assistant("m2", [said("`rateOfTax` is 0.2")])),
    );
    expect(missed(replay(thread, nothing))).toEqual(["Read identifier rateOfTax"]);
  });

  test.each<[string, (script: TranscriptScript) => void]>([
    ["the person said it", (script) => script.user("mind rateOfTax")],
    [
      "the agent looked again itself",
      (script) => {
        script.assistant("m2", [used("t2", "LS", {})]);
        script.result("t2", "rateOfTax");
      },
    ],
    ["it stands within a longer word", (script) => script.user("mind theirrateOfTax2")],
  ])("not when %s", async (_, between) => {
    const thread = await threadOf(
      afterRead((script) => {
        between(script);
        script.assistant("m3", [said("rateOfTax is 0.2")]);
      }),
    );
    const onlyReads: Strategy = {
      name: "reads",
      reduce: () => ({
        result: ({ tool }) => (tool === "Read" ? { text: "", how: "emptied" } : undefined),
      }),
    };
    expect(missed(replay(thread, onlyReads))).toEqual([]);
  });

  test("not after a compaction", async () => {
    const thread = await threadOf(
      afterRead((script) => {
        script.line({ type: "system", subtype: "compact_boundary", parentUuid: null });
        script.user("Summary.", { isCompactSummary: true });
        script.assistant("m3", [said("rateOfTax is 0.2")]);
      }),
    );
    expect(missed(replay(thread, nothing))).toEqual([]);
    expect(missed(replay(thread, { name: "as it was" }))).toEqual([]);
  });

  test("what a cleared input alone said", async () => {
    const thread = await threadOf((script) => {
      script.assistant("m1", [
        used("t1", "Write", { file_path: "/a.ts", content: `${"pad ".repeat(300)}\nlastLine()` }),
      ]);
      script.result("t1", "ok");
      edit(script, "lastLine()");
    });
    const outcome = replay(thread, cleared({ name: "as it was" }, 1_000));
    expect(missed(outcome)).toEqual(["Write edit lastLine()", "Write identifier lastLine"]);
    expect(outcome.removals[0]?.out).toBeGreaterThan(1_000);
    expect(missed(replay(thread, cleared({ name: "as it was" }, 9_000)))).toEqual([]);
  });
});

describe("what is counted", () => {
  test("failures stay, a preview is the baseline, and shares are of inputs and results", async () => {
    const thread = await threadOf((script) => {
      script.assistant("m1", [
        used("t1", "Bash", { command: "make" }),
        used("t2", "Bash", { command: "ls" }),
      ]);
      script.line({
        type: "user",
        message: {
          role: "user",
          content: [
            { type: "tool_result", tool_use_id: "t1", content: "e".repeat(4_000), is_error: true },
          ],
        },
      });
      script.result("t2", "x".repeat(3_000));
    });
    const outcome = replay(thread, bluntCap(2_000));
    const sum = sumOutcomes([outcome]);
    expect(sum.tools.Bash).toEqual({
      uses: 2,
      inputs: 34,
      results: 7_000,
      inputsOut: 0,
      resultsOut: 1_000,
    });
    expect(sum.share).toBeCloseTo(1_000 / 7_034);
    const preview: Strategy = {
      name: "preview",
      reduce: () => ({
        result: (_, { text }) => ({
          text: text.slice(0, 900),
          before: "x".repeat(30_000),
          how: "cut",
        }),
      }),
    };
    expect(sumOutcomes([replay(thread, preview)]).out).toBe(2_100);
  });

  test("results of parallel tool uses, and each use once", async () => {
    const thread = await threadOf((script) => {
      const asked = script.user("go");
      const first = script.assistant("m1", [used("t1", "LS", { path: "/a" })], undefined, {
        parentUuid: asked,
      });
      const second = script.assistant("m1", [used("t2", "LS", { path: "/b" })], undefined, {
        parentUuid: first,
      });
      script.result("t1", "one", { parentUuid: first });
      script.result("t2", "two", { parentUuid: second });
      script.assistant("m1", [used("t2", "LS", { path: "/b" })]);
      script.assistant("m2", [said("done")]);
    });
    expect(thread.steps.map(({ kind }) => kind)).toEqual([
      "user",
      "use",
      "use",
      "result",
      "result",
      "said",
    ]);
    expect(thread.requests.length).toBeGreaterThanOrEqual(2);
  });

  test("a subagent's lines in the session's file are a thread of their own", async () => {
    const script = transcriptScript();
    script.assistant("m1", [used("t1", "Task", { prompt: "look" })]);
    script.assistant("m2", [used("t2", "LS", {})], undefined, {
      isSidechain: true,
      agentId: "a1",
      parentUuid: null,
    });
    script.result("t2", "x", { isSidechain: true, agentId: "a1" });
    const entries = (await entriesOf(script.text())) as TranscriptEntry[];
    expect(threadsIn(entries, "shop/s1.jsonl", "s1").map(({ name }) => name)).toEqual([
      "shop/s1.jsonl",
      "shop/s1.jsonl#a1",
    ]);
  });

  test("old results leave in batches once that pays, and what they said can be missed", async () => {
    const thread = await threadOf((script) => {
      for (let at = 0; at < 40; at++) {
        script.assistant(`m${at}`, [used(`t${at}`, "LS", { at })]);
        script.result(`t${at}`, `secretName${at}\n${"y".repeat(9_000)}`);
      }
      script.assistant("m99", [said("secretName0 it was")]);
    });
    const retire = {
      readPrice: 0.1,
      writePrice: 1.25,
      minAge: 5,
      minTokens: 4_000,
      minShare: 0.1,
      margin: 1,
      coldMinTokens: 4_000,
      turnShare: 1,
      maxTurnsToCome: 200,
      contextLimits: [160_000],
    };
    const outcome = replay(thread, {
      name: "batches",
      retire: { policy: retire, wants: () => true },
    });
    expect(outcome.batches).toBeGreaterThan(0);
    expect(outcome.batches).toBeLessThan(20);
    expect(missed(outcome)).toEqual(["LS identifier secretName0"]);
    expect(outcome.carried).toBeLessThan(outcome.carriedBefore);
    expect(outcome.cost).toBeLessThan(replay(thread, { name: "as it was" }).cost);
  });
});

test("a policy from the command line", () => {
  expect(
    parsePolicy(["--policy", "read.outline=4000", "learn=false", "over.Bash=9", "--curve"]),
  ).toEqual({
    read: { outline: 4000 },
    learn: false,
    over: { Bash: 9 },
  });
});

test("recorded sessions: the blunt cap keeps out about what was told, and something of it is missed", async () => {
  if (!existsSync(recordedRoot)) {
    console.log("Skipped: no recorded transcripts beside the repository.");
    expect(existsSync(recordedRoot)).toBe(false);
    return;
  }
  const threads = (await readThreads(recordedRoot)).map(markThread);
  const sum = sumOutcomes(threads.map((thread) => replayThread(thread, bluntCap(2_000))));
  expect(sum.share).toBeGreaterThan(0.12);
  expect(sum.share).toBeLessThan(0.2);
  expect(sum.harmOfResults).toBeGreaterThan(0);
});
