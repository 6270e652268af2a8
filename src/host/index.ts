// Picks the host that runs us.
import type { Host } from "./host.ts";

export type { Host, Listener, SpawnOptions } from "./host.ts";

/** The host in force. Loaded on demand, so that neither runtime meets the other's code. */
export async function loadHost(): Promise<Host> {
  if (typeof Bun !== "undefined") return (await import("./bun.ts")).bunHost;
  return (await import("./deno.ts")).denoHost();
}
