// Built-in plugin `heuristic-summary`: summaries and session titles without a model, from prompts, observations and closing words.
import { definePlugin } from "../../src/sdk/index.ts";
import { summarize } from "./summarize.ts";

export default definePlugin({
  name: "heuristic-summary",
  description: "Sums up each prompt and session and titles the session, without a model.",
  sdk: 1,
  slot: "summarization",
  events: ["UserPromptSubmit", "Stop", "SessionEnd"],
  hooks: {
    summarize: (input) => summarize(input),
  },
});
