// The host under Bun: what ships.
import { chmod } from "node:fs/promises";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { isInBinary } from "./engine.ts";
import type { Host } from "./host.ts";
import { keepOwnStreams } from "./windows-streams.ts";

const isCompiled = isInBinary(import.meta.url) || isInBinary(Bun.main);

/** More than any body memoir reads: its own limit answers first, and is counted. */
const maxRequestBodySize = 1024 * 1024 * 1024;

export const bunHost: Host = {
  name: "bun",
  isCompiled,
  async listen(address, fetch) {
    // In development an error is answered with a page about the program.
    // The types forbid idleTimeout beside a unix socket, where a waiting request is cut just the same without it.
    // And then Bun would share a port with whoever else does, unless it is forbidden: a taken one has to be an error.
    const options = {
      ...address,
      ...("port" in address && { reusePort: false }),
      fetch,
      maxRequestBodySize,
      idleTimeout: 0,
      development: false,
    };
    const server = Bun.serve(options as Parameters<typeof Bun.serve>[0]);
    if ("unix" in address) await chmod(address.unix, 0o600);
    return {
      port: server.port,
      async stop(graceMs) {
        // An idle keep-alive connection would hold the first promise for ever.
        const drained = server.stop(false);
        await Promise.race([drained, requestsDone(server, graceMs)]);
        await server.stop(true);
      },
    };
  },
  spawnDetached(command, options) {
    keepOwnStreams();
    const child = Bun.spawn([...command], {
      cwd: options.cwd,
      env: options.env,
      stdio: ["ignore", "ignore", "ignore"],
      detached: true,
    });
    child.unref();
    return child.pid;
  },
  fetchUnix: (socket, url, init) => fetch(url, { ...init, unix: socket }),
  toolCommand: (args) => [process.execPath, ...args],
  offering: (modules) => `import { createRequire } from "node:module";
const require = createRequire(import.meta.url);
const modules = ${JSON.stringify(modules, null, 2)};
export function offerTo(folder) {
  const missing = Object.entries(modules).filter(([name]) => {
    try {
      Bun.resolveSync(name, folder);
      return false;
    } catch {
      return true;
    }
  });
  if (missing.length === 0) return;
  Bun.plugin({
    name: "memoir",
    setup(build) {
      for (const [name, file] of missing)
        build.module(name, () => ({ exports: require(file), loader: "object" }));
    },
  });
}
`,
  fetchBy({ proxy, trusted }) {
    const init: BunFetchRequestInit = {};
    if (proxy !== undefined) init.proxy = proxy;
    if (trusted) init.tls = { ca: [...trusted] };
    return init;
  },
  collectGarbage: () => Bun.gc(true),
  selfCommand: () =>
    isCompiled
      ? [process.execPath]
      : [process.execPath, fileURLToPath(new URL("../cli/main.ts", import.meta.url))],
};

async function requestsDone(server: { pendingRequests: number }, graceMs: number): Promise<void> {
  const end = Date.now() + graceMs;
  while (server.pendingRequests > 0 && Date.now() < end) await Bun.sleep(5);
}
