// What differs between Bun and Deno beyond SQLite: listening, starting a process that outlives us, and how we were started.

/** Where a server listens. Exactly one of `unix` and `port`. */
export type ListenAddress = { unix: string } | { hostname: string; port: number };

export interface Listener {
  /** The TCP port in use; undefined for a unix socket. */
  port: number | undefined;
  /** Takes no new connections, lets requests under way finish for up to `graceMs`, then closes. */
  stop(graceMs: number): Promise<void>;
}

export interface Host {
  name: "bun" | "deno";
  /** Rejects when the address is taken. Quiet connections are never cut: deadlines are the caller's. */
  listen(
    address: ListenAddress,
    fetch: (request: Request) => Response | Promise<Response>,
  ): Promise<Listener>;
  /** Starts a process of its own session with no open streams, and gives its pid. */
  spawnDetached(command: readonly string[], options: SpawnOptions): number;
  /** `fetch` over a unix socket. */
  fetchUnix(socket: string, url: string, init: RequestInit): Promise<Response>;
  /** What a `fetch` is given beside its request to take this route. */
  fetchBy(route: Route): RequestInit;
  /** The command that runs this same memoir; arguments follow. */
  selfCommand(): string[];
  /**
   * The command for a tool of the engine: `test` with files, or a script. Undefined where the engine has none such, or another.
   * `config` names the file by which Deno finds what the home offers.
   */
  toolCommand(args: readonly string[], config: string): string[] | undefined;
  /**
   * The text of a module whose `offerTo(folder)` has what lies in that folder import these (name → file beside the module), where
   * it finds none by itself. Undefined where the engine has no way to.
   */
  offering(modules: Readonly<Record<string, string>>): string | undefined;
  /** Gives memory that is not used any more back to the system, where the engine can be asked to; all stands still meanwhile. */
  collectGarbage(): void;
  /** True in the shipped binary, false when run from source. */
  isCompiled: boolean;
}

/** The few calls of the hook command that Bun and Deno make differently. */
export interface HookHost {
  /** All of stdin, as it comes. */
  stdin(): ReadableStream<Uint8Array<ArrayBuffer>>;
  /** Bytes of the file; 0 where there is none. */
  sizeOf(path: string): number;
  readText(path: string): Promise<string>;
  /** An id that sorts by time. */
  newId(): string;
  fetchUnix(socket: string, url: string, init: RequestInit): Promise<Response>;
}

/** How a request reaches its server, where that is not the usual way. */
export interface Route {
  /** An HTTP proxy's address, with its name and password. */
  proxy?: string;
  /** PEM texts: all certificates that are trusted. */
  trusted?: readonly string[];
}

export interface SpawnOptions {
  /** The whole environment; nothing is inherited. */
  env: Readonly<Record<string, string>>;
  cwd: string;
}
