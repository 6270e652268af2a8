// A client of one's own: a small agent that runs `memoir hook diary` after each step, with payloads of its own form.
import { definePlugin } from "memoir/sdk";
import * as v from "valibot";

/** What the agent writes to its hook. */
const StepSchema = v.object({
  run: v.string(),
  folder: v.string(),
  step: v.picklist(["begin", "asked", "ran", "done"]),
  text: v.optional(v.string(), ""),
  output: v.optional(v.string(), ""),
  exit: v.optional(v.number(), 0),
  number: v.optional(v.number(), 0),
});

/** The same as Claude Code would have written it. */
function normal({
  run,
  folder,
  step,
  text,
  output,
  exit,
  number,
}: v.InferOutput<typeof StepSchema>) {
  const common = { session_id: run, cwd: folder };
  const tool = {
    tool_name: "Bash",
    tool_input: { command: text },
    tool_use_id: `${run}-${number}`,
  };
  switch (step) {
    case "begin":
      return { ...common, hook_event_name: "SessionStart", source: "startup" };
    case "asked":
      return { ...common, hook_event_name: "UserPromptSubmit", prompt: text };
    case "ran":
      return exit === 0
        ? { ...common, ...tool, hook_event_name: "PostToolUse", tool_response: { stdout: output } }
        : {
            ...common,
            ...tool,
            hook_event_name: "PostToolUseFailure",
            error: `Exit code ${exit}\n${output}`,
          };
    case "done":
      return { ...common, hook_event_name: "Stop", last_assistant_message: text };
  }
}

export default definePlugin({
  name: "diary-client",
  description: "Takes the events of the agent diary.",
  sdk: 1,
  hooks: {
    "client.payload"({ client, payload }) {
      if (client !== "diary") return undefined;
      const step = v.safeParse(StepSchema, payload);
      return { payload: step.success ? normal(step.output) : null };
    },
    "client.answer"({ event, reply }) {
      if (event.client !== "diary" || reply.context === undefined) return undefined;
      return { answer: { remember: reply.context } };
    },
  },
});
