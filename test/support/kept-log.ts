// A log that keeps its lines for the test to read.
import type { Log } from "../../src/home/log.ts";

export interface KeptLog extends Log {
  lines: Array<{ level: string; message: string; fields: Record<string, unknown> }>;
}

/** Children write into the same lines. */
export function keptLog(): KeptLog {
  const lines: KeptLog["lines"] = [];
  const at =
    (level: string) =>
    (message: string, fields: Record<string, unknown> = {}) => {
      lines.push({ level, message, fields });
    };
  const log: KeptLog = {
    lines,
    debug: at("debug"),
    info: at("info"),
    warn: at("warn"),
    error: at("error"),
    child: () => log,
  };
  return log;
}
