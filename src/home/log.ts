// The log file: JSON lines, written in the background, rotated by size. Logging never throws and never waits.
import { Buffer } from "node:buffer";
import { appendFile, chmod, mkdir, open, rm, stat } from "node:fs/promises";
import { dirname } from "node:path";
import type { Logger } from "../sdk/context.ts";
import { moveFile } from "../sdk/within.ts";
import { describeError } from "./describe-error.ts";
import { toAppend } from "./read-file.ts";

/** The log file: JSON lines, rotated by size. */
export interface Log extends Logger {
  child(scope: string): Log;
}

/** Levels from quiet to talkative. */
export const logLevels = ["error", "warn", "info", "debug"] as const;
type LogLevel = (typeof logLevels)[number];

interface LogOptions {
  /** Absolute path of the newest file; older ones get `.1`, `.2`, … */
  path: string;
  /** Default `info`. */
  level?: LogLevel;
  /** Size at which a new file is begun; `logBounds` unless a test says otherwise. */
  maxBytes?: number;
  /** Number of files kept, the newest included; `logBounds` unless a test says otherwise. */
  files?: number;
  /** Epoch ms. */
  now?: () => number;
  /** Applied to each record before it is written, so that no secret reaches the file. */
  redact?: <Value>(record: Value) => Value;
}

/** A log with the ends that only its owner needs. */
export interface LogFile extends Log {
  child(scope: string): Log;
  setLevel(level: LogLevel): void;
  /** Resolves when everything logged so far is in the file (or could not be written). */
  flush(): Promise<void>;
}

/** How large a log file gets, and how many are kept. */
export const logBounds = { maxBytes: 5 * 1024 * 1024, files: 5 };

const flushAfterMs = 100;
const maxLine = 16_384;
const maxBuffered = 4_000;
const debugLevel = logLevels.indexOf("debug");

/**
 * Opens a log; the file is made with its first line, mode 0600.
 * Long because writing, rotating and closing share the one open file.
 */
export function createLog(options: LogOptions): LogFile {
  const { path, now = Date.now, redact } = options;
  const { maxBytes = logBounds.maxBytes, files = logBounds.files } = options;
  let level = logLevels.indexOf(options.level ?? "info");
  let lines: string[] = [];
  let lost = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let writing = Promise.resolve();
  let size: number | undefined;
  let isTorn = false;

  function write(at: LogLevel, scope: string | undefined, message: string, fields?: object): void {
    if (logLevels.indexOf(at) > level) return;
    if (lines.length >= maxBuffered) {
      lost++;
      return;
    }
    lines.push(formatLine(at, scope, message, fields));
    // A warning that waits is lost with a process that is killed, often for the very reason that it names.
    if (at === "error" || at === "warn") void flush();
    else if (timer === undefined) {
      timer = setTimeout(flush, flushAfterMs);
      timer.unref?.();
    }
  }

  function formatLine(at: LogLevel, scope: string | undefined, message: string, fields?: object) {
    const head: Record<string, unknown> = { time: new Date(now()).toISOString(), level: at };
    if (scope) head.scope = scope;
    head.message = message;
    try {
      // The head twice: first for its place in the line, then so that no field can replace it.
      const record = { ...head, ...plainFields(fields, level === debugLevel), ...head };
      const line = JSON.stringify(redact ? redact(record) : record);
      if (line.length <= maxLine) return line;
      return JSON.stringify({ ...head, message: "withheld: too long", characters: line.length });
    } catch {
      return JSON.stringify({ ...head, message: "withheld: it could not be written safely" });
    }
  }

  function flush(): Promise<void> {
    clearTimeout(timer);
    timer = undefined;
    writing = writing.then(append).catch(() => undefined);
    return writing;
  }

  /** Writes what waits by now: many warnings at once are one write. */
  async function append(): Promise<void> {
    const chunk = lines;
    lines = [];
    if (chunk.length === 0) return;
    if (lost > 0) chunk.push(formatLine("warn", "log", "lines were lost", { lost }));
    lost = 0;
    if (size === undefined) {
      await mkdir(dirname(path), { recursive: true, mode: 0o700 });
      size = await fileSize(path);
      isTorn = size > 0 && !(await endsWithLine(path, size));
    }
    const text = `${isTorn ? "\n" : ""}${chunk.join("\n")}\n`;
    const bytes = Buffer.byteLength(text);
    if (size > 0 && size + bytes > maxBytes) {
      await rotate(path, files);
      size = 0;
    }
    const before = size;
    // Looked at again should the disk be full.
    size = undefined;
    await appendFile(path, text, { mode: 0o600, flag: toAppend });
    if (before === 0) await chmod(path, 0o600);
    isTorn = false;
    size = before + bytes;
  }

  function scoped(scope: string | undefined): Log {
    return {
      debug: (message, fields) => write("debug", scope, message, fields),
      info: (message, fields) => write("info", scope, message, fields),
      warn: (message, fields) => write("warn", scope, message, fields),
      error: (message, fields) => write("error", scope, message, fields),
      child: (inner) => scoped(scope ? `${scope}.${inner}` : inner),
    };
  }

  return {
    ...scoped(undefined),
    setLevel(next) {
      level = logLevels.indexOf(next);
    },
    async flush() {
      await flush();
    },
  };
}

/** A log that keeps nothing. */
export const silentLog: Log = {
  debug() {},
  info() {},
  warn() {},
  error() {},
  child: () => silentLog,
};

function plainFields(fields: object | undefined, withStack: boolean): Record<string, unknown> {
  const plain: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(fields ?? {}))
    plain[name] = value instanceof Error ? describeError(value, withStack) : value;
  return plain;
}

async function fileSize(path: string): Promise<number> {
  try {
    return (await stat(path)).size;
  } catch {
    return 0;
  }
}

/** False when the last line was cut short: by a full disk, or by a kill. */
async function endsWithLine(path: string, size: number): Promise<boolean> {
  const file = await open(path, "r");
  try {
    const { buffer } = await file.read(Buffer.alloc(1), 0, 1, size - 1);
    return buffer.toString() === "\n";
  } finally {
    await file.close();
  }
}

/** `log` → `log.1` → … ; the oldest goes. */
async function rotate(path: string, files: number): Promise<void> {
  if (files <= 1) return rm(path, { force: true });
  for (let n = files - 1; n >= 1; n--)
    await moveFile(n === 1 ? path : `${path}.${n - 1}`, `${path}.${n}`).catch(() => undefined);
}
