// A user's plugin that writes down every tool use it is told the end of: the outside view of "exactly once".
import assert from "node:assert/strict";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Settled } from "../../../src/sdk/work.ts";
import type { World } from "../world.ts";

export interface SettledRecorder {
  /** Config that loads the plugin. */
  config: object;
  /** Every notice so far, in order. */
  read(): Promise<Settled[]>;
}

/** Writes the plugin into the world. */
export async function settledRecorder(world: World): Promise<SettledRecorder> {
  const plugin = join(world.dir, "settled-recorder.ts");
  const record = join(world.dir, "settled.jsonl");
  await writeFile(record, "");
  await writeFile(
    plugin,
    `import { appendFileSync } from "node:fs";
export default {
  name: "settled-recorder",
  description: "Writes down how each tool use ended.",
  sdk: 1,
  hooks: {
    settled(notice) {
      appendFileSync(${JSON.stringify(record)}, JSON.stringify(notice) + "\\n");
    },
  },
};
`,
  );
  return {
    config: { listeners: [plugin] },
    async read() {
      const lines = (await readFile(record, "utf8")).split("\n").filter((line) => line !== "");
      return lines.map((line) => JSON.parse(line));
    },
  };
}

/**
 * Every tool use ended once and not parked, and nobody heard of another. After a crash a listener may hear the same end
 * again, never a different one.
 */
export function assertSettledOnce(
  notices: readonly Settled[],
  toolUses: readonly string[],
  crashed: boolean,
): void {
  const ends = new Map<string, string>();
  for (const { toolUseId, outcome, reason, observations } of notices) {
    const end = JSON.stringify({ outcome, reason, observations });
    const before = ends.get(toolUseId);
    assert.ok(before === undefined || crashed, `${toolUseId} was told twice`);
    assert.ok(before === undefined || before === end, `${toolUseId}: ${before}, then ${end}`);
    assert.notEqual(outcome, "parked", `${toolUseId} was parked: ${reason}`);
    ends.set(toolUseId, end);
  }
  assert.deepEqual([...ends.keys()].toSorted(), toolUses.toSorted());
}
