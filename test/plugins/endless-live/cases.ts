// The golden cases of the reducers: a tool use in `input.json`, what comes of it in `expected.json`. A text of several lines is kept as
// `{ lines }`, in which `{ times, from, lines }` stands for lines that repeat, `{n}` in them counting on from `from`.
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import * as v from "valibot";
import { ConfigSchema, type Policy, policyOf } from "../../../plugins/endless-live/policy.ts";
import type { Arrived } from "../../../plugins/endless-live/reducer.ts";

const golden = join(import.meta.dir, "golden");

/** The policy as it is without any config. */
export const defaultPolicy: Policy = policyOf(v.parse(ConfigSchema, {}));

/** The policy of the golden cases: fixed, so that tuning the defaults moves no file. */
export const goldenPolicy: Policy = {
  ...defaultPolicy,
  over: {
    Bash: 3_000,
    TaskOutput: 3_000,
    Grep: 3_000,
    Glob: 2_500,
    WebFetch: 12_000,
    Task: 16_000,
    Agent: 16_000,
    "mcp__*": 4_000,
  },
  leastSaved: 500,
  leastShare: 0.25,
  genericOver: 6_000,
  searchCharacters: 6_000,
  listingCharacters: 4_000,
  headLines: 30,
  tailLines: 30,
  aroundLines: 2,
  lineCharacters: 500,
  failureCharacters: 12_000,
  diffCharacters: 8_000,
  matchesPerFile: 5,
  entriesPerFolder: 12,
  items: 5,
  stringCharacters: 500,
  answerCharacters: 12_000,
};

export interface Case {
  /** `tests/bun`. */
  name: string;
  folder: string;
  arrived: Arrived;
}

const Input = v.strictObject({
  tool: v.string(),
  input: v.record(v.string(), v.unknown()),
  response: v.unknown(),
});

const isFields = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const mapped = (value: unknown, map: (part: unknown) => unknown): unknown => {
  const made = map(value);
  if (made !== value) return made;
  if (Array.isArray(value)) return value.map((part) => mapped(part, map));
  if (!isFields(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, mapped(part, map)]));
};

/** Texts of several lines as `{ lines }`. */
export const withLines = (value: unknown): unknown =>
  mapped(value, (part) =>
    typeof part === "string" && part.includes("\n") ? { lines: part.split("\n") } : part,
  );

const Repeated = v.strictObject({
  times: v.number(),
  from: v.optional(v.number(), 0),
  lines: v.array(v.string()),
});
const Lines = v.strictObject({ lines: v.array(v.union([v.string(), Repeated])) });

const withoutLines = (value: unknown): unknown =>
  mapped(value, (part) => {
    const text = v.safeParse(Lines, part);
    return text.success ? text.output.lines.flatMap(written).join("\n") : part;
  });

function written(line: string | v.InferOutput<typeof Repeated>): string[] {
  if (typeof line === "string") return [line];
  const { times, from, lines } = line;
  return Array.from({ length: times }, (_, at) => at).flatMap((at) =>
    lines.map((one) => one.replaceAll("{n}", String(from + at))),
  );
}

/** All cases below `golden/`, sorted; those of `read/` belong to the reducer of reads. */
export async function readCases(): Promise<Case[]> {
  const found: Case[] = [];
  for await (const path of new Bun.Glob("*/*/input.json").scan(golden)) {
    const name = path.slice(0, -"/input.json".length);
    if (name.startsWith("read/")) continue;
    const folder = join(golden, name);
    const json: unknown = JSON.parse(await readFile(join(golden, path), "utf8"));
    const { tool, input, response } = v.parse(Input, withoutLines(json));
    const id = "toolu_01golden";
    found.push({
      name,
      folder,
      arrived: { id, tool, input, response, recall: `memoir recall ${id}` },
    });
  }
  return found.sort((a, b) => (a.name < b.name ? -1 : 1));
}
