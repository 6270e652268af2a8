// Errors across the wire: a MemoirError stays one, with its code and blame; any other keeps its message and where it was thrown.

import { errorMessage } from "../../home/describe-error.ts";
import { type ErrorCode, type ErrorDetails, errorFixes, MemoirError } from "../../sdk/errors.ts";
import { placeOf } from "./place.ts";
import type { WireError } from "./wire.ts";

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
