// The power fails at any write of a recorded run: what was answered as kept is remembered after the next start, once and whole.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import process from "node:process";
import { readFindings } from "../../../src/home/findings.ts";
import { silentLog } from "../../../src/home/log.ts";
import { createRuntime } from "../../../src/runtime/runtime.ts";
import { type Draw, torture, tortureMs } from "../seeds.ts";
import { diskAfter, type Op, readOps, traced } from "./recorded-writes.ts";

const writer = resolve(import.meta.dir, "../../support/torn-writer.ts");
let folder: string;
/** All that the run came to, where nothing failed. */
let whole: ReadonlySet<string>;
let ops: Op[] = [];
let answers: Array<{ serial: number; name: string }> = [];

/** Without strace, or where it may not look at a process, nothing can be recorded. */
const mayTrace =
  process.platform === "linux" &&
  Bun.which("strace") !== null &&
  Bun.spawnSync(["strace", "-o", "/dev/null", "true"]).exitCode === 0;

beforeAll(async () => {
  if (!mayTrace) return;
  folder = await mkdtemp(join(tmpdir(), "memoir-torn-"));
  const home = join(folder, "home");
  await mkdir(home, { mode: 0o700 });
  const trace = join(folder, "trace");
  const child = Bun.spawn(
    [
      ...[
        "strace",
        "-f",
        "-y",
        "-xx",
        "-s",
        "1000000",
        "-e",
        traced,
        "-e",
        "signal=none",
        "-o",
        trace,
      ],
      ...[process.execPath, writer, home],
    ],
    { stdout: "ignore", stderr: "pipe" },
  );
  const said = await new Response(child.stderr).text();
  expect([await child.exited, said]).toEqual([0, ""]);
  ops = readOps(await readFile(trace, "latin1"), home, join(folder, "answered"));
  const lines = (await readFile(join(folder, "answered"), "utf8")).trimEnd().split("\n");
  answers = lines.map((line) => JSON.parse(line));
  whole = new Set((await rememberedBy(home)).words);
}, 180_000);
afterAll(() => (folder ? rm(folder, { recursive: true, force: true }) : undefined));

/** What the home remembers, and which of its files were set aside. */
async function rememberedBy(home: string) {
  const runtime = await createRuntime({ home, log: silentLog, env: { HOME: home, PATH: "" } });
  try {
    await runtime.drain({ timeoutMs: 30_000, flush: true });
    const page = { limit: 1_000, order: "oldest" as const };
    const prompts = (await runtime.hooks.first("storage.prompts", page))?.result ?? [];
    const turns = (await runtime.hooks.first("storage.turns", page))?.result ?? [];
    const notes = (await runtime.hooks.first("storage.observations", page))?.result ?? [];
    const summaries = (await runtime.hooks.first("storage.summaries", page))?.result ?? [];
    const words = [
      ...turns.flatMap(({ pieces }) => pieces.map(({ kind, text }) => `${kind} ${text}`)),
      ...notes.map(({ title, facts }) => JSON.stringify([title, facts])),
      ...summaries.map(({ request, completed }) => JSON.stringify([request, completed])),
    ];
    const names = (await readdir(home)).filter((name) => /\.damaged-\d+$/.test(name));
    const aside = names.map((name) => name.replace(/\.damaged-\d+$/, ""));
    const told = readFindings(home).map(({ file }) => file);
    return { prompts, turns, words, untold: aside.filter((name) => !told.includes(name)) };
  } finally {
    await runtime.stop();
  }
}

const promptOf = (serial: number) => `Why does the zebra counter ${serial} stop?`;
/** Notes of a turn that has no closing: titled by the file that changed, where one did. */
const notesOfAsked = (serial: number) =>
  ["", "a.ts: "].map((file) => JSON.stringify([`${file}${promptOf(serial)}`, []]));
const serialIn = (text: string) => Number(/counter (\d+) /i.exec(text)?.[1]);

async function tornCase(draw: Draw): Promise<void> {
  const end = 1 + draw.below(ops.length);
  const { files, answered } = diskAfter(ops, end, draw);
  const home = join(folder, `case-${draw.seed}`);
  await mkdir(home, { mode: 0o700 });
  try {
    for (const [name, bytes] of files) await writeFile(join(home, name), bytes, { mode: 0o600 });
    const { prompts, turns, words, untold } = await rememberedBy(home);
    const kept = answers.slice(0, answered);
    const texts = prompts.map(({ text }) => text);
    const lost = kept.filter(
      ({ serial, name }) => name === "UserPromptSubmit" && !texts.includes(promptOf(serial)),
    );
    expect(lost).toEqual([]);
    // Nothing is there twice, and nothing that nobody said.
    expect(new Set(texts).size).toBe(texts.length);
    expect(texts.filter((text) => text !== promptOf(serialIn(text)))).toEqual([]);
    // A turn whose end was answered is whole.
    const ended = new Set(kept.flatMap(({ name, serial }) => (name === "Stop" ? [serial] : [])));
    for (const serial of ended) {
      const own = turns.filter(({ pieces }) =>
        pieces.some(({ text }) => text === promptOf(serial)),
      );
      expect(own.length).toBe(1);
      expect(own[0]?.pieces.at(-1)?.text).toBe(`Counter ${serial} counts.`);
    }
    // Nothing is made of half of anything; of a turn whose end was not answered a note may say what was asked.
    const isCutShort = (one: string) =>
      !ended.has(serialIn(one)) && notesOfAsked(serialIn(one)).includes(one);
    expect(words.filter((one) => !whole.has(one) && !isCutShort(one))).toEqual([]);
    // A log that broke off is read beyond its damaged place as well, and told.
    expect(untold).toEqual([]);
  } finally {
    await rm(home, { recursive: true, force: true });
  }
}

test.skipIf(!mayTrace)(
  "what was answered as kept outlives a power failure, once and whole",
  async () => {
    expect(answers.length).toBeGreaterThan(100);
    expect(ops.filter(({ kind }) => kind === "sync").length).toBeGreaterThan(answers.length);
    await torture("test/torture/torn/torn-writes.test.ts", 20, tornCase);
  },
  tortureMs,
);
