// How memoir stands in the clients beside Claude Code: hooks and tools as they should be, and what only the client can tell.

import { type Check, fail, ok, warn } from "../../../health/check.ts";
import type { PartFinding } from "../../../install/client-files.ts";
import {
  clientStatePath,
  isOwnEntry,
  ownServer,
  serversAt,
} from "../../../install/client-state.ts";
import { enabledAsPlugin } from "../../../install/plugin-presence.ts";
import { readSettings } from "../../../install/settings-file.ts";
import { skillPath, skillState } from "../../../install/skill.ts";
import { errorFixes } from "../../../sdk/errors.ts";
import type { Terminal } from "../../terminal/terminal.ts";
import { type ClientStanding, othersHere, standings } from "../clients.ts";
import { runInstalled } from "../installed-binary.ts";
import type { Setup } from "../setup.ts";

const versionMs = 5_000;

/** One check for each thing that is wrong, one line for a client where all is well; and who else is here. */
export async function checkClients(setup: Setup, terminal: Terminal): Promise<Check[]> {
  const standing = await standings(setup, terminal);
  const known = new Set(standing.map(({ client }) => client));
  const others = (await othersHere(terminal)).filter((client) => !known.has(client));
  const checks = await Promise.all(standing.map((one) => checksOf(one, terminal)));
  if (others.length === 0) return checks.flat();
  const titles = others.map(({ title }) => title).join(", ");
  const names = others.map(({ name }) => name).join(" ");
  const also = `${titles} without memoir; \`memoir install ${names}\` adds it`;
  return [...checks.flat(), ok("clients", `also here: ${also}`)];
}

async function checksOf(
  { client, adapter, place, parts }: ClientStanding,
  terminal: Terminal,
): Promise<Check[]> {
  const { name, title } = client;
  const wrong = parts.flatMap((part) => checkOf(part, name, title));
  const told = (await adapter.registration?.look?.(place)) ?? [];
  const own = told.map(({ state, message, fix }): Check => {
    const said = { name, state, message: `${title}: ${message}` };
    return fix === undefined ? said : { ...said, fix };
  });
  if (wrong.length > 0) return [...wrong, ...own];
  const version = await versionOf(adapter.registration?.program ?? "", terminal);
  const where = [...new Set(parts.map(({ path }) => path))].join(" and ");
  return [ok(name, `${[title, version].filter(Boolean).join(" ")}: ${where}`), ...own];
}

function checkOf({ path, what, state }: PartFinding, name: string, title: string): Check[] {
  const again = `Run \`memoir install ${name}\`.`;
  const of = `${title}: ${what} in ${path}`;
  const wrong = {
    none: [fail(name, `${of}: missing`, again)],
    current: [],
    other: [fail(name, `${of}: not as this version writes it`, again)],
    foreign: [warn(name, `${of}: something else bears memoir's name`, "Give that another name.")],
    unreadable: [fail(name, `${of}: cannot be read`, `Look at the file, then: ${again}`)],
  };
  return wrong[state];
}

/** What the client says of itself; nothing where it is not in the PATH. */
async function versionOf(program: string, { env }: Terminal): Promise<string> {
  const asked = { ...env, MEMOIR_INTERNAL: "1" };
  const said = await runInstalled(program, ["--version"], asked, versionMs).catch(() => "");
  return /\d+\.\d+(?:\.\d+)?[\w.-]*/.exec(said)?.[0] ?? "";
}

// Does the agent know when to search: is the skill in place, and of this version?

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

// Has the agent memoir's tools: is the MCP server registered, with the binary that is installed?

/** Memory works without these tools, so nothing here is a failure. */
export async function checkTools(
  { binary }: Pick<Setup, "binary">,
  { env, cwd }: Pick<Terminal, "env" | "cwd">,
): Promise<Check[]> {
  const viaPlugin = await enabledAsPlugin(env, cwd);
  const path = clientStatePath(env);
  const { text = "{}" } = await readSettings(path);
  const found = (["user", "local"] as const)
    .map((scope) => ownServer(text, serversAt(scope, cwd), path))
    .find((entry) => entry !== undefined);
  const fix = "Run `memoir install`.";
  if (viaPlugin && found !== undefined && isOwnEntry(found))
    return [
      warn(
        "tools",
        `listed twice: by the Claude Code plugin ${viaPlugin.plugin} and in ${path}`,
        "Run `memoir install`: it takes the second one out.",
      ),
    ];
  if (viaPlugin) return [ok("tools", `MCP server of the Claude Code plugin ${viaPlugin.plugin}`)];
  if (found === undefined) return [warn("tools", "the agent has no memoir tools (MCP)", fix)];
  if (!isOwnEntry(found))
    return [
      warn("tools", `${path} has another MCP server named memoir`, errorFixes.mcp_name_taken),
    ];
  const { command } = found as { command?: unknown };
  if (command === binary) return [ok("tools", `MCP server in ${path}`)];
  return [warn("tools", `the MCP server in ${path} runs ${String(command)}, not ${binary}`, fix)];
}
