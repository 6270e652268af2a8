// The host under Deno, against a Deno of the test's own: what it is asked, and what comes of its answers.
import { afterEach, beforeEach, expect, spyOn, test } from "bun:test";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import process from "node:process";
import { denoHost } from "../../src/host/deno.ts";
import { inFolder } from "../support/in-folder.ts";

type Handler = (request: Request) => Response | Promise<Response>;
interface Served {
  options: Record<string, unknown>;
  handler: Handler;
}

const place = globalThis as { Deno?: object };
let served: Served[];
let modes: Array<[string, number]>;
let clients: Array<{ asked: unknown; closed: boolean }>;
let shutdown: () => Promise<void>;

beforeEach(() => {
  [served, modes, clients] = [[], [], []];
  shutdown = async () => undefined;
  place.Deno = {
    serve(options: Record<string, unknown>, handler: Handler) {
      served.push({ options, handler });
      return { addr: "port" in options ? { port: 4_711 } : {}, shutdown: () => shutdown() };
    },
    chmod: async (path: string, mode: number) => modes.push([path, mode]),
    createHttpClient(asked: unknown) {
      const client = {
        asked,
        closed: false,
        close() {
          client.closed = true;
        },
      };
      clients.push(client);
      return client;
    },
  };
});
afterEach(() => {
  delete place.Deno;
});

test("where there is no Deno it says what memoir needs", () => {
  delete place.Deno;
  expect(denoHost).toThrow("memoir runs under Bun or Deno.");
});

test("what comes through a socket has a plain address, and all else as it came", async () => {
  const asked: Request[] = [];
  const listener = await denoHost().listen({ unix: "/h/memoir.sock" }, async (request) => {
    asked.push(request);
    return new Response(`${request.method} ${await request.text()}`);
  });
  const [{ options, handler } = {} as Served] = served;
  expect(options.path).toBe("/h/memoir.sock");
  expect(modes).toEqual([["/h/memoir.sock", 0o600]]);
  expect(listener.port).toBeUndefined();
  const url = "http+unix://%2Fh%2Fmemoir.sock/api/search?text=a%20b";
  const headers = { "memoir-session": "s1" };
  const posted = await handler(new Request(url, { method: "POST", headers, body: "words" }));
  expect(await posted.text()).toBe("POST words");
  expect(await (await handler(new Request(url, { headers }))).text()).toBe("GET ");
  for (const request of asked) {
    expect(request.url).toBe("http://localhost/api/search?text=a%20b");
    expect(request.headers.get("memoir-session")).toBe("s1");
  }
});

test("a port is listened at as it is named, and no file's mode is changed for it", async () => {
  const asked: Request[] = [];
  const listener = await denoHost().listen({ hostname: "127.0.0.1", port: 0 }, (request) => {
    asked.push(request);
    return new Response("");
  });
  const [{ options, handler } = {} as Served] = served;
  expect(options).toMatchObject({ hostname: "127.0.0.1", port: 0 });
  expect([listener.port, modes]).toEqual([4_711, []]);
  const request = new Request("http://127.0.0.1:4711/hook/x");
  await handler(request);
  expect(asked).toEqual([request]);
});

test("a stop waits for what is under way, and no longer than it may", async () => {
  const done = Promise.withResolvers<void>();
  shutdown = () => done.promise;
  const listener = await denoHost().listen(
    { hostname: "127.0.0.1", port: 0 },
    () => new Response(),
  );
  await listener.stop(0);
  const cleared = spyOn(globalThis, "clearTimeout");
  let stopped = false;
  const stopping = listener.stop(60_000_000).then(() => {
    stopped = true;
  });
  await Bun.sleep(0);
  expect(stopped).toBe(false);
  done.resolve();
  await stopping;
  // Else the process would live for as long as the grace.
  expect(cleared).toHaveBeenCalledTimes(1);
  cleared.mockRestore();
});

test("a socket is asked through a client of its own, which is closed once all of the answer is there", async () => {
  const asked: Array<[unknown, RequestInit & { client?: unknown }]> = [];
  const fetching = spyOn(globalThis, "fetch").mockImplementation((async (
    url: unknown,
    init: RequestInit,
  ) => {
    asked.push([url, init]);
    const body = new ReadableStream({
      pull(controller) {
        controller.enqueue(new TextEncoder().encode(clients[0]?.closed ? "late" : "whole"));
        controller.close();
      },
    });
    return new Response(body, { status: 418, headers: { "x-one": "1" } });
  }) as unknown as typeof fetch);
  try {
    const host = denoHost();
    const answer = await host.fetchUnix("/h/s", "http://localhost/a", { method: "POST" });
    expect(asked).toMatchObject([["http://localhost/a", { method: "POST", client: clients[0] }]]);
    expect(clients[0]?.asked).toEqual({ proxy: { transport: "unix", path: "/h/s" } });
    expect(clients[0]?.closed).toBe(true);
    expect([answer.status, answer.headers.get("x-one"), await answer.text()]).toEqual([
      ...[418, "1", "whole"],
    ]);
    fetching.mockImplementation((async () => {
      throw new Error("nobody listens");
    }) as unknown as typeof fetch);
    await expect(host.fetchUnix("/h/s", "http://localhost/a", {})).rejects.toThrow("nobody");
    expect(clients[1]?.closed).toBe(true);
  } finally {
    fetching.mockRestore();
  }
});

test("a process is started in its folder with this environment and no other", () =>
  inFolder(async (folder) => {
    const note = 'test -z "$MEMOIR_TEST_LEAK" && echo "$1 $WORD $PWD" > draft && mv draft note';
    process.env.MEMOIR_TEST_LEAK = "leaked";
    const env = { WORD: "given", PATH: process.env.PATH ?? "" };
    const pid = denoHost().spawnDetached(["sh", "-c", note, "sh", "arg"], { env, cwd: folder });
    delete process.env.MEMOIR_TEST_LEAK;
    expect(pid).toBeGreaterThan(0);
    const path = join(folder, "note");
    while (!(await Bun.file(path).exists())) await Bun.sleep(5);
    expect((await readFile(path, "utf8")).trim()).toMatch(/^arg given \/\S+$/);
  }));

test("it runs itself from source, with every permission, and nothing of it is compiled", () => {
  const { name, isCompiled, selfCommand } = denoHost();
  expect([name, isCompiled]).toEqual(["deno", false]);
  const [program, ...args] = selfCommand();
  expect(program).toBe(process.execPath);
  expect(args).toEqual(["run", "-A", expect.stringMatching(/\/src\/cli\/main\.ts$/)]);
});
