// Inside a worker, before anything else is imported there: puts what its plugin declared between it and the network, files and programs.
// A module's named exports are fixed by its first import, so this file imports none of the modules that it changes.
import { basename, dirname, join, resolve, sep } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";

/** What one plugin's worker is held to. Plain data: it crosses to the worker. */
export interface Reach {
  /** The package.json that says it. */
  manifest: string;
  hosts?: readonly string[];
  /** Absolute; what lies below a folder belongs to it. */
  files?: readonly string[];
  programs?: readonly string[];
  /** What it may read without saying so: its own folder, and packages. */
  readable: readonly string[];
  /** Where its own database is, which memoir opens in its name; empty until its name is known. */
  data: string;
  /** Inside the worker: hears of what is refused. */
  log?(refused: string): void;
}

export type ReachField = "hosts" | "files" | "programs";

type Holder = Record<string, unknown>;
type Args = readonly unknown[];
type Check = (args: Args) => void;

/** Puts the guards up, for good. They hold accidents and plain code; docs/plugins.md says what gets around them. */
export function holdTo(reach: Reach): void {
  const checkFile = reach.files ? createFileCheck(reach) : undefined;
  if (reach.hosts) guardHosts(reach, checkFile);
  if (checkFile) guardFiles(checkFile);
  guardPrograms(reach);
  guardDoors();
}

/** Names what is refused, what is declared, and what to write. The log has it too: the plugin may pass over it. */
function refusal(reach: Reach, field: ReachField, name: string): Error {
  const does = { hosts: "reach the host", files: "touch the file", programs: "run the program" };
  const declared = reach[field]?.join(", ") || "none";
  const what = `it may not ${does[field]} ${name}: memoir.${field} in ${reach.manifest} has ${declared}`;
  reach.log?.(what);
  return new Error(`${what}; add ${JSON.stringify(name)} there if it should`);
}

const fieldsOfDeno: Readonly<Record<string, ReachField>> = {
  net: "hosts",
  read: "files",
  write: "files",
  run: "programs",
};

/** Deno's own refusal of a worker's access, in the same words; any other error as it is. */
export function refusalBehind(error: unknown, reach: Reach): unknown {
  const { message = "", stack } = error as Partial<Error>;
  const [, kind = "", name = ""] = /Requires (\w+) access to "([^"]+)"/.exec(message) ?? [];
  const field = fieldsOfDeno[kind];
  return field ? Object.assign(refusal(reach, field, name), { stack }) : error;
}

function closed(what: string): never {
  throw new Error(
    `it may not use ${what}, which its memoir.hosts and memoir.files can't hold; use fetch, WebSocket, node:http or node:fs`,
  );
}

/** A module of the engine's; undefined where this one has none of the name. */
function builtin(name: string): Holder | undefined {
  return process.getBuiltinModule(name) as unknown as Holder | undefined;
}

const engine = (globalThis as { Bun?: Holder }).Bun;

/** Puts a check before a function or class. A refused call rejects where an answer is a promise. */
function guard(holder: Holder | undefined, name: string, check: Check, isAsync = false): void {
  const own = holder?.[name];
  if (!holder || typeof own !== "function") return;
  holder[name] = new Proxy(own, {
    apply(target, self, args) {
      try {
        check(args);
      } catch (error) {
        if (isAsync) return Promise.reject(error);
        throw error;
      }
      return Reflect.apply(target, self, args);
    },
    construct(target, args, made) {
      check(args);
      return Reflect.construct(target, args, made);
    },
  });
}

// Hosts.

/** `*` is any host, `*.acme.dev` those below it, `acme.dev:8443` that port alone. */
export function isHostIn(hosts: readonly string[], host: string, port: string): boolean {
  return hosts.some((one) => {
    const [, name = "", only] = /^(.*?)(?::(\d+))?$/.exec(one.toLowerCase()) ?? [];
    if (only !== undefined && only !== port) return false;
    return name === "*" || name === host || (name.startsWith("*.") && host.endsWith(name.slice(1)));
  });
}

const ports: Readonly<Record<string, string>> = { "http:": "80", "ws:": "80" };

function guardHosts(reach: Reach, checkFile: FileCheck | undefined): void {
  function checkHost(host: unknown, port: unknown): void {
    const name = String(host || "localhost").toLowerCase();
    const plain = name.replace(/^\[|\]$|\.$/g, "");
    if (!isHostIn(reach.hosts ?? [], plain, String(port))) throw refusal(reach, "hosts", plain);
  }
  function checkUrl(given: unknown): void {
    const url = new URL(String(given));
    if (url.protocol === "file:") checkFile?.(url, false);
    else if (!/^(data|blob):$/.test(url.protocol))
      checkHost(url.hostname, url.port || (ports[url.protocol] ?? "443"));
  }
  /** Of a socket: options, a port with its host, or a path; node's own calls wrap them in a list. */
  function checkSocket(args: Args): void {
    const [first, second] = Array.isArray(args[0]) ? args[0] : args;
    if (typeof first === "object" && first !== null) {
      const { unix, path, hostname, host, port } = first as Holder;
      checkHost(unix || path ? `unix:${unix ?? path}` : (hostname ?? host), port);
    } else if (/^\d+$/.test(String(first)))
      checkHost(typeof second === "string" ? second : undefined, first);
    else checkHost(`unix:${first}`, undefined);
  }
  const checkRequest = (port: string) => (args: Args) => {
    const [first, second] = args;
    const isUrl = typeof first === "string" || first instanceof URL;
    const url = isUrl ? new URL(String(first)) : undefined;
    const options = { ...((isUrl ? second : first) as Holder | undefined) };
    if (options.socketPath) return checkHost(`unix:${options.socketPath}`, undefined);
    const host = options.hostname ?? options.host ?? url?.hostname;
    return checkHost(host, options.port ?? (url?.port || (url && ports[url.protocol]) || port));
  };

  globalThis.fetch = heldFetch(globalThis.fetch, checkUrl, checkHost);
  guard(globalThis as unknown as Holder, "WebSocket", ([url]) => checkUrl(url));
  guard(globalThis as unknown as Holder, "EventSource", ([url]) => checkUrl(url));
  guard(engine, "connect", checkSocket, true);
  const net = builtin("net");
  guard((net?.Socket as { prototype: Holder } | undefined)?.prototype, "connect", checkSocket);
  for (const name of ["connect", "createConnection"]) guard(net, name, checkSocket);
  guard(builtin("tls"), "connect", checkSocket);
  for (const name of ["request", "get", "ClientRequest"]) {
    guard(builtin("http"), name, checkRequest("80"));
    guard(builtin("https"), name, checkRequest("443"));
  }
  guard(builtin("http2"), "connect", ([authority]) => checkUrl(authority));
  guard(builtin("dgram"), "createSocket", () => closed("node:dgram"));
  guard(engine, "udpSocket", () => closed("Bun.udpSocket"), true);
  for (const name of ["redis", "RedisClient", "sql", "SQL", "postgres", "s3", "S3Client"])
    closeAll(engine, name, `Bun.${name}`);
}

/** `fetch` that looks at every address, those that it is sent on to as well. */
function heldFetch(
  native: typeof fetch,
  checkUrl: (url: unknown) => void,
  checkHost: (host: unknown, port: unknown) => void,
): typeof fetch {
  async function held(input: string | URL | Request, init: RequestInit = {}): Promise<Response> {
    let url = input instanceof Request ? input.url : String(input);
    const { unix, proxy, redirect, method } = init as RequestInit & Holder;
    if (unix) checkHost(`unix:${unix}`, undefined);
    else checkUrl(url);
    if (proxy) checkUrl(typeof proxy === "string" ? proxy : (proxy as { url: string }).url);
    const given = input instanceof Request ? input : undefined;
    if ((redirect ?? given?.redirect ?? "follow") !== "follow") return native(input, init);
    const isRead = /^(get|head)$/i.test(String(method ?? given?.method ?? "GET"));
    let answer = await native(input, { ...init, redirect: "manual" });
    for (let hops = 0; hops < 20; hops++) {
      const to = answer.headers.get("location");
      if (!to || ![301, 302, 303, 307, 308].includes(answer.status)) return answer;
      const next = new URL(to, url);
      checkUrl(next);
      // A body went where it was to go; it is not sent on.
      if (!isRead && answer.status > 303) return answer;
      const headers = new Headers(init.headers ?? given?.headers);
      if (next.host !== new URL(url).host)
        for (const name of ["authorization", "cookie"]) headers.delete(name);
      url = next.href;
      const { body: _, ...rest } = init;
      const changed = { method: isRead ? String(method ?? "GET") : "GET", headers };
      answer = await native(url, { ...rest, ...changed, redirect: "manual" });
    }
    throw new TypeError(`${url} sends on too often`);
  }
  const preconnect: unknown = Reflect.get(native, "preconnect");
  return Object.assign(held, preconnect ? { preconnect: checkUrl } : {}) as typeof fetch;
}

/** A value whose every use is refused. */
function closeAll(holder: Holder | undefined, name: string, what: string): void {
  if (!holder || !(name in holder)) return;
  const refuse = () => closed(what);
  try {
    holder[name] = new Proxy(() => {}, { apply: refuse, construct: refuse, get: refuse });
  } catch {
    // What the engine does not let go stays: a guard less.
  }
}

// Files.

type FileCheck = (path: unknown, writes: boolean) => void;

/** What lies in memoir's own binary, which its own modules read. */
const isProgram = /^(\/\$bunfs\/|[A-Z]:[\\/]~BUN[\\/])/;

function createFileCheck(reach: Reach): FileCheck {
  const fs = builtin("fs");
  // Taken before it is guarded.
  const real = fs?.realpathSync as (path: string) => string;
  /** Where a path leads, through links; what is not there yet is below what is. */
  function realOf(path: string): string {
    try {
      return real(path);
    } catch {
      const parent = dirname(path);
      return parent === path ? path : join(realOf(parent), basename(path));
    }
  }
  const files = (reach.files ?? []).map((one) => (one === "*" ? one : realOf(one)));
  const readable = reach.readable.map(realOf);
  const isBelow = (path: string, folder: string) =>
    folder === "*" ||
    path === folder ||
    path.startsWith(folder.endsWith(sep) ? folder : folder + sep);
  const isOwnData = (path: string) => {
    const own = realOf(reach.data);
    return reach.data !== "" && (path.startsWith(own) || path === dirname(own));
  };
  return (given, writes) => {
    // A number is a file that was looked at when it was opened.
    if (typeof given !== "string" && !(given instanceof URL) && !(given instanceof Uint8Array))
      return;
    const text = given instanceof Uint8Array ? new TextDecoder().decode(given) : given;
    const path = realOf(/^file:/.test(String(text)) ? fileURLToPath(text) : resolve(String(text)));
    if (files.some((folder) => isBelow(path, folder))) return;
    if (!writes && readable.some((folder) => isBelow(path, folder))) return;
    if (path === "/dev/null" || isOwnData(path) || isProgram.test(path)) return;
    throw refusal(reach, "files", path);
  };
}

/** What only looks at a file, by the beginning of its name; `open` does by its flags. */
const looks =
  /^(l?stat|access|exists|read|opendir|realpath|createRead|ReadS|FileReadS|watch|unwatch|openAs|glob)/;
/** Its second argument is a path too. */
const ofTwo = /^(rename|copyFile|cp|link)/;

function guardFiles(check: FileCheck): void {
  const guardAll = (fs: Holder | undefined, isAsync: boolean) => {
    for (const name of Object.keys(fs ?? {})) {
      // `unwatchFile` and those of whole classes are no less a name with a path.
      if (/^(Stats|Dirent|Dir|constants|_)/.test(name)) continue;
      guard(
        fs,
        name,
        ([path, second]) => {
          const opens =
            /^open(Sync)?$/.test(name) && /^(r|rs|0|function|undefined)$/.test(flag(second));
          check(path, !opens && !looks.test(name));
          if (ofTwo.test(name)) check(second, true);
        },
        isAsync,
      );
    }
  };
  const fs = builtin("fs");
  guardAll(fs, false);
  guardAll(builtin("fs/promises"), true);
  guard(engine, "file", ([path]) => check(path, true));
  guard(engine, "write", ([path]) => check(path, true), true);
  guard(engine, "mmap", ([path]) => check(path, true));
  const inMemory = (path: unknown) => path === undefined || path === "" || path === ":memory:";
  const checkDatabase: Check = ([path]) => inMemory(path) || check(path, true);
  guard(builtin("bun:sqlite"), "Database", checkDatabase);
  guard(builtin("sqlite"), "DatabaseSync", checkDatabase);
}

function flag(given: unknown): string {
  return typeof given === "function" ? "function" : String(given);
}

// Programs, and doors out of this thread.

function guardPrograms(reach: Reach): void {
  const { programs = [] } = reach;
  function checkProgram(given: unknown): void {
    const name = String(given);
    const isNamed = programs.includes("*") || programs.includes(name);
    if (!isNamed && !programs.includes(basename(name))) throw refusal(reach, "programs", name);
  }
  const children = builtin("child_process");
  for (const name of ["spawn", "spawnSync", "execFile", "execFileSync"])
    guard(children, name, ([program, ...rest]) => {
      checkProgram(program);
      if (rest.some((one) => (one as Holder | undefined)?.shell)) checkProgram("sh");
    });
  for (const name of ["exec", "execSync"]) guard(children, name, () => checkProgram("sh"));
  guard(children, "fork", () => checkProgram(process.execPath));
  const ofList: Check = ([given]) =>
    checkProgram((Array.isArray(given) ? given : ((given as { cmd?: Args }).cmd ?? []))[0]);
  for (const name of ["spawn", "spawnSync"]) guard(engine, name, ofList);
  guard(engine, "$", () => checkProgram("sh"));
  guard(engine, "openInEditor", () => checkProgram("editor"));
}

/** What would begin anew without these guards. */
function guardDoors(): void {
  const doors: ReadonlyArray<[Holder | undefined, readonly string[], string]> = [
    [globalThis as unknown as Holder, ["Worker"], "a Worker"],
    [builtin("worker_threads"), ["Worker"], "a Worker"],
    [builtin("cluster"), ["fork"], "node:cluster"],
    [process as unknown as Holder, ["dlopen"], "native code"],
    [builtin("bun:ffi"), ["dlopen", "linkSymbols", "cc", "CFunction"], "bun:ffi"],
  ];
  for (const [holder, names, what] of doors)
    for (const name of names) guard(holder, name, () => closed(what));
}
