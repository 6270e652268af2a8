// Keeps what a plugin remembers within bounds.

/** Takes out what was put into a Map or Set first, until at most `most` are left. */
export function dropOldest<Key>(
  held: { readonly size: number; keys(): Iterator<Key>; delete(key: Key): boolean },
  most: number,
): void {
  while (held.size > most) {
    const oldest = held.keys().next();
    if (oldest.done) return;
    held.delete(oldest.value);
  }
}
