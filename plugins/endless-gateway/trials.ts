// Inputs beside thinking that were cleared, until the API has taken a request with them: what it refuses is taken back.

export interface Trials {
  /** These tool uses' inputs go out cleared for the first time. */
  begin(session: string, toolUses: readonly string[]): void;
  /** A request of the session was taken, `refused` as the client wrote it only; gives the tool uses whose inputs have to come back. */
  taken(session: string, refused: boolean): readonly string[];
  /** The API refused once: nothing of the kind is tried again. */
  isRefused(): boolean;
}

/** Nothing is on trial; `refused` says whether the API refused before. */
export function createTrials(refused: boolean): Trials {
  const open = new Map<string, readonly string[]>();
  return {
    begin(session, toolUses) {
      if (toolUses.length > 0) open.set(session, [...(open.get(session) ?? []), ...toolUses]);
    },
    taken(session, refusedNow) {
      const tried = open.get(session) ?? [];
      open.delete(session);
      if (!refusedNow || tried.length === 0) return [];
      refused = true;
      return tried;
    },
    isRefused: () => refused,
  };
}
