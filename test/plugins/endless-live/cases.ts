// The golden cases of the reducers: a tool use in `input.json`, what comes of it in `expected.json`. A text of several lines is kept as
// `{ lines }`, in which `{ times, from, lines, a }` stands for lines that repeat: `{n}` in them counts on from `from`, `{a}` is of the
// words or numbers of `a`. `bun run test/plugins/endless-live/cases.ts tests/tap` prints a case's text as the tool gave it.
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

/** JSON in which what fits on a line stands on one; lines of a text have one each. */
export function compact(value: unknown, indent = ""): string {
  const whole = JSON.stringify(value);
  const isText = isFields(value) && "lines" in value;
  if (typeof value !== "object" || value === null || (!isText && whole.length <= 120)) return whole;
  const inner = `${indent} `;
  if (Array.isArray(value))
    return `[\n${inner}${value.map((part) => compact(part, inner)).join(`,\n${inner}`)}\n${indent}]`;
  const lines: string[] = [];
  for (const [key, part] of Object.entries(value)) {
    const written = `${JSON.stringify(key)}: ${compact(part, inner)}`;
    const last = lines.at(-1) ?? "\n";
    if (`${last}${written}`.includes("\n") || last.length + written.length > 120)
      lines.push(written);
    else lines.splice(-1, 1, `${last}, ${written}`);
  }
  return `{\n${inner}${lines.join(`,\n${inner}`)}\n${indent}}`;
}

/** What stands for `{a}` in lines that repeat: words in turn (`cart*3` is thrice `cart`), begun anew when they are used up, or numbers. */
const Filling = v.union([
  v.string(),
  v.array(v.string()),
  v.strictObject({
    from: v.number(),
    step: v.number(),
    mod: v.optional(v.number(), Number.MAX_SAFE_INTEGER),
    pad: v.optional(v.number(), 1),
  }),
]);
const Repeated = v.objectWithRest(
  { times: v.number(), from: v.optional(v.number(), 0), lines: v.array(v.string()) },
  Filling,
);
const Written = v.array(v.union([v.string(), Repeated]));
const Lines = v.strictObject({ lines: Written });
const List = v.strictObject({ list: Written });

/** A text kept as `{ lines }`, a list kept as `{ list }`, anywhere in a value. */
export const withoutLines = (value: unknown): unknown =>
  mapped(value, (part) => {
    const text = v.safeParse(Lines, part);
    if (text.success) return text.output.lines.flatMap(written).join("\n");
    const list = v.safeParse(List, part);
    return list.success ? list.output.list.flatMap(written) : part;
  });

function written(line: string | v.InferOutput<typeof Repeated>): string[] {
  if (typeof line === "string") return [line];
  const { times, from, lines, ...fillings } = line;
  const fill = (name: string, at: number): string | undefined => {
    if (name === "n") return String(from + at);
    const filling = fillings[name];
    if (typeof filling === "object" && "step" in filling) {
      const { step, mod, pad } = filling;
      return String((filling.from + at * step) % mod).padStart(pad, "0");
    }
    if (filling === undefined) return undefined;
    const words = [filling]
      .flat()
      .join(" ")
      .split(" ")
      .flatMap((word) => {
        const [text = "", count = "1"] = word.split("*");
        return Array<string>(Number(count)).fill(text);
      });
    return words[at % words.length];
  };
  return Array.from({ length: times }, (_, at) => at).flatMap((at) =>
    lines.map((one) =>
      one.replaceAll(/\{(\w)\}/g, (whole, name: string) => fill(name, at) ?? whole),
    ),
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

if (import.meta.main)
  for (const { name, arrived } of await readCases())
    if (process.argv.includes(name))
      console.log(JSON.stringify(arrived.response, null, 1).replaceAll("\\n", "\n"));
