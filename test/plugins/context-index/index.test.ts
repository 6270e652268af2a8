// When the index is given, to whom, and what storage is asked for it.
import { describe, expect, test } from "bun:test";
import plugin from "../../../plugins/context-index/index.ts";
import type { StorageClient } from "../../../src/sdk/context.ts";
import type { MemoryItem, Observation, Session, Summary } from "../../../src/sdk/model.ts";
import type { ListQuery } from "../../../src/sdk/storage.ts";
import { clientEvent } from "../../support/client-events.ts";
import { openRoom } from "../../support/plugin-room.ts";
import { observation, session, summary } from "../../support/records.ts";

interface Kept {
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
    prompts: async () => [],
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
  observations: [observation("o1", { session: "old" })],
  summaries: [summary("s1", { session: "old" })],
  sessions: [session("old", { title: "Fix the login loop" })],
};

describe("context-index", () => {
  for (const source of ["startup", "clear", "resume", "compact", "fork"]) {
    test(`${source} of a session that memoir has not seen gets the project's memory`, async () => {
      const context = await contextOf(past, { session: "new", source });
      expect(context).toContain("Last session: Fix the login loop");
      expect(context).toContain("o1 ·");
      expect(context).toContain(`source="${source}"`);
    });
  }
  test("a project without memory gets nothing", async () => {
    expect(await contextOf({}, { source: "startup" })).toBeUndefined();
    const elsewhere = { id: "github.com/acme/other", name: "other", root: "/o" };
    expect(await contextOf(past, { source: "startup", project: elsewhere })).toBeUndefined();
  });
  test("standing decisions and preferences of other sessions come with it, once", async () => {
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
    const memory = [
      item("m1", {}),
      item("m2", { kind: "decisions", content: "Money is kept in integer cents everywhere" }),
      item("m3", { kind: "facts", content: "Node 24 is installed" }),
      item("m4", { session: "new", content: "Never mind the linter" }),
    ];
    const decision = observation("o9", {
      session: "old",
      type: "decision",
      title: "Cents for money",
      facts: ["Money is kept in integer cents everywhere."],
    });
    const kept = { ...past, memory, observations: [decision, ...(past.observations ?? [])] };
    const context = await contextOf(kept, { session: "new", source: "startup" });
    expect(context).toContain("## Standing decisions and preferences");
    expect(context).toContain(
      "m1 · 2026-11-19 · preference · Always write the test before the fix",
    );
    expect(context).toContain("m2 · 2026-11-19 · decision · Money is kept in integer cents");
    expect(context).not.toContain("Node 24");
    expect(context).not.toContain("Never mind");
    expect(context).not.toContain("o9");
    const resumed = { ...kept, sessions: [session("new", { lastActiveAt: 1 })] };
    const again = await contextOf(resumed, { session: "new", source: "resume" });
    expect(again).not.toContain("Standing decisions");
  });
  test("an event without a project, or inside a subagent, gets nothing", async () => {
    const { hooks } = await openRoom(plugin, { storage: storageOf(past) });
    const { project: _, ...bare } = clientEvent("SessionStart");
    expect(await hooks.sequence("SessionStart", bare)).toEqual([]);
    const inside = clientEvent("SessionStart", { agent: { id: "a1" } });
    expect(await hooks.sequence("SessionStart", inside)).toEqual([]);
  });
  test("a resumed session is told only what others did since", async () => {
    const time = observation("x").time;
    const kept: Kept = {
      observations: [
        observation("o3", { session: "other", time: time + 2_000, title: "Made while away" }),
        observation("o2", { session: "mine", time: time + 1_500, title: "Made by itself" }),
        observation("o1", { session: "old", time, title: "Known already" }),
      ],
      sessions: [session("mine", { lastActiveAt: time + 1_000 })],
    };
    const context = await contextOf(kept, { session: "mine", source: "resume" });
    expect(context).toContain("Made while away");
    expect(context).not.toContain("Made by itself");
    expect(context).not.toContain("Known already");
    const quiet = { ...kept, observations: kept.observations?.slice(1) ?? [] };
    expect(await contextOf(quiet, { session: "mine", source: "resume" })).toBeUndefined();
  });
  test("a compacted session gets its own past first", async () => {
    const kept: Kept = {
      observations: [
        observation("o9", { session: "mine", title: "Made by itself" }),
        ...(past.observations ?? []),
      ],
      summaries: [
        summary("s9", { session: "mine", scope: "prompt", request: "Own request" }),
        ...(past.summaries ?? []),
      ],
      sessions: [session("mine"), ...(past.sessions ?? [])],
    };
    const context = (await contextOf(kept, { session: "mine", source: "compact" })) ?? "";
    expect(context.indexOf("Own request")).toBeGreaterThan(0);
    expect(context.indexOf("Made by itself")).toBeGreaterThan(context.indexOf("Own request"));
    expect(context.indexOf("Last session")).toBeGreaterThan(context.indexOf("Made by itself"));
  });
  test("config is strict", async () => {
    for (const config of [{ maxCharacters: 10_001 }, { maxCharacters: 10 }, { budget: 5 }]) {
      await expect(openRoom(plugin, { config })).rejects.toThrow();
    }
  });
});
