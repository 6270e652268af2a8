// Everything that a plugin can bring beside a slot: `memoir standup report`, its route and agents' tool from one declaration, a
// feed for other programs, a line in the log each morning, and a view in memoir's page that asks the same operation.
import { definePlugin, operation } from "memoir/sdk";

export default definePlugin({
  name: "standup",
  description: "Says what was done lately, for a stand-up meeting.",
  sdk: 1,
  hooks: {},
  operations: {
    report: operation({
      does: "Say what was done lately, a line for each session",
      takes: {
        project: { says: "Only this project", isWord: true },
        since: { says: "From when on", is: "time", default: "yesterday" },
      },
      for: ["command", "route", "tool", "panel"],
      async run({ project, since }, ctx) {
        const asked = { since, limit: 50, ...(project && { project }) };
        const summaries = await ctx.storage.summaries(asked);
        const done = summaries.map(({ request, completed }) => ({ asked: request, completed }));
        const lines = done.map((one) => `- ${one.asked}: ${one.completed}`);
        return { text: lines.join("\n") || "Nothing was done.", done };
      },
    }),
  },
  async routes(request, ctx) {
    if (!new URL(request.url).pathname.endsWith("/feed.txt"))
      return new Response("There is only feed.txt.", { status: 404 });
    const summaries = await ctx.storage.summaries({ limit: 20 });
    return new Response(summaries.map(({ completed }) => `${completed}\n`).join(""));
  },
  schedules: {
    morning: {
      at: "mon,tue,wed,thu,fri 09:00",
      async run(_, ctx) {
        const since = ctx.now() - 24 * 60 * 60_000;
        const summaries = await ctx.storage.summaries({ since, limit: 50 });
        ctx.log.info("stand-up", { done: summaries.length });
      },
    },
  },
  panels: {
    today: {
      title: "Stand-up",
      html: `<h1>Since yesterday</h1><ul></ul><script type="module">
        const { done } = await memoir.ask("report", {});
        for (const one of done) {
          const line = document.createElement("li");
          line.textContent = one.asked + ": " + one.completed;
          document.querySelector("ul").append(line);
        }
      </script>`,
    },
  },
});
