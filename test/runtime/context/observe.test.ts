// From a hook's event to a strategy's input: a running memoir gives its strategies the conversation, and stores what it cost.
import { afterEach, beforeEach, expect, test } from "bun:test";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { silentLog } from "../../../src/home/log.ts";
import { builtins } from "../../../src/runtime/builtins.ts";
import { createRuntime, type Runtime } from "../../../src/runtime/runtime.ts";
import { definePlugin } from "../../../src/sdk/plugin.ts";
import type { ObservationBatch } from "../../../src/sdk/work.ts";
import { clientEvent, toolEvent } from "../../support/client-events.ts";
import { said, transcriptScript, used } from "../../support/transcript-lines.ts";

let home = "";
let runtime: Runtime | undefined;
beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), "memoir-observe-"));
});
afterEach(async () => {
  await runtime?.stop();
  runtime = undefined;
  await rm(home, { recursive: true, force: true });
});

const draft = (title: string, toolUseIds: string[]) => ({
  type: "feature",
  title,
  subtitle: "s",
  facts: [],
  narrative: "n",
  concepts: [],
  filesRead: [],
  filesModified: [],
  toolUseIds,
});

async function run(
  config: object,
): Promise<{ batches: ObservationBatch[]; tokens: Array<number | null> }> {
  const batches: ObservationBatch[] = [];
  const noting = definePlugin({
    name: "heuristic",
    description: "Notes what it is given.",
    sdk: 1,
    slot: "observation",
    hooks: {
      observe: (batch) => {
        batches.push(batch);
        return { observations: [draft("one", ["t1", "t2"]), draft("two", ["t2"])] };
      },
    },
  });
  const script = transcriptScript();
  script.user("Make carts cheaper");
  script.assistant("m1", [said("Reading."), used("t1"), used("t2")], { output_tokens: 101 });
  script.result("t1", "password = hunter2hunter2");
  const path = join(home, "projects", "p", "s1.jsonl");
  await mkdir(join(home, "projects", "p"), { recursive: true });
  await writeFile(path, script.text());
  await mkdir(join(home, ".memoir"));
  await writeFile(join(home, ".memoir", "config.json"), JSON.stringify(config));
  runtime = await createRuntime({
    home: join(home, ".memoir"),
    log: silentLog,
    env: { HOME: home },
    now: () => Date.UTC(2026, 2, 1, 10, 5),
    transcriptFolders: [join(home, "projects")],
    builtins: { ...builtins, heuristic: async () => ({ default: noting }) },
  });
  const now = Date.UTC(2026, 2, 1, 10, 5);
  const frame = { time: now, cwd: home, transcriptPath: path };
  await runtime.handle(clientEvent("UserPromptSubmit", { ...frame, prompt: "Make carts cheaper" }));
  await runtime.handle(toolEvent("t1", frame));
  await runtime.handle(toolEvent("t2", frame));
  await runtime.handle(clientEvent("Stop", frame));
  expect(await runtime.drain({ timeoutMs: 10_000 })).toBe(true);
  const stored = await runtime.hooks.first("storage.observations", { order: "oldest" });
  const byTitle = stored?.result.toSorted((a, b) => a.title.localeCompare(b.title)) ?? [];
  return { batches, tokens: byTitle.map(({ discoveryTokens }) => discoveryTokens) };
}

test("strategies are given the conversation, and observations what the agent spent", async () => {
  const { batches, tokens } = await run({});
  expect(batches[0]?.toolUses.map(({ context }) => context)).toMatchObject([
    {
      userIntent: "Make carts cheaper",
      assistantText: "Reading.",
      result: expect.stringContaining("[redacted"),
      usage: { output: 101 },
    },
    { userIntent: "Make carts cheaper", assistantText: "Reading." },
  ]);
  expect(JSON.stringify(batches)).not.toContain("hunter2");
  // 51 tokens behind t1; 50 behind t2, which two observations name.
  expect(tokens).toEqual([51 + 25, 25]);
});

test("a user can turn it off", async () => {
  const { batches, tokens } = await run({ worker: { context: { enabled: false } } });
  expect(batches[0]?.toolUses.map(({ context }) => context)).toEqual([undefined, undefined]);
  expect(tokens).toEqual([null, null]);
});
