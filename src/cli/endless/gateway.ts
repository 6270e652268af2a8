// `memoir endless gateway on | off`: the server listens first, then the client is led through it; and back in the other order.
import {
  currentBaseUrl,
  type GivenBack,
  leadBack,
  leadThrough,
  readGatewayRecord,
} from "../../install/gateway-settings.ts";
import { readLedger } from "../../install/ledger.ts";
import { enabledAsPlugin } from "../../install/plugin-presence.ts";
import { settingsPath } from "../../install/settings-file.ts";
import { withoutPasswords } from "../../privacy/passwords.ts";
import { readConfig, setConfigValue, unsetConfigValue } from "../../runtime/config/config.ts";
import { MemoirError } from "../../sdk/errors.ts";
import { leadsTo } from "../../server/gateway/gateway.ts";
import { reloadServer } from "../plugins/after-change.ts";
import { server } from "../server/client.ts";
import { ensureServer } from "../server/start.ts";
import { setupOf } from "../setup/setup.ts";
import { printable } from "../terminal/printable.ts";
import type { Terminal } from "../terminal/terminal.ts";
import { narrowerAddress } from "./narrower-address.ts";
import { isDefault, ownAddressNote } from "./own-address.ts";

export interface GatewayOptions {
  json?: boolean;
}

/** How the command says that whoever listens on the port sees what passes. */
export const warning =
  "Whoever holds this port on this machine sees the requests to your model, and the key in them.";

/** Gives 0. Throws `gateway_uninstalled`, `gateway_upstream`, `gateway_port`; the client is not led anywhere then. */
export async function gatewayOn(options: GatewayOptions, terminal: Terminal): Promise<number> {
  const { home } = setupOf(terminal).paths;
  await assertInstalled(home, terminal);
  const settings = settingsPath("user", terminal.env, terminal.cwd);
  const { gateway } = (await readConfig(home)).config.endless;
  const url = `http://127.0.0.1:${gateway.port}`;
  const found = (await currentBaseUrl(settings)) ?? terminal.env.ANTHROPIC_BASE_URL;
  const before = found !== undefined && !leadsTo(found, gateway.port) ? found : undefined;
  const upstream = before ?? gateway.upstream;
  assertUpstream(upstream, gateway.port);
  const known = await readGatewayRecord(home);
  const isLedAway = isDefault(upstream);
  // Before anything changes: somebody may think better of it.
  if (isLedAway && !options.json) terminal.print(ownAddressNote);
  if (before !== undefined)
    await setConfigValue(home, ["endless", "gateway", "upstream"], withoutSlash(before));
  await setConfigValue(home, ["endless", "gateway", "enabled"], true);
  try {
    await listens(gateway.port);
    await leadThrough(home, settings, url, before !== undefined || (known?.upstream ?? false));
  } catch (error) {
    if (!known) await switchOff(home, before !== undefined);
    throw error;
  }
  if (options.json) {
    terminal.print(
      withoutPasswords(JSON.stringify({ on: true, url, upstream, settings, isLedAway })),
    );
    return 0;
  }
  terminal.print(`The gateway is on: ${url}, on to ${withoutPasswords(printable(upstream))}.`);
  terminal.print(`  ${settings}: ANTHROPIC_BASE_URL set; sessions go through it once they start.`);
  const past = await narrowerAddress(gateway.port, terminal);
  if (past)
    terminal.print(
      `  ${printable(past.path)} sets ${printable(past.url)}: sessions in this folder go past the gateway.`,
    );
  if (!(await isStrategyOn(home)))
    terminal.print("  It changes nothing yet: `memoir endless on gateway` in a project.");
  terminal.print(`  ${warning}`);
  terminal.print("  Off again: `memoir endless gateway off`.");
  return 0;
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
    terminal.print(
      "  Sessions that are open go on through it to where they went so far, unchanged, until they end.",
    );
  return 0;
}

/** Leads the client back and switches the gateway off; how the settings were given back, where they had been changed. */
export async function takeGatewayBack(home: string): Promise<GivenBack | undefined> {
  const known = await readGatewayRecord(home);
  const how = await leadBack(home);
  try {
    await switchOff(home, known?.upstream ?? false);
  } catch (error) {
    // The client is led back, which is what counts; a config that is no JSON is reported elsewhere.
    if (!(error instanceof MemoirError && error.code === "config_unreadable")) throw error;
  }
  return how;
}

/** How the settings were given back, for people. */
export const words: Record<GivenBack, string> = {
  restored: "given back byte for byte",
  removed: "removed, as there was none before",
  cleaned: "ANTHROPIC_BASE_URL is as it was; what was changed since stays",
  left: "left alone: it names another address by now",
  gone: "is not there any more",
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

async function isStrategyOn(home: string): Promise<boolean> {
  const { everywhere, projects, sessions } = (await readConfig(home)).config.endless;
  const all = [everywhere, ...Object.values(projects), ...Object.values(sessions)];
  return all.some((strategies) => strategies.includes("gateway"));
}

function withoutSlash(url: string): string {
  return url.replace(/\/+$/, "");
}
