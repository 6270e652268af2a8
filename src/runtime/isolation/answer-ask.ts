// The host's answer to what a plugin asks from its worker: the rest of a hook, storage, a model, Endless Mode.
import type { PluginContext } from "../../sdk/context.ts";
import { MemoirError } from "../../sdk/errors.ts";
import type { standStill } from "../hooks/invoke.ts";
import type { Said } from "./wire.ts";

/** What one call of a handler was given in the host. */
export interface CallContext {
  signal: AbortSignal;
  next?(input?: unknown): Promise<unknown>;
  [standStill]?(work: () => Promise<void>): Promise<void>;
}

type Method = (...input: unknown[]) => Promise<unknown>;

/** Asks what the plugin wanted asked, in the name of the call it came from. */
export async function answerAsk(
  { what, input }: Extract<Said, { type: "ask" }>,
  ctx: CallContext | PluginContext,
): Promise<unknown> {
  if (what === "next") {
    if (!("next" in ctx) || !ctx.next) throw unknown(what);
    return ctx.next(input[0]);
  }
  const [area = "", name = ""] = what.split(".");
  const holder: unknown =
    area === "complete" ? ctx : (ctx as unknown as Record<string, unknown>)[area];
  const isOffered = area === "complete" || area === "storage" || area === "endless";
  const method = area === "complete" ? "complete" : name;
  if (!isOffered || typeof holder !== "object" || holder === null || !Object.hasOwn(holder, method))
    throw unknown(what);
  return (holder as Record<string, Method>)[method]?.(...input);
}

function unknown(what: string): MemoirError {
  return new MemoirError("plugin_failed", `there is no ${what} to be asked here`);
}
