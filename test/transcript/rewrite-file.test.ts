// Rewriting a transcript: one golden folder for each behaviour; rewritten twice is rewritten once; undone it is the very file.
import { describe, expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { stat } from "node:fs/promises";
import { join } from "node:path";
import { expectGolden } from "../support/golden.ts";
import { type RewriteCase, rewriteRoom } from "../support/rewrite-lines.ts";

const root = join(import.meta.dirname, "rewrite-cases");

describe("rewriting a transcript", () => {
  test.each(readdirSync(root))("%s", async (name) => {
    const input = readFileSync(join(root, name, "input.jsonl"));
    const wanted: RewriteCase = JSON.parse(readFileSync(join(root, name, "case.json"), "utf8"));
    const room = await rewriteRoom(input);
    try {
      const { mtimeMs } = await stat(room.path);
      const first = await room.rewrite(wanted);
      const rewritten = await room.bytes();
      await expectGolden(join(root, name, "expected.jsonl"), rewritten.toString());
      expect(first.done).toBe(!rewritten.equals(input));
      expect(await room.rewrite(wanted)).toEqual({ done: false, reason: "nothing to change" });
      // No newer than it was: clients continue the newest.
      expect(Math.floor((await stat(room.path)).mtimeMs)).toBe(Math.floor(mtimeMs));
      expect(await room.names()).toEqual(["s1.jsonl"]);
      const restored = await room.restore();
      expect(restored.state).toBe(first.done ? "restored" : "nothing");
      expect(await room.bytes()).toEqual(input);
      expect((await room.restore()).state).toBe("nothing");
    } finally {
      await room.close();
    }
  });
});
