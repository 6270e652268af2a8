// So many at once, so many a second after that: who asks for more is told no.

/** Gives a function that says whether one more may pass now. */
export function createAllowance(
  atOnce: number,
  perSecond: number,
  now: () => number,
): () => boolean {
  let room = atOnce;
  let filledAt = now();
  return () => {
    const at = now();
    room = Math.min(atOnce, room + ((at - filledAt) / 1_000) * perSecond);
    filledAt = at;
    if (room < 1) return false;
    room--;
    return true;
  };
}
