// A transcript read again, or after hooks told of its session, fills what the turns lack and makes none worse.
import { afterEach, beforeEach, expect, test } from "bun:test";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startBackfill } from "../../src/backfill/job.ts";
import { parseClaudeCode } from "../../src/clients/normal/payload.ts";
import { silentLog } from "../../src/home/log.ts";
import { createRuntime, type Runtime } from "../../src/runtime/runtime.ts";
import type { Turn } from "../../src/sdk/turn.ts";
import { discoverTranscripts } from "../../src/transcript/discover.ts";
import { type RecordedLines, recordedSession } from "../support/recorded-session.ts";

const start = Date.parse("2025-03-01T10:00:00Z");
let root: string;
let runtime: Runtime;
const projects = () => join(root, "projects");

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), "memoir-again-"));
  runtime = await createRuntime({ home: join(root, "home"), log: silentLog });
});
afterEach(async () => {
  await runtime.stop();
  await rm(root, { recursive: true, force: true });
});

async function backfill(): Promise<void> {
  const { sessions } = await discoverTranscripts(projects());
  const job = startBackfill(
    { sessions, modelFree: true },
    {
      runtime: runtime.transcripts,
      home: join(root, "home"),
      log: silentLog,
      now: Date.now,
    },
  );
  await job.ended;
  expect(job.progress()).toMatchObject({ state: "done", unsettled: 0, failures: [] });
}

async function turns(): Promise<Turn[]> {
  expect(await runtime.drain({ timeoutMs: 10_000, flush: true })).toBe(true);
  const answer = await runtime.hooks.first("storage.turns", { order: "oldest" });
  return answer?.result ?? [];
}
const lines = ({ pieces }: Turn) => pieces.map(({ kind, text }) => `${kind}: ${text}`);

/** Two prompts: a test is mended, then a file is changed and committed. */
function session(): RecordedLines {
  const recorded = recordedSession("s1", "/gone/shop");
  recorded.prompt("Mend the test of the cart", start);
  recorded.run("npm test", "Exit code 1\n1 fail", start + 1_000, true);
  recorded.edit("src/cart.ts", "const a = 1;", "export function total() {}", start + 3_000);
  recorded.run("npm test", "3 pass", start + 5_000);
  recorded.say("The total counts vouchers once.", start + 7_000);
  recorded.prompt("Commit it", start + 60_000);
  recorded.run('git commit -m "Count once"', "[main 1a2b3c4] Count once", start + 61_000);
  recorded.say("Committed as 1a2b3c4.", start + 63_000);
  return recorded;
}
const whole = [
  [
    "prompt: Mend the test of the cart",
    "failure: Exit code 1\n1 fail",
    "repair: Exit code 1\n1 fail\n\n→ src/cart.ts",
    "passed: 3 pass",
    "closing: The total counts vouchers once.",
  ],
  [
    "prompt: Commit it",
    "commit: Count once",
    "passed: [main 1a2b3c4] Count once",
    "closing: Committed as 1a2b3c4.",
  ],
];

let told = 0;
function tell(name: string, time: number, fields: object, transcriptPath?: string) {
  told += 1;
  const path = transcriptPath === undefined ? {} : { transcript_path: transcriptPath };
  const payload = { session_id: "s1", cwd: "/gone/shop", hook_event_name: name };
  const id = `again-${told}`;
  return runtime.handle(
    parseClaudeCode({ ...payload, ...path, ...fields }, { id, time: time + 40 }),
  );
}

test("a prompt that was typed while the agent worked stands in its own turn alone", async () => {
  const recorded = recordedSession("s1", "/gone/shop");
  const queue = (operation: string, time: number, content?: string) =>
    recorded.lines.push({
      ...{ type: "queue-operation", operation, timestamp: new Date(time).toISOString() },
      ...{ sessionId: "s1", ...(content !== undefined && { content }) },
    });
  recorded.prompt("Mend the test of the cart", start);
  recorded.run("npm test", "3 pass", start + 1_000);
  queue("enqueue", start + 2_000, "Then commit it");
  recorded.say("It passes.", start + 3_000);
  queue("dequeue", start + 3_100);
  recorded.prompt("Then commit it", start + 3_200);
  recorded.say("Committed.", start + 4_000);
  await recorded.write(projects());
  await backfill();
  expect((await turns()).map(lines)).toEqual([
    ["prompt: Mend the test of the cart", "passed: 3 pass", "closing: It passes."],
    ["prompt: Then commit it", "closing: Committed."],
  ]);
});

test("hooks that were lost are made up for", async () => {
  const path = await session().write(projects());
  await tell("UserPromptSubmit", start, { prompt: "Mend the test of the cart" }, path);
  await tell(
    "Stop",
    start + 7_000,
    { last_assistant_message: "The total counts vouchers once." },
    path,
  );
  await tell("UserPromptSubmit", start + 60_000, { prompt: "Commit it" }, path);
  await tell("Stop", start + 63_000, { last_assistant_message: "Committed as 1a2b3c4." }, path);
  expect((await turns())[0]?.pieces.map(({ kind }) => kind)).not.toContain("passed");
  await backfill();
  expect((await turns()).map(lines)).toMatchObject([
    expect.arrayContaining(whole[0] ?? []),
    expect.arrayContaining(whole[1] ?? []),
  ]);
});

test("a turn made without a transcript is completed where there is one now", async () => {
  const path = join(projects(), "-gone-shop", "s1.jsonl");
  await tell("UserPromptSubmit", start, { prompt: "Mend the test of the cart" }, path);
  await tell(
    "Stop",
    start + 7_000,
    { last_assistant_message: "The total counts vouchers once." },
    path,
  );
  expect(await turns()).toMatchObject([{ gaps: true }]);
  await session().write(projects());
  await backfill();
  const [first, second] = await turns();
  expect(first?.gaps).toBeUndefined();
  expect(first && lines(first)).toEqual(whole[0] ?? []);
  expect(second && lines(second)).toEqual(whole[1] ?? []);
});

test.each([0.35, 0.5, 0.8])(
  "a transcript cut at %d of its length is completed when it is whole",
  async (share) => {
    const recorded = session();
    const path = await recorded.write(projects());
    const text = await Bun.file(path).text();
    await writeFile(path, text.slice(0, Math.floor(text.length * share)));
    await backfill();
    await writeFile(path, text);
    await backfill();
    const made = await turns();
    expect(made.map(lines)).toEqual(whole);
    expect(made.map(({ end }) => end)).toEqual(["closed", "closed"]);
  },
);

test("a prompt that went on keeps what its subagent had reported", async () => {
  const recorded = recordedSession("s1", "/gone/shop");
  recorded.prompt("Look for callers", start);
  recorded.run("npm test", "3 pass", start + 1_000);
  const agent = recordedSession("s1", "/gone/shop", "a7");
  agent.prompt("Look in src", start + 2_000);
  agent.run("grep -r header src", "src/a.ts: header()", start + 2_500);
  agent.say("Only src/a.ts calls header.", start + 2_900);
  await recorded.write(projects());
  await agent.write(projects());
  await backfill();
  expect((await turns()).map(lines)).toMatchObject([
    expect.arrayContaining(["report: Only src/a.ts calls header."]),
  ]);
  recorded.run("npm run lint", "clean", start + 4_000);
  recorded.say("There is one caller.", start + 5_000);
  await recorded.write(projects());
  await backfill();
  expect((await turns()).map(lines)).toEqual([
    [
      "prompt: Look for callers",
      "passed: 3 pass",
      "passed: src/a.ts: header()",
      "report: Only src/a.ts calls header.",
      "passed: clean",
      "closing: There is one caller.",
    ],
  ]);
});
