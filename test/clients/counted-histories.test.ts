// A client's recorded history, counted twice: as events by its adapter, and here by other marks of the same file than the adapter reads.
import { describe, expect, test } from "bun:test";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { adapterNamed } from "../../src/clients/index.ts";
import { transcriptEvents } from "./suite.ts";

type Line = Record<string, unknown>;
interface Counts {
  prompts: number;
  uses: number;
  failures: number;
}

const textsOf = (line: unknown) => JSON.stringify(line);

/** By the client's own telemetry of tool calls. */
function countQwen(lines: readonly Line[]): Counts {
  const calls = lines.filter((line) => textsOf(line).includes('"qwen-code.tool_call"'));
  return {
    prompts: lines.filter(({ provenance }) => provenance === "real_user").length,
    uses: calls.length,
    failures: calls.filter((line) => textsOf(line).includes('"success":false')).length,
  };
}

/** By the results that the client handed to the model, and the mode that only a person's message has. */
function countDroid(lines: readonly Line[]): Counts {
  const results = lines.flatMap((line) => textsOf(line).match(/"type":"tool_result"/g) ?? []);
  const failed = lines.flatMap((line) => textsOf(line).match(/"is_error":true/g) ?? []);
  return {
    prompts: lines.filter((line) => textsOf(line).includes('"interactionMode"')).length,
    uses: results.length,
    failures: failed.length,
  };
}

/** By the outputs that were handed to the model, and how each begins. */
function countCodex(lines: readonly Line[]): Counts {
  const outputs = lines.filter((line) => /"type":"\w+_call_output"/.test(textsOf(line)));
  const failed = /exited with code [1-9]|Exit code: [1-9]|unsupported call|unable to process/;
  return {
    prompts: lines.filter((line) => textsOf(line).includes('"type":"UserMessage"')).length,
    uses: outputs.length,
    failures: outputs.filter((line) => failed.test(textsOf(line))).length,
  };
}

async function countByAdapter(client: string, path: string): Promise<Counts> {
  const adapter = await adapterNamed(client);
  const events = await transcriptEvents(adapter, [readFileSync(path)], path);
  const named = (name: string) => events.filter((event) => event.name === name).length;
  const failures = named("PostToolUseFailure");
  return { prompts: named("UserPromptSubmit"), uses: named("PostToolUse") + failures, failures };
}

const recorded = join(import.meta.dirname, "../../../shared/data/other-clients");
describe.each([
  ["qwen", countQwen],
  ["droid", countDroid],
  ["codex", countCodex],
] as const)("%s", (client, count) => {
  const path = join(recorded, client, "_transcript.jsonl");

  test.skipIf(!existsSync(path))("has as many prompts, tool uses and failures", async () => {
    const lines = readFileSync(path, "utf8").trim().split("\n");
    const counts = count(lines.map((line) => JSON.parse(line) as Line));
    expect(counts.prompts).toBe(1);
    expect(counts.uses).toBeGreaterThan(4);
    expect(counts.failures).toBeGreaterThan(0);
    expect(await countByAdapter(client, path)).toEqual(counts);
  });
});
