// Stored turns for tests, a line each.
import type { Evidence, EvidenceKind, Turn } from "../../src/sdk/turn.ts";

const start = Date.UTC(2026, 10, 20, 14, 0);
const hour = 3_600_000;

/** A piece in short: its kind, its text, what it is about. */
export type ShortPiece = readonly [kind: EvidenceKind, text: string, about?: string];

/**
 * Turn `t<number>` of session `s1`, that many hours after 20 November 2026, 14:00 UTC. `changed` are paths of changed files.
 * It is closed when it has a closing message, and interrupted when the user stopped it last.
 */
export function turn(
  number: number,
  pieces: readonly ShortPiece[],
  { changed = [], ...fields }: Partial<Turn> & { changed?: readonly string[] } = {},
): Turn {
  const startedAt = start + number * hour;
  const kinds = pieces.map(([kind]) => kind);
  const last = kinds.at(-1);
  const isStopped = last === "interrupted" || last === "refusal";
  return {
    id: `t${number}`,
    session: "s1",
    client: "claude-code",
    project: "github.com/acme/shop",
    promptNumber: number,
    startedAt,
    time: startedAt + 60_000,
    end: kinds.includes("closing") ? "closed" : isStopped ? "interrupted" : "open",
    pieces: pieces.map(
      ([kind, text, about]): Evidence => ({ kind, text, ...(about !== undefined && { about }) }),
    ),
    files: changed.map((path) => ({ path, changed: true })),
    ...fields,
  };
}
