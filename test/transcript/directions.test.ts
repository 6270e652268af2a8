import { afterAll, describe, expect, test } from "bun:test";
import { appendFile, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { BrokenLine, TranscriptEntry } from "../../src/transcript/entry.ts";
import {
  fileChunks,
  fileChunksBackwards,
  readEntries,
  readEntriesBackwards,
  readTail,
  type TailPosition,
} from "../../src/transcript/read.ts";

const folder = await mkdtemp(join(tmpdir(), "memoir-transcript-"));
afterAll(() => rm(folder, { recursive: true, force: true }));

/** A repeatable stream of numbers in [0, 1). */
function random(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

function transcript(lines: number, seed: number): string {
  const next = random(seed);
  const texts = Array.from({ length: lines }, (_, i) => {
    const text = 'é日😀\\"\n '.repeat(Math.floor(next() ** 6 * 4000));
    const kinds = ["user", "assistant", "progress", "system", "new-kind"];
    const type = kinds[Math.floor(next() * kinds.length)];
    if (next() < 0.03) return "{broken";
    if (next() < 0.03) return "";
    return JSON.stringify({ uuid: `u${i}`, type, data: { text }, message: { content: text } });
  });
  return texts.join("\n");
}

function key(entry: TranscriptEntry | BrokenLine): string {
  const id = entry.kind === "broken" ? entry.reason : entry.uuid;
  return `${entry.offset}+${entry.bytes} ${entry.kind} ${id}`;
}

async function forwards(path: string): Promise<string[]> {
  const keys: string[] = [];
  for await (const entry of readEntries(fileChunks(path))) keys.push(key(entry));
  return keys;
}

describe("reading directions agree", () => {
  for (const seed of [1, 2, 3]) {
    for (const end of ["", "\n", "\n\n"]) {
      test(`seed ${seed}, ending ${JSON.stringify(end)}: backwards is forwards reversed`, async () => {
        const path = join(folder, `back-${seed}-${end.length}.jsonl`);
        await writeFile(path, transcript(120, seed) + end);
        const all = await forwards(path);
        expect(all.length).toBeGreaterThan(90);
        for (const bytes of [5, 64, 64 * 1024]) {
          const back: string[] = [];
          const source = fileChunksBackwards(path, undefined, bytes);
          for await (const entry of readEntriesBackwards(source)) back.push(key(entry));
          expect(back.reverse()).toEqual(all);
        }
      });
    }
  }

  test("lines have their numbers, places and text whatever the chunks, also what is no UTF-8", async () => {
    const line = (text: string) => JSON.stringify({ type: "user", message: { content: text } });
    const lines = ["", line("naïve — 日本語 😀"), "{broken", line("x".repeat(5_000)), line("last")];
    const bytes = Buffer.from(`${lines.join("\n")}\n`);
    const at = bytes.indexOf("naïve");
    bytes[at] = 0xff;
    for (const size of [1, 2, 3, 7, 64, 100_000]) {
      const found: string[] = [];
      const chunks = Array.from({ length: Math.ceil(bytes.length / size) }, (_, n) =>
        bytes.subarray(n * size, (n + 1) * size),
      );
      for await (const one of readEntries(chunks)) {
        const there = bytes.subarray(one.offset, one.offset + one.bytes);
        expect(Buffer.from(one.content)).toEqual(there);
        const [block] = one.kind === "user" ? one.blocks : [];
        found.push(`${one.line} ${block?.type === "text" ? block.text.slice(0, 9) : one.kind}`);
      }
      expect(found).toEqual(["2 \ufffdaïve — 日", "3 broken", "4 xxxxxxxxx", "5 last"]);
    }
  });

  test("a line over the limit is named, not held, from both ends", async () => {
    const size = 1024 * 1024;
    const long = Array.from({ length: 65 }, () => Buffer.alloc(size, "b"));
    const chunks = [Buffer.from("{}\n"), ...long, Buffer.from("\n{}\n"), ...long];
    const shown = (one: TranscriptEntry | BrokenLine) => [
      one.offset,
      one.bytes,
      one.kind === "broken" ? one.reason : "",
      one.content.length,
    ];
    const found: unknown[] = [];
    for await (const one of readEntries(chunks)) found.push(shown(one));
    expect(found).toEqual([
      [0, 2, "", 2],
      [3, 65 * size, "too long", 0],
      [4 + 65 * size, 2, "", 2],
      [7 + 65 * size, 65 * size, "too long", 0],
    ]);
    const offsets = chunks.map((_, at) =>
      chunks.slice(0, at).reduce((sum, { length }) => sum + length, 0),
    );
    async function* backwards() {
      for (let at = chunks.length - 1; at >= 0; at--)
        yield { chunk: chunks[at] as Uint8Array, offset: offsets[at] ?? 0 };
    }
    const back: unknown[] = [];
    for await (const one of readEntriesBackwards(backwards())) back.unshift(shown(one));
    expect(back).toEqual(found);
  });

  test("an empty file has no entries either way", async () => {
    const path = join(folder, "empty.jsonl");
    await writeFile(path, "");
    expect(await forwards(path)).toEqual([]);
    for await (const entry of readEntriesBackwards(fileChunksBackwards(path))) {
      throw new Error(`unexpected ${entry.kind}`);
    }
  });

  test("a tail over random growth gives exactly one full read", async () => {
    for (const seed of [11, 12, 13, 14]) {
      const next = random(seed);
      const path = join(folder, `tail-${seed}.jsonl`);
      const bytes = new TextEncoder().encode(`${transcript(80, seed)}\n`);
      await writeFile(path, "");
      const seen: string[] = [];
      let position: TailPosition | undefined;
      for (let at = 0; at < bytes.length; ) {
        const size = 1 + Math.floor(next() ** 4 * 20_000);
        await appendFile(path, bytes.slice(at, at + size));
        at += size;
        const result = await readTail(path, position);
        seen.push(...result.entries.map(key));
        // The position survives a restart of the process.
        position = JSON.parse(JSON.stringify(result.position));
      }
      for (;;) {
        const result = await readTail(path, position);
        seen.push(...result.entries.map(key));
        if (result.position.offset === position?.offset) break;
        position = result.position;
      }
      expect(seen).toEqual(await forwards(path));
    }
  });
});
