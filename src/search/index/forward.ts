// What a document holds, by term numbers, as bytes: its passages are ranked by it, and it tells what to take out again.
import { ByteReader, byteWriter } from "./bytes.ts";

/** A passage by numbers of terms. */
export interface NumberedPassage {
  field: number;
  piece: number;
  start: number;
  end: number;
  terms: number[];
  names: number[];
}

/** A document by numbers of terms. */
export interface Forward {
  passages: NumberedPassage[];
  labels: number[];
}

/** As bytes. */
export function packForward({ passages, labels }: Forward): Uint8Array {
  const out = byteWriter();
  const list = (numbers: readonly number[]) => {
    out.add(numbers.length);
    for (const number of numbers) out.add(number);
  };
  out.add(passages.length);
  for (const { field, piece, start, end, terms, names } of passages) {
    out.add(field);
    out.add(piece);
    out.add(start);
    out.add(end - start);
    list(terms);
    list(names);
  }
  list(labels);
  return out.bytes();
}

/** From bytes. Throws a RangeError when they are cut off. */
export function unpackForward(bytes: Uint8Array): Forward {
  const input = new ByteReader(bytes);
  const list = () => {
    const numbers: number[] = [];
    for (let left = input.next(); left > 0; left--) numbers.push(input.next());
    return numbers;
  };
  const passages: NumberedPassage[] = [];
  for (let left = input.next(); left > 0; left--) {
    const field = input.next();
    const piece = input.next();
    const start = input.next();
    const end = start + input.next();
    passages.push({ field, piece, start, end, terms: list(), names: list() });
  }
  return { passages, labels: list() };
}
