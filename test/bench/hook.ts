// The hook command against an empty compiled program: server up, server busy, server away.

import { fdatasyncSync, openSync, writeSync } from "node:fs";
import { copyFile, mkdtemp, rm, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { serverHeader } from "../../src/server/endpoint.ts";
import { withProgram } from "./compiled-program.ts";
import { type Figure, median, quantile } from "./figures.ts";
import { readPayload } from "./payloads.ts";
import { type Cost, interleaved, memoryMb, type Program } from "./process-cost.ts";
import { binary, type ServedHome, withHome } from "./served-home.ts";

const pairs = 40;
const copies = 8;
const warmUp = 1_000;
const part = "hook";

const wall = (costs: readonly Cost[]) => costs.map(({ wallMs }) => wallMs);
const cpu = (costs: readonly Cost[]) => costs.map(({ cpuMs }) => cpuMs);

const promised = { target: { limit: 1.5, better: "lower" } } as const;

/** The least that a hook can be: it reads what it is given, posts it, and waits for the answer. */
const barePost = `
const body = await Bun.stdin.text();
const unix = process.env.MEMOIR_HOME + "/memoir.sock";
await (await fetch("http://localhost/hook/claude-code", { method: "POST", body, unix })).arrayBuffer();
process.exit(0);
`;

function figures(
  name: string,
  costs: { a: Cost[]; b: Cost[] },
  promise: Pick<Figure, "target"> = {},
): Figure[] {
  const { a: empty, b: hook } = costs;
  const ratio = (of: typeof wall) => median(of(hook)) / median(of(empty));
  return [
    { part, name: `${name}: wall, median`, value: median(wall(hook)), unit: "ms" },
    { part, name: `${name}: wall, p95`, value: quantile(wall(hook), 0.95), unit: "ms" },
    { part, name: `${name}: CPU, median`, value: median(cpu(hook)), unit: "ms" },
    { part, name: `${name}: wall ÷ empty program`, value: ratio(wall), unit: "×", ...promise },
    { part, name: `${name}: CPU ÷ empty program`, value: ratio(cpu), unit: "×", ...promise },
  ];
}

/** Starts a process that posts tool uses without a pause; this one is blocked while it measures. */
function keepBusy(home: ServedHome): () => void {
  const program = join(import.meta.dirname, "load-process.ts");
  const child = Bun.spawn([process.execPath, program, join(home.home, "memoir.sock")], {
    env: home.env,
    stdio: ["ignore", "ignore", "inherit"],
  });
  return () => child.kill();
}

/** All figures of the hook command. */
export async function benchHook(): Promise<Figure[]> {
  const times = await withProgram("", (path) =>
    withProgram(barePost, (bare) => withHome((home) => measure({ path, bare }, home))),
  );
  return [...times, ...(await hookMemory(part))];
}

/** Runs `use` beside a listener in the server's place. */
async function withListener(home: ServedHome, use: () => Promise<void>): Promise<void> {
  const program = join(import.meta.dirname, "listener-process.ts");
  const child = Bun.spawn([process.execPath, program, join(home.home, "memoir.sock")], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  await child.stdout.getReader().read();
  await use();
  child.kill();
  await child.exited;
  await rm(join(home.home, "memoir.sock"), { force: true });
}

/** The least that is possible: what a bare program and the disk alone take. */
function floor(name: string, costs: { a: Cost[]; b: Cost[] }): Figure {
  const value = median(wall(costs.b)) / median(wall(costs.a));
  return { part, name: `${name}: wall ÷ empty program`, value, unit: "×" };
}

/**
 * The server may answer only once the event is on disk, and the flush alone takes from a tenth to the whole of an empty
 * program's time, by disk and by what else is written there. Where the promise is missed with it and kept without, it is
 * the disk that misses it.
 */
function withoutFlush(
  name: string,
  { a, b }: { a: Cost[]; b: Cost[] },
  flushes: number[],
): Figure[] {
  const flush = median(flushes);
  const value = (median(wall(b)) - flush) / median(wall(a));
  return [
    { part, name: "the disk alone: 64 KB flushed, median", value: flush, unit: "ms" },
    { part, name: `${name}, without that: wall ÷ empty program`, value, unit: "×", ...promised },
  ];
}

async function measure(
  { path, bare }: { path: string; bare: string },
  home: ServedHome,
): Promise<Figure[]> {
  let serial = 0;
  /** Both are given a payload, as the client gives one to every hook; the empty program leaves it unread. */
  const program = (...command: string[]): Program => ({
    command,
    env: home.env,
    get stdin() {
      return new TextEncoder().encode(readPayload("bench", serial++));
    },
  });
  const empty = program(path);
  const hook = program(binary, "hook", "claude-code");
  const flush = flushTimer(home.home);
  const flushes: number[] = [];
  const overCopies = async () => {
    flushes.length = 0;
    const rounds = await overFreshCopies([path, binary], copies, (emptyCopy, hookCopy) =>
      interleaved(program(emptyCopy), program(hookCopy, "hook", "claude-code"), pairs / 4, () =>
        flushes.push(flush()),
      ),
    );
    return { a: rounds.flatMap(({ a }) => a), b: rounds.flatMap(({ b }) => b) };
  };
  const found: Figure[] = [];
  await withListener(home, async () => {
    const alone = await overCopies();
    const value = median(wall(alone.a));
    found.push({ part, name: "empty program: wall, median", value, unit: "ms" });
    found.push(floor("a program that only posts", interleaved(empty, program(bare), pairs)));
    found.push(...figures("answered at once", alone, promised));
  });
  await home.start();
  // A server lives for days; its first hundreds of events run uncompiled.
  for (let i = 0; i < warmUp; i++) await home.ask("/hook/claude-code", readPayload("warm", i));
  const up = await overCopies();
  found.push(...figures("server up", up, promised), ...withoutFlush("server up", up, flushes));

  const rest = keepBusy(home);
  found.push(...figures("server busy", interleaved(empty, hook, pairs)));
  rest();

  await home.kill();
  const marker = join(home.home, "server.starting");
  await writeFile(marker, "");
  // A start under way: the hook spools and starts nothing.
  const soon = new Date(Date.now() + 5_000);
  await utimes(marker, soon, soon);
  found.push(...figures("server away (spooled)", interleaved(empty, hook, pairs)));
  return found;
}

// What the disk alone takes: as much as the journal writes for one event, flushed. No server that commits before it answers is quicker.

/** A commit of one event writes 16 pages of 4 KB. */
const bytes = Buffer.alloc(64 * 1024);
/** Written over and over, as a log is that was folded in. */
const places = 64;

/** Times one flush in `folder` at each call, in ms. */
function flushTimer(folder: string): () => number {
  const file = openSync(join(folder, "flushed"), "w");
  let at = 0;
  const write = () => writeSync(file, bytes, 0, bytes.length, (at++ % places) * bytes.length);
  while (at < places) write();
  fdatasyncSync(file);
  return () => {
    write();
    const begin = performance.now();
    fdatasyncSync(file);
    return performance.now() - begin;
  };
}

// Fresh copies of the compared binaries: where a file happens to lie in the page cache moves a start by a quarter, so luck is averaged out.

/** Copies both files `rounds` times over, hands each pair of copies to `use`, and removes them. Gives all results. */
async function overFreshCopies<Value>(
  files: readonly [a: string, b: string],
  rounds: number,
  use: (a: string, b: string) => Value,
): Promise<Value[]> {
  const folder = await mkdtemp(join(tmpdir(), "memoir-bench-copies-"));
  const results: Value[] = [];
  try {
    for (let round = 0; round < rounds; round++) {
      const [a, b] = [join(folder, `a-${round}`), join(folder, `b-${round}`)];
      await copyFile(files[0], a);
      await copyFile(files[1], b);
      results.push(use(a, b));
      await rm(a);
      await rm(b);
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
  return results;
}

// Memory of the hook command: read while it waits for its answer, when it has done everything but print it.

// The kernel's own figure (`ru_maxrss`) is of no use: a child that starts without a copy of its parent inherits the
// parent's peak. And a program that ends after three milliseconds is gone before it can be looked at.

const rounds = 10;

/** Peak memory of the hook beside a compiled program that only waits. Nothing where the system has no /proc. */
async function hookMemory(part: string): Promise<Figure[]> {
  const waiting = await withProgram("await Bun.sleep(60_000);", waitingMemory);
  const hook = await waitingHookMemory();
  if (waiting === undefined || hook === undefined) return [];
  const target = { limit: 1.5, better: "lower" } as const;
  const name = "peak memory ÷ a program that waits";
  return [
    { part, name: "peak memory", value: hook, unit: "MB" },
    { part, name, value: hook / waiting, unit: "×", target },
  ];
}

async function waitingMemory(path: string): Promise<number | undefined> {
  const samples: number[] = [];
  for (let i = 0; i < rounds; i++) {
    const child = Bun.spawn([path], { stdio: ["ignore", "ignore", "ignore"] });
    await Bun.sleep(100);
    const peak = memoryMb(child.pid, "VmHWM");
    child.kill();
    await child.exited;
    if (peak === undefined) return undefined;
    samples.push(peak);
  }
  return median(samples);
}

/** A listener of our own in the server's place holds each answer back until the memory is read. */
async function waitingHookMemory(): Promise<number | undefined> {
  const home = await mkdtemp(join(tmpdir(), "memoir-bench-"));
  let arrived = Promise.withResolvers<void>();
  let release = Promise.withResolvers<void>();
  const server = Bun.serve({
    unix: join(home, "memoir.sock"),
    async fetch(request) {
      await request.arrayBuffer();
      arrived.resolve();
      await release.promise;
      return new Response(null, { status: 204, headers: { [serverHeader]: "bench" } });
    },
  });
  const samples: number[] = [];
  try {
    for (let i = 0; i < rounds; i++) {
      arrived = Promise.withResolvers();
      release = Promise.withResolvers();
      const child = Bun.spawn([binary, "hook", "claude-code"], {
        env: { HOME: home, MEMOIR_HOME: home },
        stdin: new TextEncoder().encode(readPayload("memory", i)),
        stdout: "ignore",
        stderr: "ignore",
      });
      await arrived.promise;
      const peak = memoryMb(child.pid, "VmHWM");
      release.resolve();
      await child.exited;
      if (peak === undefined) return undefined;
      samples.push(peak);
    }
    return median(samples);
  } finally {
    await server.stop(true);
    await rm(home, { recursive: true, force: true });
  }
}
