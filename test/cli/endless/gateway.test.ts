// `memoir endless gateway …` as a person runs it: a server of its own, a client's settings, a port.
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import net from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { connectProxy } from "../../support/connect-proxy.ts";
import { freePort } from "../../support/free-port.ts";
import { type RawUpstream, rawUpstream, whole } from "../../support/raw-upstream.ts";
import { runMemoir } from "../../support/run-memoir.ts";

let root: string;
let home: string;
let settings: string;
let env: Record<string, string>;
let port: number;
let upstream: RawUpstream;
const original = '{\n  "env": { "A": "b" } // mine\n}\n';

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), "memoir-gateway-cli-"));
  home = join(root, "home");
  settings = join(root, "claude", "settings.json");
  env = { HOME: root, MEMOIR_HOME: home, CLAUDE_CONFIG_DIR: join(root, "claude") };
  port = await freePort();
  await mkdir(join(root, "claude"));
  await mkdir(home);
  await writeFile(settings, original);
  // As an install leaves it; the program itself runs from source here.
  await writeFile(
    join(home, "install.json"),
    JSON.stringify({
      settings: [
        {
          ...{ scope: "user", settings: join(root, "elsewhere.json") },
          ...{ before: { state: "changed" }, written: "" },
        },
      ],
    }),
  );
  upstream = await rawUpstream(
    (socket) => void socket.end(whole("200 OK", { "content-type": "application/json" }, '{"a":1}')),
  );
  await leadsTo(upstream.url);
});
afterEach(async () => {
  if (existsSync(join(home, "server.json"))) await memoir("server", "stop");
  await endStandIn();
  await upstream.stop();
  await rm(root, { recursive: true, force: true });
});

/** It would pass requests on for hours. */
async function endStandIn(): Promise<void> {
  const file = join(home, "gateway-stand-in.json");
  if (!existsSync(file)) return;
  await writeFile(join(home, "gateway-stand-in.leave"), "");
  while (existsSync(file)) await Bun.sleep(20);
}

/** Config with this upstream, or with none of the user's; for when no server runs. */
const leadsTo = (upstream?: string) =>
  writeFile(
    join(home, "config.json"),
    JSON.stringify({ endless: { gateway: { port, ...(upstream && { upstream }) } } }),
  );
const memoir = (...args: string[]) => runMemoir(args, env, root);
const gateway = (...args: string[]) => memoir("endless", "gateway", ...args);
const config = async () => JSON.parse(await readFile(join(home, "config.json"), "utf8"));
const ask = (at = port, body = '{"messages":[]}') =>
  fetch(`http://127.0.0.1:${at}/v1/messages`, {
    method: "POST",
    headers: { "x-claude-code-session-id": "open" },
    body,
  });

describe("memoir endless gateway", () => {
  test("on, status, off: requests pass, and the settings come back byte for byte", async () => {
    const on = await gateway("on");
    expect([on.code, on.err]).toEqual([0, ""]);
    expect(on.out).toContain(`http://127.0.0.1:${port}, on to ${upstream.url}`);
    expect(on.out).toContain("Whoever holds this port");
    expect(await readFile(settings, "utf8")).toContain(
      `"ANTHROPIC_BASE_URL":"http://127.0.0.1:${port}"`,
    );
    expect(await (await ask()).text()).toBe('{"a":1}');

    const status = await gateway("status");
    expect(status.code).toBe(0);
    expect(status.out).toContain(`http://127.0.0.1:${port} → ${upstream.url}`);
    expect(status.out).toContain("1 request");
    expect(JSON.parse((await gateway("status", "--json")).out)).toMatchObject({
      running: true,
      listening: true,
      settings,
      requests: 1,
    });

    const off = await gateway("off");
    expect(off.out).toContain("given back byte for byte");
    expect(await readFile(settings, "utf8")).toBe(original);
    expect((await config()).endless.gateway.enabled).toBeUndefined();
    // A session that is still open goes on.
    expect((await ask()).status).toBe(200);
    expect((await gateway("off")).code).toBe(0);
  });

  test("a proxy's password stays no longer than somebody is led through", async () => {
    const kept = join(home, "gateway-proxy.json");
    const proxy = await connectProxy({ hosts: { "api.test:80": upstream.port } });
    const behind = { ...env, http_proxy: proxy.url.replace("//", "//me:hidden@") };
    await leadsTo("http://api.test");
    const on = () => runMemoir(["endless", "gateway", "on"], behind, root);
    expect(await on()).toMatchObject({ code: 0, err: "" });
    expect(await (await ask()).text()).toBe('{"a":1}');
    expect(proxy.asked.at(-1)).toBe("POST http://api.test/v1/messages");
    expect(await readFile(kept, "utf8")).toContain("hidden");
    await gateway("off");
    // The open session goes on, through the proxy.
    expect(await (await ask()).text()).toBe('{"a":1}');
    expect(existsSync(kept)).toBe(true);
    const ended = { session_id: "open", cwd: root, hook_event_name: "SessionEnd", reason: "other" };
    await runMemoir(["hook", "claude-code"], env, root, JSON.stringify(ended));
    while (JSON.parse((await gateway("status", "--json")).out).sessions > 0) await Bun.sleep(20);
    await memoir("stop");
    await memoir("start");
    while (existsSync(kept)) await Bun.sleep(20);
    expect((await readFile(join(home, "logs", "memoir.log"), "utf8")).includes("hidden")).toBe(
      false,
    );
    await proxy.stop();
  });

  test("an address of the user's becomes the upstream, and comes back", async () => {
    const own = original.replace('"A": "b"', `"ANTHROPIC_BASE_URL": "${upstream.url}/"`);
    await writeFile(settings, own);
    await leadsTo();
    expect((await gateway("on")).code).toBe(0);
    expect((await config()).endless.gateway.upstream).toBe(upstream.url);
    expect((await ask()).status).toBe(200);
    // Once more, which finds the gateway's own address there, does not forget whose it was.
    expect((await gateway("on")).code).toBe(0);
    await gateway("off");
    expect(await readFile(settings, "utf8")).toBe(own);
    expect(await config()).toEqual({ endless: { gateway: { port } } });
  });

  test("what the client leaves out behind another address is said first, and stands in the sum", async () => {
    await leadsTo();
    const on = await gateway("on");
    expect(on.out).toStartWith(
      "Through an address that is not the API's own, Claude Code leaves out",
    );
    expect((await gateway("status")).out).not.toContain("sum ");
    await memoir("config", "set", "endless.gateway.upstream", upstream.url);
    await memoir("endless", "on", "gateway", "--everywhere");
    const body = {
      model: "m",
      tools: [{ name: "x".repeat(400) }],
      messages: [{ role: "user", content: "a" }],
    };
    expect((await ask(port, JSON.stringify(body))).status).toBe(200);
    expect((await gateway("status")).out).not.toContain("sum ");
    await memoir("config", "unset", "endless.gateway.upstream");
    expect((await gateway("status")).out).toContain(
      "1 session began without the cache that all users share, which took at most",
    );
    await memoir("config", "set", "endless.gateway.upstream", upstream.url);
    await gateway("off");
    expect((await gateway("on")).out).toStartWith("The gateway is on");
    await memoir("server", "stop");
    expect((await gateway("status")).out).not.toContain("share");
  });

  test("a server that is killed is replaced by a hook's, which listens on the same port", async () => {
    expect(await gateway("on")).toMatchObject({ code: 0, err: "" });
    const { pid } = JSON.parse(await readFile(join(home, "server.json"), "utf8"));
    process.kill(pid, "SIGKILL");
    const payload = {
      session_id: "s",
      cwd: root,
      hook_event_name: "UserPromptSubmit",
      prompt: "p",
    };
    await runMemoir(["hook", "claude-code"], env, root, JSON.stringify(payload));
    let answer: Response | undefined;
    while (!answer) answer = await ask().catch(() => Bun.sleep(20).then(() => undefined));
    expect(answer.status).toBe(200);
  });

  test("a port that is taken is said, and the client is led nowhere", async () => {
    const other = net.createServer();
    await new Promise<void>((resolve) => other.listen(port, "127.0.0.1", resolve));
    const on = await gateway("on");
    other.close();
    expect(on.code).toBe(1);
    expect(on.err).toContain(`port ${port}`);
    expect(on.err).toContain("memoir config set endless.gateway.port");
    expect(await readFile(settings, "utf8")).toBe(original);
    expect((await config()).endless.gateway.enabled).toBeUndefined();
  });

  test("a port that is taken while it is on: status, doctor and the next prompt tell", async () => {
    await gateway("on");
    await memoir("server", "stop");
    const other = net.createServer();
    await new Promise<void>((resolve) => other.listen(port, "127.0.0.1", resolve));
    await memoir("server", "start");
    const status = await gateway("status");
    expect([status.code, status.out]).toEqual([
      1,
      expect.stringContaining("another program listens"),
    ]);
    expect((await memoir("doctor")).out).toContain("`memoir endless gateway off`");
    const payload = {
      session_id: "s",
      cwd: root,
      hook_event_name: "UserPromptSubmit",
      prompt: "p",
    };
    const hook = await runMemoir(["hook", "claude-code"], env, root, JSON.stringify(payload));
    expect(JSON.parse(hook.out).systemMessage).toContain("`memoir endless gateway off`");
    other.close();
  });

  test("not without an install, not onto itself, not onto what is no address", async () => {
    await writeFile(settings, '{"env":{"ANTHROPIC_BASE_URL":"ftp://x.test"}}');
    expect((await gateway("on")).err).toContain("is no address of an API");
    await writeFile(settings, original);
    await leadsTo(`http://localhost:${port}`);
    expect((await gateway("on")).err).toContain("the gateway itself");
    await rm(join(home, "install.json"));
    const on = await gateway("on");
    expect([on.code, on.err]).toEqual([1, expect.stringContaining("memoir install")]);
    expect(existsSync(join(home, "gateway.json"))).toBe(false);
  });

  describe("under a session that is open, with an address of the user's own", () => {
    const payload = (name: string, more: object = {}) =>
      JSON.stringify({ session_id: "open-one", cwd: root, hook_event_name: name, ...more });
    const hook = (name: string, more?: object) =>
      runMemoir(["hook", "claude-code"], env, root, payload(name, more));
    const asks = () =>
      fetch(`http://127.0.0.1:${port}/v1/messages`, {
        method: "POST",
        headers: { "x-claude-code-session-id": "open-one" },
        body: '{"messages":[]}',
      }).then(
        (answer) => answer.text(),
        (error: unknown) => `nobody answered: ${String(error)}`,
      );
    const answered = '{"a":1}';
    /** The client does not wait for what its last hook does. */
    const ends = async () => {
      await hook("SessionEnd", { reason: "other" });
      const open = async () => JSON.parse((await gateway("status", "--json")).out).sessions;
      while ((await open()) > 0) await Bun.sleep(20);
    };

    beforeEach(async () => {
      const own = original.replace('"A": "b"', `"ANTHROPIC_BASE_URL": "${upstream.url}/"`);
      await writeFile(settings, own);
      await leadsTo();
      expect((await gateway("on")).code).toBe(0);
      expect(await asks()).toBe(answered);
    });

    test("off leaves its upstream as it was, also for a server that comes later", async () => {
      const off = await gateway("off");
      expect(off.out).toContain("Open sessions keep using it");
      expect(await config()).toEqual({ endless: { gateway: { port } } });
      expect(await asks()).toBe(answered);
      const { pid } = JSON.parse(await readFile(join(home, "server.json"), "utf8"));
      process.kill(pid, "SIGKILL");
      await hook("UserPromptSubmit", { prompt: "p" });
      expect(await asks()).toBe(answered);
      expect(upstream.requests.length).toBe(3);
      await ends();
      await memoir("server", "stop");
      await memoir("server", "start");
      expect(await asks()).toContain("nobody answered");
    });

    test("stop says so and leaves somebody to pass requests on, until a server is back", async () => {
      const stopped = await memoir("server", "stop");
      expect(stopped.out).toContain("1 open session reaches the model through memoir's gateway");
      expect(await asks()).toBe(answered);
      await hook("UserPromptSubmit", { prompt: "p" });
      const status = JSON.parse((await gateway("status", "--json")).out);
      expect(status).toMatchObject({ running: true, listening: true, sessions: 1 });
      expect(status.error).toBeUndefined();
      expect(await asks()).toBe(answered);
      expect(existsSync(join(home, "gateway-stand-in.json"))).toBe(false);
      await ends();
      expect((await memoir("server", "stop")).out).not.toContain("open session");
    });

    test("uninstall says so and leaves somebody to pass requests on", async () => {
      const removed = await memoir("uninstall", "--yes", "--delete-memory");
      expect([removed.code, removed.err]).toEqual([0, ""]);
      expect(removed.out).toContain("1 open session reaches the model through memoir's gateway");
      expect(existsSync(home)).toBe(false);
      expect(await asks()).toBe(answered);
      expect(existsSync(home)).toBe(false);
      // Whoever installs again takes the port.
      await mkdir(home);
      await writeFile(join(home, "gateway-stand-in.leave"), "");
      while (!(await asks()).includes("nobody answered")) await Bun.sleep(20);
    });
  });

  test("a hook that cannot start a server says how to get past the gateway", async () => {
    await gateway("on");
    await memoir("server", "stop");
    // Somebody claims the start over and over: no server comes up.
    await writeFile(join(home, "server.starting"), "0\n");
    const payload = {
      session_id: "s",
      cwd: root,
      hook_event_name: "UserPromptSubmit",
      prompt: "p",
    };
    const hook = await runMemoir(["hook", "claude-code"], env, root, JSON.stringify(payload));
    expect(JSON.parse(hook.out).systemMessage).toContain("`memoir endless gateway off`");
    await gateway("off");
    await memoir("server", "stop");
    await writeFile(join(home, "server.starting"), "0\n");
    const quiet = await runMemoir(["hook", "claude-code"], env, root, JSON.stringify(payload));
    expect(quiet.out).toBe("");
  });
});
