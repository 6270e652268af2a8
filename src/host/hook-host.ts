// What the hook command asks of its runtime. It loads nothing: each import costs every hook.

import type { HookHost } from "./host.ts";

/** Under Bun; to ask for a size costs two microseconds, and its ids less than the web's, which make ready all of its cryptography. */
const bunHookHost: HookHost = {
  stdin: () => Bun.stdin.text(),
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

/** The host in force: without a promise under Bun. */
export function hookHost(): HookHost | Promise<HookHost> {
  return typeof Bun === "undefined"
    ? import("./deno.ts").then(({ denoHookHost }) => denoHookHost())
    : bunHookHost;
}
