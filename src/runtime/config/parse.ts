// Text of config.json → what is in force, and what is wrong with it.

import type { ParseError } from "jsonc-parser";
import { parse, printParseErrorCode, visit } from "jsonc-parser";
import * as v from "valibot";
import { type ConfigProblem, explain, type LocatedProblem, unusableNames } from "./problems.ts";
import { withoutRetired } from "./retired.ts";
import { type Config, ConfigSchema } from "./schema.ts";

/** A config file as read. */
export interface ConfigFile {
  /** Absolute. */
  path: string;
  /** Everything in it that is right, defaults filled in. */
  config: Config;
  /** What the user set, as it stands in the file; empty when it cannot be read. */
  set: Record<string, unknown>;
  problems: ConfigProblem[];
  /** It is not JSON: nothing of it is in force, and nobody writes to it. */
  broken: boolean;
  /** What the user said about capturing is not in effect as said, or cannot be known: text is withheld until it is. */
  captureUnclear: boolean;
}

/** Parses the file's text; undefined stands for a file that does not exist. */
export function parseConfig(path: string, text: string | undefined): ConfigFile {
  const nothing = { path, config: v.parse(ConfigSchema, {}), set: {}, captureUnclear: false };
  if (text === undefined || text.trim() === "") return { ...nothing, problems: [], broken: false };
  const plain = text.startsWith("\uFEFF") ? text.slice(1) : text;
  const fault = findJsonFault(plain);
  if (fault) {
    const message = `line ${fault.line}, column ${fault.column}: ${fault.message}`;
    return { ...nothing, problems: [{ path: "", message }], broken: true, captureUnclear: true };
  }
  const value: unknown = JSON.parse(plain);
  if (typeof value !== "object" || value === null || Array.isArray(value))
    return {
      ...nothing,
      problems: [{ path: "", message: "line 1, column 1: it must hold one object, {…}" }],
      broken: true,
      captureUnclear: true,
    };
  const { config, problems } = keepWhatIsRight(value);
  return {
    path,
    config,
    set: value as Record<string, unknown>,
    problems: problems.map(({ keys: _, ...problem }) => problem),
    broken: false,
    captureUnclear: problems.some(
      ({ keys: [section, slot = "capture"] }) =>
        section === "privacy" || (section === "slots" && slot === "capture"),
    ),
  };
}

/** What is wrong with a config object that is not in a file yet. */
export function checkConfig(value: unknown): LocatedProblem[] {
  return keepWhatIsRight(value).problems;
}

/** Cuts out what is wrong, piece by piece, so that one typo does not switch everything else off. */
function keepWhatIsRight(value: unknown): { config: Config; problems: LocatedProblem[] } {
  const { kept, problems: retired } = withoutRetired(value);
  const { output, problems } = keepRight(ConfigSchema, kept);
  const unusable = unusableNames(value).map((keys) => ({
    ...{ keys, path: keys.join(".") },
    message: `"${keys.at(-1)}" cannot be a name here; take another`,
  }));
  return { config: withCurrentNames(output), problems: [...problems, ...unusable, ...retired] };
}

/**
 * What of a value a schema takes, and what was cut out of it, each reported once. An object that cannot do without what was cut
 * goes whole. Throws where the schema does not even take an empty object.
 */
export function keepRight<Schema extends v.GenericSchema>(
  schema: Schema,
  value: unknown,
): { output: v.InferOutput<Schema>; problems: LocatedProblem[] } {
  const root: Holder = { kept: structuredClone(value) };
  const problems: LocatedProblem[] = [];
  const cuts: Cuts = new Map();
  for (;;) {
    const parsed = v.safeParse(schema, "kept" in root ? root.kept : {});
    if (parsed.success) return { output: parsed.output, problems };
    const found = explain(schema, parsed.issues);
    const places = found.map(({ keys }) => placeOf(root, ["kept", ...keys]));
    // What is missing only because it was cut has been reported.
    problems.push(...found.filter((_, i) => !wasCut(cuts, places[i])));
    if (!cutAll(places, cuts)) throw new Error("The schema takes nothing.");
  }
}

type Holder = Record<string | number, unknown>;
/** Where something stands: the objects and lists on the way, each with the key that leads on. */
type Place = ReadonlyArray<{ holder: Holder; key: string | number }>;
/** The keys that were cut, by what held them. */
type Cuts = Map<Holder, Set<string | number>>;

function placeOf(root: Holder, keys: ReadonlyArray<string | number>): Place {
  const place: Array<Place[number]> = [];
  let holder: unknown = root;
  for (const key of keys) {
    if (typeof holder !== "object" || holder === null) break;
    place.push({ holder: holder as Holder, key });
    holder = (holder as Holder)[key];
  }
  return place;
}

function wasCut(cuts: Cuts, place: Place | undefined): boolean {
  const last = place?.at(-1);
  return (
    last !== undefined && !Array.isArray(last.holder) && !!cuts.get(last.holder)?.has(last.key)
  );
}

/** Cuts what stands at each place, or, where nothing does, what should hold it. False when there was nothing to cut. */
function cutAll(places: readonly Place[], cuts: Cuts): boolean {
  const now: Cuts = new Map();
  for (const place of places) {
    const there = place.findLast(({ holder, key }) => Object.hasOwn(holder, key));
    if (there) now.set(there.holder, (now.get(there.holder) ?? new Set()).add(there.key));
  }
  for (const [holder, keys] of now) {
    cuts.set(holder, new Set([...(cuts.get(holder) ?? []), ...keys]));
    // From the end, so that cutting one item of a list does not move another.
    if (Array.isArray(holder))
      for (const key of [...keys].sort((a, b) => Number(b) - Number(a)))
        holder.splice(Number(key), 1);
    else for (const key of keys) delete holder[key];
  }
  return now.size > 0;
}

// Finds where a JSON text goes wrong. JSON.parse of some engines does not say; people with an editor want line and column.

/** 1-based; `message` says what was found or missing there. */
interface JsonFault {
  line: number;
  column: number;
  message: string;
}

/** What a fault of the parser's is the lack of, by the fault's name. */
const wanted: Readonly<Record<string, string>> = {
  PropertyNameExpected: "a name in double quotes",
  ValueExpected: "a value",
  ColonExpected: '":"',
  CommaExpected: '"," or a closing bracket',
  CloseBraceExpected: '"," or "}"',
  CloseBracketExpected: '"," or "]"',
  EndOfFileExpected: "the end of the file",
  InvalidCommentToken: "JSON, which has no comments,",
  UnexpectedEndOfNumber: "a whole number",
  UnexpectedEndOfString: "a string that ends on its line",
  InvalidEscapeCharacter: "a string without unknown escapes",
  InvalidUnicode: "a string without unknown escapes",
  InvalidCharacter: "a string without control characters",
};

/** The first fault of a text, or undefined when it is JSON that says each thing once. */
export function findJsonFault(text: string): JsonFault | undefined {
  if (isJson(text)) return findRepetition(text);
  const [first, second] = faultsOf(text);
  if (!first) return { line: 1, column: 1, message: "it is nested too deeply to be read" };
  // What is no part of JSON has no name but what stands in its place has.
  const named = [first, second].find((fault) => fault && nameOf(fault) !== "InvalidSymbol");
  const before = text.slice(0, first.offset).split("\n");
  const found = text[first.offset];
  const what = found === undefined ? "the file ends" : `there is ${JSON.stringify(found)}`;
  const lack = wanted[named ? nameOf(named) : "EndOfFileExpected"] ?? "JSON";
  return {
    line: before.length,
    column: (before.at(-1) ?? "").length + 1,
    message: `${what} where ${lack} is wanted`,
  };
}

/** A key that an object has twice: JSON.parse would drop the first one's value, and whatever the person said with it. */
function findRepetition(text: string): JsonFault | undefined {
  const open: Set<string>[] = [];
  let found: JsonFault | undefined;
  try {
    visit(text, {
      onObjectBegin: () => void open.push(new Set()),
      onObjectEnd: () => void open.pop(),
      onObjectProperty(key, _offset, _length, line, character) {
        const keys = open.at(-1);
        if (keys?.has(key))
          found ??= {
            line: line + 1,
            column: character + 1,
            message: `there is a second ${JSON.stringify(key)} beside the first; make one of them`,
          };
        keys?.add(key);
      },
    });
  } catch {
    // Nested too deeply for a parser that goes down with each bracket: no config.
  }
  return found;
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** None for a text that the parser, which goes down with each bracket, cannot go through. */
function faultsOf(text: string): readonly ParseError[] {
  const faults: ParseError[] = [];
  try {
    parse(text, faults, { disallowComments: true });
    return faults;
  } catch {
    return [];
  }
}

function nameOf({ error }: ParseError): string {
  return printParseErrorCode(error);
}

// Built-in plugins that had another name: config that uses the old one goes on working.

/** Today's names by the old ones. */
const renamed: ReadonlyMap<string, string> = new Map([["context-index", "context-handover"]]);

/** The config with today's names, in slots and for plugins' options. Options under today's name win. */
function withCurrentNames(config: Config): Config {
  const slots = Object.entries(config.slots).map(([slot, chosen]) => [slot, currentOf(chosen)]);
  const plugins = { ...config.plugins };
  for (const [old, name] of renamed) {
    const options = plugins[old];
    if (options === undefined) continue;
    plugins[name] ??= options;
    delete plugins[old];
  }
  return { ...config, slots: Object.fromEntries(slots), plugins };
}

function currentOf(chosen: unknown): unknown {
  if (Array.isArray(chosen)) return chosen.map(currentOf);
  return typeof chosen === "string" ? (renamed.get(chosen) ?? chosen) : chosen;
}
