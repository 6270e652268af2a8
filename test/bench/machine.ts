// The machine behind the figures: absolute times mean nothing without it.
import { cpus, release, totalmem, type } from "node:os";

export interface Machine {
  cpu: string;
  cores: number;
  memoryGb: number;
  system: string;
  bun: string;
}

/** This machine. */
export function machine(): Machine {
  const cores = cpus();
  return {
    cpu: cores[0]?.model ?? "unknown",
    cores: cores.length,
    memoryGb: Math.round(totalmem() / 1e9),
    system: `${type()} ${release()}`,
    bun: Bun.version,
  };
}

/** The machine in one line. */
export function machineLine({ cpu, cores, memoryGb, system, bun }: Machine): string {
  return `${cpu}, ${cores} cores, ${memoryGb} GB, ${system}, Bun ${bun}`;
}
