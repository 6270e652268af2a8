// What is found: phrases, names, typing errors, filters, several phrasings, sessions first; and that no text can break it.
import { describe, expect, test } from "bun:test";
import { document, emptyIndex, idsOf, indexOf, noon, reindex } from "./support.ts";

test.each<[query: string, wanted: string[], texts: string[]]>([
  ['"session token"', ["d1"], ["A token for the session.", "The session token expired.", "token"]],
  ['"session token" expired', ["d0"], ["The session token expired.", "expired token, a session"]],
  ['"no such phrase token"', ["d0"], ["A token of that phrase."]],
  ["refreshToken", ["d1", "d0"], ["refresh the token of a user", "calls refreshToken twice"]],
  ["src/auth/login.ts", ["d1", "d0"], ["the login of auth", "changed src/auth/login.ts"]],
  ["E4012", ["d0"], ["Error E4012 raised", "Error E4013 raised"]],
  ["数据库", ["d0"], ["这次我们完成了数据库迁移", "这次我们完成了"]],
  ["认证", ["d0"], ["用户认证失败", "证认"]],
  ["데이터베이스", ["d0"], ["데이터베이스를 옮겼다", "다른 것"]],
  ["เข้าสู่ระบบ", ["d0"], ["ทดสอบการเข้าสู่ระบบ", "อื่น"]],
  ["миграции", ["d0"], ["Миграция и миграции", "Другое"]],
  ["what is this", ["d0"], ["What is this", "Ledger"]],
  ["what is the ledger of it", ["d1"], ["What is this", "Ledger"]],
])("%s", async (query, wanted, texts) => {
  const { ids } = await indexOf(texts);
  expect(ids(query)).toEqual(wanted);
});

test.each([
  ["authetication", "authentication"],
  ["tokne", "token"],
  ["yoken", "token"],
  ["authenticat", "authentication"],
])("%s is corrected to %s", async (typed, meant) => {
  for (const packed of [true, false]) {
    const { index } = await indexOf(["Authentication works", "A token", "Every invoice"], packed);
    const { hits, corrected } = index.search({ texts: [typed] });
    expect(corrected).toEqual({ [typed]: meant });
    expect(hits).toHaveLength(1);
  }
});

test("a phrase is found however many documents say its words apart, and more often", async () => {
  const { index } = await emptyIndex();
  const apart = (i: number) =>
    document("session lamp token lamp ".repeat(5), {
      id: `d${i}`,
      session: `s${i}`,
      time: noon + i,
    });
  reindex(index, [
    document(`The session token ${"of some other thing ".repeat(12)}`, { id: "phrase" }),
    ...Array.from({ length: 200 }, (_, i) => apart(i)),
  ]);
  expect(idsOf(index, '"the session token of"')).toEqual(["phrase"]);
});

test("words that are there are not corrected, and short ones not guessed at", async () => {
  const { index } = await indexOf(["A token", "A tokes"]);
  expect(index.search({ texts: ["token"] }).corrected).toEqual({});
  expect(index.search({ texts: ["tok xyzzy"] })).toEqual({ hits: [], corrected: {} });
});

describe("filters narrow before ranking", () => {
  const part = (n: number) => ({ id: `d${n}`, session: `s-${n}`, time: noon + n });
  const documents = [
    document("a lynx", { ...part(0), type: "bugfix", concepts: ["C++"], kind: "observation" }),
    document("a lynx", { ...part(1), project: "blog", concepts: ["c#"], client: "codex" }),
    document("a lynx", { ...part(2), files: ["/code/shop/src/auth/login.ts"] }),
    document("a lynx", { ...part(3), files: ["lib/login.ts"], client: "claude-code" }),
  ];
  const cases: Array<[object, string]> = [
    [{}, "0123"],
    [{ projects: ["blog"] }, "1"],
    [{ projects: ["blog", "shop"] }, "0123"],
    [{ projects: ["nowhere"] }, ""],
    [{ projects: [] }, ""],
    [{ kinds: ["observation"] }, "0"],
    [{ kinds: ["nothing"] }, ""],
    [{ sessions: ["s-2", "s-3"] }, "23"],
    [{ sessions: ["s-9"] }, ""],
    [{ type: "bugfix" }, "0"],
    [{ client: "codex" }, "1"],
    [{ concept: "c++" }, "0"],
    [{ concept: "c" }, ""],
    [{ files: ["login.ts"] }, "23"],
    [{ files: ["src/auth/login.ts"] }, "2"],
    [{ files: ["./src/auth/login.ts"] }, "2"],
    [{ files: ["/code/shop/src/auth/login.ts"] }, "2"],
    [{ files: ["src/auth/"] }, "2"],
    [{ files: ["src"] }, "2"],
    [{ files: ["lib"] }, "3"],
    [{ files: ["in.ts"] }, ""],
    [{ files: ["%"] }, ""],
    [{ files: ["old-name.ts", "lib/login.ts"] }, "3"],
    [{ since: noon + 2 }, "23"],
    [{ until: noon + 1 }, "0"],
    [{ since: noon + 1, client: "claude-code" }, "3"],
  ];
  test.each(cases)("%j", async (filter, wanted) => {
    for (const packed of [false, true]) {
      const { index } = await emptyIndex();
      for (const one of documents) index.put(one);
      if (packed) index.pack(10);
      const { hits } = index.search({ texts: ["lynx"], filter });
      expect(
        hits
          .map(({ id }) => id.slice(1))
          .sort()
          .join(""),
      ).toBe(wanted);
    }
  });
});

test("a session with two parts of the answer comes before one with the same part twice", async () => {
  const { index } = await emptyIndex();
  const put = (id: string, session: string, text: string) =>
    index.put(document(text, { id, session }));
  put("a1", "a", "The heron flew over the house.");
  put("a2", "a", "We saw a badger in the house.");
  put("b1", "b", "The heron flew over the house.");
  put("b2", "b", "The heron flew over the house.");
  const { hits } = index.search({ texts: ["heron badger"] });
  expect(hits.map(({ session }) => session)).toEqual(["a", "a", "b", "b"]);
});

test("a session that speaks of it in nine places comes before a newer one that does in five", async () => {
  const { index } = await emptyIndex();
  for (const [session, places, time] of [
    ["often", 9, noon],
    ["seldom", 5, noon + 1],
  ] as const)
    for (let n = 1; n <= places; n++)
      index.put(document("The heron came.", { id: `${session}${n}`, session, time, position: n }));
  expect(index.search({ texts: ["heron"] }).hits[0]?.session).toBe("often");
});

test("what was derived from a prompt speaks for its turn, each once; records of no prompt stand alone", async () => {
  const { index } = await emptyIndex();
  const put = (id: string, kind: string, position: number, text: string) =>
    index.put(document(text, { id, kind, position, time: noon + position }));
  put("t1", "turn", 1, "The heron came.");
  put("o1", "observation", 1, "A heron nests at the pond.");
  put("t2", "turn", 2, "The heron came.");
  put("m1", "memory", 0, "A heron nests at the pond.");
  put("m2", "memory", 0, "A heron nests at the pond.");
  const scores = new Map(
    index
      .search({ texts: ["heron"], groupBy: "document" })
      .hits.map(({ id, score }) => [id, score]),
  );
  expect(scores.get("t1")).toBeGreaterThan(scores.get("t2") ?? 0);
  expect(scores.get("o1")).toBeGreaterThan(scores.get("m1") ?? 0);
  expect(scores.get("m1")).toBe(scores.get("m2") ?? 0);
});

test("what was derived from a turn gains less by it than the turn by what was derived", async () => {
  const { index } = await emptyIndex();
  for (const [id, kind] of [
    ["t1", "turn"],
    ["o1", "observation"],
  ] as const)
    index.put(document("The heron came.", { id, kind, position: 1, time: noon }));
  const [first, second] = index.search({ texts: ["heron"], groupBy: "document" }).hits;
  expect([first?.id, second?.id]).toEqual(["t1", "o1"]);
  expect(first?.score).toBeGreaterThan(second?.score ?? 0);
});

test("pages fit together and scores fall", async () => {
  const { index } = await emptyIndex();
  for (let i = 0; i < 700; i++)
    index.put(
      document(`falcon ${"falcon ".repeat(i % 4)} ${i % 50 === 0 ? "rare" : ""}`, {
        id: `d${i}`,
        session: `s${i % 40}`,
        time: noon + i,
      }),
    );
  const page = (offset: number, limit: number) =>
    index.search({ texts: ["falcon rare"], offset, limit }).hits;
  const all = page(0, 700);
  expect(new Set(all.map(({ id }) => id)).size).toBe(700);
  expect([0, 90, 180, 270, 360].flatMap((offset) => page(offset, 90))).toEqual(all.slice(0, 450));
  const scores = all.map(({ score }) => score);
  expect(scores).toEqual(scores.toSorted((a, b) => b - a));
});

test("several phrasings are one search", async () => {
  const { ids } = await indexOf(["The reviewer refused.", "Zebra complaints.", "Unrelated."]);
  expect(ids("xylophone judge", "reviewer")).toEqual(["d0"]);
  expect(ids("zebra reviewer", "reviewer refused")).toEqual(["d0", "d1"]);
});

test("a hit says where it stands and why it is there", async () => {
  const { index } = await emptyIndex();
  const text = `${"filler ".repeat(60)}\n\nThe session token expired.`;
  index.put(
    document("", {
      pieces: [
        { field: "prompt", text: "Why?" },
        { field: "said", text },
      ],
    }),
  );
  const [hit] = index.search({ texts: ["token session"] }).hits;
  expect(text.slice(hit?.passage.start, hit?.passage.end).trim()).toBe(
    "The session token expired.",
  );
  expect(hit?.passage).toMatchObject({ field: "said", piece: 1 });
  expect(hit?.why.words.map(({ word }) => word).sort()).toEqual(["session", "token"]);
  expect(hit?.why.documentRank).toBe(1);
  expect(hit?.passages).toHaveLength(1);
});

test("only what is shown of a document can be asked for", async () => {
  const { index } = await emptyIndex();
  index.put(
    document("", {
      pieces: [
        { field: "title", text: "Otter" },
        { field: "fact", text: "A badger." },
      ],
    }),
  );
  const found = (text: string, field: "title" | "fact") =>
    index.search({ texts: [text], fields: [field] }).hits.length;
  expect([found("otter", "title"), found("otter", "fact"), found("badger", "fact")]).toEqual([
    1, 0, 1,
  ]);
});

test("no text breaks a search", async () => {
  const { index } = await indexOf(["Refresh of a token", "a b"]);
  const hostile = [
    "",
    " ",
    '"',
    '""',
    '"unclosed',
    "'",
    "(",
    "*",
    "NEAR(token refresh)",
    "token AND",
    "title:token",
    "-token",
    "token\0refresh",
    "\ud800",
    "\udc00token\ud800",
    "😀",
    "👩‍👩‍👧‍👦 token",
    "x",
    "a".repeat(100_000),
    "token ".repeat(20_000),
    Array.from({ length: 10_000 }, (_, i) => `word${i}`).join(" "),
    '"'.repeat(5_000),
    `"${"a ".repeat(100)}"`,
    "%_%",
    "'; DROP TABLE search_terms; --",
    "\u0301\u0301",
    "\u{30000}\u{30001}",
    "ﷺ",
    "\ufeff\u200b\u202e",
    "1e999",
    "__proto__",
    "constructor",
    "/".repeat(1_000),
    "a/".repeat(5_000),
    "=file:",
  ];
  for (const text of hostile) {
    const { hits } = index.search({ texts: [text], filter: { files: [text || "x"] } });
    expect(hits).toEqual([]);
    expect(Array.isArray(index.search({ texts: [text] }).hits)).toBe(true);
  }
  expect(idsOf(index, 'NEAR("token" refresh*')).toEqual(["d0"]);
  index.put(document(hostile.join("\n\n"), { id: "hostile" }));
  index.pack(5);
  expect(idsOf(index, "DROP")).toEqual(["hostile"]);
  expect(index.remove("hostile")).toBe(true);
});

test("what a command was described as leads to its turn, and is shown of it only where nothing else was found", async () => {
  for (const packed of [true, false]) {
    const { index } = await emptyIndex();
    index.put(
      document("", {
        pieces: [
          { field: "described", text: "Prune old docker images of staging" },
          { field: "said", text: "The images of staging are gone; 40 GB are free again." },
        ],
      }),
    );
    if (packed) index.pack(1);
    const [found] = index.search({ texts: ["prune docker images"] }).hits;
    expect(found).toMatchObject({ id: "d1", passage: { field: "said", piece: 1 } });
    const [alone] = index.search({ texts: ["docker"] }).hits;
    expect(alone).toMatchObject({ id: "d1", passage: { field: "described", piece: 0 } });
    expect(index.search({ texts: ["docker"], fields: ["said"] }).hits).toEqual([]);
  }
});
