// Plugins in workers under Deno: what fails costs its turn there too, and is told with file and line.
import { expect, test } from "bun:test";
import { resolve } from "node:path";
import { promptPayload } from "../bench/payloads.ts";
import { withPluginServer } from "../support/plugin-server.ts";

const root = resolve(import.meta.dirname, "../..");
const deno = [
  resolve(root, "node_modules/.bin/deno"),
  "run",
  "-A",
  "--no-prompt",
  resolve(root, "src/cli/main.ts"),
];

const plugin = `import { definePlugin } from "memoir/sdk";
import * as v from "valibot";
export default definePlugin({
  name: "mixed", description: "Fails by the prompt.", sdk: 1,
  config: v.strictObject({ word: v.optional(v.string(), "hi") }),
  hooks: { UserPromptSubmit: { deadlineMs: 800, async handler({ prompt }, ctx) {
    if (prompt === "loop") for (;;);
    if (prompt === "exit") process.exit(2);
    if (prompt === "throw") throw new Error("boom");
    const { sessions } = await ctx.storage.stats({});
    return { context: ctx.config.word + typeof sessions };
  } } },
});
`;

test("an endless loop, an exit and a throw cost their turn, and the next call is answered", async () => {
  const files = {
    "plugins/mixed.ts": plugin,
    "config.json": { plugins: { mixed: { word: "ho" } } },
  };
  await withPluginServer(
    files,
    async (server) => {
      await server.start();
      const ask = async (prompt: string) => (await server.hook(promptPayload("s", prompt))).text;
      const told: Record<string, RegExp> = {
        loop: /did not answer UserPromptSubmit within 800 ms \(\S+mixed\.ts:\d+\)/,
        exit: /it ended its worker with exit\(2\) \(\S+mixed\.ts:8:\d+\)/,
        throw: /failed in UserPromptSubmit: boom \(\S+mixed\.ts:9:\d+\)/,
      };
      expect(await ask("hello")).toContain("honumber");
      for (const [prompt, words] of Object.entries(told)) {
        expect(await ask(prompt)).toBe("");
        const { subscriptions } = await server.status();
        const own = subscriptions.find(({ plugin }) => plugin === "mixed");
        expect(own?.lastError).toMatch(words);
        // The worker that looped is ended a moment after its deadline.
        while (!(await ask("hello")).includes("honumber")) await Bun.sleep(20);
      }
    },
    deno,
  );
}, 60_000);
