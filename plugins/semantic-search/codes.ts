// Vectors in short: a bit for each number says on which side of the centre it lies. Pure.

/** Bits of a code come in words of 32. */
export function wordsFor(dimensions: number): number {
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
