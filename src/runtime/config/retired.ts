// Keys that were a choice once. Files that still set them load; the value here holds, and the person hears so.
import type { LocatedProblem } from "./problems.ts";

const promptStrategy = {
  leastCharacters: 300,
  inputCharacters: 1_500,
  resultCharacters: 2_000,
  reasoningCharacters: 500,
};

const clearing = { minBytes: 1_024, inject: true, learn: true };

/** Each retired key where it stood in config, with the value that holds now, by the version since which it does. */
const retired: Readonly<Record<string, object>> = {
  "0.1.0": {
    worker: {
      maxToolUses: 200,
      maxBytes: 4_194_304,
      quietMinutes: 10,
      context: {
        intent: 4_000,
        reasoning: 500,
        assistantText: 500,
        result: 500,
        turns: 3,
        turn: 500,
        bytes: 33_554_432,
      },
    },
    watch: { everyMinutes: 5 },
    log: { maxBytes: 5_242_880, files: 5 },
    plugins: {
      hybrid: promptStrategy,
      structured: promptStrategy,
      commands: promptStrategy,
      "context-handover": { observations: 60 },
      // What this plugin was called before.
      "context-index": { observations: 60 },
      "context-relevant": { maxObservations: 4 },
      "memory-files": { minPrompts: 1 },
      "semantic-search": { batchSize: 32 },
      live: {
        leastSaved: 300,
        leastShare: 0.1,
        learn: true,
        genericOver: 3_000,
        searchCharacters: 3_500,
        listingCharacters: 3_000,
        headLines: 7,
        tailLines: 12,
        aroundLines: 1,
        lineCharacters: 500,
        failureCharacters: 5_500,
        diffCharacters: 3_200,
        matchesPerFile: 3,
        entriesPerFolder: 12,
        items: 5,
        stringCharacters: 500,
        answerCharacters: 8_000,
        read: {
          repeats: true,
          sourceOver: 5_000,
          bodyLines: 5,
          aroundNamed: 5,
          names: 10,
          proseOver: 10_000,
          sectionLines: 8,
          dataOver: 6_000,
          dataLines: 24,
        },
      },
      transcript: clearing,
      gateway: { ...clearing, besideThinking: true, retireAfter: 8 },
      anthropic: { stream: true },
      "claude-cli": { processes: 2 },
    },
  },
};

interface RetiredKey {
  keys: readonly string[];
  value: unknown;
  since: string;
}

const retiredKeys = Object.entries(retired).flatMap(([since, keys]) => leaves(keys, [], since));

function leaves(value: object, keys: readonly string[], since: string): RetiredKey[] {
  return Object.entries(value).flatMap(([key, inner]): RetiredKey[] => {
    const place = [...keys, key];
    return typeof inner === "object"
      ? leaves(inner as object, place, since)
      : [{ keys: place, value: inner, since }];
  });
}

/** What to say about a retired key; undefined for any other dotted path. */
export function retiredNote(path: string): string | undefined {
  const found = retiredKeys.find(({ keys }) => keys.join(".") === path);
  return found && note(found);
}

function note({ value, since }: RetiredKey): string {
  return `is no longer a choice since ${since}; ${JSON.stringify(value)} holds`;
}

/** The config without retired keys, and what to say about each that it has. */
export function withoutRetired(set: unknown): { kept: unknown; problems: LocatedProblem[] } {
  const kept = structuredClone(set);
  const problems = retiredKeys.flatMap((retiredKey): LocatedProblem[] => {
    const keys = [...retiredKey.keys];
    const last = keys.at(-1) ?? "";
    const holder = keys.slice(0, -1).reduce<unknown>(inside, kept);
    if (inside(holder, last) === undefined) return [];
    delete (holder as Record<string, unknown>)[last];
    const path = keys.join(".");
    const fix = `Remove it: \`memoir config unset ${path}\`.`;
    return [{ keys, path, message: note(retiredKey), fix }];
  });
  return { kept, problems };
}

/** The value under a key of an object's own. */
function inside(holder: unknown, key: string): unknown {
  if (typeof holder !== "object" || holder === null || Array.isArray(holder)) return undefined;
  return Object.hasOwn(holder, key) ? (holder as Record<string, unknown>)[key] : undefined;
}
