// `memoir show`: records in full.

import { MemoirError } from "../../sdk/errors.ts";
import {
  type Observation,
  type Prompt,
  type Session,
  type Summary,
  summaryTextNames,
} from "../../sdk/model.ts";
import type { RecordKind, StoredRecord } from "../../sdk/storage.ts";
import type { Place } from "../../sdk/turn.ts";
import { nameWords, plural } from "../../text/text.ts";
import { server } from "../server/client.ts";
import { answer } from "../terminal/agree.ts";
import { ago, dateTime, wrap } from "../terminal/layout.ts";
import { printableMemory } from "../terminal/printable.ts";
import type { Terminal } from "../terminal/terminal.ts";
import { paintType } from "./paint-type.ts";
import { inClient, turnLines } from "./turn-lines.ts";

/** A record as the server answers it: `by` says who is behind it. */
type ServedRecord = StoredRecord & {
  by?: string | undefined;
  /** Hidden with something else. */
  withheld?: true | undefined;
};

/** Prints each record. Throws `record_not_found` for an id that nobody knows. */
export async function show(
  ids: readonly string[],
  options: { json?: boolean },
  terminal: Terminal,
): Promise<number> {
  const records: ServedRecord[] = [];
  for (const id of ids) records.push(await fetchRecord(id));
  return answer(terminal, options, { records }, () =>
    printableMemory(records).flatMap((record, at) => [
      ...(at > 0 ? [""] : []),
      ...recordLines(record, terminal),
    ]),
  );
}

/** A record by its id; a session also by the beginning of its id. */
export async function fetchRecord(id: string): Promise<ServedRecord> {
  const params = { id };
  try {
    return await server.get("/api/records/:id", { params });
  } catch (error) {
    if (!(error instanceof MemoirError) || error.code !== "record_not_found") throw error;
    if (!/^[0-9a-f]{4,}/i.test(id))
      throw new MemoirError("record_not_found", `There is no record ${id}.`, { cause: error });
    const { session } = await server.get("/api/sessions/:id", { params });
    return { kind: "session", record: session };
  }
}

/** Eight characters of a session's id are enough for every command. */
export function shownId({ id, kind }: { id: string; kind: RecordKind }): string {
  return kind === "session" ? id.slice(0, 8) : id;
}

/** A record as lines for people, with what the user made of it. */
export function recordLines(stored: ServedRecord, terminal: Terminal): string[] {
  return [...linesOf(stored, terminal), ...marksLines(stored, terminal)];
}

function marksLines(stored: ServedRecord, { colors }: Terminal): string[] {
  const { record } = stored;
  const { id, pinned, hidden, merged, edited } = record;
  const by = edited ? undefined : stored.by;
  return [
    by === undefined ? "" : `by: ${by}`,
    pinned ? "pinned: told first to every session" : "",
    merged === undefined ? "" : `merged into ${merged}: told to no agent`,
    hidden && merged === undefined ? "hidden: told to no agent" : "",
    stored.withheld ? "hidden with its session, or with what it was made of: told to no agent" : "",
    edited
      ? `edited by you ${dateTime(edited.time)}; memoir memory edit ${id} --undo takes it back`
      : "",
  ]
    .filter((line) => line !== "")
    .map(colors.dim);
}

function linesOf(stored: StoredRecord, terminal: Terminal): string[] {
  switch (stored.kind) {
    case "observation":
      return observationLines(stored.record, terminal);
    case "summary":
      return summaryLines(stored.record, terminal);
    case "prompt":
      return promptLines(stored.record, terminal);
    case "session":
      return sessionLines(stored.record, terminal);
    case "memory": {
      const { id, kind, date, content, context, state, quote, session } = stored.record;
      const said = state === "candidate" ? "  said once" : "";
      return [
        `${terminal.colors.cyan(id)}  ${kind}  ${date}${said}`,
        content,
        ...(context ? [context] : []),
        ...labelled({
          quote: quote === undefined || quote === content ? "" : `"${quote}"`,
          evidence: evidenceText(stored.record),
          session,
        }).map(terminal.colors.dim),
      ];
    }
    case "turn":
      return turnLines(stored.record, terminal);
  }
}

function observationLines(record: Observation, terminal: Terminal): string[] {
  const { bold, dim, cyan } = terminal.colors;
  const { width } = terminal;
  const agent = record.agent ? `by subagent ${record.agent.type ?? record.agent.id}` : "";
  const cost = [
    record.discoveryTokens === null ? "" : `${record.discoveryTokens} tokens to find out`,
    record.observerTokens ? `${record.observerTokens} tokens to write` : "",
  ];
  return [
    `${cyan(record.id)}  ${paintType(record.type, terminal.colors)}  ${bold(record.title)}`,
    ...(record.supersededBy === undefined ? [] : [`superseded by ${cyan(record.supersededBy)}`]),
    ...(record.subtitle ? wrap(record.subtitle, width) : []),
    ...(record.facts.length > 0 ? [""] : []),
    ...record.facts.flatMap((fact) => bullet(fact, width)),
    ...(record.narrative ? ["", ...wrap(record.narrative, width)] : []),
    "",
    ...labelled({
      concepts: record.concepts.join(", "),
      changed: record.filesModified.join(", "),
      read: record.filesRead.join(", "),
      where: [record.project, record.branch && `branch ${record.branch}`, agent]
        .filter(Boolean)
        .join(", "),
      session: `${record.session}, prompt ${record.promptNumber}${inClient(record.client)}`,
      evidence: evidenceText(record),
      when: `${dateTime(record.time)} (${ago(record.time, terminal.now())})`,
      cost: cost.filter(Boolean).join(", "),
    }).map(dim),
  ];
}

/** A summary's fields that say something. */
export function summaryLines(record: Summary, terminal: Terminal): string[] {
  const { bold, dim, cyan } = terminal.colors;
  const of = record.scope === "session" ? "session" : `prompt ${record.promptNumber}`;
  const fields: Array<[string, string]> = [
    ...summaryTextNames.map((name): [string, string] => [nameWords(name), record[name]]),
    ["edited", record.filesEdited.join(", ")],
    ["read", record.filesRead.join(", ")],
    ["evidence", evidenceText(record)],
  ];
  return [
    `${cyan(record.id)}  ${bold(`summary of ${of}`)}  ${dim(dateTime(record.time))}`,
    ...fields
      .filter(([, text]) => text !== "")
      .flatMap(([name, text]) => {
        const [first = "", ...rest] = wrap(text, terminal.width, " ".repeat(14));
        return [dim(`${name}:`.padEnd(14)) + first.slice(14), ...rest];
      }),
  ];
}

function promptLines(record: Prompt, terminal: Terminal): string[] {
  const { bold, cyan, dim } = terminal.colors;
  return [
    `${cyan(record.id)}  ${bold(`prompt ${record.promptNumber}`)}  ${dim(`${dateTime(record.time)}, session ${record.session}${inClient(record.client)}`)}`,
    ...wrap(record.text, terminal.width),
  ];
}

function sessionLines(record: Session, terminal: Terminal): string[] {
  const { bold, cyan, dim } = terminal.colors;
  return [
    `${cyan(record.id)}  ${bold(record.title || "untitled session")}`,
    ...(record.subtitle ? wrap(record.subtitle, terminal.width) : []),
    ...labelled({
      where: `${record.project.id}${inClient(record.client)}`,
      when: `${dateTime(record.startedAt)} to ${endText(record)}`,
      made: `${plural(record.prompts, "prompt")}, ${plural(record.observations, "observation")}`,
    }).map(dim),
  ];
}

/** `now`, or when it ended and the client's word for why. */
function endText({ endedAt, endReason }: Session): string {
  if (endedAt === null) return "now";
  return `${dateTime(endedAt)}${endReason === undefined ? "" : ` (ended by ${endReason})`}`;
}

/** `prompt 2, piece 0 and 14`: which pieces of which turns a record quotes. */
function evidenceText({ evidence = [] }: { evidence?: Place[] | undefined }): string {
  const turns = new Map<string, number[]>();
  for (const { session, turn, piece } of evidence) {
    const name = `${session === undefined ? "" : `session ${session}, `}prompt ${turn}`;
    turns.set(name, [...(turns.get(name) ?? []), piece]);
  }
  return [...turns].map(([name, pieces]) => `${name}: piece ${pieces.join(", ")}`).join("; ");
}

function labelled(fields: Readonly<Record<string, string>>): string[] {
  const filled = Object.entries(fields).filter(([, text]) => text !== "");
  const longest = Math.max(...filled.map(([name]) => name.length));
  return filled.map(([name, text]) => `${name.padEnd(longest)}  ${text}`);
}

function bullet(text: string, width: number | undefined): string[] {
  const [first = "", ...rest] = wrap(text, width, "  ");
  return [`· ${first.slice(2)}`, ...rest];
}
