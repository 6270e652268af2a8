// Small pure tools for text: budgets that never split a word or a surrogate pair, words, single lines and names.

const lead = (code: number): boolean => code >= 0xd800 && code <= 0xdbff;
const trail = (code: number): boolean => code >= 0xdc00 && code <= 0xdfff;

const astral = /[\ud800-\udfff]/;
const astralAll = /[\ud800-\udbff][\udc00-\udfff]|[\ud800-\udfff]/g;

/** The text with every character outside the Basic Multilingual Plane, and every lone surrogate, replaced by U+FFFD. */
export function toBmp(text: string): string {
  return astral.test(text) ? text.replace(astralAll, "\ufffd") : text;
}

/** The first `max` UTF-16 units, one fewer where the cut would fall inside a surrogate pair. */
export function head(text: string, max: number): string {
  if (text.length <= max) return text;
  const end = Math.max(0, max);
  const splits = end > 0 && lead(text.charCodeAt(end - 1)) && trail(text.charCodeAt(end));
  return text.slice(0, splits ? end - 1 : end);
}

/** How far back a cut looks for a space before it gives up and cuts inside the word. */
const wordSearch = 40;

/**
 * The text in at most `max` UTF-16 units, `ellipsis` included. Cuts at a space where one is near, else inside the
 * word; never inside a surrogate pair.
 */
export function cut(text: string, max: number, ellipsis = "…"): string {
  if (text.length <= max) return text;
  if (max <= ellipsis.length) return head(text, max);
  const budget = max - ellipsis.length;
  const kept = head(text, budget);
  if (/\s/.test(text.charAt(kept.length))) return kept.trimEnd() + ellipsis;
  let at = kept.length;
  const stop = Math.max(0, kept.length - wordSearch);
  while (at > stop && !/\s/.test(kept.charAt(at - 1))) at--;
  const whole = at > stop ? kept.slice(0, at) : kept;
  return whole.replace(/[\s,;:([{–—-]+$/, "") + ellipsis;
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: escape sequences are made of control characters
const ansi = /\u001b(?:\[[0-?]*[ -/]*[@-~]?|\][^\u0007\u001b]*(?:\u0007|\u001b\\)?|[ -/]*[0-~])?/g;

/** The text without terminal escape sequences (colours, cursor moves, window titles, links). */
export function stripAnsi(text: string): string {
  return text.includes("\u001b") ? text.replace(ansi, "") : text;
}

/** All white space, line ends included, collapsed to single spaces; trimmed. */
export function oneLine(text: string): string {
  return text.replace(/\s+/g, " ").trim();
}

/** The words of a text: what white space separates. */
function words(text: string): string[] {
  return text.match(/\S+/g) ?? [];
}

/** Number of words. */
export function countWords(text: string): number {
  return words(text).length;
}

/** The first `max` words, joined by single spaces, with `ellipsis` when something was left out. */
export function limitWords(text: string, max: number, ellipsis = ""): string {
  const all = words(text);
  if (all.length <= max) return all.join(" ");
  const kept = all.slice(0, Math.max(0, max)).join(" ");
  return kept.replace(/[,;:(–—-]+$/, "") + ellipsis;
}

/** The text with its first letter in upper case. */
export function capitalize(text: string): string {
  const first = String.fromCodePoint(text.codePointAt(0) ?? 0);
  return text === "" ? text : first.toUpperCase() + text.slice(first.length);
}

/** The last part of a path or of a project's id, whichever way its separators lean; the whole where it has none. */
export function baseName(path: string): string {
  return path.split(/[\\/]/).findLast((part) => part !== "") ?? path;
}

/** The words of a name in camel case: `next steps` of `nextSteps`, or `next_steps` with that separator. */
export function nameWords(name: string, separator = " "): string {
  return name.replace(/[A-Z]/g, (letter) => separator + letter.toLowerCase());
}

/** `1 file`, `2 files`, `2 entries`: a count and its noun. */
export function plural(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`;
}
