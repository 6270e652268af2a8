// Says whose fault a failed call was, and writes it to the log once instead of a thousand times.

import { errorMessage } from "../../home/describe-error.ts";
import type { Log } from "../../home/log.ts";
import { MemoirError } from "../../sdk/errors.ts";
import type { HookName } from "../../sdk/hooks.ts";
import { placeOf } from "../isolation/place.ts";
import { whereThrown } from "../isolation/wire-error.ts";

/**
 * The error a failed call leaves behind: names plugin and hook, keeps the cause. A MemoirError keeps its
 * code; one that is already blamed on a plugin stays with that plugin. `isTheirs`: the plugin is the user's, who can
 * open the file that it was thrown in.
 */
export function blame(
  error: unknown,
  plugin: string,
  hook: HookName,
  isTheirs = false,
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
  const place = isTheirs ? placeOf(error) : undefined;
  const at = place === undefined ? whereThrown(error) : ` (${place})`;
  const message = `plugin ${plugin} failed in ${hook}: ${errorMessage(error)}${at}`;
  return new MemoirError("plugin_failed", message, { plugin, hook, cause: error });
}

/** The error of a call that was not done in time. */
export function lateness(
  plugin: string,
  hook: HookName,
  deadlineMs: number,
  place?: string,
): MemoirError {
  const at = place === undefined ? "" : ` (${place})`;
  const message = `plugin ${plugin} did not answer ${hook} within ${deadlineMs} ms${at}`;
  return new MemoirError("plugin_deadline", message, { plugin, hook });
}

/** Reports a blamed error; equal ones within a minute are counted and reported with the next line. */
export type Report = (error: MemoirError) => void;

const quietMs = 60_000;

/** A rate-limited reporter: one line per plugin, hook and code a minute. */
export function createReport(log: Log, now: () => number): Report {
  const seen = new Map<string, { at: number; suppressed: number }>();
  return (error) => {
    const key = `${error.plugin} ${error.hook} ${error.code}`;
    const last = seen.get(key);
    if (last && now() - last.at < quietMs) {
      last.suppressed++;
      return;
    }
    seen.set(key, { at: now(), suppressed: 0 });
    const fields: Record<string, unknown> = { error, fix: error.fix };
    if (last?.suppressed) fields.suppressed = last.suppressed;
    log.error("a plugin's hook failed", fields);
  };
}
