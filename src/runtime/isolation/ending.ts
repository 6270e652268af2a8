// The end of one worker's life: it comes once, and whoever waits for an answer hears the same reason.
import type { PluginContext } from "../../sdk/context.ts";
import { type ErrorCode, MemoirError } from "../../sdk/errors.ts";
import type { Calls } from "./calls.ts";
import type { Said } from "./wire.ts";

export interface Ending {
  readonly isOver: boolean;
  /** What is to be let go of at the end; at once where that has come. */
  release(part: () => void): void;
  /** The worker's last word. */
  exit(said: Extract<Said, { type: "exit" }>): void;
  /** Its thread is no more. */
  gone(): void;
  /** Something went wrong: all its calls fail. `late` names some that are not among them any more. */
  fail(code: ErrorCode, why: string, late?: readonly string[]): void;
  /** In order; calls that are under way fail all the same. */
  stop(): void;
}

/** Not over yet. */
export function createEnding(plugin: string, log: PluginContext["log"], calls: Calls): Ending {
  const parts: Array<() => void> = [];
  let over = false;
  /** What the worker said about its exit before it was over. */
  let exit: { code: number; place?: string } | undefined;

  function end(code: ErrorCode, why: string): void {
    over = true;
    for (const part of parts) part();
    const cause = new Error(why);
    for (const { what, reject } of calls.settleAll()) {
      const message = `plugin ${plugin} failed in ${what}: ${why}`;
      reject(new MemoirError(code, message, { plugin, hook: what, cause }));
    }
  }

  function fail(code: ErrorCode, why: string, late: readonly string[] = []): void {
    if (over) return;
    const during = [...new Set([...late, ...calls.waiting().map(({ what }) => what)])].join(", ");
    const place = exit?.place;
    const at = place === undefined ? "" : ` (${place})`;
    end(code, `${why}${at}`);
    log.error("a plugin's worker ended", { plugin, why, during, ...(place && { place }) });
  }

  function gone(): void {
    const how = exit ? `it ended its worker with exit(${exit.code})` : "its worker ended by itself";
    fail("plugin_ended", how);
  }

  return {
    get isOver() {
      return over;
    },
    release(part) {
      if (over) part();
      else parts.push(part);
    },
    exit(said) {
      exit = said;
      gone();
    },
    gone,
    fail,
    stop() {
      if (!over) end("plugin_failed", "it has been stopped");
    },
  };
}
