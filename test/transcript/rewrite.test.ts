// Copying a transcript: the same bytes where nothing changed, whatever the bytes are.
import { describe, expect, test } from "bun:test";
import { Buffer } from "node:buffer";
import { existsSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { fileChunks } from "../../src/transcript/file.ts";
import type { ByteSource } from "../../src/transcript/read.ts";
import { type LineChange, rewriteTranscript } from "../../src/transcript/rewrite.ts";

const asItIs: LineChange = () => undefined;

async function rewritten(source: ByteSource, change: LineChange): Promise<string> {
  const chunks = await Array.fromAsync(rewriteTranscript(source, change));
  return Buffer.concat(chunks).toString("latin1");
}

describe("rewriteTranscript", () => {
  test.each([
    ["nothing", ""],
    ["empty lines", '\n\n{"type":"x"}\n \r\n\n'],
    ["a last line without line feed", '{"type":"user"}\n{"type":"user"}'],
    ["a torn last line", '{"type":"user"}\n{"type":"us'],
    ["broken lines and binary", '{"a":\n\xff\xfe\x00{}\n[1]\n"text"\n{"type":"é"}\n'],
    ["odd spacing and order", '{ "b" : 1 ,"type":"user", "a":[ ] , "type":"user"}\r\n'],
  ])("gives the very bytes of %s", async (_, text) => {
    const bytes = Buffer.from(text, "latin1");
    const parts = Array.from(bytes, (byte) => Uint8Array.of(byte));
    expect(await rewritten([bytes], asItIs)).toBe(text);
    expect(await rewritten(parts, asItIs)).toBe(text);
  });

  test("changes, removes and inserts, and leaves the rest", async () => {
    const lines = ['{"type":"a", "n":1}', "broken{", '{"type":"b","n":2}', '{"type":"c","n":3}'];
    const change: LineChange = (entry) => {
      if (entry.kind === "broken") return undefined;
      if (entry.type === "a") return [entry, { type: "new", text: "\ud800" }];
      if (entry.type === "b") return [];
      return [{ ...entry.raw(), n: 4 }];
    };
    expect(await rewritten([Buffer.from(lines.join("\n"))], change)).toBe(
      '{"type":"a", "n":1}\n{"type":"new","text":"\\ud800"}\nbroken{\n{"type":"c","n":4}',
    );
  });

  const root = join(import.meta.dirname, "../../../shared/data/transcripts");
  test.skipIf(!existsSync(root))("gives the very bytes of recorded transcripts", async () => {
    const names = (await readdir(root, { recursive: true })).filter((name) =>
      name.endsWith(".jsonl"),
    );
    for (const name of names) {
      const path = join(root, name);
      const copy = Buffer.concat(
        await Array.fromAsync(rewriteTranscript(fileChunks(path), asItIs)),
      );
      expect([name, copy.equals(await readFile(path))]).toEqual([name, true]);
    }
    expect(names.length).toBeGreaterThan(0);
  });
});
