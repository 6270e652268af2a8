// Texts, times and numbers as people read them.

/**
 * Characters that a terminal obeys, and those that turn the direction of what follows: shown by their names. Marks that belong to
 * right-to-left text stay.
 */
const unseen = /(?![\n\t])[\p{Cc}\u202a-\u202e\u2066-\u2069]/gu;

/** The text with nothing in it that acts. */
export function asShown(text: string): string {
  return text
    .replace(/\r\n?/g, "\n")
    .replace(unseen, (sign) => `⟨${(sign.codePointAt(0) ?? 0).toString(16).padStart(4, "0")}⟩`);
}

const wideSign = /[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]/;
/** Made once: an expression with these classes takes a while to compile, and each hit has other words. */
const endsInLetter = /[\p{L}\p{N}]$/u;
const letters = /^[\p{L}\p{N}]*/u;

/** A text in parts; those that hold one of the words, or begin with it, are marked. */
export function marked(
  text: string,
  words: readonly string[],
): Array<{ text: string; isHit: boolean }> {
  const wanted = [...new Set(words.map((word) => word.toLowerCase()))].filter(Boolean);
  if (wanted.length === 0) return [{ text, isHit: false }];
  const any = wanted
    .sort((a, b) => b.length - a.length)
    .map((word) => word.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"))
    .join("|");
  const isWide = wanted.some((word) => wideSign.test(word));
  const parts: Array<{ text: string; isHit: boolean }> = [];
  let at = 0;
  for (const { 0: found, index } of text.matchAll(new RegExp(any, "giu"))) {
    if (index < at || (!isWide && endsInLetter.test(text.slice(Math.max(0, index - 2), index))))
      continue;
    if (index > at) parts.push({ text: text.slice(at, index), isHit: false });
    const rest = isWide ? "" : (letters.exec(text.slice(index + found.length))?.[0] ?? "");
    at = index + found.length + rest.length;
    parts.push({ text: text.slice(index, at), isHit: true });
  }
  if (at < text.length) parts.push({ text: text.slice(at), isHit: false });
  return parts;
}

const day = 24 * 60 * 60_000;
const clock = new Intl.DateTimeFormat(undefined, { timeStyle: "short" });
const date = new Intl.DateTimeFormat(undefined, { dateStyle: "medium" });
const whole = new Intl.DateTimeFormat(undefined, { dateStyle: "full", timeStyle: "medium" });
const span = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "short" });
const number = new Intl.NumberFormat();

/** A time of today, else a date. */
export function shortTime(time: number, now: number): string {
  const isToday = now - time < day && new Date(now).getDate() === new Date(time).getDate();
  return (isToday ? clock : date).format(time);
}

const weekday = new Intl.DateTimeFormat(undefined, {
  weekday: "long",
  day: "numeric",
  month: "long",
});
const dated = new Intl.DateTimeFormat(undefined, { dateStyle: "full" });
const relative = new Intl.RelativeTimeFormat(undefined, { numeric: "auto" });
const minuteMs = 60_000;

/** The day of a moment: “today”, “Friday 14 February”, with the year where it is another. */
export function dayWords(time: number, now = Date.now()): string {
  const midnight = (at: number) => new Date(at).setHours(0, 0, 0, 0);
  const days = Math.round((midnight(time) - midnight(now)) / day);
  if (days === 0 || days === -1) return relative.format(days, "day");
  const isThisYear = new Date(time).getFullYear() === new Date(now).getFullYear();
  return (isThisYear ? weekday : dated).format(time);
}

/** `38 min`, `1 h 12 min`. */
export function lasted(ms: number): string {
  const minutes = Math.max(1, Math.round(ms / minuteMs));
  if (minutes < 60) return `${minutes} min`;
  const hours = Math.floor(minutes / 60);
  if (hours >= 24) return counted(Math.round(hours / 24), "day");
  return minutes % 60 === 0 ? `${hours} h` : `${hours} h ${minutes % 60} min`;
}

/** What a text says after its title; nothing where the title says it all. */
export function afterTitle(text: string, title: string): string {
  const start = title.replace(/[.…]+$/, "");
  const same = (one: string) => one.toLowerCase().replace(/[–—]/g, "-");
  const rest = same(text).startsWith(same(start)) ? text.slice(start.length) : undefined;
  // A title that ends within a sentence is no sentence of its own.
  if (rest === undefined || !/^([.:;!?…]*\s*$|[.:;!?…]+\s|\s*\n)/.test(rest)) return text;
  return rest.replace(/^[\s.:;!?…]+/, "");
}

/** The first line that says something, not too long for one. */
export const firstLine = (text: string) =>
  (text.split("\n").find((line) => line.trim() !== "") ?? "").trim().slice(0, 160);

/** All of it. */
export const fullTime = (time: number) => whole.format(time);

/** The time of day. */
export const timeOfDay = (time: number) => clock.format(time);

/** From one moment to another. */
export const timeSpan = (from: number, to: number) => span.formatRange(from, Math.max(from, to));

const short = new Intl.NumberFormat(undefined, { notation: "compact", maximumFractionDigits: 1 });

/** A whole number, with the marks that the browser's language has. */
export const wholeNumber = (value: number) => number.format(Math.round(value));

/** `1.2K`. */
export const shortNumber = (value: number) => short.format(value);

/** A count with its noun. */
export function counted(count: number, one: string, many = `${one}s`): string {
  return `${number.format(count)} ${count === 1 ? one : many}`;
}

/** As a sentence begins. */
export const capital = (text: string) => `${text.charAt(0).toUpperCase()}${text.slice(1)}`;

/** A name of a field as words: `nextSteps` as “Next steps”. */
export const fieldWords = (name: string) => capital(name.replace(/([A-Z])/g, " $1").toLowerCase());

/** Who a record is by, to the person who reads it: agents read “the user” there. */
export const byWords = (by = "") => by.replace("the user's", "your").replace("the user", "you");
