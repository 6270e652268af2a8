// What is wrong with a config value, in words: the path, what stands there, and the nearest thing that may.
import type * as v from "valibot";
import { distance } from "../../text/distance.ts";
import { calledSo, type Named } from "../../text/paths.ts";

/** One thing that is wrong. `path` is dotted (`slots.storage`), empty for the whole file. */
export interface ConfigProblem {
  path: string;
  message: string;
  /** What to do, where something more exact is known than to change the value. */
  fix?: string;
}

/** A problem that can be cut out: its place as keys. */
export interface LocatedProblem extends ConfigProblem {
  keys: Array<string | number>;
}

/** Characters of a value that stand in the words about it; a notice has to hold them. */
const longestShown = 200;

/** One line for people. */
export function problemText({ path, message }: ConfigProblem): string {
  return path ? `${path}: ${message}` : message;
}

/** The candidate a person most likely meant (few slips away, or begun so), or undefined when none is near. */
export function nearest(word: string, candidates: readonly string[]): string | undefined {
  let best = candidates.find((candidate) => isBeginning(word, candidate));
  // Short words are near to everything; there, one slip is all.
  const tolerated = word.length < 5 ? 1 : Math.max(2, Math.floor(word.length / 3));
  let bestDistance = tolerated + 1;
  for (const candidate of candidates) {
    const apart = distance(word.toLowerCase(), candidate.toLowerCase(), tolerated);
    if (apart < bestDistance) {
      best = candidate;
      bestDistance = apart;
    }
  }
  return best;
}

/** Whether `word` is how `candidate` begins; one or two letters begin too much. */
function isBeginning(word: string, candidate: string): boolean {
  return word.length > 2 && candidate.toLowerCase().startsWith(word.toLowerCase());
}

/** `unknown key; did you mean "storage"?`, or the list of what there is. */
export function unknownWord(
  what: string,
  word: string,
  candidates: readonly string[],
  above: ReadonlyArray<string | number> = [],
): string {
  const near = nearest(word, candidates);
  if (near) return `unknown ${what}; did you mean "${[...above, near].join(".")}"?`;
  return candidates.length > 0
    ? `unknown ${what}; there is ${candidates.join(", ")}`
    : `unknown ${what}; it has none`;
}

/** What is wrong with a project's name or id; undefined where there is such a project. */
export function unknownProject(
  project: string,
  known: ReadonlyArray<Named & { id: string; ids?: readonly string[] | undefined }>,
): string | undefined {
  const byId = known.some(({ id, ids = [id] }) => ids.includes(project));
  if (byId || calledSo(known, project).length > 0) return undefined;
  const near = nearest(
    project,
    known.map(({ name }) => name),
  );
  return `There is no project ${project}${near ? `; did you mean ${near}?` : "."}`;
}

/** Valibot's issues as problems. `prefix` is the place of the value inside the file. */
export function explain(
  schema: v.GenericSchema,
  issues: readonly v.BaseIssue<unknown>[],
  prefix: readonly string[] = [],
): LocatedProblem[] {
  return issues.map((issue) => {
    const inner = (issue.path ?? []).map((part) => part.key as string | number);
    const keys = [...prefix, ...inner];
    const word = String(inner.at(-1) ?? "");
    const isUnknownKey = issue.type === "strict_object" && issue.expected === "never";
    const path = keys.join(".");
    if (isMissing(issue) && inner.length > 0)
      return {
        keys,
        path,
        message: "is missing",
        fix: `Set it: \`memoir config set ${path} <value>\`.`,
      };
    const message = isUnknownKey
      ? unknownWord("key", word, knownKeys(schema, inner.slice(0, -1)), keys.slice(0, -1))
      : wrongValue(issue);
    return { keys, path, message };
  });
}

/** A key that is not there, and has no default. */
function isMissing({ type, expected, received }: v.BaseIssue<unknown>): boolean {
  return (
    /^(strict_|loose_)?object$/.test(type) && received === "undefined" && /^"/.test(expected ?? "")
  );
}

function wrongValue({ type, expected, received, message }: v.BaseIssue<unknown>): string {
  // The schema's own words are for people; valibot's are not.
  if (!message.startsWith("Invalid ")) return message;
  if (expected === null)
    return `must be ${type === "url" ? "an address" : type}, but is ${received}`;
  const words = (text: string) =>
    (text.length > longestShown ? `${text.slice(0, longestShown).toWellFormed()}…` : text)
      .replace(/^\((.*)\)$/, "$1")
      .split(" | ")
      .map((type) => plainTypes[type] ?? type)
      .join(" or ");
  return `must be ${words(expected)}, but is ${words(received)}`;
}

/** What a schema expects, by the library's name for it, in words. */
export const plainTypes: Readonly<Record<string, string>> = {
  Array: "a list",
  Object: "an object",
  string: "a string",
  number: "a number",
  boolean: "true or false",
};

/** The parts of a valibot schema that lead further down. */
interface SchemaParts {
  entries?: Record<string, SchemaParts>;
  wrapped?: SchemaParts;
  value?: SchemaParts;
  item?: SchemaParts;
  options?: unknown[];
}

/** The keys that the object at this place may have. */
function knownKeys(schema: v.GenericSchema, keys: ReadonlyArray<string | number>): string[] {
  let parts = unwrap(schema as unknown as SchemaParts);
  for (const key of keys) {
    const next = parts.entries?.[key] ?? parts.value ?? parts.item;
    if (!next) return [];
    parts = unwrap(next);
  }
  return Object.keys(parts.entries ?? {}).filter((name) => name !== "$schema");
}

function unwrap(parts: SchemaParts): SchemaParts {
  let inner = parts;
  while (inner.wrapped) inner = inner.wrapped;
  return inner;
}

// Names that every object has already. A schema leaves them out without a word: whoever wrote one would take it to be in force.

const unusable: ReadonlySet<string> = new Set(["__proto__", "prototype", "constructor"]);

/** A value and the keys that led to it, the last first. */
interface Place {
  value: unknown;
  key?: string | number;
  in?: Place;
}

/** Where such a name stands as a key, at any depth: what is sent may be deeper than calls can go. */
export function unusableNames(value: unknown): Array<Array<string | number>> {
  const found: Place[] = [];
  const open: Place[] = [{ value }];
  for (let place = open.pop(); place; place = open.pop()) {
    if (typeof place.value !== "object" || place.value === null) continue;
    const isList = Array.isArray(place.value);
    for (const [key, inner] of Object.entries(place.value)) {
      const next = { value: inner as unknown, key: isList ? Number(key) : key, in: place };
      (!isList && unusable.has(key) ? found : open).push(next);
    }
  }
  return found.map(keysTo);
}

function keysTo(place: Place): Array<string | number> {
  const keys: Array<string | number> = [];
  for (let at: Place | undefined = place; at?.key !== undefined; at = at.in) keys.push(at.key);
  return keys.reverse();
}
