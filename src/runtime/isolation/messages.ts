// What a host and a plugin's worker say to each other: structured-cloneable messages, and errors as data.
import * as v from "valibot";
import type { HookFilter, HookOrder } from "../../sdk/handlers.ts";
import type { HookName } from "../../sdk/hooks.ts";
import type { Slot } from "../../sdk/plugin.ts";
import type { ConfigProblem } from "../config/problems.ts";
import { PackedErrorSchema } from "./thrown.ts";

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
