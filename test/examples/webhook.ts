// A listener: every new observation is posted to a webhook. Nobody waits for it, and its failures are a line in the log.
import { definePlugin } from "memoir/sdk";
import * as v from "valibot";

export default definePlugin({
  name: "webhook",
  description: "Posts new observations to a webhook.",
  sdk: 1,
  config: v.strictObject({
    /** Where to; without one nothing is sent. */
    url: v.optional(v.pipe(v.string(), v.url())),
    /** Only these types; empty: all. */
    types: v.optional(v.array(v.string()), []),
  }),
  hooks: {
    async stored({ project, session, observations }, ctx) {
      const { url, types } = ctx.config;
      const told = observations.filter(({ type }) => types.length === 0 || types.includes(type));
      if (!url || told.length === 0) return;
      const body = told.map(({ id, type, title, subtitle }) => ({ id, type, title, subtitle }));
      const answer = await fetch(url, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ project, session, observations: body }),
        signal: ctx.signal,
        redirect: "error",
      });
      if (!answer.ok) ctx.log.warn("the webhook refused", { status: answer.status });
    },
  },
});
