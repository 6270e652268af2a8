// `memoir search`: what is remembered about some words.

import { withoutPasswords } from "../../privacy/passwords.ts";
import { nearest } from "../../runtime/config/problems.ts";
import { observationTypes } from "../../sdk/model.ts";
import type { SearchLevel, SearchReason, SearchResult } from "../../sdk/storage.ts";
import type { Hit } from "../../server/memory/ask-search.ts";
import { baseName } from "../../text/text.ts";
import type { OptionsOf } from "../commands/declared.ts";
import type { lookCommands } from "../commands/memory.ts";
import { server } from "../server/client.ts";
import { ago, columns, fit } from "../terminal/layout.ts";
import { printableMemory } from "../terminal/printable.ts";
import type { Terminal } from "../terminal/terminal.ts";
import { filterQuery, filterWords, noSuchProject } from "./filter.ts";
import { paintType } from "./paint-type.ts";

type SearchOptions = OptionsOf<(typeof lookCommands)["search"]>;

/** Prints what was found, best first; gives 0, also when nothing was. */
export async function search(
  words: readonly string[],
  options: SearchOptions,
  terminal: Terminal,
): Promise<number> {
  const text = words.join(" ");
  const { type, concept, file, level, kind, also, explain } = options;
  const filter = {
    ...(await filterQuery(options, terminal)),
    type,
    concept,
    file,
    level,
    kinds: kind,
  };
  // An agent that searches in its shell needs not be told what it was just asked.
  const asking = terminal.env.CLAUDE_CODE_SESSION_ID || undefined;
  const { results } = await server.get("/api/search", {
    // Commas part the list, and mean nothing to a search.
    query: {
      ...filter,
      text,
      asking,
      cwd: terminal.cwd,
      also: also?.map((words) => words.replaceAll(",", " ")),
      explain,
    },
  });
  if (options.json) terminal.print(JSON.stringify({ results }));
  else if (results.length === 0) {
    printNothing(text, filterWords(filter), type, terminal);
    for (const line of await noSuchProject(filter.project)) terminal.print(line);
  } else printResults(printableMemory(results), level, terminal);
  return 0;
}

function printResults(
  results: readonly Hit[],
  level: SearchLevel | undefined,
  terminal: Terminal,
): void {
  const { bold, dim, cyan } = terminal.colors;
  const corrected = Object.entries(results[0]?.corrected ?? {});
  for (const [word, instead] of corrected)
    terminal.print(dim(`“${word}” is nowhere; searched “${instead}”.`));
  const heads = columns(
    results.map((result) => {
      const place = `${baseName(result.project)} · ${ago(result.createdAt, terminal.now())}`;
      const by = result.kind === "turn" || !result.by ? [] : [result.by];
      const where = [place, ...by, ...(result.marks ?? [])].join(" · ");
      const room = terminal.width && terminal.width - plainWidth(results, where);
      return [
        cyan(shownId(result)),
        paintType(result.type, terminal.colors),
        `${bold(fit(result.title, room))}  ${dim(where)}`,
      ];
    }),
  );
  for (const [index, result] of results.entries()) {
    terminal.print(heads[index] ?? "");
    if (result.subtitle)
      terminal.print(`    ${dim(fit(result.subtitle, less(terminal.width, 4)))}`);
    if (result.supersededBy !== undefined)
      terminal.print(`    superseded by ${cyan(result.supersededBy)}`);
    const said = (result.excerpt ?? "").replace(/\s+/g, " ");
    const isNew = ![result.title, result.subtitle].some((shown) => isSame(said, shown));
    if (result.kind === "turn" && said !== "" && isNew)
      terminal.print(
        `    ${fit(result.by ? `${result.by}: ${said}` : said, less(terminal.width, 4))}`,
      );
    if (result.why)
      terminal.print(`    ${dim(fit(reasonText(result.why), less(terminal.width, 4)))}`);
    if (level === "facts")
      for (const fact of result.facts)
        terminal.print(`    · ${fit(fact, less(terminal.width, 6))}`);
  }
  const first = results[0] ? shownId(results[0]) : "";
  terminal.print(
    dim(
      `\nmemoir show ${first} tells all of it; memoir memory timeline ${first} what happened around it.`,
    ),
  );
}

function printNothing(
  text: string,
  narrowed: string,
  type: string | undefined,
  terminal: Terminal,
): void {
  const what =
    text === "" ? "Nothing is remembered" : `Nothing found for “${withoutPasswords(text)}”`;
  terminal.print(`${what}${narrowed ? ` ${narrowed}` : ", in all projects"}.`);
  // A strategy may have types of its own, so no type is refused.
  const isCommon = observationTypes.some((known) => known === type);
  const near = type === undefined || isCommon ? undefined : nearest(type, observationTypes);
  if (near) terminal.print(`Did you mean --type ${near}?`);
  const tries = [
    ...(narrowed ? ["fewer options"] : []),
    ...(text ? ["other or fewer words"] : []),
    "`memoir sessions` for what there is",
    "`memoir status` for whether anything is captured",
  ];
  terminal.print(terminal.colors.dim(`Try ${tries.join(", ")}.`));
}

/** `because of token 2.1, session 1.4 (fact); session 0.93; record 2 of all`. */
function reasonText({ words, field, session, documentRank, likeness }: SearchReason): string {
  const found = [
    ...words.map(({ word, adds }) => `${word} ${adds.toFixed(1)}`),
    ...(likeness === undefined ? [] : [`its meaning ${likeness.toFixed(2)}`]),
  ].join(", ");
  return `because of ${found || "its time"} (${field}); session ${session.toFixed(2)}; record ${documentRank} of all`;
}

/** Eight characters of a session's id are enough for every command. */
function shownId({ id, kind }: SearchResult): string {
  return kind === "session" ? id.slice(0, 8) : id;
}

/** What id, type and place take of a line. */
function plainWidth(results: readonly SearchResult[], where: string): number {
  const longest = (pick: (result: SearchResult) => string) =>
    Math.max(...results.map((result) => pick(result).length));
  return longest(shownId) + longest(({ type }) => type) + where.length + 6;
}

function less(width: number | undefined, taken: number): number | undefined {
  return width === undefined ? undefined : width - taken;
}

/** Whether two texts begin alike as far as a line shows them. */
function isSame(said: string, shown: string): boolean {
  const begin = shown.replace(/\s+/g, " ").replace(/…$/, "").slice(0, 40);
  return begin !== "" && said.startsWith(begin);
}
