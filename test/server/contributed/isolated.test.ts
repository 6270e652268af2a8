// What a user's plugin brings beside hooks, asked through a real server: it answers, and whatever it does wrong stays its own.
import { expect, test } from "bun:test";
import { withPluginServer } from "../../support/plugin-server.ts";

const good = `import { definePlugin, MemoirError, operation } from "memoir/sdk";
export default definePlugin({
  name: "flaky-tests",
  description: "Counts flaky tests.",
  sdk: 1,
  start: () => ({ asked: 0 }),
  hooks: {},
  operations: {
    list: operation({
      does: "List flaky tests",
      takes: { words: { says: "Words of their names", isWord: true, required: true }, most: { says: "How many", is: "count", most: 9, default: 3 }, since: { says: "From when", is: "time" } },
      for: ["command", "route", "tool"],
      run(input, ctx) {
        ctx.state.asked++;
        if (input.words === "none") throw new MemoirError("usage", "No such test.", { fix: "Name another." });
        return { text: input.words + " " + input.most + " " + ctx.caller.door, asked: ctx.state.asked };
      },
    }),
    hidden: operation({ does: "For agents alone", for: ["tool"], run: () => 1 }),
    add: operation({ does: "Add one", for: ["route"], changes: "adds", run: () => "added" }),
    sleep: operation({ does: "Never answer", for: ["route"], deadlineMs: 300, run: () => new Promise(() => {}) }),
    spin: operation({ does: "Never end", for: ["route"], deadlineMs: 300, run: () => { for (;;); } }),
    huge: operation({ does: "Answer 100 MB", for: ["route"], run: () => "x".repeat(100_000_000) }),
    code: operation({ does: "Answer a function", for: ["route"], run: () => ({ f: () => 1 }) }),
    throws: operation({ does: "Throw", for: ["route"], run: () => { throw new Error("broken inside"); } }),
    leave: operation({ does: "End the process", for: ["route"], run: () => process.exit(3) }),
  },
  routes: async (request) => {
    const path = new URL(request.url).pathname.replace("/plugins/flaky-tests/", "");
    if (path === "stream") {
      let count = 0;
      return new Response(new ReadableStream({ async pull(controller) { await new Promise((go) => setTimeout(go, 5)); if (count++ < 3) controller.enqueue(new TextEncoder().encode("part " + count + "\\n")); else controller.close(); } }), { headers: { "x-own": "yes", "set-cookie": "a=b" } });
    }
    if (path === "endless") return new Response(new ReadableStream({ pull(controller) { controller.enqueue(new Uint8Array(65_536)); } }));
    if (path === "breaks") return new Response(new ReadableStream({ pull() { throw new Error("torn"); } }));
    if (path === "text") return "no response";
    if (path === "never") return new Promise(() => {});
    return Response.json({ method: request.method, path, body: await request.text(), seen: [...request.headers.keys()].filter((name) => /cookie|authorization/.test(name)) });
  },
});
`;

async function asked(home: string, path: string, init: RequestInit = {}) {
  const response = await fetch(`http://localhost${path}`, { ...init, unix: `${home}/memoir.sock` });
  const text = await response.text();
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {}
  return { status: response.status, text, json: json as unknown, headers: response.headers };
}

test("a plugin in a worker brings operations and routes", async () => {
  await withPluginServer({ "plugins/flaky-tests.ts": good }, async (server) => {
    // Writes the entries that plugins import.
    await server.command("plugin", "list");
    await server.start();
    const at = (path: string, init?: RequestInit) =>
      asked(server.home, `/plugins/flaky-tests/${path}`, init);
    const post = (path: string, body: unknown) =>
      at(path, { method: "POST", body: JSON.stringify(body) });
    expect((await at("list?words=login")).json).toEqual({ text: "login 3 route", asked: 1 });
    expect((await post("list", { words: "login", most: 9 })).json).toEqual({
      text: "login 9 route",
      asked: 2,
    });
    const wrong: Array<[string, RegExp]> = [
      ["list", /`words` is missing: Words of their names\./],
      ["list?words=a&mots=3", /It takes no `mots`.*Write `most`/],
      ["list?words=a&most=10", /`most` must be a whole number from 1 to 9/],
      ["list?words=a&since=soonish", /`since` cannot be read as a date/],
      ["list?words=none", /No such test.*Name another/],
      ["add", /changes something: POST it/],
    ];
    for (const [path, words] of wrong) {
      const answer = await at(path);
      expect([path, answer.status, answer.text]).toEqual([path, 400, expect.stringMatching(words)]);
    }
    expect((await post("add", {})).json).toBe("added");
    expect(
      (
        await at("other", {
          method: "PUT",
          body: "b",
          headers: { cookie: "a=b", authorization: "Bearer x" },
        })
      ).json,
    ).toEqual({
      method: "PUT",
      path: "other",
      body: "b",
      seen: [],
    });
    const large = await at("other", { method: "POST", body: "x".repeat(9_000_000) });
    expect([large.status, large.text]).toEqual([
      413,
      expect.stringContaining("larger than 8388608"),
    ]);
    const stream = await at("stream");
    expect(stream.text).toBe("part 1\npart 2\npart 3\n");
    expect(stream.headers.get("x-own")).toBe("yes");
    expect(stream.headers.get("set-cookie")).toBe(null);
    expect(stream.headers.get("content-security-policy")).toContain("sandbox");

    // What it does wrong: named with file and line, and nobody else notices.
    const broken: Array<[string, number, RegExp]> = [
      ["sleep", 500, /did not answer operations.sleep within 300 ms \(.*flaky-tests\.ts:\d+\)/],
      ["huge", 500, /more than the 8 MB that one answer may hold/],
      ["code", 500, /it answered a function at answer.f, which cannot be sent/],
      ["throws", 500, /broken inside \(.*flaky-tests\.ts:\d+:\d+\)/],
      ["spin", 500, /did not answer operations.spin within 300 ms/],
      ["leave", 500, /exit\(3\)/],
      ["text", 500, /must answer with a Response \(.*flaky-tests\.ts:\d+\)/],
    ];
    for (const [path, status, words] of broken) {
      const answer = await at(path);
      expect([path, answer.status, answer.text]).toEqual([
        path,
        status,
        expect.stringMatching(words),
      ]);
      expect((await asked(server.home, "/api/status")).status).toBe(200);
      // Its worker is found stuck, and the next call gets another.
      if (path === "spin") await Bun.sleep(1_000);
    }
    await expect(at("breaks")).rejects.toThrow();
    const endless = await fetch("http://localhost/plugins/flaky-tests/endless", {
      unix: `${server.home}/memoir.sock`,
    });
    const reader = endless.body?.getReader();
    await reader?.read();
    await reader?.cancel();
    expect((await at("list?words=again")).status).toBe(200);
    expect((await asked(server.home, "/plugins/nobody/list")).text).toMatch(
      /No plugin that runs answers/,
    );
    const { contributions } = await server.ask<{
      contributions: Array<{ part: string; calls: number; failures: number; lastError?: string }>;
    }>("/api/plugins");
    const throws = contributions.find(({ part }) => part === "operations.throws");
    expect(throws).toMatchObject({
      calls: 1,
      failures: 1,
      lastError: expect.stringContaining("broken inside"),
    });
  });
}, 180_000);
