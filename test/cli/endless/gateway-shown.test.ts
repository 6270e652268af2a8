// `memoir endless gateway on | off` as typed: what is written where, in which order, what is said, and what a failure takes back.
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { mkdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { checkProxy } from "../../../src/cli/endless/gateway.ts";
import type { Terminal } from "../../../src/cli/terminal/terminal.ts";
import { version } from "../../../src/home/version.ts";
import type { CannedAnswers } from "../../support/canned-server.ts";
import { type ConnectProxy, connectProxy } from "../../support/connect-proxy.ts";
import { ownHome } from "../../support/own-home.ts";
import { quietStatus } from "../../support/quiet-status.ts";
import { typed } from "../../support/typed.ts";

let place: Awaited<ReturnType<typeof ownHome>>;
let settings: string;
const port = 4_321;
const url = `http://127.0.0.1:${port}`;
const mine = '{\n  "model": "x"\n}\n';
const entry = { scope: "user", settings: "/elsewhere", before: { state: "changed" }, written: "" };
beforeEach(async () => {
  place = await ownHome();
  settings = join(place.root, "claude", "settings.json");
  await mkdir(join(place.root, "claude"));
  await mkdir(place.home);
  await writeFile(settings, mine);
  await writeFile(join(place.home, "install.json"), JSON.stringify({ settings: [entry] }));
  await writeConfig({ port });
});
afterEach(() => place.end());

const writeConfig = (gateway: object, endless: object = {}) =>
  writeFile(join(place.home, "config.json"), JSON.stringify({ endless: { ...endless, gateway } }));
const config = async () =>
  JSON.parse(await readFile(join(place.home, "config.json"), "utf8")).endless;
const written = async () => JSON.parse(await readFile(settings, "utf8"));

/** A server of this version whose gateway is in this state. */
const served = (gateway: object | undefined = { listening: true }): CannedAnswers => ({
  "/api/status": { ...quietStatus, version, ...(gateway && { gateway }) },
  "/api/reload": {},
});
const run = (words: string, answers: CannedAnswers = served(), env: Record<string, string> = {}) =>
  typed(["endless", "gateway", ...words.split(" ")], answers, {
    env: {
      ...{ HOME: place.root, MEMOIR_HOME: place.home },
      ...{ CLAUDE_CONFIG_DIR: join(place.root, "claude"), ...env },
    },
    cwd: place.root,
  });

test("on: switched on and listening before the client is led there; everything is said", async () => {
  const { code, out, err, asked } = await run("on");
  expect([code, err]).toEqual([0, []]);
  expect(out).toEqual([
    "Through an address that is not the API's own, Claude Code leaves out the cache scope that all users share and three beta features (clearing notes in mid-conversation, controls of thinking, diagnosis of the cache). A session's first request then writes its tools and the beginning of its system prompt again, about 8,000 tokens; `memoir endless gateway status` sets that against what is saved.",
    `The gateway is on: ${url}, on to https://api.anthropic.com.`,
    `  ${settings}: ANTHROPIC_BASE_URL set; sessions go through it once they start.`,
    "  Requests to Bedrock, Vertex and Foundry do not pass through it.",
    "  It changes nothing yet: `memoir endless on gateway` in a project.",
    "  Whoever holds this port on this machine sees the requests to your model, and the key in them.",
    "  Off again: `memoir endless gateway off`.",
  ]);
  expect(asked.map(({ method, path }) => `${method} ${path}`)).toEqual([
    ...["GET /api/status", "POST /api/reload", "GET /api/status"],
  ]);
  expect((await config()).gateway).toEqual({ port, enabled: true });
  expect(await written()).toEqual({ model: "x", env: { ANTHROPIC_BASE_URL: url } });
});

test.each([
  ["everywhere", { everywhere: ["live", "gateway"] }],
  ["in a project", { projects: { a: ["live"], b: ["gateway"] } }],
  ["in a session", { sessions: { s: ["gateway"] } }],
])("on says nothing of switching the strategy on where it is %s", async (_, endless) => {
  await writeConfig({ port }, endless);
  expect((await run("on")).out.join()).not.toContain("It changes nothing yet");
});

test("an address of the user's is where requests go on to, shown without its password, and given back", async () => {
  const own = mine.replace('"x"', '"x", "env": {"ANTHROPIC_BASE_URL": "https://me:pw@api.mine/"}');
  await writeFile(settings, own);
  const on = await run("on");
  expect(on.out[0]).toStartWith(`The gateway is on: ${url}, on to https://`);
  expect(on.out[0]).not.toContain("pw@");
  expect((await config()).gateway.upstream).toBe("https://me:pw@api.mine");
  // A second time it is led here already, and nothing of before is lost.
  expect((await run("on")).code).toBe(0);
  const off = await run("off");
  expect(off.out).toEqual([
    "The gateway is off.",
    `  ${settings}: given back byte for byte.`,
    "  Open sessions keep using it, with unchanged requests, until they end.",
  ]);
  expect(await readFile(settings, "utf8")).toBe(own);
  expect((await config()).gateway).toEqual({ port });
});

test("an address in the environment counts where settings have none", async () => {
  const env = { ANTHROPIC_BASE_URL: "http://corp.test//" };
  const { out, code } = await run("on --json", served(), env);
  expect(code).toBe(0);
  expect(JSON.parse(out.join(""))).toEqual({
    ...{ on: true, url, upstream: "http://corp.test//", settings, isLedAway: false, otherApi: [] },
  });
  expect((await config()).gateway.upstream).toBe("http://corp.test");
});

test("an upstream of the user's own in config stays when it is switched off", async () => {
  await writeConfig({ port, upstream: "https://kept.test" });
  expect((await run("on")).out[0]).toContain("on to https://kept.test.");
  await run("off");
  expect((await config()).gateway).toEqual({ port, upstream: "https://kept.test" });
});

test("where it does not listen the reason is said, and all is as it was", async () => {
  const error = `port ${port} of the gateway cannot be used: it is taken`;
  for (const [gateway, why] of [
    [{ listening: false, error }, error],
    [{ listening: false }, `nothing listens on port ${port}`],
    [undefined, `nothing listens on port ${port}`],
  ] as const) {
    const { code, err, asked } = await run("on", {
      ...served(),
      "/api/status": { ...quietStatus, version, gateway },
    });
    expect([code, err[0]]).toEqual([1, `error: ${why}`]);
    expect(await config()).toEqual({ gateway: { port } });
    expect(await readFile(settings, "utf8")).toBe(mine);
    expect(asked.at(-1)?.path).toBe("/api/reload");
  }
});

test("a failure takes an upstream back that came from the client's settings, and leaves one of the user's own", async () => {
  const own = '{"env":{"ANTHROPIC_BASE_URL":"https://api.mine"}}';
  await writeFile(settings, own);
  expect((await run("on", served({ listening: false }))).code).toBe(1);
  expect([await config(), await readFile(settings, "utf8")]).toEqual([{ gateway: { port } }, own]);
  await writeFile(settings, mine);
  await writeConfig({ port, upstream: "https://kept.test" });
  await run("on", served({ listening: false }));
  expect((await config()).gateway).toEqual({ port, upstream: "https://kept.test" });
});

test("a second on that fails leaves what the first one did", async () => {
  await run("on");
  const failed = await run("on", served({ listening: false }));
  expect(failed.code).toBe(1);
  expect((await config()).gateway.enabled).toBe(true);
  expect((await written()).env.ANTHROPIC_BASE_URL).toBe(url);
});

test("refused before anything is written: no install, no address, an address that is itself", async () => {
  const refused = async (env: Record<string, string> = {}) => {
    const { code, err, asked } = await run("on", served(), env);
    expect([code, asked, await readFile(settings, "utf8")]).toEqual([1, [], mine]);
    return err[0];
  };
  expect(await refused({ ANTHROPIC_BASE_URL: "ftp://x.test" })).toBe(
    'error: "ftp://x.test" is no address of an API.',
  );
  expect(await refused({ ANTHROPIC_BASE_URL: "api.test" })).toBe(
    'error: "api.test" is no address of an API.',
  );
  await writeConfig({ port, upstream: `http://localhost:${port}` });
  expect(await refused()).toBe("error: The upstream is the gateway itself.");
  await writeConfig({ port });
  await writeFile(join(place.home, "install.json"), "{}");
  expect(await refused()).toBe(
    "error: memoir is not installed: no hook would start the gateway when it is needed.",
  );
  expect(await config()).toEqual({ gateway: { port } });
});

test("a project's own address goes past it, which is said; the narrowest counts", async () => {
  await mkdir(join(place.root, ".claude"));
  const said = async (name: string, text: string) => {
    await writeFile(join(place.root, ".claude", name), text);
    return (await run("on")).out.filter((line) => line.includes("past the gateway"));
  };
  const past = (name: string, address: string) => [
    `  ${join(place.root, ".claude", name)} sets ${address}: sessions in this folder go past the gateway.`,
  ];
  const env = (address: string) => JSON.stringify({ env: { ANTHROPIC_BASE_URL: address } });
  expect(await said("settings.json", "nonsense")).toEqual([]);
  expect(await said("settings.json", env(`http://localhost:${port}`))).toEqual([]);
  const one = past("settings.json", "https://past.test");
  expect(await said("settings.json", env("https://past.test"))).toEqual(one);
  const api = JSON.stringify({ env: { CLAUDE_CODE_USE_BEDROCK: "1" } });
  expect(await said("settings.local.json", api)).toEqual(
    past("settings.local.json", "CLAUDE_CODE_USE_BEDROCK"),
  );
  const two = past("settings.local.json", "https://past.two");
  expect(await said("settings.local.json", env("https://past.two"))).toEqual(two);
});

test("a project's own NO_PROXY that leaves this machine out is said", async () => {
  await mkdir(join(place.root, ".claude"));
  const path = join(place.root, ".claude", "settings.local.json");
  await writeFile(path, '{"env":{"NO_PROXY":"corp.test","no_proxy":"corp.test"}}');
  const proxy = { http_proxy: "http://corp.test:1", no_proxy: "api.anthropic.com" };
  expect((await run("on", served(), proxy)).out).toContain(
    `  ${path} sets NO_PROXY: sessions in this folder do not find the gateway.`,
  );
});

describe("behind a proxy", () => {
  const hosts: Record<string, number> = {};
  let proxy: ConnectProxy;
  let api: ReturnType<typeof Bun.serve>;
  const upstream = "http://api.example";
  beforeEach(async () => {
    api = Bun.serve({ hostname: "127.0.0.1", port: 0, fetch: () => Response.json({}) });
    hosts["api.example:80"] = api.port ?? 0;
    proxy = await connectProxy({ hosts, credentials: "me:hidden" });
    await writeConfig({ port, upstream });
  });
  afterEach(async () => {
    await proxy.stop();
    await api.stop(true);
  });
  const mine = () => proxy.url.replace("//", "//me:hidden@");
  const kept = () => join(place.home, "gateway-proxy.json");

  test("it is kept for its owner's eyes, this machine is left out of it, and all of it comes back", async () => {
    const env = { ALL_PROXY: mine(), NO_PROXY: "corp.test" };
    const before = await readFile(settings, "utf8");
    const { out, code } = await run("on", served(), env);
    expect([code, out[2]]).toEqual([0, `  Requests pass through the proxy ${proxy.url.slice(7)}.`]);
    expect(out[1]).toContain("ANTHROPIC_BASE_URL, NO_PROXY, no_proxy set");
    expect(out.join()).not.toContain("hidden");
    const list = "corp.test,127.0.0.1,localhost,::1";
    const led = { ANTHROPIC_BASE_URL: url, NO_PROXY: list, no_proxy: list };
    expect((await written()).env).toEqual(led);
    expect((await stat(kept())).mode & 0o777).toBe(0o600);
    // Once more changes nothing; without the proxy this machine needs no mention any more.
    const once = await readFile(settings, "utf8");
    await run("on", served(), env);
    expect(await readFile(settings, "utf8")).toBe(once);
    await run("on");
    expect((await written()).env).toEqual({ ANTHROPIC_BASE_URL: url });
    expect(existsSync(kept())).toBe(false);
    await run("on", served(), env);
    await run("off");
    expect(await readFile(settings, "utf8")).toBe(before);
  });

  test("refused with the reason where requests could not go on through it, and nothing is changed", async () => {
    const refused = async (env: Record<string, string>) => {
      const { code, err, out } = await run("on", served(), env);
      expect([code, await readFile(settings, "utf8"), existsSync(kept())]).toEqual([
        1,
        unchanged,
        false,
      ]);
      expect([...err, ...out].join()).not.toContain("hidden");
      return err[0];
    };
    const unchanged = await readFile(settings, "utf8");
    const at = proxy.url.slice(7);
    expect(await refused({ http_proxy: `socks5://me:hidden@${at}` })).toBe(
      `error: The proxy ${at} is neither http nor https, and the gateway cannot go through it.`,
    );
    expect(await refused({ http_proxy: proxy.url.replace("//", "//you:hidden@") })).toBe(
      `error: The proxy ${at} asks for another name and password.`,
    );
    expect(await refused({ http_proxy: "127.0.0.1:1" })).toStartWith(
      "error: The proxy 127.0.0.1:1 does not lead to api.example: ",
    );
    delete hosts["api.example:80"];
    expect(await refused({ http_proxy: mine() })).toBe(
      `error: The proxy ${at} does not lead to api.example: it answers 502`,
    );
    expect(await refused({ CLAUDE_CODE_CLIENT_CERT: "/c.pem" })).toBe(
      "error: CLAUDE_CODE_CLIENT_CERT is set, and the gateway cannot present a client certificate.",
    );
  });

  test.each([
    ["*"],
    ["api.example"],
    ["other.test .example"],
    ["*.example"],
    ["api.example:80"],
    ["[::1]:5,API.EXAMPLE"],
  ])("a host that NO_PROXY names is asked directly: %p", async (list) => {
    const { out, code } = await run("on --json", served(), { http_proxy: mine(), NO_PROXY: list });
    expect([code, JSON.parse(out.join("")).proxy, proxy.asked]).toEqual([0, undefined, []]);
  });

  test.each([["example.test"], ["api.example:81"], ["pi.example"], [""]])(
    "another one is not: %p",
    async (list) => {
      const { out } = await run("on --json", served(), { http_proxy: mine(), NO_PROXY: list });
      expect(JSON.parse(out.join("")).proxy).toBe(proxy.url.slice(7));
    },
  );
});

test.each([
  "CLAUDE_CODE_USE_BEDROCK",
  "CLAUDE_CODE_USE_VERTEX",
  "CLAUDE_CODE_USE_FOUNDRY",
  "CLAUDE_CODE_USE_ANTHROPIC_AWS",
  "CLAUDE_CODE_USE_ANTHROPIC_GOOGLE_CLOUD",
  "CLAUDE_CODE_USE_MANTLE",
])(
  "%s in the client's settings: its sessions do not pass, which is said, by doctor too",
  async (name) => {
    await writeFile(settings, JSON.stringify({ env: { [name]: "1" } }));
    expect((await run("on")).out).toContain(
      `  ${name} is set: sessions that see it do not pass through the gateway.`,
    );
    expect(JSON.parse((await run("on --json")).out.join("")).otherApi).toEqual([name]);
    const env = { HOME: place.root, MEMOIR_HOME: place.home };
    const seen = {
      env: { ...env, CLAUDE_CONFIG_DIR: join(place.root, "claude") },
      cwd: place.root,
    };
    const found = () => checkProxy(seen as unknown as Terminal);
    expect(JSON.stringify(await found())).toContain(
      `${name} is set: Claude Code's requests do not`,
    );
    await writeFile(settings, JSON.stringify({ env: { [name]: "0" } }));
    expect(JSON.parse((await run("on --json")).out.join("")).otherApi).toEqual([]);
    expect(await found()).toBeUndefined();
  },
);

test("off where it never was on says so and changes nothing; as JSON it names what was given back", async () => {
  const { code, out } = await run("off");
  expect([code, out]).toEqual([0, ["The gateway is off."]]);
  expect((await run("off --json")).out).toEqual(['{"on":false,"settings":null,"how":null}']);
  await run("on");
  expect((await run("off --json")).out).toEqual([
    JSON.stringify({ on: false, settings, how: "restored" }),
  ]);
});

test.each([
  ["{}", "left alone: it names another address by now"],
  [undefined, "is no longer there"],
])("off says what became of settings that were changed meanwhile: %p", async (text, how) => {
  await run("on");
  await (text === undefined ? rm(settings) : writeFile(settings, text));
  expect((await run("off")).out[1]).toBe(`  ${settings}: ${how}.`);
});

test("off leads the client back although config is not valid JSON", async () => {
  await run("on");
  await writeFile(join(place.home, "config.json"), "{");
  const { code, out } = await run("off");
  expect([code, out[1]]).toEqual([0, `  ${settings}: given back byte for byte.`]);
  expect(await readFile(settings, "utf8")).toBe(mine);
});
