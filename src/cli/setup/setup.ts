// What install, uninstall, plugin switches and the doctor share: this home's binary, and the events that are to be registered.
import { claudeCodeEvents } from "../../clients/normal/payload.ts";
import { memoirHome, memoirPaths, type Paths } from "../../home/paths.ts";
import { type HookRun, hookRun } from "../../install/hook-command.ts";
import { installedBinary } from "../../install/place-binary.ts";
import {
  enabledAsPlugin,
  type PluginPresence,
  type Registration,
  registration,
} from "../../install/settings.ts";
import { describePlugins } from "../../runtime/plugins/describe.ts";
import { MemoirError } from "../../sdk/errors.ts";
import { hookDeadlines } from "../../server/life/server-info.ts";
import { isAbsolutePath } from "../../text/text.ts";
import type { Terminal } from "../terminal/terminal.ts";

/** The home in force and what belongs to it. */
export interface Setup {
  paths: Paths;
  /** `<home>/bin/memoir`. */
  binary: string;
  /** memoir's home where it is not the usual one: clients have to name it. */
  ownHome: string | undefined;
  /** What Claude Code runs as its hook. */
  hook: HookRun;
}

/** Where this terminal's environment says that memoir lives. Throws `usage` where it says nothing. */
export function setupOf({ env, platform, cwd }: Pick<Terminal, "env" | "platform" | "cwd">): Setup {
  if (!env.MEMOIR_HOME && !env.HOME && !env.USERPROFILE)
    throw new MemoirError("usage", "Neither MEMOIR_HOME nor HOME is set.", {
      fix: "Set HOME to your home folder, or MEMOIR_HOME to the folder that memoir should use.",
    });
  const home = absolute(memoirHome(env, platform), cwd);
  const paths = memoirPaths(home);
  const usual = memoirHome({ ...env, MEMOIR_HOME: undefined }, platform);
  const ownHome = home === usual ? undefined : home;
  const binary = installedBinary(paths.bin, platform);
  const hook = hookRun({ binary, home: ownHome, platform, client: "claude-code" });
  return { paths, binary, ownHome, hook };
}

/** What is registered with the client: one hook for each event that enabled plugins need, none where the client's plugin does it. */
export async function wantedRegistration(
  { paths, hook }: Pick<Setup, "paths" | "hook">,
  { env, cwd }: Terminal,
): Promise<{ wanted: Registration; viaPlugin: PluginPresence | undefined }> {
  const viaPlugin = await enabledAsPlugin(env, cwd);
  if (viaPlugin) return { wanted: new Map(), viaPlugin };
  const { events, subscriptions } = await describePlugins(paths.home, env);
  const asked = events.filter((event) => claudeCodeEvents.includes(event));
  return { wanted: registration(asked, hook, hookDeadlines(subscriptions)), viaPlugin };
}

/** A path as this terminal means it. */
export function absolute(path: string, cwd: string): string {
  return isAbsolutePath(path) ? path : `${cwd}/${path}`;
}
