// The promises of the listing hooks: order, pages, every filter, and what counts as current.
import assert from "node:assert/strict";
import type { StorageClient } from "../../sdk/context.ts";
import type { RecordFilter } from "../../sdk/storage.ts";
import { putAnew, type SuiteCase, storageCase } from "../room.ts";
import {
  blog,
  noon,
  sampleMemory,
  sampleObservation,
  samplePrompt,
  sampleSession,
  sampleSummary,
  sampleTurn,
  shop,
} from "../samples.ts";

/** Eight observations in two projects and three sessions; titles are single letters in time order. */
async function fill(storage: StorageClient): Promise<void> {
  const sessions = [
    sampleSession({ id: "aaaa-1", lastActiveAt: noon + 3 }),
    sampleSession({ id: "aaab-2", startedAt: noon + 4, lastActiveAt: noon + 5 }),
    sampleSession({ id: "bbbb-3", project: blog, startedAt: noon + 6, lastActiveAt: noon + 7 }),
  ];
  const of = ["aaaa-1", "aaaa-1", "aaaa-1", "aaaa-1", "aaab-2", "aaab-2", "bbbb-3", "bbbb-3"];
  const observations = [..."abcdefgh"].map((letter, i) =>
    sampleObservation({
      title: letter,
      session: of[i] ?? "",
      project: i < 6 ? shop.id : blog.id,
      time: noon + i,
      type: i % 2 === 0 ? "bugfix" : "feature",
      concepts: i === 2 || i === 6 ? ["caching", "api-design"] : ["testing"],
      filesRead: i === 1 ? ["src/auth.ts"] : [],
      filesModified: i === 3 ? ["lib/src/auth.ts"] : i === 4 ? ["src/oauth.ts"] : [],
    }),
  );
  // Stored out of order: lists go by time.
  const late = observations.splice(2, 2);
  await putAnew(storage, { sessions, observations });
  await putAnew(storage, { observations: late });
}

const filters: Array<[string, RecordFilter, string]> = [
  ["nothing", {}, "hgfedcba"],
  ["a project's id", { project: shop.id }, "fedcba"],
  ["a project's name", { project: "blog" }, "hg"],
  ["an unknown project", { project: "nowhere" }, ""],
  ["a session", { session: "aaab-2" }, "fe"],
  ["the beginning of a session", { session: "aaaa" }, "dcba"],
  ["an unknown session", { session: "zzzz" }, ""],
  ["no session", { session: "" }, ""],
  ["a type", { type: "bugfix" }, "geca"],
  ["an unknown type", { type: "decision" }, ""],
  ["a concept", { concept: "caching" }, "gc"],
  ["a concept with a dash", { concept: "api-design" }, "gc"],
  ["part of a concept", { concept: "api" }, ""],
  ["a file's name", { file: "auth.ts" }, "db"],
  ["the end of a path", { file: "src/auth.ts" }, "db"],
  ["a whole path", { file: "lib/src/auth.ts" }, "d"],
  ["a path with a dot", { file: "./src/auth.ts" }, "db"],
  ["a path in another notation", { file: "src\\auth.ts" }, "db"],
  ["an absolute path", { file: `${shop.root}/src/auth.ts` }, "b"],
  ["an absolute path elsewhere", { file: "/elsewhere/src/auth.ts" }, ""],
  ["the end of a name only", { file: "uth.ts" }, ""],
  ["the end of a folder's name only", { file: "rc/auth.ts" }, ""],
  ["wildcards, taken literally", { file: "%.ts" }, ""],
  ["since, inclusive", { since: noon + 6 }, "hg"],
  ["until, exclusive", { until: noon + 2 }, "ba"],
  ["a stretch of time", { since: noon + 2, until: noon + 4 }, "dc"],
  ["all together", { project: "shop", type: "bugfix", concept: "caching", since: noon }, "c"],
];

const titles = (records: ReadonlyArray<{ title: string }>) => records.map((r) => r.title).join("");

export const listingCases: SuiteCase[] = [
  storageCase("filters observations, newest first", async (storage) => {
    await fill(storage);
    for (const [name, filter, wanted] of filters)
      assert.equal(titles(await storage.observations(filter)), wanted, name);
  }),

  storageCase("filters a search without words the same way", async (storage) => {
    await fill(storage);
    for (const [name, filter, wanted] of filters) {
      const found = await storage.search({ text: " ", kinds: ["observation"], ...filter });
      assert.equal(titles(found), wanted, name);
    }
  }),

  storageCase("refuses the beginning of several sessions", async (storage) => {
    await fill(storage);
    const ambiguous = { code: "session_ambiguous" };
    await assert.rejects(storage.observations({ session: "aaa" }), ambiguous);
    await assert.rejects(storage.search({ text: "a", session: "aaa" }), ambiguous);
  }),

  storageCase("takes a full session id that begins another", async (storage) => {
    const records = {
      observations: ["run", "run-2"].map((session) =>
        sampleObservation({ session, title: session }),
      ),
    };
    await putAnew(storage, records);
    assert.equal(titles(await storage.observations({ session: "run" })), "run");
  }),

  storageCase("takes a name for all projects that have it", async (storage) => {
    const observations = ["github.com/a/site", "github.com/b/Site", "github.com/b/other"].map(
      (project, i) => sampleObservation({ project, session: `s-${i}`, title: "xyz"[i] ?? "" }),
    );
    await putAnew(storage, { observations });
    for (const project of ["site", "SITE"]) {
      assert.equal(titles(await storage.observations({ project, order: "oldest" })), "xy");
      const words = await storage.search({ text: "x y z", project });
      assert.equal(titles(words.filter(({ kind }) => kind === "observation")).length, 2);
    }
    assert.equal(titles(await storage.observations({ project: "github.com/a/site" })), "x");
  }),

  storageCase("gives pages that fit together, in both orders", async (storage) => {
    await fill(storage);
    const page = async (order: "newest" | "oldest", offset: number) =>
      titles(await storage.observations({ order, limit: 3, offset }));
    assert.deepEqual(await Promise.all([0, 3, 6, 9].map((offset) => page("newest", offset))), [
      "hgf",
      "edc",
      "ba",
      "",
    ]);
    assert.deepEqual(await Promise.all([0, 3, 6].map((offset) => page("oldest", offset))), [
      "abc",
      "def",
      "gh",
    ]);
    assert.deepEqual(await storage.observations({ limit: 0 }), []);
  }),

  storageCase(
    "lists sessions by their last activity, summaries and prompts by theirs",
    async (storage) => {
      await fill(storage);
      const ids = async (filter: RecordFilter) =>
        (await storage.sessions(filter)).map((session) => session.id);
      assert.deepEqual(await ids({}), ["bbbb-3", "aaab-2", "aaaa-1"]);
      assert.deepEqual(await ids({ project: "shop" }), ["aaab-2", "aaaa-1"]);
      assert.deepEqual(await ids({ since: noon + 5 }), ["bbbb-3", "aaab-2"]);
      assert.deepEqual(await ids({ until: noon + 4 }), ["aaaa-1"]);
      assert.deepEqual(await ids({ file: "oauth.ts" }), ["aaab-2"]);
      assert.deepEqual(await ids({ concept: "caching", type: "bugfix" }), ["bbbb-3", "aaaa-1"]);

      await putAnew(storage, {
        prompts: [1, 2].map((n) =>
          samplePrompt({ promptNumber: n, text: `p${n}`, time: noon + n }),
        ),
        summaries: [
          sampleSummary({ request: "one", time: noon + 1, filesEdited: ["src/auth.ts"] }),
          sampleSummary({ request: "two", time: noon + 2, scope: "session", promptNumber: 2 }),
        ],
      });
      const requests = async (query: Parameters<StorageClient["summaries"]>[0]) =>
        (await storage.summaries(query)).map((summary) => summary.request);
      assert.deepEqual(await requests({}), ["two", "one"]);
      assert.deepEqual(await requests({ order: "oldest" }), ["one", "two"]);
      assert.deepEqual(await requests({ scope: "prompt" }), ["one"]);
      assert.deepEqual(await requests({ file: "auth.ts" }), ["one"]);
      assert.deepEqual(await requests({ until: noon + 2, order: "oldest" }), ["one"]);
      assert.deepEqual(
        (await storage.prompts({ order: "oldest" })).map((prompt) => prompt.text),
        ["p1", "p2"],
      );
    },
  ),

  storageCase("lists memory items by kind, project and time", async (storage) => {
    const item = (content: string, part: Parameters<typeof sampleMemory>[0]) =>
      sampleMemory({ content, ...part });
    await putAnew(storage, {
      sessions: [sampleSession({ id: "session-2" })],
      memory: [
        item("a", { kind: "decisions", date: "2026-11-03" }),
        item("b", { date: "2026-11-01" }),
        item("c", { kind: "facts", date: "2026-11-02", session: "session-2" }),
        item("d", { kind: "decisions", project: blog.id, date: "2026-11-04" }),
      ],
    });
    const contents = async (query: Parameters<StorageClient["memory"]>[0]) =>
      (await storage.memory(query)).map(({ content }) => content).join("");
    assert.equal(await contents({}), "dacb");
    assert.equal(await contents({ order: "oldest", limit: 2, offset: 1 }), "ca");
    assert.equal(await contents({ project: shop.id, kinds: ["decisions", "preferences"] }), "ab");
    assert.equal(await contents({ session: "session-2" }), "c");
    assert.equal(await contents({ kinds: [] }), "");
    assert.equal(
      await contents({ since: Date.UTC(2026, 10, 3), until: Date.UTC(2026, 10, 4) }),
      "a",
    );
  }),

  storageCase("lists turns by place, prompt, file and time", async (storage) => {
    const file = (path: string, changed: boolean) => ({ files: [{ path, changed }] });
    const turns = [
      sampleTurn({ startedAt: noon, ...file("src/auth.ts", true) }),
      sampleTurn({ startedAt: noon + 2, promptNumber: 2, ...file("src/auth.ts", false) }),
      sampleTurn({ startedAt: noon + 1, session: "session-2", ...file("oauth.ts", true) }),
      sampleTurn({ startedAt: noon + 3, session: "session-3", project: blog.id }),
    ].map((turn, i) => ({ ...turn, pieces: [{ kind: "prompt" as const, text: "abcd"[i] ?? "" }] }));
    await putAnew(storage, { sessions: [sampleSession()], turns });
    const texts = async (query: Parameters<StorageClient["turns"]>[0]) =>
      (await storage.turns(query)).map(({ pieces }) => pieces[0]?.text).join("");
    assert.equal(await texts({}), "dbca");
    assert.equal(await texts({ order: "oldest", limit: 2, offset: 1 }), "cb");
    assert.equal(await texts({ project: "shop" }), "bca");
    assert.equal(await texts({ session: "session-1" }), "ba");
    assert.equal(await texts({ session: "session-1", promptNumber: 2 }), "b");
    assert.equal(await texts({ file: "auth.ts" }), "ba");
    assert.equal(await texts({ file: `${shop.root}/src/auth.ts` }), "ba");
    assert.equal(await texts({ since: noon + 1, until: noon + 3 }), "bc");
    assert.equal(await texts({ session: "nobody" }), "");
  }),

  storageCase("leaves out what a newer observation supersedes", async (storage) => {
    const put = (part: Parameters<typeof sampleObservation>[0]) =>
      putAnew(storage, {
        observations: [
          sampleObservation({
            title: "Tokens expire after one hour",
            filesRead: ["a.ts"],
            ...part,
          }),
        ],
      });
    const old = await put({ facts: ["One hour."] });
    const other = await put({ facts: ["Elsewhere."], filesRead: ["b.ts"], promptNumber: 2 });
    const foreign = await put({ project: blog.id, session: "s-3", facts: ["Not ours."] });
    const now = await put({
      title: "Token expires after one hour",
      facts: ["Two hours."],
      session: "s-2",
      time: noon + 1,
    });
    const late = await put({ facts: ["Half."], session: "s-0", time: noon - 5 });

    const current = (await storage.observations({})).map((o) => o.id);
    assert.deepEqual(
      current.sort(),
      [...other.observations, ...foreign.observations, ...now.observations].sort(),
    );
    const all = await storage.observations({ superseded: true });
    assert.equal(all.length, 5);
    const history = await storage.observations({ session: "session-1" });
    assert.equal(
      history.some(({ id }) => id === old.observations[0]),
      true,
    );
    const left = await storage.observations({ session: "session-1", superseded: false });
    assert.equal(
      left.some(({ id }) => id === old.observations[0]),
      false,
    );
    const [got] = await storage.get({ ids: old.observations });
    assert.equal(got?.kind === "observation" && got.record.supersededBy, now.observations[0]);
    const [imported] = await storage.get({ ids: late.observations });
    const newer = [...old.observations, ...now.observations];
    assert.ok(
      imported?.kind === "observation" && newer.includes(imported.record.supersededBy ?? ""),
      "what is imported late is superseded by what is newer",
    );
    const [best] = await storage.search({ text: "token expires", project: "shop", file: "a.ts" });
    assert.equal(best?.id, now.observations[0]);
  }),

  storageCase("counts what is stored, by project", async (storage) => {
    assert.deepEqual((await storage.stats({})).projects, []);
    await fill(storage);
    const stats = await storage.stats({});
    assert.deepEqual([stats.sessions, stats.observations, stats.prompts], [3, 8, 0]);
    assert.deepEqual(
      stats.projects.map(({ name, sessions, observations, lastActiveAt }) => [
        name,
        sessions,
        observations,
        lastActiveAt,
      ]),
      [
        ["blog", 1, 2, noon + 7],
        ["shop", 2, 6, noon + 5],
      ],
    );
  }),
];
