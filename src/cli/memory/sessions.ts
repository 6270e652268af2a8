// `memoir sessions`: a list of sessions, or one of them from its first prompt to its summary.

import { MemoirError } from "../../sdk/errors.ts";
import type { Session } from "../../sdk/model.ts";
import type { Answer } from "../../server/route-types.ts";
import { plural } from "../../text/text.ts";
import type { OptionsOf } from "../commands/declared.ts";
import type { lookCommands } from "../commands/memory.ts";
import { server } from "../server/client.ts";
import { answer } from "../terminal/agree.ts";
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
  if (id !== undefined) {
    const page = await fetchSession(id);
    return answer(terminal, options, page, () => sessionPage(printableMemory(page), terminal));
  }
  const { session: _none, ...query } = await filterQuery(options, terminal);
  const { sessions: found } = await server.get("/api/sessions", { query });
  return answer(terminal, options, { sessions: found }, async () =>
    found.length > 0
      ? listLines(printableMemory(found), terminal)
      : [
          filterWords(query)
            ? `No session ${filterWords(query)}.`
            : "No session is remembered yet.",
          terminal.colors.dim("`memoir status` says whether anything is captured."),
          ...(await noSuchProject(query.project)),
        ],
  );
}

type SessionPage = Answer<"/api/sessions/:id">;

async function fetchSession(id: string): Promise<SessionPage> {
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

function sessionPage(page: SessionPage, terminal: Terminal): string[] {
  const { colors, width } = terminal;
  const numbers = new Set(
    [...page.prompts, ...page.observations, ...page.turns].map(({ promptNumber }) => promptNumber),
  );
  const steps = [...numbers]
    .sort((a, b) => a - b)
    .flatMap((number) => {
      const isOf = (one: { promptNumber: number }) => one.promptNumber === number;
      const prompt = page.prompts.find(isOf);
      const turn = page.turns.find(isOf);
      const asked = prompt ? fit(prompt.text, width && width - 6) : "(before the first prompt)";
      const made = page.observations.filter(isOf);
      const rows = made.map((o) => [colors.cyan(o.id), paintType(o.type, colors), o.title]);
      return [
        `\n${colors.bold(`${number}.`)} ${asked}`,
        ...(turn ? [`   ${colors.cyan(turn.id)}  ${outcomeLine(turn, width && width - 12)}`] : []),
        ...columns(rows).map((line) => `   ${line}`),
      ];
    });
  const summary = page.summaries.find(({ scope }) => scope === "session") ?? page.summaries.at(-1);
  return [
    ...recordLines({ kind: "session", record: page.session }, terminal),
    ...steps,
    ...(summary ? ["", ...summaryLines(summary, terminal)] : []),
  ];
}

function listLines(found: readonly Session[], { colors, now }: Terminal): string[] {
  const { cyan, dim, green } = colors;
  const rows = found.map((session) => [
    cyan(session.id.slice(0, 8)),
    session.status === "active" ? green("●") : " ",
    ago(session.lastActiveAt, now()),
    `${session.project.name}${inClient(session.client)}`,
    plural(session.prompts, "prompt"),
    `${session.observations} obs`,
    session.title || dim("untitled"),
  ]);
  return [...columns(rows), dim("\nmemoir sessions <id> shows what happened in it.")];
}
