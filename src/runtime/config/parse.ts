// Text of config.json → what is in force, and what is wrong with it.
import * as v from "valibot";
import { findJsonFault } from "./json-position.ts";
import { withCurrentNames } from "./old-names.ts";
import { type ConfigProblem, explain, type LocatedProblem } from "./problems.ts";
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
  const kept: unknown = structuredClone(value);
  const problems: LocatedProblem[] = [];
  for (;;) {
    const parsed = v.safeParse(ConfigSchema, kept);
    if (parsed.success) return { config: withCurrentNames(parsed.output), problems };
    const found = explain(ConfigSchema, parsed.issues);
    problems.push(...found);
    // From the end, so that cutting one item of a list does not move another.
    for (const { keys } of found.reverse()) cut(kept, keys);
  }
}

function cut(root: unknown, keys: ReadonlyArray<string | number>): void {
  let holder = root;
  for (const key of keys.slice(0, -1)) holder = (holder as Record<string | number, unknown>)[key];
  const last = keys.at(-1);
  if (Array.isArray(holder) && typeof last === "number") holder.splice(last, 1);
  else if (last !== undefined) delete (holder as Record<string | number, unknown>)[last];
}
