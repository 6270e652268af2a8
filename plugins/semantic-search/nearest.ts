// The codes of all passages in memory, one after the other, and the few of them that are worth an exact look.
import { distance, wordsFor } from "./codes.ts";

/** What filters compare of a turn. */
export interface KeptTurn {
  id: string;
  session: string;
  project: string;
  client: string;
  promptNumber: number;
  /** Epoch ms. */
  time: number;
}

/** Codes by passage number. */
interface Nearest {
  readonly dimensions: number;
  /** Passages that are there. */
  size(): number;
  setTurn(turn: KeptTurn): void;
  add(number: number, turn: string, code: Uint32Array | undefined): void;
  remove(number: number): void;
  removeTurn(turn: string): void;
  /** Numbers of about `most` passages of turns that pass: those that are nearest to any of the codes; without codes all. */
  candidates(
    codes: readonly Uint32Array[] | undefined,
    passes: (turn: KeptTurn) => boolean,
    most: number,
  ): number[];
}

/** An empty one for vectors of so many numbers. */
export function createNearest(dimensions: number): Nearest {
  const width = wordsFor(dimensions);
  let codes = new Uint32Array(width * 1_024);
  const numbers: number[] = [];
  /** Of each passage the place of its turn; -1 for one that was removed. */
  const owners: number[] = [];
  const places = new Map<number, number>();
  const turns: Array<KeptTurn | undefined> = [];
  const turnPlaces = new Map<string, number>();

  function remove(number: number): void {
    const place = places.get(number);
    if (place === undefined) return;
    places.delete(number);
    owners[place] = -1;
    codes.fill(0, place * width, (place + 1) * width);
  }

  return {
    dimensions,
    size: () => places.size,
    setTurn(turn) {
      const place = turnPlaces.get(turn.id) ?? turns.length;
      turnPlaces.set(turn.id, place);
      turns[place] = turn;
    },
    add(number, turn, code) {
      const place = numbers.length;
      if ((place + 1) * width > codes.length) {
        const larger = new Uint32Array(codes.length * 2);
        larger.set(codes);
        codes = larger;
      }
      if (code) codes.set(code, place * width);
      numbers.push(number);
      owners.push(turnPlaces.get(turn) ?? -1);
      places.set(number, place);
    },
    remove,
    removeTurn(turn) {
      const own = turnPlaces.get(turn);
      if (own === undefined) return;
      turnPlaces.delete(turn);
      turns[own] = undefined;
      owners.forEach((owner, place) => {
        if (owner === own) remove(numbers[place] ?? 0);
      });
    },
    candidates(queries, passes, most) {
      const passing = Uint8Array.from(turns, (turn) => (turn && passes(turn) ? 1 : 0));
      const inScope: number[] = [];
      for (let place = 0; place < owners.length; place++)
        if (passing[owners[place] ?? -1] === 1) inScope.push(place);
      if (!queries || inScope.length <= most) return inScope.map((place) => numbers[place] ?? 0);
      const far = new Uint16Array(inScope.length);
      const counts = new Uint32Array(dimensions + 1);
      inScope.forEach((place, i) => {
        let nearest = dimensions;
        for (const query of queries)
          nearest = Math.min(nearest, distance(codes, place * width, query));
        far[i] = nearest;
        counts[nearest] = (counts[nearest] ?? 0) + 1;
      });
      const limit = within(counts, most);
      return inScope.flatMap((place, i) => ((far[i] ?? 0) <= limit ? (numbers[place] ?? 0) : []));
    },
  };
}

/** The distance up to which there are at least `most`. */
function within(counts: Uint32Array, most: number): number {
  let sum = 0;
  for (let distance = 0; distance < counts.length; distance++) {
    sum += counts[distance] ?? 0;
    if (sum >= most) return distance;
  }
  return counts.length;
}
