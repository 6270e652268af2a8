// `memoir show`: records in full, and how every command shows one: its id, its type, its turn in a line.

import { claudeCode, clientOf } from "../../clients/index.ts";
import { pieceNames } from "../../evidence/piece-names.ts";
import type { Author } from "../../sdk/change.ts";
import { MemoirError } from "../../sdk/errors.ts";
import {
  type Observation,
  type Prompt,
  type Session,
  type Summary,
  summaryTextNames,
} from "../../sdk/model.ts";
import { furtherTexts, listsOf, textsOf, typeWords } from "../../sdk/record-texts.ts";
import type { RecordKind, StoredRecord } from "../../sdk/storage.ts";
import type { Evidence, Place, Turn } from "../../sdk/turn.ts";
import { nameWords, plural } from "../../text/text.ts";
import { server } from "../server/client.ts";
import {
  ago,
  dateTime,
  fit,
  printableMemory,
  titled,
  width as widthOf,
  wrap,
} from "../terminal/layout.ts";
import { answer } from "../terminal/output.ts";
import type { Colors, Terminal } from "../terminal/terminal.ts";

/** A record as the server answers it: `by` says who is behind it. */
type ServedRecord = StoredRecord & {
  by?: string | undefined;
  /** Hidden with something else. */
  withheld?: true | undefined;
  shown?: { shown: number; used: number; rests: boolean } | undefined;
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
    by ?? "",
    pinned ? "pinned to the top of every context" : "",
    merged === undefined ? "" : `merged into ${merged}: hidden from agents`,
    hidden && merged === undefined ? "hidden from agents" : "",
    usesLine(stored),
    stored.withheld ? "hidden from agents with its session, or with what it was made from" : "",
    edited
      ? `edited by ${editor(edited.by)} ${dateTime(edited.time)}; undo: memoir memory edit ${id} --undo`
      : "",
  ]
    .filter((line) => line !== "")
    .map(colors.dim);
}

function editor(by: Author | undefined): string {
  if (!by) return "you";
  const { person = "another member", machine, own } = by;
  return `${own ? "you" : person}${machine ? ` on ${machine}` : ""}`;
}

function usesLine({ record: { id, pinned }, shown }: ServedRecord): string {
  if (!shown) return "";
  const often = `${shown.used} of ${plural(shown.shown, "session")}`;
  if (shown.used > 0) return `shown sooner: used in ${often} that it was shown in`;
  return shown.rests && !pinned
    ? `shown less: used in ${often} that it was shown in; undo: memoir memory pin ${id}`
    : `used in ${often} that it was shown in`;
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
      const { id, kind, date, content, state, quote, session } = stored.record;
      const said = state === "candidate" ? "  suggested" : "";
      return [
        `${terminal.colors.cyan(id)}  ${typeWords("memory", kind).toLowerCase()}  ${date}${said}`,
        ...Object.values(textsOf(stored)).flat().filter(Boolean),
        ...labelled({
          quote: quote === undefined || quote === content ? "" : `"${quote}"`,
          "made from": madeFrom(stored.record),
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
  const [, ...rest] = furtherTexts({ kind: "observation", record });
  // Where nothing was said at the end a narrative is the facts again.
  const others = rest.filter((text) => text !== record.facts.join(" "));
  const agent = record.agent ? `by subagent ${record.agent.type ?? record.agent.id}` : "";
  const cost = [
    record.discoveryTokens === null ? "" : `${record.discoveryTokens} tokens to find out`,
    record.observerTokens ? `${record.observerTokens} tokens to write` : "",
  ];
  return [
    `${cyan(record.id)}  ${paintType(record.type, terminal.colors)}  ${bold(titled(record.title))}`,
    ...(record.supersededBy === undefined ? [] : [`superseded by ${cyan(record.supersededBy)}`]),
    ...(record.subtitle ? wrap(record.subtitle, width) : []),
    ...others.flatMap((text) => paragraph(text, width)),
    "",
    ...labelled({
      ...joinedLists({ kind: "observation", record }),
      where: [record.project, record.branch && `branch ${record.branch}`, agent]
        .filter(Boolean)
        .join(", "),
      session: `${record.session}, prompt ${record.promptNumber}${inClient(record.client)}`,
      "made from": madeFrom(record),
      when: `${dateTime(record.time)} (${ago(record.time, terminal.now())})`,
      cost: cost.filter(Boolean).join(", "),
    }).map(dim),
  ];
}

/** A text below a blank line, a list with a dot before each; nothing for one that says nothing. */
function paragraph(text: string | readonly string[], width: number | undefined): string[] {
  if (text.length === 0) return [];
  const lines =
    typeof text === "string" ? wrap(text, width) : text.flatMap((one) => bullet(one, width));
  return ["", ...lines];
}

function joinedLists(stored: StoredRecord): Record<string, string> {
  return Object.fromEntries(listsOf(stored).map(([name, items]) => [name, items.join(", ")]));
}

/** A summary's fields that say something. */
export function summaryLines(record: Summary, terminal: Terminal): string[] {
  const { bold, dim, cyan } = terminal.colors;
  const of = record.scope === "session" ? "session" : `prompt ${record.promptNumber}`;
  const fields: Array<[string, string]> = [
    ...summaryTextNames.map((name): [string, string] => [nameWords(name), record[name]]),
    ...Object.entries(joinedLists({ kind: "summary", record })),
    ["made from", madeFrom(record)],
  ];
  return [
    `${cyan(record.id)}  ${bold(`summary of ${of}`)}  ${dim(dateTime(record.time))}`,
    ...fields
      .filter(([, text]) => text !== "")
      .flatMap(([name, text]) => {
        const [first = "", ...rest] = wrap(text, terminal.width, " ".repeat(15));
        return [dim(`${name}:`.padEnd(15)) + first.slice(15), ...rest];
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
    `${cyan(record.id)}  ${bold(titled(record.title || "untitled session"))}`,
    ...furtherTexts({ kind: "session", record })
      .flat()
      .flatMap((text) => (text ? wrap(text, terminal.width) : [])),
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

/** `prompt 2, prompt 3 of session 3f2a91c0`: the turns that a record quotes. */
function madeFrom({ evidence = [] }: { evidence?: Place[] | undefined }): string {
  const turns = evidence.map(
    ({ session, turn }) => `prompt ${turn}${session === undefined ? "" : ` of session ${session}`}`,
  );
  return [...new Set(turns)].join(", ");
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

/** ` in Qwen Code`; nothing for Claude Code. A client that is not known goes by its name. */
export function inClient(name: string): string {
  return name === claudeCode.name ? "" : ` in ${clientOf(name)?.title ?? name}`;
}

/** The word in its type's colour; words nobody knows stay plain. */
export function paintType(type: string, colors: Colors): string {
  const paints: Record<string, (text: string) => string> = {
    decision: colors.magenta,
    bugfix: colors.red,
    feature: colors.green,
    refactor: colors.blue,
    change: colors.cyan,
    discovery: colors.yellow,
  };
  const paint = Object.hasOwn(paints, type) ? paints[type] : undefined;
  return paint ? paint(type) : type;
}

// A turn as lines: what was said and done between two prompts, in order, word for word.

const ends = { closed: "ended", interrupted: "stopped by you", open: "still open" } as const;
const indent = "    ";

/** All of it. */
function turnLines(turn: Turn, terminal: Terminal): string[] {
  const { bold, cyan, dim } = terminal.colors;
  const number = turn.promptNumber === 0 ? "before any prompt" : `prompt ${turn.promptNumber}`;
  const when = `${dateTime(turn.startedAt)} (${ago(turn.startedAt, terminal.now())})`;
  return [
    `${cyan(turn.id)}  ${bold(`turn, ${number}`)}  ${ends[turn.end]}  ${dim(`${when}, session ${turn.session}`)}`,
    ...turn.pieces.flatMap((piece) => pieceLines(piece, terminal)),
    ...fileLines(turn, terminal),
    ...missingLines(turn).map(dim),
  ];
}

function pieceLines(piece: Evidence, { colors, width }: Terminal): string[] {
  const { bold, dim, yellow } = colors;
  const isUser = pieceNames[piece.kind].startsWith("you ");
  const name = isUser ? yellow(pieceNames[piece.kind]) : bold(pieceNames[piece.kind]);
  const agent = /subagent$/.test(pieceNames[piece.kind]) ? "" : "by subagent ";
  const by = piece.agent ? dim(` ${agent}${piece.agent}`) : "";
  const times = piece.times ? dim(` ${piece.times} times`) : "";
  const about = [piece.described, piece.about].filter((text) => text !== undefined);
  return [
    "",
    `  ${name}${by}${times}${about[0] ? `: ${fit(about[0], width && width - 24)}` : ""}`,
    ...about.slice(1).flatMap((text) => wrap(text, width, indent).map(dim)),
    ...(piece.text === "" ? [] : wrap(piece.text, width, indent)),
    ...(piece.shortened ? [dim(`${indent}(${piece.shortened} characters left out)`)] : []),
  ];
}

function fileLines({ files }: Turn, { colors, width }: Terminal): string[] {
  const of = (changed: boolean) => files.filter((file) => file.changed === changed);
  const changed = of(true).map(
    ({ path, symbols = [] }) => path + (symbols.length > 0 ? ` (${symbols.join(", ")})` : ""),
  );
  const read = of(false).map(({ path }) => path);
  return [
    ...(changed.length > 0 ? ["", `  ${colors.bold("changed")}`] : []),
    ...changed.flatMap((line) => wrap(line, width, indent)),
    ...(read.length > 0
      ? ["", `  ${colors.bold("read")}`, ...wrap(read.join(", "), width, indent)]
      : []),
  ];
}

function missingLines({ leftOut = {}, gaps }: Turn): string[] {
  const counts = Object.entries(leftOut).map(([kind, count]) => `${count} of ${kind}`);
  return [
    ...(counts.length > 0
      ? ["", `  not kept, because there were too many: ${counts.join(", ")}`]
      : []),
    ...(gaps
      ? ["", "  what was said between tool uses is missing: the transcript was not there"]
      : []),
  ];
}

/** One line: what was asked, and how it was answered. */
export function turnLine(turn: Turn, width: number | undefined): string {
  const asked = turn.pieces.find(({ kind }) => kind === "prompt")?.text ?? "";
  // Half of the line, or what a short answer leaves.
  const least = width && Math.max(12, Math.floor(width / 2) - 2);
  const left = width && width - widthOf(outcomeLine(turn, undefined)) - 3;
  const shown = asked && `“${titled(asked, least && Math.max(least, left ?? 0))}”`;
  const rest = width && Math.max(12, width - widthOf(shown) - 1);
  return [shown, outcomeLine(turn, rest)].filter(Boolean).join(" ");
}

/** One line: what was said last, whether it was stopped, and how much was changed. */
export function outcomeLine(turn: Turn, width: number | undefined): string {
  const answer = turn.pieces.findLast(({ kind }) => kind === "closing" || kind === "said")?.text;
  const changed = turn.files.filter((file) => file.changed).length;
  const notes = [
    turn.end === "interrupted" ? "stopped by you" : "",
    changed > 0 ? plural(changed, "file") : "",
  ].filter(Boolean);
  const end = notes.length > 0 ? `(${notes.join(", ")})` : "";
  const room = width && Math.max(12, width - end.length - 3);
  return [answer && `→ ${titled(answer, room)}`, end].filter(Boolean).join(" ");
}
