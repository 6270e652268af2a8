// What a host and a plugin's worker say to each other: structured-cloneable messages, and errors as data.
import * as v from "valibot";
import { errorMessage } from "../../home/describe-error.ts";
import { type ErrorCode, errorFixes, MemoirError } from "../../sdk/errors.ts";
import type { HookFilter, HookOrder } from "../../sdk/handlers.ts";
import type { HookName } from "../../sdk/hooks.ts";
import type { Slot } from "../../sdk/plugin.ts";
import type { ConfigProblem } from "../config/problems.ts";
import { placeOf } from "./place.ts";

/** One subscription as data. */
interface DescribedHook {
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

/** A plugin's options as config has them. */
export type Options = Readonly<Record<string, unknown>>;

/** What a plugin makes of its options. */
export interface Checked {
  problems: ConfigProblem[];
  /** Parsed, defaults filled in; absent when there are problems or it cannot be cloned. */
  config?: unknown;
  /** Deadlines that depend on the config. */
  deadlines: Partial<Record<HookName, number>>;
}

/** A worker's first message: everything it needs to know at its beginning. */
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

// A plugin shares its worker's thread and may have bent what is sent from there, so the host checks it by these.
const number = v.pipe(v.number(), v.finite());
const text = v.string();
const maybeText = v.optional(text);

const PackedErrorSchema = v.object({
  name: text,
  message: text,
  /** `file:line:column` of the throw in the plugin's own files. */
  place: maybeText,
  /** Of a MemoirError. */
  code: maybeText,
  fix: maybeText,
  plugin: maybeText,
  hook: maybeText,
  retryAfterMs: v.optional(number),
});
/** An error on its way: enough to build the same MemoirError, or one that names where it was thrown. */
export type PackedError = v.InferOutput<typeof PackedErrorSchema>;

const AskSchema = v.object({
  type: v.literal("ask"),
  id: number,
  /** Of the host: a hook's name, `start`, `stop`, …; of a plugin: `next`, `complete`, `storage.get`, … */
  what: text,
  input: v.array(v.unknown()),
  /** The host's question that a plugin was answering when it asked; 0 for none. */
  during: number,
});
const AnswerSchema = v.object({
  type: v.literal("answer"),
  id: number,
  value: v.optional(v.unknown()),
  error: v.optional(PackedErrorSchema),
});
const LogSchema = v.object({
  type: v.literal("log"),
  level: v.picklist(["debug", "info", "warn", "error"]),
  message: text,
  fields: v.optional(
    v.custom<Record<string, unknown>>(
      (value) => typeof value === "object" && value !== null && !Array.isArray(value),
    ),
  ),
});
/** An error that nobody caught. `before`: how many were left out since the last one that was reported. */
const StraySchema = v.object({
  type: v.literal("stray"),
  error: PackedErrorSchema,
  before: number,
});
const ExitSchema = v.object({ type: v.literal("exit"), code: number, place: maybeText });

export type Ask = v.InferOutput<typeof AskSchema>;
/** `abort`: nobody waits for the answer any more. */
export type PeerMessage = Ask | v.InferOutput<typeof AnswerSchema> | { type: "abort"; id: number };
export type ToWorker = Setup | PeerMessage;

export const SaidSchema = v.variant("type", [
  AskSchema,
  AnswerSchema,
  LogSchema,
  StraySchema,
  ExitSchema,
]);
export type Said = PeerMessage | v.InferOutput<typeof SaidSchema>;
export type LogLevel = v.InferOutput<typeof LogSchema>["level"];

/** A worker's message: what it says, and the token. */
export interface FromWorker {
  token: string;
  said: Said;
}

// Errors across the wire: a MemoirError stays one, with its code and blame; any other keeps its message and where it was thrown.

/** An error that was thrown on the other side, by something that is no MemoirError. */
export class WorkerFault extends Error {
  override readonly name: string;
  /** `file:line:column` of the throw. */
  readonly place: string | undefined;

  constructor({ name, message, place }: PackedError) {
    super(message);
    this.name = name;
    this.place = place;
    // A stack of this side would only mislead.
    this.stack = `${name}: ${message}`;
  }
}

/** Anything thrown, as data. `own` is the folder whose frames are worth naming. Never throws. */
export function packError(error: unknown, own?: string): PackedError {
  try {
    const place = placeOf(error, own);
    const packed: PackedError = {
      name: error instanceof Error ? String(error.name).slice(0, 100) : "Error",
      message: errorMessage(error),
      ...(place !== undefined && { place }),
    };
    if (!isMemoirError(error)) return packed;
    const { code, fix, plugin, hook, retryAfterMs } = error;
    return {
      ...packed,
      code,
      fix,
      ...(plugin !== undefined && { plugin }),
      ...(hook !== undefined && { hook }),
      ...(typeof retryAfterMs === "number" && { retryAfterMs }),
    };
  } catch {
    return { name: "Error", message: "it threw something that cannot be read" };
  }
}

/** Also one of a second copy of the SDK, which a plugin may have brought along. */
function isMemoirError(error: unknown): error is MemoirError {
  if (error instanceof MemoirError) return true;
  return (
    error instanceof Error &&
    error.name === "MemoirError" &&
    isErrorCode((error as { code?: unknown }).code)
  );
}

function isErrorCode(code: unknown): code is ErrorCode {
  return Object.hasOwn(errorFixes, String(code));
}

/** The error that the data stands for. */
export function unpackError(packed: PackedError): Error {
  const { code, message, fix, plugin, hook, retryAfterMs } = packed;
  if (!isErrorCode(code)) return new WorkerFault(packed);
  return new MemoirError(code, message, {
    ...(fix !== undefined && { fix }),
    ...(plugin !== undefined && { plugin }),
    ...(hook !== undefined && { hook }),
    ...(retryAfterMs !== undefined && { retryAfterMs }),
  });
}

/** ` (file:line:column)` of an error from a worker, or nothing. */
export function whereThrown(error: unknown): string {
  return error instanceof WorkerFault && error.place !== undefined ? ` (${error.place})` : "";
}
