// Does the agent know when to search: is the skill in place, and of this version?

import { type Check, ok, warn } from "../../../health/check.ts";
import { enabledAsPlugin } from "../../../install/plugin-presence.ts";
import { skillPath, skillState } from "../../../install/skill.ts";
import type { Terminal } from "../../terminal/terminal.ts";
import type { Setup } from "../setup.ts";

/** Memory works without it, so nothing here is a failure. */
export async function checkSkill(
  { paths }: Pick<Setup, "paths">,
  { env, cwd }: Pick<Terminal, "env" | "cwd">,
): Promise<Check[]> {
  const viaPlugin = await enabledAsPlugin(env, cwd);
  if (viaPlugin) return [ok("skill", `comes with the Claude Code plugin ${viaPlugin.plugin}`)];
  const path = skillPath(env);
  switch (await skillState(paths.home, env)) {
    case "current":
      return [ok("skill", path)];
    case "missing":
      return [warn("skill", `there is no ${path}`, "Run `memoir install`.")];
    case "old":
      return [warn("skill", `${path} is of another version`, "Run `memoir install`.")];
    case "foreign":
      return [
        warn(
          "skill",
          `${path} was written or changed by somebody else`,
          "Leave it if that is meant; else rename it, then run `memoir install`.",
        ),
      ];
  }
}
