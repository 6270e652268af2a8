// What a user said in two sessions stands in the third, however soon that begins.
import { afterEach, beforeEach, expect, test } from "bun:test";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseClaudeCode } from "../../src/clients/normal/payload.ts";
import { silentLog } from "../../src/home/log.ts";
import { createRuntime, type Runtime } from "../../src/runtime/runtime.ts";

let root: string;
let runtime: Runtime;
let time = Date.UTC(2026, 10, 20, 9);
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), "memoir-third-"));
  runtime = await createRuntime({
    ...{ home: join(root, "home"), log: silentLog, env: { HOME: root } },
    now: () => time,
    // As long as a loaded machine takes.
    sessionWaitMs: 20_000,
  });
});
afterEach(async () => {
  await runtime.stop();
  await rm(root, { recursive: true, force: true });
});

async function tell(session_id: string, hook_event_name: string, more: object): Promise<string> {
  time += 3_000;
  const about = { session_id, cwd: join(root, "shop"), transcript_path: join(root, "none.jsonl") };
  const { reply } = await runtime.handle(
    parseClaudeCode({ ...about, hook_event_name, ...more }, { id: `d${time}`, time }),
  );
  return reply.context ?? "";
}

async function session(id: string, prompt: string, ends: boolean): Promise<void> {
  await tell(id, "SessionStart", { source: "startup" });
  await tell(id, "UserPromptSubmit", { prompt });
  await tell(id, "Stop", { last_assistant_message: "The exporter writes headers now." });
  if (ends) await tell(id, "SessionEnd", { reason: "logout" });
}

const rule = "From now on always run the exporter tests before a commit.";

test("with both sessions ended", async () => {
  await session("first", `${rule} Make the exporter write headers.`, true);
  await session("second", `${rule} Let the exporter name its units.`, true);
  const told = await tell("third", "SessionStart", { source: "startup" });
  expect(told).toContain("always run the exporter tests before a commit");
  const items = (await runtime.hooks.first("storage.memory", {}))?.result ?? [];
  expect(items.map(({ state }) => state)).toContain("standing");
  expect(told).not.toMatch(/said once[^\n]*run the exporter tests/i);
}, 180_000);

test("where nobody ended the sessions, as after a closed window", async () => {
  await session("first", `${rule} Make the exporter write headers.`, false);
  await session("second", `${rule} Let the exporter name its units.`, false);
  const told = await tell("third", "SessionStart", { source: "startup" });
  expect(told).toContain("always run the exporter tests before a commit");
}, 180_000);
