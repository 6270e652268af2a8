// The hook command's way to the server where unix sockets will not do.

import type { Paths } from "../../home/paths.ts";
import type { HookHost } from "../../host/host.ts";
import type { ServerInfo } from "../../server/endpoint.ts";

/** Fetches a route of this home's server over loopback. Rejects when there is no server. */
export async function fetchTcp(
  host: HookHost,
  paths: Paths,
  route: string,
  init: RequestInit,
): Promise<Response> {
  const info = JSON.parse(await host.readText(paths.serverInfo)) as Partial<ServerInfo>;
  const port = Number(info.port);
  if (!Number.isInteger(port) || port < 1) throw new Error("server.json names no port");
  const token = (await host.readText(paths.token)).trim();
  const headers = new Headers(init.headers);
  headers.set("authorization", `Bearer ${token}`);
  // Else HTTP_PROXY would take the payload and the token out of this machine.
  process.env.NO_PROXY = "*";
  return fetch(`http://127.0.0.1:${port}${route}`, { ...init, headers });
}
