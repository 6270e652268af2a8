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

interface Narrower {
  path: string;
  /** An address that leads past it. */
  url?: string;
  /** A variable for which sessions there do not find it. */
  variable?: string;
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
