// Every tool as the protocol's own client calls it, over real records: what they do, and that nonsense is answered too.
import { afterAll, beforeAll, expect, test } from "bun:test";
import {
  Client,
  type ElicitResult,
  StreamableHTTPClientTransport,
} from "@modelcontextprotocol/client";
import type { RecordStore } from "../../../src/records/record-store.ts";
import { openRecords } from "../../../src/records/record-store.ts";
import { MemoirError } from "../../../src/sdk/errors.ts";
import { createHandler } from "../../../src/server/mcp/handler.ts";
import type { ToolDeps } from "../../../src/server/mcp/tool.ts";
import { forAgents } from "../../../src/server/memory/records.ts";
import { fakeHooks } from "../../support/fake-hooks.ts";
import {
  sampleObservation,
  samplePrompt,
  sampleSession,
  sampleTurn,
  shop,
} from "../../support/sample-records.ts";
import { ownParts } from "../fake-runtime.ts";

const now = Date.UTC(2026, 10, 20);
const troubles: unknown[] = [];
const stored: unknown[] = [];
let records: RecordStore;
let client: Client;
let here: Client;
/** One whose user can be asked. */
let asking: Client;
let alone: Client;
let answers: ElicitResult = { action: "cancel" };
const questions: string[] = [];

beforeAll(async () => {
  records = await openRecords(":memory:", () => now);
  const { id: session } = sampleSession();
  await records.put({
    key: "all",
    records: {
      sessions: [sampleSession()],
      prompts: [
        samplePrompt({ session, promptNumber: 1, text: "Why do refresh tokens expire?" }),
        samplePrompt({
          session,
          promptNumber: 2,
          text: "Remember: always run the TOKEN tests, first!",
        }),
      ],
      turns: [
        sampleTurn({
          session,
          promptNumber: 1,
          pieces: [
            { kind: "prompt", text: "Why do refresh tokens expire?" },
            { kind: "said", text: "The clock of the server is skewed." },
          ],
        }),
      ],
      observations: [
        sampleObservation({ session, promptNumber: 1, title: "Refresh tokens expire early" }),
      ],
    },
  });
  const { hooks } = {
    hooks: fakeHooks({
      "storage.put": (input) => records.put(input),
      "storage.search": (input) => records.search(input),
      "storage.get": (input) => records.get(input),
      "storage.observations": (input) => records.observations(input),
      "storage.summaries": (input) => records.summaries(input),
      "storage.prompts": (input) => records.prompts(input),
      "storage.sessions": (input) => records.sessions(input),
      "storage.memory": (input) => records.memory(input),
      "storage.turns": (input) => records.turns(input),
      "storage.stats": (input) => records.stats(input),
      "storage.amend": (input) => records.amend(input),
      stored: (notice) => void stored.push(notice),
    }),
  };
  const runtime = {
    home: "/h",
    hooks,
    projectOf: async (cwd: string) => (cwd === "/home/dev/ünder" ? shop : undefined),
    forget: (ids: readonly string[]) => records.delete({ ids: [...ids] }),
    endless: {
      async recall({ id }: { id: string }) {
        if (id === "toolu_1") return { text: "line 1", page: 1, pages: 1, parts: [] };
        throw new MemoirError("recall_not_found", "Nothing was kept.");
      },
    } as unknown as ToolDeps["runtime"]["endless"],
  };
  const seen = forAgents(runtime);
  const handle = createHandler({
    brought: { parts: ownParts, isOff: () => false },
    version: "9.9.9",
    ...{ runtime: seen, whole: runtime },
    now: () => now,
    onError: (error) => troubles.push(error),
  });
  const connect = async (headers: Record<string, string>, asks = false) => {
    const made = new Client(
      { name: "test", version: "1" },
      asks
        ? {
            capabilities: { elicitation: { form: {} } },
            versionNegotiation: { mode: "auto" },
          }
        : {},
    );
    if (asks)
      made.setRequestHandler("elicitation/create", async ({ params }) => {
        questions.push(params.message);
        return answers;
      });
    await made.connect(
      new StreamableHTTPClientTransport(new URL("http://localhost/mcp"), {
        fetch: (url, init) => handle(new Request(url, init)),
        requestInit: { headers },
      }),
    );
    return made;
  };
  client = await connect({});
  asking = await connect({}, true);
  alone = await connect({ "memoir-unattended": "1" }, true);
  here = await connect({
    "memoir-session": session,
    "memoir-cwd": encodeURIComponent("/home/dev/ünder"),
  });
});
afterAll(async () => {
  await client.close();
  await here.close();
  await asking.close();
  await alone.close();
  records.close();
  expect(troubles).toEqual([]);
});

async function call(name: string, input: Record<string, unknown>, by = client) {
  const { content, isError = false } = await by.callTool({ name, arguments: input });
  const text = (content as Array<{ text?: string }>).map(({ text = "" }) => text).join("");
  return { text, isError };
}

test("the list holds every tool, with schemas the client accepts", async () => {
  const { tools } = await client.listTools();
  expect(tools.map(({ name }) => name)).toEqual([
    ..."search remember timeline get recall correct forget".split(" "),
  ]);
});

test("search takes phrasings, filters and times, says what was corrected and why", async () => {
  const found = await call("search", {
    queries: ["login lost", "refresh tokens"],
    kind: "observation",
  });
  expect(found.text).toContain("o1 ");
  expect(found.text).not.toContain("t1 ");
  const typo = await call("search", { query: "refrehs", explain: true });
  expect(typo.text).toContain('No match for "refrehs"; searched for "refresh" instead.');
  expect(typo.text).toMatch(/because of \w+ \d/);
  expect((await call("search", { query: "refresh", since: "2100-01-01" })).text).toContain(
    "Nothing found",
  );
  expect((await call("search", { query: "refresh", client: "another" })).text).toContain(
    "Nothing found",
  );
  expect((await call("search", {})).text).toContain("t1 ");
});

test("what the asking session is at is no hit", async () => {
  const asked = { query: "TOKEN tests first" };
  expect((await call("search", asked)).text).toContain("p2 ");
  expect((await call("search", asked, here)).text).not.toContain("p2 ");
});

test("timeline and get lead from a hit to the whole of it", async () => {
  const line = await call("timeline", { around: "t1" });
  expect(line.text).toMatch(
    /t1 \d{4}-\d\d-\d\d \d\d:\d\d discovery: Refresh tokens expire early \(records o1\)/,
  );
  const whole = await call("get", { ids: ["t1", "o1"] });
  expect(whole.text).toContain("[said · agent] The clock of the server is skewed.");
  expect(whole.text).toContain("Refresh tokens expire early");
  expect((await call("recall", { tool_use_id: "toolu_1" })).text).toBe("line 1");
});

test("remember keeps the user's words for the project of the session, and says whose words they are", async () => {
  const content = "Token tests run before all others.";
  const kept = await call("remember", { content, quote: "always run the token tests first" }, here);
  expect(kept).toEqual({ text: `Remembered as m1 for ${shop.id}: ${content}`, isError: false });
  await call(
    "remember",
    { content: "Use tabs.", quote: "he surely wants tabs", kind: "decisions" },
    here,
  );
  expect(await records.memory({ order: "oldest" })).toMatchObject([
    {
      kind: "preferences",
      content,
      state: "standing",
      quote: "always run the token tests first",
      project: shop.id,
      date: "2026-11-20",
    },
    {
      kind: "decisions",
      content: "Use tabs.",
      quote: "he surely wants tabs",
    },
  ]);
  const again = await call(
    "remember",
    { content, quote: "always run the token tests first" },
    here,
  );
  expect(again.text).toContain("m1");
  expect(await records.memory({})).toHaveLength(2);
  expect(stored).toMatchObject([
    { project: shop.id, memory: [{ id: "m1", content }] },
    { memory: [{ id: "m2", content: "Use tabs." }] },
    { memory: [{ id: "m1" }] },
  ]);
  const nowhere = await call("remember", { content, quote: "so" });
  expect(nowhere.isError).toBe(true);
  expect(nowhere.text).toContain("which project");
});

test("a secret in what is to be remembered is not kept", async () => {
  const secret = `ghp_${"a1B2".repeat(9)}`;
  await call("remember", { content: `The key is ${secret}`, quote: secret }, here);
  expect(JSON.stringify(await records.memory({}))).not.toContain(secret);
});

test("what is hidden no tool tells; it can be told again, by its id", async () => {
  const hidden = await call("correct", { ids: ["o1", "t1"], verb: "hide", confirm: true });
  expect(hidden.text).toBe(hidden.text.replace(/early|expire\?/g, ""));
  expect((await call("get", { ids: ["o1"] })).isError).toBe(true);
  for (const [tool, input] of [
    ["search", { query: "refresh tokens expire" }],
    ["timeline", {}],
    ["forget", { project: shop.name }],
  ] as const)
    expect((await call(tool, input)).text).not.toMatch(
      /Refresh tokens expire early|Why do refresh/,
    );
  expect((await call("timeline", { around: "t1" })).isError).toBe(true);
  expect((await call("correct", { ids: ["o1"], verb: "unhide" })).text).toContain("o1 (hidden)");
  await call("correct", { ids: ["o1", "t1"], verb: "unhide", confirm: true });
  expect((await call("get", { ids: ["o1"] })).text).toContain("Refresh tokens expire early");
});

test("a client that can ask its user asks them, whatever the agent says", async () => {
  const pin = { ids: ["o1"], verb: "pin", confirm: true };
  answers = { action: "decline" };
  expect((await call("correct", pin, asking)).text).toBe(
    "The user did not agree. Nothing was changed.",
  );
  answers = { action: "cancel" };
  await call("forget", { ids: ["o1"], confirm: true }, asking);
  expect(await records.observations({ marked: "pinned" })).toEqual([]);
  expect(await records.observations({})).toHaveLength(1);
  expect(questions).toEqual([
    "These would be pinned to the top of every context:\no1 Refresh tokens expire early",
    expect.stringContaining("This would be deleted permanently:"),
  ]);
  answers = { action: "accept", content: {} };
  expect((await call("correct", pin, asking)).text).toContain("Done (pin)");
  expect(await records.observations({ marked: "pinned" })).toHaveLength(1);
  await call("correct", { ids: ["o1"], verb: "unpin" }, asking);
  expect(await records.observations({ marked: "pinned" })).toEqual([]);
});

test("a client before which nobody sits is not made to ask", async () => {
  questions.length = 0;
  await call("correct", { ids: ["o1"], verb: "pin", confirm: true }, alone);
  expect(await records.observations({ marked: "pinned" })).toHaveLength(1);
  expect((await call("correct", { ids: ["o1"], verb: "unpin" }, alone)).text).toContain(
    "call again with confirm: true",
  );
  await call("correct", { ids: ["o1"], verb: "unpin", confirm: true }, alone);
  expect(questions).toEqual([]);
});

test("forget takes a whole session by the beginning of its id, once that is confirmed", async () => {
  const { id } = sampleSession();
  // Its beginning looks like the id of a record, of a kind that there is none of.
  const other = "e0431562-whole";
  await records.put({
    key: "other",
    records: {
      sessions: [sampleSession({ id: other, title: "The badger" })],
      prompts: [samplePrompt({ session: other, text: "Find the badger" })],
      observations: [sampleObservation({ session: other, title: "A badger" })],
    },
  });
  const shown = await call("forget", { ids: ["e0431"] });
  expect(shown.text).toContain(`the whole session ${other} (The badger): 0 turns, 1 observation`);
  expect(await records.get({ ids: [other] })).toHaveLength(1);
  const done = await call("forget", { ids: ["e0431"], confirm: true });
  expect(done.text).toStartWith(`Deleted ${other}, `);
  expect(await records.get({ ids: [other] })).toEqual([]);
  expect((await records.search({ text: "badger" })).map(({ id }) => id)).toEqual([]);
  expect(await records.get({ ids: [id] })).toHaveLength(1);
});

const nonsense: Array<[string, Record<string, unknown>]> = [
  ["search", { query: 7 }],
  ["search", { queries: "refresh" }],
  ["search", { queries: [null] }],
  ["search", { queries: Array.from({ length: 30 }, () => "a") }],
  ["search", { query: "x".repeat(100_000) }],
  ["search", { query: "x", limit: 0 }],
  ["search", { query: "x", limit: 1e9 }],
  ["search", { query: "x", kind: "everything" }],
  ["search", { query: "x", since: "the day before" }],
  ["search", { query: "x", limt: 3 }],
  ["search", { query: "x", days: 3 }],
  ["timeline", { around: "o999" }],
  ["timeline", { until: "never" }],
  ["timeline", { session: [] }],
  ["get", {}],
  ["get", { ids: [] }],
  ["get", { ids: "o1" }],
  ["get", { ids: [""] }],
  ["get", { ids: ["nothing"] }],
  ["get", { ids: Array.from({ length: 21 }, () => "o1") }],
  ["recall", {}],
  ["recall", { tool_use_id: "gone" }],
  ["recall", { tool_use_id: "toolu_1", page: 1.5 }],
  ["remember", { content: "x" }],
  ["remember", { content: "", quote: "" }],
  ["remember", { content: "x", quote: "y", kind: "secrets" }],
  ["forget", { ids: ["o1"], confirm: "yes" }],
  ["forget", { confirm: true }],
  ["nothing", {}],
];
test.each(nonsense)("%s %j is refused in words", async (name, input) => {
  const answer = await call(name, input, here).catch((error: Error) => ({
    text: error.message,
    isError: true,
  }));
  expect(answer.isError).toBe(true);
  expect(answer.text.length).toBeGreaterThan(10);
  expect(answer.text).not.toContain("its log says why");
});

test.each([
  ["search", { q: "x" }, "q: unknown key; there is query, queries, kind, project"],
  ["search", { query: "x", limt: 3 }, 'limt: unknown key; did you mean "limit"?'],
  ["search", { query: 7 }, "query: must be a string, but is 7"],
  ["recall", {}, "tool_use_id: is missing"],
  ["forget", {}, "Nothing says what to forget."],
])("%s %j is answered with what there is", async (name, input, words) => {
  expect((await call(name, input, here)).text).toContain(words);
});

test("a project that nobody knows is told from one where nothing fits", async () => {
  const near = { query: "refresh", project: "shpo" };
  expect((await call("search", near)).text).toContain(
    "There is no project shpo; did you mean shop?",
  );
  const known = { query: "xylophone", project: "shop" };
  expect((await call("search", known)).text).toContain("Nothing found.");
  expect((await call("timeline", { project: "elsewhere" })).text).toContain(
    "There is no project elsewhere.",
  );
});

test.each(['"', "''", "a AND (b OR NOT", "*", "🙂", "的", "the and of", "\u0000", "% _", "{}"])(
  "a question of %j is answered",
  async (query) => {
    expect((await call("search", { query, queries: [query, ""] })).isError).toBe(false);
  },
);
