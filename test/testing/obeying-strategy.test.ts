// A strategy that asks before it takes anything out of a request keeps the promises of the suite.
import { expect, test } from "bun:test";
import { definePlugin } from "../../src/sdk/plugin.ts";
import { suites } from "../../src/testing/index.ts";

const promise = "leaves requests whole while nothing may be kept";

/** Empties the first result of a request, if it may be kept, or whatever the answer. */
const strategy = (asks: boolean) =>
  definePlugin({
    name: "empties",
    description: "Empties the first result.",
    sdk: 1,
    slot: "endless-mode",
    hooks: {
      request: async (request, ctx) => {
        const messages = structuredClone(request.body.messages) as Array<{
          content: Array<{ type?: string; tool_use_id?: string; content?: unknown }>;
        }>;
        const block = messages
          .flatMap(({ content }) => (Array.isArray(content) ? content : []))
          .find(({ type }) => type === "tool_result");
        if (!block) return undefined;
        const { session } = request;
        const toolUseId = block.tool_use_id ?? "";
        const value = block.content;
        const may = await ctx.endless.keep({
          ...{ session, toolUseId, tool: "Bash", part: "output" as const },
          ...{ value, before: "", after: "" },
        });
        if (asks && !may) return undefined;
        block.content = "gone";
        return { ...request, body: { ...request.body, messages } };
      },
    },
  });

const run = (asks: boolean) => {
  const found = suites["endless-mode"].find(({ name }) => name === promise);
  if (!found) throw new Error("no such promise");
  return found.run({ plugin: strategy(asks) });
};

test("one that obeys a refused keep passes", async () => {
  await expect(run(true)).resolves.toBeDefined();
});

test("one that does not care for the answer fails", async () => {
  await expect(run(false)).rejects.toThrow("the request was changed");
});
