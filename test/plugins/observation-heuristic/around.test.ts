// What the conversation around tool uses changes in observations: the request behind a "yes", causes stated on the way.
import { describe, expect, test } from "bun:test";
import { observe } from "../../../plugins/observation-heuristic/observe.ts";
import type { ToolUse, ToolUseContext } from "../../../src/sdk/work.ts";
import { breaksOf } from "../../replay/rules.ts";
import { bash, bashFailure, batch, edit, read } from "./batches.ts";

const around = (use: ToolUse, context: Partial<ToolUseContext>): ToolUse => ({
  ...use,
  context: { turns: [], ...context },
});
const change = () => edit("src/cart.ts", "const rate = 1;", "const rate = 2;");
const titleOf = (prompt: string, use: ToolUse, closing = "Done.") =>
  observe(batch(prompt, [use], closing)).observations[0]?.title;

describe("a prompt that only agrees", () => {
  const offer = {
    role: "assistant" as const,
    text: "The discount is applied twice. Want me to add a guard to the coupon parser?",
  };

  test.each(["yes", "ok do it", "yes please!", "go ahead"])(
    "%s: names what was offered",
    (prompt) => {
      expect(titleOf(prompt, around(change(), { turns: [offer] }))).toBe(
        "Add a guard to the coupon parser",
      );
      expect(titleOf(prompt, change())).not.toContain("guard");
    },
  );

  test("falls back on what the user had asked for before", () => {
    const turns = [
      { role: "user" as const, text: "Please add a cache for exchange rates" },
      { role: "assistant" as const, text: "I would keep them in memory. Does that work for you?" },
    ];
    expect(titleOf("yes", around(change(), { turns }))).toBe("Add a cache for exchange rates");
  });

  test("a prompt that says something keeps its say, and so does a question", () => {
    const context = { turns: [offer] };
    expect(titleOf("Rename the rate constant to factor", around(change(), context))).toBe(
      "Rename the rate constant to factor",
    );
    expect(titleOf("why is it doubled?", around(change(), context))).not.toContain("guard");
  });

  test("what was asked counts where no prompt event was seen", () => {
    const { prompt: _, ...bare } = batch("", [
      around(change(), { userIntent: "Increase the shipping rate twofold" }),
    ]);
    expect(observe(bare).observations[0]?.title).toBe("Increase the shipping rate twofold");
  });
});

describe("what was said on the way", () => {
  const uses = (assistantText: string, reasoning?: string) => [
    bashFailure("bun test", "Exit code 1\n(fail) cart > total\nsrc/cart.ts:1:7: error: expected 2"),
    around(change(), { assistantText, ...(reasoning !== undefined && { reasoning }) }),
    bash("bun test", "1 pass\n0 fail"),
  ];
  const cause = "The issue is that `rateOf` in src/cart.ts ignores the currency of the order.";
  const factsOf = (toolUses: ToolUse[], closing = "All tests pass.") =>
    observe(batch("The cart test fails", toolUses, closing)).observations.flatMap(
      ({ facts }) => facts,
    );

  test("is a fact of the fix, when the closing words do not tell it", () => {
    const { observations } = observe(batch("The cart test fails", uses(cause), "All tests pass."));
    expect(observations[0]?.type).toBe("bugfix");
    expect(observations[0]?.facts.join("\n")).toContain("ignores the currency of the order");
    expect(observations.flatMap(breaksOf)).toEqual([]);
    expect(factsOf(uses("Fixing it."))).not.toContain("currency");
  });

  test.each([
    ["a guess", "The issue is probably that `rateOf` ignores the currency of the order."],
    ["about the speaker", "The problem is that I'm calling `rateOf` with the wrong currency."],
    ["about no code", "The issue is that somebody has changed how the whole thing works."],
    ["cut off", "The issue is that `rateOf` in src/cart.ts ignores the currency of…"],
  ])("is left out when it is %s", (_, text) => {
    expect(factsOf(uses(text)).join("\n")).not.toMatch(/The (?:issue|problem) is/);
  });

  test("a decision counts also when it was only thought; a cause does not", () => {
    const decision = "Decided to keep `rateOf` pure instead of caching rates in src/cart.ts.";
    expect(factsOf(uses("Fixing it.", decision)).join("\n")).toContain("instead of caching rates");
    expect(factsOf(uses("Fixing it.", cause)).join("\n")).not.toContain("currency");
  });

  test("makes no observation of mere looking around", () => {
    const look = around(read("src/cart.ts", "export const rate = 1;"), { assistantText: cause });
    expect(observe(batch("continue", [look], "Reading on.")).observations).toEqual([]);
  });
});
