// A transcript is the old one or the new one at any instant, and what a client writes meanwhile is never lost.
import { describe, expect, test } from "bun:test";
import {
  appendFile,
  chmod,
  link,
  mkdir,
  open,
  rename,
  rmdir,
  stat,
  writeFile,
} from "node:fs/promises";
import { join } from "node:path";
import process from "node:process";
import { recoverReplacements } from "../../src/transcript/replace-file.ts";
import { largeTranscript } from "../support/large-transcript.ts";
import { randomNumbers } from "../support/mutations.ts";
import { rewriteRoom } from "../support/rewrite-lines.ts";

const child = join(import.meta.dirname, "../support/rewrite-until-killed.ts");
const kills = Number(process.env.KILLS ?? 6);
/** Of many turns, so that there is always one more to be cleared. */
const text = largeTranscript(400_000, 4_000);
const entry = (n: number) => `{"type":"user","uuid":"w${n}","parentUuid":null,"message":{}}\n`;

/** Starts the child, kills it after so many ms of work. */
async function killedAfter(ms: number, ...args: string[]): Promise<void> {
  const started = Bun.spawn([process.execPath, child, ...args], {
    stdout: "pipe",
    stderr: "inherit",
  });
  const reader = started.stdout.getReader();
  await reader.read();
  await Bun.sleep(ms);
  started.kill("SIGKILL");
  await started.exited;
}

describe("replaceFile", () => {
  test(`killed at ${kills} random points it leaves the old file or the new one`, async () => {
    const room = await rewriteRoom(text);
    try {
      await room.rewrite({
        copies: true,
        fetches: [{ ids: ["o1"], text: "Observed.", toolUseIds: ["t0"] }],
      });
      const made = await room.bytes();
      await room.restore();
      const random = randomNumbers(7);
      const seen = { old: 0, new: 0 };
      for (let n = 0; n < kills; n++) {
        await killedAfter(random() * 120, room.path, room.undo, "closed");
        const found = await room.bytes();
        const isNew = found.equals(made);
        expect(isNew || found.equals(Buffer.from(text))).toBeTrue();
        seen[isNew ? "new" : "old"]++;
        await recoverReplacements(room.undo);
        expect(await room.bytes()).toEqual(found);
        expect(await room.names()).toEqual(["s1.jsonl"]);
        expect((await room.restore()).state).toBe(isNew ? "restored" : "nothing");
        expect((await room.bytes()).toString()).toBe(text);
      }
      if (process.env.KILLS) console.log(`killed ${kills} times:`, seen);
    } finally {
      await room.close();
    }
  }, 600_000);

  test(`killed at ${kills} random points with a writer, no line of the writer is lost`, async () => {
    const random = randomNumbers(11);
    for (let n = 0; n < kills; n++) {
      const room = await rewriteRoom(text);
      try {
        const stop = { now: false };
        const writing = writeMeanwhile(room.path, stop, 15);
        await killedAfter(random() * 150, room.path, room.undo, "live");
        stop.now = true;
        const written = await writing;
        await recoverReplacements(room.undo);
        expect(await room.names()).toEqual(["s1.jsonl"]);
        // What came over late stands later: the client finds entries by their chain, not by their place.
        expectKept(await room.bytes(), written);
      } finally {
        await room.close();
      }
    }
  }, 600_000);

  test("a writer that keeps opening, waiting and appending loses nothing, and nothing is doubled", async () => {
    const room = await rewriteRoom(text);
    try {
      const stop = { now: false };
      const writers = ["a", "b"].map((word) => writeMeanwhile(room.path, stop, 80, word));
      for (const keepTurns of [5, 4, 3, 2, 1]) {
        const done = await room.rewrite({ keepTurns }, { live: true, drainMs: 80 });
        expect(done).toMatchObject({ done: true });
      }
      stop.now = true;
      const written = (await Promise.all(writers)).flat();
      expectKept(await room.bytes(), written);
      expect(written.length).toBeGreaterThan(20);
    } finally {
      await room.close();
    }
  }, 180_000);

  test("what is appended while a closed file is rewritten leaves it as it is", async () => {
    const room = await rewriteRoom(text);
    try {
      const done = await room.rewrite(
        {},
        {
          async mayReplace() {
            await appendFile(room.path, entry(1));
            return true;
          },
        },
      );
      expect(done).toEqual({ done: false, reason: "the file changed meanwhile" });
      expect((await room.bytes()).toString()).toBe(text + entry(1));
      expect(await room.names()).toEqual(["s1.jsonl"]);
      expect((await room.restore()).state).toBe("nothing");
    } finally {
      await room.close();
    }
  });

  test("a file that another one took the place of stays", async () => {
    const room = await rewriteRoom(text);
    try {
      const done = await room.rewrite(
        {},
        {
          live: true,
          async mayReplace() {
            await writeFile(`${room.path}.other`, "other\n");
            await rename(`${room.path}.other`, room.path);
            return true;
          },
        },
      );
      expect(done).toEqual({ done: false, reason: "the file changed meanwhile" });
      expect((await room.bytes()).toString()).toBe("other\n");
    } finally {
      await room.close();
    }
  });

  test("a client that comes in between is left alone", async () => {
    const room = await rewriteRoom(text);
    try {
      const done = await room.rewrite({}, { mayReplace: async () => false });
      expect(done).toEqual({ done: false, reason: "a client has it open" });
      expect((await room.bytes()).toString()).toBe(text);
      expect(await room.names()).toEqual(["s1.jsonl"]);
    } finally {
      await room.close();
    }
  });

  test("what was opened before and written after goes over, in whole lines", async () => {
    const room = await rewriteRoom(text);
    try {
      const late = await open(room.path, "a");
      const writing = (async () => {
        while ((await stat(room.path)).ino === (await late.stat()).ino) await Bun.sleep(1);
        await late.write(entry(1));
        await late.write(entry(2).slice(0, 20));
        await Bun.sleep(30);
        await late.write(entry(2).slice(20));
        await late.close();
      })();
      const done = await room.rewrite({}, { live: true, drainMs: 1_500 });
      await writing;
      expect(done).toMatchObject({ done: true, drained: entry(1).length + entry(2).length });
      expect((await room.bytes()).toString()).toEndWith(entry(1) + entry(2));
    } finally {
      await room.close();
    }
  });

  test("a drain that fails loses nothing: the next rewrite makes up for it", async () => {
    const room = await rewriteRoom(text);
    try {
      const late = await open(room.path, "a");
      const aside = `${room.path}.aside`;
      const breaking = (async () => {
        while ((await stat(room.path)).ino === (await late.stat()).ino) await Bun.sleep(1);
        // As good as a disk that is full: nothing can be appended at this path.
        await rename(room.path, aside);
        await mkdir(room.path);
        await late.write(entry(1));
      })();
      await expect(
        room.rewrite({ keepTurns: 5 }, { live: true, drainMs: 20_000 }),
      ).rejects.toThrow();
      await breaking;
      await late.write(entry(2));
      await late.close();
      await rmdir(room.path);
      await rename(aside, room.path);
      // A full disk leaves a torn line.
      await appendFile(room.path, entry(1).slice(0, 20));
      const reason = "the file changed meanwhile";
      expect(await room.rewrite({ keepTurns: 3 })).toEqual({ done: false, reason });
      expect((await room.bytes()).toString()).toEndWith(`\n${entry(1)}${entry(2)}`);
      expect(await room.names()).toEqual(["s1.jsonl"]);
    } finally {
      await room.close();
    }
  });

  test("the file keeps its mode", async () => {
    const room = await rewriteRoom(text);
    try {
      await chmod(room.path, 0o640);
      expect((await room.rewrite()).done).toBeTrue();
      expect((await stat(room.path)).mode & 0o777).toBe(0o640);
    } finally {
      await room.close();
    }
  });

  test("a death between step and drain: the old file's late lines come over once", async () => {
    const room = await rewriteRoom(text);
    try {
      // As a process leaves it that dies right after the step: the old file under its second name.
      const old = await open(room.path, "a");
      const held = `${room.path}.00000000.memoir-old`;
      await link(room.path, held);
      const done = await room.rewrite();
      if (!done.done) throw new Error(done.reason);
      await old.write(entry(1));
      await old.write(entry(2));
      await old.close();
      await appendFile(room.path, entry(1));
      await writeFile(
        join(room.undo, "s1/s1/pending.json"),
        JSON.stringify({
          path: room.path,
          draft: `${room.path}.00000000.memoir-new`,
          held,
          stretch: { from: done.before, to: done.after },
        }),
      );
      const recovered = await recoverReplacements(room.undo);
      expect(recovered).toEqual([{ path: room.path, replaced: true, drained: entry(2).length }]);
      expect((await room.bytes()).toString()).toEndWith(entry(1) + entry(2));
      expect(await room.names()).toEqual(["s1.jsonl"]);
      expect(await recoverReplacements(room.undo)).toEqual([]);
    } finally {
      await room.close();
    }
  });
});

interface WrittenLine {
  line: string;
  /** It came within the time that the old file is watched for; on a busy machine one may come later. */
  inTime: boolean;
}

/** As the client writes: it opens the file, may take a while, appends a line, closes. Gives what it wrote. */
async function writeMeanwhile(
  path: string,
  stop: { now: boolean },
  drainMs: number,
  word = "w",
): Promise<WrittenLine[]> {
  const written: WrittenLine[] = [];
  for (let n = 0; !stop.now; n++) {
    const begun = performance.now();
    const file = await open(path, "a");
    await Bun.sleep(n % 7);
    const line = `{"type":"writer","n":"${word}${n}"}`;
    await file.write(`${line}\n`);
    written.push({ line, inTime: performance.now() - begun < drainMs });
    await file.close();
    await Bun.sleep(1);
  }
  return written;
}

/** Each line that came in time is there, and none twice. */
function expectKept(bytes: Buffer, written: readonly WrittenLine[]): void {
  const found = writersLines(bytes).sort();
  const kept = new Set(found);
  const expected = written.filter(({ line, inTime }) => inTime || kept.has(line));
  expect(found).toEqual(expected.map(({ line }) => line).sort());
}

function writersLines(bytes: Buffer): string[] {
  return bytes
    .toString()
    .split("\n")
    .filter((line) => line.includes('"type":"writer"'));
}
