// The promises of `storage.put` and `storage.get`: atomic, once a key, nothing lost or invented.
import assert from "node:assert/strict";
import type { StorageClient } from "../../sdk/context.ts";
import type { Records } from "../../sdk/model.ts";
import { openStorage, putAnew, type SuiteCase, storageCase, suiteCase } from "../room.ts";
import {
  noon,
  sampleMemory,
  sampleObservation,
  samplePrompt,
  sampleSession,
  sampleSummary,
  sampleTurn,
  shop,
} from "../samples.ts";

const everything: Records = {
  sessions: [sampleSession({ title: "Fix the login", subtitle: "It reloaded", prompts: 1 })],
  prompts: [samplePrompt()],
  observations: [
    sampleObservation({
      title: "Login form reloads the page",
      subtitle: "The submit handler does not prevent the default",
      facts: ["src/login.ts calls fetch without preventDefault"],
      narrative: "The form is submitted by the browser as well.",
      concepts: ["frontend", "forms"],
      filesRead: ["src/form.ts"],
      filesModified: ["src/login.ts"],
      toolUseIds: ["toolu_1", "toolu_2"],
      evidence: [{ turn: 1, piece: 0 }],
      branch: "fix-login",
      agent: { id: "agent-1", type: "explorer" },
      discoveryTokens: 1234,
      observerTokens: null,
      provenance: { strategy: "sample", model: "small-1" },
    }),
  ],
  summaries: [
    sampleSummary({
      request: "Stop the reload",
      investigated: "The form",
      learned: "Why it reloads",
      completed: "preventDefault is called",
      nextSteps: "Add a test",
      filesRead: ["src/form.ts"],
      filesEdited: ["src/login.ts"],
      notes: "None",
      evidence: [{ turn: 1, piece: 2 }],
    }),
  ],
  turns: [
    sampleTurn({
      branch: "fix-login",
      time: noon + 5,
      end: "interrupted",
      pieces: [
        { kind: "prompt", text: "Why does the login page reload?", time: noon, uuid: "u1" },
        {
          kind: "failure",
          text: "1 fail",
          about: "npm test",
          described: "Run the tests",
          times: 2,
          toolUseId: "toolu_1",
          agent: "agent-1",
          requestId: "req_1",
          shortened: 300,
        },
        { kind: "interrupted", text: "" },
      ],
      files: [
        { path: "src/login.ts", changed: true, symbols: ["submit"] },
        { path: "src/form.ts", changed: false },
      ],
      leftOut: { passed: 3 },
      gaps: true,
    }),
  ],
  memory: [
    sampleMemory({
      content: "Prefers small commits",
      context: "Said so twice",
      state: "standing",
      quote: "I prefer small commits",
      evidence: [{ session: "session-0", turn: 4, piece: 0 }],
    }),
  ],
};

export const puttingCases: SuiteCase[] = [
  storageCase("gives back every field of every kind", async (storage) => {
    const put = await putAnew(storage, everything);
    assert.equal(put.written, true);
    const [prompt] = await storage.prompts({});
    const [memory] = await storage.search({ text: "", kinds: ["memory"] });
    const ids = [
      ...put.observations,
      ...put.summaries,
      ...put.turns,
      prompt?.id ?? "",
      memory?.id ?? "",
    ];
    assert.equal(new Set(ids).size, 5, "ids are unique over all kinds");
    const got = await storage.get({ ids: [...ids, "session-1", "o999999", "no such session"] });
    assert.deepEqual(
      got.map(({ kind }) => kind),
      ["observation", "summary", "turn", "prompt", "memory", "session"],
    );
    const wanted = [
      everything.observations?.[0],
      everything.summaries?.[0],
      everything.turns?.[0],
      everything.prompts?.[0],
      everything.memory?.[0],
    ].map((record, i) => ({ ...record, id: ids[i] }));
    assert.deepEqual(
      got.slice(0, 5).map(({ record }) => record),
      wanted,
    );
    assert.deepEqual(got[5]?.record, {
      ...everything.sessions?.[0],
      observations: 1,
      endedAt: null,
    });
  }),

  storageCase("answers a repeated key with the first ids and writes nothing", async (storage) => {
    const first = await storage.put({ key: "a", records: everything });
    const other: Records = { observations: [sampleObservation({ title: "Something else" })] };
    const again = await storage.put({ key: "a", records: other });
    assert.deepEqual(again, { ...first, written: false });
    assert.equal((await storage.stats({})).observations, 1);
  }),

  storageCase("writes all records of a put or none", async (storage) => {
    const broken = { ...sampleObservation(), promptNumber: "one" } as unknown as ReturnType<
      typeof sampleObservation
    >;
    const records: Records = { ...everything, observations: [sampleObservation(), broken] };
    await assert.rejects(storage.put({ key: "a", records }), /observations\.1\.promptNumber/);
    await assert.rejects(storage.put({ key: "", records: everything }));
    const stats = await storage.stats({});
    const { sessions, prompts, observations, summaries, memory, turns } = stats;
    assert.deepEqual(
      [sessions, prompts, observations, summaries, memory, turns],
      [0, 0, 0, 0, 0, 0],
    );
    assert.deepEqual(await storage.search({ text: "" }), []);
    assert.equal((await storage.put({ key: "a", records: everything })).written, true);
  }),

  storageCase("takes many puts at once, and of one key a single one", async (storage) => {
    const puts = Array.from({ length: 60 }, (_, i) => {
      const number = i % 30;
      return storage.put({
        key: `key-${number}`,
        records: {
          observations: [sampleObservation({ title: `Number ${number}`, promptNumber: number })],
        },
      });
    });
    const results = await Promise.all(puts);
    assert.equal(results.filter((result) => result.written).length, 30);
    for (const [i, result] of results.entries())
      assert.deepEqual(result.observations, results[i % 30]?.observations);
    assert.equal((await storage.stats({})).observations, 30);
  }),

  suiteCase("is one storage to two that have it open", async (room) => {
    // While plugins are reloaded, the old one and the new one are there at once.
    const [one, two] = [await openStorage(room), await openStorage(room)];
    const results = await Promise.all(
      Array.from({ length: 40 }, (_, i) => {
        const number = Math.floor(i / 2);
        const observations = [
          sampleObservation({ title: `Number ${number}`, promptNumber: number }),
        ];
        return (i % 2 ? one : two).storage.put({ key: `key-${number}`, records: { observations } });
      }),
    );
    assert.equal(results.filter(({ written }) => written).length, 20, "each key is written once");
    for (const { storage } of [one, two]) {
      const ids = results.flatMap(({ observations }) => observations);
      assert.equal((await storage.get({ ids: [...new Set(ids)] })).length, 20);
      assert.equal((await storage.stats({})).observations, 20);
    }
  }),

  suiteCase("keeps everything over a restart", async (room) => {
    const before = await openStorage(room);
    const put = await before.storage.put({ key: "a", records: everything });
    await before.close();
    const { storage } = await openStorage(room);
    assert.deepEqual(await storage.put({ key: "a", records: everything }), {
      ...put,
      written: false,
    });
    assert.equal((await storage.search({ text: "preventDefault" })).length > 0, true);
  }),

  storageCase("updates a session and keeps what is absent", async (storage) => {
    const update = (session: Parameters<typeof sampleSession>[0]) =>
      putAnew(storage, { sessions: [sampleSession(session)] });
    await update({ title: "First title", subtitle: "Sub", prompts: 3, transcriptPath: "/t" });
    const end = { endedAt: noon + 9, lastActiveAt: noon + 9, endReason: "clear" };
    await update({ status: "ended", ...end });
    await update({ title: "Second title", status: "ended", prompts: 2 });
    const [session, ...others] = await storage.sessions({});
    assert.equal(others.length, 0);
    assert.deepEqual(session, {
      ...sampleSession({ transcriptPath: "/t" }),
      title: "Second title",
      subtitle: "Sub",
      prompts: 3,
      status: "ended",
      lastActiveAt: noon + 9,
      endedAt: noon + 9,
      endReason: "clear",
      observations: 0,
    });
    await update({ endedAt: null });
    const [open] = await storage.sessions({});
    assert.equal(open?.endedAt, null, "null takes the end back");
    assert.equal(open?.endReason, undefined, "and the reason with it");
  }),

  storageCase("tells sessions of two clients with one id apart", async (storage) => {
    await putAnew(storage, {
      sessions: [sampleSession(), sampleSession({ client: "other", title: "Another" })],
      observations: [sampleObservation(), sampleObservation({ client: "other" })],
    });
    const sessions = await storage.sessions({});
    assert.deepEqual(sessions.map(({ client, observations }) => [client, observations]).sort(), [
      ["claude-code", 1],
      ["other", 1],
    ]);
  }),

  storageCase("keeps a record whose session was never put", async (storage) => {
    await putAnew(storage, { observations: [sampleObservation()] });
    const [session] = await storage.sessions({});
    assert.equal(session?.id, "session-1");
    assert.deepEqual([session?.project.id, session?.project.name], [shop.id, "shop"]);
  }),

  storageCase("replaces a summary of the same session, scope and prompt", async (storage) => {
    const put = (part: Parameters<typeof sampleSummary>[0]) =>
      putAnew(storage, { summaries: [sampleSummary(part)] });
    const first = await put({ completed: "Half of it" });
    const second = await put({ completed: "All of it", filesEdited: ["a.ts"] });
    await put({ scope: "session", completed: "The session" });
    await put({ promptNumber: 2, completed: "The next prompt" });
    assert.deepEqual(second.summaries, first.summaries);
    const completed = (await storage.summaries({})).map((summary) => summary.completed).sort();
    assert.deepEqual(completed, ["All of it", "The next prompt", "The session"]);
    assert.equal((await storage.search({ text: "half" })).length, 0, "the old text is not found");
  }),

  storageCase("replaces a turn of the same session and prompt in place", async (storage) => {
    const put = (part: Parameters<typeof sampleTurn>[0]) =>
      putAnew(storage, { turns: [sampleTurn(part)] });
    const files = [{ path: "a.ts", changed: true }];
    const first = await put({ end: "open", files });
    const second = await put({ end: "closed" });
    await put({ promptNumber: 2, end: "open" });
    await put({ session: "session-2", end: "interrupted" });
    assert.deepEqual(second.turns, first.turns);
    const ends = (await storage.turns({})).map(({ end }) => end).sort();
    assert.deepEqual(ends, ["closed", "interrupted", "open"]);
    assert.deepEqual(await storage.turns({ file: "a.ts" }), [], "nor by what it had before");
    assert.equal((await storage.stats({})).turns, 3);
  }),

  storageCase("keeps one text a prompt", async (storage) => {
    await putAnew(storage, { prompts: [samplePrompt()] });
    await putAnew(storage, { prompts: [samplePrompt({ text: "Corrected" })] });
    assert.deepEqual(
      (await storage.prompts({})).map((prompt) => prompt.text),
      ["Corrected"],
    );
  }),

  storageCase("merges the repeat of an observation in its session", async (storage) => {
    const fact = "The cache is cleared on every request of the admin page";
    const put = (part: Parameters<typeof sampleObservation>[0]) =>
      putAnew(storage, { observations: [sampleObservation({ facts: [fact], ...part })] });
    const first = await put({ toolUseIds: ["t1"], filesRead: ["a.ts"] });
    const second = await put({ toolUseIds: ["t2"], filesRead: ["b.ts"], promptNumber: 2 });
    assert.deepEqual(second.observations, first.observations);
    const [merged, ...others] = await storage.observations({ superseded: true });
    assert.equal(others.length, 0);
    assert.deepEqual(
      [merged?.toolUseIds, merged?.filesRead],
      [
        ["t1", "t2"],
        ["a.ts", "b.ts"],
      ],
    );
    const elsewhere = await put({ session: "session-2" });
    assert.notDeepEqual(elsewhere.observations, first.observations);
  }),

  storageCase("gives text back as it came, but whole characters only", async (storage) => {
    const title = "Emoji 😀, quotes \" ' `, \\ and 日本語 — $1; DROP TABLE observations;";
    const facts = ["NUL \0 inside", "lone \ud800 surrogate", "line\nbreak\ttab"];
    const put = await putAnew(storage, { observations: [sampleObservation({ title, facts })] });
    const got = await observation(storage, put.observations[0]);
    assert.equal(got?.title, title);
    assert.equal(JSON.stringify(got?.facts).includes("\\ud800"), false);
    assert.equal(got?.facts[2], facts[2]);
    assert.equal(
      got?.facts.every((fact) => fact.isWellFormed()),
      true,
    );
  }),
];

async function observation(storage: StorageClient, id = "") {
  const [found] = await storage.get({ ids: [id] });
  return found?.kind === "observation" ? found.record : undefined;
}
