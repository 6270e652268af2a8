// The gateway where the network is behind an HTTP proxy, before, on and off; and an API that does not take what was shortened.
import assert from "node:assert/strict";
import { readFile, writeFile } from "node:fs/promises";
import net from "node:net";
import { join } from "node:path";
import tls from "node:tls";
import { type ConnectProxy, connectProxy } from "../../support/connect-proxy.ts";
import { freePort } from "../../support/free-port.ts";
import { ownCertificate } from "../../support/own-certificate.ts";
import { assertUnharmed } from "../expect.ts";
import type { Memoir } from "../memoir.ts";
import type { Scenario } from "../scenario.ts";
import { failing, think, turn, use } from "../script.ts";
import type { World } from "../world.ts";

const host = "model.example";
const password = "pr0xy-p4ss";

interface Behind {
  proxy: ConnectProxy;
  /** Its address, with name and password. */
  url: string;
  /** Has the API answer for the made-up host, over TLS. */
  serve(api: string): Promise<void>;
  end(): Promise<void>;
}

/** A network where only a proxy knows the API, whose certificate the client trusts by a variable. */
async function behindProxy(world: World): Promise<Behind> {
  const { key, cert } = ownCertificate(host);
  const path = join(world.home, "corp.pem");
  await writeFile(path, cert);
  world.env.NODE_EXTRA_CA_CERTS = path;
  // Enough for a server that was killed to be back on a busy machine.
  world.env.CLAUDE_CODE_MAX_RETRIES = "5";
  const hosts: Record<string, number> = {};
  const proxy = await connectProxy({ hosts, credentials: `me:${password}` });
  let port = 0;
  const server = tls.createServer({ key, cert }, (socket) => {
    const api = net.connect(port, "127.0.0.1");
    socket.on("error", () => api.destroy()).pipe(api);
    api.on("error", () => socket.destroy()).pipe(socket);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  hosts[`${host}:443`] = (server.address() as net.AddressInfo).port;
  return {
    proxy,
    url: proxy.url.replace("//", `//me:${password}@`),
    async serve(api) {
      port = Number(new URL(api).port);
    },
    async end() {
      server.close();
      await proxy.stop();
    },
  };
}

const killServer = `kill -9 $(sed 's/.*"pid":\\([0-9]*\\).*/\\1/' ~/.memoir/server.json)`;

/** One session, in which the API is asked twice; whether all went well. */
async function asks(
  world: World,
  behind: Behind,
  said: string,
  before: () => Promise<unknown> = async () => undefined,
  command = "echo here",
): Promise<string[]> {
  const shop = await world.project("shop", { "README.md": "# Shop\n" });
  const session = await shop.session({
    prompts: ["Say it"],
    async prepare(api) {
      await behind.serve(api);
      await before();
    },
    script: { main: [turn(use("Bash", { command })), turn(said)] },
  });
  assert.equal(session.exitCode, 0, session.stderr + session.results.join());
  assert.equal(session.main.length, 2);
  return session.results;
}

async function passed(memoir: Memoir): Promise<number> {
  const status = await memoir.json<{ requests: number }>("endless", "gateway", "status");
  return status.requests;
}

const ways: Array<
  [name: string, env: (url: string) => object, settings: (url: string) => object, kept: string]
> = [
  [
    "in the environment, no NO_PROXY",
    (url) => ({ HTTP_PROXY: url, HTTPS_PROXY: url }),
    () => ({}),
    "127.0.0.1,localhost,::1",
  ],
  [
    "in the environment in small letters, no_proxy set",
    (url) => ({ http_proxy: url, https_proxy: url, no_proxy: "corp.example" }),
    () => ({}),
    "corp.example,127.0.0.1,localhost,::1",
  ],
  [
    "in the client's settings, NO_PROXY set",
    () => ({}),
    (url) => ({ HTTP_PROXY: url, HTTPS_PROXY: url, NO_PROXY: "corp.example" }),
    "corp.example,127.0.0.1,localhost,::1",
  ],
];

const proxyScenarios = ways.map(
  ([name, env, settings, kept]): Scenario => ({
    name: `endless gateway proxy: ${name}; before, on, off`,
    async run(world) {
      const behind = await behindProxy(world);
      try {
        Object.assign(world.env, env(behind.url));
        const memoir = await world.install({
          config: {
            endless: { everywhere: ["gateway"], gateway: { port: await freePort() } },
          },
        });
        const path = join(world.claude, "settings.json");
        const own = JSON.parse(await readFile(path, "utf8")) as { env?: object };
        const address = { ANTHROPIC_BASE_URL: `https://${host}` };
        own.env = { ...own.env, ...address, ...settings(behind.url) };
        const before = JSON.stringify(own, null, 2);
        await writeFile(path, before);
        const tunnels = () => behind.proxy.asked.filter((line) => line === `CONNECT ${host}:443`);

        assert.deepEqual(await asks(world, behind, "Before."), ["Before."]);
        const first = tunnels().length;
        assert.ok(first > 0, "the client did not ask the proxy");

        let said = "";
        const switchOn = async () => {
          const on = await memoir.run("endless", "gateway", "on");
          assert.equal(on.code, 0, on.stderr);
          said = on.stdout;
        };
        // A server that a hook starts knows the proxy too.
        const through = await asks(world, behind, "Through it.", switchOn, killServer);
        assert.deepEqual(through, ["Through it."]);
        assert.ok(!said.includes(password), said);
        assert.match(said, /Bedrock/);
        const led = JSON.parse(await readFile(path, "utf8"));
        assert.deepEqual([led.env.NO_PROXY, led.env.no_proxy], [kept, kept]);
        assert.ok((await passed(memoir)) >= 1, "no request went through the gateway");
        assert.ok(tunnels().length > first, "the gateway did not ask the proxy");

        const texts = await Promise.all(
          [["doctor"], ["endless", "gateway", "status", "--json"], ["config"]].map(
            async (words) => (await memoir.run(...words)).stdout,
          ),
        );
        for (const text of texts) assert.ok(!text.includes(password), text);
        for (const [file, text] of await memoir.files())
          assert.ok(file.endsWith("gateway-proxy.json") || !text.includes(password), file);

        await memoir.json("endless", "gateway", "off");
        assert.equal(await readFile(path, "utf8"), before);
        const last = await passed(memoir);
        assert.deepEqual(await asks(world, behind, "Past it."), ["Past it."]);
        assert.equal(await passed(memoir), last, "a request went through the gateway");
        const lost = behind.proxy.asked.filter((line) => line.includes("127.0.0.1"));
        assert.deepEqual(lost, [], "the proxy was asked for this machine");
      } finally {
        await behind.end();
      }
    },
  }),
);

const lines = (name: string) =>
  Array.from({ length: 120 }, (_, at) => `export const ${name}${at} = ${at};`).join("\n");

export const endlessGatewayProxyScenarios: Scenario[] = [
  ...proxyScenarios,
  {
    name: "endless gateway: a proxy that appears after it was switched on is what doctor tells of",
    async run(world) {
      const behind = await behindProxy(world);
      try {
        const memoir = await world.install({
          config: { endless: { gateway: { port: await freePort(), upstream: `https://${host}` } } },
        });
        await memoir.json("endless", "gateway", "on");
        Object.assign(world.env, { HTTP_PROXY: behind.url, HTTPS_PROXY: behind.url });
        const told = await memoir.run("doctor");
        assert.match(told.stdout, /proxy .*endless gateway on/s);
        assert.ok(!told.stdout.includes(password));
        const again = () => memoir.json("endless", "gateway", "on");
        assert.deepEqual(await asks(world, behind, "Through it.", again), ["Through it."]);
        assert.doesNotMatch((await memoir.run("doctor")).stdout, /✗ proxy/);
      } finally {
        await behind.end();
      }
    },
  },
  {
    name: "endless gateway: what the API does not take shortened it gets whole, with the client's thinking, for the whole session",
    async run(world) {
      const memoir = await world.install({
        config: { endless: { everywhere: ["gateway"], gateway: { port: await freePort() } } },
      });
      const shop = await world.project("shop", { "README.md": "# Shop\n" });
      const write = use("Write", { file_path: shop.path("a.ts"), content: lines("a") });
      const more = use("Write", { file_path: shop.path("b.ts"), content: lines("b") });
      // What it refused is written without delay, but by a process that others may keep from its turn.
      const logged = `grep -q "refused a shortened" ~/.memoir/logs/memoir.log`;
      const command = `timeout 20 sh -c 'until ${logged}; do sleep .1; done'; ${killServer}`;
      const kill = use("Bash", { command });
      const session = await shop.session({
        prompts: ["Think and write", "And once more"],
        async prepare(api) {
          await memoir.json("config", "set", "endless.gateway.upstream", api);
          await memoir.json("endless", "gateway", "on");
        },
        script: {
          main: [
            turn(think("A signed thought."), use("Bash", { command: "echo thought" })),
            turn(write),
            failing(400, "invalid_request_error"),
            turn("Done."),
            turn(kill),
            turn(more),
            turn("Once more."),
          ],
        },
      });
      assertUnharmed(session);
      assert.deepEqual(session.results, ["Done.", "Once more."]);
      const { main } = session;
      assert.equal(main.length, 7);
      const bodies = main.map(({ body }) => JSON.stringify(body.messages));
      assert.deepEqual(
        bodies.map((body) => body.includes('"_cleared":true')),
        [false, false, true, false, false, false, false],
      );
      const signed = bodies.map((body) => /{"type":"thinking"[^}]*}/.exec(body)?.[0]);
      assert.ok(signed[1]?.includes("A signed thought."));
      assert.deepEqual(new Set(signed.slice(1)).size, 1, "the client's thinking was changed");
      const log = await readFile(join(memoir.home, "logs", "memoir.log"), "utf8");
      assert.match(log, /refused a shortened request[^\n]*scripted invalid_request_error/);
    },
  },
];
