// Files that grow and are replaced: what is new since the last look, what a client still appends, and bytes in both directions.
import { describe, expect, test } from "bun:test";
import { appendFile, open, readFile, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileChunks, fileChunksBackwards, readTail } from "../../src/transcript/read.ts";
import { drainRest, wholeLines } from "../../src/transcript/replace-file.ts";
import { differenceAt } from "../../src/transcript/splice.ts";
import { inFolder } from "../support/in-folder.ts";

const line = (uuid: string, more = 0) =>
  `${JSON.stringify({ type: "user", uuid, timestamp: "2026-01-01T00:00:00Z", message: { role: "user", content: "x".repeat(more) } })}\n`;
const uuids = (entries: ReadonlyArray<object>) =>
  entries.map((entry) => ("uuid" in entry ? entry.uuid : undefined));

describe("a tail", () => {
  const withFile = (work: (path: string) => Promise<void>) =>
    inFolder((folder) => work(join(folder, "s.jsonl")));

  test("gives what is new since its position, and leaves a line that is being written", () =>
    withFile(async (path) => {
      await writeFile(path, line("a") + line("b").slice(0, 20));
      const first = await readTail(path);
      expect([uuids(first.entries), first.restarted]).toEqual([["a"], false]);
      await appendFile(path, line("b").slice(20) + line("c"));
      const second = await readTail(path, first.position);
      expect(uuids(second.entries)).toEqual(["b", "c"]);
      expect((await readTail(path, second.position)).entries).toEqual([]);
    }));

  test("begins again where the file shrank, or is another one under its name", () =>
    withFile(async (path) => {
      await writeFile(path, line("a") + line("b"));
      const { position } = await readTail(path);
      await writeFile(path, line("c"));
      const shrunk = await readTail(path, position);
      expect([uuids(shrunk.entries), shrunk.restarted]).toEqual([["c"], true]);
      await writeFile(`${path}.new`, line("d") + line("e") + line("f"));
      await rename(`${path}.new`, path);
      const other = await readTail(path, shrunk.position);
      expect([uuids(other.entries), other.restarted]).toEqual([["d", "e", "f"], true]);
    }));

  test("stops after about as many bytes as are wanted, at the end of a line, and goes on there", () =>
    withFile(async (path) => {
      const large = 18_000_000;
      await writeFile(path, line("a", large) + line("b", large) + line("c", large));
      const first = await readTail(path);
      expect(uuids(first.entries)).toEqual(["a"]);
      const second = await readTail(path, first.position);
      const third = await readTail(path, second.position);
      expect([uuids(second.entries), uuids(third.entries)]).toEqual([["b"], ["c"]]);
    }));
});

describe("bytes of a file", () => {
  test("come whole in both directions, also of a part", () =>
    inFolder(async (folder) => {
      const path = join(folder, "f");
      const text = Array.from({ length: 30_000 }, (_, at) => `line ${at}\n`).join("");
      await writeFile(path, text);
      const forwards: string[] = [];
      for await (const chunk of fileChunks(path, { from: 7, to: 200_007 }))
        forwards.push(Buffer.from(chunk).toString());
      expect(forwards.join("")).toBe(text.slice(7, 200_007));
      const backwards: string[] = [];
      const offsets: number[] = [];
      for await (const { chunk, offset } of fileChunksBackwards(path, 250_000, 1_000)) {
        backwards.unshift(Buffer.from(chunk).toString());
        offsets.push(offset);
      }
      expect(backwards.join("")).toBe(text.slice(0, 250_000));
      expect([offsets[0], offsets.at(-1)]).toEqual([249_000, 0]);
      expect(backwards.length).toBeLessThan(12);
    }));

  test("that differ are the smallest stretch", () => {
    const bytes = (text: string) => new TextEncoder().encode(text);
    const between = (old: string, made: string) => {
      const found = differenceAt(100, bytes(old), bytes(made));
      return found && [found.at, found.remove, new TextDecoder().decode(found.insert)];
    };
    expect(between("abc", "abc")).toBeUndefined();
    expect(between("abcd", "aXd")).toEqual([101, 2, "X"]);
    expect(between("aaa", "aa")).toEqual([102, 1, ""]);
    expect(between("ab", "abab")).toEqual([102, 0, "ab"]);
  });
});

describe("what a client appended to a file that was replaced", () => {
  const withBoth = (
    work: (old: Awaited<ReturnType<typeof open>>, path: string) => Promise<void>,
    { was, now }: { was: string; now: string },
  ) =>
    inFolder(async (folder) => {
      const path = join(folder, "now");
      await writeFile(join(folder, "was"), was);
      await writeFile(path, now);
      const old = await open(join(folder, "was"), "r");
      try {
        await work(old, path);
      } finally {
        await old.close();
      }
    });

  test.each([
    ["comes after what is there", "head\na\nb\n", "HEAD!\n", "HEAD!\na\nb\n", 4],
    ["is not told twice", "head\na\nb\n", "HEAD!\na\n", "HEAD!\na\nb\n", 2],
    ["is not swallowed by a torn line", "head\na\n", "HEAD!\nto", "HEAD!\nto\na\n", 2],
    ["may be nothing", "head\n", "HEAD!\nc\n", "HEAD!\nc\n", 0],
  ])("%s", (_, was, now, after, bytes) =>
    withBoth(
      async (old, path) => {
        expect(await drainRest(old, "head\n".length, path, "HEAD!\n".length)).toBe(bytes);
        expect(await readFile(path, "utf8")).toBe(after);
      },
      { was, now },
    ),
  );

  test("is taken up to its last whole line, and whole at the end", () =>
    withBoth(
      async (old) => {
        const text = async (rest: boolean) =>
          new TextDecoder().decode(await wholeLines(old, 5, 10, rest));
        expect([await text(false), await text(true)]).toEqual(["a\n", "a\nhal"]);
      },
      { was: "head\na\nhal", now: "" },
    ));
});
