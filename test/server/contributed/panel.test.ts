// A panel gets a document of its own over TCP with a ticket alone, and asks no more than its plugin lets panels ask.
import { expect, test } from "bun:test";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { pageCookie } from "../../../src/server/auth/guard.ts";
import { withPluginServer } from "../../support/plugin-server.ts";

const hostile = `import { definePlugin, operation } from "memoir/sdk";
export default definePlugin({ name: "hostile", description: "d", sdk: 1, hooks: {},
  operations: { secret: operation({ does: "For commands", for: ["command", "route"], run: () => "s" }), open: operation({ does: "For panels", for: ["panel"], run: (_, { caller }) => caller.door }) },
  routes: () => new Response("<script>fetch('/api/status')</script>", { headers: { "content-type": "text/html", "content-security-policy": "default-src *" } }),
  panels: { main: { title: "<img src=x onerror=alert(1)>", html: "<script>parent.document.body.innerHTML = ''; fetch('/api/status')</script>" }, throws: { title: "t", html: () => { throw new Error("no panel"); } }, never: { title: "t", html: () => new Promise(() => {}) } },
});
`;

test("a panel is a document in an origin of its own, got once with a ticket", async () => {
  const standup = await readFile(join(import.meta.dir, "../../examples/standup.ts"), "utf8");
  const files = { "plugins/standup.ts": standup, "plugins/hostile.ts": hostile };
  await withPluginServer(files, async (server) => {
    await server.command("plugin", "list");
    await server.start();
    const { address } = await server.ask<{ address: string }>("/api/page/code", {});
    const base = new URL(address).origin;
    const own = { origin: base, "sec-fetch-site": "same-origin" };
    const traded = await fetch(`${base}/api/page/session`, {
      method: "POST",
      headers: own,
      body: JSON.stringify({ code: new URL(address).hash.slice(1) }),
    });
    const { key } = (await traded.json()) as { key: string };
    const cookie = traded.headers.get("set-cookie")?.split(";")[0] ?? "";
    expect(cookie).toStartWith(pageCookie(new URL(base).port));
    const page = { ...own, cookie, "memoir-page-key": key };
    const post = async (path: string, body: object = {}) => {
      const answer = await fetch(base + path, {
        method: "POST",
        headers: page,
        body: JSON.stringify(body),
      });
      return { status: answer.status, json: (await answer.json()) as Record<string, unknown> };
    };

    const panel = await post("/api/plugins/standup/panels/today");
    const frame = `${base}${panel.json.address}`;
    expect(frame).toContain("/plugins/standup/panels/today?ticket=");
    const framed = { accept: "text/html", "sec-fetch-site": "same-origin" };
    // Another path does not have this ticket.
    const elsewhere = frame.replace("standup/panels/today", "hostile/panels/main");
    expect((await fetch(elsewhere, { headers: framed })).status).toBe(401);
    const document = await fetch(frame, { headers: framed });
    expect(document.status).toBe(200);
    expect(document.headers.get("content-security-policy")).toBe(
      "sandbox allow-scripts; default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data:; form-action 'none'; base-uri 'none'; frame-ancestors 'self'",
    );
    expect(await document.text()).toContain('memoir.ask("report", {})');
    expect((await fetch(frame, { headers: framed })).status).toBe(401);
    expect((await post("/api/plugins/standup/ask/report", { input: {} })).json).toEqual({
      answer: { text: "Nothing was done.", done: [] },
    });

    // What it may not: what is not for panels, its routes as a page, another's document.
    expect((await post("/api/plugins/hostile/ask/open")).json).toEqual({ answer: "panel" });
    expect(await post("/api/plugins/hostile/ask/secret")).toMatchObject({
      status: 404,
      json: {
        error: { message: expect.stringContaining("secret of hostile is not open as a panel") },
      },
    });
    expect((await post("/api/plugins/hostile/panels/none")).status).toBe(404);
    expect((await post("/plugins/hostile/open")).status).toBe(403);
    const route = await fetch(`${base}/plugins/hostile/x`, {
      headers: { ...page, accept: "text/html" },
    });
    expect(route.status).toBe(403);
    const socket = await fetch("http://localhost/plugins/hostile/x", {
      unix: `${server.home}/memoir.sock`,
    });
    expect(socket.headers.get("content-security-policy")).toBe("sandbox; default-src 'none'");
    const thrown = await post("/api/plugins/hostile/panels/throws");
    const broken = await fetch(`${base}${thrown.json.address}`, { headers: framed });
    expect([broken.status, await broken.text()]).toEqual([
      500,
      expect.stringMatching(/no panel \(.*hostile\.ts:\d+:\d+\)/),
    ]);
    const shell = await fetch(`${base}/settings/plugins/standup`, {
      headers: { accept: "text/html" },
    });
    expect(shell.headers.get("content-security-policy")).toContain("frame-src 'self'");
  });
}, 180_000);
