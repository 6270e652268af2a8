// The promises of `storage.search`: which words find what, in which order, and that no text can break it.
import assert from "node:assert/strict";
import type { StorageClient } from "../../sdk/context.ts";
import type { NewObservation } from "../../sdk/model.ts";
import type { SearchQuery } from "../../sdk/storage.ts";
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
} from "../samples.ts";

/** What a text must be found by. */
const findable: Array<[text: string, query: string]> = [
  ["Authentication was rewritten", "authenticate"],
  ["The cache is invalidated", "invalidating caches"],
  ["Function refreshToken retries", "refresh token"],
  ["Function refreshToken retries", "token refresh"],
  ["Function refreshToken retries", "refreshtoken"],
  ["Function refreshToken retries", "refreshToken"],
  ["Function refreshToken retries", "refresh_token"],
  ["Column user_account_id added", "userAccountId"],
  ["Column user_account_id added", "account"],
  ["The HTTPServer closes", "http server"],
  ["See src/billing/invoice-mailer.ts", "mailer"],
  ["See src/billing/invoice-mailer.ts", "src/billing/invoice-mailer.ts"],
  ["Café menu est écrit", "cafe ecrit"],
  ["cafe menu", "Café"],
  ["这次我们完成了数据库迁移", "数据库"],
  ["認証トークンの更新を修正した", "認証"],
  ["ทดสอบการเข้าสู่ระบบ", "เข้าสู่ระบบ"],
  ["Миграция базы данных", "миграция"],
  ["Straße gesperrt", "straße"],
  ["What is this", "what is this"],
  ["Error E4012 raised", "e4012"],
];

/** Words with typing errors, and the stored word that is meant. */
const mistyped: Array<[typed: string, meant: string]> = [
  ["authetication", "authentication"],
  ["authentcaiton", "authentication"],
  ["tokne", "token"],
  ["tken", "token"],
  ["yoken", "token"],
  ["invoise", "invoice"],
  ["authenticat", "authentication"],
];

/** Texts that no search may stumble over. */
const hostile = [
  '"',
  '""',
  '"unclosed',
  "'",
  "(",
  ")",
  "((()",
  "*",
  "^",
  "token*",
  "^token",
  "NEAR",
  "NEAR(token refresh)",
  "token NEAR/2 refresh",
  "token AND",
  "OR",
  "NOT token",
  "AND OR NOT",
  "title:token",
  "{title facts}: token",
  "scope : p1",
  "-token",
  "+token",
  "token + refresh",
  "token\0refresh",
  "\0",
  "\ud800",
  "\udc00token\ud800",
  "😀",
  "👩‍👩‍👧‍👦 token",
  "a".repeat(10_000),
  "token ".repeat(2_000),
  "x y ".repeat(2_500),
  Array.from({ length: 2_000 }, (_, i) => `word${i}`).join(" "),
  "%_%",
  "'; DROP TABLE observations; --",
  "\u0301\u0301",
  "\u{30000}\u{30001}",
  "ﷺ",
  "\ufeff\u200b\u202e",
  "1e999",
  "\\",
  ";",
  ":",
  "{}",
  "[]",
];

/** Puts observations, one a title, and gives a search that answers with titles. */
async function shelf(storage: StorageClient, observations: Array<Partial<NewObservation>>) {
  await putAnew(storage, {
    observations: observations.map((part, i) => sampleObservation({ promptNumber: i, ...part })),
  });
  return async (text: string, query: Partial<SearchQuery> = {}) =>
    (await storage.search({ text, ...query })).map((result) => result.title);
}

export const searchCases: SuiteCase[] = [
  storageCase("finds words in any order, inflection and writing", async (storage) => {
    const search = await shelf(
      storage,
      [...new Set(findable.map(([text]) => text))].map((title) => ({ title })),
    );
    for (const [text, query] of findable)
      assert.equal((await search(query))[0], text, `"${query}" finds "${text}"`);
  }),

  storageCase("finds what is in any field", async (storage) => {
    await shelf(storage, [
      { title: "one", subtitle: "alpha" },
      { title: "two", facts: ["bravo"] },
      { title: "three", narrative: "charlie" },
      { title: "four", concepts: ["delta"] },
      { title: "five", filesRead: ["src/echo.ts"] },
      { title: "six", filesModified: ["src/foxtrot.ts"] },
    ]);
    for (const [i, word] of "alpha bravo charlie delta echo foxtrot".split(" ").entries()) {
      const found = await storage.search({ text: word });
      assert.deepEqual(
        found.map((result) => result.promptNumber),
        [i],
        word,
      );
    }
  }),

  storageCase("takes any of the words and puts more of them first", async (storage) => {
    const search = await shelf(storage, [
      { title: "one", narrative: "The queue is long." },
      { title: "two", narrative: "The queue of payments is long." },
      { title: "three", narrative: "A retry of the queue of payments." },
      { title: "none", narrative: "Nothing of that kind." },
    ]);
    assert.deepEqual(await search("retrying the payment queue"), ["three", "two", "one"]);
  }),

  storageCase("puts two words in passing before one that is everywhere", async (storage) => {
    const search = await shelf(storage, [
      { title: "Badger", facts: ["A badger."], concepts: ["badger"], subtitle: "Badgers" },
      { title: "both", narrative: "A badger met a heron." },
      { title: "Heron" },
    ]);
    assert.equal((await search("badger heron"))[0], "both");
  }),

  storageCase("puts the title before facts, and facts before the narrative", async (storage) => {
    const search = await shelf(storage, [
      { title: "In the narrative", narrative: "A webhook." },
      { title: "In the facts", facts: ["A webhook."] },
      { title: "A webhook" },
    ]);
    assert.deepEqual(await search("webhooks"), ["A webhook", "In the facts", "In the narrative"]);
  }),

  storageCase("puts the newer of equals first", async (storage) => {
    const search = await shelf(storage, [
      { title: "Index built twice", time: noon, filesRead: ["a"] },
      { title: "Index built once", time: noon + 5, filesRead: ["b"] },
      { title: "Index built never", time: noon - 90 * 86_400_000, filesRead: ["c"] },
    ]);
    assert.deepEqual(await search("index"), [
      "Index built once",
      "Index built twice",
      "Index built never",
    ]);
  }),

  storageCase(
    "narrows to a client, and leaves out what the asking session is at",
    async (storage) => {
      await putAnew(storage, {
        sessions: [sampleSession({ title: "A wombat session" })],
        prompts: [
          samplePrompt({ text: "Where is the wombat?", promptNumber: 1 }),
          samplePrompt({ text: "And which wombat?", promptNumber: 2 }),
        ],
      });
      const { session, client } = samplePrompt();
      const numbers = async (query: Partial<SearchQuery>, text = "wombat") =>
        (await storage.search({ text, kinds: ["prompt", "session"], ...query }))
          .map(({ kind, promptNumber }) => (kind === "session" ? kind : promptNumber))
          .sort();
      assert.deepEqual(await numbers({}), [1, 2, "session"]);
      assert.deepEqual(await numbers({ client }), [1, 2, "session"]);
      assert.deepEqual(await numbers({ client: "another" }), []);
      assert.deepEqual(await numbers({ asking: session }), [1]);
      assert.deepEqual(await numbers({ asking: session, kinds: ["prompt"] }, ""), [1]);
      assert.deepEqual(await numbers({ asking: "nobody" }), [1, 2, "session"]);
    },
  ),

  storageCase("forgets what is deleted, a turn with its prompt", async (storage) => {
    await putAnew(storage, {
      prompts: [samplePrompt({ text: "Feed the wombat", promptNumber: 1 })],
      turns: [sampleTurn({ promptNumber: 1, pieces: [{ kind: "said", text: "The wombat ate." }] })],
      memory: [sampleMemory({ content: "Likes wombats" })],
      observations: [sampleObservation({ title: "A heron" })],
    });
    const ids = async (text: string) => (await storage.search({ text })).map(({ id }) => id);
    const [turn] = await storage.turns({});
    const [item] = await storage.memory({});
    const [prompt] = await storage.prompts({});
    assert.deepEqual(await storage.delete({ ids: ["o999", "", "nothing", "no-session"] }), {
      deleted: [],
    });
    const { deleted } = await storage.delete({
      ids: [turn?.id ?? "", item?.id ?? "", turn?.id ?? ""],
    });
    assert.deepEqual(deleted.toSorted(), [turn?.id, item?.id, prompt?.id].toSorted());
    assert.deepEqual(await ids("wombat"), []);
    assert.deepEqual(await storage.get({ ids: deleted }), []);
    assert.equal((await ids("heron")).length, 1);
  }),

  storageCase("forgets a session with all that is of it", async (storage) => {
    const of = (session: string) => ({
      sessions: [sampleSession({ id: session, title: "A wombat session" })],
      prompts: [samplePrompt({ session, text: "Feed the wombat" })],
      turns: [sampleTurn({ session, pieces: [{ kind: "said", text: "The wombat ate." }] })],
      observations: [sampleObservation({ session, title: "A wombat" })],
      memory: [sampleMemory({ session, content: `Wombats of ${session}` })],
    });
    await putAnew(storage, of("goes"));
    await putAnew(storage, of("stays"));
    const { deleted } = await storage.delete({ ids: ["goes"] });
    assert.equal(deleted.length, 5);
    assert.deepEqual(await storage.get({ ids: deleted }), []);
    const left = await storage.search({ text: "wombat", by: "record" });
    assert.deepEqual([...new Set(left.map(({ session }) => session))], ["stays"]);
  }),

  storageCase("makes anew what search needs, and loses nothing", async (storage) => {
    const search = await shelf(storage, [{ title: "A wombat" }, { title: "A heron" }]);
    const begun = await storage.reindex({});
    assert.equal(begun.records >= 2, true);
    for (;;) {
      const { index } = await storage.stats({});
      if (index?.isWhole !== false) break;
      await new Promise((resolve) => setTimeout(resolve, 1));
    }
    assert.deepEqual(await search("wombat"), ["A wombat"]);
  }),

  storageCase("corrects typing errors and says so", async (storage) => {
    const search = await shelf(storage, [
      { title: "Authentication works" },
      { title: "A token" },
      { title: "Every invoice" },
    ]);
    for (const [typed, meant] of mistyped) {
      const [best] = await storage.search({ text: typed });
      assert.equal(best?.title.toLowerCase().includes(meant), true, `${typed} finds ${meant}`);
      assert.deepEqual(best?.corrected, { [typed]: meant });
    }
    assert.deepEqual(await search("zebra"), []);
    assert.deepEqual(await search("toke zebra xylophone"), ["A token"]);
    assert.equal((await storage.search({ text: "token" }))[0]?.corrected, undefined);
    assert.deepEqual(await search("tok"), [], "three letters are not guessed at");
  }),

  storageCase("ignores words that say nothing", async (storage) => {
    const search = await shelf(storage, [
      { title: "Why it is as it is", narrative: "the the the of and" },
      { title: "Ledger" },
    ]);
    assert.deepEqual(await search("what is the ledger of it"), ["Ledger"]);
  }),

  storageCase("searches every kind, or those asked for", async (storage) => {
    await putAnew(storage, {
      sessions: [sampleSession({ title: "Wombat session", subtitle: "Sub" })],
      prompts: [samplePrompt({ text: "Where is the wombat?" })],
      observations: [sampleObservation({ title: "Wombat found", type: "bugfix" })],
      summaries: [sampleSummary({ request: "Find the wombat", completed: "Found it" })],
      memory: [sampleMemory({ content: "Likes wombats", context: "Said so" })],
    });
    const found = await storage.search({ text: "wombat" });
    assert.deepEqual(found.map(({ kind }) => kind).sort(), [
      "memory",
      "observation",
      "prompt",
      "session",
      "summary",
    ]);
    for (const result of found) {
      assert.equal(result.session, "session-1");
      assert.equal(result.type, result.kind === "observation" ? "bugfix" : result.kind);
      assert.equal(result.readTokens > 0, true);
      const [record] = await storage.get({ ids: [result.id] });
      assert.equal(record?.kind, result.kind, "an id leads to its record");
    }
    const kinds = async (query: Partial<SearchQuery>) =>
      (await storage.search({ text: "wombat", ...query })).map(({ kind }) => kind);
    assert.deepEqual(await kinds({ kinds: ["prompt"] }), ["prompt"]);
    assert.deepEqual((await kinds({ kinds: ["memory", "session"] })).sort(), ["memory", "session"]);
    assert.deepEqual(await kinds({ kinds: ["prompt"], project: "shop" }), ["prompt"]);
    assert.deepEqual(await kinds({ kinds: [] }), []);
    await putAnew(storage, {
      prompts: [samplePrompt({ session: "s-2", project: blog.id, text: "No wombat" })],
    });
    assert.equal((await kinds({ kinds: ["prompt"] })).length, 2);
    assert.deepEqual(await kinds({ kinds: ["prompt"], project: "blog" }), ["prompt"]);
    assert.deepEqual(await kinds({ kinds: ["observation"], project: "blog" }), []);
    assert.deepEqual(await kinds({ type: "summary" }), ["summary"]);
    assert.deepEqual(await kinds({ level: "sessions" }), ["session"]);
    assert.deepEqual(await kinds({ level: "summaries" }), ["summary"]);
    assert.deepEqual(await kinds({ level: "titles", kinds: ["session"] }), []);
  }),

  storageCase("finds a turn by what was said in it, and shows where", async (storage) => {
    const pieces = [
      { kind: "prompt" as const, text: "Why does the ferret hide?" },
      { kind: "said" as const, text: "It looks for cover." },
      {
        kind: "closing" as const,
        text: `${"More of it. ".repeat(40)}\n\nThe ferret fears the owl.`,
      },
    ];
    const files = [{ path: "src/ferret.ts", changed: true }];
    await putAnew(storage, { prompts: [samplePrompt({ text: "Why does the ferret hide?" })] });
    const put = await putAnew(storage, { turns: [sampleTurn({ pieces, files })] });
    const [found, ...others] = await storage.search({ text: "owls fearing" });
    assert.equal(found?.id, put.turns[0]);
    assert.equal(found?.kind, "turn");
    assert.equal(found?.excerpt, "The ferret fears the owl.");
    assert.equal(found?.piece, 2);
    assert.deepEqual(others, []);
    const ferrets = await storage.search({ text: "why ferret" });
    assert.deepEqual(
      ferrets.map(({ kind }) => kind),
      ["turn"],
      "a prompt whose turn is found as well is not shown twice",
    );
    assert.equal((await storage.search({ text: "ferret", file: "ferret.ts" })).length, 1);
    await putAnew(storage, { turns: [sampleTurn({ pieces: [] })] });
    assert.deepEqual(await storage.search({ text: "owl" }), [], "the replaced text is not found");
  }),

  storageCase("takes several phrasings of one question", async (storage) => {
    const search = await shelf(storage, [
      { title: "The reviewer refused" },
      { title: "A zebra complained" },
      { title: "Nothing" },
    ]);
    assert.deepEqual(await search("xylophone judge", { also: ["reviewer", "refused"] }), [
      "The reviewer refused",
    ]);
    assert.deepEqual(await search("", { also: ["zebra"] }), ["A zebra complained"]);
  }),

  storageCase("says why a result is there, where that is asked", async (storage) => {
    await shelf(storage, [{ title: "A token for the session" }]);
    const [plain] = await storage.search({ text: "session tokens" });
    assert.equal(plain?.why, undefined);
    const [found] = await storage.search({ text: "session tokens", explain: true });
    assert.equal(found?.why?.field, "title");
    assert.deepEqual(found?.why?.words.map(({ word }) => word).sort(), ["session", "tokens"]);
  }),

  storageCase("narrows to a retrieval level", async (storage) => {
    const search = await shelf(storage, [
      { title: "Otter in the title" },
      { title: "Second", subtitle: "An otter" },
      { title: "Third", facts: ["No animal here.", "An otter swims.", "Otters sleep."] },
      { title: "Fourth", narrative: "An otter at last." },
    ]);
    const at = async (level: SearchQuery["level"]) =>
      (await search("otter", level ? { level } : {})).sort();
    assert.deepEqual(await at("titles"), ["Otter in the title", "Second"]);
    assert.deepEqual(await at("facts"), ["Third"]);
    assert.deepEqual(await at("narratives"), ["Fourth", "Otter in the title", "Second", "Third"]);
    const [facts] = await storage.search({ text: "otter", level: "facts" });
    assert.deepEqual(facts?.facts, ["An otter swims.", "Otters sleep."]);
    const [all] = await storage.search({ text: "third" });
    assert.equal(all?.facts.length, 3);
  }),

  storageCase("combines words with every filter", async (storage) => {
    const search = await shelf(storage, [
      { title: "a lynx", session: "s-one", type: "bugfix", concepts: ["c++"], time: noon },
      { title: "b lynx", session: "s-two", project: blog.id, concepts: ["c#"], time: noon + 1 },
      { title: "c lynx", session: "s-two", filesRead: ["src/a.ts"], time: noon + 2 },
    ]);
    const found = async (query: Partial<SearchQuery>) =>
      (await search("lynx", query)).sort().join();
    assert.equal(await found({}), "a lynx,b lynx,c lynx");
    assert.equal(await found({ project: "blog" }), "b lynx");
    assert.equal(await found({ project: "nowhere" }), "");
    assert.equal(await found({ session: "s-t" }), "b lynx,c lynx");
    assert.equal(await found({ type: "bugfix" }), "a lynx");
    assert.equal(await found({ concept: "c++" }), "a lynx");
    assert.equal(await found({ concept: "c" }), "");
    assert.equal(await found({ file: "a.ts" }), "c lynx");
    assert.equal(await found({ since: noon + 1 }), "b lynx,c lynx");
    assert.equal(await found({ until: noon + 1 }), "a lynx");
    assert.equal(await found({ since: noon + 1, project: "shop" }), "c lynx");
  }),

  storageCase("gives pages that fit together, best first", async (storage) => {
    await shelf(
      storage,
      Array.from({ length: 30 }, (_, i) => ({
        title: `Falcon ${i}`,
        narrative: "falcon ".repeat(i % 4),
        time: noon + i,
      })),
    );
    const all = await storage.search({ text: "falcon", limit: 200 });
    assert.equal(all.length, 30);
    const pages = await Promise.all(
      [0, 12, 24].map((offset) => storage.search({ text: "falcon", limit: 12, offset })),
    );
    assert.deepEqual(pages.flat(), all);
    const scores = all.map(({ score }) => score);
    assert.deepEqual(
      scores,
      [...scores].sort((a, b) => b - a),
    );
    assert.equal((await storage.search({ text: "falcon" })).length, 20, "20 by default");
  }),

  storageCase("withstands any text", async (storage) => {
    await shelf(storage, [{ title: "Refresh of a token" }]);
    for (const text of hostile)
      for (const part of [{}, { level: "titles" }, { project: text }, { file: text }] as const)
        assert.equal(
          Array.isArray(await storage.search({ text, ...part })),
          true,
          text.slice(0, 40),
        );
    for (const text of hostile) await storage.observations({ concept: text, type: text });
    assert.equal((await storage.search({ text: 'NEAR("token" refresh*' })).length, 1);
  }),
];
