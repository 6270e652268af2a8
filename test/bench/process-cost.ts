// What one run of a program costs: wall time, processor time and memory.
import { readFileSync } from "node:fs";

export interface Cost {
  wallMs: number;
  /** User and system time. */
  cpuMs: number;
}

/** A program with its arguments, its environment and what it is given on stdin. */
export interface Program {
  command: string[];
  env: Record<string, string>;
  stdin?: Uint8Array;
}

/** Runs a program to its end. Fails when it does not exit 0: a failing program measures nothing. */
export function cost({ command, env, stdin }: Program): Cost {
  const begin = performance.now();
  const result = Bun.spawnSync(command, {
    env,
    stdin: stdin ?? "ignore",
    stdout: "ignore",
    stderr: "ignore",
  });
  const wallMs = performance.now() - begin;
  if (result.exitCode !== 0) throw new Error(`${command.join(" ")} exited ${result.exitCode}`);
  return { wallMs, cpuMs: Number(result.resourceUsage.cpuTime.total) / 1000 };
}

/** Runs two programs, and whatever `third` does, by turns, so that a busy moment of the machine hits all. */
export function interleaved(
  a: Program,
  b: Program,
  pairs: number,
  third?: () => void,
): { a: Cost[]; b: Cost[] } {
  const costs: { a: Cost[]; b: Cost[] } = { a: [], b: [] };
  for (let i = 0; i < 3; i++) {
    cost(a);
    cost(b);
  }
  for (let i = 0; i < pairs; i++) {
    costs.a.push(cost(a));
    costs.b.push(cost(b));
    third?.();
  }
  return costs;
}

/** Resident memory in MB: the peak (`VmHWM`) or what is resident now (`VmRSS`); undefined where the system has no /proc or the process is gone. */
export function memoryMb(pid: number, field: "VmHWM" | "VmRSS"): number | undefined {
  try {
    const kb = new RegExp(`${field}:\\s+(\\d+) kB`).exec(
      readFileSync(`/proc/${pid}/status`, "utf8"),
    );
    return kb ? Number(kb[1]) / 1024 : undefined;
  } catch {
    return undefined;
  }
}

/** Processor time that a running process has used so far, in ms; undefined without /proc. */
export function cpuMs(pid: number): number | undefined {
  try {
    // After the name in parentheses come state, ppid, …; utime and stime are the 12th and 13th, in ticks of 10 ms.
    const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]?.split(" ") ?? [];
    return (Number(fields[11]) + Number(fields[12])) * 10;
  } catch {
    return undefined;
  }
}
