// Where Claude Code keeps its own files.
import { join, resolve } from "node:path";
import { type Environment, userHome } from "../../home/paths.ts";

/** Claude Code's configuration folder: `CLAUDE_CONFIG_DIR`, else `~/.claude`. */
export function clientFolder(env: Environment): string {
  return env.CLAUDE_CONFIG_DIR ? resolve(env.CLAUDE_CONFIG_DIR) : join(userHome(env), ".claude");
}

/** Where it keeps the transcripts of all projects. */
export function projectsFolder(env: Environment): string {
  return join(clientFolder(env), "projects");
}
