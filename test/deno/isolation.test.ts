// Plugins in workers under Deno: what fails costs its turn there too, and is told with file and line.
import { expect, test } from "bun:test";
import { writeFile } from "node:fs/promises";
import { promptPayload } from "../bench/payloads.ts";
import { withPluginServer } from "../support/plugin-server.ts";
import { denoCache, denoMemoir } from "./deno.ts";

const plugin = `import { definePlugin } from "memoir/sdk";
import * as v from "valibot";
export default definePlugin({
  name: "mixed", description: "Fails by the prompt.", sdk: 1,
  config: v.strictObject({ word: v.optional(v.string(), "hi") }),
  hooks: {
    SessionStart: { deadlineMs: 300, handler() { for (;;); } },
    UserPromptSubmit: { deadlineMs: 60_000, async handler({ prompt }, ctx) {
      if (prompt === "exit") process.exit(2);
      if (prompt === "throw") throw new Error("boom");
      const { sessions } = await ctx.storage.stats({});
      return { context: ctx.config.word + typeof sessions };
    } },
  },
});
`;

const inside = (words: string) =>
  `export default { name: "inside", description: "d", sdk: 1, hooks: { UserPromptSubmit({ prompt }) {
    if (prompt === "throw inside") throw new Error("boom");
    return { context: "${words}" };
  } } };`;

test("a plugin inside the server that is changed is the changed one, and told by its own name", async () => {
  const config = { plugins: { inside: { inProcess: true } } };
  const files = { "plugins/inside.ts": inside("as it was"), "config.json": config };
  await withPluginServer(
    files,
    async (server) => {
      await server.start();
      const ask = async (prompt: string) => (await server.hook(promptPayload("s", prompt))).text;
      expect(await ask("hello")).toContain("as it was");
      for (const words of ["changed", "changed again"]) {
        await writeFile(`${server.home}/plugins/inside.ts`, inside(words));
        await server.ask("/api/reload", {});
        expect(await ask("hello")).toContain(words);
      }
      await ask("throw inside");
      const { subscriptions } = await server.status();
      const own = subscriptions.find(({ plugin }) => plugin === "inside");
      expect(own?.lastError).toMatch(/boom \(\/\S+plugins\/inside\.ts:2:\d+\)/);
    },
    denoMemoir,
    denoCache,
  );
}, 180_000);

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
      const start = { hook_event_name: "SessionStart", session_id: "s", source: "startup" };
      const told: Record<string, [hook: string, words: RegExp]> = {
        // Only this one is held to a short time: Deno's worker may take seconds to begin, and who is late three times rests.
        loop: ["SessionStart", /did not answer SessionStart within 300 ms \(\S+mixed\.ts:\d+\)/],
        exit: ["UserPromptSubmit", /it ended its worker with exit\(2\) \(\S+mixed\.ts:9:\d+\)/],
        throw: ["UserPromptSubmit", /failed in UserPromptSubmit: boom \(\S+mixed\.ts:10:\d+\)/],
      };
      while (!(await ask("hello")).includes("honumber")) await Bun.sleep(20);
      for (const [prompt, [hook, words]] of Object.entries(told)) {
        if (prompt === "loop") await server.hook(JSON.stringify({ ...start, cwd: server.home }));
        else expect(await ask(prompt)).toBe("");
        const { subscriptions } = await server.status();
        const own = subscriptions.find((one) => one.plugin === "mixed" && one.hook === hook);
        expect(own?.lastError).toMatch(words);
        // The worker that looped is ended a moment after its deadline.
        while (!(await ask("hello")).includes("honumber")) await Bun.sleep(20);
      }
    },
    denoMemoir,
    denoCache,
  );
}, 180_000);
