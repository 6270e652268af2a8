// Text of config.json → what is in force, and what is wrong with it.
import * as v from "valibot";
import { findJsonFault } from "./json-position.ts";
import { withCurrentNames } from "./old-names.ts";
import { type ConfigProblem, explain, type LocatedProblem } from "./problems.ts";
import { type Config, ConfigSchema } from "./schema.ts";
import { unusableNames } from "./unusable-names.ts";

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
  /** What the user said about capturing is not in force as said, or cannot be known: text is withheld until it is. */
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
    problems: problems.map(({ path, message }) => ({ path, message })),
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
  const { output, problems } = keepRight(ConfigSchema, value);
  const unusable = unusableNames(value).map((keys) => ({
    ...{ keys, path: keys.join(".") },
    message: `"${keys.at(-1)}" cannot be a name here; take another`,
  }));
  return { config: withCurrentNames(output), problems: [...problems, ...unusable] };
}

/**
 * What of a value a schema takes, and what was cut out of it, each told once. An object that cannot do without what was cut
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
    // What is missing only because it was cut has been told.
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
