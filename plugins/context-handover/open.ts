// What is open: a question without an answer, a list that was not finished, a command that fails, work that was stopped. Pure.

import type { Turn } from "../../src/sdk/index.ts";
import { openFailures } from "./commands.ts";
import type { Line } from "./line.ts";
import { tellingLine } from "./line.ts";
import { code, fresh, type Note, type PastTurn, piecesOf, placeOf, textOf } from "./past.ts";
import { coverage, sentencesOf, termsOf } from "./statements.ts";
import { afterTurn, asksAtEnd, stillTrue } from "./still-true.ts";

const least = 40;
/** So much of an entry's words in a later turn: that turn took it up. */
const takenUp = 0.6;
/** Sessions whose ends are looked at. */
const sessionsLooked = 4;
const filesNamed = 6;
const item = /^\s*(?:[-*•]|\(?[\da-z]{1,2}[.):])\s/i;

/** Everything open, the most pressing first. */
export function openThings(note: Note): Line[] {
  return [
    ...failures(note),
    ...questions(note),
    ...todo(note),
    ...stops(note),
    ...uncommitted(note),
  ];
}

function failures(note: Note): Line[] {
  return openFailures(note.turns)
    .filter(({ past }) => past.sessionsAgo < sessionsLooked)
    .slice(-3)
    .map(({ piece, past }) => ({
      section: "open",
      rank: 0.93 * fresh(past),
      ids: [past.turn.id],
      head: `${placeOf(past, note)} · ${note.labels.failed}: ${code(piece.about ?? "")}`,
      sayings: () => [{ text: tellingLine(piece.text), as: "user" }],
      wanted: 400,
      least,
    }));
}

/** The last words of a session when they ask something; its next prompt would have been the answer. */
function questions(note: Note): Line[] {
  return lastOfSessions(note).flatMap((past): Line[] => {
    const closing = stillTrue(textOf(past, "closing"), afterTurn(past));
    const last = lastAsked(closing);
    if (past.turn.end !== "closed" || !asksAtEnd(last)) return [];
    return [
      {
        section: "open",
        rank: 0.9 * fresh(past),
        ids: [past.turn.id],
        head: `${placeOf(past, note)} · ${note.labels.question}:`,
        sayings: () => [{ text: last, as: "user" }],
        wanted: 300,
        least,
      },
    ];
  });
}

/** The last sentence; of a list of answers the whole list, with the line that begins it. */
function lastAsked(closing: string): string {
  const lines = closing.trimEnd().split("\n");
  const isItem = (line = "") => item.test(line);
  if (!isItem(lines.at(-1))) return sentencesOf(closing).at(-1) ?? "";
  const before = lines.findLastIndex((line) => line.trim() !== "" && !isItem(line));
  return lines.slice(Math.max(0, before)).join("\n");
}

/** What the newest list leaves to do; a list is overtaken by any later one. */
function todo(note: Note): Line[] {
  const past = note.turns.findLast((one) => textOf(one, "todo") !== "");
  if (!past || past.sessionsAgo >= sessionsLooked) return [];
  const left = textOf(past, "todo")
    .split("\n")
    .flatMap((line) => (line.startsWith("- [ ] ") ? line.slice(6) : []))
    .filter((entry) => !past.later.some(({ terms }) => coverage(termsOf(entry), terms) >= takenUp));
  if (left.length === 0) return [];
  return [
    {
      section: "open",
      rank: 0.88 * fresh(past),
      ids: [past.turn.id],
      head: `${placeOf(past, note)} · ${note.labels.todo}:`,
      sayings: () => [{ text: left.join("; "), as: "plain" }],
      wanted: 500,
      least,
    },
  ];
}

/** A session that ended in a refusal or with Esc: what was about to be done is not done. */
function stops(note: Note): Line[] {
  return lastOfSessions(note).flatMap((past): Line[] => {
    const stop = piecesOf(past, "interrupted", "refusal").at(-1);
    // The newest turn is told whole; what was stopped longer ago was taken up or dropped.
    const isOld = past.sessionsAgo > 1;
    if (past.turn.end !== "interrupted" || !stop || past.later.length === 0 || isOld) return [];
    const { stopped, sections } = note.labels;
    const how = stop.kind === "refusal" ? sections.refused : stopped;
    return [
      {
        section: "open",
        rank: 0.95 * fresh(past),
        ids: [past.turn.id],
        head: `${placeOf(past, note)} · ${stop.about ? `${how}: ${code(stop.about)}` : how}`,
        sayings: () => (stop.text === "" ? [] : [{ text: stop.text, as: "user" }]),
        wanted: 500,
        least,
      },
    ];
  });
}

/** Files changed since the last commit, where commits were seen at all. */
function uncommitted(note: Note): Line[] {
  const at = note.turns.findLastIndex((past) => piecesOf(past, "commit").length > 0);
  const past = note.turns.at(-1);
  if (at < 0 || !past) return [];
  const changing = note.turns.slice(at + 1).filter(({ turn }) => turn.files.some(isChanged));
  const files = new Set(
    changing.flatMap(({ turn }) => turn.files.filter(isChanged).map(({ path }) => path)),
  );
  if (files.size === 0) return [];
  const named = [...files].slice(-filesNamed);
  const more = files.size > named.length ? ` +${files.size - named.length}` : "";
  return [
    {
      section: "open",
      rank: 0.7,
      ids: [],
      from: changing.map(({ turn }) => turn.id).toReversed(),
      head: `${note.labels.uncommitted}: ${named.join(", ")}${more}`,
      sayings: () => [],
      wanted: 500,
      least,
    },
  ];
}

const isChanged = ({ changed }: Turn["files"][number]) => changed;

function lastOfSessions({ turns }: Note): PastTurn[] {
  return turns
    .filter(({ isLast, sessionsAgo }) => isLast && sessionsAgo < sessionsLooked)
    .toReversed();
}
