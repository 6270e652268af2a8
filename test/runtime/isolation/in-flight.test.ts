// Who was at work when a process ended: read from what it left, also after a kill and after an exit from inside.
import { afterEach, beforeEach, expect, test } from "bun:test";
import { mkdtemp, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import process from "node:process";
import { openInFlight, readLeftOver } from "../../../src/runtime/isolation/oversight.ts";

let folder: string;
let path: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "memoir-flight-"));
  path = join(folder, "in-flight");
});
afterEach(() => rm(folder, { recursive: true, force: true }));

test("calls that are over leave nothing; those under way are told, whatever their order", async () => {
  const flight = openInFlight(path);
  const size = (await stat(path)).size;
  const a = flight.note("a", "Stop", "k1");
  const b = flight.note("b", "capture", "");
  flight.note("c", "observe", "k".repeat(500));
  a();
  a();
  const left = readLeftOver(path);
  expect(left.map(({ plugin, hook, certain }) => [plugin, hook, certain])).toEqual([
    ["b", "capture", false],
    ["c", "observe", false],
  ]);
  b();
  expect((await stat(path)).size).toBe(size);
  flight.close();
  expect(readLeftOver(path)).toEqual([]);
});

test("more calls at once than there is room for are simply not noted", () => {
  const flight = openInFlight(path);
  const done = Array.from({ length: 100 }, (_, at) => flight.note(`p${at}`, "Stop", ""));
  expect(readLeftOver(path)).toHaveLength(32);
  for (const end of done) end();
  expect(readLeftOver(path)).toEqual([]);
  flight.close();
});

test("there is room again once calls are over, however many there were", () => {
  const flight = openInFlight(path);
  for (let round = 0; round < 3; round++) {
    const done = Array.from({ length: 32 }, (_, at) => flight.note(`p${at}`, "Stop", ""));
    expect(readLeftOver(path)).toHaveLength(32);
    for (const end of done) end();
  }
  flight.close();
});

test("no file, and one that cannot be made, are no trouble", () => {
  expect(readLeftOver(path)).toEqual([]);
  const flight = openInFlight(join(folder, "no", "folder"));
  flight.note("a", "Stop", "")();
  flight.close();
});

test.each<[string, string, object[]]>([
  [
    "a kill",
    'flight.note("a", "Stop", "k"); process.kill(process.pid, "SIGKILL");',
    [{ plugin: "a", hook: "Stop", key: "k", certain: false }],
  ],
  [
    "an exit from inside",
    'flight.note("a", "Stop", "k"); process.exit(0);',
    [{ plugin: "a", hook: "Stop", key: "k", certain: true }],
  ],
  [
    "an exit while two are at work",
    'flight.note("a", "Stop", ""); flight.note("b", "Stop", ""); process.exit(0);',
    [
      { plugin: "a", hook: "Stop", key: "", certain: false },
      { plugin: "b", hook: "Stop", key: "", certain: false },
    ],
  ],
  ["a wanted exit", 'flight.note("a", "Stop", ""); flight.close(); process.exit(0);', []],
])("%s", async (_, code, expected) => {
  const module = resolve(import.meta.dir, "../../../src/runtime/isolation/oversight.ts");
  const program = `import { openInFlight } from ${JSON.stringify(module)};\nconst flight = openInFlight(${JSON.stringify(path)});\n${code}`;
  const child = Bun.spawn([process.execPath, "-e", program], { stdout: "ignore", stderr: "pipe" });
  await child.exited;
  expect(readLeftOver(path)).toEqual(expected as never);
});
