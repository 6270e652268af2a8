// Remembers the last keys it was shown, so that a second delivery of the same event is known.

/** A bounded memory. */
interface RecentKeys {
  /** True the first time a key is shown. */
  isNew(key: string): boolean;
}

/** Remembers `limit` keys; the oldest go first. */
export function createRecentKeys(limit: number): RecentKeys {
  const keys = new Set<string>();
  return {
    isNew(key) {
      if (keys.has(key)) return false;
      keys.add(key);
      const [oldest] = keys;
      if (keys.size > limit && oldest !== undefined) keys.delete(oldest);
      return true;
    },
  };
}
