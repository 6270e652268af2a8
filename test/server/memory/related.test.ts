// What else belongs to a record, over a real storage: by files, names, errors, commits and work that went on.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { RecordStore } from "../../../src/records/record-store.ts";
import type { RecordKind } from "../../../src/sdk/storage.ts";
import type { NewTurn } from "../../../src/sdk/turn.ts";
import type { WithHooks } from "../../../src/server/memory/records.ts";
import { askRelated, fileWorth, weighSigns } from "../../../src/server/memory/related.ts";
import {
  noon,
  sampleObservation,
  sampleSession,
  sampleTurn,
} from "../../../src/testing/samples.ts";
import { askedRecords } from "../../support/asked-records.ts";

type Sign = Parameters<typeof weighSigns>[0][number];

type RelatedQuery = Parameters<typeof askRelated>[2];

const day = 86_400_000;
let store: RecordStore;
const ids: Record<string, string> = {};
let runtime: WithHooks;

const turns: Record<string, Partial<NewTurn>> = {
  subject: {
    session: "s1",
    pieces: [
      { kind: "prompt", text: "The refreshToken loop logs people out." },
      { kind: "failure", text: "TypeError: cannot read expiry of undefined", about: "npm test" },
      { kind: "commit", text: "Stop the loop", about: "3f2a1bc9" },
    ],
    files: [{ path: "src/auth/token.ts", changed: true }],
  },
  same: { session: "s1", promptNumber: 2, files: [{ path: "src/auth/token.ts", changed: true }] },
  wentOn: {
    session: "s2",
    client: "another-client",
    startedAt: noon + day,
    files: [{ path: "src/auth/token.ts", changed: true }],
  },
  longAgo: {
    session: "s3",
    startedAt: noon - 60 * day,
    files: [{ path: "src/auth/token.ts", changed: false }],
  },
  failedAlike: {
    session: "s4",
    pieces: [
      { kind: "prompt", text: "Make the report green." },
      { kind: "failure", text: "TypeError: cannot read expiry of undefined", about: "bun test" },
    ],
  },
  reverted: {
    session: "s5",
    pieces: [{ kind: "prompt", text: "Take 3f2a1bc9 back, it broke the build." }],
  },
  named: {
    session: "s6",
    pieces: [{ kind: "prompt", text: "Where is refreshToken called from?" }],
  },
  foreign: {
    session: "s7",
    pieces: [{ kind: "prompt", text: "Draw a logo of a bear." }],
    files: [{ path: "art/bear.svg", changed: true }],
  },
};

beforeAll(async () => {
  ({ store, runtime } = await askedRecords(() => noon + 2 * day));
  const entries = Object.entries(turns);
  const put = await store.put({
    key: "k1",
    records: {
      sessions: [...new Set(entries.map(([, { session = "" }]) => session))].map((id) =>
        sampleSession({ id }),
      ),
      turns: entries.map(([, part]) =>
        sampleTurn({
          time: part.startedAt ?? noon,
          pieces: [{ kind: "prompt", text: "Go on, please." }],
          ...part,
        }),
      ),
    },
  });
  entries.forEach(([name], i) => {
    ids[name] = put?.turns[i] ?? "";
  });
});
afterAll(() => store.close());

async function relatedTo(name: string, query: RelatedQuery = {}) {
  const nameOf = new Map(Object.entries(ids).map(([key, id]) => [id, key]));
  const related = await askRelated(runtime, ids[name] ?? name, query);
  return related.map(({ id, because }) => ({
    name: nameOf.get(id) ?? id,
    kinds: [...new Set(because.map(({ kind }) => kind))],
  }));
}

describe("what belongs to a turn", () => {
  test.each([
    ["wentOn", "file"],
    ["wentOn", "continued"],
    ["longAgo", "file"],
    ["failedAlike", "error"],
    ["reverted", "commit"],
    ["named", "name"],
    ["same", "file"],
  ] as const)("%s, by its %s", async (name, kind) => {
    const found = await relatedTo("subject");
    expect(found.find((one) => one.name === name)?.kinds).toContain(kind);
  });

  test("neither itself nor what shares nothing; another session before the same one", async () => {
    const names = (await relatedTo("subject")).map(({ name }) => name);
    expect(names).not.toContain("subject");
    expect(names).not.toContain("foreign");
    expect(names.indexOf("wentOn")).toBeLessThan(names.indexOf("same"));
  });

  test.each<[string, RelatedQuery, string[]]>([
    ["a time", { since: noon + 1 }, ["wentOn"]],
    ["a client", { client: "another-client" }, ["wentOn"]],
    ["a kind", { kinds: ["memory"] }, []],
    ["another project", { project: "elsewhere" }, []],
    ["a count", { limit: 1 }, ["reverted"]],
  ])("narrowed by %s", async (_, query, names) => {
    expect((await relatedTo("subject", query)).map(({ name }) => name)).toEqual(names);
  });

  test("what belongs to a whole session is nothing of its own", async () => {
    const names = (await relatedTo("s1")).map(({ name }) => name);
    expect(names).toContain("wentOn");
    for (const own of ["subject", "same"]) expect(names).not.toContain(own);
  });

  test("narrowed to turns there are those, and nothing else", async () => {
    const found = await askRelated(runtime, ids.subject ?? "", { kinds: ["turn"] });
    expect(found.length).toBeGreaterThan(3);
    expect(new Set(found.map(({ kind }) => kind))).toEqual(new Set(["turn"]));
  });

  test("an unknown id is said to be unknown", async () => {
    await expect(askRelated(runtime, "t999", {})).rejects.toMatchObject({
      code: "record_not_found",
    });
  });
});

test("another session went on with a file where both changed it within a week", async () => {
  const own = await askedRecords(() => noon);
  try {
    const week = 7 * day;
    const at = (session: string, startedAt: number, changed = true) =>
      sampleTurn({ session, startedAt, files: [{ path: "src/a.ts", changed }] });
    const turns = [
      at("subject", noon),
      at("week-before", noon - week),
      at("week-after", noon + week),
      at("later", noon + week + 1),
      at("only-read", noon + 1, false),
    ];
    const put = await own.store.put({
      key: "k",
      records: { sessions: turns.map(({ session }) => sampleSession({ id: session })), turns },
    });
    const found = await askRelated(own.runtime, put.turns[0] ?? "", {});
    const continued = found.filter(({ because }) =>
      because.some((one) => one.kind === "continued"),
    );
    expect(continued.map(({ session }) => session).sort()).toEqual(["week-after", "week-before"]);
    for (const { because, session } of continued)
      expect(because).toContainEqual({ kind: "continued", what: session });
  } finally {
    own.store.close();
  }
});

test("of one session at most three are shown, of all at most twenty, each with at most six reasons", async () => {
  const own = await askedRecords(() => noon);
  try {
    const files = Array.from({ length: 8 }, (_, at) => ({ path: `src/f${at}.ts`, changed: true }));
    const turns = Array.from({ length: 36 }, (_, at) =>
      sampleTurn({ session: `s${Math.floor(at / 4)}`, promptNumber: (at % 4) + 1, files }),
    );
    const subject = sampleTurn({ session: "subject", files });
    const put = await own.store.put({
      key: "k",
      records: {
        sessions: [...new Set(turns.map(({ session }) => session)), "subject"].map((id) =>
          sampleSession({ id }),
        ),
        turns: [subject, ...turns],
      },
    });
    const found = await askRelated(own.runtime, put.turns[0] ?? "", {});
    expect(found).toHaveLength(20);
    const counts = Map.groupBy(found, ({ session }) => session);
    expect(Math.max(...[...counts.values()].map((of) => of.length))).toBe(3);
    expect(Math.max(...found.map(({ because }) => because.length))).toBe(6);
    const { score, because: _, ...first } = found[0] as (typeof found)[number];
    expect(first).toEqual({
      ...{
        id: first.id,
        kind: "turn",
        type: "turn",
        session: first.session,
        project: first.project,
      },
      ...{ title: "Why does the login page reload?", createdAt: noon },
    });
    expect(score).toBe(Math.round(score * 1_000) / 1_000);
  } finally {
    own.store.close();
  }
});

test("what was found in several records of a turn is one entry, called as lists call it", async () => {
  const own = await askedRecords(() => noon);
  try {
    const files = [{ path: "src/auth/token.ts", changed: true }];
    const put = await own.store.put({
      key: "k1",
      records: {
        sessions: ["a", "b"].map((id) => sampleSession({ id })),
        observations: [
          sampleObservation({ session: "a", title: "refreshToken loops on 401", type: "bugfix" }),
          sampleObservation({ session: "a", title: "Of a later turn", promptNumber: 2 }),
        ],
        turns: [
          sampleTurn({ session: "a", files, pieces: [{ kind: "prompt", text: "refreshToken?" }] }),
          sampleTurn({ session: "b", files, pieces: [{ kind: "prompt", text: "refreshToken" }] }),
        ],
      },
    });
    const [turn = "", subject = ""] = put.turns;
    const found = await askRelated(own.runtime, subject, {});
    expect(found.map(({ id, kind, type, title }) => [id, kind, type, title])).toEqual([
      [turn, "turn", "bugfix", "refreshToken loops on 401"],
    ]);
    const words = found[0]?.because.flatMap(({ kind, what }) => (kind === "name" ? what : []));
    expect(words).toContain("refreshToken");
    const kinds = async (...asked: RecordKind[]) =>
      (await askRelated(own.runtime, subject, { kinds: asked })).map(({ kind }) => kind);
    expect(await kinds("observation")).toEqual(["observation"]);
  } finally {
    own.store.close();
  }
});

test("a superseded observation is marked, and counts half", async () => {
  const own = await askedRecords(() => noon);
  try {
    const observed = (session: string) =>
      sampleObservation({
        session,
        title: "refreshToken loops on 401",
        filesModified: ["src/auth/token.ts"],
        filesRead: [],
      });
    const put = await own.store.put({
      key: "k1",
      records: {
        sessions: ["a", "b", "c"].map((id) => sampleSession({ id })),
        observations: [observed("a"), observed("b")],
        turns: [
          sampleTurn({ session: "c", pieces: [{ kind: "prompt", text: "refreshToken loops" }] }),
        ],
      },
    });
    const found = await askRelated(own.runtime, put?.turns[0] ?? "", {});
    const superseded = found.filter(({ supersededBy }) => supersededBy !== undefined);
    const standing = found.filter(({ supersededBy }) => supersededBy === undefined);
    expect([superseded.length, standing.length]).toEqual([1, 1]);
    expect(superseded[0]?.score).toBeLessThan(standing[0]?.score ?? 0);
  } finally {
    own.store.close();
  }
});

describe("signs", () => {
  const signs: Sign[] = [
    { id: "t1", kind: "file", what: "a.ts", worth: 0.5 },
    { id: "t1", kind: "file", what: "a.ts", worth: 0.3 },
    { id: "t2", kind: "file", what: "a.ts", worth: 0.5 },
    { id: "t2", kind: "name", what: "refresh", worth: 0.4 },
    { id: "t3", kind: "commit", what: "abc", worth: 1 },
    { id: "t4", kind: "commit", what: "abc", worth: 1 },
  ];

  test("add up over kinds, once each; a factor of 0 leaves out", () => {
    const weighed = weighSigns(signs, (id) => (id === "t4" ? 0 : 1));
    expect(weighed.map(({ id, score }) => [id, score])).toEqual([
      ["t3", 1.5],
      ["t2", 0.9],
      ["t1", 0.5],
    ]);
    expect(weighed[1]?.signs).toEqual([
      { kind: "file", what: "a.ts" },
      { kind: "name", what: "refresh" },
    ]);
  });

  test("of one kind each further sign adds less, whatever it is; kinds weigh by what they say", () => {
    const of = (...kinds: Array<Sign["kind"]>) =>
      weighSigns(
        kinds.map((kind, at) => ({ id: "t", kind, what: `${at}`, worth: 1 })),
        () => 1,
      )[0]?.score;
    expect(of("file", "file", "file")).toBeCloseTo(1 + 0.6 + 0.36);
    expect([of("commit"), of("error"), of("file"), of("name"), of("continued")]).toEqual([
      ...[1.5, 1.2, 1, 1, 0.5],
    ]);
    expect(fileWorth(2, true)).toBe(0.5);
    expect(fileWorth(2, false)).toBe(0.25);
    const equal = ["b", "a"].map((id) => ({ id, kind: "file" as const, what: "x", worth: 1 }));
    expect(weighSigns(equal, () => 1).map(({ id }) => id)).toEqual(["a", "b"]);
  });

  test("the signs of one record stand by what they are worth, and of one sign told twice the better counts", () => {
    const of = (kind: Sign["kind"], what: string, worth: number) => ({
      id: "t",
      kind,
      what,
      worth,
    });
    const [weighed] = weighSigns(
      [
        of("file", "a", 0.2),
        of("name", "b", 0.5),
        of("commit", "c", 0.1),
        of("file", "a", 0.9),
        of("file", "d", 0.3),
        of("name", "b", 0.4),
      ],
      () => 2,
    );
    expect(weighed?.signs.map(({ what }) => what)).toEqual(["a", "b", "d", "c"]);
    expect(weighed?.score).toBeCloseTo(2 * (0.9 + 0.3 * 0.6 + 0.5 + 0.15));
    const two = ["x", "y"].map((id, at) => ({ id, kind: "file" as const, what: "a", worth: at }));
    expect(weighSigns(two, () => 1).map(({ id }) => id)).toEqual(["y"]);
  });

  test("a file of few turns says more, and so does a change", () => {
    expect(fileWorth(2, true)).toBeGreaterThan(fileWorth(40, true));
    expect(fileWorth(2, true)).toBeGreaterThan(fileWorth(2, false));
  });
});
