// Every route as a function from Request to Response: what is answered, what reached the runtime, and what must not leak.
import { describe, expect, test } from "bun:test";
import type { Observation, Prompt, Session, Summary } from "../../src/sdk/model.ts";
import type { StoredRecord } from "../../src/sdk/storage.ts";
import { createServer } from "../../src/server/server.ts";
import { keptLog } from "../support/kept-log.ts";
import {
  sampleObservation,
  samplePrompt,
  sampleSession,
  sampleSummary,
} from "../support/sample-records.ts";
import { appOptions } from "./app-options.ts";
import type { FakeOptions } from "./fake-runtime.ts";

type ServerOptions = Parameters<typeof createServer>[0];

const token = "a".repeat(64);
const secret = "hunter2-hunter2";

function build(fake: FakeOptions = {}, more: Partial<Omit<ServerOptions, "runtime">> = {}) {
  const events: string[] = [];
  const options = {
    ...appOptions(fake),
    token,
    drainSpool: async () => void events.push("spool"),
    reloaded: async () => void events.push("reloaded"),
    stop: () => void events.push("stop"),
    ...more,
  };
  const { runtime, refusals } = options;
  const server = createServer(options);
  return { runtime, server, refusals, events };
}

const prompt = {
  session_id: "s-1",
  cwd: "/p",
  hook_event_name: "UserPromptSubmit",
  prompt: secret,
};
const post = (path: string, body: unknown, headers: Record<string, string> = {}) =>
  new Request(`http://localhost${path}`, {
    method: "POST",
    body: typeof body === "string" ? body : JSON.stringify(body),
    headers,
  });
const get = (path: string, headers: Record<string, string> = {}) =>
  new Request(`http://localhost${path}`, { headers });

describe("POST /hook/:client", () => {
  test("commits the event and renders the reply", async () => {
    const { runtime, server } = build({ reply: { context: "known" } });
    const response = await server.fetch(
      post("/hook/claude-code", prompt, {
        "x-memoir-event": "delivery-1",
        "x-memoir-time": "900",
      }),
    );
    expect(response.status).toBe(200);
    expect(await response.json()).toEqual({
      hookSpecificOutput: { hookEventName: "UserPromptSubmit", additionalContext: "known" },
    });
    expect(runtime.handled).toMatchObject([{ id: "delivery-1", time: 900, session: "s-1" }]);
  });

  test.each(["claude-code?version=2", "claude-code/", "claude%2Dcode"])(
    "a client is read from /hook/%s too",
    async (path) => {
      const { runtime, server } = build();
      await server.fetch(post(`/hook/${path}`, prompt));
      expect(runtime.handled).toMatchObject([{ client: "claude-code" }]);
    },
  );

  test.each([
    ["codex", "filled in"],
    ["claude-code", secret],
  ])(
    "%s: what its hooks leave out is filled in where they leave something out",
    async (client, text) => {
      const fillIn: ServerOptions["fillIn"] = async (event) =>
        event.name === "UserPromptSubmit" ? { ...event, prompt: "filled in" } : event;
      const { runtime, server } = build({}, { fillIn });
      await server.fetch(post(`/hook/${client}`, { ...prompt, transcript_path: "/t/s-1.jsonl" }));
      expect(runtime.handled).toMatchObject([{ client, prompt: text }]);
    },
  );

  test("every event is in the log of somebody who wants all of it, without what it says", async () => {
    const log = keptLog();
    const { server } = build({ reply: { context: "known" } }, { log });
    await server.fetch(post("/hook/claude-code", prompt));
    expect(log.lines).toEqual([
      {
        level: "debug",
        message: "event taken",
        fields: { name: "UserPromptSubmit", session: "s-1", answered: true },
      },
    ]);
  });

  test("nothing to say is 204 without a body", async () => {
    const { server } = build();
    const response = await server.fetch(post("/hook/claude-code", prompt));
    expect(response.status).toBe(204);
    expect(await response.text()).toBe("");
  });

  test("a delivery without id or time gets its own", async () => {
    const { runtime, server } = build();
    await server.fetch(
      post("/hook/claude-code", prompt, { "x-memoir-event": "../../x", "x-memoir-time": "soon" }),
    );
    expect(runtime.handled[0]?.id).toMatch(/^[0-9a-f-]{36}$/);
    expect(runtime.handled[0]?.time).toBe(1_000);
  });

  test("a time ahead of the clock is not believed", async () => {
    const { runtime, server } = build();
    for (const time of ["9000000000000", "8640000000000001"])
      await server.fetch(post("/hook/claude-code", prompt, { "x-memoir-time": time }));
    expect(runtime.handled.map(({ time }) => time)).toEqual([1_000, 1_000]);
  });

  test("lets the spool go first", async () => {
    const order: string[] = [];
    const { server } = build(
      { handle: async () => void order.push("handle") },
      { before: async () => void order.push("spool") },
    );
    await server.fetch(post("/hook/claude-code", prompt));
    expect(order).toEqual(["spool", "handle"]);
  });

  interface Refusal {
    what: string;
    request: () => Request;
    status: number;
    code: string;
  }
  const refused: Refusal[] = [
    {
      what: "an unknown client",
      request: () => post("/hook/emacs", prompt),
      status: 404,
      code: "client_unknown",
    },
    {
      what: "no JSON",
      request: () => post("/hook/claude-code", `{"prompt": "${secret}`),
      status: 400,
      code: "payload_invalid",
    },
    {
      what: "an empty body",
      request: () => post("/hook/claude-code", ""),
      status: 400,
      code: "payload_invalid",
    },
    {
      what: "missing fields",
      request: () => post("/hook/claude-code", { prompt: secret }),
      status: 400,
      code: "payload_invalid",
    },
    {
      what: "a body that is announced too large",
      request: () =>
        post("/hook/claude-code", prompt, { "content-length": String(65 * 1024 * 1024) }),
      status: 413,
      code: "payload_too_large",
    },
  ];
  for (const { what, request, status, code } of refused) {
    test(`${what}: ${status}, counted, nothing quoted`, async () => {
      const log = keptLog();
      const { runtime, server, refusals } = build({}, { log });
      const response = await server.fetch(request());
      const text = await response.text();
      const lines = log.lines.filter(({ level }) => level === "warn");
      expect(lines).toMatchObject([{ message: "event not taken", fields: { reason: code } }]);
      expect(JSON.stringify(lines)).not.toContain(secret);
      expect(response.status).toBe(status);
      expect(JSON.parse(text).error).toMatchObject({ code });
      expect(JSON.parse(text).error.fix).not.toBe("");
      expect(text).not.toContain(secret);
      expect(refusals).toEqual({ [code]: 1 });
      expect(runtime.handled).toEqual([]);
    });
  }

  test("a failing runtime is 500, without a stack", async () => {
    const { server, refusals } = build({
      handle: async () => {
        throw new Error(`disk full at /secret/path ${secret}`);
      },
    });
    const response = await server.fetch(post("/hook/claude-code", prompt));
    const text = await response.text();
    expect(response.status).toBe(500);
    expect(text).not.toContain(secret);
    expect(text).not.toContain(".ts");
    expect(refusals).toEqual({ internal: 1 });
  });
});

describe("TCP is guarded", () => {
  const ok = { host: "127.0.0.1:5000", authorization: `Bearer ${token}` };
  const scenarios: Array<[string, Record<string, string>, number]> = [
    ["a good token", ok, 200],
    ["a good token by the name localhost", { ...ok, host: "localhost:5000" }, 200],
    ["a good token by IPv6", { ...ok, host: "[::1]:5000" }, 200],
    ["a page of this machine", { ...ok, origin: "http://localhost:5000" }, 200],
    ["no token", { host: ok.host }, 401],
    ["an empty token", { ...ok, authorization: "Bearer " }, 401],
    ["a wrong token", { ...ok, authorization: `Bearer ${"b".repeat(64)}` }, 401],
    ["half a token", { ...ok, authorization: `Bearer ${"a".repeat(32)}` }, 401],
    ["a token of another scheme", { ...ok, authorization: `Basic ${token}` }, 401],
    ["another host", { ...ok, host: "evil.example" }, 403],
    ["a host that begins well", { ...ok, host: "localhost.evil.example" }, 403],
    ["a user in the host", { ...ok, host: "localhost@evil.example" }, 403],
    ["a user before the host", { ...ok, host: "a@localhost" }, 403],
    ["a path behind the host", { ...ok, host: "localhost/x" }, 403],
    ["no host", { ...ok, host: "" }, 403],
    ["another site's page", { ...ok, origin: "https://evil.example" }, 403],
    ["a sandboxed page", { ...ok, origin: "null" }, 403],
  ];
  for (const [what, headers, status] of scenarios) {
    test(`${what}: ${status}`, async () => {
      const { runtime, server, refusals } = build();
      const response = await server.guardedFetch(get("/api/status", headers));
      expect(response.status).toBe(status);
      expect(response.headers.get("access-control-allow-origin")).toBeNull();
      expect(response.headers.get("x-memoir-server")).toBe("1.2.3");
      const text = await response.text();
      expect(text).not.toContain(token);
      if (status !== 200) {
        expect(text).not.toContain("pid");
        expect(Object.values(refusals)).toEqual([1]);
      }
      expect(runtime.handled).toEqual([]);
    });
  }

  test("an event without a token never reaches the runtime", async () => {
    const { runtime, server } = build();
    const response = await server.guardedFetch(
      post("/hook/claude-code", prompt, { host: "localhost" }),
    );
    expect(response.status).toBe(401);
    expect(runtime.handled).toEqual([]);
  });
});

const mine = { session: "s-1", project: "p" };
const observation: Observation = { ...sampleObservation({ ...mine, time: 20 }), id: "o1" };
const summary: Summary = { ...sampleSummary({ ...mine, time: 30 }), id: "u1" };
const asked: Prompt = { ...samplePrompt({ ...mine, time: 10 }), id: "p1" };
const session: Session = {
  ...sampleSession({ id: "s-1", startedAt: 10 }),
  ...{ title: "One", subtitle: "", prompts: 1, observations: 1, endedAt: null },
};

function memory(seen: Record<string, unknown> = {}): FakeOptions {
  const see = <Value>(name: string, input: unknown, value: Value): Value => {
    seen[name] = input;
    return value;
  };
  return {
    answers: {
      "storage.search": (input) => see("search", input, []),
      "storage.get": ({ ids }) =>
        ids[0] === "o1" ? ([{ kind: "observation", record: observation }] as StoredRecord[]) : [],
      "storage.observations": (input) => see("observations", input, [observation]),
      "storage.summaries": (input) => see("summaries", input, [summary]),
      "storage.prompts": (input) => see("prompts", input, [asked]),
      "storage.turns": (input) => see("turns", input, []),
      "storage.sessions": (input) =>
        see("sessions", input, input.session === "no" ? [] : [session]),
    },
  };
}

describe("reading", () => {
  const wrong: Array<[string, string]> = [
    ["/api/search?limit=0", "`limit`"],
    ["/api/search?limit=201", "`limit`"],
    ["/api/search?limit=ten", "`limit`"],
    ["/api/search?since=-1", "`since`"],
    ["/api/search?level=all", "`level`"],
    ["/api/search?kinds=observation,plans", "`kinds.1`"],
    [`/api/search?projcet=${secret}`, "`projcet`"],
    ["/api/context", "`cwd`"],
    ["/api/timeline?limit=1e3", "`limit`"],
  ];
  for (const [path, field] of wrong) {
    test(`${path.replace(secret, "…")} is refused, naming ${field}`, async () => {
      const response = await build(memory()).server.fetch(get(path));
      const text = await response.text();
      expect(response.status).toBe(400);
      expect(JSON.parse(text).error.message).toContain(field);
      expect(text).not.toContain(secret);
    });
  }

  test("a record by id, or 404", async () => {
    const { server } = build(memory());
    expect(await (await server.fetch(get("/api/records/o1"))).json()).toEqual({
      by: "written by sample",
      kind: "observation",
      record: observation,
      version: expect.stringMatching(/^[\w-]{16}$/),
    });
    const missing = await server.fetch(get(`/api/records/${secret}`));
    expect(missing.status).toBe(404);
    expect(await missing.text()).not.toContain(secret);
  });

  test("a timeline has each turn once, with its records, around a record in its project", async () => {
    const seen: Record<string, unknown> = {};
    const { server } = build(memory(seen));
    const plain = await (await server.fetch(get("/api/timeline?session=s-1"))).json();
    const kinds = plain.items.map((item: { parts: Array<{ kind: string }> }) =>
      item.parts.map(({ kind }) => kind),
    );
    expect(kinds).toEqual([["prompt", "observation", "summary"]]);
    const around = await (await server.fetch(get("/api/timeline?around=o1&limit=2"))).json();
    expect(around.around.record.id).toBe("o1");
    expect(seen.prompts).toMatchObject({ project: "p" });
    expect((await server.fetch(get("/api/timeline?around=o9"))).status).toBe(404);
  });

  test("no storage plugin: 503 that says so", async () => {
    const response = await build().server.fetch(get("/api/search?text=x"));
    expect(response.status).toBe(503);
    expect((await response.json()).error.code).toBe("storage_unanswered");
  });
});

describe("control", () => {
  test("retry puts back all that was given up, or what is named", async () => {
    const { runtime, server } = build();
    const all = await server.fetch(post("/api/retry", ""));
    expect(await all.json()).toEqual({ retried: 3 });
    const named = await server.fetch(post("/api/retry", { ids: [4, 5] }));
    expect(await named.json()).toEqual({ retried: 2 });
    expect((await server.fetch(post("/api/retry", { ids: ["4"] }))).status).toBe(400);
    expect(runtime.calls).toEqual(["retry all", "retry 4,5"]);
  });

  test("reading never stops the server", async () => {
    const { server, events } = build();
    expect((await server.fetch(get("/api/stop"))).status).toBe(404);
    expect(events).toEqual([]);
  });

  test("an unknown route is a 404 of our own form", async () => {
    const response = await build().server.fetch(get(`/nothing/${secret}`));
    expect(response.status).toBe(404);
    expect(await response.text()).not.toContain(secret);
  });
});
