// The whole way, from event to storage, with a provider that misbehaves: what is retried, who takes over, what the user is told, and that nothing is lost.
import { Database } from "bun:sqlite";
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { failing } from "../../../src/health/failing.ts";
import { builtins } from "../../../src/runtime/builtins.ts";
import type { UserConfig } from "../../../src/runtime/config/config.ts";
import { createRuntime, type Runtime } from "../../../src/runtime/runtime.ts";
import type { EventBase } from "../../../src/sdk/events.ts";
import type { Observation } from "../../../src/sdk/model.ts";
import { clientEvent, toolEvent } from "../../support/client-events.ts";
import { keptLog } from "../../support/kept-log.ts";
import {
  answered,
  type Fault,
  type ModelServer,
  startModelServer,
} from "../../support/model-server.ts";
import { modelStrategy } from "../../support/model-strategy.ts";

const key = "sk-ant-api03-Zm9vYmFyYmF6cXV4c2VjcmV0a2V5MTIzNDU2Nzg5MA";
let home: string;
let server: ModelServer;
let runtime: Runtime;
const log = keptLog();

beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), "memoir-degrade-"));
  await mkdir(join(home, "shop"));
  await writeFile(join(home, "keys.json"), JSON.stringify({ anthropic: key }));
  server = startModelServer();
  log.lines.length = 0;
});
afterEach(async () => {
  await runtime.stop();
  await server.stop();
  await rm(home, { recursive: true, force: true });
});

async function start(set: UserConfig = {}) {
  const config = {
    slots: { ...strategies, provider: "anthropic" },
    worker: { retrySeconds: [0, 0, 0, 0, 0] },
    ...set,
    plugins: { anthropic: { baseURL: server.url, timeoutSeconds: 20 }, ...set.plugins },
  };
  await writeFile(join(home, "config.json"), JSON.stringify(config));
  runtime = await createRuntime({
    home,
    log,
    env: { HOME: home },
    builtins: { ...builtins, scripted: async () => ({ default: modelStrategy }) },
  });
}

const strategies = {
  observation: ["scripted", "heuristic"],
  summarization: "heuristic-summary",
};
let made = 0;
/** One prompt with two edits, worked off; gives the prompt's observations. */
async function prompt(session = "s1", more: Partial<EventBase> = {}): Promise<Observation[]> {
  made++;
  const now = Date.now();
  const place = { session, cwd: join(home, "shop"), time: now, ...more };
  await runtime.handle(clientEvent("UserPromptSubmit", { ...place, prompt: "Fix the login" }));
  for (const file of ["a", "b"])
    await runtime.handle(
      toolEvent(`t${made}${file}`, {
        ...place,
        toolName: "Edit",
        toolInput: { file_path: join(home, "shop", `${file}.ts`) },
        toolResponse: {
          filePath: join(home, "shop", `${file}.ts`),
          oldString: "return user;",
          newString: "return checkedUser(user);",
          structuredPatch: [
            {
              oldStart: 3,
              oldLines: 2,
              newStart: 3,
              newLines: 6,
              lines: [
                " export function login(user: User) {",
                "-  return user;",
                "+  if (user.expired) throw new LoginError('expired');",
                "+  return checkedUser(user);",
                "+}",
                "+export function checkedUser(user: User) {",
              ],
            },
          ],
        },
      }),
    );
  await runtime.handle(clientEvent("Stop", place));
  expect(await runtime.drain({ timeoutMs: 20_000 })).toBe(true);
  const answer = await runtime.hooks.first("storage.observations", { session, limit: 50 });
  return (answer?.result ?? []).filter(({ toolUseIds }) =>
    toolUseIds.some((id) => id.startsWith(`t${made}`)),
  );
}

/** What the next prompt's hook shows to the person. */
async function told(session = "s1"): Promise<string> {
  const event = clientEvent("UserPromptSubmit", {
    session,
    cwd: join(home, "shop"),
    time: Date.now(),
    prompt: "And now?",
  });
  return (await runtime.handle(event)).reply.systemMessage ?? "";
}

async function expectNothingLost(toolUses: number) {
  // A prompt that was asked for its notice only is stored as well.
  expect(await runtime.drain({ timeoutMs: 20_000 })).toBe(true);
  const { journal } = await runtime.status();
  if ("error" in journal) throw new Error(journal.error);
  const { pendingWork, leasedWork, parkedWork, counters } = journal;
  expect({ pendingWork, leasedWork, parkedWork }).toEqual({
    pendingWork: 0,
    leasedWork: 0,
    parkedWork: 0,
  });
  const ended = Object.entries(counters).filter(([name]) => name.startsWith("settled:"));
  expect(ended.reduce((sum, [, count]) => sum + count, 0)).toBe(toolUses);
}

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
    /^memoir: anthropic .*did not accept the key.*go on without it.*memoir provider key/,
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

const note = `<observation><type>bugfix</type><title>Expired users are turned away</title><facts>
<fact>a.ts: login() throws LoginError where user.expired is set, before it returns</fact></facts><uses>1,2</uses></observation>`;
const example = `<observation><type>bugfix</type><title>3 to 8 words</title><subtitle>at most 24 words</subtitle>
<facts><fact>50 to 150 characters, understandable alone</fact><fact>another one</fact></facts>
<narrative>the whole story</narrative></observation>`;
const draft = example
  .replace("3 to 8 words", "Login might be changed somehow")
  .replace("50 to", "some 50 to");
const thought = [{ type: "thinking", thinking: "Let me see.", signature: "x" }];
const toolUse = { type: "tool_use", id: "t", name: "Read", input: { file_path: "a.ts" } };
const call = { id: "c", type: "function", function: { name: "read", arguments: "{}" } };

type Said = Extract<Fault, { said: unknown }>["said"];
/** The same answer as each dialect has it: what is said, and why it ends. */
type Dialects = [Said, string, Said, string];
const inWords = (text: string): Dialects => [text, "end_turn", text, "stop"];
const none = { content: null };

/** An answer in both dialects, and why it cannot be read; null where it says what it says. */
const answers: Array<[string, Dialects, string | null]> = [
  ["no text", inWords(""), "it was empty"],
  ["no text block, content: null", [[], "end_turn", none, "stop"], "it was empty"],
  ["white space", inWords(" \n\n "), "it was empty"],
  [
    "a tool call alone",
    [[toolUse], "tool_use", { ...none, tool_calls: [call] }, "tool_calls"],
    "it was empty",
  ],
  ["a tool call as of old", [[toolUse], "end_turn", none, "function_call"], "it was empty"],
  ["a pause", [[], "pause_turn", "", "pause"], "it was empty"],
  [
    "thinking that used up the room",
    [thought, "max_tokens", { ...none, reasoning_content: "Let me see." }, "length"],
    "it was empty",
  ],
  [
    "thinking in the text that used up the room",
    ["<think>First, the login", "max_tokens", "<think>First, the login", "length"],
    "it was empty",
  ],
  ["thinking and no more", inWords(`<think>${note}</think>`), "it was empty"],
  [
    "a refusal in prose",
    inWords("Policy does not allow me to record anything of this session."),
    "no <observation> or <summary> block was found in it",
  ],
  [
    "an apology",
    inWords("I'm sorry, but I cannot keep notes on this. No observations were made."),
    "no <observation> or <summary> block was found in it",
  ],
  [
    "a question",
    inWords("Which of these is worth a note? None stands out."),
    "no <observation> or <summary> block was found in it",
  ],
  ["an empty block", inWords("<observation></observation>"), "an <observation> block was empty"],
  [
    "the form's own example",
    inWords(example),
    "an observation has no fact of 50 to 150 characters that stands alone",
  ],
  ["a word for nothing", inWords("<nothing/>"), null],
  ["a note", inWords(note), null],
  ["a draft before the note", inWords(`<think>${draft}\n</think>\n${note}`), null],
  ["a draft whose beginning the server ate", inWords(`${draft}\n</think>\n${note}`), null],
  ["the example before the note", inWords(`${example}\n${note}`), null],
];

describe.each(["anthropic", "openai-compatible"])("%s: an answer that is", (provider) => {
  const slots = {
    ...{ observation: ["hybrid", "heuristic"], summarization: "heuristic-summary" },
    provider,
  };
  const options = () => ({
    "openai-compatible": { baseURL: `${server.url}/v1`, model: "local" },
  });
  const fault = ([blocks, stop, message, finish]: Dialects): Fault =>
    provider === "anthropic" ? { said: blocks, stop } : { said: message, stop: finish };

  /** How the strategy's own work fares, as `status` has it. */
  async function observing() {
    const { subscriptions } = await runtime.status();
    const found = subscriptions.find((one) => one.plugin === "hybrid" && one.hook === "observe");
    if (!found) throw new Error("no strategy observes");
    return found;
  }

  /** What a prompt comes to whose batch meets these faults: requests, who wrote what, and the failure that `status` tells. */
  async function outcome(session: string, faults: Fault[]) {
    server.script(...faults);
    server.requests.length = 0;
    const before = await observing();
    const kept = await prompt(session);
    const after = await observing();
    const byModel = kept.filter(({ provenance }) => provenance.strategy === "hybrid");
    return {
      requests: server.requests.length,
      notes: byModel.map(({ title, facts }) => [title, ...facts].join(": ")),
      byHeuristic: kept.length > byModel.length,
      failure:
        after.failures === before.failures
          ? ""
          : /no readable answer: (.*?)[.] [(]/.exec(failing([after])[0]?.text ?? "")?.[1],
    };
  }
  const noted = {
    notes: [
      "Expired users are turned away: a.ts: login() throws LoginError where user.expired is set, before it returns",
    ],
    ...{ byHeuristic: false, failure: "" },
  };

  test("unreadable is asked for once more, then the heuristic's, and status says why", async () => {
    await start({ slots, plugins: options() });
    const found = [];
    for (const [name, answer] of answers)
      found.push({
        name,
        alone: await outcome(`${name}, alone`, [fault(answer)]),
        mended: await outcome(`${name}, mended`, [fault(answer), fault(inWords(note))]),
      });
    expect(found).toEqual(
      answers.map(([name, , why]) => {
        if (why !== null)
          return {
            name,
            alone: { requests: 2, notes: [], byHeuristic: true, failure: why },
            mended: { requests: 2, ...noted },
          };
        const readable = { requests: 1, ...noted };
        if (name === "a word for nothing") readable.notes = [];
        return { name, alone: readable, mended: readable };
      }),
    );
    await expectNothingLost(answers.length * 4);
    expect(await told()).toBe("");
  }, 30_000);

  test("a refusal as such is the heuristic's at once", async () => {
    await start({ slots, plugins: options() });
    server.script(fault(["", "refusal", { content: null, refusal: "I can't." }, "stop"]));
    expect((await prompt())[0]?.provenance.strategy).toBe("heuristic");
    expect(server.requests).toHaveLength(1);
    expect(failing((await runtime.status()).subscriptions)[0]?.text).toContain("refused to answer");
    await expectNothingLost(2);
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
