// What a plugin threw: where in its files, whose fault it is, and as data on its way between threads.
import * as v from "valibot";
import { errorMessage } from "../../home/describe-error.ts";
import { isInBinary } from "../../host/engine.ts";
import { type ErrorCode, errorFixes, MemoirError } from "../../sdk/errors.ts";
import type { HookName } from "../../sdk/hooks.ts";

const path = String.raw`((?:file:\/\/)?(?:\/|[A-Za-z]:[\\/]).+?):(\d+):(\d+)`;
/** `at name (place)`, `at place`, or a place somewhere; folders may have blanks and brackets in their names. */
const frames = [
  new RegExp(String.raw`^\s*at .*? \(${path}\)\s*$`),
  new RegExp(String.raw`^\s*at (?:async )?${path}\s*$`),
  /((?:file:\/\/)?(?:\/|[A-Za-z]:[\\/])[^\s()]+?):(\d+):(\d+)\)?\s*$/,
];

/**
 * `file:line:column` of an error's throw, or undefined. `own` is a folder: with it, only frames below it count, and
 * of them the plugin's own before its packages.
 */
export function placeOf(error: unknown, own?: string): string | undefined {
  const known = (error as { place?: unknown } | undefined)?.place;
  if (typeof known === "string") return known;
  const stack = (error as { stack?: unknown } | undefined)?.stack;
  if (typeof stack !== "string") return undefined;
  const places = stack
    .split("\n")
    .slice(0, 50)
    .flatMap((line) => {
      const found = frames.map((frame) => frame.exec(line)).find((match) => match !== null);
      const [, file, row, column] = found ?? [];
      // Modules inside a compiled program are no files that anybody could open.
      return file && !isInBinary(file) ? [{ file: plainPath(file), row, column }] : [];
    })
    .filter(({ file }) => own === undefined || file.startsWith(own));
  const best = places.find(({ file }) => !file.includes("node_modules")) ?? places[0];
  return best && `${best.file}:${best.row}:${best.column}`;
}

/** A path as people write it. */
function plainPath(file: string): string {
  if (!file.startsWith("file://")) return file.replaceAll("%20", " ");
  // Deno imports a changed file under a name with a number behind it.
  const encoded = file.slice("file://".length).replace(/\?\d+$/, "");
  try {
    return decodeURIComponent(encoded);
  } catch {
    return encoded;
  }
}

/** Line (from 1) at which a plugin's text names a hook, or any field, as a key of an object, or undefined. */
export function lineOfHook(text: string, hook: string): number | undefined {
  const name = hook.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&");
  const key = new RegExp(`(?:^|[\\s{,])(?:async\\s+)?(?:"${name}"|'${name}'|${name})\\s*[:(]`);
  const at = text.split("\n").findIndex((line) => key.test(line));
  return at === -1 ? undefined : at + 1;
}

// Errors across the wire: a MemoirError stays one, with its code and blame; any other keeps its message and where it was thrown.

// A plugin shares its worker's thread and may have bent what is sent from there, so the host checks it by this.
export const PackedErrorSchema = v.object({
  name: v.string(),
  message: v.string(),
  /** `file:line:column` of the throw in the plugin's own files. */
  place: v.optional(v.string()),
  /** Of a MemoirError. */
  code: v.optional(v.string()),
  fix: v.optional(v.string()),
  plugin: v.optional(v.string()),
  hook: v.optional(v.string()),
  retryAfterMs: v.optional(v.pipe(v.number(), v.finite())),
});
/** An error on its way: enough to build the same MemoirError, or one that names where it was thrown. */
export type PackedError = v.InferOutput<typeof PackedErrorSchema>;

/** An error that was thrown on the other side, by something that is no MemoirError. */
class WorkerFault extends Error {
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

// Whose fault a failed call was.

/**
 * The error a failed call leaves behind: names plugin and hook, keeps the cause. A MemoirError keeps its
 * code; one that is already blamed on a plugin stays with that plugin. `isTheirs`: the plugin is the user's, who can
 * open the file that it was thrown in; `declared` is where its handler stands, for an error that says no place.
 */
export function blame(
  error: unknown,
  plugin: string,
  hook: HookName,
  isTheirs = false,
  declared?: string,
): MemoirError {
  if (error instanceof MemoirError) {
    if (error.plugin) return error;
    const { code, message, fix, cause, retryAfterMs } = error;
    const details = { plugin, hook, fix, cause };
    return new MemoirError(
      code,
      message,
      retryAfterMs === undefined ? details : { ...details, retryAfterMs },
    );
  }
  const thrown = isTheirs ? placeOf(error) : undefined;
  const place = thrown ?? (whereThrown(error) === "" ? declared : undefined);
  const at = place === undefined ? whereThrown(error) : ` (${place})`;
  const message = `plugin ${plugin} failed in ${hook}: ${errorMessage(error)}${at}`;
  return new MemoirError("plugin_failed", message, { plugin, hook, cause: error });
}

/** A plugin that had this much of its deadline was late by itself. */
const mostOf = 0.9;

/** The error of a call that was not done in the ms it had: its whole deadline, or what the plugins before it left of it. */
export function lateError(
  {
    plugin,
    hook,
    deadlineMs,
    place,
  }: { plugin: string; hook: HookName; deadlineMs: number; place?: string | undefined },
  hadMs: number,
): MemoirError {
  const at = place === undefined ? "" : ` (${place})`;
  const time =
    hadMs < mostOf * deadlineMs
      ? `in the ${hadMs} ms that the plugins before it left of ${deadlineMs} ms`
      : `within ${deadlineMs} ms`;
  const message = `plugin ${plugin} did not answer ${hook} ${time}${at}`;
  return new MemoirError("plugin_deadline", message, { plugin, hook });
}
