// The parts of a search by meaning: codes and their distance, candidates, passages, and a day's budget.
import { describe, expect, test } from "bun:test";
import { createSpending } from "../../../plugins/semantic-search/endpoint.ts";
import { passagesOf, turnHash } from "../../../plugins/semantic-search/passages.ts";
import {
  bytesOf,
  centreOf,
  codeOf,
  createNearest,
  distance,
  dot,
  floatsOf,
  wordsOf,
} from "../../../plugins/semantic-search/store.ts";

const floats = (...values: number[]) => Float32Array.from(values);

describe("codes", () => {
  test("have a bit for each number above the centre, over several words", () => {
    const centre = new Float32Array(40);
    const vector = new Float32Array(40).fill(-1);
    vector[0] = 1;
    vector[31] = 1;
    vector[39] = 1;
    expect([...codeOf(vector, centre)]).toEqual([(1 << 31) + 1 + 2 ** 32, 1 << 7]);
    expect([...codeOf(vector, vector)]).toEqual([0, 0]);
  });

  test("differ in so many bits, wherever they stand in a row of them", () => {
    const codes = Uint32Array.from([0, 0, 0xffffffff, 0b1011]);
    expect(distance(codes, 2, Uint32Array.from([0, 0]))).toBe(35);
    expect(distance(codes, 2, Uint32Array.from([0xffffffff, 0b0011]))).toBe(1);
    expect(distance(codes, 0, Uint32Array.from([0, 0]))).toBe(0);
  });

  test("vectors have a likeness and a mean, and come back from their bytes", () => {
    expect(dot(floats(1, 2, 3), floats(4, 5, 6))).toBe(32);
    expect([...centreOf([floats(1, 0), floats(3, 4)])]).toEqual([2, 2]);
    const both = new Uint8Array([9, ...bytesOf(floats(1.5, -2))]);
    expect([...floatsOf(both.subarray(1))]).toEqual([1.5, -2]);
    expect([...wordsOf(bytesOf(Uint32Array.from([7, 8])))]).toEqual([7, 8]);
  });
});

describe("candidates", () => {
  const turn = (id: string, project = "shop") => ({
    ...{ id, session: "s", project, client: "c", promptNumber: 1, time: 0 },
  });
  function filled() {
    const nearest = createNearest(32);
    for (const id of ["a", "b", "c"]) nearest.setTurn(turn(id, id === "c" ? "blog" : "shop"));
    nearest.add(1, "a", Uint32Array.from([0b1]));
    nearest.add(2, "a", Uint32Array.from([0b11]));
    nearest.add(3, "b", Uint32Array.from([0b111]));
    nearest.add(4, "c", Uint32Array.from([0b0]));
    return nearest;
  }
  const all = () => true;
  const query = [Uint32Array.from([0b1])];

  test("are those nearest to any of the questions, with what is equally near", () => {
    const nearest = filled();
    expect(nearest.candidates(query, all, 1)).toEqual([1]);
    expect(nearest.candidates(query, all, 2)).toEqual([1, 2, 4]);
    expect(nearest.candidates([...query, Uint32Array.from([0b111])], all, 2)).toEqual([1, 3]);
  });

  test("are all of what passes, where that is few or nothing is asked", () => {
    const inShop = ({ project }: { project: string }) => project === "shop";
    expect(filled().candidates(query, inShop, 3)).toEqual([1, 2, 3]);
    expect(filled().candidates(undefined, all, 1)).toEqual([1, 2, 3, 4]);
  });

  test("are none of a passage or a turn that was taken out", () => {
    const nearest = filled();
    nearest.remove(2);
    nearest.removeTurn("b");
    nearest.removeTurn("unknown");
    expect([nearest.candidates(undefined, all, 9), nearest.size()]).toEqual([[1, 4], 2]);
  });

  test("stay in their places however many there are", () => {
    const nearest = createNearest(32);
    nearest.setTurn(turn("a"));
    for (let at = 0; at < 3_000; at++) nearest.add(at, "a", Uint32Array.from([at]));
    for (const at of [5, 1_023, 1_024, 2_999])
      expect(nearest.candidates([Uint32Array.from([at])], all, 1)).toEqual([at]);
  });
});

describe("passages", () => {
  const said = (text: string, kind = "said") => ({ kind, text }) as never;

  test("are what was said, not what commands printed, nor a word or two", () => {
    const pieces = [
      said("Fix the cart, please do.", "prompt"),
      said("x".repeat(50), "ran"),
      said("Done."),
    ];
    expect(passagesOf({ pieces }).map(({ piece }) => piece)).toEqual([0]);
  });

  test("cover a long text without a gap, cut at paragraphs, lines or sentences", () => {
    const paragraph = "The cart sums its lines anew each time that it is asked. ".repeat(7).trim();
    const text = `${paragraph}\n\n${paragraph}\n\n${paragraph}`;
    const passages = passagesOf({ pieces: [said(text)] });
    expect(passages.length).toBe(3);
    expect(passages.map(({ start }) => start)).toEqual([
      0,
      ...passages.slice(0, -1).map(({ end }) => end),
    ]);
    expect(passages.every((one) => one.text === paragraph)).toBe(true);
    expect(new Set(passages.map(({ hash }) => hash)).size).toBe(1);
  });

  test("never hold half a character, and are 64 at most", () => {
    const passages = passagesOf({ pieces: [said("🙂".repeat(40_000))] });
    expect(passages).toHaveLength(64);
    expect(passages.every(({ text }) => text.isWellFormed() && text.length <= 700)).toBe(true);
  });

  test("leave out what is private, and make another turn when one moved", () => {
    const secret = ["gh", "p_", "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"].join("");
    const [one] = passagesOf({ pieces: [said(`The token is ${secret} in here, keep it.`)] });
    expect(one?.text).not.toContain(secret);
    const hash = (...texts: string[]) =>
      turnHash(passagesOf({ pieces: texts.map((text) => said(text)) }));
    const [a, b] = ["The cart is summed anew.", "The mailer waits for it."];
    expect(hash(a, b)).toBe(hash(a, b));
    expect(hash(b, a)).not.toBe(hash(a, b));
  });
});

test("a day's tokens are counted across restarts, and begin anew at midnight", () => {
  const notes = new Map<string, string>();
  const store = {
    note: (name: string) => notes.get(name),
    setNote: (name: string, text: string) => void notes.set(name, text),
  };
  let now = Date.UTC(2026, 10, 21, 23, 59);
  const open = () => createSpending(store, 100, () => now);
  open().add(60);
  open().add(30);
  expect([open().allows(10), open().allows(11)]).toEqual([true, false]);
  now += 60_000;
  expect(open().allows(100)).toBe(true);
});
