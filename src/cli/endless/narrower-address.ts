// What the client's settings and environment say of its way to the gateway: an address that leads past it, or a proxy in between.

import { scopes, settingsPath } from "../../clients/claude-code/folders.ts";
import { type Finding, fail, warn } from "../../health/check.ts";
import { readGatewayRecord, settingsVariables } from "../../install/gateway-settings.ts";
import { readConfig } from "../../runtime/config/config.ts";
import { leadsTo } from "../../server/gateway/gateway.ts";
import {
  networkIn,
  proxyFor,
  proxyToLoopback,
  readNetwork,
  shownProxy,
} from "../../server/gateway/proxy.ts";
import { setupOf } from "../setup/setup.ts";
import type { Terminal } from "../terminal/terminal.ts";

/** Variables by which Claude Code asks another API than Anthropic's, whatever its base URL says. */
const otherApis: readonly string[] = [
  "CLAUDE_CODE_USE_BEDROCK",
  "CLAUDE_CODE_USE_VERTEX",
  "CLAUDE_CODE_USE_FOUNDRY",
  "CLAUDE_CODE_USE_ANTHROPIC_AWS",
  "CLAUDE_CODE_USE_ANTHROPIC_GOOGLE_CLOUD",
  "CLAUDE_CODE_USE_MANTLE",
];

/** Those of them that are set. */
export function otherApisIn(env: Readonly<Record<string, string | undefined>>): string[] {
  const isOff = (value: string) => /^(|0|false|no|off)$/i.test(value.trim());
  return otherApis.filter((name) => !isOff(env[name] ?? ""));
}

interface Narrower {
  path: string;
  /** An address that leads past it. */
  url?: string;
  /** A variable for which sessions there do not find it. */
  variable?: string;
  /** It has them ask another API, past the gateway. */
  isPast?: true;
}

/** A project's settings count before the user's. */
export async function narrowerAddress(
  port: number,
  { env, cwd }: Terminal,
): Promise<Narrower | undefined> {
  const variables = (scope: (typeof scopes)[number]) =>
    settingsVariables(settingsPath(scope, env, cwd)).catch(() => ({}) as Record<string, string>);
  const seen = { ...env, ...(await variables("user")) };
  for (const scope of scopes.filter((one) => one !== "user").toReversed()) {
    const path = settingsPath(scope, env, cwd);
    const own = await variables(scope);
    const url = own.ANTHROPIC_BASE_URL;
    if (url !== undefined && !leadsTo(url, port)) return { path, url };
    const [api] = otherApisIn(own);
    if (api !== undefined) return { path, variable: api, isPast: true };
    const variable = Object.keys(own).find((one) => /_proxy$/i.test(one));
    if (variable && proxyToLoopback({ ...seen, ...own })) return { path, variable };
  }
  return undefined;
}

/** For doctor: whether the client still finds the gateway, and the gateway the same proxy; nothing while no client is led there. */
export async function checkProxy(terminal: Terminal): Promise<Finding | undefined> {
  const { home } = setupOf(terminal).paths;
  const record = await readGatewayRecord(home);
  if (!record) return undefined;
  const seen = { ...terminal.env, ...(await settingsVariables(record.settings)) };
  const fix = "Run `memoir endless gateway on` again.";
  const apis = otherApisIn(seen).join(", ");
  if (apis !== "")
    return warn(
      `${apis} is set: Claude Code's requests do not pass through the gateway, which does nothing`,
      "Run `memoir endless gateway off`, or take the variable out.",
    );
  const between = proxyToLoopback(seen);
  if (between !== undefined) {
    const message = `Claude Code asks the proxy ${shownProxy(between)} for the gateway, and does not reach its model: the proxy was set after the gateway was switched on`;
    return fail(message, fix);
  }
  const { upstream } = (await readConfig(home)).config.endless.gateway;
  const now = proxyFor(upstream, networkIn(seen));
  const kept = proxyFor(upstream, await readNetwork(home));
  if (now === undefined || now === kept) return undefined;
  const way = kept === undefined ? "directly" : `through ${shownProxy(kept)}`;
  return warn(`the gateway asks the API ${way}, and here the proxy is ${shownProxy(now)}`, fix);
}
