// Prints what Endless Mode was measured to do: a table of strategies, one of tools, the curve of savings against harm.
import type { Sum } from "./endless-sums.ts";

/** A strategy's figures: over all sessions, and over each half. */
export interface Row {
  name: string;
  all: Sum;
  halves: readonly [Sum, Sum];
}

const percent = (share: number, digits = 1): string => `${(share * 100).toFixed(digits)} %`;
const thousands = (count: number): string => `${Math.round(count / 1000)}k`;

/** How harm is told, for people who read the tables. */
export const definition = [
  "Kept out: characters of tool inputs and results that are not in the context when it ends; what the client itself",
  "cut to a preview counts as the preview. Harm: a later turn, before the context is compacted, writes an edit's old line,",
  "a path or a specific identifier (8 letters or more with an inner capital, underscore or digit) that stands in removed",
  "text and in nothing visible at that time.",
  "  /results   removals that were missed, as a share of all tool results (strict: one identifier is enough).",
  "  /removals  the same as a share of all removals.",
  "  net        kept out if what was missed is fetched back once, with 20 lines before and after.",
  "  carried    tool characters in all requests together, cost: input tokens as paid; both against the session as it was.",
  "The strict harm (of what was used soon and known from one result, the share taken out): bun run quality --part harm.",
].join("\n");

/** One line a strategy. */
export function strategyTable(rows: readonly Row[], baseline: Sum): string {
  const lines = rows.map(({ name, all, halves }) => [
    name,
    percent(all.share),
    thousands(all.out / 4),
    percent(all.harmOfResults, 2),
    percent(all.harmOfRemovals),
    percent(all.shareAfterFetching),
    percent(all.carried, 0),
    percent(all.cost / baseline.cost, 0),
    String(all.batches),
    halves.map((half) => `${percent(half.share)} @ ${percent(half.harmOfResults, 2)}`).join(" | "),
  ]);
  return table(
    [
      "strategy",
      "kept out",
      "tokens",
      "/results",
      "/removals",
      "net",
      "carried",
      "cost",
      "batches",
      "tuned half | other half (kept out @ /results)",
    ],
    lines,
  );
}

/** What is to be kept out, by strategy: with under 2 % of results missed. */
const targets: ReadonlyArray<readonly [ending: string, share: number]> = [
  ["live", 0.25],
  ["+ inputs", 0.35],
  ["+ batches", 0.6],
];
const mostMissed = 0.02;

/** Whether each target is met. */
export function verdicts(rows: readonly Row[]): string {
  return targets
    .flatMap(([ending, share]) => {
      const row = rows.find(({ name }) => name.endsWith(ending));
      if (!row) return [];
      const { all } = row;
      const met = all.share >= share && all.harmOfResults < mostMissed;
      return `${row.name}: at least ${percent(share, 0)} with under ${percent(mostMissed, 0)} of results missed: ${met ? "met" : "missed"}`;
    })
    .join("\n");
}

/** One line a tool: its size, and what each strategy keeps out of its inputs and results together. */
export function toolTable(rows: readonly Row[]): string {
  const tools = new Map<string, number>();
  for (const { all } of rows.slice(0, 1))
    for (const [tool, { inputs, results }] of Object.entries(all.tools))
      tools.set(tool, inputs + results);
  const total = [...tools.values()].reduce((sum, size) => sum + size, 0);
  const named = [...tools].filter(([, size]) => size > total / 500);
  const lines = named
    .sort((one, other) => other[1] - one[1])
    .map(([tool, size]) => [
      tool,
      String(rows[0]?.all.tools[tool]?.uses ?? 0),
      thousands(size),
      percent(size / total),
      ...rows.map(({ all }) => {
        const { inputsOut = 0, resultsOut = 0 } = all.tools[tool] ?? {};
        return `${thousands(inputsOut + resultsOut)} ${percent((inputsOut + resultsOut) / size, 0)}`;
      }),
    ]);
  return table(["tool", "uses", "characters", "share", ...rows.map(({ name }) => name)], lines);
}

/** Missed removals by what was missed. */
export function kindTable(rows: readonly Row[]): string {
  return table(
    ["missed in", "edit", "path", "identifier", "removals", "missed", "results"],
    rows.map(({ name, all }) => [
      name,
      ...[
        all.harmedByKind.edit,
        all.harmedByKind.path,
        all.harmedByKind.identifier,
        all.removals,
        all.harmed,
        all.results,
      ].map(String),
    ]),
  );
}

/** The curve: a line a policy, by what it keeps out, a bar for that and one for what is missed; `*` is the default. */
export function curve(points: ReadonlyArray<Row & { isDefault: boolean }>): string {
  const sorted = [...points].sort((one, other) => one.all.share - other.all.share);
  const width = Math.max(0, ...sorted.map(({ name }) => name.length));
  return sorted
    .map(({ name, all, isDefault }) =>
      [
        isDefault ? "*" : " ",
        name.padEnd(width),
        percent(all.share).padStart(7),
        percent(all.harmOfResults, 2).padStart(8),
        ` ${"#".repeat(Math.round(all.share * 60))}${"!".repeat(Math.round(all.harmOfResults * 600))}`,
      ].join(" "),
    )
    .join("\n");
}

function table(heads: readonly string[], rows: ReadonlyArray<readonly string[]>): string {
  const widths = heads.map((head, at) =>
    Math.max(head.length, ...rows.map((cells) => cells[at]?.length ?? 0)),
  );
  return [heads, ...rows]
    .map((cells) =>
      cells
        .map((cell, at) =>
          at === 0 ? cell.padEnd(widths[at] ?? 0) : cell.padStart(widths[at] ?? 0),
        )
        .join("  "),
    )
    .join("\n");
}
