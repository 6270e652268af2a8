// Gives memory back once nothing goes on: after the start, which leaves modules' texts behind, and after many requests.

interface TidyOptions {
  /** Requests taken so far. */
  served(): number;
  /** Collects all garbage; the process stands still meanwhile. */
  collect(): void;
}

/** So many requests leave tens of megabytes behind; a collection takes some milliseconds. */
const manyRequests = 1_000;

/** Called now and then: collects at the first call after which no request came, and again after each thousand. */
export function createTidy({ served, collect }: TidyOptions): () => void {
  let seen = served();
  let tidiedAt = Number.NEGATIVE_INFINITY;
  return () => {
    const count = served();
    const isQuiet = count === seen;
    seen = count;
    if (!isQuiet || count - tidiedAt < manyRequests) return;
    tidiedAt = count;
    collect();
  };
}
