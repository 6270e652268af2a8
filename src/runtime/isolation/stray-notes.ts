// Errors of a plugin that nobody caught, outside of any call: counted, so that the user hears of them.
import type { PluginContext } from "../../sdk/context.ts";
import type { StrayInfo } from "../ports.ts";

const noted = new WeakMap<PluginContext, StrayInfo>();

/** Counts `count` more of the plugin that was given this context. */
export function noteStray(context: PluginContext, error: string, count: number): void {
  const before = noted.get(context)?.count ?? 0;
  noted.set(context, { count: before + count, error, at: context.now() });
}

/** Undefined for a plugin that has had none. */
export function strayOf(context: PluginContext): StrayInfo | undefined {
  return noted.get(context);
}
