// Drops the uses of tools that say nothing about the work, and everything the agent asks of memoir itself.
import * as v from "valibot";
import {
  type ClientEvent,
  type Drop,
  definePlugin,
  isOwnTool,
  namesTool,
} from "../../src/sdk/index.ts";
import { isOwnCommand } from "./own-command.ts";

/** Tools that manage the conversation instead of the work. What is still to be done is part of it: it stays. */
const skippedTools: readonly string[] = [
  "TodoRead",
  "TaskList",
  "TaskGet",
  "TaskStop",
  "KillBash",
  "KillShell",
  "SlashCommand",
  "Skill",
  "EnterPlanMode",
  "ListMcpResourcesTool",
  "ToolSearch",
  "StructuredOutput",
];

const names = (description: string) =>
  v.pipe(
    v.array(v.pipe(v.string(), v.nonEmpty())),
    v.description(`${description} A trailing * matches any ending.`),
  );

const ConfigSchema = v.strictObject({
  skip: v.optional(names("Tools to skip, instead of the built-in list.")),
  alsoSkip: v.optional(names("Tools to skip beside the list."), []),
  keep: v.optional(names("Tools to capture although the list names them."), []),
});
type Config = v.InferOutput<typeof ConfigSchema>;

/** Why this event is left out; undefined when it is kept. */
function skipReason(event: ClientEvent, config: Config): string | undefined {
  if (!("toolName" in event)) return undefined;
  const { toolName, toolInput } = event;
  // Whatever is configured.
  if (isOwnTool(toolName)) return "own command";
  const command =
    typeof toolInput === "object" && toolInput !== null && "command" in toolInput
      ? toolInput.command
      : undefined;
  if (typeof command === "string" && isOwnCommand(command)) return "own command";
  if (namesTool(config.keep, toolName)) return undefined;
  const skipped = namesTool([...(config.skip ?? skippedTools), ...config.alsoSkip], toolName);
  return skipped ? `skip list: ${toolName}` : undefined;
}

export default definePlugin<Config>({
  name: "capture-skip-tools",
  description: "Leaves out tools that say nothing about the work, and memoir's own.",
  sdk: 1,
  slot: "capture",
  config: ConfigSchema,
  hooks: {
    capture: {
      filter: { event: ["PreToolUse", "PostToolUse", "PostToolUseFailure"] },
      handler: (event, ctx): Drop | undefined => {
        const reason = skipReason(event, ctx.config);
        return reason === undefined ? undefined : { drop: reason };
      },
    },
  },
});
