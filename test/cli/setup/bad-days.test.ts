// Bad days of an upgrade, with memoir as a process of its own: killed in each step, no room, a proxy, no network, in use.
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readdir, readFile, rm, stat, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { memoirPaths } from "../../../src/home/paths.ts";
import { acquireLock } from "../../../src/server/life/lock.ts";
import { cannedServer } from "../../support/canned-server.ts";
import { memoirCommand } from "../../support/compiled.ts";
import { connectProxy } from "../../support/connect-proxy.ts";
import { type Outcome, outcomeOf } from "../../support/outcome-of.ts";
import { ownCertificate } from "../../support/own-certificate.ts";
import { type ReleaseServer, releaseServer, scriptOf } from "../../support/signed-release.ts";

let server: ReleaseServer;
let home: string;
let bin: string;

beforeAll(async () => {
  server = await releaseServer();
});
afterAll(() => server.stop());
beforeEach(async () => {
  server.files.clear();
  home = await mkdtemp(join(tmpdir(), "memoir-bad-day-"));
  bin = join(home, "bin");
  await mkdir(bin);
  await writeFile(join(bin, "memoir"), scriptOf("1.0.0"), { mode: 0o755 });
  await configure(server.url);
});
afterEach(() => rm(home, { recursive: true, force: true }));

async function configure(from: string): Promise<void> {
  const upgrade = { from, signedBy: await server.key("first") };
  await writeFile(join(home, "config.json"), JSON.stringify({ upgrade }));
}

/** Runs `memoir upgrade` by a shell that first says `before`. */
async function start(before = "", more: Readonly<Record<string, string>> = {}) {
  const command = [...(await memoirCommand()), "upgrade"];
  return Bun.spawn(["sh", "-c", `${before}\nexec "$@"`, "sh", ...command], {
    env: { PATH: process.env.PATH ?? "", HOME: home, MEMOIR_HOME: home, ...more },
    cwd: home,
    stdin: "ignore",
    stdout: "pipe",
    stderr: "pipe",
  });
}
const run = async (...given: Parameters<typeof start>) => outcomeOf(await start(...given));

/** What a session's hook would meet. */
async function installed(): Promise<string> {
  const { code, out } = await outcomeOf(
    Bun.spawn([join(bin, "memoir"), "version", "--json"], { stdout: "pipe", stderr: "pipe" }),
  );
  return code === 0 ? JSON.parse(out).version : `failed with ${code}`;
}

async function expectUnchanged({ code, err }: Outcome, says: string): Promise<void> {
  expect(err).toContain(says);
  expect(code).toBe(1);
  expect(err).not.toMatch(/\b(?:rm|delete|remove)\b/);
  expect(await installed()).toBe("1.0.0");
  expect(await readdir(bin)).toEqual(["memoir"]);
}

async function until(isSo: () => unknown): Promise<void> {
  const end = Date.now() + 20_000;
  while (!(await isSo())) {
    if (Date.now() > end) throw new Error("it never came to that");
    await Bun.sleep(1);
  }
}

const padding = "#".repeat(60_000_000);
/** A script that waits for ever when it is called so, and says before that it was. */
const hanging = (at: string) =>
  `${scriptOf("2.0.0")}if [ "$1" = ${at} ]; then echo > "$HOME/asked"; exec sleep 60; fi\n`;
const wasAsked = () => existsSync(join(home, "asked"));

describe("killed", () => {
  const stalls = (path: string, bytes = 0) => {
    let isThere = false;
    const whole = server.files.get(path) ?? "";
    const length = typeof whole === "function" ? 0 : whole.length;
    server.files.set(path, () => {
      const stalled = new ReadableStream({
        start(controller) {
          if (bytes > 0 && typeof whole !== "function")
            controller.enqueue(Buffer.from(whole.slice(0, bytes) as string));
          isThere = true;
        },
      });
      return new Response(stalled, { headers: { "content-length": String(length) } });
    });
    return () => isThere;
  };
  const drafts = async () => (await readdir(bin)).filter((name) => name.endsWith(".tmp"));
  const steps: Array<[string, () => Promise<() => unknown>, string[]]> = [
    ["while it asks for the list", async () => stalls("/SHA256SUMS"), ["1.0.0"]],
    ["while it asks for the signature", async () => stalls("/SHA256SUMS.minisig", 50), ["1.0.0"]],
    [
      "in the middle of the download",
      async () => {
        const isThere = stalls(`/${server.name}`, 20);
        return async () => isThere() && (await drafts()).length > 0;
      },
      ["1.0.0"],
    ],
    [
      "while it unpacks",
      async () => {
        await server.publish("2.0.0", {
          packed: true,
          data: `${scriptOf("2.0.0")}exit\n${padding}`,
        });
        return async () => (await drafts()).some((name) => !name.endsWith(".gz.tmp"));
      },
      ["1.0.0"],
    ],
    [
      "while the new one is tried",
      async () => {
        await server.publish("2.0.0", {
          data: hanging("version").split("\n").with(1, "").join("\n"),
        });
        return wasAsked;
      },
      ["1.0.0"],
    ],
    [
      "in the swap",
      async () => {
        await writeFile(join(bin, "memoir-previous.1.tmp"), "half");
        return () => existsSync(join(bin, "memoir-previous"));
      },
      ["1.0.0", "2.0.0"],
    ],
    [
      "while the server is handed over",
      async () => {
        await server.publish("2.0.0", { data: hanging("start") });
        const paths = memoirPaths(home);
        const lock = await acquireLock(paths.serverLock);
        const running = await cannedServer(home, {
          "/api/stop": () => {
            lock?.release();
            return {};
          },
        });
        return async () => {
          if (wasAsked()) await running.stop();
          return wasAsked();
        };
      },
      ["2.0.0"],
    ],
  ];
  test.each(steps)(
    "%s: a whole memoir is in force, and the next upgrade goes through",
    async (_name, prepare, left) => {
      await server.publish("2.0.0");
      const isTime = await prepare();
      const child = await start();
      await until(isTime);
      child.kill("SIGKILL");
      await child.exited;
      expect(left).toContain(await installed());

      server.files.clear();
      await server.publish("2.0.1");
      for (const name of await drafts()) await utimes(join(bin, name), 0, 0);
      expect((await run()).code).toBe(0);
      expect(await installed()).toBe("2.0.1");
      expect((await readdir(bin)).sort()).toEqual(["memoir", "memoir-previous"]);
      expect((await readFile(join(bin, "memoir-previous"), "utf8")).slice(0, 60)).toContain(
        left.at(-1) === "2.0.0" ? ".0.0" : "1.0.0",
      );
    },
    180_000,
  );
});

describe("no room", () => {
  test.each([[false], [true]])("for the file, compressed: %p: said in words", async (packed) => {
    await server.publish("2.0.0", { packed, data: `${scriptOf("2.0.0")}exit\n${padding}` });
    // Files no larger than some 100 kB; without the trap the system would end the process.
    const limited = await run("trap '' XFSZ; ulimit -f 200");
    await expectUnchanged(limited, `There is no room in ${bin}: an upgrade takes`);
    expect(limited.err).toContain("Nothing was changed. Make room on that disk");
  });
});

describe("on the way", () => {
  test("no network, and nobody there", async () => {
    await configure("https://releases.invalid/memoir");
    await expectUnchanged(await run(), "there is no way to it from here: is the network up.");
    await configure("http://127.0.0.1:9");
    await expectUnchanged(await run(), "nobody answers there.");
  });

  test("by a proxy https releases come as without one; a proxy that wants a password is named", async () => {
    await server.publish("2.0.0");
    const { key, cert } = ownCertificate("releases.test");
    const secure = Bun.serve({
      ...{ hostname: "127.0.0.1", port: 0, tls: { key, cert } },
      fetch: (request) => fetch(`${server.url}${new URL(request.url).pathname}`),
    });
    const [trusted, hosts] = [join(home, "cert.pem"), { "releases.test:443": secure.port ?? 0 }];
    await writeFile(trusted, cert);
    await configure("https://releases.test");
    const by = (proxy: string) => run("", { HTTPS_PROXY: proxy, NODE_EXTRA_CA_CERTS: trusted });
    const closed = await connectProxy({ hosts, credentials: "me:hidden" });
    const refused = await by(closed.url);
    await expectUnchanged(
      refused,
      `could not be fetched through the proxy 127.0.0.1:${closed.port}`,
    );
    const wrong = await by(closed.url.replace("//", "//me:guess@"));
    expect(wrong.err).not.toContain("guess");
    const open = await connectProxy({ hosts });
    expect(await by(open.url)).toMatchObject({ code: 0 });
    expect(await installed()).toBe("2.0.0");
    expect(new Set(open.asked)).toEqual(new Set(["CONNECT releases.test:443"]));
    await Promise.all([open.stop(), closed.stop(), secure.stop(true)]);
  });

  test("a download that breaks off", async () => {
    await server.publish("2.0.0");
    const broken = Bun.listen({
      ...{ hostname: "127.0.0.1", port: 0 },
      socket: {
        data(socket, data) {
          const path = /^GET (\S+)/.exec(data.toString())?.[1] ?? "";
          const body = server.files.get(path);
          const isFile = path === `/${server.name}`;
          const text = typeof body === "string" ? body : "";
          socket.write(
            `HTTP/1.1 ${body ? 200 : 404} X\r\nContent-Length: ${text.length}\r\nConnection: close\r\n\r\n${isFile ? text.slice(0, 20) : text}`,
          );
          socket.end();
        },
      },
    });
    await configure(`http://127.0.0.1:${broken.port}`);
    await expectUnchanged(await run(), "could not be fetched: it broke off on the way.");
    broken.stop(true);
  });
});

test("in use: what runs goes on, and no call meets a memoir that is not whole", async () => {
  const old = `#!/bin/sh\nif [ "$1" = serve ]; then echo > "$HOME/serving"; sleep 2; echo "still 1.0.0"; exit; fi\n${scriptOf("1.0.0")}`;
  await writeFile(join(bin, "memoir"), old, { mode: 0o755 });
  const serving = Bun.spawn([join(bin, "memoir"), "serve"], {
    env: { ...process.env, HOME: home },
    stdout: "pipe",
  });
  await until(() => existsSync(join(home, "serving")));
  await server.publish("2.0.0", { packed: true, data: `${scriptOf("2.0.0")}exit\n${padding}` });
  const upgrading = run();
  const met = new Set<string>();
  while (Bun.peek.status(upgrading) === "pending") met.add(await installed());
  expect((await upgrading).code).toBe(0);
  met.add(await installed());
  expect([...met].sort()).toEqual(["1.0.0", "2.0.0"]);
  expect(await new Response(serving.stdout).text()).toBe("still 1.0.0\n");
  expect((await stat(join(bin, "memoir"))).mode & 0o777).toBe(0o755);
});
