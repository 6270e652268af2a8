// Damages bytes in every way a transcript may be found damaged; the same seed gives the same damage.
import { Buffer } from "node:buffer";

/** A repeatable stream of numbers in [0, 1). */
export function randomNumbers(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

const odd = [
  "\\ud800",
  "\\udc00\\ud83d",
  '"\\u0000"',
  "1e999",
  "-1e-999",
  "9".repeat(400),
  "{".repeat(3_000),
  "[".repeat(3_000),
  `${"[".repeat(3_000)}${"]".repeat(3_000)}`,
  '{"a":'.repeat(2_000),
  "\n\n\r\n",
  "\u2028",
  ',"toolUseResult":',
  ',"type":"progress","data":',
  '"message":{"content":[{"content":',
  "}}]",
  '"',
  "\\",
].map((text) => Buffer.from(text));

/** One to three damages of a copy: cut, swapped, doubled, overwritten with binary, or odd things put in. */
export function mutated(bytes: Buffer, random: () => number): Buffer {
  let made: Buffer = Buffer.from(bytes);
  for (let n = 1 + Math.floor(random() * 3); n > 0; n--) made = damaged(made, random);
  return made;
}

function damaged(bytes: Buffer, random: () => number): Buffer {
  const place = () => Math.floor(random() * (bytes.length + 1));
  const [from = 0, to = 0] = [place(), place()].sort((a, b) => a - b);
  const end = Math.min(to, from + Math.floor(random() ** 4 * bytes.length));
  const head = bytes.subarray(0, from);
  switch (Math.floor(random() * 7)) {
    case 0:
      return Buffer.from(head);
    case 1:
      return Buffer.concat([head, bytes.subarray(end)]);
    case 2:
      return Buffer.concat([head, bytes.subarray(from, end), bytes.subarray(from)]);
    case 3:
      return Buffer.concat([bytes.subarray(end), bytes.subarray(from, end), head]);
    case 4: {
      const binary = Buffer.from(Array.from({ length: end - from }, () => random() * 256));
      return Buffer.concat([head, binary.subarray(0, 2_000), bytes.subarray(end)]);
    }
    case 5: {
      const copy = Buffer.from(bytes);
      for (let n = 0; n < 5 && copy.length > 0; n++)
        copy[Math.floor(random() * copy.length)] = Math.floor(random() * 256);
      return copy;
    }
    default:
      return Buffer.concat([
        head,
        odd[Math.floor(random() * odd.length)] ?? head,
        bytes.subarray(from),
      ]);
  }
}
