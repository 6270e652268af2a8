// Built-in plugin `heuristic`: observations without a model, from what the tool uses of a prompt really did.
import { definePlugin } from "../../src/sdk/index.ts";
import { observe } from "./observe.ts";

export default definePlugin({
  name: "heuristic",
  description: "Turns the tool uses of a prompt into a few typed observations, without a model.",
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
