// Memory of the hook command: read while it waits for its answer, when it has done everything but print it.
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { serverHeader } from "../../src/server/endpoint.ts";
import { withProgram } from "./compiled-program.ts";
import { type Figure, median } from "./figures.ts";
import { readPayload } from "./payloads.ts";
import { memoryMb } from "./process-cost.ts";
import { binary } from "./served-home.ts";

// The kernel's own figure (`ru_maxrss`) is of no use: a child that starts without a copy of its parent inherits the
// parent's peak. And a program that ends after three milliseconds is gone before it can be looked at.

const rounds = 10;

/** Peak memory of the hook beside a compiled program that only waits. Nothing where the system has no /proc. */
export async function hookMemory(part: string): Promise<Figure[]> {
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
