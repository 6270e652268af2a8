// `memoir search`: what memory has about some words.

import { withoutPasswords } from "../../privacy/passwords.ts";
import { nearest } from "../../runtime/config/problems.ts";
import { observationTypes } from "../../sdk/model.ts";
import type { SearchLevel, SearchReason, SearchResult } from "../../sdk/storage.ts";
import { operationInputs } from "../../server/inputs.ts";
import type { Hit } from "../../server/memory/records.ts";
import { baseName } from "../../text/text.ts";
import type { OptionsOf } from "../commands/declared.ts";
import type { lookCommands } from "../commands/memory.ts";
import { server } from "../server/client.ts";
import { answer } from "../terminal/agree.ts";
import { ago, columns, fit } from "../terminal/layout.ts";
import { printableMemory } from "../terminal/printable.ts";
import type { Terminal } from "../terminal/terminal.ts";
import { filterWords, inputsFrom, noSuchProject } from "./filter.ts";
import { paintType, shownId } from "./show.ts";

type SearchOptions = OptionsOf<(typeof lookCommands)["search"]>;

/** Prints what was found, best first; gives 0, also when nothing was. */
export async function search(
  words: readonly string[],
  options: SearchOptions,
  terminal: Terminal,
): Promise<number> {
  const text = words.join(" ");
  const filter = await inputsFrom(operationInputs.search.takes, options, terminal);
  const { results } = await server.get("/api/search", {
    query: {
      ...filter,
      text,
      // An agent that searches in its shell needs not find its own last prompt.
      asking: terminal.env.CLAUDE_CODE_SESSION_ID || undefined,
      cwd: terminal.cwd,
      // Commas part the list, and mean nothing to a search.
      also: filter.also?.map((words) => words.replaceAll(",", " ")),
    },
  });
  return answer(terminal, options, { results }, async () =>
    results.length > 0
      ? resultLines(printableMemory(results), filter.level, terminal)
      : [
          ...nothingLines(text, filterWords(filter), filter.type, terminal),
          ...(await noSuchProject(filter.project)),
        ],
  );
}

function resultLines(
  results: readonly Hit[],
  level: SearchLevel | undefined,
  { colors, now, width }: Terminal,
): string[] {
  const { bold, dim, cyan } = colors;
  const heads = columns(
    results.map((result) => {
      const place = `${baseName(result.project)} · ${ago(result.createdAt, now())}`;
      const by = result.kind === "turn" || !result.by ? [] : [result.by];
      const where = [place, ...by, ...(result.marks ?? [])].join(" · ");
      const room = width && width - plainWidth(results, where);
      return [
        cyan(shownId(result)),
        paintType(result.type, colors),
        `${bold(fit(result.title, room))}  ${dim(where)}`,
      ];
    }),
  );
  const [room, factRoom] = width === undefined ? [] : [width - 4, width - 6];
  const lines = Object.entries(results[0]?.corrected ?? {}).map(([word, instead]) =>
    dim(`“${word}” is nowhere; searched “${instead}”.`),
  );
  for (const [index, result] of results.entries()) {
    const { title, subtitle, supersededBy, kind, by, why, facts } = result;
    lines.push(heads[index] ?? "");
    if (subtitle) lines.push(`    ${dim(fit(subtitle, room))}`);
    if (supersededBy !== undefined) lines.push(`    superseded by ${cyan(supersededBy)}`);
    const said = (result.excerpt ?? "").replace(/\s+/g, " ");
    const isNew = ![title, subtitle].some((shown) => isSame(said, shown));
    if (kind === "turn" && said !== "" && isNew)
      lines.push(`    ${fit(by ? `${by}: ${said}` : said, room)}`);
    if (why) lines.push(`    ${dim(fit(reasonText(why), room))}`);
    if (level === "facts") lines.push(...facts.map((fact) => `    · ${fit(fact, factRoom)}`));
  }
  const first = results[0] ? shownId(results[0]) : "";
  const next = `Details: memoir show ${first} · Around it: memoir memory timeline ${first}`;
  return [...lines, dim(`\n${next}`)];
}

function nothingLines(
  text: string,
  narrowed: string,
  type: string | undefined,
  { colors }: Terminal,
): string[] {
  const what = text === "" ? "Nothing found" : `Nothing found for “${withoutPasswords(text)}”`;
  // A strategy may have types of its own, so no type is refused.
  const isCommon = observationTypes.some((known) => known === type);
  const near = type === undefined || isCommon ? undefined : nearest(type, observationTypes);
  const tries = [
    ...(narrowed ? ["fewer options"] : []),
    ...(text ? ["other or fewer words"] : []),
    "`memoir sessions` for what there is",
    "`memoir status` for whether anything is captured",
  ];
  return [
    `${what}${narrowed ? ` ${narrowed}` : ", in all projects"}.`,
    ...(near ? [`Did you mean --type ${near}?`] : []),
    colors.dim(`Try ${tries.join(", ")}.`),
  ];
}

/** `because of token 2.1, session 1.4 (fact); session 0.93; record 2 of all`. */
function reasonText({ words, field, session, documentRank, likeness }: SearchReason): string {
  const found = [
    ...words.map(({ word, adds }) => `${word} ${adds.toFixed(1)}`),
    ...(likeness === undefined ? [] : [`its meaning ${likeness.toFixed(2)}`]),
  ].join(", ");
  return `because of ${found || "its time"} (${field}); session ${session.toFixed(2)}; record ${documentRank} of all`;
}

/** What id, type and place take of a line. */
function plainWidth(results: readonly SearchResult[], where: string): number {
  const longest = (pick: (result: SearchResult) => string) =>
    Math.max(...results.map((result) => pick(result).length));
  return longest(shownId) + longest(({ type }) => type) + where.length + 6;
}

/** Whether two texts begin alike as far as a line shows them. */
function isSame(said: string, shown: string): boolean {
  const begin = shown.replace(/\s+/g, " ").replace(/…$/, "").slice(0, 40);
  return begin !== "" && said.startsWith(begin);
}
