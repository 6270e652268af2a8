// `memoir provider`, without a server.
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { main } from "../../../src/cli/program.ts";
import type { Terminal } from "../../../src/cli/terminal/terminal.ts";
import { plainTerminal } from "../../support/plain-terminal.ts";

const key = "sk-ant-api03-Zm9vYmFyYmF6cXV4c2VjcmV0a2V5MTIzNDU2Nzg5MA";
let home: string;
beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), "memoir-provider-cli-"));
  // The commands under test find their server, which there is none of, by this.
  process.env.MEMOIR_HOME = home;
});
afterEach(async () => {
  delete process.env.MEMOIR_HOME;
  await rm(home, { recursive: true });
});

const at = (more: Partial<Terminal> = {}) =>
  plainTerminal({ env: { HOME: home, MEMOIR_HOME: home }, cwd: home, ...more });

async function run(args: string[], terminal = at()) {
  const code = await main(["memoir", "memoir", ...args], terminal);
  return { code, out: terminal.out.join("\n"), err: terminal.err.join("\n") };
}

describe("provider key", () => {
  test("is stored unseen and shown nowhere", async () => {
    const typed = at({ secret: async () => `${key}\n` });
    const { code, out, err } = await run(["provider", "key", "anthropic"], typed);
    expect([code, err]).toEqual([0, ""]);
    expect(JSON.parse(await readFile(join(home, "keys.json"), "utf8"))).toEqual({ anthropic: key });
    const shown = [out, (await run(["provider", "list"])).out, (await run(["config", "show"])).out];
    expect(shown.join("\n")).not.toContain(key);
    expect((await run(["provider", "key", "anthropic", "--remove"])).code).toBe(0);
    expect(await readFile(join(home, "keys.json"), "utf8")).not.toContain(key);
    expect((await run(["provider", "key", "anthropic", "--remove"])).out).toBe(
      "No key of anthropic was stored.",
    );
  });

  test("options of plugins that are not in force have a value, and say what is wrong in words", async () => {
    expect((await run(["config", "get", "plugins.hybrid.maxTokens"])).out).toMatch(/^\d+$/);
    const base = ["config", "set", "plugins.semantic-search.baseURL"];
    expect((await run([...base, "nope"])).err).toContain('must be an address, but is "nope"');
    const ftp = await run([...base, "ftp://x"]);
    expect(ftp.err).toContain("must be an address that begins with http:// or https://");
    expect(ftp.err).not.toContain("^https");
  });
});

describe("provider list", () => {
  test("shows every provider, in the order in which they are asked", async () => {
    const config = {
      slots: { provider: ["claude-cli", "anthropic"] },
      plugins: { anthropic: { model: "claude-sonnet-5-5", keyEnv: "MY_KEY" } },
    };
    await writeFile(join(home, "config.json"), JSON.stringify(config));
    const terminal = at({ env: { HOME: home, MEMOIR_HOME: home, MY_KEY: key } });
    const { out, code } = await run(["provider", "list", "--json"], terminal);
    expect(code).toBe(0);
    const { providers } = JSON.parse(out);
    expect(providers).toMatchObject([
      { name: "claude-cli", place: 1, key: null },
      { name: "anthropic", place: 2, model: "claude-sonnet-5-5", key: "environment" },
      { name: "openai-compatible", place: null },
      { name: "none", place: null },
    ]);
    expect(out).not.toContain(key);
  });

  test.each([["--json"], []])("prints no password of an address %p", async (...more) => {
    const model = "https://ada:rosebud77@models.example/v1";
    const config = { slots: { provider: "anthropic" }, plugins: { anthropic: { model } } };
    await writeFile(join(home, "config.json"), JSON.stringify(config));
    const { out } = await run(["provider", "list", ...more]);
    expect(out).toContain("https://ada:[redacted:password]@models.example/v1");
    expect(out).not.toContain("rosebud77");
  });

  test("is what `provider` alone means", async () => {
    expect((await run(["provider"])).out).toContain("No model is used.");
  });
});
