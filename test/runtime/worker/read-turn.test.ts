// When a turn's lines are read: clients write their transcript a little behind what their hooks tell.
import { afterEach, beforeEach, expect, test } from "bun:test";
import { appendFile, mkdtemp, rm, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createTurnTranscripts } from "../../../src/runtime/worker/turn.ts";
import type { WantedTurn } from "../../../src/runtime/worker/worker-types.ts";
import { keptLog } from "../../support/kept-log.ts";
import { said, transcriptScript, used } from "../../support/transcript-lines.ts";

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "memoir-read-turn-"));
});
afterEach(() => rm(folder, { recursive: true }));

const now = Date.now();

/** What is read of the first of two prompts, the second sent at `nextAt`, whose line comes after the first look. */
async function readWhileWritten(nextAt: number, lastWrite = now) {
  const path = join(folder, "session-1.jsonl");
  const script = transcriptScript({ cwd: folder, sessionId: "session-1" });
  script.user("Migrate", { promptId: "p1" });
  script.assistant("m1", [said("Now the migration."), used("t1", "Bash", { command: "migrate" })]);
  const written = script.text();
  await writeFile(path, written);
  await utimes(path, new Date(lastWrite), new Date(lastWrite));
  const read = createTurnTranscripts({
    folders: [],
    scrub: async (texts) => [...texts],
    log: keptLog(),
    now: () => now,
    async pause() {
      script.user([{ type: "text", text: "[Request interrupted by user for tool use]" }]);
      script.user("Wait for me", { promptId: "p2" });
      await appendFile(path, script.text().slice(written.length));
    },
  });
  const session = { id: "session-1", transcriptPath: path } as WantedTurn["session"];
  const moments = read({
    ...{ key: "k", session, cwd: folder, from: 0, relative: (file) => file },
    marks: [
      { number: 1, text: "Migrate", promptId: "p1", time: nextAt - 1_000 },
      { number: 2, text: "Wait for me", promptId: "p2", time: nextAt },
    ],
  });
  return (await moments)?.map(({ what }) => what);
}

test("the line of a prompt that was just sent is waited for: what stopped the turn stands before it", async () => {
  expect(await readWhileWritten(now)).toEqual(["prompt", "said", "use", "interrupted"]);
});

const before = now - 60_000;

test("what came of a tool use that stands last is waited for", async () => {
  expect(await readWhileWritten(before)).toEqual(["prompt", "said", "use", "interrupted"]);
});

test("of a file that nobody writes to any more nothing is waited for", async () => {
  expect(await readWhileWritten(before, before)).toEqual(["prompt", "said", "use"]);
});

test("a transcript whose reading does not end is given up, with a word in the log", async () => {
  const path = join(folder, "session-1.jsonl");
  const script = transcriptScript({ cwd: folder, sessionId: "session-1" });
  script.user("Migrate", { promptId: "p1" });
  script.assistant("m1", [said("Now."), used("t1", "Bash", { command: "migrate" })]);
  await writeFile(path, script.text());
  await utimes(path, new Date(now), new Date(now));
  const log = keptLog();
  const read = createTurnTranscripts({
    folders: [],
    scrub: () => new Promise<never>(() => {}),
    ...{ log, now: () => now, waitMs: 1, pause: async () => {} },
  } as never);
  const session = { id: "session-1", transcriptPath: path } as WantedTurn["session"];
  expect(
    await read({
      ...{ key: "k", session, cwd: folder, from: 0, relative: (file) => file },
      marks: [{ number: 1, text: "Migrate", promptId: "p1", time: before }],
    }),
  ).toBeUndefined();
  expect(log.lines.map((line) => JSON.stringify(line)).join()).toContain("without its transcript");
});

test.each([
  ["is no trouble while nothing but the prompt is known", false, false],
  ["is said once the turn went on", true, true],
])("a transcript that the client has not written %s", async (_, hasBegun, isSaid) => {
  const log = keptLog();
  const read = createTurnTranscripts({
    folders: [folder],
    scrub: async (texts) => [...texts],
    log,
  });
  const transcriptPath = join(folder, "not-yet/session-2.jsonl");
  const session = { id: "session-2", transcriptPath } as WantedTurn["session"];
  const marks = [{ number: 1, text: "Migrate", promptId: "p1", time: now }];
  const wanted = { key: "k", session, cwd: folder, from: 0, relative: String, marks, hasBegun };
  expect(await read(wanted)).toBeUndefined();
  expect(log.lines).toHaveLength(isSaid ? 1 : 0);
});

test.each<[string, boolean, number | undefined, number[]]>([
  ["just now, is waited for until it wrote its file", true, now - 500, [1_500]],
  ["by a clock that goes ahead, for no longer than that", true, now + 60_000, [2_000]],
  ["long ago, is not", true, now - 2_000, []],
  ["never, is not", true, undefined, []],
  ["just now, but writes before it tells, is not", false, now - 500, []],
])("a client that told of the turn %s", async (_, isLate, heardAt, waited) => {
  const path = join(folder, "session-1.jsonl");
  const script = transcriptScript({ cwd: folder, sessionId: "session-1" });
  script.user("Migrate", { promptId: "p1" });
  script.assistant("m1", [said("It is migrated.")]);
  const paused: number[] = [];
  const read = createTurnTranscripts({
    folders: [folder],
    form: async () => ({ folder, isLate }),
    scrub: async (texts) => [...texts],
    log: keptLog(),
    now: () => now,
    async pause(ms) {
      paused.push(ms);
      await writeFile(path, script.text());
    },
  });
  const session = {
    id: "session-1",
    client: "late",
    transcriptPath: path,
  } as WantedTurn["session"];
  const moments = await read({
    ...{ key: "k", session, cwd: folder, from: 0, heardAt, relative: (file) => file },
    marks: [{ number: 1, text: "Migrate", promptId: "p1", time: now - 60_000 }],
  });
  expect(paused).toEqual(waited);
  expect(moments?.map(({ what }) => what)).toEqual(
    waited.length > 0 ? ["prompt", "said"] : undefined,
  );
});
