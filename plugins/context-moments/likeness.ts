// Whether a failure is one that was repaired before: by the lines that both say, the names in those they do not, and what the repair depends on. Pure.

import { commandKey, stripAnsi, unspacedRange } from "../../src/text/index.ts";

/** A repaired failure as it is compared. */
export interface Comparable {
  session: string;
  project: string;
  /** Epoch ms. */
  time: number;
  tool: string;
  /** What each line tells: 1 for one that no other failure has. */
  lines: ReadonlyMap<string, number>;
  weight: number;
  /** The command or tool use that failed, and what repaired it. */
  about: string;
  done: readonly string[];
  /** The files of the repair; none where commands did it. */
  files: readonly string[];
  /** What the failure said that a command of the repair repeats. */
  needs: readonly string[];
  /** What the repair ran that the failure itself said to run. */
  advised: readonly string[];
}

/** What failed now. */
export interface Failed {
  session: string;
  about: string;
  text: string;
  /** Its exit is not known. */
  hidden: boolean;
  /** Only what commands repaired in other projects than this: files of theirs are no help. */
  notOf?: string;
}

/** Shares of a failure's weight that have to be met: of the known one, and of the new one; more where its exit is hidden, or the project another. */
const enough = { known: 0.6, met: 0.4, hidden: 0.7, elsewhere: 0.75 };
/** One that is met wholly, and says so much, is part of the new one whatever else failed. */
const whole = { known: 0.9, weight: 1.5 };
/** A line that differs in its names only. */
const namesDiffer = 0.7;
/** Matches that are as good as the best; of these the newest counts. */
const asGood = 0.9;
/** Letters of a line that says enough by itself, whichever tool prints it. */
const tellsAlone = 24;

/** Finds the newest of the repairs that are for this failure. */
export function finder<Known extends Comparable>(
  known: readonly Known[],
  weigh: (line: string) => number,
): (failed: Failed) => Known | undefined {
  const byLine = new Map<string, Set<Known>>();
  const bySkeleton = new Map<string, Set<Known>>();
  for (const one of known)
    for (const line of one.lines.keys()) {
      listed(byLine, line).add(one);
      const skeleton = skeletonOf(line);
      if (skeleton !== undefined) listed(bySkeleton, skeleton).add(one);
    }

  return (failed) => {
    if (byLine.size === 0) return undefined;
    const lines = tellingLines(failed.text);
    const { tool } = readCommand(failed.about);
    const near = new Set<Known>();
    for (const line of lines) {
      for (const one of byLine.get(line) ?? []) near.add(one);
      const skeleton = skeletonOf(line);
      if (skeleton !== undefined) for (const one of bySkeleton.get(skeleton) ?? []) near.add(one);
    }
    const all = lines.reduce((sum, line) => sum + weigh(line), 0);
    const good = [...near]
      .filter((one) => one.session !== failed.session && isInReach(one, failed))
      .map((one) => ({ one, share: shareMet(one, lines, { ...failed, tool }, all) }))
      .filter(({ share }) => share > 0);
    const best = Math.max(0, ...good.map(({ share }) => share));
    return good
      .filter(({ share }) => share >= best * asGood)
      .map(({ one }) => one)
      .reduce<Known | undefined>((a, b) => (a && a.time > b.time ? a : b), undefined);
  };
}

function listed<Known>(map: Map<string, Set<Known>>, key: string): Set<Known> {
  const known = map.get(key) ?? new Set<Known>();
  map.set(key, known);
  return known;
}

function isInReach({ project, files }: Comparable, { notOf }: Failed): boolean {
  return notOf === undefined || (project !== notOf && files.length === 0);
}

/** How much of a known failure is met, 0 where that is too little or where it is another fault. */
function shareMet(
  known: Comparable,
  lines: readonly string[],
  { tool, about, text, hidden, notOf }: Failed & { tool: string },
  all: number,
): number {
  const now = new Set(lines);
  let skeletons: Set<string | undefined> | undefined;
  const rest: string[] = [];
  const isSame = known.tool === tool;
  let met = 0;
  let alone = false;
  for (const [line, weight] of known.lines) {
    if (now.has(line)) {
      met += weight;
      alone ||= !isSame && weight === 1 && tellsAll(line);
    } else {
      rest.push(line);
      const skeleton = skeletonOf(line);
      skeletons ??= new Set(lines.map(skeletonOf));
      if (skeleton !== undefined && skeletons.has(skeleton)) met += weight * namesDiffer;
    }
  }
  const share = met / known.weight;
  const isWhole = share >= whole.known && met >= whole.weight;
  const least = notOf !== undefined ? enough.elsewhere : hidden ? enough.hidden : enough.known;
  const isEnough = isSame
    ? share >= least && (met >= enough.met * all || (isWhole && !hidden))
    : alone && !hidden && notOf === undefined;
  if (!isEnough) return 0;
  const ofTests = linesOfFailedTests(text);
  if (ofTests && ![...known.lines.keys()].some((line) => ofTests.has(line))) return 0;
  const isAdvised = known.advised.some((step) => text.includes(step));
  if (!isAdvised && known.needs.some((need) => !text.includes(need))) return 0;
  const fresh = lines.filter((line) => !known.lines.has(line));
  if (
    isOfAny(
      known,
      [...known.lines.keys()].filter((line) => now.has(line)),
      { about, text },
    )
  )
    return 0;
  if (known.files.length > 0 && isAnother(rest, fresh, [...known.lines.keys()], lines)) return 0;
  return isSame ? share : share / 2;
}

/** What a service answers when it did not do what it was asked. */
const status =
  /\b(?:HTTP(?:\/[\d.]+)?|status|code|error|ERR!|responded with)(?!\p{L})\P{L}{0,4}[45]\d\d(?!\d)/iu;
/** The name of a field in such an answer: `message": …`. */
const field = /"?[\w.-]+"\s*:/g;

/**
 * True where a service answered with its status alone, to commands about different things, and the repair is one of the same program, or
 * in files: `gh: Not Found (HTTP 404)` says nothing of what another call did not find.
 */
function isOfAny(
  known: Comparable,
  common: readonly string[],
  { about, text }: Pick<Failed, "about" | "text">,
): boolean {
  // As it was printed: of `error 404` the normal line keeps no number.
  const said = linesIn(text).filter((line) => status.test(line));
  if (!said.some((line) => common.includes(normalLine(line)))) return false;
  const [then, now] = [readCommand(known.about), readCommand(about)];
  const [before, after] = [then, now].map(objectsOf);
  if (!before || !after || before.isSubsetOf(after) || after.isSubsetOf(before)) return false;
  const names = common.flatMap((line) => [...namesIn(line.replace(field, " "))]);
  if (names.some((name) => !/\s/.test(name))) return false;
  return known.done.every(
    (one) => !one.startsWith("`") || readCommand(one.slice(1, -1)).tool === then.tool,
  );
}

/** What a command is given, without its options. */
function objectsOf({ words }: Command): Set<string> {
  return new Set(words.filter((word) => !word.startsWith("-")));
}

/**
 * True when what is left of both speaks of different things: of names that the other does not have, with none in common.
 * What a message quotes is what it is about.
 */
function isAnother(
  rest: readonly string[],
  fresh: readonly string[],
  known: readonly string[],
  now: readonly string[],
): boolean {
  if (rest.length === 0 || fresh.length === 0) return false;
  return [quotedIn, namesIn].some((read) => {
    const all = (texts: readonly string[]) => new Set(texts.flatMap((text) => [...read(text)]));
    const [before, after] = [all(rest), all(fresh)];
    if (read === quotedIn && (before.size === 0 || after.size === 0)) return false;
    const both = all(known.filter((line) => now.includes(line)));
    if ([...before].some((name) => after.has(name) && !both.has(name))) return false;
    const [there, here] = [all(known), all(now)];
    return (
      [...before].some((name) => !here.has(name)) && [...after].some((name) => !there.has(name))
    );
  });
}

function tellsAll(line: string): boolean {
  const letters = line.match(/\p{L}/gu)?.length ?? 0;
  return letters >= tellsAlone && namesIn(line).size > 0;
}

/** What the failure said that these commands repeat: names, and numbers of a kind that does not change by itself. */
export function needsOf(text: string, commands: readonly string[]): string[] {
  const words = new Set([
    ...namesIn(text),
    ...(text.match(/(?<![\p{L}\p{N}-])\d{2,5}(?![\p{L}\p{N}-])/gu) ?? []),
  ]);
  return [...words].filter(
    (word) =>
      word.length >= 3 && !isRandom.test(word) && commands.some((one) => one.includes(word)),
  );
}

/** Nobody chose it: the next one is another. */
const isRandom = /^[\da-f]{7,}$|^[\da-f]{8}-[\da-f-]{27}$/i;

/** What the repair ran that the failure said to run. */
export function advisedBy(text: string, commands: readonly string[]): string[] {
  return commands
    .flatMap((line) => readCommand(line).steps)
    .filter((step) => step.includes(" ") && text.includes(step));
}

// What a message is about: the names in it, above all those that it quotes. Pure.

/** What stands in quotes that belong together, without white space at its ends. */
const quotedParts =
  /(?<![\p{L}\p{N}])(?:'([^'\n]{1,80})'|"([^"\n]{1,80})"|[`‘“«„]([^`'’“”»\n]{1,80})[`'’“”»])(?![\p{L}\p{N}])/gu;
/** Joined of parts, or written in two cases: no word of a language. */
const joined = /[\p{L}\p{N}](?:[._:|$/\\-]+)[\p{L}\p{N}]|\p{Ll}\p{Lu}/u;
const between = /[\s"'`‘’“”«»()[\]{}<>,;=]+/u;
const edges = /^[^\p{L}\p{N}#]+|[^\p{L}\p{N}#]+$/gu;
/** The code of an error names its kind, not what it befell. */
const code = /^[A-Z]{1,5}_?\d{2,5}$|^[A-Z][A-Z\d]*(?:_[A-Z\d]+)+$/;

/** What a text quotes. */
export function quotedIn(text: string): Set<string> {
  return new Set(
    [...text.matchAll(quotedParts)]
      .map(([, one, two, three]) => (one ?? two ?? three ?? "").trim())
      .filter((quoted) => /\p{L}/u.test(quoted) && !code.test(quoted)),
  );
}

/** Names in a text, quoted or not. */
export function namesIn(text: string): Set<string> {
  const words = text.split(between).map((word) => word.replace(edges, ""));
  return new Set([
    ...quotedIn(text),
    ...words.filter((word) => joined.test(word) && !code.test(word)),
  ]);
}

/** The line with a mark for each name; undefined where too little of it stays. */
export function skeletonOf(line: string): string | undefined {
  const bare = line
    .replace(quotedParts, "~")
    .split(" ")
    .map((word) => (joined.test(word.replace(edges, "")) ? "~" : word))
    .join(" ");
  const plain = bare.match(/\p{L}{2,}/gu)?.length ?? 0;
  return bare.includes("~") && plain >= 3 ? bare : undefined;
}

// What a line of a failure says wherever and whenever it is printed: without places, numbers, addresses and times. Pure.

/** Of a text and of a line, what is looked at. */
const mostRead = 20_000;
const longestLine = 300;
/** Of a long text the first and the last lines. */
const linesAtEachEnd = 60;

const uuid = /\b[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}\b/gi;
const url = /\b[a-z][a-z+.-]{1,12}:\/\/[^\s"'`<>)\]]+/gi;
const date = /\b\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:[.,]\d+)?)?(?:Z|[+-]\d\d:?\d\d)?)?/g;
const path = /(?:[A-Za-z]:)?(?:[^\s"'`“”«»「」()[\]{}<>:;,|=/\\]*[/\\])+(?=[^\s])/g;
const address = /\b0x[\da-f]+\b/gi;
const hash = /(?<![\p{L}\p{N}])(?=[a-f]*\d)[\da-f]{7,64}(?![\p{L}\p{N}])/gu;
/** `12`, `1.2s`, `12:30:01`, `3,5 ms`, `127.0.0.1`; not the number in a name: `TS2345`. */
const number =
  /(?<![\p{L}\p{N}_])\p{N}+(?:[.,:]\p{N}+)*(?:\s?(?:[nµμum]?s|min|m|h|[kKMG]i?B|%)(?![\p{L}\p{N}]))?/gu;
/** Before the number that a service answered with or a program ended with, and before a port. */
const saysCode = /\b(?:status|code|errno)[ :=(]{1,3}$/i;
const saysError = /\b(?:error|HTTP(?:\/[\d.]+)?)[ :=(]{1,3}$/i;
const saysPort = /\b(?:localhost:|port[ :=]{1,2})$/i;
const withPort = /^\d+(?:\.\d+){3}:(\d{2,5})$/;
/** Ports from here on are given out anew each time. */
const givenOut = 32_768;
/** A number in a name that is no code of an error: `worker12`, `tmp.a81x`. */
const named = /[\p{L}_][\p{L}\p{N}_]*\p{N}[\p{L}\p{N}_]*/gu;
const errorCode = /^[A-Z]{1,5}_?\d{2,5}$/;
/** What an ID ends in, or stands in the middle of it. */
const digits = /\p{N}+/gu;
/** How test runners mark what passed. */
const passed = /^\s*(?:[✓✔√☑✅]|\(pass\)|ok\s|\?\s|-*\s*PASS\b)/u;
/** A line of a log at a level below a warning's: it failed nothing. */
const informs =
  /^(?:\S+\s+){0,3}?\[?(?:INFO|DEBUG|TRACE)\b|\b(?:level|lvl|severity)["']?\s*[=:]\s*["']?(?:info|debug|trace|INFO|DEBUG|TRACE)\b/u;
/** How the client begins the result of a command that failed. */
const clientWords = /^Exit code \d+$/;

/** The line without what changes from run to run; of a path its last part stays. */
export function normalLine(line: string): string {
  return line
    .slice(0, longestLine)
    .replace(url, "#")
    .replace(uuid, "#")
    .replace(date, "#")
    .replace(path, "")
    .replace(address, "#")
    .replace(hash, "#")
    .replace(named, (word) => (errorCode.test(word) ? word : word.replace(digits, "#")))
    .replace(number, (value, at: number, all: string) =>
      numberSays(value, all.slice(Math.max(0, at - 20), at)),
    )
    .replace(/\s+/g, " ")
    .replace(edges, "");
}

/** The number where it says what happened or which service; else a mark. */
function numberSays(value: string, before: string): string {
  if (/^\d{1,3}$/.test(value) && saysCode.test(before)) return value;
  if (/^\d{3}$/.test(value) && saysError.test(before)) return value;
  const port = withPort.exec(value)?.[1] ?? (saysPort.test(before) ? value : undefined);
  return port !== undefined && Number(port) < givenOut ? `#:${port}` : "#";
}

/** The lines of a failure that may tell it from another one, each once, in their order. */
export function tellingLines(text: string): string[] {
  const all = linesIn(text);
  const looked =
    all.length > 2 * linesAtEachEnd
      ? [...all.slice(0, linesAtEachEnd), ...all.slice(-linesAtEachEnd)]
      : all;
  const lines = new Set<string>();
  for (const line of looked) {
    if ([passed, informs].some((one) => one.test(line)) || clientWords.test(line.trim())) continue;
    const normal = normalLine(line);
    if (says(normal)) lines.add(normal);
  }
  return [...lines];
}

/** How test runners mark a test that failed; not the line of a file or a package that has one. */
const failed = /^\s*(?:[✗✘×✕●❌]|\(fail\)|not ok\s|-+\s*FAIL\b|FAILED\s)|\bFAILED$/u;
/** Where a line says in a file: `cart_test.go:12`, `src/cart.ts:12:3`, `src/cart.ts(12,5)`. */
const place = /[\p{L}\p{N}_-]\.\p{L}{1,6}[:(]\d+(?!\p{L})/u;
/** Lines around a failed test that are about it. */
const around = 12;

/**
 * Of the output of a runner that lists what passed, the lines about the tests that failed: all else is printed by tests that pass as well.
 * Undefined for any other output.
 */
export function linesOfFailedTests(text: string): Set<string> | undefined {
  const lines = linesIn(text);
  if (!lines.some((line) => passed.test(line))) return undefined;
  const marked = lines.flatMap((line, at) => (failed.test(line) ? [at] : []));
  const isNear = (at: number) => marked.some((mark) => Math.abs(mark - at) <= around);
  return new Set(
    lines.flatMap((line, at) => (place.test(line) || isNear(at) ? normalLine(line) : [])),
  );
}

function linesIn(text: string): string[] {
  return stripAnsi(text.length > mostRead ? bothEnds(text) : text).split(lineEnd);
}

function bothEnds(text: string): string {
  return `${text.slice(0, mostRead / 2)}\n${text.slice(-mostRead / 2)}`;
}

/** Also where a program wrote `\n` out. */
const lineEnd = /\r?\n|\r|(?:\\n)+(?![a-z])/;
/** Four characters of languages that put no blanks between words. */
const unspaced = new RegExp(`(?:[${unspacedRange}][^${unspacedRange}]*){4}`, "u");
const eightLetters = /(?:\p{L}\P{L}*){8}/u;
const twoWords = /\p{L}\P{L}+\p{L}/u;

/** A line of one word, or of symbols, could be any failure's. */
function says(line: string): boolean {
  return unspaced.test(line) || (eightLetters.test(line) && twoWords.test(line));
}

// What a command line runs, and whether another one did the same, or more, in another way.

/** A command line, read once: it is compared with many. */
export interface Command {
  /** As it was written. */
  line: string;
  /** The same for another run of it. */
  key: string;
  /** Without quoted texts and here-documents. */
  bare: string;
  /** The words of that. */
  words: readonly string[];
  /** `git push`, `mix test`: what each part runs, and its first word. */
  steps: readonly string[];
  /** Its program, the last of several, or the tool's name. */
  tool: string;
}

/** Reads a command line. */
export function readCommand(line: string): Command {
  const key = commandKey(line);
  const bare = bareOf(key);
  const steps = stepsOf(bare);
  const tool = steps.at(-1)?.split(" ")[0] ?? "";
  return { line, key, bare, words: bare.split(" "), steps, tool };
}

function bareOf(key: string): string {
  return key
    .replace(/"?\$?\(?\w*\s*<<-?\s*(['"]?)(\w+)\1[\s\S]*/, "…")
    .replace(/"(?:[^"\\]|\\.)*"|'[^']*'/g, "…");
}

function stepsOf(bare: string): string[] {
  return bare.split(/&&|\|\||;|\n/).flatMap((part) => {
    const words = part
      .trim()
      .split(/\s+/)
      .filter((word) => !/^(?:\w+=.*|-.*)$/.test(word));
    const [program = "", first = ""] = words;
    return program === "" ? [] : `${program.split("/").at(-1)} ${first}`.trim();
  });
}

/** True when all that one line runs is among what the other runs. */
export function runsSame(failed: Command, { steps }: Command): boolean {
  return failed.steps.length > 0 && failed.steps.every((step) => steps.includes(step));
}

/** So much of a line stays when what the failure named is left out of it; less is another command. */
const stays = 0.8;

/** With more words than before, or without something that the failure named. */
export function isOtherWay(failed: Command, text: string, passed: Command): boolean {
  const words = wordsOf(failed);
  const now = new Set(wordsOf(passed));
  const missing = words.filter((word) => !now.has(word));
  const isNamed = missing.every((word) => text.split(/\s+/).some((said) => isPart(word, said)));
  return missing.length === 0 || (isNamed && missing.length <= (1 - stays) * words.length);
}

/** The same words behind a program of nearly that name, or with something in front: `python3 x.py` for `python x.py`, `sudo docker ps`. */
export function isOtherProgram(failed: Command, { words }: Command): boolean {
  // Most have another end: nothing more is looked at.
  if (words.at(-1) !== failed.words.at(-1)) return false;
  const [program = "", ...rest] = failed.words;
  if (rest.length === 0 || words.slice(-rest.length).join(" ") !== rest.join(" ")) return false;
  const instead = words.slice(0, -rest.length).join("");
  return instead !== program && lettersOf(instead).includes(lettersOf(program));
}

/** It runs all that the other runs, or of that what the failure named. */
export function runsAsMuch(failed: Command, text: string, passed: Command): boolean {
  if (!runsSame(failed, passed) || failed.steps.length !== passed.steps.length) return false;
  const before = new Set(wordsOf(failed));
  const added = wordsOf(passed).filter((word) => !before.has(word));
  return added.every((word) => word === "--" || (!word.startsWith("-") && text.includes(word)));
}

function lettersOf(word: string): string {
  return word.replace(/[^\p{L}]/gu, "").toLowerCase();
}

/** Words of a line, its programs without their folders. */
function wordsOf({ words }: Command): string[] {
  const [program = "", ...rest] = words;
  return [program.split("/").at(-1) ?? "", ...rest];
}

function isPart(word: string, said: string): boolean {
  return word.includes(said) ? said.length > 3 : said.includes(word);
}
