// `memoir endless gateway on | off` as typed: what is written where, in which order, what is said, and what a failure takes back.
import { afterEach, beforeEach, expect, test } from "bun:test";
import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { ownAddressNote } from "../../../src/cli/endless/own-address.ts";
import { version } from "../../../src/home/version.ts";
import type { CannedAnswers } from "../../support/canned-server.ts";
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
    ownAddressNote,
    `The gateway is on: ${url}, on to https://api.anthropic.com.`,
    `  ${settings}: ANTHROPIC_BASE_URL set; sessions go through it once they start.`,
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
    "  Sessions that are open go on through it to where they went so far, unchanged, until they end.",
  ]);
  expect(await readFile(settings, "utf8")).toBe(own);
  expect((await config()).gateway).toEqual({ port });
});

test("an address in the environment counts where settings have none", async () => {
  const env = { ANTHROPIC_BASE_URL: "http://corp.test//" };
  const { out, code } = await run("on --json", served(), env);
  expect(code).toBe(0);
  expect(JSON.parse(out.join(""))).toEqual({
    ...{ on: true, url, upstream: "http://corp.test//", settings, isLedAway: false },
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

test("a project's own address goes past it, which is said", async () => {
  await mkdir(join(place.root, ".claude"));
  const path = join(place.root, ".claude", "settings.json");
  await writeFile(path, '{"env":{"ANTHROPIC_BASE_URL":"https://past.test"}}');
  expect((await run("on")).out).toContain(
    `  ${path} sets https://past.test: sessions in this folder go past the gateway.`,
  );
});

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
  [undefined, "is not there any more"],
])("off says what became of settings that were changed meanwhile: %p", async (text, how) => {
  await run("on");
  await (text === undefined ? rm(settings) : writeFile(settings, text));
  expect((await run("off")).out[1]).toBe(`  ${settings}: ${how}.`);
});

test("off leads the client back although config is no JSON", async () => {
  await run("on");
  await writeFile(join(place.home, "config.json"), "{");
  const { code, out } = await run("off");
  expect([code, out[1]]).toEqual([0, `  ${settings}: given back byte for byte.`]);
  expect(await readFile(settings, "utf8")).toBe(mine);
});
