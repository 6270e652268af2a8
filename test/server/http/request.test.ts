// What a refused request is answered: the place, what may stand there, never what was given.
import { describe, expect, test } from "bun:test";
import { silentLog } from "../../../src/home/log.ts";
import { createApp } from "../../../src/server/app.ts";
import { appOptions } from "../app-options.ts";

const secret = "hunter2-hunter2";
const app = createApp(appOptions());

async function problem(path: string, body?: unknown): Promise<Record<string, string>> {
  const response = await app.handle(
    new Request(`http://localhost${path}`, {
      ...(body === undefined ? {} : { method: "POST", body: JSON.stringify(body) }),
    }),
  );
  const text = await response.text();
  expect(response.status).toBe(400);
  expect(text).not.toContain(secret);
  return JSON.parse(text).error;
}

describe("a query", () => {
  const wrong: Array<[query: string, message: string, fix?: string]> = [
    [`/api/search?projcet=${secret}`, "There is no such parameter: `projcet`.", "Write `project`."],
    [
      `/api/sessions?colour=${secret}`,
      "There is no such parameter: `colour`.",
      "Use one of `project`, `client`, `person`, `since`, `until`, `limit`, `offset`, `order`, `outline`.",
    ],
    [`/api/search?${secret}%20${secret}=1`, "There is a parameter that is not known here."],
    [
      `/api/search?level=${secret}`,
      "`level` must be one of sessions, summaries, titles, facts, narratives.",
    ],
    [
      `/api/search?kinds=observation,${secret}`,
      "`kinds.1` must be one of observation, summary, prompt, session, memory, turn.",
    ],
    [`/api/search?limit=${secret}`, "`limit` must be a whole number from 1 to 200."],
    ["/api/search?limit=201", "`limit` must be a whole number from 1 to 200."],
    [`/api/usage?since=${secret}`, "`since` must be a whole number."],
    ["/api/usage?since=9999999999999999", "`since` must be a whole number."],
    ["/api/context", "`cwd` or `project` is missing.", "Say one of them."],
    ["/api/marked", "`mark` is missing."],
    ["/api/context?cwd=", "`cwd` is empty."],
    [`/api/sessions/${secret.repeat(200)}`, "`id` is too long."],
  ];
  for (const [path, message, fix] of wrong)
    test(path.slice(0, 60), async () => {
      const answer = await problem(path);
      expect(answer).toMatchObject({ code: "usage", message, ...(fix && { fix }) });
    });
});

describe("a body", () => {
  const wrong: Array<[path: string, body: unknown, message: string]> = [
    ["/api/drain", { sesion: secret }, "There is no such field: `sesion`."],
    ["/api/drain", { timeoutMs: secret }, "`timeoutMs` must be a number."],
    ["/api/drain", { timeoutMs: -1 }, "`timeoutMs` must be milliseconds, at most 600000."],
    ["/api/drain", [secret], "The body must be an object."],
    ["/api/retry", { ids: [1, secret] }, "`ids.1` must be a number."],
    ["/api/stop", { now: secret }, "There is no such field: `now`."],
    ["/api/backfill", { sessions: secret }, "`sessions` must be a list."],
    [
      "/api/sync/spaces",
      { kind: "mine", hub: { type: "folder", folder: "/nowhere" }, person: "x".repeat(101) },
      "`person` has more than 100 characters.",
    ],
    // A schema would leave it out, and the answer would be that it was saved.
    [
      "/api/plugins/context-handover/options",
      { set: { constructor: secret } },
      "`constructor` cannot be the name of a field.",
    ],
    [
      "/api/plugins/context-handover/options",
      { set: { deep: [{ prototype: secret }] } },
      "`prototype` cannot be the name of a field.",
    ],
  ];
  for (const [path, body, message] of wrong)
    test(`${path} ${JSON.stringify(body)}`, async () => {
      const answer = await problem(path, body);
      expect(answer).toMatchObject({ code: "usage", message });
      // A flag of the command line helps nobody here.
      expect(answer.fix).not.toContain("--");
    });

  test("that is not valid JSON", async () => {
    const request = new Request("http://localhost/api/drain", {
      method: "POST",
      body: `{${secret}`,
    });
    const response = await app.handle(request);
    const text = await response.text();
    expect(JSON.parse(text).error).toMatchObject({ code: "payload_invalid" });
    expect([response.status, text.includes(secret)]).toEqual([400, false]);
  });

  test("that is announced too large", async () => {
    const headers = { "content-length": String(65 * 1024 * 1024) };
    const request = new Request("http://localhost/api/drain", {
      method: "POST",
      body: "{}",
      headers,
    });
    const response = await app.handle(request);
    expect(response.status).toBe(413);
    expect((await response.json()).error.code).toBe("payload_too_large");
  });

  test("of many wrong items costs no more than one", async () => {
    const sessions = Array.from({ length: 20_000 }, () => ({ session: secret, folder: 1 }));
    expect((await problem("/api/backfill", { sessions, modelFree: true })).message).toBe(
      "`sessions.0.folder` must be a string.",
    );
  });
});

test("a text that looks like JSON stays a text", async () => {
  const seen: unknown[] = [];
  const asking = createApp(
    appOptions({
      answers: {
        "storage.search": (asked) => {
          seen.push(asked.text);
          return [];
        },
      },
    }),
  );
  const texts = ["[1,2]", "{}", "[a]", "a+b", "100%"];
  for (const text of texts) {
    const response = await asking.handle(
      new Request(`http://localhost/api/search?${new URLSearchParams({ text })}`),
    );
    expect(response.status).toBe(200);
  }
  expect(seen).toEqual(texts);
});

test("an answer that breaks its schema is an error of the server's own, in the log with its place", async () => {
  const logged: unknown[] = [];
  const log = { ...silentLog, error: (_: string, fields?: object) => void logged.push(fields) };
  const broken = createApp({
    ...appOptions({ answers: { "storage.search": () => [{ id: 7 }] as never } }),
    log,
  });
  const response = await broken.handle(new Request("http://localhost/api/search"));
  expect(response.status).toBe(500);
  expect((await response.json()).error).toMatchObject({
    code: "internal",
    message: "The answer is not as its schema says: results.0.id.",
  });
  expect(logged).toMatchObject([{ path: "/api/search" }]);
});
