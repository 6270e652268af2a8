// What was said on the way: at turning points, by subagents, in commits and the client's own summaries. Told where there is room. Pure.
import type { Line } from "./line.ts";
import { fresh, type Note } from "./note.ts";
import { type PastTurn, piecesOf, textOf } from "./past.ts";
import { sentencesOf } from "./statements.ts";
import { afterTurn, afterWords, stillTrue } from "./still-true.ts";
import { termsOf } from "./terms.ts";

const sessionsLooked = 3;
const saidLeast = 40;
/** Of what was said on the way in one turn, so many pieces are told. */
const saidTold = 4;
/** Shorter reports say only that something is over. */
const reportLeast = 120;
const summaryHeading = "\nSummary:\n";
/** Lines at the end of a commit's body that name people. */
const trailer = /^[\w-]+-by: .*$/gim;
const least = 80;

/** Said on the way, newest turn first. */
export function asides(note: Note): Line[] {
  return note.turns
    .filter(({ sessionsAgo }) => sessionsAgo < sessionsLooked)
    .toReversed()
    .flatMap((past) => [
      ...commits(past, note),
      ...said(past, note),
      ...reports(past, note),
      ...summaries(past, note),
    ]);
}

/** Commits with a body: their subjects stand with their turn. */
function commits(past: PastTurn, note: Note): Line[] {
  return piecesOf(past, "commit")
    .filter(({ text }) => text.includes("\n"))
    .toReversed()
    .map(({ text, about = "" }, at) =>
      lineOf(past, note, 0.6 - at * 0.02, 500, {
        text: () => text.replace(trailer, "").trim(),
        label: `${note.labels.committed} ${about.split(" ")[0] ?? ""}:`,
      }),
    );
}

/**
 * What says most, in the order it was said. Without the last sentence of each: it said what came next, and that came.
 */
function said(past: PastTurn, note: Note): Line[] {
  const pieces = piecesOf(past, "said");
  if (pieces.length === 0) return [];
  const text = () => {
    const after = afterWords(past, textOf(past, "closing"));
    const left = pieces.map(({ text }) => {
      const end = text.lastIndexOf(sentencesOf(text).at(-1) ?? "");
      const kept = stillTrue(text.slice(0, Math.max(0, end)).trim(), after);
      return { kept, worth: kept.length < saidLeast ? 0 : termsOf(kept).size };
    });
    const least = left.map(({ worth }) => worth).sort((a, b) => b - a)[saidTold - 1] ?? 0;
    const told = left.flatMap(({ kept, worth }) => (worth > 0 && worth >= least ? kept : []));
    return [...new Set(told)].join("\n");
  };
  return [lineOf(past, note, 0.55, 500, { text, label: "…" })];
}

function reports(past: PastTurn, note: Note): Line[] {
  return piecesOf(past, "report")
    .filter(({ text }) => text.length >= reportLeast)
    .map(({ text, about = "" }) => {
      const label = `${note.labels.report}${about === "" ? "" : ` (${about})`}:`;
      return lineOf(past, note, 0.48, 500, { text: () => stillTrue(text, afterTurn(past)), label });
    });
}

/** The newest of the client's own summaries of the conversation; the turn went on after it. */
function summaries(past: PastTurn, note: Note): Line[] {
  return piecesOf(past, "compaction")
    .slice(-1)
    .map(({ text }) => {
      // The client thinks aloud before it.
      const summary = text.slice(Math.max(0, text.indexOf(summaryHeading)));
      return lineOf(past, note, 0.5, 900, {
        text: () => stillTrue(summary, afterWords(past, textOf(past, "closing"))),
        label: `${note.labels.summary}:`,
      });
    });
}

function lineOf(
  past: PastTurn,
  note: Note,
  rank: number,
  wanted: number,
  { text, label }: { text: () => string; label: string },
): Line {
  return {
    section: "earlier",
    rank: rank * fresh(past),
    ids: [past.turn.id],
    time: past.turn.startedAt,
    head: `${past.turn.id} · ${note.clock.day(past.turn.startedAt)}`,
    sayings: () => {
      const left = text();
      return left === "" ? [] : [{ text: left, label, as: "quote" }];
    },
    needsSaying: true,
    wanted,
    least,
  };
}
