// So many at once, so many a second after that.

interface Allowance {
  /** Takes one; false where there is none. */
  take(): boolean;
  /** Takes one that may still have to come; gives the ms until it is there. */
  borrow(): number;
}

/** `now` is a clock in ms. */
export function createAllowance(
  atOnce: number,
  perSecond: number,
  now: () => number = () => performance.now(),
): Allowance {
  let room = atOnce;
  let filledAt = now();

  function fill(): void {
    const at = now();
    room = Math.min(atOnce, room + ((at - filledAt) / 1_000) * perSecond);
    filledAt = at;
  }

  return {
    take() {
      fill();
      if (room < 1) return false;
      room--;
      return true;
    },
    borrow() {
      fill();
      room--;
      return room >= 0 ? 0 : (-room / perSecond) * 1_000;
    },
  };
}
