// The way of one event: what becomes of it, who is told, what is waited for, and what its answer says besides the plugins' own words.
import { expect, test } from "bun:test";
import type { ConfigFile } from "../../../src/runtime/config/parse.ts";
import { createEventWay } from "../../../src/runtime/events/event-way.ts";
import type { Appended } from "../../../src/runtime/journal/append.ts";
import type { Injection } from "../../../src/runtime/journal/counts.ts";
import type { Generation } from "../../../src/runtime/plugins/generations.ts";
import type { ClientEvent, Reply } from "../../../src/sdk/events.ts";
import { clientEvent } from "../../support/client-events.ts";
import { fakeHooks } from "../../support/fake-hooks.ts";
import { keptLog } from "../../support/kept-log.ts";

type EventWayDeps = Parameters<typeof createEventWay>[0];

const now = 1_000_000;
const project = { id: "acme/shop", name: "shop", root: "/shop" };
const config: ConfigFile = { path: "/c", problems: [] } as unknown as ConfigFile;

interface Given {
  reply?: Reply;
  fails?: boolean;
  drop?: string;
  withheld?: boolean;
  appended?: Partial<Appended> | Error;
  drain?: () => Promise<boolean>;
  notice?: string;
  finding?: string;
  config?: ConfigFile;
}

/** A way whose every neighbour notes what is asked of it. */
function way(given: Given = {}) {
  const asked: unknown[][] = [];
  const injected: Injection[] = [];
  const log = keptLog();
  const hooks = fakeHooks({ settled: () => undefined });
  const own = fakeHooks();
  own.sequence = (async () => {
    if (given.fails) throw new Error("no plugin answers");
    return given.reply ? [{ plugin: "one", result: given.reply }] : [];
  }) as never;
  const deps = {
    journal: {
      async append(event: ClientEvent) {
        asked.push(["append", event.transcriptBytes]);
        if (given.appended instanceof Error) throw given.appended;
        return {
          seq: 1,
          promptNumber: 1,
          row: 7,
          isNew: true,
          recovered: false,
          ...given.appended,
        };
      },
      count: (name: string) => asked.push(["count", name]),
      note: (noted: object) => asked.push(["note", noted]),
      inject: (injection: Injection) => injected.push(injection),
    },
    worker: {
      wake: (session: string, how?: object) => asked.push(["wake", session, how]),
      drain: async (request: object) => {
        asked.push(["drain", request]);
        return given.drain?.();
      },
      settled: (end: object) => asked.push(["settled", end]),
    },
    hooks,
    endless: {
      keepOriginal: () => {
        asked.push(["hold"]);
        return () => asked.push(["let go"]);
      },
      answered: (_: ClientEvent, taken: boolean) => asked.push(["answered", taken]),
      heard: ({ id }: ClientEvent) => asked.push(["heard", id]),
    },
    capture: async (event: ClientEvent) =>
      given.drop === undefined
        ? { event: given.withheld ? { ...event, withheld: true } : event, failed: [] }
        : { drop: given.drop, by: "privacy" },
    notices: { take: () => given.notice, add: () => {} },
    findings: [() => given.finding],
    ...{ log, now: () => now, sessionWaitMs: 300 },
  } as unknown as EventWayDeps;
  const generation = { file: given.config ?? config, hooks: own } as unknown as Generation;
  const eventWay = createEventWay(deps);
  const take = (event: ClientEvent, others = {}) => eventWay.take(event, generation, others);
  const of = (name: string) =>
    asked.filter(([first]) => first === name).map((call) => call.slice(1));
  return { take, of, asked, injected, log, hooks, isRecent: eventWay.isRecent };
}
const prompt = (more: object = {}) => clientEvent("UserPromptSubmit", { time: now, ...more });
const tool = (more: object = {}) =>
  clientEvent("PostToolUse", { time: now, toolUseId: "t1", ...more });
const start = (more: object = {}) => clientEvent("SessionStart", { time: now, project, ...more });

test("a new event is committed and its session woken; a tool use gathers with others first", async () => {
  const { take, of } = way();
  expect(await take(prompt({ session: "s1", id: "1", key: "1" }))).toEqual({
    ...{ reply: {}, accepted: "committed" },
  });
  await take(tool({ session: "s1", id: "2", key: "2" }));
  await take({ ...clientEvent("PostToolUseFailure", { time: now }), id: "3", key: "3" });
  expect(of("wake").map(([, how]) => how)).toEqual([
    { gathers: false, row: 7 },
    { gathers: true, row: 7 },
    { gathers: true, row: 7 },
  ]);
  expect(of("answered")).toHaveLength(3);
});

test("an event that is committed already wakes nobody, and is answered all the same", async () => {
  const { take, of } = way({ appended: { isNew: false }, reply: { context: "again" } });
  expect(await take(prompt())).toEqual({ reply: { context: "again" }, accepted: "duplicate" });
  expect(of("wake")).toEqual([]);
});

test("an event that the disk did not take rejects, and its session is woken for what may stand there", async () => {
  const { take, of } = way({ appended: new Error("the disk is full") });
  await expect(take(prompt({ session: "s9" }))).rejects.toThrow("the disk is full");
  expect(of("wake")).toEqual([["s9", undefined]]);
  expect(of("answered")).toEqual([]);
});

test("of a dropped event Endless Mode hears, since it may have asked memoir for something", async () => {
  const { take, of } = way({ drop: "private" });
  await take(tool({ id: "d1" }));
  expect([of("heard"), of("append"), of("answered")]).toEqual([[["d1"]], [], []]);
});

test("a session that starts waits for the work of its project, for so long; nobody else does", async () => {
  const { take, of } = way();
  await take(start({ key: "k1" }));
  expect(of("drain")).toEqual([[{ project: "acme/shop", timeoutMs: 300 }]]);
  const { project: _, ...alone } = start({ key: "k2" });
  await take(alone as ClientEvent);
  await take(start({ key: "k3", time: now - 5_001 }));
  await take(prompt({ key: "k4", project }));
  expect(of("drain")).toHaveLength(1);
  await take(start({ key: "k5", time: now - 5_000 }));
  expect(of("drain")).toHaveLength(2);
});

test("work that cannot be waited for is told, and the session starts", async () => {
  const { take, log } = way({ drain: () => Promise.reject(new Error("no journal")) });
  expect((await take(start())).accepted).toBe("committed");
  expect(log.lines).toMatchObject([{ level: "warn", message: "earlier work was not waited for" }]);
});

test("what has to be said stands below the plugins' own message, where somebody reads it", async () => {
  const given = { reply: { systemMessage: "Own." }, notice: "Budget.", finding: "Damage." };
  const { take } = way(given);
  const { reply } = await take(prompt(), { notice: "Old." });
  expect(reply.systemMessage).toBe("Own.\nBudget.\nDamage.\nOld.");
  const late = way(given);
  expect((await late.take(prompt({ time: now - 5_001 }), { notice: "Old." })).reply).toEqual({
    systemMessage: "Own.",
  });
  const unread = [
    clientEvent("PostToolUse", { time: now }),
    clientEvent("SessionEnd", { time: now }),
    clientEvent("Stop", { time: now, agent: { id: "x" } }),
  ];
  for (const event of unread)
    expect((await way(given).take(event, {})).reply).toEqual({ systemMessage: "Own." });
  const nothing = way({ reply: { systemMessage: "Own." } });
  expect((await nothing.take(prompt())).reply).toEqual({ systemMessage: "Own." });
});

test("a config that is wrong is said at the start of a session, not at each prompt", async () => {
  const wrong = {
    ...{ path: "/c.json", broken: true, captureUnclear: false },
    problems: [{ path: "log.level", message: "is no level" }],
  } as unknown as ConfigFile;
  const { take } = way({ config: wrong });
  expect((await take(start())).reply.systemMessage).toContain("memoir: /c.json: log.level");
  expect((await take(prompt())).reply).toEqual({});
});

test("what a session was given to read is noted with its size and records; an answer without is not", async () => {
  const { take, injected } = way({ reply: { context: "x".repeat(40), records: ["o1", "o2"] } });
  await take(prompt({ session: "s1", project, client: "claude-code" }));
  const noted = { client: "claude-code", session: "s1", event: "UserPromptSubmit", time: now };
  const size = { characters: 40, tokens: 10, records: ["o1", "o2"] };
  expect(injected).toEqual([{ ...noted, project: "acme/shop", ...size }]);
  const elsewhere = way({ reply: { context: "word" } });
  const { project: _, ...event } = prompt({ cwd: "/srv/here" }) as ClientEvent & {
    project?: object;
  };
  await elsewhere.take(event as ClientEvent);
  expect(elsewhere.injected).toMatchObject([{ project: "/srv/here", characters: 4, records: [] }]);
  const silent = way({ reply: { systemMessage: "hello" } });
  await silent.take(prompt());
  expect(silent.injected).toEqual([]);
});

test("what plugins count is noted for their project; a context without room is told", async () => {
  const { take, of, log } = way({
    reply: { noted: ["moments:shown"], context: "x".repeat(10_001) },
  });
  const { reply } = await take(prompt({ project }));
  expect(reply).toEqual({});
  expect(of("note")).toEqual([[{ project: "acme/shop", time: now, name: "moments:shown" }]]);
  expect(log.lines).toMatchObject([
    { level: "warn", message: "context left out: no room", fields: { plugins: ["one"] } },
  ]);
});

test("another tool output counts as taken only while somebody waits for it", async () => {
  const reply = { updatedToolOutput: { stdout: "short" } };
  const taken = async (given: Given, others = {}) => {
    const { take, of } = way(given);
    await take(tool(), others);
    return of("answered")[0]?.[0];
  };
  expect(await taken({ reply })).toBe(true);
  expect(await taken({ reply }, { abandoned: new AbortController().signal })).toBe(true);
  expect(await taken({ reply }, { abandoned: AbortSignal.abort() })).toBe(false);
  expect(await taken({ reply: { context: "x" } })).toBe(false);
});

test("the original that is held for the plugins is let go once they answered, also when they fail", async () => {
  const { take, asked } = way();
  await take(tool());
  const order = asked
    .map(([name]) => name)
    .filter((name) => /hold|let go|answered/.test(`${name}`));
  expect(order).toEqual(["hold", "let go", "answered"]);
  const failing = way({ fails: true });
  await expect(failing.take(tool())).rejects.toThrow("no plugin answers");
  expect(failing.of("let go")).toHaveLength(1);
});

test("an event of five seconds ago is the oldest that somebody waits for", () => {
  const { isRecent } = way();
  expect([
    isRecent(prompt({ time: now - 5_000 })),
    isRecent(prompt({ time: now - 5_001 })),
  ]).toEqual([true, false]);
});

test("a context is noted as given only where a session reads it", async () => {
  const reply = { context: "Where things stood", records: ["t1"] };
  const noted = async (event: ClientEvent, others: object) => {
    const { take, injected } = way({ reply });
    await take(event, others);
    return injected.map(({ records }) => records);
  };
  expect(await noted(start(), {})).toEqual([["t1"]]);
  expect(await noted(start(), { abandoned: AbortSignal.abort() })).toEqual([]);
  expect(await noted(start({ time: now - 60_000 }), {})).toEqual([]);
});
