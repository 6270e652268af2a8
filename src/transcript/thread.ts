// Whose line it is: several agents write into one file, and each has a conversation of its own.
import type { TranscriptEntry } from "./entry.ts";

/** True for an entry of the same agent. Ask with every entry, going back in time. */
export type Follows = (entry: TranscriptEntry) => boolean;

/** The lines of one agent; of the main agent without an id. */
export function threadOfAgent(agentId: string | undefined): Follows {
  if (agentId === undefined) return (entry) => !entry.isSidechain;
  return (entry) => entry.agentId === agentId;
}

/** The older lines of the agent whose line this is. */
export function threadOf(entry: TranscriptEntry): Follows {
  if (!entry.isSidechain) return threadOfAgent(undefined);
  if (entry.agentId !== undefined) return threadOfAgent(entry.agentId);
  // Clients of 2025 do not name the agent: only the chain of parents tells parallel ones apart.
  let expected = entry.parentUuid;
  return ({ uuid, parentUuid }) => {
    if (uuid === undefined || uuid !== expected) return false;
    expected = parentUuid;
    return true;
  };
}
