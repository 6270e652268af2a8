// Inputs beside thinking that were cleared, until the API has taken a request with them: what it refuses is taken back.

export interface Trials {
  /** These tool uses' inputs go out cleared for the first time. */
  begin(session: string, toolUses: readonly string[]): void;
  /** A request of the session was answered with this status; gives the tool uses whose inputs have to come back. */
  answered(session: string, status: number): readonly string[];
  /** The API refused once: nothing of the kind is tried again. */
  isRefused(): boolean;
}

/** Nothing is on trial, and nothing was refused. */
export function createTrials(): Trials {
  const open = new Map<string, readonly string[]>();
  let refused = false;
  return {
    begin(session, toolUses) {
      if (toolUses.length > 0) open.set(session, [...(open.get(session) ?? []), ...toolUses]);
    },
    answered(session, status) {
      const tried = open.get(session) ?? [];
      // Busy, or not reached: it did not look at the request.
      if (status !== 200 && status !== 400) return [];
      open.delete(session);
      if (status === 200 || tried.length === 0) return [];
      refused = true;
      return tried;
    },
    isRefused: () => refused,
  };
}
