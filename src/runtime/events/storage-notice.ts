// Says that memory cannot be used where its storage plugin did not start: once in each session, for as long as that lasts.
import type { ClientEvent } from "../../sdk/events.ts";
import { dropOldest } from "../../text/drop-oldest.ts";
import { isShown } from "../budget/notices.ts";
import type { PluginInfo } from "../ports.ts";

const mostKept = 500;

/** What there is to say with the answer to an event. `plugins`: as they are now. */
export function createStorageNotice(
  plugins: () => readonly PluginInfo[],
): (event: ClientEvent) => string | undefined {
  const told = new Map<string, true>();
  return (event) => {
    if (!isShown(event) || event.name === "Stop" || told.has(event.session)) return undefined;
    const reason = whyNoStorage(plugins());
    if (reason === undefined) return undefined;
    told.set(event.session, true);
    dropOldest(told, mostKept);
    return `memoir: memory cannot be used, and this session is told nothing of it. ${reason} What happens meanwhile is kept, and stored once that is mended; \`memoir doctor\` says more.`;
  };
}

/** Why nobody fills the slot; undefined where somebody does, and where nobody is meant to. */
function whyNoStorage(plugins: readonly PluginInfo[]): string | undefined {
  if (plugins.some(({ fills }) => fills.includes("storage"))) return undefined;
  const meant = plugins.find(({ slots, state }) => state === "failed" && slots.includes("storage"));
  return meant?.error;
}
