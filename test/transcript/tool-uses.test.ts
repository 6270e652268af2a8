// Tool uses and results find each other, across split messages, out of order, and within bounds.
import { describe, expect, test } from "bun:test";
import { createToolUseMatcher } from "../../src/transcript/tool-uses.ts";
import { entriesOf, said, transcriptScript, used } from "../support/transcript-lines.ts";

async function matched(text: string) {
  const matcher = createToolUseMatcher();
  const complete = [];
  for (const entry of await entriesOf(text))
    if (entry.kind !== "broken") complete.push(...matcher.add(entry));
  return { complete, matcher };
}

describe("createToolUseMatcher", () => {
  test("matches a split message, parallel results and structured results", async () => {
    const script = transcriptScript();
    script.assistant("m1", [said("Looking")]);
    script.assistant("m1", [used("t1", "Read", { file_path: "/a" })]);
    script.assistant("m1", [used("t2", "Bash", { command: "ls" })]);
    script.line({ type: "progress", data: {} });
    script.result("t2", [said("b.ts")], { toolUseResult: { stdout: "b.ts" } });
    script.result("t1", "text", { toolUseResult: "Error: no" });
    script.assistant("m2", [used("t3")]);
    const { complete, matcher } = await matched(script.text());
    expect(
      complete.map(({ id, name, messageId, result }) => [id, name, messageId, result?.structured]),
    ).toEqual([
      ["t2", "Bash", "m1", { stdout: "b.ts" }],
      ["t1", "Read", "m1", "Error: no"],
    ]);
    expect(matcher.open().map(({ id }) => id)).toEqual(["t3"]);
    expect(matcher.counts()).toEqual({ uses: 3, results: 2, matched: 2, repeated: 0 });
  });

  test("matches a result that stands first, and counts copies of lines once", async () => {
    const script = transcriptScript();
    script.result("t1", "early");
    script.assistant("m1", [used("t1")]);
    script.assistant("m1", [used("t1")]);
    script.result("t1", "late");
    const { complete, matcher } = await matched(script.text());
    expect(complete.map(({ id, result }) => [id, result?.content])).toEqual([["t1", "early"]]);
    expect(matcher.counts()).toEqual({ uses: 1, results: 1, matched: 1, repeated: 2 });
  });

  test("holds no more than it may", async () => {
    const script = transcriptScript();
    for (let n = 0; n < 2_010; n++) script.assistant(`m${n}`, [used(`t${n}`)]);
    for (let n = 0; n < 2_010; n++) script.result(`t${n}`, "x");
    const { complete, matcher } = await matched(script.text());
    expect(complete.map(({ id }) => id)).toEqual(
      Array.from({ length: 2_000 }, (_, n) => `t${n + 10}`),
    );
    expect(matcher.counts()).toEqual({ uses: 2_010, results: 2_010, matched: 2_000, repeated: 0 });
  });
});
