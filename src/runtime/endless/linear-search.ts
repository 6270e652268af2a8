// Regular expressions whose search takes time in proportion to the text, whatever the expression: for patterns and texts of anybody's making.
import { MemoirError } from "../../sdk/errors.ts";

/** True when the text holds a match; undefined once all its texts together took as much work as one search may take. */
export type Search = (text: string) => boolean | undefined;

type CharTest = (code: number) => boolean;
type Place = "start" | "end" | "boundary" | "inside";
type Node =
  | { kind: "char"; test: CharTest; cost: number }
  | { kind: "place"; place: Place }
  | { kind: "all"; nodes: Node[] }
  | { kind: "either"; nodes: Node[] }
  | { kind: "repeat"; node: Node; least: number; most: number };

/** One step of the compiled expression; `to` and `or` are numbers of steps. */
type Step =
  | { op: "char"; test: CharTest; cost: number }
  | { op: "place"; place: Place }
  | { op: "fork"; to: number; or: number }
  | { op: "match" };

const longestExpression = 500;
const mostSteps = 3_000;
const mostRepeats = 1_000;
/** Parts gone through while compiling: groups that hold nothing add no step, however often they are repeated. */
const mostParts = 50_000;
/** Steps taken in one search, about a second: others wait for the server meanwhile. */
const mostWork = 50_000_000;
const special = /[\\^$.*+?()[\]{}|]/;

/**
 * Literals, `.`, classes, `\d \w \s \b` and their opposites, `^ $`, groups, `|`, `* + ? {m,n}`. Throws `usage` for
 * anything else (look-around and back-references cannot be searched for in bounded time).
 */
export function compileSearch(expression: string): Search {
  if (expression === "" || expression.length > longestExpression)
    throw refused(`It must have 1 to ${longestExpression} characters.`);
  if (!special.test(expression)) return (text) => text.includes(expression);
  const steps: Step[] = [];
  emit(parse(expression), steps, { parts: 0 });
  steps.push({ op: "match" });
  return createSearch(steps);
}

function refused(why: string): MemoirError {
  return new MemoirError("usage", `The expression cannot be searched for. ${why}`, {
    fix: "Search for a plain word, or for a simpler expression.",
  });
}

function parse(expression: string): Node {
  let at = 0;
  const more = () => at < expression.length;
  const take = (text: string) => {
    if (!expression.startsWith(text, at)) return false;
    at += text.length;
    return true;
  };

  function either(): Node {
    const nodes = [all()];
    while (take("|")) nodes.push(all());
    return nodes.length === 1 && nodes[0] ? nodes[0] : { kind: "either", nodes };
  }

  function all(): Node {
    const nodes: Node[] = [];
    while (more() && expression[at] !== "|" && expression[at] !== ")") nodes.push(repeated(one()));
    return { kind: "all", nodes };
  }

  function one(): Node {
    const character = expression[at++] ?? "";
    if (character === "(") {
      if (
        expression[at] === "?" &&
        !take("?:") &&
        !/^\?<[A-Za-z]/.test(expression.slice(at, at + 3))
      )
        throw refused("Look-around is not possible.");
      if (expression[at] === "?") {
        const end = expression.indexOf(">", at);
        if (end < 0) throw refused("A group's name is not closed.");
        at = end + 1;
      }
      const inner = either();
      if (!take(")")) throw refused("A bracket is not closed.");
      return inner;
    }
    if (character === "[") return charClass();
    if (character === ".") return single((code) => code !== 10 && code !== 13);
    if (character === "^") return { kind: "place", place: "start" };
    if (character === "$") return { kind: "place", place: "end" };
    if (character === "\\") return escaped();
    if (character === "*" || character === "+" || character === "?")
      throw refused("There is nothing to repeat.");
    return literal(character.charCodeAt(0));
  }

  function escaped(): Node {
    if (take("b")) return { kind: "place", place: "boundary" };
    if (take("B")) return { kind: "place", place: "inside" };
    if (/[1-9k]/.test(expression[at] ?? "")) throw refused("Back-references are not possible.");
    const found = escapedItem();
    return typeof found === "number" ? literal(found) : single(found);
  }

  /** After a backslash: a class, or the code of one character. */
  function escapedItem(): CharTest | number {
    const character = expression[at++];
    if (character === undefined) throw refused("It ends in a backslash.");
    const known = classes[character];
    if (known) return known;
    const control = controls[character];
    if (control !== undefined) return control;
    const hex = /^(?:x([\da-f]{2})|u([\da-f]{4}))/i.exec(expression.slice(at - 1, at + 4));
    if (hex) {
      at += hex[0].length - 1;
      return Number.parseInt(hex[1] ?? hex[2] ?? "", 16);
    }
    return character.charCodeAt(0);
  }

  function charClass(): Node {
    const negated = take("^");
    const tests: CharTest[] = [];
    while (more() && expression[at] !== "]") {
      const from = classItem();
      const isRange =
        expression[at] === "-" && at + 1 < expression.length && expression[at + 1] !== "]";
      if (typeof from !== "number" || !isRange) {
        tests.push(typeof from === "number" ? (code) => code === from : from);
        continue;
      }
      at++;
      const to = classItem();
      if (typeof to !== "number" || to < from) throw refused("A range in it is out of order.");
      tests.push((code) => code >= from && code <= to);
    }
    if (!take("]")) throw refused("A bracket is not closed.");
    const test: CharTest = (code) => tests.some((one) => one(code)) !== negated;
    return { kind: "char", test, cost: 1 + tests.length };
  }

  function classItem(): CharTest | number {
    if (take("\\b")) return 8;
    return take("\\") ? escapedItem() : expression.charCodeAt(at++);
  }

  function repeated(node: Node): Node {
    let result = node;
    for (;;) {
      const range = /^(?:[*+?]|\{(\d+)(,?)(\d*)\})\??/.exec(expression.slice(at, at + 24));
      if (!range) return result;
      if (result.kind === "place") throw refused("There is nothing to repeat.");
      at += range[0].length;
      const [whole, from, comma, to] = range;
      const least = from !== undefined ? Number(from) : whole.startsWith("+") ? 1 : 0;
      const open = from === undefined ? !whole.startsWith("?") : comma === "," && to === "";
      const most = open ? Infinity : from === undefined ? 1 : Number(to || from);
      if (least > mostRepeats || (most !== Infinity && most > mostRepeats) || most < least)
        throw refused(`A repetition in it is out of bounds (${mostRepeats}).`);
      result = { kind: "repeat", node: result, least, most };
    }
  }

  const node = either();
  if (more()) throw refused("A bracket is not opened.");
  return node;
}

function literal(wanted: number): Node {
  return single((code) => code === wanted);
}

function single(test: CharTest): Node {
  return { kind: "char", test, cost: 1 };
}

const isDigit: CharTest = (code) => code >= 48 && code <= 57;
const isWord: CharTest = (code) =>
  isDigit(code) || (code >= 65 && code <= 90) || code === 95 || (code >= 97 && code <= 122);
const isSpace: CharTest = (code) =>
  (code >= 9 && code <= 13) || code === 32 || code === 160 || code === 0xfeff;
const not =
  (test: CharTest): CharTest =>
  (code) =>
    !test(code);
const classes: Readonly<Record<string, CharTest>> = {
  d: isDigit,
  D: not(isDigit),
  w: isWord,
  W: not(isWord),
  s: isSpace,
  S: not(isSpace),
};
const controls: Readonly<Record<string, number>> = { n: 10, r: 13, t: 9, f: 12, v: 11, "0": 0 };

/** Appends the node's steps; whoever follows stands after them. */
function emit(node: Node, steps: Step[], gone: { parts: number }): void {
  if (steps.length > mostSteps || ++gone.parts > mostParts) throw refused("It is too large.");
  if (node.kind === "char") steps.push({ op: "char", test: node.test, cost: node.cost });
  else if (node.kind === "place") steps.push({ op: "place", place: node.place });
  else if (node.kind === "all") for (const inner of node.nodes) emit(inner, steps, gone);
  else if (node.kind === "either") emitEither(node.nodes, steps, gone);
  else emitRepeat(node, steps, gone);
}

function emitEither(nodes: readonly Node[], steps: Step[], gone: { parts: number }): void {
  const leave: number[] = [];
  for (const [index, inner] of nodes.entries()) {
    const isLast = index === nodes.length - 1;
    const fork = isLast ? undefined : steps.push({ op: "fork", to: steps.length + 1, or: 0 }) - 1;
    emit(inner, steps, gone);
    if (fork === undefined) break;
    leave.push(steps.push({ op: "fork", to: 0, or: 0 }) - 1);
    steps[fork] = { op: "fork", to: fork + 1, or: steps.length };
  }
  for (const at of leave) steps[at] = { op: "fork", to: steps.length, or: steps.length };
}

function emitRepeat(
  { node, least, most }: Node & { kind: "repeat" },
  steps: Step[],
  gone: { parts: number },
): void {
  for (let time = 0; time < least; time++) emit(node, steps, gone);
  if (most === Infinity) {
    const fork = steps.push({ op: "fork", to: steps.length + 1, or: 0 }) - 1;
    emit(node, steps, gone);
    steps.push({ op: "fork", to: fork, or: fork });
    steps[fork] = { op: "fork", to: fork + 1, or: steps.length };
    return;
  }
  const forks: number[] = [];
  for (let time = least; time < most; time++) {
    forks.push(steps.push({ op: "fork", to: steps.length + 1, or: 0 }) - 1);
    emit(node, steps, gone);
  }
  for (const at of forks) steps[at] = { op: "fork", to: at + 1, or: steps.length };
}

/** All ways through the expression are followed side by side, each step at most once for each character. */
function createSearch(steps: readonly Step[]): Search {
  const seen = new Int32Array(steps.length).fill(-1);
  let left = mostWork;
  return (text) => {
    if (left <= 0) return undefined;
    seen.fill(-1);
    let current: CharTest[] = [];
    let following: number[] = [];
    let waiting: number[] = [];
    for (let at = 0; ; at++) {
      // From the ways that took the last character, and from the beginning: a match may start anywhere.
      const open = [...waiting, 0];
      current = [];
      following = [];
      while (open.length > 0) {
        const index = open.pop() ?? 0;
        if (seen[index] === at) continue;
        seen[index] = at;
        left--;
        const step = steps[index];
        if (!step) continue;
        if (step.op === "match") return true;
        if (step.op === "fork") open.push(step.or, step.to);
        else if (step.op === "place") {
          if (isAt(step.place, text, at)) open.push(index + 1);
        } else {
          left -= step.cost;
          current.push(step.test);
          following.push(index + 1);
        }
      }
      if (at >= text.length) return false;
      if (left <= 0) return undefined;
      const code = text.charCodeAt(at);
      waiting = following.filter((_, way) => current[way]?.(code));
    }
  };
}

function isAt(place: Place, text: string, at: number): boolean {
  if (place === "start") return at === 0;
  if (place === "end") return at === text.length;
  const before = at > 0 && isWord(text.charCodeAt(at - 1));
  const after = at < text.length && isWord(text.charCodeAt(at));
  return (before !== after) === (place === "boundary");
}
