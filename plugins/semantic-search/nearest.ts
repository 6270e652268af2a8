// The codes of all passages in memory, one after the other, and the few of them that are worth an exact look.

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

/** Codes by passage number, of vectors of so many numbers. */
export function createNearest(dimensions: number) {
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
    /** Passages that are there. */
    size: () => places.size,
    setTurn(turn: KeptTurn): void {
      const place = turnPlaces.get(turn.id) ?? turns.length;
      turnPlaces.set(turn.id, place);
      turns[place] = turn;
    },
    add(number: number, turn: string, code: Uint32Array | undefined): void {
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
    removeTurn(turn: string): void {
      const own = turnPlaces.get(turn);
      if (own === undefined) return;
      turnPlaces.delete(turn);
      turns[own] = undefined;
      owners.forEach((owner, place) => {
        if (owner === own) remove(numbers[place] ?? 0);
      });
    },
    /** Numbers of about `most` passages of turns that pass: those that are nearest to any of the codes; without codes all. */
    candidates(
      queries: readonly Uint32Array[] | undefined,
      passes: (turn: KeptTurn) => boolean,
      most: number,
    ): number[] {
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

// Vectors in short: a bit for each number says on which side of the centre it lies. Pure.

/** Bits of a code come in words of 32. */
function wordsFor(dimensions: number): number {
  return Math.ceil(dimensions / 32);
}

/** The code of a vector about a centre. */
export function codeOf(vector: Float32Array, centre: Float32Array): Uint32Array {
  const code = new Uint32Array(wordsFor(vector.length));
  for (let i = 0; i < vector.length; i++)
    if ((vector[i] ?? 0) > (centre[i] ?? 0)) code[i >> 5] = (code[i >> 5] ?? 0) | (1 << (i & 31));
  return code;
}

/** In how many bits the code that begins at `at` differs. */
export function distance(codes: Uint32Array, at: number, code: Uint32Array): number {
  let sum = 0;
  for (let i = 0; i < code.length; i++) {
    let bits = (codes[at + i] ?? 0) ^ (code[i] ?? 0);
    bits -= (bits >>> 1) & 0x55555555;
    bits = (bits & 0x33333333) + ((bits >>> 2) & 0x33333333);
    sum += Math.imul((bits + (bits >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
  }
  return sum;
}

/** The likeness of two vectors of length 1. */
export function dot(a: Float32Array, b: Float32Array): number {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += (a[i] ?? 0) * (b[i] ?? 0);
  return sum;
}

/** The mean of vectors. */
export function centreOf(vectors: readonly Float32Array[]): Float32Array {
  const sums = new Float64Array(vectors[0]?.length ?? 0);
  for (const vector of vectors)
    for (let i = 0; i < sums.length; i++) sums[i] = (sums[i] ?? 0) + (vector[i] ?? 0);
  return Float32Array.from(sums, (sum) => sum / vectors.length);
}

/** The bytes of a vector or code, as they are stored. */
export function bytesOf(values: Float32Array | Uint32Array): Uint8Array {
  return new Uint8Array(values.buffer, values.byteOffset, values.byteLength);
}

/** The vector in stored bytes. */
export function floatsOf(bytes: Uint8Array): Float32Array {
  return new Float32Array(bytes.slice().buffer);
}

/** The code in stored bytes. */
export function wordsOf(bytes: Uint8Array): Uint32Array {
  return new Uint32Array(bytes.slice().buffer);
}
