// The documents of the tail by their terms, kept in step as documents come and go.
import type { TailDocument } from "./tail.ts";

/** Look-ups in the tail. */
export interface TailIndex {
  add(document: TailDocument): void;
  remove(document: TailDocument): void;
  /** Documents that have the term. */
  having(term: string): ReadonlySet<TailDocument>;
  /** Every term with the documents that have it; labels too. */
  terms(): Iterable<[term: string, documents: ReadonlySet<TailDocument>]>;
}

const none: ReadonlySet<TailDocument> = new Set();

/** An empty one. */
export function tailIndex(): TailIndex {
  const byTerm = new Map<string, Set<TailDocument>>();
  return {
    add(document) {
      for (const term of document.counts.terms.keys()) {
        const known = byTerm.get(term);
        if (known) known.add(document);
        else byTerm.set(term, new Set([document]));
      }
    },
    remove(document) {
      for (const term of document.counts.terms.keys()) {
        const known = byTerm.get(term);
        known?.delete(document);
        if (known?.size === 0) byTerm.delete(term);
      }
    },
    having: (term) => byTerm.get(term) ?? none,
    terms: () => byTerm,
  };
}
