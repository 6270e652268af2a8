// Which client a record is from, in words, where it is not the first one.
import { claudeCode } from "../../clients/claude-code/client.ts";
import { clients } from "../../clients/index.ts";

/** ` in Qwen Code`; nothing for Claude Code. A client that is not known goes by its name. */
export function inClient(name: string): string {
  return name === claudeCode.name ? "" : ` in ${clients.get(name)?.title ?? name}`;
}
