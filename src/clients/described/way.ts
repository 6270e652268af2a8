// How a described client is served.
import type { ClientDescription } from "../../sdk/client.ts";
import type { ClientAbilities } from "../adapter.ts";

/** By hooks, or by tools and a rule alone. */
export function wayOf({ like, payload, install }: ClientDescription): ClientAbilities["way"] {
  const isHeard = like !== undefined || payload !== undefined || !install;
  return isHeard || install.some(({ hooks }) => hooks) ? "hooks" : "tools";
}
