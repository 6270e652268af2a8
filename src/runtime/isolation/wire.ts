// What a host and a plugin's worker say to each other. Calls are numbered; everything is structured-cloneable.

import { errorMessage } from "../../home/describe-error.ts";
import type { ErrorCode, ErrorDetails } from "../../sdk/errors.ts";
import { errorFixes, MemoirError } from "../../sdk/errors.ts";
import type { HookFilter, HookOrder } from "../../sdk/handlers.ts";
import type { HookName } from "../../sdk/hooks.ts";
import type { Slot } from "../../sdk/plugin.ts";
import type { ConfigProblem } from "../config/problems.ts";
import { placeOf } from "./place.ts";

/** An error on its way: enough to build the same MemoirError, or one that names where it was thrown. */
export interface WireError {
  name: string;
  message: string;
  /** `file:line:column` of the throw in the plugin's own files. */
  place?: string;
  /** Of a MemoirError. */
  code?: string;
  fix?: string;
  plugin?: string;
  hook?: string;
  retryAfterMs?: number;
}

/** One subscription as data. */
export interface DescribedHook {
  hook: HookName;
  order?: HookOrder;
  filter?: HookFilter;
  /** Milliseconds; `config` when the plugin computes it from its config. */
  deadlineMs?: number | "config";
  /** `file:line` where the plugin's file names the hook; absent when it does not. */
  place?: string;
}

/** A plugin as data, made by importing it in a worker that is thrown away. */
export interface Described {
  name: string;
  description: string;
  sdk: number;
  slot?: Slot | Slot[];
  events?: string[];
  hooks: DescribedHook[];
  /** Its options as JSON schema; absent when it takes none. */
  config?: Record<string, unknown>;
  hasStart: boolean;
  /** How long its modules took to load. */
  importMs: number;
}

/** What a plugin makes of its options. */
export interface Checked {
  problems: ConfigProblem[];
  /** Parsed, defaults filled in; absent when there are problems or it cannot be cloned. */
  config?: unknown;
  /** Deadlines that depend on the config. */
  deadlines: Partial<Record<HookName, number>>;
}

/** Everything a worker needs to know at its beginning. */
export interface Setup {
  type: "setup";
  /** Drawn for each worker; it marks messages that memoir's part of the worker sent. */
  token: string;
  /** Absolute path of the plugin's module. */
  source: string;
  home: string;
  /** What the host's clock is ahead of `Date.now()`. */
  clockMs: number;
}

export type ToWorker =
  | Setup
  | { type: "describe"; id: number }
  | { type: "check"; id: number; options: Readonly<Record<string, unknown>> }
  | { type: "start"; id: number; options: Readonly<Record<string, unknown>> }
  | { type: "call"; id: number; hook: HookName; input: unknown; hasNext: boolean }
  | { type: "abort"; id: number }
  | { type: "answer"; ask: number; value?: unknown; error?: WireError }
  | { type: "stop"; id: number }
  | { type: "ping"; id: number };

/** What a plugin asks of the host: a hook's rest, the storage, a model, Endless Mode. */
export type AskWhat = "next" | "complete" | `storage.${string}` | `endless.${string}`;

export type LogLevel = "debug" | "info" | "warn" | "error";

export type Said =
  | { type: "done"; id: number; value?: unknown }
  | { type: "failed"; id: number; error: WireError }
  | { type: "ask"; ask: number; call: number; what: AskWhat; input: unknown[] }
  | { type: "log"; level: LogLevel; message: string; fields?: Record<string, unknown> }
  /** `before`: how many were left out since the last one that was reported. */
  | { type: "stray"; error: WireError; before: number }
  | { type: "exit"; code: number; place?: string }
  | { type: "pong"; id: number; heapBytes: number };

/** A worker's message: what it says, and the token. */
export interface FromWorker {
  token: string;
  said: Said;
}

/** Characters and bytes that one result may hold. */
export const maxResultBytes = 8 * 1024 * 1024;

// Errors across the wire: a MemoirError stays one, with its code and blame; any other keeps its message and where it was thrown.

/** An error that was thrown on the other side, by something that is no MemoirError. */
export class WorkerFault extends Error {
  override readonly name: string;
  /** `file:line:column` of the throw. */
  readonly place: string | undefined;

  constructor({ name, message, place }: Pick<WireError, "name" | "message" | "place">) {
    super(message);
    this.name = name;
    this.place = place;
    // A stack of this side would only mislead.
    this.stack = `${name}: ${message}`;
  }
}

/** Anything thrown, as data. `own` is the folder whose frames are worth naming. Never throws. */
export function packError(error: unknown, own?: string): WireError {
  try {
    return pack(error, own);
  } catch {
    return { name: "Error", message: "it threw something that cannot be read" };
  }
}

function pack(error: unknown, own: string | undefined): WireError {
  const message = errorMessage(error);
  const place = placeOf(error, own);
  const where = place === undefined ? {} : { place };
  const name = error instanceof Error ? String(error.name).slice(0, 100) : "Error";
  if (!isMemoirError(error)) return { name, message, ...where };
  const { code, fix, plugin, hook, retryAfterMs } = error;
  return {
    name,
    message,
    ...where,
    code,
    fix,
    ...(plugin === undefined ? {} : { plugin }),
    ...(hook === undefined ? {} : { hook }),
    ...(typeof retryAfterMs === "number" ? { retryAfterMs } : {}),
  };
}

/** Also one of a second copy of the SDK, which a plugin may have brought along. */
function isMemoirError(error: unknown): error is MemoirError {
  if (error instanceof MemoirError) return true;
  return (
    error instanceof Error &&
    error.name === "MemoirError" &&
    Object.hasOwn(errorFixes, String((error as { code?: unknown }).code))
  );
}

/** The error that the data stands for. */
export function unpackError(wire: WireError): Error {
  const { code, message, fix, plugin, hook, retryAfterMs } = wire;
  if (code === undefined || !Object.hasOwn(errorFixes, code)) return new WorkerFault(wire);
  const details: ErrorDetails = {};
  if (fix !== undefined) details.fix = fix;
  if (plugin !== undefined) details.plugin = plugin;
  if (hook !== undefined) details.hook = hook;
  if (retryAfterMs !== undefined) details.retryAfterMs = retryAfterMs;
  return new MemoirError(code as ErrorCode, message, details);
}

/** ` (file:line:column)` of an error from a worker, or nothing. */
export function whereThrown(error: unknown): string {
  return error instanceof WorkerFault && error.place !== undefined ? ` (${error.place})` : "";
}
