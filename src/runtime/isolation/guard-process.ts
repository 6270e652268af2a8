// Inside a worker: keeps a plugin off what the whole process shares. It holds off accidents; it is no sandbox.

import fs from "node:fs";
import process from "node:process";
import { placeOf } from "./thrown.ts";
import type { LogLevel } from "./wire.ts";

/** Where what a plugin does to the process ends up instead. */
interface GuardEnds {
  /** The folder of the plugin's files. */
  own: string;
  log(level: LogLevel, message: string): void;
  exit(code: number, place: string | undefined): void;
  /** An error that nobody caught. */
  stray(error: unknown): void;
}

/** Puts the guards up, for good. */
export function guardProcess(ends: GuardEnds): void {
  guardExit(ends);
  guardOutput(ends);
  const refuse = (what: string) => () => {
    throw new Error(`${what} concerns the whole server, and is refused`);
  };
  set(process, "chdir", refuse("process.chdir"));
  set(process, "abort", refuse("process.abort"));
  set(process, "setUncaughtExceptionCaptureCallback", refuse("an exception callback"));
  guardMask(refuse("process.umask"));
  guardKill(refuse("process.kill of the server itself"));
  process.on("uncaughtException", ends.stray);
  process.on("unhandledRejection", ends.stray);
}

function guardExit({ own, exit }: GuardEnds): void {
  const leave = process.exit.bind(process);
  const really = process.reallyExit?.bind(process);
  let isLeaving = false;
  const report = (code?: number | string | null) => {
    const number = Number(code ?? process.exitCode ?? 0);
    // Deno's `exit` comes through `reallyExit` again.
    if (isLeaving) return really?.(number);
    isLeaving = true;
    exit(number, placeOf(new Error("exit"), own));
    return leave(number);
  };
  set(process, "exit", report);
  set(process, "reallyExit", report);
  set(globalThis, "close", () => report(0));
}

/** What a plugin prints goes to the log: stdout is the command's, and a hook's answer is read from it. */
function guardOutput({ log }: GuardEnds): void {
  const print =
    (level: LogLevel) =>
    (...parts: unknown[]) =>
      log(level, parts.map(shown).join(" "));
  const levels = {
    log: "info",
    info: "info",
    warn: "warn",
    error: "error",
    debug: "debug",
  } as const;
  for (const [name, level] of Object.entries(levels)) set(console, name, print(level));
  for (const name of ["trace", "dir", "table"]) set(console, name, print("debug"));
  for (const [name, level] of [
    ["stdout", "info"],
    ["stderr", "warn"],
  ] as const) {
    const write = (chunk: unknown, ...rest: unknown[]) => {
      log(level, shown(chunk).trimEnd());
      const done = rest.at(-1);
      if (typeof done === "function") done();
      return true;
    };
    const sink = { write, end: () => {}, destroy: () => {}, on: () => sink, once: () => sink };
    set(process, name, Object.assign(sink, { isTTY: false, writable: true, fd: -1 }));
  }
  guardStreams();
}

/** Closing 0, 1 or 2 would hand their numbers to the next file that the server opens. */
function guardStreams(): void {
  const { close, closeSync } = fs;
  set(fs, "closeSync", (fd: number) => (fd > 2 ? closeSync(fd) : undefined));
  set(fs, "close", (fd: number, ...rest: []) => {
    if (fd > 2) return close(fd, ...rest);
    const [done] = rest as Array<() => void>;
    return done?.();
  });
}

function guardMask(refuse: () => never): void {
  const read = process.umask.bind(process);
  set(process, "umask", (mask?: number) => (mask === undefined ? read() : refuse()));
}

function guardKill(refuse: () => never): void {
  const kill = process.kill.bind(process);
  const own = process.pid;
  set(process, "kill", (pid: number, signal?: string | number) =>
    (pid === own || pid === 0 || pid === -1) && signal !== 0 ? refuse() : kill(pid, signal),
  );
}

/** A frozen or accessor-only property is left as it is: a guard less is better than no worker. */
function set(holder: object, name: string, value: unknown): void {
  try {
    Object.defineProperty(holder, name, { value, configurable: true, writable: true });
  } catch {
    // As said.
  }
}

function shown(part: unknown): string {
  if (typeof part === "string") return part;
  if (part instanceof Error) return part.message;
  if (part instanceof Uint8Array) return new TextDecoder().decode(part);
  try {
    return JSON.stringify(part) ?? String(part);
  } catch {
    return String(part);
  }
}
