// What of a session's transcript is put into the journal: prompts that memory and the journal have lost, and nothing else.
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { mkdtemp, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { ReadSession } from "../../src/backfill/add-missing.ts";
import { addMissing } from "../../src/backfill/add-missing.ts";
import type { PastPrompts } from "../../src/runtime/events/transcripts.ts";
import type { ClientEvent } from "../../src/sdk/events.ts";
import type { SessionFiles } from "../../src/transcript/discover.ts";
import { said, transcriptScript, used } from "../support/transcript-lines.ts";

type AddOptions = Parameters<typeof addMissing>[3];

const session = "11111111-2222-4333-8444-555555555555";
const begun = Date.UTC(2026, 2, 1, 10);
const hour = 3_600_000;
let folder: string;
let files: SessionFiles;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "memoir-missing-"));
  const path = join(folder, `${session}.jsonl`);
  const script = transcriptScript({ sessionId: session });
  for (const number of [1, 2, 3]) {
    script.user(`Mend part ${number}`);
    script.assistant(`m${number}`, [used(`t${number}`, "Bash", { command: `make ${number}` })]);
    script.result(`t${number}`, "ok");
    script.assistant(`n${number}`, [said(`Part ${number} is mended.`)]);
  }
  await writeFile(path, script.text());
  const { size: bytes } = await stat(path);
  const changedAt = begun + 60_000;
  files = {
    session,
    main: { path, bytes, changedAt },
    agents: [],
    changedAt,
  } as unknown as SessionFiles;
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const stored = (...numbers: number[]): ReadSession => ({
  ...{ prompts: new Set(numbers), turns: new Set(numbers), summaries: new Set(numbers) },
  ...{ observed: new Set(), observations: new Set(), isKnown: true, isSummed: true, records: 0 },
  // A prompt's line is the first of four, a second each.
  texts: numbers.map((number) => ({
    ...{ number, text: `Mend part ${number}`, time: begun + ((number - 1) * 4 + 1) * 1_000 },
  })),
});
const journaled = (part: Partial<PastPrompts> = {}): PastPrompts => ({
  ...{ texts: [], count: 0, whole: new Set(), waiting: new Set(), isForgotten: () => false },
  ...part,
});

async function add(
  known: ReadSession,
  past: PastPrompts = journaled(),
  part: Partial<AddOptions> = {},
) {
  const added: Array<[number, string[]]> = [];
  const events: ClientEvent[] = [];
  const remembered: Array<{ prompts: number; toolUses: readonly string[] }> = [];
  const found = await addMissing(files, known, past, {
    past: {
      add: async (number, sent) => {
        added.push([number, sent.map(({ name }) => name)]);
        events.push(...sent);
        return true;
      },
      remember: (_client, { prompts, toolUses }) =>
        void remembered.push({ prompts: prompts.length, toolUses }),
    },
    ...{ isDeep: false, home: join(folder, "home"), now: () => begun + 24 * hour },
    capture: async (event) => ({ event }) as never,
    signal: new AbortController().signal,
    ...part,
  });
  return { found, added, events, remembered };
}
const whole = ["UserPromptSubmit", "PostToolUse", "Stop"];

test("each lost prompt is put there whole, under its own number, to be done without a model", async () => {
  const { found, added, events } = await add(stored(2));
  expect(found).toBe(2);
  expect(
    added.map(([number, names]) => [number, names.filter((name) => whole.includes(name))]),
  ).toEqual([
    [1, whole],
    [3, whole],
  ]);
  for (const { recovered } of events) expect(recovered).toMatchObject({ modelFree: true });
});

test("nothing is lost that storage has whole, and nothing is remembered unless it is looked at deeply", async () => {
  expect(await add(stored(1, 2, 3))).toMatchObject({ found: 0, added: [], remembered: [] });
  const { remembered } = await add(stored(1, 2, 3), journaled(), { isDeep: true });
  expect(remembered).toEqual([{ prompts: 3, toolUses: ["t1", "t2", "t3"] }]);
});

describe("a known prompt is lost", () => {
  test.each<[string, Partial<ReadSession>, number]>([
    ["without its own record", { prompts: new Set([1, 3]) }, 1],
    ["without its turn", { turns: new Set([1, 3]) }, 1],
    ["with neither summary nor observation", { summaries: new Set([1, 3]) }, 1],
    ["not with an observation alone", { summaries: new Set([1, 3]), observed: new Set([2]) }, 0],
  ])("%s", async (_, part, found) => {
    expect((await add({ ...stored(1, 2, 3), ...part })).found).toBe(found);
  });
});

test.each<[string, Partial<PastPrompts>]>([
  ["that the journal still has", { whole: new Set([2]) }],
  ["that waits for its work", { waiting: new Set([2]) }],
  ["that was forgotten", { isForgotten: (number) => number === 2 }],
])("a prompt %s is not put there", async (_, part) => {
  const lost = { ...stored(1, 2, 3), turns: new Set([1, 3]) };
  expect(await add(lost, journaled(part))).toMatchObject({ found: 0, added: [] });
});

test("what capture drops is no prompt, and what waits is not remembered", async () => {
  const { found, remembered } = await add(stored(1, 2, 3), journaled({ waiting: new Set([3]) }), {
    isDeep: true,
    capture: async (event) =>
      (event.name === "UserPromptSubmit" && event.prompt.endsWith("1")
        ? { drop: "x" }
        : { event }) as never,
  });
  expect([found, remembered[0]?.prompts]).toEqual([0, 1]);
});

test("a session without a file of its own has nothing lost; a stop ends the work", async () => {
  const none = { ...files, main: undefined } as unknown as SessionFiles;
  const own = files;
  files = none;
  expect((await add(stored())).found).toBe(0);
  files = own;
  const stopped = { signal: AbortSignal.abort(new Error("stopped")) };
  await expect(add(stored(), journaled(), stopped)).rejects.toThrow("stopped");
});

test("the end of a session that goes on is left to its own hooks", async () => {
  const ends = async (now: number) =>
    (await add(stored(1, 2), journaled(), { now: () => now })).events.filter(
      ({ name }) => name === "SessionEnd",
    ).length;
  expect(await ends(begun + 24 * hour)).toBeGreaterThan(0);
  expect(await ends(files.changedAt + 1)).toBe(0);
});

test("a prompt that nobody tells of gets no number of one that waits for its work", async () => {
  const { added } = await add(stored(1, 3), journaled({ waiting: new Set([2]) }));
  expect(added.map(([number]) => number)).toEqual([4]);
});
