// A turn as lines for people: what was said and done between two prompts, in order, word for word.

import { claudeCode, clients } from "../../clients/index.ts";
import { pieceNames } from "../../evidence/piece-names.ts";
import type { Evidence, Turn } from "../../sdk/turn.ts";
import { plural } from "../../text/text.ts";
import { ago, dateTime, fit, width as widthOf, wrap } from "../terminal/layout.ts";
import type { Terminal } from "../terminal/terminal.ts";

const ends = { closed: "ended", interrupted: "stopped by you", open: "left open" } as const;
const indent = "    ";

/** All of it. */
export function turnLines(turn: Turn, terminal: Terminal): string[] {
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
  const shown = asked && `“${fit(asked, least && Math.max(least, left ?? 0))}”`;
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
  return [answer && `→ ${fit(answer, room)}`, end].filter(Boolean).join(" ");
}

// Which client a record is from, in words, where it is not the first one.

/** ` in Qwen Code`; nothing for Claude Code. A client that is not known goes by its name. */
export function inClient(name: string): string {
  return name === claudeCode.name ? "" : ` in ${clients.get(name)?.title ?? name}`;
}
