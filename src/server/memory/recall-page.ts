// A page of what Endless Mode took out of a conversation, with the line that says how to ask for the next.
import type { Recalled, RecallQuery } from "../../runtime/endless/recall.ts";
import type { ServerRuntime } from "../life/server-runtime.ts";

/** The page that is asked for; `more` is one line that says what there is beside it, absent where there is nothing else. Rejects with MemoirErrors. */
export async function recallPage(
  { endless }: Pick<ServerRuntime, "endless">,
  query: RecallQuery,
): Promise<Recalled & { more?: string }> {
  const recalled = await endless.recall(query);
  const more = moreLine(recalled, query);
  return more === undefined ? recalled : { ...recalled, more };
}

/** The page as an agent reads it over MCP: its text, then the line that says what else there is. */
export async function recallText(
  runtime: Pick<ServerRuntime, "endless">,
  query: RecallQuery,
): Promise<string> {
  const { text, more } = await recallPage(runtime, query);
  return withMore(text === "" ? "(nothing)" : text, more);
}

/** A text and the line below it. */
export function withMore(text: string, more: string | undefined): string {
  if (more === undefined) return text;
  return `${text}${text.endsWith("\n") ? "" : "\n"}${more}`;
}

function moreLine(recalled: Recalled, query: RecallQuery): string | undefined {
  const { page, pages, characters, bounded, part, parts } = recalled;
  const facts: string[] = [];
  if (pages > 1)
    facts.push(`page ${page} of ${pages}, ${characters.toLocaleString("en-US")} characters`);
  if (bounded !== undefined) facts.push(bounded);
  if (page < pages) facts.push(`next: ${again(recalled, { ...query, page: page + 1 })}`);
  const other = parts.find((one) => one !== part);
  // Who names a part knows that there are two.
  if (other !== undefined && query.part === undefined && page === 1)
    facts.push(`its ${other} too: ${again(recalled, { part: other })}`);
  return facts.length === 0 ? undefined : `[memoir: ${facts.join("; ")}]`;
}

function again(
  { command, id }: Recalled,
  { part, lines, grep, page }: Omit<RecallQuery, "id">,
): string {
  const options = Object.entries({ part, lines, grep, page })
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => ` --${name} ${quoted(String(value))}`);
  return `${command} recall ${id}${options.join("")}`;
}

/** As one word of a shell. */
function quoted(word: string): string {
  return /^[\w.,:/-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}
