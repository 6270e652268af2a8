// An observation strategy for tests that asks the model once and takes whatever it says as a title.
import { definePlugin } from "../../src/sdk/plugin.ts";
import { totalTokens } from "../../src/sdk/provider.ts";
import type { ObservationBatch } from "../../src/sdk/work.ts";
import { requireWhole } from "../../src/strategy/messages.ts";

/** Fills the slot `observation` under the name `scripted`; one observation for each tool use. */
export const modelStrategy = definePlugin({
  name: "scripted",
  description: "Asks the model for a title.",
  sdk: 1,
  slot: "observation",
  events: ["UserPromptSubmit", "PostToolUse", "Stop"],
  hooks: {
    async observe(batch: ObservationBatch, ctx) {
      const { text, model, usage } = requireWhole(
        await ctx.complete({
          system: "You take notes.",
          messages: [{ role: "user", content: batch.toolUses.map(({ id }) => id).join(" ") }],
          maxTokens: 100,
          purpose: "observe",
          session: batch.session.id,
        }),
      );
      const observations = batch.toolUses.map(({ id }, at) => ({
        type: "discovery",
        title: `${text} ${at}`,
        subtitle: "",
        facts: [],
        narrative: "n".repeat(at),
        concepts: [],
        filesRead: [],
        filesModified: [],
        toolUseIds: [id],
      }));
      return { observations, model, observerTokens: totalTokens(usage) };
    },
  },
});
