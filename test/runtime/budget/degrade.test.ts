// The whole way, from event to storage, with a provider that misbehaves: what is retried, who takes over, what the user is told, and that nothing is lost.
import { Database } from "bun:sqlite";
import { describe, expect, test } from "bun:test";
import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import {
  expectNothingLost,
  home,
  key,
  log,
  ownModelHome,
  prompt,
  runtime,
  server,
  start,
  strategies,
  told,
} from "../../support/model-home.ts";
import { answered, type Fault } from "../../support/model-server.ts";

ownModelHome();

const status = (code: number, type = "", message = "", headers = {}): Fault => ({
  status: code,
  type,
  message,
  headers,
});
const slow = { "retry-after": "0.08" };

/** Faults in order (the last stays), requests made, who wrote the observations, what the user is told. */
const rows: Array<[string, Fault[], number, "scripted" | "heuristic", RegExp]> = [
  ["success", ["ok"], 1, "scripted", /^$/],
  ["400", [status(400, "invalid_request_error", "odd")], 1, "heuristic", /^$/],
  [
    "context too long",
    [status(400, "invalid_request_error", "prompt is too long: 9 > 8")],
    1,
    "heuristic",
    /^$/,
  ],
  [
    "401",
    [status(401, "authentication_error", `bad ${key}`)],
    1,
    "heuristic",
    /^memoir: anthropic .*did not accept the key.*continue without it.*memoir provider key/,
  ],
  ["403", [status(403)], 1, "heuristic", /does not let this key do that/],
  ["404", [status(404, "not_found_error", "model: x")], 1, "heuristic", /does not know the model/],
  ["413", [status(413)], 1, "heuristic", /^$/],
  ["429, then success", [status(429, "", "", slow), "ok"], 2, "scripted", /^$/],
  ["429 for ever", [status(429, "", "", slow)], 3, "heuristic", /^$/],
  ["429 until much later", [status(429, "", "", { "retry-after": "3600" })], 1, "heuristic", /^$/],
  ["500 twice, then success", [status(500), status(500), "ok"], 3, "scripted", /^$/],
  ["529 for ever", [status(529)], 3, "heuristic", /^$/],
  ["a hang, then success", ["hang", "ok"], 2, "scripted", /^$/],
  ["a reset, then success", ["reset", "ok"], 2, "scripted", /^$/],
  ["half a body, then success", ["half", "ok"], 2, "scripted", /^$/],
  ["no JSON, then success", ["html", "ok"], 2, "scripted", /^$/],
  ["no JSON for ever", ["html"], 3, "heuristic", /^$/],
  ["refusal", ["refusal"], 1, "heuristic", /^$/],
  ["cut by max_tokens", ["cut"], 1, "heuristic", /^$/],
];

describe("a provider's fault", () => {
  test.each(rows)("%s", async (_name, faults, requests, strategy, notice) => {
    // Nobody waits for long for what never comes.
    const timeoutSeconds = faults.includes("hang") ? 1 : 20;
    await start({ plugins: { anthropic: { baseURL: server.url, timeoutSeconds } } });
    server.script(...faults);
    const observations = await prompt();
    expect(server.requests).toHaveLength(requests);
    expect(new Set(observations.map(({ provenance }) => provenance.strategy))).toEqual(
      new Set([strategy]),
    );
    const named = observations.flatMap(({ toolUseIds }) => toolUseIds);
    expect(new Set(named).size).toBe(named.length);
    await expectNothingLost(2);
    expect(await told()).toMatch(notice);
    expect(await told()).toBe("");
    expect(JSON.stringify([log.lines, await runtime.status()])).not.toContain(key);
  });

  test("a rate limit is waited for as long as it asks", async () => {
    await start();
    server.script(status(429, "", "", { "retry-after": "0.4" }), "ok");
    const begun = performance.now();
    expect((await prompt())[0]?.provenance.strategy).toBe("scripted");
    expect(performance.now() - begun).toBeGreaterThan(390);
  });

  test("a dead provider does not delay every batch", async () => {
    await start();
    server.script(status(529));
    for (const _ of [1, 2, 3]) expect((await prompt())[0]?.provenance.strategy).toBe("heuristic");
    expect(server.requests).toHaveLength(3);
    expect((await runtime.status()).models).toMatchObject({
      inForce: null,
      providers: [{ name: "anthropic", state: "paused", error: { code: "provider_overloaded" } }],
    });
  });

  test("the next provider in the list is asked at once", async () => {
    await start({
      slots: {
        ...strategies,
        provider: ["anthropic", "openai-compatible"],
      },
      plugins: { "openai-compatible": { baseURL: `${server.url}/v1`, model: "local" } },
    });
    server.script(status(529), "ok");
    const [first] = await prompt();
    expect(first?.provenance).toEqual({ strategy: "scripted", model: "local" });
    expect(server.requests.map(({ path }) => path)).toEqual([
      "/v1/messages",
      "/v1/chat/completions",
    ]);
    await expectNothingLost(2);
  });

  test("auto passes over what is not set up, without a word", async () => {
    await rm(join(home, "keys.json"));
    await start({
      slots: { ...strategies, provider: "auto" },
      plugins: { "openai-compatible": { baseURL: `${server.url}/v1`, model: "local" } },
    });
    expect((await prompt())[0]?.provenance.model).toBe("local");
    expect((await runtime.status()).models).toMatchObject({
      inForce: "openai-compatible",
      providers: [
        { name: "anthropic", state: "paused", error: { code: "provider_key" } },
        { name: "openai-compatible", state: "works", model: "local" },
        { name: "claude-cli", state: "untried" },
      ],
    });
    expect(await told()).toBe("");
  });
});

describe("config", () => {
  test("a key and another model take effect at once, and no queued work is lost", async () => {
    await start();
    server.script(status(401));
    expect((await prompt())[0]?.provenance.strategy).toBe("heuristic");
    server.script("ok");
    await writeFile(
      join(home, "config.json"),
      JSON.stringify({
        slots: { ...strategies, provider: "anthropic" },
        plugins: { anthropic: { baseURL: server.url, model: "claude-sonnet-5-5" } },
      }),
    );
    await runtime.reload();
    expect((await prompt())[0]?.provenance.model).toBe("claude-sonnet-5-5");
    await expectNothingLost(4);
  });

  test("a call that is under way ends with the provider that it began with", async () => {
    await start();
    let reached = () => {};
    const arrived = new Promise<void>((resolve) => {
      reached = resolve;
    });
    server.say(() => {
      reached();
      return "hello";
    });
    const under = prompt();
    await arrived;
    await writeFile(join(home, "config.json"), JSON.stringify({ slots: { provider: "none" } }));
    await runtime.reload();
    expect((await under)[0]?.provenance.strategy).toBe("scripted");
    await expectNothingLost(2);
  });
});

describe("the budget", () => {
  const once = { dailyTokens: 640, sessionTokens: 640 };

  test("is hard: the heuristic takes over, and the user is told once", async () => {
    await start({ budget: once });
    const first = await prompt();
    expect(first[0]?.provenance.strategy).toBe("scripted");
    expect(first.reduce((sum, { observerTokens }) => sum + (observerTokens ?? 0), 0)).toBe(
      answered.input + answered.output + answered.cacheRead + answered.cacheWrite,
    );
    expect((await prompt("s2"))[0]?.provenance.strategy).toBe("heuristic");
    expect(await told("s2")).toMatch(/^memoir: today's model budget \(640 tokens, budget.daily/);
    expect((await prompt("s3"))[0]?.provenance.strategy).toBe("heuristic");
    expect(await told("s3")).toBe("");
    expect(server.requests).toHaveLength(1);
    const { total, byProject } = runtime.usage({});
    expect(total).toMatchObject({ calls: 1, tokens: 43, input: 11, output: 20, unpriced: 0 });
    expect(byProject[0]?.key).toBe(first[0]?.project as string);
    await expectNothingLost(6);
  });

  test("of a session is told to that session only", async () => {
    await start({ budget: { dailyTokens: 1_000_000, sessionTokens: 640 } });
    await prompt("s1");
    expect((await prompt("s1"))[0]?.provenance.strategy).toBe("heuristic");
    expect((await prompt("s2"))[0]?.provenance.strategy).toBe("scripted");
    expect(await told("s2")).toBe("");
    expect(await told("s1")).toMatch(/this session's model budget/);
  });
});

test("where calls cannot be counted no model is asked, and the rest goes on", async () => {
  const newer = new Database(join(home, "usage.db"));
  newer.exec("CREATE TABLE calls (id); PRAGMA user_version = 99");
  newer.close();
  await start();
  expect((await prompt())[0]?.provenance.strategy).toBe("heuristic");
  expect(server.requests).toHaveLength(0);
  expect(() => runtime.usage({})).toThrow("cannot be counted");
  expect((await runtime.status()).models).toMatchObject({
    inForce: null,
    error: { message: "Calls to a model cannot be counted here." },
  });
  await expectNothingLost(2);
});

test("about a session that was read from a transcript without leave to ask, no model is asked", async () => {
  await start();
  expect((await prompt("s1", { recovered: { modelFree: true } }))[0]?.provenance.strategy).toBe(
    "heuristic",
  );
  expect(server.requests).toHaveLength(0);
  expect((await prompt("s2"))[0]?.provenance.strategy).toBe("scripted");
});

describe("provider test", () => {
  test("says whether it works, also while it is paused, and puts it back in force", async () => {
    await start();
    server.script(status(401, "authentication_error", `bad ${key}`));
    await prompt();
    const [failed] = await runtime.testProviders();
    expect(failed).toMatchObject({ provider: "anthropic", ok: false });
    expect(JSON.stringify(failed)).not.toContain(key);
    server.script("ok");
    expect(await runtime.testProviders("anthropic")).toMatchObject([
      { ok: true, model: "claude-haiku-5-5", tokens: 43 },
    ]);
    expect((await prompt())[0]?.provenance.strategy).toBe("scripted");
  });

  test("names what is no provider", async () => {
    await start();
    expect(await runtime.testProviders("sqlite")).toMatchObject([
      { ok: false, error: { code: "plugin_slot" } },
    ]);
    expect(await runtime.testProviders("nobody")).toMatchObject([
      { ok: false, error: { code: "plugin_not_found" } },
    ]);
  });
});
