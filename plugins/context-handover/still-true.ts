// What of an older message still holds: newer statements supersede older ones, later work settles what was left open. Pure.
import type { PastTurn } from "./past.ts";
import {
  coverage,
  createStatements,
  namesIn,
  type Statements,
  sentencesOf,
  sharedBy,
  type Terms,
} from "./statements.ts";

/** So much of what was left open in the words of one later turn: that turn took it up. */
const takenUp = 0.5;
const fewest = 2;
/** A last paragraph longer than this share of the message is not what it leaves open, but what it says. */
const tailShare = 0.4;
/** Of a message of which less is left, the rest has lost its context. */
const leftAtLeast = 0.35;
const question = /[?？؟]["'”’)\]*_`\s]*$/u;

/** What came after a message. */
interface After {
  session: string;
  newer: Statements;
  later: ReadonlyArray<Pick<PastTurn, "touched" | "terms" | "turn">>;
}

/** True for a text that ends in a question. */
export function asksAtEnd(text: string): boolean {
  return question.test(text.trimEnd());
}

/** What came after a turn. */
export function afterTurn({ turn, newer, later }: PastTurn): After {
  return { session: turn.session, newer, later };
}

/** What came after something that was said in the turn before its end. */
export function afterWords(past: PastTurn, closing: string): After {
  const own = createStatements();
  own.add(closing);
  const ownSay = own.upToNow();
  const { wordsOf } = past.newer;
  const newer: Statements = {
    wordsOf,
    say: (terms) => past.newer.say(terms) || ownSay.say(terms),
  };
  return { session: past.turn.session, newer, later: [past, ...past.later] };
}

/**
 * The message without what was superseded or settled later, "…" in its place; empty when little is left. What is open is
 * its end, or `all` of it.
 */
export function stillTrue(message: string, after: After, open: "end" | "all" = "end"): string {
  if (after.later.length === 0) return message;
  const tail = open === "all" ? 0 : tailOf(message);
  const names = open === "all" ? [] : namesIn(message);
  let fenced = false;
  let at = 0;
  let code = 0;
  const lines = message.split("\n").map((line) => {
    let from = at;
    at += line.length + 1;
    const isFence = /^\s*(?:`{3,}|~{3,})/.test(line);
    if (isFence) fenced = !fenced;
    // What still holds is said in prose; code is in the files, and it is them that count.
    if (fenced || isFence) {
      code += line.length + 1;
      return "…";
    }
    return sentencesOf(line)
      .map((sentence) => {
        const isTail = from >= tail;
        from += sentence.length + 1;
        const terms = after.newer.wordsOf(sentence);
        const isGone =
          after.newer.say(terms) || (isTail && isSettled(sentence, terms, names, after));
        return isGone ? "…" : sentence;
      })
      .join(" ");
  });
  const text = joined(lines);
  return text.length < (message.length - code) * leftAtLeast ? "" : text;
}

/** Lines of which nothing is left become one "…". */
function joined(lines: readonly string[]): string {
  const kept: string[] = [];
  for (const line of lines) {
    const short = line.replace(/…(?:\s+…)+/g, "…");
    const isGap = short.includes("…") && !/[\p{L}]/u.test(short);
    if (!isGap) kept.push(short);
    else if (kept.at(-1) !== "…") kept.push("…");
  }
  const text = kept.join("\n").trim();
  return /\p{L}/u.test(text) ? text : "";
}

/** Where the last paragraph begins, or the last sentence where that paragraph is most of the message. */
function tailOf(message: string): number {
  const text = message.trimEnd();
  const paragraph = text.lastIndexOf("\n\n");
  if (paragraph > 0 && text.length - paragraph <= text.length * tailShare) return paragraph + 1;
  return Math.max(0, text.lastIndexOf(sentencesOf(text).at(-1) ?? ""));
}

function isSettled(
  sentence: string,
  terms: Terms,
  names: readonly string[],
  { session, later }: After,
): boolean {
  if (asksAtEnd(sentence) && later.some(({ turn }) => turn.session === session)) return true;
  const own = namesIn(sentence);
  const sought = own.length > 0 ? own : names;
  return later.some(
    ({ touched, terms: others }) =>
      sought.some((name) => touched.includes(name)) ||
      (sharedBy(terms, others) >= fewest && coverage(terms, others) >= takenUp),
  );
}
