// Picks the host that runs us, and does what is too small for one. It loads nothing by itself: each import costs every hook.
import type { HookHost, Host } from "./host.ts";

export type { Host, Listener, SpawnOptions } from "./host.ts";

/** The host in force. Loaded on demand, so that neither runtime meets the other's code. */
export async function loadHost(): Promise<Host> {
  if (typeof Bun !== "undefined") return (await import("./bun.ts")).bunHost;
  return (await import("./deno.ts")).denoHost();
}

/** Under Bun; to ask for a size costs two microseconds, and its ids less than the web's, which make ready all of its cryptography. */
const bunHookHost: HookHost = {
  stdin: () => Bun.stdin.stream(),
  sizeOf: (path) => Bun.file(path).size,
  readText(path) {
    const file = Bun.file(path);
    // What has no size is a pipe: whoever reads it waits.
    return file.size < Number.POSITIVE_INFINITY ? file.text() : Promise.reject(noFile(path));
  },
  newId: () => Bun.randomUUIDv7(),
  fetchUnix: (unix, url, init) => fetch(url, { ...init, unix }),
};

const noFile = (path: string) => new Error(`${path} is no file`);

/** The hook command's host: without a promise under Bun. */
export function hookHost(): HookHost | Promise<HookHost> {
  return typeof Bun === "undefined"
    ? import("./deno.ts").then(({ denoHookHost }) => denoHookHost())
    : bunHookHost;
}

/** What a TOML text says, which the runtime reads itself. Throws for what is no TOML. */
export function parseToml(text: string): unknown {
  return Bun.TOML.parse(text);
}
