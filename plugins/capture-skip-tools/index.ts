// Drops the uses of tools that say nothing about the work, and everything the agent asks of memoir itself.
import * as v from "valibot";
import {
  type ClientEvent,
  type Drop,
  definePlugin,
  isOwnTool,
  namesTool,
} from "../../src/sdk/index.ts";

import { baseName } from "../../src/text/index.ts";

// Recognises shell commands that do nothing but ask memoir.

/** Programs that may stand around a memoir call without making it anything else. */
const around = new Set(["cd", "echo", "true", "pwd", "which"]);
/** Programs that only pass on, or look into, what memoir printed. */
const filters = new Set(
  "head tail less more cat grep rg sed awk jq cut sort uniq wc tr column fold tee".split(" "),
);
/** Words that run the program named after them. */
const runners = new Set(["sudo", "time", "env", "command", "exec", "npx", "bunx", "nohup"]);

/** True for `memoir search x`, `cd a && ~/.memoir/bin/memoir show o1 | head`; false as soon as anything else runs. */
export function isOwnCommand(command: string): boolean {
  if (command.length > 20_000 || !command.includes("memoir") || /\$\(|`|<\(/.test(command))
    return false;
  let own = false;
  for (const pipeline of splitOutsideQuotes(
    command.replaceAll("\\\n", " "),
    /^(?:&&|\|\||[;\n]|&(?![>&\d]))/,
  )) {
    const programs = splitOutsideQuotes(pipeline, /^\|&?/).map(programOf);
    const first = programs[0];
    if (first === undefined) continue;
    if (first === "memoir") own = true;
    else if (!around.has(first)) return false;
    if (!programs.slice(1).every((program) => program !== undefined && filters.has(program))) {
      return false;
    }
  }
  return own;
}

/** The base name of the program that a simple command runs. */
function programOf(command: string): string | undefined {
  const words = command.trim().match(/"[^"]*"|'[^']*'|\S+/g) ?? [];
  const program = words
    .map((word) => word.replace(/^["']|["']$/g, ""))
    .find((word) => !/^[A-Za-z_]\w*=/.test(word) && !/^-/.test(word) && !runners.has(word));
  return program && baseName(program).replace(/\.exe$/i, "");
}

/** Splits wherever no quote is open and the pattern matches the next characters. */
function splitOutsideQuotes(text: string, separator: RegExp): string[] {
  const parts: string[] = [];
  let from = 0;
  let open = "";
  for (let at = 0; at < text.length; at++) {
    const character = text.charAt(at);
    if (character === "\\") at++;
    else if (open !== "") open = character === open ? "" : open;
    else if (character === '"' || character === "'") open = character;
    else {
      const length = separator.exec(text.slice(at, at + 3))?.[0].length;
      if (length === undefined) continue;
      parts.push(text.slice(from, at));
      from = at + length;
      at = from - 1;
    }
  }
  parts.push(text.slice(from));
  return parts;
}

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
