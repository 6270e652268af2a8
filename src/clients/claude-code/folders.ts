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

/** Whose settings: the user's for all projects, a project's shared ones, or the user's own for one project. */
export const scopes = ["user", "project", "local"] as const;
export type Scope = (typeof scopes)[number];

/** Absolute path of a scope's settings; `cwd` is the project's folder. */
export function settingsPath(scope: Scope, env: Environment, cwd: string): string {
  if (scope === "user") return join(clientFolder(env), "settings.json");
  return join(cwd, ".claude", scope === "local" ? "settings.local.json" : "settings.json");
}
