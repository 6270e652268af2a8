// One agent's context while it is replayed: what is visible in it, what was taken out, and which later turn misses it.
import type { MarkedNeed, MarkedThread } from "./endless-marks.ts";
import type { NeedKind } from "./endless-needs.ts";

/** Something in the context. */
export interface Piece {
  step: number;
  plain: string;
  marks: Int32Array;
  /** Characters as they weigh in a request. */
  size: number;
  /** The request that it answered, or that came before it. */
  request: number;
}

/** Text that was taken out of a tool use's input or result. */
export interface Removal {
  /** The step that it was taken from: a use (its input) or a result. */
  step: number;
  tool: string;
  how: string;
  /** Characters taken out. */
  out: number;
  /** The text before, as it is compared. */
  plain: string;
  harms: Harm[];
}

/** A later turn needed what stood only in text that had been taken out. */
export interface Harm {
  kind: NeedKind;
  text: string;
  /** The step that needed it. */
  step: number;
}

/** A context under replay. */
export interface Context {
  add(piece: Piece): void;
  /** Puts another text in a piece's place; what is lost with it counts to the removal. */
  replace(piece: Piece, plain: string, size: number, removal: Removal): void;
  /** Books every need of the step that only removed text could have met. */
  meet(step: number, needs: readonly MarkedNeed[]): void;
  /** Compacted: nothing is visible, and nothing can be missed any more. */
  clear(): void;
  /** In order of arrival. */
  pieces(): Iterable<Piece>;
}

/** An empty context of one thread. */
export function createContext({ marksOf }: MarkedThread): Context {
  const visible = new Map<number, number>();
  const hidden = new Map<number, Removal>();
  const removed = new Set<Removal>();
  const pieces = new Set<Piece>();

  const count = (marks: Int32Array, by: 1 | -1) => {
    for (const mark of marks) visible.set(mark, (visible.get(mark) ?? 0) + by);
  };

  /** The removal that holds what is needed, when nothing visible does. */
  function missing({ mark, text, partial }: MarkedNeed): Removal | undefined {
    if ((visible.get(mark) ?? 0) > 0) return undefined;
    const holder = hidden.get(mark);
    if (!holder && !partial) return undefined;
    if (isWithin(pieces, text)) return undefined;
    return holder ?? [...removed].findLast(({ plain }) => plain.includes(text));
  }

  return {
    add(piece) {
      pieces.add(piece);
      count(piece.marks, 1);
    },
    replace(piece, plain, size, removal) {
      const marks = marksOf(plain);
      const kept = new Set(marks);
      count(piece.marks, -1);
      count(marks, 1);
      for (const mark of piece.marks) if (!kept.has(mark)) hidden.set(mark, removal);
      removed.add(removal);
      piece.plain = plain;
      piece.marks = marks;
      piece.size = size;
    },
    meet(step, needs) {
      for (const need of needs)
        missing(need)?.harms.push({ kind: need.kind, text: need.text, step });
    },
    clear() {
      visible.clear();
      hidden.clear();
      removed.clear();
      pieces.clear();
    },
    pieces: () => pieces,
  };
}

function isWithin(pieces: Iterable<Piece>, text: string): boolean {
  for (const { plain } of pieces) if (plain.includes(text)) return true;
  return false;
}
