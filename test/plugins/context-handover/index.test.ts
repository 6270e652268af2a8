// When the note is given, to whom, and what storage is asked for it.
import { describe, expect, test } from "bun:test";
import plugin from "../../../plugins/context-handover/index.ts";
import type { StorageClient } from "../../../src/sdk/context.ts";
import type { MemoryItem, Observation, Session, Summary } from "../../../src/sdk/model.ts";
import type { ListQuery } from "../../../src/sdk/storage.ts";
import type { Turn } from "../../../src/sdk/turn.ts";
import { clientEvent } from "../../support/client-events.ts";
import { openRoom } from "../../support/plugin-room.ts";
import { observation, session } from "../../support/records.ts";
import { turn } from "../../support/turns.ts";

interface Kept {
  turns?: Turn[];
  observations?: Observation[];
  summaries?: Summary[];
  sessions?: Session[];
  memory?: MemoryItem[];
}

/** Storage over lists that are newest first. */
function storageOf(kept: Kept): Partial<StorageClient> {
  const pick = <Item extends { session: string; project: string }>(
    items: Item[] | undefined,
    query: ListQuery,
  ) =>
    (items ?? [])
      .filter((item) => query.project === undefined || item.project === query.project)
      .filter((item) => query.session === undefined || item.session === query.session)
      .slice(0, query.limit);
  return {
    observations: async (query) => pick(kept.observations, query),
    summaries: async (query) =>
      pick(kept.summaries, query).filter(({ scope }) => !query.scope || scope === query.scope),
    sessions: async (query) =>
      (kept.sessions ?? []).filter(({ project }) => project.id === query.project),
    memory: async (query) =>
      pick(kept.memory, query).filter(({ kind }) => query.kinds?.includes(kind) ?? true),
    turns: async (query) => pick(kept.turns, query),
    get: async ({ ids }) =>
      (kept.sessions ?? []).flatMap((record) =>
        ids.includes(record.id) ? [{ kind: "session" as const, record }] : [],
      ),
  };
}

async function contextOf(kept: Kept, fields: Parameters<typeof clientEvent<"SessionStart">>[1]) {
  const { hooks, log } = await openRoom(plugin, { storage: storageOf(kept) });
  const answers = await hooks.sequence("SessionStart", clientEvent("SessionStart", fields));
  expect(log.lines).toEqual([]);
  return answers[0]?.result.context;
}

const past: Kept = {
  turns: [
    turn(
      1,
      [
        ["prompt", "Stop the login loop"],
        ["closing", "The loop is gone."],
      ],
      { session: "old" },
    ),
  ],
  observations: [observation("o1", { session: "old" })],
  sessions: [session("old", { title: "Fix the login loop" })],
};

describe("context-handover", () => {
  for (const source of ["startup", "clear", "resume", "compact", "fork"]) {
    test(`${source} of a session that memoir has not seen gets the project's memory`, async () => {
      const context = await contextOf(past, { session: "new", source });
      expect(context).toContain("The loop is gone.");
      expect(context).toContain("o1 ·");
      expect(context).toContain(`source="${source}"`);
    });
  }
  test("the answer names what was told", async () => {
    const { hooks } = await openRoom(plugin, { storage: storageOf(past) });
    const event = clientEvent("SessionStart", { session: "new", source: "startup" });
    const [answer] = await hooks.sequence("SessionStart", event);
    expect(answer?.result.records).toEqual(["t1", "o1"]);
  });
  test("a project without memory gets nothing", async () => {
    expect(await contextOf({}, { source: "startup" })).toBeUndefined();
    const elsewhere = { id: "github.com/acme/other", name: "other", root: "/o" };
    expect(await contextOf(past, { source: "startup", project: elsewhere })).toBeUndefined();
  });
  const item = (id: string, part: Partial<MemoryItem>): MemoryItem => ({
    id,
    kind: "preferences",
    date: "2026-11-19",
    content: "Always write the test before the fix",
    context: "",
    session: "old",
    project: "github.com/acme/shop",
    ...part,
  });
  test("what is settled in other sessions comes with it once, by the state it is stored in", async () => {
    const memory = [
      item("m1", { state: "candidate", quote: "Always write the test before the fix" }),
      item("m2", {
        ...{ kind: "decisions", content: "Money is kept in cents", state: "standing" },
        quote: "Money is kept in cents",
      }),
      item("m3", { kind: "facts", content: "Node 24 is installed" }),
      item("m4", { session: "new", content: "Never mind the linter" }),
      item("m5", { content: "Nobody judged this" }),
    ];
    const kept = { ...past, memory };
    const context = await contextOf(kept, { session: "new", source: "startup" });
    const [, decided = ""] = context?.split("## Decided\n") ?? [];
    expect(decided.split("\n").slice(0, 3)).toEqual([
      "- m2 · 2026-11-19 · typed by the user: “Money is kept in cents”",
      "- m5 · 2026-11-19 · concluded by an agent: “Nobody judged this”",
      "- m1 · 2026-11-19 · said once: “Always write the test before the fix”",
    ]);
    expect(context).not.toContain("Node 24");
    expect(context).not.toContain("Never mind");
    const resumed = { ...kept, sessions: [session("new", { lastActiveAt: 1 })] };
    const again = await contextOf(resumed, { session: "new", source: "resume" });
    expect(again).not.toContain("## Decided");
  });
  test("what was settled otherwise later is not told", async () => {
    const standing = { kind: "decisions", state: "standing" } as const;
    const memory = [
      item("m4", { ...standing, content: "When do we switch? friday", quote: "friday" }),
      item("m3", { ...standing, content: "Sessions are kept in Postgres" }),
      item("m2", { ...standing, content: "When do we switch? monday", quote: "monday" }),
      item("m1", { ...standing, content: "Sessions are kept in Redis" }),
    ];
    const context = await contextOf({ turns: past.turns ?? [], memory }, { session: "new" });
    const [, decided = ""] = context?.split("## Decided\n") ?? [];
    expect(decided.split("\n\n")[0]?.match(/“[^”]*”/g)).toEqual([
      "“When do we switch? friday”",
      "“Sessions are kept in Postgres”",
    ]);
  });
  test("a choice is told once: as it is stored, or as it was made", async () => {
    const choice = (number: number, text: string, of: string) =>
      turn(number, [["choice", text, `${text}?`]], { session: of });
    const stored = (
      id: string,
      number: number,
      text: string,
      of: string,
      state: "candidate" | "standing",
    ) =>
      item(id, {
        ...{ kind: "decisions", content: `${text}? ${text}`, session: of, state },
        evidence: [{ turn: number, piece: 0 }],
      });
    const context = await contextOf(
      {
        turns: [
          choice(4, "newest", "b"),
          choice(3, "unknown", "b"),
          choice(2, "stands", "a"),
          choice(1, "once", "a"),
        ],
        memory: [
          stored("m1", 1, "once", "a", "candidate"),
          stored("m2", 2, "stands", "a", "standing"),
          stored("m4", 4, "newest", "b", "candidate"),
        ],
      },
      { session: "new", source: "startup" },
    );
    const [, decided = ""] = context?.split("## Decided\n") ?? [];
    expect(decided.split("\n\n")[0]?.match(/“[^”]*”/g)).toEqual([
      "“newest”",
      "“unknown”",
      "“stands? stands”",
      "“once? once”",
    ]);
  });
  test("beside commands that stand, one of a single session is told only after that session", async () => {
    const memory = [
      item("m1", { kind: "workflows", content: "make debug", state: "candidate", session: "a" }),
      item("m2", { kind: "workflows", content: "make test", state: "standing", session: "b" }),
    ];
    const newest = (of: string) => [turn(1, [["closing", "Done."]], { session: of })];
    const inB = await contextOf({ turns: newest("b"), memory }, { session: "new" });
    expect(inB).toContain("`make test`");
    expect(inB).not.toContain("make debug");
    expect(await contextOf({ turns: newest("a"), memory }, { session: "new" })).toContain(
      "make debug",
    );
    const alone = await contextOf(
      { turns: newest("b"), memory: memory.slice(0, 1) },
      { session: "new" },
    );
    expect(alone).toContain("make debug");
  });
  test("commands and causes of failures are those that are stored; a command that fails now is not", async () => {
    const memory = [
      item("m1", {
        ...{ kind: "workflows", content: "pnpm build", state: "candidate", session: "s1" },
        evidence: [{ turn: 1, piece: 0 }],
      }),
      item("m2", {
        ...{ kind: "workflows", content: "pnpm test", state: "standing" },
        evidence: [{ turn: 1, piece: 1 }],
      }),
      item("m3", { kind: "workflows", content: "pnpm lint", state: "standing" }),
      item("m4", {
        ...{ kind: "gotchas", content: "The cache of the compiler has to be emptied first." },
        quote: "Exit code 1\n1 failed\n  cannot find module ./shop",
      }),
    ];
    const run = turn(1, [
      ["passed", "ok", "pnpm test"],
      ["failure", "boom", "pnpm lint"],
    ]);
    const failing = run.pieces.map((piece) => ({ ...piece, described: "Run it" }));
    const turns = [{ ...run, pieces: failing }];
    const context = await contextOf({ turns, memory }, { session: "new", source: "startup" });
    expect(context).toContain(
      "## Commands that pass here, in their order\n- `pnpm build` (2026-11-19)\n- `pnpm test` (2026-11-19)\n\n",
    );
    expect(context).toContain(
      "## Failures and what mended them\n- m4 · 2026-11-19 · “cannot find module ./shop”\n  → “The cache of the compiler has to be emptied first.”",
    );
  });
  test("an event without a project, or inside a subagent, gets nothing", async () => {
    const { hooks } = await openRoom(plugin, { storage: storageOf(past) });
    const { project: _, ...bare } = clientEvent("SessionStart");
    expect(await hooks.sequence("SessionStart", bare)).toEqual([]);
    const inside = clientEvent("SessionStart", { agent: { id: "a1" } });
    expect(await hooks.sequence("SessionStart", inside)).toEqual([]);
  });
  test("a resumed session is told only what others did since", async () => {
    const turns = [
      turn(3, [["closing", "Made while away."]], { session: "other" }),
      turn(2, [["closing", "Made by itself."]], { session: "mine" }),
      turn(1, [["closing", "Known already."]], { session: "old" }),
    ];
    const lastActiveAt = turns[1]?.time ?? 0;
    const kept: Kept = { turns, sessions: [session("mine", { lastActiveAt })] };
    const context = await contextOf(kept, { session: "mine", source: "resume" });
    expect(context).toContain("Made while away");
    expect(context).not.toContain("Made by itself");
    expect(context).not.toContain("Known already");
    const quiet = { ...kept, turns: turns.slice(1) };
    expect(await contextOf(quiet, { session: "mine", source: "resume" })).toBeUndefined();
  });
  test("the newest session is told whole, also where it went on in another folder", async () => {
    const turns = [
      turn(3, [["closing", "Finished over there."]], { session: "old", project: "/elsewhere" }),
      turn(2, [["closing", "Not of this project."]], { session: "other", project: "/elsewhere" }),
      turn(1, [["closing", "Begun here."]], { session: "old" }),
    ];
    const context = await contextOf({ turns }, { session: "new", source: "startup" });
    expect(context).toContain("Finished over there.");
    expect(context).toContain("Begun here.");
    expect(context).not.toContain("Not of this project.");
  });
  test("a compacted session gets its own past first, then that of others", async () => {
    const turns = [
      turn(
        3,
        [
          ["prompt", "Own request"],
          ["closing", "Made by itself."],
        ],
        { session: "mine" },
      ),
      ...(past.turns ?? []),
    ];
    const kept: Kept = { ...past, turns, sessions: [session("mine"), ...(past.sessions ?? [])] };
    const context = (await contextOf(kept, { session: "mine", source: "compact" })) ?? "";
    const own = context.indexOf("## This session before it was compacted");
    expect(own).toBeGreaterThan(0);
    expect(context.indexOf("Own request")).toBeGreaterThan(own);
    expect(context.indexOf("The loop is gone.")).toBeGreaterThan(
      context.indexOf("Made by itself."),
    );
    expect(context.split("Made by itself.").length).toBe(2);
  });
  test("config is strict", async () => {
    for (const config of [{ maxCharacters: 10_001 }, { maxCharacters: 10 }, { budget: 5 }]) {
      await expect(openRoom(plugin, { config })).rejects.toThrow();
    }
  });
});
