// Which turns of a session are made anew, of what, and which are left alone.
import { expect, test } from "bun:test";
import { fillTurns } from "../../src/backfill/turn-migration.ts";
import type { Session } from "../../src/sdk/model.ts";
import type { NewTurn } from "../../src/sdk/turn.ts";
import { fakeHooks } from "../support/fake-hooks.ts";
import { inFolder } from "../support/in-folder.ts";
import { recordedSession } from "../support/recorded-session.ts";
import { noon, samplePrompt, sampleSession, sampleTurn, shop } from "../support/sample-records.ts";

type TurnFiller = Parameters<typeof fillTurns>[1];

const session = { ...sampleSession({ id: "s1" }), observations: 0 } as Session;
const own = { session: "s1" };
const prompts = [1, 2].map((promptNumber) => ({
  ...samplePrompt({
    ...own,
    promptNumber,
    text: `Part ${promptNumber}`,
    time: noon + promptNumber * 60_000,
  }),
  id: `p${promptNumber}`,
}));
const turn = (promptNumber: number, part: Partial<NewTurn> = {}) => ({
  ...sampleTurn({ ...own, promptNumber, ...part }),
  id: `t${promptNumber}`,
});

interface Given {
  prompts?: typeof prompts;
  turns?: Array<ReturnType<typeof turn>>;
  remakes?: number[];
  transcriptPath?: string;
  capture?: TurnFiller["capture"];
  signal?: AbortSignal;
  forgotten?: boolean;
}

/** What filling answers and asks for, and what it stores. */
async function filled({ turns = [], remakes = [], transcriptPath, ...given }: Given = {}) {
  const put: NewTurn[] = [];
  const keys: string[] = [];
  const asked: number[][] = [];
  const drained: string[] = [];
  const hooks = fakeHooks({
    "storage.prompts": () => given.prompts ?? prompts,
    "storage.turns": () => turns,
    "storage.put": ({ key, records }) => {
      keys.push(key);
      put.push(...(records.turns ?? []));
      return { written: true, observations: [], summaries: [], turns: [] };
    },
  });
  const { made } = await fillTurns(
    { ...session, ...(transcriptPath !== undefined && { transcriptPath }) },
    {
      hooks: () => hooks,
      capture: given.capture ?? (async (event) => ({ event, failed: [] })),
      remakeTurns: (id, client, numbers) => {
        expect([id, client]).toEqual(["s1", session.client]);
        asked.push([...numbers]);
        return remakes;
      },
      isPartlyForgotten: () => given.forgotten ?? false,
      drain: async (request) => drained.push(request.session) > 0,
      signal: given.signal ?? new AbortController().signal,
      now: () => 7,
    },
  );
  return { made, put, keys, asked, drained, numbers: put.map(({ promptNumber }) => promptNumber) };
}

test("a session whose turns are all there is left alone, also one without prompts", async () => {
  for (const given of [{ turns: [turn(1), turn(2)] }, { prompts: [] }])
    expect(await filled(given)).toMatchObject({ made: 0, asked: [], keys: [] });
});

test("without a transcript a turn is its prompt, with gaps; one that has gaps already stays", async () => {
  const { made, put, keys } = await filled({ turns: [turn(1, { gaps: true })] });
  expect([made, keys]).toEqual([1, [`turns:${session.client}:s1:7`]]);
  expect(put).toMatchObject([
    { ...own, project: shop.id, promptNumber: 2, gaps: true, startedAt: noon + 120_000 },
  ]);
  expect(put[0]?.pieces.map(({ text }) => text)).toEqual(["Part 2"]);
});

test("a turn is of its prompt's project, wherever its session began", async () => {
  const [first, second] = prompts;
  if (!first || !second) throw new Error("no prompts");
  const moved = [first, { ...second, project: "github.com/acme/blog" }];
  const { put } = await filled({ prompts: moved });
  expect(put.map(({ project }) => project)).toEqual([shop.id, "github.com/acme/blog"]);
});

test("records of another session or client are nothing of it", async () => {
  const elsewhere = [
    { ...turn(1), session: "s1-longer" },
    { ...turn(2), client: "another" },
  ];
  expect((await filled({ turns: elsewhere })).numbers).toEqual([1, 2]);
  const others = prompts.map((prompt) => ({ ...prompt, session: "s1-longer" }));
  expect((await filled({ prompts: others })).numbers).toEqual([]);
});

test("what the journal still has is made of it and waited for; turns with gaps are not asked for", async () => {
  const { made, asked, drained, numbers } = await filled({ remakes: [1] });
  expect([asked, drained, numbers, made]).toEqual([[[0, 1, 2]], ["s1"], [2], 2]);
  const gaps = await filled({ turns: [turn(1, { gaps: true })] });
  expect([gaps.asked, gaps.drained]).toEqual([[[0, 2]], []]);
});

test("nothing is stored after a stop", async () => {
  await expect(filled({ signal: AbortSignal.abort(new Error("stopped")) })).rejects.toThrow(
    "stopped",
  );
});

const transcript = (folder: string, name = "s1") => {
  const main = recordedSession(name, shop.root);
  for (const { text, time, promptNumber } of prompts) {
    main.prompt(text, time);
    main.run("bun test", `${promptNumber} pass`, time + 1_000);
    main.say(`Closed ${promptNumber}`, time + 5_000);
  }
  return main.write(folder);
};
const told = ({ put }: { put: NewTurn[] }) =>
  put.map(({ promptNumber, gaps = false, pieces }) => [
    ...[promptNumber, gaps],
    ...pieces.map(({ kind, text }) => `${kind}: ${text}`),
  ]);

test("of a transcript turns are whole, also one that had gaps; a subagent's words belong to the turn of their time", () =>
  inFolder(async (folder) => {
    const transcriptPath = await transcript(folder);
    const agent = recordedSession("s1", shop.root, "a7");
    agent.prompt("Look for callers", noon + 122_000);
    agent.say("Nobody calls it.", noon + 123_000);
    await agent.write(folder);
    // Of a session of which something was forgotten the transcript would say that again.
    const partly = { turns: [turn(1, { gaps: true })], transcriptPath, forgotten: true };
    expect((await filled(partly)).numbers).toEqual([2]);
    expect(told(await filled({ turns: [turn(1, { gaps: true })], transcriptPath }))).toEqual([
      [1, false, "prompt: Part 1", "passed: 1 pass", "closing: Closed 1"],
      [
        2,
        false,
        "prompt: Part 2",
        "passed: 2 pass",
        "report: Nobody calls it.",
        "closing: Closed 2",
      ],
    ]);
  }));

test("a file that bears another session's id is not read", () =>
  inFolder(async (folder) => {
    const transcriptPath = await transcript(folder, "s2");
    expect(told(await filled({ transcriptPath }))).toEqual([
      [1, true, "prompt: Part 1"],
      [2, true, "prompt: Part 2"],
    ]);
  }));

test("what a privacy plugin drops is not told; where words cannot be scrubbed none are", () =>
  inFolder(async (folder) => {
    const transcriptPath = await transcript(folder);
    const but =
      (name: string): TurnFiller["capture"] =>
      async (event) =>
        event.name === name ? { drop: "private", by: "privacy" } : { event, failed: [] };
    const [first] = told(await filled({ transcriptPath, capture: but("PostToolUse") }));
    expect(first).toEqual([1, false, "prompt: Part 1", "closing: Closed 1"]);
    const [bare] = told(await filled({ transcriptPath, capture: but("Other") }));
    expect(bare).toEqual([1, true, "prompt: Part 1"]);
  }));
