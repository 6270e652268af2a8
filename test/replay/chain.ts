// Who follows whom: entries name their parent, so a file can hold several branches; a compaction is bridged.
import type { TranscriptEntry } from "../../src/transcript/entry.ts";

/** The branches of a transcript's entries. */
export interface Chains {
  /** Takes the next entry, in any order. Entries without `uuid` are in no chain. */
  add(entry: Pick<TranscriptEntry, "uuid" | "parentUuid" | "raw" | "isSidechain">): void;
  /** The uuids from this entry back to the first, itself included. Ends where a parent is not known, and at a cycle. */
  back(uuid: string): Generator<string>;
  /** The uuids of the conversation as it stands: back from the main agent's newest entry; empty without one. */
  current(): Set<string>;
}

/** Makes an index of chains; it holds two ids for each entry. */
export function createChains(): Chains {
  const parents = new Map<string, string | undefined>();
  let newest: string | undefined;

  function* back(uuid: string): Generator<string> {
    const passed = new Set<string>();
    for (let at: string | undefined = uuid; at !== undefined; at = parents.get(at)) {
      if (passed.has(at) || !parents.has(at)) return;
      passed.add(at);
      yield at;
    }
  }

  return {
    add({ uuid, parentUuid, raw, isSidechain }) {
      if (uuid === undefined) return;
      // A compact boundary has no parent, but a logical one: the last entry before the compaction.
      const { logicalParentUuid: before } = raw;
      parents.set(uuid, parentUuid ?? (typeof before === "string" ? before : undefined));
      if (!isSidechain) newest = uuid;
    },
    back,
    current: () => new Set(newest === undefined ? [] : back(newest)),
  };
}
