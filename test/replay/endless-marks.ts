// The marks of a text: which of the things that a thread's later turns need stand in it. Numbers instead of strings, so that a replay is fast.
import { wordsOf } from "../../src/runtime/endless/second-looks.ts";
import { linesOf, type Need, needsOf, plainText } from "./endless-needs.ts";
import type { Thread } from "./endless-threads.ts";

/** A need with its number. */
export interface MarkedNeed extends Need {
  mark: number;
}

/** A thread, prepared for replay. */
export interface MarkedThread {
  thread: Thread;
  /** By step. */
  needs: MarkedNeed[][];
  /** By step. */
  plain: string[];
  /** By step: what its text has of all that any step needs. */
  marks: Int32Array[];
  marksOf(plain: string): Int32Array;
}

/** Numbers everything that the thread's turns need, and finds it in every step. */
export function markThread(thread: Thread): MarkedThread {
  const numbers = new Map<string, number>();
  const needs = thread.steps.map((step) =>
    needsOf(step).map((need) => {
      const key = need.kind === "edit" ? `\n${need.text}` : need.text;
      const mark = numbers.get(key) ?? numbers.size;
      numbers.set(key, mark);
      return { ...need, mark };
    }),
  );
  const marksOf = (plain: string): Int32Array => {
    const found = new Set<number>();
    const add = (key: string) => {
      const mark = numbers.get(key);
      if (mark !== undefined) found.add(mark);
    };
    for (const line of linesOf(plain)) add(`\n${line}`);
    for (const { kind, text } of wordsOf(plain)) {
      add(text);
      if (kind === "path") for (const end of endsOf(text)) add(end);
    }
    return Int32Array.from(found);
  };
  const plain = thread.steps.map(plainText);
  return { thread, needs, plain, marks: plain.map(marksOf), marksOf };
}

/** A path is also called by its last parts. */
function* endsOf(path: string): Generator<string> {
  for (let at = path.indexOf("/", 1); at !== -1; at = path.indexOf("/", at + 1)) {
    yield path.slice(at + 1);
    yield path.slice(at);
  }
}
