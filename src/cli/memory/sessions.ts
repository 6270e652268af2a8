// `memoir sessions`: a list of sessions, or one of them from its first prompt to its summary.

import { MemoirError } from "../../sdk/errors.ts";
import type { Session } from "../../sdk/model.ts";
import type { Answer } from "../../server/route-types.ts";
import { plural } from "../../text/text.ts";
import type { OptionsOf } from "../commands/declared.ts";
import type { lookCommands } from "../commands/memory.ts";
import { server } from "../server/client.ts";
import { ago, columns, fit } from "../terminal/layout.ts";
import { printableMemory } from "../terminal/printable.ts";
import type { Terminal } from "../terminal/terminal.ts";
import { filterQuery, filterWords, noSuchProject } from "./filter.ts";
import { paintType } from "./paint-type.ts";
import { recordLines, summaryLines } from "./show.ts";
import { inClient, outcomeLine } from "./turn-lines.ts";

type SessionsOptions = OptionsOf<(typeof lookCommands)["sessions"]>;

/** Lists sessions, newest first; with `id` shows that one. */
export async function sessions(
  id: string | undefined,
  options: SessionsOptions,
  terminal: Terminal,
): Promise<number> {
  if (id !== undefined) return oneSession(id, options, terminal);
  const { session: _none, ...query } = await filterQuery(options, terminal);
  const found = await server.get("/api/sessions", { query });
  if (options.json) terminal.print(JSON.stringify({ sessions: found.sessions }));
  else if (found.sessions.length === 0) {
    printNone(filterWords(query), terminal);
    for (const line of await noSuchProject(query.project)) terminal.print(line);
  } else printList(printableMemory(found.sessions), terminal);
  return 0;
}

async function fetchSession(id: string): Promise<Answer<"/api/sessions/:id">> {
  try {
    return await server.get("/api/sessions/:id", { params: { id } });
  } catch (error) {
    if (!(error instanceof MemoirError) || error.code !== "record_not_found") throw error;
    throw new MemoirError("record_not_found", `No session's id begins with ${id}.`, {
      cause: error,
      fix: "`memoir sessions` lists them.",
    });
  }
}

async function oneSession(
  id: string,
  options: SessionsOptions,
  terminal: Terminal,
): Promise<number> {
  const answer = await fetchSession(id);
  if (options.json) {
    terminal.print(JSON.stringify(answer));
    return 0;
  }
  const page = printableMemory(answer);
  const { colors, width } = terminal;
  const print = (lines: readonly string[]) => terminal.print(lines.join("\n"));
  print(recordLines({ kind: "session", record: page.session }, terminal));
  const numbers = new Set(
    [...page.prompts, ...page.observations, ...page.turns].map(({ promptNumber }) => promptNumber),
  );
  for (const number of [...numbers].sort((a, b) => a - b)) {
    const prompt = page.prompts.find(({ promptNumber }) => promptNumber === number);
    const turn = page.turns.find(({ promptNumber }) => promptNumber === number);
    const asked = prompt ? fit(prompt.text, width && width - 6) : "(before the first prompt)";
    terminal.print(`\n${colors.bold(`${number}.`)} ${asked}`);
    if (turn)
      terminal.print(`   ${colors.cyan(turn.id)}  ${outcomeLine(turn, width && width - 12)}`);
    const made = page.observations.filter(({ promptNumber }) => promptNumber === number);
    const rows = made.map((o) => [colors.cyan(o.id), paintType(o.type, colors), o.title]);
    for (const line of columns(rows)) terminal.print(`   ${line}`);
  }
  const summary = page.summaries.find(({ scope }) => scope === "session") ?? page.summaries.at(-1);
  if (summary) print(["", ...summaryLines(summary, terminal)]);
  return 0;
}

function printList(found: readonly Session[], terminal: Terminal): void {
  const { cyan, dim, green } = terminal.colors;
  const rows = found.map((session) => [
    cyan(session.id.slice(0, 8)),
    session.status === "active" ? green("●") : " ",
    ago(session.lastActiveAt, terminal.now()),
    `${session.project.name}${inClient(session.client)}`,
    plural(session.prompts, "prompt"),
    `${session.observations} obs`,
    session.title || dim("untitled"),
  ]);
  for (const line of columns(rows)) terminal.print(line);
  terminal.print(dim("\nmemoir sessions <id> shows what happened in it."));
}

function printNone(narrowed: string, terminal: Terminal): void {
  terminal.print(narrowed ? `No session ${narrowed}.` : "No session is remembered yet.");
  terminal.print(terminal.colors.dim("`memoir status` says whether anything is captured."));
}
