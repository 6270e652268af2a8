// Parts that need each other: the one that is made first is handed the place of the other.

/** A place for a part that is made later. */
export interface Later<Part> {
  /** The part; throws where it is asked for before it is there, which only wiring can get wrong. */
  get(): Part;
  /** Puts the part in its place, and gives it back. */
  set(part: Part): Part;
}

/** An empty place; `name` says what is missing. */
export function later<Part extends object>(name: string): Later<Part> {
  let made: Part | undefined;
  return {
    get() {
      if (!made) throw new Error(`The runtime's ${name} was asked for before it was made.`);
      return made;
    },
    set(part) {
      made = part;
      return part;
    },
  };
}
