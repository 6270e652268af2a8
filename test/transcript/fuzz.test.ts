// Damaged transcripts: never an exception, never a hang, the same in both directions.
import { describe, expect, test } from "bun:test";
import { Buffer } from "node:buffer";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { readToolContexts } from "../../src/transcript/context.ts";
import type { BrokenLine, TranscriptEntry } from "../../src/transcript/entry.ts";
import { personText, textOfContent } from "../../src/transcript/parse-entry.ts";
import {
  type BackwardSource,
  readEntries,
  readEntriesBackwards,
} from "../../src/transcript/read.ts";
import { createToolUseMatcher } from "../../src/transcript/tool-uses.ts";
import { createUsageCounter } from "../../src/transcript/usage.ts";
import { createChains } from "../replay/chain.ts";
import { mutated, randomNumbers } from "../support/mutations.ts";
import { said, thought, transcriptScript, used } from "../support/transcript-lines.ts";
import { caseCount } from "../torture/seeds.ts";

/** `TORTURE` asks for more. */
const cases = caseCount(1_000);

async function* backwards(bytes: Buffer, chunk: number): BackwardSource {
  for (let to = bytes.length; to > 0; to -= chunk) {
    const offset = Math.max(0, to - chunk);
    yield { chunk: Buffer.from(bytes.subarray(offset, to)), offset };
  }
}

const keyOf = (entry: TranscriptEntry | BrokenLine): string =>
  `${entry.offset}+${entry.bytes} ${entry.kind === "broken" ? entry.reason : `${entry.kind} ${entry.uuid}`}`;

/** Does with the bytes all that the library can do. */
async function survive(bytes: Buffer): Promise<void> {
  const keys: string[] = [];
  const matcher = createToolUseMatcher();
  const usage = createUsageCounter();
  const chains = createChains();
  const ids: string[] = [];
  for await (const entry of readEntries([bytes])) {
    keys.push(keyOf(entry));
    if (entry.kind === "broken") continue;
    for (const done of matcher.add(entry)) textOfContent(done.result?.content);
    usage.add(entry);
    chains.add(entry);
    personText(entry);
    if (entry.kind === "assistant")
      for (const block of entry.blocks) if (block.type === "tool_use") ids.push(block.id);
  }
  expect(Object.values(usage.total()).every(Number.isFinite)).toBe(true);
  chains.current();
  const back: string[] = [];
  for await (const entry of readEntriesBackwards(backwards(bytes, 5_000))) back.push(keyOf(entry));
  expect(back.reverse()).toEqual(keys);
  const wanted = ids.slice(-3).map((id) => ({ id }));
  await readToolContexts(backwards(bytes, 5_000), [...wanted, { id: "none", time: 0 }]);
}

function sample(): Buffer {
  const script = transcriptScript();
  script.user("Why is it slow? é日😀");
  for (let n = 0; n < 6; n++) {
    script.assistant(`m${n}`, [thought("hm \ud83d\ude00"), said("Let me look.")], {
      output_tokens: n,
    });
    script.assistant(`m${n}`, [used(`t${n}`, "Bash", { command: "ls" })], { output_tokens: 9 * n });
    script.line({ type: "progress", data: { text: "x".repeat(300) } });
    script.result(`t${n}`, [said("a\nb")], { toolUseResult: { stdout: "a\nb".repeat(150) } });
  }
  script.line({ type: "system", subtype: "compact_boundary", parentUuid: null });
  script.user("And now?");
  script.assistant("m9", [said("Done."), used("t9")], { output_tokens: 4 });
  return Buffer.from(script.text());
}

describe("damaged transcripts", () => {
  test(`${cases} mutations of a transcript`, async () => {
    const bytes = sample();
    await survive(bytes);
    const random = randomNumbers(1);
    Bun.gc(true);
    const before = process.memoryUsage().rss;
    for (let n = 0; n < cases; n++) await survive(mutated(bytes, random));
    expect(process.memoryUsage().rss - before).toBeLessThan(400e6);
  }, 180_000);

  const root = join(import.meta.dirname, "../../../shared/data/transcripts");
  test.skipIf(!existsSync(root))(
    `${2 * cases} mutations of pieces of recorded transcripts`,
    async () => {
      const files = readdirSync(root, { recursive: true })
        .map(String)
        .filter((name) => name.endsWith(".jsonl"))
        .map((name) => readFileSync(join(root, name)));
      const random = randomNumbers(2);
      const before = process.memoryUsage().rss;
      for (let n = 0; n < 2 * cases; n++) {
        const file = files[Math.floor(random() * files.length)] ?? Buffer.alloc(0);
        const from = Math.floor(random() * file.length);
        const piece = file.subarray(from, from + 2_000 + Math.floor(random() ** 6 * 300_000));
        await survive(mutated(piece, random));
      }
      expect(process.memoryUsage().rss - before).toBeLessThan(500e6);
    },
    180_000,
  );

  test("nesting deeper than any stack", async () => {
    const deep = (open: string, close: string, depth: number) =>
      `${open.repeat(depth)}1${close.repeat(depth)}`;
    for (const depth of [100, 10_000, 400_000])
      for (const value of [deep("[", "]", depth), deep('{"content":[', "]}", depth)]) {
        const message = `{"role":"user","content":[{"type":"tool_result","tool_use_id":"t","content":[${value}]}]}`;
        await survive(Buffer.from(`{"type":"user","uuid":"u","message":${message}}\n`));
      }
  });
});
