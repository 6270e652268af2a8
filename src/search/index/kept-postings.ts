// Postings that were read last: the words of a subject are not read anew by each question about it.

/** Postings by span and by what was asked of it. */
export interface KeptPostings {
  /** What is kept, else what `read` gives, which is kept then. */
  of(span: number, asked: string, read: () => readonly Uint8Array[]): readonly Uint8Array[];
  /** Something of a span was written. */
  forget(span: number): void;
  clear(): void;
}

interface Kept {
  span: number;
  postings: readonly Uint8Array[];
  bytes: number;
}

/** What a list costs beside its bytes, about. */
const perList = 150;

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

function keptOf(span: number, postings: readonly Uint8Array[]): Kept {
  const bytes = postings.reduce((sum, list) => sum + list.length + perList, perList);
  return { span, postings, bytes };
}
