// The strict harm on made-up transcripts: what an agent had from one result alone, and when it is gone.
import { describe, expect, test } from "bun:test";
import type { TranscriptEntry } from "../../src/transcript/entry.ts";
import {
  entriesOf,
  said,
  type TranscriptScript,
  transcriptScript,
  used,
} from "../support/transcript-lines.ts";
import { markThread } from "./endless-marks.ts";
import type { Strategy } from "./endless-replay.ts";
import { threadsIn } from "./endless-threads.ts";
import { kindOfOutput } from "./output-kinds.ts";
import { type JudgedResult, judgeThread, soon, sumHarm } from "./strict-harm.ts";

const emptied: Strategy = {
  name: "emptied",
  reduce: () => ({ result: () => ({ text: "(gone)", how: "emptied" }) }),
};

async function judge(
  write: (script: TranscriptScript) => void,
  strategy = emptied,
): Promise<JudgedResult[]> {
  const script = transcriptScript();
  script.user("Look at the prices in src/shop/price.ts.");
  write(script);
  const entries = (await entriesOf(script.text())) as TranscriptEntry[];
  const [thread] = threadsIn(entries, "shop/s1.jsonl", "s1");
  if (!thread) throw new Error("no thread");
  return judgeThread(markThread(thread), strategy);
}

const read = (script: TranscriptScript, id: string, text: string): void => {
  script.assistant(`m-${id}`, [used(id, "Bash", { command: "make" })]);
  script.result(id, text);
};

describe("what counts as used", () => {
  test("names and lines that the agent writes and had from one result alone", async () => {
    const [first] = await judge((script) => {
      read(script, "t1", "rateOfTax is 0.2\nsrc/shop/price.ts\nothers");
      script.assistant("m2", [said("rateOfTax stands in src/shop/price.ts")]);
    });
    expect(first?.used).toEqual(["rateOfTax"]);
    expect(first?.lost).toEqual(["rateOfTax"]);
  });

  test.each<[string, (script: TranscriptScript) => void]>([
    [
      "it stands in an earlier result",
      (script) => {
        read(script, "t0", "rateOfTax");
        read(script, "t1", "rateOfTax");
      },
    ],
    [
      "it stands in another result before it is used",
      (script) => {
        read(script, "t1", "rateOfTax");
        read(script, "t2", "rateOfTax");
      },
    ],
    [
      "the person wrote it",
      (script) => {
        script.user("mind rateOfTax");
        read(script, "t1", "rateOfTax");
      },
    ],
    [
      "the agent wrote it first",
      (script) => {
        script.assistant("m0", [said("rateOfTax?")]);
        read(script, "t1", "rateOfTax");
      },
    ],
    [
      "the agent uses it much later",
      (script) => {
        read(script, "t1", "rateOfTax");
        for (let at = 0; at < soon; at++) script.assistant(`n${at}`, [said("hm")]);
      },
    ],
    [
      "the context was compacted since",
      (script) => {
        read(script, "t1", "rateOfTax");
        script.line({ type: "system", subtype: "compact_boundary", parentUuid: null });
        script.user("Summary.", { isCompactSummary: true });
      },
    ],
  ])("not when %s", async (_, write) => {
    const judged = await judge((script) => {
      write(script);
      script.assistant("m9", [said("rateOfTax is 0.2")]);
    });
    expect(judged.flatMap(({ used: strings }) => strings)).toEqual([]);
  });
});

describe("what counts as taken out", () => {
  test("only what is gone; a path told by its folder and its name is there", async () => {
    const folded: Strategy = {
      name: "folded",
      reduce: () => ({ result: () => ({ text: "src/cart/\n  total.ts", how: "grouped" }) }),
    };
    const [first] = await judge((script) => {
      read(script, "t1", "src/cart/total.ts\nsrc/cart/other.ts\n".padEnd(400, "-"));
      script.assistant("m2", [said("src/cart/total.ts and src/cart/other.ts")]);
    }, folded);
    expect(first?.used).toEqual(["src/cart/total.ts", "src/cart/other.ts"]);
    expect(first?.lost).toEqual(["src/cart/other.ts"]);
    expect(sumHarm(first ? [first] : [])).toMatchObject({ results: 1, used: 2, lost: 1 });
  });

  test("nothing where nothing is made smaller", async () => {
    const judged = await judge(
      (script) => {
        read(script, "t1", "rateOfTax");
        script.assistant("m2", [said("rateOfTax")]);
      },
      { name: "nothing" },
    );
    expect(judged).toMatchObject([{ used: ["rateOfTax"], lost: [], before: 9, after: 9 }]);
  });
});

test.each([
  ["Bash", "cd /a && git diff HEAD~1", "diffs"],
  ["Bash", "bun test src", "tests"],
  ["Bash", "ls -la src", "listings"],
  ["Bash", "cat notes.txt", "files printed by a shell"],
  ["Bash", "date", "other commands"],
  ["Read", "", "reads"],
  ["mcp__shop__list", "", "MCP"],
])("%s %s is of the kind %s", (tool, command, kind) => {
  expect(kindOfOutput({ tool, input: { command } })).toBe(kind);
});
