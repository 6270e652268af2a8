// `memoir endless gateway on | off`: the server listens first, then the client is led through it; and back in the other order. What leads a client
// past it is found here too.

import { scopes, settingsPath } from "../../clients/claude-code/folders.ts";
import { type Finding, fail, warn } from "../../health/check.ts";
import { errorMessage } from "../../home/describe-error.ts";
import { loadHost } from "../../host/index.ts";
import { readLedger } from "../../install/file-change.ts";
import {
  type GivenBack,
  leadBack,
  leadThrough,
  readGatewayRecord,
  settingsVariables,
} from "../../install/gateway-settings.ts";
import { enabledAsPlugin } from "../../install/settings.ts";
import { withoutPasswords } from "../../privacy/passwords.ts";
import { readConfig, setConfigValue, unsetConfigValue } from "../../runtime/config/config.ts";
import { isNamed } from "../../runtime/endless/switch.ts";
import { MemoirError } from "../../sdk/errors.ts";
import { leadsTo } from "../../server/gateway/gateway.ts";
import {
  fetchInit,
  loopbackVariables,
  type Network,
  networkIn,
  proxyFor,
  proxyToLoopback,
  reached,
  readNetwork,
  shownProxy,
  writeNetwork,
} from "../../server/gateway/proxy.ts";
import { reloadServer } from "../plugins/after-change.ts";
import { server } from "../server/client.ts";
import { ensureServer } from "../server/start-stop.ts";
import { setupOf } from "../setup/setup.ts";
import { printable } from "../terminal/layout.ts";
import type { Terminal } from "../terminal/terminal.ts";

export interface GatewayOptions {
  json?: boolean;
}

/** How the command says that whoever listens on the port sees what passes. */
export const warning =
  "Whoever holds this port on this machine sees the requests to your model, and the key in them.";

/** Gives 0. Throws `gateway_uninstalled`, `gateway_upstream`, `gateway_proxy`, `gateway_port`; the client is not led anywhere then. */
export async function gatewayOn(options: GatewayOptions, terminal: Terminal): Promise<number> {
  const { home } = setupOf(terminal).paths;
  await assertInstalled(home, terminal);
  const settings = settingsPath("user", terminal.env, terminal.cwd);
  const { gateway } = (await readConfig(home)).config.endless;
  const url = `http://127.0.0.1:${gateway.port}`;
  const known = await readGatewayRecord(home);
  // As the client sees them: what its settings say counts before the shell's.
  const env = { ...terminal.env, ...(await settingsVariables(settings, known)) };
  const found = env.ANTHROPIC_BASE_URL;
  const before = found !== undefined && !leadsTo(found, gateway.port) ? found : undefined;
  const upstream = before ?? gateway.upstream;
  assertUpstream(upstream, gateway.port);
  const network = networkIn(env);
  await assertReached(upstream, network, env);
  const isLedAway = isDefault(upstream);
  // Before anything changes: somebody may think better of it.
  if (isLedAway && !options.json) terminal.print(ownAddressNote);
  if (before !== undefined)
    await setConfigValue(home, ["endless", "gateway", "upstream"], withoutSlash(before));
  await setConfigValue(home, ["endless", "gateway", "enabled"], true);
  const variables = loopbackVariables(env);
  try {
    await writeNetwork(home, network);
    await listens(gateway.port);
    const fromSettings = before !== undefined || (known?.upstream ?? false);
    await leadThrough(home, settings, url, fromSettings, variables);
  } catch (error) {
    if (!known) {
      await writeNetwork(home, undefined);
      await switchOff(home, before !== undefined);
    }
    throw error;
  }
  const proxy = proxyFor(upstream, network);
  const otherApi = otherApisIn(env);
  const past = await narrowerAddress(gateway.port, terminal);
  if (options.json) {
    const more = { ...(proxy !== undefined && { proxy: shownProxy(proxy) }), otherApi };
    terminal.print(
      withoutPasswords(JSON.stringify({ on: true, url, upstream, settings, isLedAway, ...more })),
    );
    return 0;
  }
  terminal.print(`The gateway is on: ${url}, on to ${withoutPasswords(printable(upstream))}.`);
  const set = ["ANTHROPIC_BASE_URL", ...Object.keys(variables)].join(", ");
  terminal.print(`  ${settings}: ${set} set; sessions go through it once they start.`);
  if (proxy !== undefined)
    terminal.print(`  Requests pass through the proxy ${printable(shownProxy(proxy))}.`);
  if (past)
    terminal.print(
      `  ${printable(past.path)} sets ${printable(past.url ?? past.variable ?? "")}: sessions in this folder ${past.url || past.isPast ? "go past" : "do not find"} the gateway.`,
    );
  terminal.print(
    otherApi.length > 0
      ? `  ${otherApi.join(", ")} is set: sessions that see it do not pass through the gateway.`
      : "  Requests to Bedrock, Vertex and Foundry do not pass through it.",
  );
  if (!isNamed((await readConfig(home)).config.endless, "gateway"))
    terminal.print("  It changes nothing yet: `memoir endless on gateway` in a project.");
  terminal.print(`  ${warning}`);
  terminal.print("  Off again: `memoir endless gateway off`.");
  return 0;
}

const probeMs = 10_000;

/** Throws `gateway_proxy`, with the reason, where requests could not go on as the client's own do. */
async function assertReached(
  upstream: string,
  network: Network | undefined,
  env: Readonly<Record<string, string | undefined>>,
): Promise<void> {
  const refuse = (message: string) => {
    throw new MemoirError("gateway_proxy", message);
  };
  if (env.CLAUDE_CODE_CLIENT_CERT)
    refuse("CLAUDE_CODE_CLIENT_CERT is set, and the gateway cannot present a client certificate.");
  const proxy = proxyFor(upstream, network);
  if (proxy === undefined || !network) return;
  const shown = printable(shownProxy(proxy));
  if (!URL.canParse(proxy) || !/^https?:$/.test(new URL(proxy).protocol))
    refuse(`The proxy ${shown} is neither http nor https, and the gateway cannot go through it.`);
  const init = fetchInit(await loadHost(), upstream, await reached(network));
  let status = 0;
  try {
    const signal = AbortSignal.timeout(probeMs);
    ({ status } = await fetch(upstream, { method: "HEAD", redirect: "manual", signal, ...init }));
  } catch (error) {
    const reason = withoutPasswords(errorMessage(error));
    refuse(`The proxy ${shown} does not lead to ${new URL(upstream).host}: ${reason}`);
  }
  if (status === 407) refuse(`The proxy ${shown} asks for another name and password.`);
  if (status >= 502 && status <= 504)
    refuse(`The proxy ${shown} does not lead to ${new URL(upstream).host}: it answers ${status}`);
}

/** Gives 0, also when it was off. */
export async function gatewayOff(options: GatewayOptions, terminal: Terminal): Promise<number> {
  const { home } = setupOf(terminal).paths;
  const known = await readGatewayRecord(home);
  const how = await takeGatewayBack(home);
  if (options.json) {
    terminal.print(
      JSON.stringify({ on: false, settings: known?.settings ?? null, how: how ?? null }),
    );
    return 0;
  }
  terminal.print("The gateway is off.");
  if (known && how) terminal.print(`  ${known.settings}: ${words[how]}.`);
  if (known)
    terminal.print("  Open sessions keep using it, with unchanged requests, until they end.");
  return 0;
}

/** Leads the client back and switches the gateway off; how the settings were given back, where they had been changed. */
export async function takeGatewayBack(home: string): Promise<GivenBack | undefined> {
  const known = await readGatewayRecord(home);
  const how = await leadBack(home);
  try {
    await switchOff(home, known?.upstream ?? false);
  } catch (error) {
    // The client is led back, which is what counts; a config that is not valid JSON is reported elsewhere.
    if (!(error instanceof MemoirError && error.code === "config_unreadable")) throw error;
  }
  return how;
}

/** How the settings were given back, for people. */
const words: Record<GivenBack, string> = {
  restored: "given back byte for byte",
  removed: "removed, as there was none before",
  cleaned: "ANTHROPIC_BASE_URL is as it was; what was changed since stays",
  left: "left alone: it names another address by now",
  gone: "is no longer there",
};

/** Takes what `on` wrote out of config and tells a running server. */
async function switchOff(home: string, upstreamToo: boolean): Promise<void> {
  await unsetConfigValue(home, ["endless", "gateway", "enabled"]);
  if (upstreamToo) await unsetConfigValue(home, ["endless", "gateway", "upstream"]);
  await reloadServer();
}

async function assertInstalled(home: string, { env, cwd }: Terminal): Promise<void> {
  const installed = (await readLedger(home)).length > 0 || (await enabledAsPlugin(env, cwd));
  if (installed) return;
  throw new MemoirError(
    "gateway_uninstalled",
    "memoir is not installed: no hook would start the gateway when it is needed.",
  );
}

function assertUpstream(upstream: string, port: number): void {
  const protocol = URL.canParse(upstream) ? new URL(upstream).protocol : "";
  if (protocol !== "https:" && protocol !== "http:")
    throw new MemoirError("gateway_upstream", `"${printable(upstream)}" is no address of an API.`);
  if (leadsTo(upstream, port))
    throw new MemoirError("gateway_upstream", "The upstream is the gateway itself.");
}

/** Starts the server where none runs. Throws `gateway_port` when the gateway does not listen then. */
async function listens(port: number): Promise<void> {
  await ensureServer();
  await reloadServer();
  const { gateway } = await server.get("/api/status");
  if (gateway?.listening) return;
  throw new MemoirError("gateway_port", gateway?.error ?? `nothing listens on port ${port}`);
}

function withoutSlash(url: string): string {
  return url.replace(/\/+$/, "");
}

// What the client does otherwise once it talks to any other address than the API's own; measured with version 2.1.329.

/** Whether the client, left to itself, would ask the API's own host. */
export function isDefault(upstream: string): boolean {
  return URL.canParse(upstream) && new URL(upstream).hostname === "api.anthropic.com";
}

/** Said before the client is led away from the API's own host. */
const ownAddressNote = [
  "Through an address that is not the API's own, Claude Code leaves out the cache scope that all users share and three beta features",
  "(clearing notes in mid-conversation, controls of thinking, diagnosis of the cache). A session's first request then writes its tools and the",
  "beginning of its system prompt again, about 8,000 tokens; `memoir endless gateway status` sets that against what is saved.",
].join(" ");

// What the client's settings and environment say of its way to the gateway: an address that leads past it, or a proxy in between.

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
function otherApisIn(env: Readonly<Record<string, string | undefined>>): string[] {
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
