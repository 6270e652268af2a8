// Words for times in a query: "last week", "in March", "3 days ago", "since 2026-03-05", "before v1.2".

/** A moment that has a name: a tag, a commit, a release. */
interface Mark {
  name: string;
  /** Epoch ms. */
  time: number;
}

/** What the words are read against. */
export interface Calendar {
  /** Epoch ms. Days begin and end where this process's clock says so. */
  now: number;
  /** Names that may stand after "before", "since" and the like; the newest counts as "the release". */
  marks?: readonly Mark[];
}

/** The time that a query speaks of. */
export interface TimeWords {
  /** Epoch ms, inclusive; absent: since ever. */
  since?: number;
  /** Epoch ms, exclusive; absent: until now. */
  until?: number;
  /** The words it was said with. */
  said: string;
  /** The query without them. */
  rest: string;
  /** Measured by an event that memory has. */
  isBeside?: true;
}

type Span = { since?: number; until?: number };

const months =
  "january february march april may june july august september october november december".split(
    " ",
  );
const weekdays = "sunday monday tuesday wednesday thursday friday saturday".split(" ");
const numbers = "a one two three four five six seven eight nine ten".split(" ");
const hour = 3_600_000;

const month = `(?:${months.map((name) => `${name.slice(0, 3)}(?:${name.slice(3)})?`).join("|")})`;
const weekday = `(?:${weekdays.join("|")})`;
const count = "(?:\\d{1,3}|an?|one|two|three|four|five|six|seven|eight|nine|ten|few|couple of)";
const unit = "(?:hour|day|week|month|year)s?";
const date = `(?:\\d{4}-\\d{2}-\\d{2}|${month}\\.? \\d{1,2}(?:st|nd|rd|th)?(?:,? \\d{4})?|\\d{1,2}(?:st|nd|rd|th)? (?:of )?${month}(?:,? \\d{4})?|${month}(?:,? \\d{4})|\\d{4}-\\d{2})`;
const limit = "before|after|since|until|till|by";

type Rule = [RegExp, (found: RegExpExecArray, calendar: Calendar) => Span | undefined];

/** The first that fits is taken. */
const rules: readonly Rule[] = [
  rule(`(${limit}) (${date}|${month}|${weekday}|yesterday|today)`, ([, word, day], { now }) =>
    bounded(word, dayOrMonth(day, now)),
  ),
  rule(`(?:on |in |during |of )?(${date})`, ([, day], { now }) => dayOrMonth(day, now)),
  rule(`(?:in|during|of) (${month})`, ([, name], { now }) => dayOrMonth(name, now)),
  rule(
    `(?:in |during |over |within |from )?(?:the )?(?:last|past|previous) (${count}) (${unit})`,
    ([, many, of], { now }) => ({
      since: back(now, countOf(many), of),
    }),
  ),
  rule(`(${count}) (${unit}) ago`, ([, many, of], { now }) => around(now, countOf(many), of)),
  rule("(?:in |during |of )?(?:the )?(?:last|past|previous) (week|month|year)", ([, of], { now }) =>
    calendarUnit(now, of, -1),
  ),
  rule("(?:in |during |of )?this (week|month|year)", ([, of], { now }) => calendarUnit(now, of, 0)),
  rule(`(?:on |last )(${weekday})`, ([, name], { now }) => dayOrMonth(name, now)),
  rule("(yesterday|today)", ([, name], { now }) => dayOrMonth(name, now)),
];

function rule(
  pattern: string,
  span: (found: RegExpExecArray, calendar: Calendar) => Span | undefined,
): Rule {
  return [asWords(pattern), span];
}

/** Whole words, outside of names and paths. */
function asWords(pattern: string): RegExp {
  return new RegExp(`(?<![\\p{L}\\p{N}_/.-])${pattern}(?![\\p{L}\\p{N}_/-]|\\.\\p{N})`, "iu");
}

/** The time that the query speaks of, or undefined when it speaks of none. */
export function timeWords(text: string, calendar: Calendar): TimeWords | undefined {
  // A long text is no question with a time in it.
  if (text.length > 400) return undefined;
  const marked = markWords(text, calendar);
  if (marked) return marked;
  for (const [pattern, spanOf] of rules) {
    const found = pattern.exec(text);
    const span = found ? spanOf(found, calendar) : undefined;
    if (found && span) return { ...span, ...without(text, found.index, found[0].length) };
  }
  return undefined;
}

/** What happened, and how long after or before it the question looks. */
interface EventWords {
  event: string;
  isAfter: boolean;
  /** Absent: as far as memory goes. */
  withinMs?: number;
  /** The question without the event. */
  rest: string;
}

const day = 24 * hour;
const withins: Readonly<Record<string, number>> = { day: 2 * day, week: 8 * day, month: 32 * day };
/** "the week after X", "right before X", "after we added X": a clause or a unit, so that "retry after timeout" is none. */
const beside = asWords(
  "(?:(?:in |on |during )?the (?<unit>day|week|month) (?<one>after|before)|(?:right|just|shortly|soon|directly|immediately) (?<near>after|before)|(?<any>after|before)(?= (?:we|I|you|they|he|she|it) ))\\s+(?<event>[^,;?!\\n]{3,120})",
);

/** The event that a question measures time by, or undefined where it has none. */
export function eventWords(text: string): EventWords | undefined {
  const found = text.length > 400 ? null : beside.exec(text);
  if (!found) return undefined;
  const { unit, one, near, any, event = "" } = found.groups ?? {};
  const withinMs = near === undefined ? withins[unit ?? ""] : withins.day;
  const { rest } = without(text, found.index, found[0].length);
  const isAfter = (one ?? near ?? any)?.toLowerCase() === "after";
  return { event, isAfter, rest, ...(withinMs !== undefined && { withinMs }) };
}

function without(text: string, at: number, length: number): Pick<TimeWords, "said" | "rest"> {
  const rest = `${text.slice(0, at)} ${text.slice(at + length)}`.replace(/\s+/g, " ").trim();
  return { said: text.slice(at, at + length).trim(), rest };
}

/** `before v1.2`, `since the release`: names are compared as they are written, without case. */
function markWords(text: string, { marks = [] }: Calendar): TimeWords | undefined {
  const newest = marks.reduce<Mark | undefined>(
    (a, b) => (a && a.time >= b.time ? a : b),
    undefined,
  );
  const named = /(?<![\p{L}\p{N}_-])(before|after|since|until|till|by) (?:the )?(?:last )?(\S+)/giu;
  for (const found of text.matchAll(named)) {
    const name = (found[2] ?? "").replace(/[?!.,;:]+$/, "").toLowerCase();
    const mark =
      marks.find(
        (one) => one.name.toLowerCase() === name || one.name.toLowerCase() === `v${name}`,
      ) ?? (name === "release" ? newest : undefined);
    if (mark)
      return {
        ...bounded(found[1], { since: mark.time, until: mark.time }),
        ...without(text, found.index, found[0].length),
      };
  }
  return undefined;
}

function bounded(word = "", span: Span | undefined): Span | undefined {
  if (!span) return undefined;
  const { since, until } = span;
  switch (word.toLowerCase()) {
    case "before":
      return since === undefined ? undefined : { until: since };
    case "after":
      return until === undefined ? undefined : { since: until };
    case "since":
      return since === undefined ? undefined : { since };
    default:
      return until === undefined ? undefined : { until };
  }
}

function countOf(word = ""): number {
  if (/^\d+$/.test(word)) return Number(word);
  if (word.startsWith("couple")) return 2;
  if (word === "few") return 4;
  return Math.max(1, numbers.indexOf(word.toLowerCase() === "an" ? "a" : word.toLowerCase()) || 1);
}

/** So many units before `now`. */
function back(now: number, many: number, unitWord = ""): number {
  const of = unitWord.toLowerCase().replace(/s$/, "");
  if (of === "hour") return now - many * hour;
  const moment = new Date(now);
  if (of === "day") moment.setDate(moment.getDate() - many);
  if (of === "week") moment.setDate(moment.getDate() - 7 * many);
  if (of === "month") moment.setMonth(moment.getMonth() - many);
  if (of === "year") moment.setFullYear(moment.getFullYear() - many);
  return moment.getTime();
}

/** "3 days ago" is that day; "2 weeks ago" half a week on either side of it. */
function around(now: number, many: number, unitWord = ""): Span {
  const of = unitWord.toLowerCase().replace(/s$/, "");
  const middle = back(now, many, of);
  if (of === "hour") return { since: middle - hour / 2, until: middle + hour / 2 };
  const days = { day: 0, week: 3, month: 15, year: 182 }[of] ?? 0;
  return { since: startOfDay(middle, -days), until: startOfDay(middle, days + 1) };
}

function calendarUnit(now: number, unitWord = "", shift: -1 | 0): Span {
  const { since, until } = unitAround(now, unitWord.toLowerCase(), shift);
  return { since, until };
}

function unitAround(now: number, of: string, shift: number): { since: number; until: number } {
  const day = new Date(startOfDay(now, 0));
  const [year, monthNumber, date] = [day.getFullYear(), day.getMonth(), day.getDate()];
  if (of === "year") return { since: at(year + shift, 0, 1), until: at(year + shift + 1, 0, 1) };
  if (of === "month")
    return { since: at(year, monthNumber + shift, 1), until: at(year, monthNumber + shift + 1, 1) };
  const monday = date - ((day.getDay() + 6) % 7);
  return {
    since: at(year, monthNumber, monday + 7 * shift),
    until: at(year, monthNumber, monday + 7 * (shift + 1)),
  };
}

/** A date, a month, a weekday, today or yesterday: the newest of that name that has begun. */
function dayOrMonth(text = "", now: number): Span | undefined {
  const said = text.toLowerCase().replace(/[,.]/g, "");
  if (said === "today") return { since: startOfDay(now, 0), until: startOfDay(now, 1) };
  if (said === "yesterday") return { since: startOfDay(now, -1), until: startOfDay(now, 0) };
  const iso = /^(\d{4})-(\d{2})(?:-(\d{2}))?$/.exec(said);
  if (iso) return dated(Number(iso[1]), Number(iso[2]) - 1, iso[3] ? Number(iso[3]) : undefined);
  if (weekdays.includes(said)) {
    const today = new Date(now).getDay();
    const days = ((today - weekdays.indexOf(said) + 6) % 7) + 1;
    return { since: startOfDay(now, -days), until: startOfDay(now, 1 - days) };
  }
  const name = said.match(/[a-z]{3,}/g)?.find((word) => monthOf(word) >= 0);
  const monthNumber = monthOf(name ?? "");
  if (monthNumber < 0) return undefined;
  const year = /\d{4}/.exec(said)?.[0];
  const day = /(?<!\d)(\d{1,2})(?:st|nd|rd|th)?(?!\d)/.exec(said.replace(/\d{4}/, ""))?.[1];
  const thisYear = new Date(now).getFullYear();
  const span = dated(year ? Number(year) : thisYear, monthNumber, day ? Number(day) : undefined);
  const isAhead = year === undefined && (span?.since ?? 0) > now;
  return isAhead ? dated(thisYear - 1, monthNumber, day ? Number(day) : undefined) : span;
}

function monthOf(word: string): number {
  return months.findIndex((name) => word === name || word === name.slice(0, 3));
}

/** A day, or a whole month; undefined for a date that there is not. */
function dated(year: number, monthNumber: number, day: number | undefined): Span | undefined {
  if (monthNumber < 0 || monthNumber > 11) return undefined;
  if (day === undefined)
    return { since: at(year, monthNumber, 1), until: at(year, monthNumber + 1, 1) };
  if (new Date(at(year, monthNumber, day)).getMonth() !== monthNumber) return undefined;
  return { since: at(year, monthNumber, day), until: at(year, monthNumber, day + 1) };
}

function startOfDay(time: number, shift: number): number {
  const day = new Date(time);
  return at(day.getFullYear(), day.getMonth(), day.getDate() + shift);
}

function at(year: number, monthNumber: number, day: number): number {
  return new Date(year, monthNumber, day).getTime();
}
