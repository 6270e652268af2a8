// A context injector that ranks by file: a prompt that names files is told what is known of them, what changed them first.

import { wrapContext } from "memoir/privacy";
import { definePlugin, type Observation } from "memoir/sdk";
import { cut } from "memoir/text";
import * as v from "valibot";

/** Words with a slash or an ending, as people write files. */
const file = /(?:[\w@.-]+\/)*[\w@-]+\.[a-z]{1,5}\b/g;

export default definePlugin({
  name: "file-context",
  description: "Tells a prompt that names files what is remembered about them.",
  sdk: 1,
  slot: "context-injection",
  config: v.strictObject({
    most: v.optional(v.pipe(v.number(), v.minValue(1), v.maxValue(20)), 5),
  }),
  hooks: {
    async UserPromptSubmit({ prompt, project, session }, ctx) {
      const named = [...new Set(prompt.slice(0, 20_000).match(file))].slice(0, 5);
      if (named.length === 0 || !project) return undefined;
      const ranks = new Map<string, { observation: Observation; rank: number }>();
      for (const name of named) {
        const found = await ctx.storage.observations({
          project: project.id,
          file: name,
          limit: 20,
        });
        for (const observation of found) {
          if (observation.session === session) continue;
          const changed = observation.filesModified.some((path) => path.endsWith(name));
          const rank = (ranks.get(observation.id)?.rank ?? 0) + (changed ? 2 : 1);
          ranks.set(observation.id, { observation, rank });
        }
      }
      const best = [...ranks.values()]
        .sort((a, b) => b.rank - a.rank || b.observation.time - a.observation.time)
        .slice(0, ctx.config.most)
        .map(({ observation }) => observation);
      if (best.length === 0) return undefined;
      const lines = best.map(({ id, title, subtitle }) =>
        cut(`- ${title} (${id}): ${subtitle}`, 300),
      );
      const context = wrapContext(`Known about these files:\n${lines.join("\n")}`);
      return { context, records: best.map(({ id }) => id) };
    },
  },
});
