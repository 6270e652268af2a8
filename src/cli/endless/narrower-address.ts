// The address that a project's own settings give the client: it leads past the gateway.
import { currentBaseUrl } from "../../install/gateway-settings.ts";
import { scopes, settingsPath } from "../../install/settings-file.ts";
import { leadsTo } from "../../server/gateway/gateway.ts";
import type { Terminal } from "../terminal/terminal.ts";

/** A project's settings count before the user's. */
export async function narrowerAddress(
  port: number,
  { env, cwd }: Terminal,
): Promise<{ path: string; url: string } | undefined> {
  for (const scope of scopes.filter((one) => one !== "user").toReversed()) {
    const path = settingsPath(scope, env, cwd);
    const url = await currentBaseUrl(path).catch(() => undefined);
    if (url !== undefined && !leadsTo(url, port)) return { path, url };
  }
  return undefined;
}
