// The host under Deno: the same server from source. Deno's own types are not installed; the few calls used are described here.
import { spawn } from "node:child_process";
import process from "node:process";
import { fileURLToPath } from "node:url";
import type { HookHost, Host } from "./host.ts";

interface DenoServer {
  addr: { port?: number };
  shutdown(): Promise<void>;
}
interface DenoClient {
  close(): void;
}
interface DenoGlobal {
  serve(
    options:
      | { path: string; onListen(): void }
      | { hostname: string; port: number; onListen(): void },
    handler: (request: Request) => Response | Promise<Response>,
  ): DenoServer;
  createHttpClient(options: {
    proxy?: { transport: "unix"; path: string } | { url: string };
    caCerts?: readonly string[];
  }): DenoClient;
  chmod(path: string, mode: number): Promise<void>;
  stdin: { readable: ReadableStream<Uint8Array<ArrayBuffer>> };
  statSync(path: string): { size: number; isFile: boolean };
  readTextFile(path: string): Promise<string>;
}

/** Throws when this process is not Deno. */
function denoGlobal(): DenoGlobal {
  const deno = (globalThis as { Deno?: DenoGlobal }).Deno;
  if (!deno) throw new Error("memoir runs under Bun or Deno.");
  return deno;
}

/** The hook command's host. */
export function denoHookHost(): HookHost {
  const deno = denoGlobal();
  return {
    stdin: () => deno.stdin.readable,
    sizeOf(path) {
      try {
        return deno.statSync(path).size;
      } catch {
        return 0;
      }
    },
    async readText(path) {
      if (!deno.statSync(path).isFile) throw new Error(`${path} is no file`);
      return deno.readTextFile(path);
    },
    newId() {
      const time = Date.now().toString(16).padStart(12, "0");
      const random = crypto.randomUUID();
      return `${time.slice(0, 8)}-${time.slice(8)}-7${random.slice(15)}`;
    },
    fetchUnix,
  };
}

/** The Deno host; throws when this process is not Deno. */
export function denoHost(): Host {
  const deno = denoGlobal();
  let routed: { key: string; client: DenoClient } | undefined;
  return {
    name: "deno",
    isCompiled: false,
    async listen(address, fetch) {
      const onListen = () => {};
      const server =
        "unix" in address
          ? deno.serve({ path: address.unix, onListen }, (request) => fetch(plain(request)))
          : deno.serve({ ...address, onListen }, fetch);
      if ("unix" in address) await deno.chmod(address.unix, 0o600);
      return {
        port: server.addr.port,
        async stop(graceMs) {
          let timer: ReturnType<typeof setTimeout> | undefined;
          const grace = new Promise<void>((resolve) => {
            timer = setTimeout(resolve, graceMs);
          });
          await Promise.race([server.shutdown(), grace]);
          clearTimeout(timer);
        },
      };
    },
    spawnDetached(command, options) {
      const [file = "", ...args] = command;
      const child = spawn(file, args, {
        cwd: options.cwd,
        env: options.env,
        stdio: "ignore",
        detached: true,
      });
      child.unref();
      return child.pid ?? 0;
    },
    fetchUnix,
    toolCommand([tool = "", ...args], config) {
      const command = [
        process.execPath,
        "run",
        "--no-check",
        "-A",
        "--no-prompt",
        "--config",
        config,
      ];
      if (/\.[mc]?[jt]s$/.test(tool)) return [...command, tool, ...args];
      // Strict by itself; what else a tsconfig.json says it reads where it is.
      if (tool === "check")
        return [process.execPath, "check", "--quiet", "--config", config, args.at(-1) ?? "."];
      if (tool !== "test") return undefined;
      const files = args.filter((arg) => /\.[mc]?[jt]s$/.test(arg));
      return command.with(1, "test").concat(files);
    },
    offering: () => undefined,
    fetchBy(route) {
      const { proxy, trusted } = route;
      const key = JSON.stringify(route);
      // One client keeps its connections; requests under way keep one that is replaced.
      if (routed?.key !== key)
        routed = {
          key,
          client: deno.createHttpClient({
            ...(proxy !== undefined && { proxy: { url: proxy } }),
            ...(trusted && { caCerts: trusted }),
          }),
        };
      return { client: routed.client } as RequestInit;
    },
    // Only a flag would offer it.
    collectGarbage() {},
    selfCommand: () => {
      const main = fileURLToPath(new URL("../cli/main.ts", import.meta.url));
      return [process.execPath, "run", "-A", main];
    },
  };
}

async function fetchUnix(socket: string, url: string, init: RequestInit): Promise<Response> {
  const client = denoGlobal().createHttpClient({ proxy: { transport: "unix", path: socket } });
  try {
    const response = await fetch(url, { ...init, client } as RequestInit);
    const body = await response.arrayBuffer();
    // Only null may go with a status such as 204.
    return new Response(body.byteLength > 0 ? body : null, response);
  } finally {
    client.close();
  }
}

/** Deno names the socket in the URL of what comes through it; routes want a plain address. */
function plain(request: Request): Request {
  const { pathname, search } = new URL(request.url);
  const { method, headers, body } = request;
  const init: RequestInit = body ? { method, headers, body } : { method, headers };
  return new Request(`http://localhost${pathname}${search}`, init);
}
