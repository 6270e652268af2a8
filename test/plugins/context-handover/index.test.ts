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
      (kept.sessions ?? []).filter(({ id }) => query.session === undefined || id === query.session),
    memory: async (query) =>
      pick(kept.memory, query).filter(({ kind }) => query.kinds?.includes(kind) ?? true),
    turns: async (query) => pick(kept.turns, query),
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
        ["closing", "The loop is gone: the login sets its cookie once."],
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
      expect(context).toContain("The loop is gone");
      expect(context).toContain(`source="${source}"`);
    });
  }
  test("the answer names what was told", async () => {
    const { hooks } = await openRoom(plugin, { storage: storageOf(past) });
    const event = clientEvent("SessionStart", { session: "new", source: "startup" });
    const [answer] = await hooks.sequence("SessionStart", event);
    expect(answer?.result.records).toEqual(["t1"]);
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
    expect(decided.split("\n\n")[0]?.split("\n")).toEqual([
      "- m2 · 2026-11-19 · typed by the user: “Money is kept in cents”",
    ]);
    expect(context).not.toContain("Node 24");
    expect(context).not.toContain("Never mind");
    expect(context).not.toContain("Nobody judged");
    const resumed = { ...kept, sessions: [session("new", { lastActiveAt: 1 })] };
    const again = await contextOf(resumed, { session: "new", source: "resume" });
    expect(again).not.toContain("## Decided");
  });
  test("what stands comes with it however much has waited since", async () => {
    const waiting = Array.from({ length: 60 }, (_, at) =>
      item(`m${99 - at}`, { state: "candidate", content: `Maybe we need table ${at}` }),
    );
    const memory = [...waiting, item("m1", { state: "standing" })];
    const context = await contextOf({ ...past, memory }, { session: "new" });
    expect(context).toContain("- m1 · 2026-11-19 · ");
    expect(context).not.toContain("Maybe we need");
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
  test("of what an agent kept in its own words, the user's are beside it", async () => {
    const kept = { kind: "decisions", state: "standing", quote: "the second one, please" } as const;
    const memory = [
      item("m2", { ...kept, content: "Sessions are kept in Postgres" }),
      item("m1", { ...kept, content: "As for the cache: the second one, please" }),
      item("m3", {
        ...kept,
        content: "Log Agent: on each line.",
        quote: "log `Agent:` on each line",
      }),
    ];
    const context = await contextOf({ turns: past.turns ?? [], memory }, { session: "new" });
    expect(context).toContain(
      "chosen by the user (“the second one, please”): “Sessions are kept in Postgres”",
    );
    expect(context).toContain("chosen by the user: “As for the cache: the second one, please”");
    expect(context).toContain("chosen by the user: “Log Agent: on each line.”");
  });
  test("what was decided is told with its session, what holds in general without", async () => {
    const told = async (part: Partial<MemoryItem>) => {
      const taken = { kind: "decisions", state: "standing" } as const;
      const evidence = [{ turn: 1, piece: 0 }];
      const content = "Is this session store of our own? → Reusable, in one file";
      const memory = [item("m1", { ...taken, evidence, content, quote: "2", ...part })];
      const context = await contextOf({ turns: past.turns ?? [], memory }, { session: "new" });
      return /- m1 · [\d-]+ · (.*)$/m.exec(context ?? "")?.[1];
    };
    const context = "Session: A store for carts";
    const said = "chosen by the user: “Is this session store of our own? → Reusable, in one file”";
    expect(await told({ context })).toBe(`${context} · ${said}`);
    expect(await told({ context: "An option that the agent gave." })).toBe(said);
    const typed = "We keep the store in one file";
    const ruled = { context, content: typed, quote: typed };
    expect(await told(ruled)).toBe(`${context} · typed by the user: “${typed}”`);
    const general = { ...ruled, kind: "preferences" } as const;
    expect(await told(general)).toBe(`typed by the user: “${typed}”`);
    const edited = { by: undefined, at: 0, was: { state: "candidate" } } as never;
    expect(await told({ context, edited })).toBe(said);
  });
  test("commands are those that are stored and those that passed; a failure's cause comes with it", async () => {
    const memory = [
      item("m1", { kind: "workflows", content: "make debug", state: "candidate" }),
      item("m2", {
        ...{ kind: "workflows", content: "pnpm test", state: "standing" },
        context: "Ran in 54 sessions",
      }),
      item("m3", { kind: "workflows", content: "pnpm release", state: "standing" }),
      item("m4", {
        kind: "gotchas",
        content: "The cache of the compiler has to be emptied first.",
      }),
    ];
    const run = (number: number) =>
      turn(number, [["passed", "ok", "pnpm test"]], { session: `s${number}` });
    const context = await contextOf(
      { turns: [run(2), run(1)], memory },
      { session: "new", source: "startup" },
    );
    expect(context).toContain(
      "## Commands that pass here, and in how many sessions\n- `pnpm test` ×54 · `pnpm release`\n\n",
    );
    expect(context).toContain(
      "- m4 · 2026-11-19 · “The cache of the compiler has to be emptied first.”",
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
      turn(3, [["closing", "The archive was migrated while away."]], { session: "other" }),
      turn(2, [["closing", "Made by itself."]], { session: "mine" }),
      turn(1, [["closing", "Known already."]], { session: "old" }),
    ];
    const lastActiveAt = turns[1]?.time ?? 0;
    const kept: Kept = { turns, sessions: [session("mine", { lastActiveAt })] };
    const context = await contextOf(kept, { session: "mine", source: "resume" });
    expect(context).toContain("The archive was migrated while away");
    expect(context).not.toContain("Made by itself");
    expect(context).not.toContain("Known already");
    const quiet = { ...kept, turns: turns.slice(1) };
    expect(await contextOf(quiet, { session: "mine", source: "resume" })).toBeUndefined();
  });
  test("the newest session is told whole, also where it went on in another folder", async () => {
    const turns = [
      turn(3, [["closing", "The export of prices.csv and stock.csv is finished over there."]], {
        session: "old",
        project: "/elsewhere",
      }),
      turn(2, [["closing", "The mails are of another project."]], {
        session: "other",
        project: "/elsewhere",
      }),
      turn(1, [["closing", "The import was begun with two files here."]], {
        ...{ session: "old", changed: ["import.ts"] },
      }),
    ];
    const context = await contextOf({ turns }, { session: "new", source: "startup" });
    expect(context).toContain("The export of prices.csv and stock.csv is finished over there.");
    expect(context).toContain("The import was begun with two files here");
    expect(context).not.toContain("The mails are of another project.");
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
    expect(context.indexOf("The loop is gone")).toBeGreaterThan(own);
    expect(context.indexOf("Own request")).toBeLessThan(context.indexOf("The loop is gone"));
  });
  test("config is strict", async () => {
    for (const config of [{ maxCharacters: 10_001 }, { maxCharacters: 10 }, { budget: 5 }]) {
      await expect(openRoom(plugin, { config })).rejects.toThrow();
    }
  });
});
