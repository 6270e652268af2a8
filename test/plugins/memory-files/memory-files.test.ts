// From a session's end to memory items, files and index: what is kept, once, and what is left alone.
import { describe, expect, test } from "bun:test";
import { mkdir, readdir, readFile, stat, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import plugin from "../../../plugins/memory-files/index.ts";
import sqlite from "../../../plugins/storage-sqlite/index.ts";
import type { Hooks } from "../../../src/runtime/ports.ts";
import type { PluginContext, StorageClient } from "../../../src/sdk/context.ts";
import { MemoirError } from "../../../src/sdk/errors.ts";
import type { MemoryItem, Records } from "../../../src/sdk/model.ts";
import { clientEvent } from "../../support/client-events.ts";
import { inFolder } from "../../support/in-folder.ts";
import { openRoom } from "../../support/plugin-room.ts";
import {
  noon,
  sampleMemory,
  sampleObservation,
  samplePrompt,
  sampleSession,
  sampleSummary,
  sampleTurn,
  shop,
} from "../../support/sample-records.ts";
import { scriptedModel } from "../../support/scripted-model.ts";
import { openStorageAlone } from "../../support/storage-host.ts";

const noProvider = () =>
  Promise.reject(new MemoirError("provider_none", "no model provider is set"));
const said = [
  "Look at the cart and tell me how totals are computed there.",
  "We decided on integer cents instead of floats for all amounts. Fix the cart.",
  "Always write the test before the fix. And now the receipt, please.",
];

/** A finished session of the shop with these prompts. */
function finished(id: string, prompts: readonly string[], part: Partial<Records> = {}): Records {
  return {
    sessions: [
      sampleSession({
        id,
        title: "Cart totals in cents",
        status: "ended",
        endedAt: noon + 9,
        lastActiveAt: noon + 9,
        transcriptPath: `/t/${id}.jsonl`,
      }),
    ],
    turns: prompts.map((text, i) =>
      sampleTurn({
        session: id,
        promptNumber: i + 1,
        startedAt: noon + i,
        time: noon + i,
        pieces: [{ kind: "prompt", text }],
        files: [],
      }),
    ),
    prompts: prompts.map((text, i) =>
      samplePrompt({ session: id, promptNumber: i + 1, text, time: noon + i }),
    ),
    summaries: [
      sampleSummary({
        session: id,
        scope: "session",
        promptNumber: prompts.length,
        completed: "Totals are in cents.",
      }),
    ],
    ...part,
  };
}

interface World {
  storage: StorageClient;
  folder: string;
  /** Tells the plugin that this session's summary was stored. */
  end(session: string): Promise<void>;
  /** Has these records forgotten. */
  forget(...ids: string[]): Promise<void>;
  /** Tells the plugin of an item that was stored by somebody else. */
  remembered(item: MemoryItem): Promise<void>;
  file(name: string): Promise<unknown>;
  log: { lines: unknown[] };
  hooks: Hooks;
}

function world(
  work: (world: World) => Promise<void>,
  options: { complete?: PluginContext["complete"]; config?: object } = {},
): Promise<void> {
  return inFolder(async (home) => {
    const { storage, close } = await openStorageAlone(sqlite, home);
    const { hooks, log } = await openRoom(plugin, {
      complete: noProvider,
      ...options,
      storage,
      home,
    });
    const folder = join(home, "memory");
    try {
      await work({
        storage,
        folder,
        log,
        hooks,
        file: async (name) => JSON.parse(await readFile(join(folder, name), "utf8")),
        async forget(...ids) {
          const { deleted } = await storage.delete({ ids });
          await hooks.parallel("forgotten", { ids: deleted });
        },
        remembered: (item) =>
          hooks.parallel("stored", {
            session: item.session,
            project: item.project,
            observations: [],
            summaries: [],
            memory: [item],
          }),
        async end(session) {
          const summaries = await storage.summaries({ session, scope: "session" });
          await hooks.parallel("stored", {
            session,
            project: shop.id,
            observations: [],
            summaries,
          });
        },
      });
    } finally {
      await close();
    }
  });
}

const contents = async (storage: StorageClient) =>
  (await storage.memory({ order: "oldest" }))
    .map(({ kind, content }) => `${kind}: ${content}`)
    .sort();

describe("memory-files", () => {
  test("keeps what was said, in storage, in files and in the index", () =>
    world(async ({ storage, folder, end, file }) => {
      const observations = [
        sampleObservation({
          session: "a",
          concepts: ["pricing", "cart"],
          filesModified: ["src/cart.ts", "src/a.ts", "src/b.ts", "package.json"],
          title: "Totals in cents",
        }),
        sampleObservation({ session: "a", concepts: ["pricing"], title: "Prices in cents" }),
      ];
      await storage.put({ key: "1", records: finished("a", said, { observations }) });
      await end("a");
      expect(await contents(storage)).toEqual([
        "decisions: We decided on integer cents instead of floats for all amounts",
        "preferences: Always write the test before the fix",
      ]);
      const [decision] = (await file("decisions.json")) as Array<Record<string, string>>;
      expect(decision).toMatchObject({
        date: "2026-11-01",
        session: "a",
        project: shop.id,
        context: "Session: Cart totals in cents",
        state: "standing",
        quote: "We decided on integer cents instead of floats for all amounts",
        evidence: [{ turn: 2, piece: 0 }],
      });
      const [shown] = await storage.get({ ids: [decision?.id ?? ""] });
      expect(shown?.kind).toBe("memory");
      expect(await file("facts.json")).toEqual([]);
      expect(await file("history.json")).toMatchObject({
        sessions: [
          {
            session: "a",
            summarized: true,
            prompts: 3,
            transcriptPath: "/t/a.jsonl",
            topics: ["pricing", "cart"],
          },
        ],
      });
      const found = await storage.search({ text: "integer cents", kinds: ["memory"] });
      expect(found[0]?.id).toBe(decision?.id ?? "");
      expect((await stat(join(folder, "decisions.json"))).mode & 0o777).toBe(0o600);
      expect((await readdir(folder)).filter((name) => name.startsWith("."))).toEqual([]);
    }));

  test.each(["s1", "t1", "o1", "m1"])("keeps what was said in a session with the id %s", (id) =>
    world(async ({ storage, end }) => {
      const observations = [sampleObservation({ session: id })];
      await storage.put({ key: "1", records: finished(id, said, { observations }) });
      await end(id);
      expect(await contents(storage)).toHaveLength(2);
      await storage.put({ key: "2", records: finished(`${id}0`, said.slice(1)) });
      await end(`${id}0`);
      await end(id);
      expect(await contents(storage)).toHaveLength(2);
    }),
  );

  test("what is said again in another session stands, under its first wording", () =>
    world(async ({ storage, end }) => {
      const first = "I think we should use integer cents instead of floats for all amounts";
      await storage.put({ key: "1", records: finished("a", [said[0] ?? "", first]) });
      await end("a");
      expect(await storage.memory({})).toMatchObject([{ content: first, state: "candidate" }]);
      const again = "For all amounts we decided on integer cents, not floats.";
      await storage.put({ key: "2", records: finished("b", [again]) });
      await end("b");
      expect(await storage.memory({})).toMatchObject([
        {
          content: first,
          state: "standing",
          evidence: [
            { session: "a", turn: 2, piece: 0 },
            { turn: 1, piece: 0 },
          ],
        },
      ]);
    }));

  test("what an earlier version took from a quotation goes, what a person stored or touched stays", () =>
    world(async ({ storage, end, file }) => {
      const wrong = (content: string, part: object) => ({
        ...sampleMemory({ content, quote: content, session: "a", kind: "preferences" }),
        ...{ project: shop.id, evidence: [{ turn: 1, piece: 0 }], ...part },
      });
      const quoted = "From now on, send everything to the archive";
      const memory = [
        wrong(quoted, { state: "standing" }),
        wrong("Pinned by a person", { pinned: true }),
        wrong("Of a session that is gone", { session: "z" }),
        sampleMemory({ content: "Remembered", session: "a", kind: "preferences" }),
      ];
      const first = `Explain this:\n> ${quoted}\n`;
      await storage.put({ key: "1", records: finished("a", [first, ...said]) });
      await storage.put({ key: "0", records: { memory } });
      await end("a");
      expect(await contents(storage)).toEqual([
        "decisions: We decided on integer cents instead of floats for all amounts",
        "preferences: Always write the test before the fix",
        "preferences: Of a session that is gone",
        "preferences: Pinned by a person",
        "preferences: Remembered",
      ]);
      expect(await file("preferences.json")).toHaveLength(4);
    }));

  test("looks at a session once, and again when it went on", () =>
    world(async ({ storage, end, file }) => {
      await storage.put({ key: "1", records: finished("a", said) });
      await end("a");
      await end("a");
      expect(await contents(storage)).toHaveLength(2);
      const more = [...said, "I prefer small commits with a reason in the body."];
      await storage.put({ key: "2", records: finished("a", more) });
      await end("a");
      expect(await contents(storage)).toHaveLength(3);
      expect((await file("preferences.json")) as unknown[]).toHaveLength(2);
      expect(((await file("history.json")) as { sessions: unknown[] }).sessions).toHaveLength(1);
    }));

  test("what is forgotten leaves the files, and is not found in its session again", () =>
    world(async ({ storage, folder, end, file, forget }) => {
      await storage.put({ key: "1", records: finished("a", said) });
      await end("a");
      const [decision] = await storage.memory({ kinds: ["decisions"] });
      await forget(decision?.id ?? "");
      expect(await file("decisions.json")).toEqual([]);
      expect(await file("preferences.json")).toHaveLength(1);
      const more = [...said, "I prefer small commits with a reason in the body."];
      await storage.put({ key: "2", records: finished("a", more) });
      await end("a");
      expect(await contents(storage)).toEqual([
        "preferences: Always write the test before the fix",
        "preferences: I prefer small commits with a reason in the body",
      ]);
      await forget("a");
      expect(await contents(storage)).toEqual([]);
      const texts = await Promise.all(
        (await readdir(folder)).map((name) => readFile(join(folder, name), "utf8")),
      );
      expect(texts.join("\n")).not.toMatch(/cents|commits|test before/i);
    }));

  test("what the user asked to remember is in the files at once", () =>
    world(async ({ storage, file, remembered }) => {
      const known = sampleMemory({ kind: "preferences", content: "Tabs, never spaces." });
      await storage.put({ key: "0", records: { memory: [known] } });
      const [item] = await storage.memory({});
      if (item) await remembered(item);
      expect(await file("preferences.json")).toMatchObject([{ content: "Tabs, never spaces." }]);
    }));

  test("a session starts while a model is asked of another", async () => {
    const { promise, resolve } = Promise.withResolvers<never>();
    let asked = () => {};
    const isAsked = new Promise<void>((done) => {
      asked = done;
    });
    const complete = () => {
      asked();
      return promise;
    };
    await world(
      async ({ storage, end, hooks, log }) => {
        await storage.put({ key: "1", records: finished("a", said) });
        const ended = end("a");
        await isAsked;
        expect(await contents(storage)).toHaveLength(2);
        await hooks.sequence("SessionStart", clientEvent("SessionStart"));
        // What takes too long is left out, with a line in the log.
        expect(log.lines).toEqual([]);
        resolve({ text: '{"items": []}', stopReason: "end" } as never);
        await ended;
      },
      { complete },
    );
  });

  test("compares the files before others tell what memory says", () => {
    for (const name of ["SessionStart", "UserPromptSubmit"] as const)
      expect(plugin.hooks?.[name]).toMatchObject({ order: "pre" });
  });

  test("files say what memory says, whatever changed in between, and nothing is said of a model that nobody set", () =>
    world(async ({ storage, end, file, forget, hooks, log }) => {
      let seed = 11;
      const some = (most: number) => {
        seed = (seed * 48_271) % 2_147_483_647;
        return seed % most;
      };
      const rules = [
        "I think we should only have one list view.",
        "The list view, I think we should have only one.",
        "Never push to main.",
        "Always push to main.",
        "We use go-git to not depend on a checkout.",
      ];
      const changes = [
        async (step: number) => {
          const prompts = [rules[some(rules.length)] ?? "", rules[some(rules.length)] ?? ""];
          await storage.put({ key: `${step}`, records: finished(`s${some(4)}`, prompts) });
        },
        async (step: number) => {
          const content = `Keep log ${some(3)}`;
          const state = some(2) ? { state: "standing" as const } : {};
          const item = sampleMemory({ kind: "decisions", content, session: "z", ...state });
          await storage.put({ key: `${step}`, records: { memory: [item] } });
        },
        async (_: number, { id }: MemoryItem) => {
          const set = some(2) ? { state: "standing" } : { context: `mine ${some(9)}` };
          const { record } = await storage.amend({ id, set });
          await hooks.parallel("amended", {
            kind: "memory",
            record: record as MemoryItem,
          });
        },
        (_: number, { id }: MemoryItem) => forget(id),
      ];
      for (let step = 0; step < 60; step++) {
        const items = await storage.memory({});
        const item = items[some(Math.max(1, items.length))];
        const change = changes[item ? some(changes.length) : some(2)];
        if (change) await change(step, item as MemoryItem);
        await end(`s${some(4)}`);
      }
      await storage.put({ key: "last", records: finished("s0", rules) });
      await end("s0");
      for (const kind of ["decisions", "preferences", "facts"] as const) {
        const items = await storage.memory({ kinds: [kind], order: "oldest" });
        const listed = (await file(`${kind}.json`)) as MemoryItem[];
        const said = ({ id, content, context, state, date, evidence }: MemoryItem) =>
          JSON.stringify([id, content, context, state, date, evidence]);
        expect(listed.map(said).sort()).toEqual(items.map(said).sort());
      }
      expect(log.lines).toEqual([]);
    }));

  test("keeps a session that ended without a summary, and forgets its title with its turns", () =>
    world(async ({ storage, file, hooks }) => {
      await storage.put({ key: "1", records: finished("a", said, { summaries: [] }) });
      const about = { session: "a", project: shop.id, observations: [], summaries: [] };
      await hooks.parallel("stored", { ...about, ended: true });
      expect(await contents(storage)).toHaveLength(2);
      expect(await file("history.json")).toMatchObject({
        sessions: [{ session: "a", title: "Cart totals in cents" }],
      });
      await hooks.parallel("forgotten", { ids: ["t9"], sessions: ["a"] });
      expect(await file("history.json")).toMatchObject({ sessions: [{ session: "a", title: "" }] });
    }));

  test("a person's changes are logged; where storage fails they are taken over later", () =>
    world(async ({ storage, folder, remembered }) => {
      const known = sampleMemory({ content: "Tabs, never spaces." });
      await storage.put({ key: "0", records: { memory: [known] } });
      const [item] = await storage.memory({});
      if (item) await remembered(item);
      let isLocked = true;
      const { hooks, log } = await openRoom(plugin, {
        storage: {
          ...storage,
          get: (query) => (isLocked ? Promise.reject(new Error("locked")) : storage.get(query)),
        },
        home: dirname(folder),
      });
      await writeFile(join(folder, "preferences.json"), "[]");
      const start = () => hooks.sequence("SessionStart", clientEvent("SessionStart"));
      await start();
      expect(await contents(storage)).toHaveLength(1);
      isLocked = false;
      await start();
      expect(await contents(storage)).toEqual([]);
      expect(log.lines).toMatchObject([
        { message: "changes in memory files could not be taken over yet" },
        { message: "memory files were changed by hand", fields: { changed: 0, removed: 1 } },
      ]);
    }));

  test("keeps nothing twice, however it is worded", () =>
    world(async ({ storage, end }) => {
      const known = sampleMemory({
        kind: "decisions",
        content: "Use integer cents for all amounts, not floats",
        session: "old",
      });
      await storage.put({ key: "0", records: { memory: [known] } });
      await storage.put({ key: "1", records: finished("a", said) });
      await end("a");
      expect((await contents(storage)).filter((text) => text.includes("cents"))).toHaveLength(1);
    }));

  test("keeps nothing of a session without substance; of one that goes on what was laid down, and notes it once it ended", () =>
    world(async ({ storage, end, file }) => {
      const quick = finished("quick", ["continue", "run tests", "commit"]);
      await storage.put({ key: "1", records: quick });
      const open = finished("open", said);
      await storage.put({
        key: "2",
        records: { ...open, sessions: [sampleSession({ id: "open" })] },
      });
      for (const id of ["quick", "open"]) await end(id);
      const kept = await storage.memory({});
      expect(new Set(kept.map(({ session }) => session))).toEqual(new Set(["open"]));
      expect(await contents(storage)).toContain(
        "preferences: Always write the test before the fix",
      );
      const { sessions } = (await file("history.json")) as { sessions: Array<{ session: string }> };
      expect(sessions.map(({ session }) => session)).toEqual(["quick"]);
    }));

  test("says the same in storage and files whatever order sessions end in, or how often", async () => {
    const prompts = {
      a: ["We decided on integer cents for all amounts.", "Always run the linter first."],
      b: ["For all amounts we decided on integer cents.", "Always run the linter first."],
      c: ["Never run the linter first."],
    };
    const all = new Set<string>();
    for (const order of ["abc", "acb", "bac", "bca", "cab", "cba", "cbabc"])
      await world(async ({ storage, end, file }) => {
        for (const [at, id] of [...order].entries()) {
          const made = finished(id, prompts[id as "a"]);
          const later = ("abc".indexOf(id) + 1) * 24 * 60 * 60_000;
          const turns = made.turns?.map((turn) => ({
            ...{ ...turn, startedAt: turn.startedAt + later, time: turn.time + later },
          }));
          await storage.put({ key: `${at}`, records: { ...made, turns } });
          await end(id);
        }
        const items = (await storage.memory({})).map(({ kind: _, ...item }) => item);
        const files = [await file("decisions.json"), await file("preferences.json")];
        const plain = (list: unknown[]) =>
          list.map((one) => JSON.stringify({ ...(one as object), id: "" })).sort();
        expect(plain(items)).toEqual(plain(files.flat()));
        all.add(plain(items).join("\n"));
      });
    expect([...all]).toHaveLength(1);
    expect([...all][0]).toContain("Taken back");
  });

  test("adds to files, keeps what a person wrote there, and leaves what is no list", () =>
    world(async ({ storage, folder, end, file, log }) => {
      await mkdir(folder);
      await writeFile(join(folder, "decisions.json"), '[{"id":"mine","content":"By hand"}]');
      await writeFile(join(folder, "preferences.json"), "not JSON {");
      await storage.put({ key: "1", records: finished("a", said) });
      await end("a");
      const decisions = (await file("decisions.json")) as Array<{ content: string }>;
      expect(decisions.map(({ content }) => content)).toEqual([
        "By hand",
        "We decided on integer cents instead of floats for all amounts",
      ]);
      expect(await readFile(join(folder, "preferences.json"), "utf8")).toBe("not JSON {");
      expect(JSON.stringify(log.lines)).toContain("preferences.json");
      expect(await contents(storage)).toHaveLength(2);
    }));
});

describe("with a model", () => {
  const substantive = [
    ...said,
    "What does the receipt need to show so that the shop can be audited?",
  ];
  const answer = JSON.stringify({
    items: [
      {
        kind: "decisions",
        content: "Amounts are integer cents instead of floats",
        context: "Rounding errors in the cart",
      },
      {
        kind: "facts",
        content: "The receipt must show what an audit of the shop needs",
        context: "",
      },
      {
        kind: "facts",
        content: "Kubernetes clusters run in Frankfurt behind Cloudflare",
        context: "made up",
      },
      { kind: "opinions", content: "The shop and its cart are nice to look at", context: "" },
      { kind: "facts", content: "short", context: "" },
    ],
  });

  test("keeps what the material backs, and the quoted items that say something else", async () => {
    const model = scriptedModel(`Here:\n\`\`\`json\n${answer}\n\`\`\``);
    await world(
      async ({ storage, end }) => {
        await storage.put({ key: "1", records: finished("a", substantive) });
        await end("a");
        expect(await contents(storage)).toEqual([
          "decisions: We decided on integer cents instead of floats for all amounts",
          "facts: The receipt must show what an audit of the shop needs",
          "preferences: Always write the test before the fix",
        ]);
        expect(model.requests[0]).toMatchObject({
          purpose: "memory",
          session: "a",
          project: shop.id,
        });
      },
      { complete: model.complete },
    );
  });

  const off: Array<[string, object, readonly string[]]> = [
    ["when it is switched off", { model: false }, substantive],
    [
      "about a session without substance",
      {},
      ["continue", "Always run the linter before you commit.", "run tests"],
    ],
  ];
  test.each(off)("asks nothing %s", async (_name, config, prompts) => {
    const model = scriptedModel(answer);
    await world(
      async ({ storage, end }) => {
        await storage.put({ key: "1", records: finished("a", prompts) });
        await end("a");
        expect(model.requests).toHaveLength(0);
        expect((await contents(storage)).length).toBeGreaterThan(0);
      },
      { complete: model.complete, config },
    );
  });

  test.each([
    new MemoirError("provider_rate", "slow down"),
    "I would rather not.",
    "{}",
    '{"items": 7}',
  ])("falls back to the evidence when the answer is %p", async (line) => {
    await world(
      async ({ storage, end }) => {
        await storage.put({ key: "1", records: finished("a", substantive) });
        await end("a");
        expect(await contents(storage)).toHaveLength(2);
      },
      { complete: scriptedModel(line).complete },
    );
  });
});
