// What a plugin's package.json says that it reaches, and what its worker is refused: through a real server, each way that plain code has.
import { afterAll, expect, test } from "bun:test";
import { mkdir, symlink } from "node:fs/promises";
import { join, resolve } from "node:path";
import { isHostIn } from "../../../src/host/hold-to.ts";
import { withPluginServer } from "../../support/plugin-server.ts";

const target = Bun.serve({
  port: 0,
  hostname: "127.0.0.1",
  fetch(request) {
    const to = new URL(request.url).searchParams.get("to");
    return to ? Response.redirect(to, 302) : new Response("reached");
  },
});
const port = target.port;
afterAll(() => target.stop(true));

/** Attempts by name: code that answers, given `at` with a host's address and a file's path. */
const ways = {
  fetch: `(await fetch(at.url)).text()`,
  request: `(await fetch(new Request(at.url))).text()`,
  websocket: `new Promise((done) => { const one = new WebSocket(at.url.replace("http", "ws")); one.onerror = () => done("reached"); one.onopen = () => done("reached"); })`,
  http: `new Promise((done, fail) => http.get(at.url, (answer) => answer.on("data", (all) => done(String(all)))).on("error", fail))`,
  request_named: `new Promise((done, fail) => request({ host: at.host, port: at.port }, (answer) => answer.on("data", (all) => done(String(all)))).on("error", fail).end())`,
  net: `new Promise((done, fail) => connect(at.port, at.host).on("connect", () => done("reached")).on("error", fail))`,
  socket: `new Promise((done, fail) => new net.Socket().connect({ port: at.port, host: at.host }).on("connect", () => done("reached")).on("error", fail))`,
  tls: `new Promise((done, fail) => { tls.connect(at.port, at.host).on("error", (error) => (/net access/.test(error.message) ? fail(error) : done("reached"))); })`,
};
const bunWays = {
  bun_connect: `Bun.connect({ hostname: at.host, port: at.port, socket: { data() {}, open() {} } }).then(() => "reached")`,
};
const fileWays = {
  read: `fs.readFileSync(at.file, "utf8")`,
  read_named: `readFileSync(at.file, "utf8")`,
  read_promise: `readFile(at.file, "utf8")`,
  read_namespace: `all.promises.readFile(at.file, "utf8")`,
  required: `createRequire(import.meta.url)("fs").readFileSync(at.file, "utf8")`,
  open: `readFile2(at.file)`,
  copied: `(fs.copyFileSync(at.file, at.copy), "reached")`,
};
const bunFileWays = {
  // Deno asks where the link is, not where it leads.
  link: `fs.readFileSync(at.link, "utf8")`,
  bun_file: `Bun.file(at.file).text()`,
  bun_named: `file(at.file).text()`,
  database: `(new Database(at.file + ".db"), "reached")`,
};
const closedWays = {
  spawn: `new Promise((done, fail) => spawn("true").on("error", fail).on("exit", () => done("reached")))`,
};
const bunClosedWays = {
  exec: `execSync("true") && "reached"`,
  bun_spawn: `Bun.spawnSync(["true"]) && "reached"`,
  bun_shell: `Bun.$\`true\`.then(() => "reached")`,
  worker: `(new Worker("data:text/javascript,1"), "reached")`,
  udp: `Bun.udpSocket({}).then(() => "reached")`,
  redis: `Bun.redis.get("a")`,
};

function plugin(name: string, attempts: Record<string, string>, isBun: boolean): string {
  const bun = isBun ? `import { file } from "bun";\nimport { Database } from "bun:sqlite";\n` : "";
  const operations = Object.entries(attempts).map(
    ([way, code]) => `    ${JSON.stringify(way.replaceAll("_", "-"))}: of(async (at) => ${code}),`,
  );
  return `${bun}import fs, { readFileSync } from "node:fs";
import * as all from "fs";
import { open, readFile } from "node:fs/promises";
import http, { request } from "node:http";
import net, { connect } from "node:net";
import tls from "node:tls";
import { execSync, spawn } from "node:child_process";
import { createRequire } from "node:module";
import { definePlugin, operation } from "memoir/sdk";
const readFile2 = async (path) => (await open(path)).readFile("utf8");
const of = (run) => operation({ does: "Try", for: ["route"], changes: "adds", takes: { at: { says: "Where", required: true } }, run: async ({ at }) => String(await run(JSON.parse(at))) });
export default definePlugin({ name: ${JSON.stringify(name)}, description: "d", sdk: 1, hooks: {}, data: { migrations: ["CREATE TABLE seen (word TEXT)"] },
  redactions: { staff: { pattern: "STAFF-[0-9]{5}", keyword: "STAFF-", removes: ["STAFF-12345"] } },
  operations: {
${operations.join("\n")}
    sent: of(async (at) => (await fetch(at.url + "?to=" + at.to)).text()),
    own: operation({ does: "Count", for: ["route"], run: (input, ctx) => [ctx.data.all("SELECT * FROM seen").length, readFileSync(new URL("./words.txt", import.meta.url), "utf8")] }),
  },
});
`;
}

const closed = /^(worker|udp|redis)$/;

/** What is said of an attempt that is refused. */
function refused(way: string): RegExp {
  if (closed.test(way)) return /it may not use (a Worker|Bun\.\w+)/;
  if (way in closedWays || way in bunClosedWays)
    return /it may not run the program \S+: memoir\.programs in .*held\/package\.json has none; add "/;
  if (way in fileWays || way in bunFileWays)
    return /it may not touch the file \S+outside\/\S+: memoir\.files in .*has \S+held\/notes; add "/;
  return /it may not reach the host 127\.0\.0\.1\S*: memoir\.hosts in .*has localhost; add "127/;
}

const engines: Array<[string, boolean, string[] | undefined]> = [
  ["bun", true, undefined],
  [
    "deno",
    false,
    [resolve("node_modules/.bin/deno"), "run", "-A", "--no-prompt", resolve("src/cli/main.ts")],
  ],
];

test.each(engines)(
  "under %s a worker is held to what its plugin declares",
  async (_, isBun, program) => {
    const attempts = {
      ...ways,
      ...fileWays,
      ...closedWays,
      ...(isBun && { ...bunWays, ...bunFileWays, ...bunClosedWays }),
    };
    const folder = (name: string, memoir: object) => ({
      [`plugins/${name}/package.json`]: JSON.stringify({ name, type: "module", memoir }),
      [`plugins/${name}/index.ts`]: plugin(name, attempts, isBun),
      [`plugins/${name}/words.txt`]: "words",
    });
    const files = {
      ...folder("held", { hosts: ["localhost"], files: ["./notes"] }),
      ...folder("named", { hosts: [`127.0.0.1:${port}`], files: ["../../outside"] }),
      "outside/note.txt": "reached",
    };
    const run = async (server: Parameters<Parameters<typeof withPluginServer>[1]>[0]) => {
      await mkdir(join(server.home, "plugins/held/notes"), { recursive: true });
      for (const name of ["held", "named"])
        await symlink(
          join(server.home, "outside"),
          join(server.home, `plugins/${name}/notes/out`),
        ).catch(() => undefined);
      await server.command("plugin", "list");
      await server.start();
      const outside = join(server.home, "outside/note.txt");
      const at = JSON.stringify({
        ...{ url: `http://127.0.0.1:${port}/`, host: "127.0.0.1", port },
        ...{ file: outside, link: join(server.home, "plugins/held/notes/out/note.txt") },
        copy: join(server.home, "outside/copy.txt"),
      });
      const ask = async (path: string, body?: object) => {
        const answer = await fetch(`http://localhost/plugins/${path}`, {
          unix: join(server.home, "memoir.sock"),
          ...(body && { method: "POST", body: JSON.stringify(body) }),
        });
        return [answer.status, await answer.text()] as const;
      };
      expect(await ask("held/own")).toEqual([200, '[0,"words"]']);
      for (const way of Object.keys(attempts)) {
        const path = way.replaceAll("_", "-");
        const [status, text] = await ask(`held/${path}`, { at });
        const { message } = JSON.parse(text).error ?? {};
        // Named: the plugin, what it called, what it declares, and the line.
        expect([way, status, message]).toEqual([way, 500, expect.stringMatching(refused(way))]);
        expect(message).toMatch(/^plugin held failed in operations\.[\w-]+: .*held\/index\.ts:\d+/);
      }
      for (const way of Object.keys({
        ...ways,
        ...fileWays,
        ...(isBun && { ...bunWays, link: 1 }),
      }))
        expect([way, ...(await ask(`named/${way.replaceAll("_", "-")}`, { at }))]).toEqual([
          way,
          200,
          '"reached"',
        ]);
      // Where a declared host sends on to is looked at as well.
      const to = (url: string) =>
        ask("named/sent", { at: JSON.stringify({ ...JSON.parse(at), to: url }) });
      expect(await to(`http://127.0.0.1:${port}/there`)).toEqual([200, '"reached"']);
      expect((await to(`http://localhost:${port}/`))[0]).toBe(500);
      expect(await server.log()).toContain("it may not reach the host 127.0.0.1");
    };
    await withPluginServer(files, run, program);
  },
  180_000,
);

test.each<[string[], string, string, boolean]>([
  [["acme.dev"], "acme.dev", "443", true],
  [["Acme.dev"], "acme.dev", "80", true],
  [["acme.dev"], "evil-acme.dev", "443", false],
  [["acme.dev"], "api.acme.dev", "443", false],
  [["*.acme.dev"], "api.acme.dev", "443", true],
  [["*.acme.dev"], "acme.dev", "443", false],
  [["*.acme.dev"], "evilacme.dev", "443", false],
  [["acme.dev:8443"], "acme.dev", "443", false],
  [["acme.dev:8443"], "acme.dev", "8443", true],
  [["*"], "any", "1", true],
  [["*:443"], "any", "1", false],
  [[], "localhost", "80", false],
  [["unix:/run/a.sock"], "unix:/run/a.sock", "undefined", true],
  [["unix:/run/a.sock"], "unix:/run/b.sock", "undefined", false],
])("%j reaches %s:%s: %p", (hosts, host, port, is) => {
  expect(isHostIn(hosts, host, port)).toBe(is);
});
