// The table of clients memoir can listen to.
import { MemoirError } from "../sdk/errors.ts";
import type { ClientAdapter } from "./adapter.ts";
import { claudeCode } from "./claude-code/index.ts";

export type { ClientAdapter, Delivery } from "./adapter.ts";

/** Every adapter by its name. */
export const clients: ReadonlyMap<string, ClientAdapter> = new Map([[claudeCode.name, claudeCode]]);

/** The adapter of that name; throws MemoirError `client_unknown`. */
export function clientNamed(name: string): ClientAdapter {
  const adapter = clients.get(name);
  if (adapter) return adapter;
  const known = [...clients.keys()].join(", ");
  throw new MemoirError("client_unknown", `There is no client of that name; known: ${known}.`);
}
