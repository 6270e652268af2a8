// The hooks of the Claude Code plugin: the same groups that install writes, for the events of the built-in plugins.
import { deafened } from "../install/hook-command.ts";
import { hooksDocument, registration } from "../install/registration.ts";
import { describePlugins } from "../runtime/plugins/describe.ts";

/**
 * The repository cannot know the absolute path of an installed binary; the shell can. Where there is none, the hook
 * ends silently with 0.
 */
export const pluginCommand = `m="\${MEMOIR_HOME:-$HOME/.memoir}/bin/memoir"; [ -x "$m" ] || exit 0; ${deafened} exec "$m" hook claude-code`;

/** Config is not known here: as long as a built-in plugin can be set to wait. The hook command ends itself long before. */
const longest = { PostToolUse: 630_000 };

/** The document for hooks/hooks.json. */
export async function pluginHooks() {
  // A home that does not exist has no config: every default is in force.
  const { events } = await describePlugins("/nowhere", {});
  return {
    description: "Hands the session's events to memoir and gives back what it remembers.",
    hooks: hooksDocument(registration(events, pluginCommand, longest)),
  };
}
