// Built-in plugin `heuristic`: observations without a model, quoted from the evidence of a turn.
import { definePlugin } from "../../src/sdk/index.ts";
import { observe } from "./observe.ts";

export default definePlugin({
  name: "heuristic",
  description: "Quotes what a turn came to as typed observations, without a model.",
  sdk: 1,
  slot: "observation",
  events: [
    "UserPromptSubmit",
    "PostToolUse",
    "PostToolUseFailure",
    "Stop",
    "SubagentStop",
    "SessionEnd",
  ],
  hooks: {
    observe: (batch) => observe(batch),
  },
});
