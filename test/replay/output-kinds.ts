// What printed a recorded tool result, in a reader's words: by tool and command, not by what any reducer made of it.
import type { UseStep } from "./endless-threads.ts";

/** The first that fits a command says its kind; `git diff` stands before `git`. */
const commands: ReadonlyArray<readonly [kind: string, form: RegExp]> = [
  ["diffs", /\bgit\b.*\b(?:diff|show)\b|(?:^|[;&|]\s*)diff\s/],
  ["tests", /\b(?:test|tests|vitest|jest|pytest|rspec|ctest|nextest)\b/],
  ["builds", /\b(?:build|make|tsc|lint|fmt|check|install|vet|clippy|compile)\b/],
  ["searches in a shell", /(?:^|[;&|]\s*)(?:\w+=\S+\s+)*(?:grep|rg|ag|git grep)\b/],
  ["listings", /(?:^|[;&|]\s*)(?:ls|find|tree|fd|du|git ls-files)\b/],
  ["git", /\bgit\b|(?:^|\s)gh\s/],
  ["files printed by a shell", /(?:^|[;&|]\s*)(?:cat|head|tail|sed|awk|jq|less|nl|bat)\b/],
];

/** `reads`, `tests`, `searches`, … */
export function kindOfOutput({ tool, input }: Pick<UseStep, "tool" | "input">): string {
  if (tool.startsWith("mcp__")) return "MCP";
  switch (tool) {
    case "Read":
      return "reads";
    case "Grep":
      return "searches";
    case "Glob":
      return "file names";
    case "WebFetch":
    case "WebSearch":
      return "pages";
    case "Task":
    case "Agent":
      return "subagents";
    case "Bash": {
      const command = typeof input.command === "string" ? input.command : "";
      return commands.find(([, form]) => form.test(command))?.[0] ?? "other commands";
    }
    default:
      return "other tools";
  }
}
