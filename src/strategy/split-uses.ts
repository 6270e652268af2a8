// Groups shown tool uses into as few requests as their number and size allow.
import type { ToolUse } from "../sdk/work.ts";
import type { ShownUse } from "./tool-data.ts";

/** Limits of one request. */
export interface RequestLimits {
  toolUses: number;
  /** Of all tool uses together, as shown. */
  characters: number;
}

/** In order; a single tool use is never split, however large. */
export function splitUses(shown: readonly ShownUse[], limits: RequestLimits): ToolUse[][] {
  const groups: ToolUse[][] = [];
  let size = 0;
  for (const { use, text } of shown) {
    const group = groups.at(-1);
    if (!group || group.length >= limits.toolUses || size + text.length > limits.characters) {
      groups.push([use]);
      size = text.length;
    } else {
      group.push(use);
      size += text.length;
    }
  }
  return groups;
}
