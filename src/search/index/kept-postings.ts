// Postings that were read last: the words of a subject are not read anew by each question about it.
import type { PostingLists } from "./postings.ts";

/** Postings by span and by what was asked of it. */
export interface KeptPostings {
  /** What is kept, else what `read` gives, which is kept then. */
  of(span: number, asked: string, read: () => PostingLists): PostingLists;
  /** Something of a span was written. */
  forget(span: number): void;
  clear(): void;
}

interface Kept {
  span: number;
  postings: PostingLists;
  bytes: number;
}

/** What is kept beside the bytes, about: for each entry, and for the end of each list. */
const perEntry = 400;
const perEnd = 8;

/** Keeps up to so many bytes; of more, what was asked for longest ago goes. */
export function keptPostings(mostBytes: number): KeptPostings {
  const lists = new Map<string, Kept>();
  const spans = new Map<number, Set<string>>();
  let bytes = 0;

  function drop(key: string): void {
    const known = lists.get(key);
    if (!known) return;
    lists.delete(key);
    spans.get(known.span)?.delete(key);
    bytes -= known.bytes;
  }

  return {
    of(span, asked, read) {
      const key = `${span} ${asked}`;
      const known = lists.get(key);
      const kept = known ?? keptOf(span, read());
      lists.delete(key);
      lists.set(key, kept);
      if (known) return known.postings;
      spans.set(span, (spans.get(span) ?? new Set()).add(key));
      bytes += kept.bytes;
      for (const oldest of lists.keys()) {
        if (bytes <= mostBytes) break;
        drop(oldest);
      }
      return kept.postings;
    },
    forget(span) {
      for (const key of spans.get(span) ?? []) drop(key);
      spans.delete(span);
    },
    clear() {
      lists.clear();
      spans.clear();
      bytes = 0;
    },
  };
}

function keptOf(span: number, postings: PostingLists): Kept {
  const bytes = postings.bytes.length + perEnd * postings.ends.length + perEntry;
  return { span, postings, bytes };
}
