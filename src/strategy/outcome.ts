// What came of a turn, in a line: the words of a commit, a plan or the agent's closing before the prompt's own. Pure.
import type { Evidence, NewTurn } from "../sdk/turn.ts";
import {
  askedOf,
  failureLine,
  headingOf,
  isFiller,
  meaningOf,
  overlap,
  plainLine,
  planOf,
  requestOf,
} from "../text/prose/plain.ts";
import { isAnnouncement, type Telling, tellings } from "../text/prose/telling.ts";
import { baseName, capitalize } from "../text/text.ts";

/** What a title rests on, the strongest first; `asked` where nothing came of the turn. */
export type OutcomeBasis = "commit" | "plan" | "said" | "answer" | "repair" | "changed" | "asked";

/** What came of a turn. */
export interface Outcome {
  /** 3 to 12 words of plain text; "" where not even the prompt says anything. */
  title: string;
  basis: OutcomeBasis;
  /** The one to three sentences of the closing that carry the result; "" where none does. */
  said: string;
}

const most = { words: 12, characters: 90, denseCharacters: 44 };
/** A clause of fewer words is no title. */
const leastWords = 4;
/** A sentence must be worth so much to be the result. */
const least = 1.5;
const mostSaid = 3;

/** `inText` shortens the paths in a text. */
export function outcomeOf(
  turn: NewTurn,
  inText: (text: string) => string = (text) => text,
): Outcome {
  const prompt = textOf(turn.pieces, "prompt");
  const results = resultsOf(turn, inText);
  const said = results.slice(0, mostSaid).map(({ text }) => text);
  const because = { said: said.join(" ") };
  const made = commitOf(turn.pieces, said.join(" "));
  if (made !== "") return { title: titleIn(inText(made)), basis: "commit", ...because };
  const plan = planIn(turn.pieces, prompt);
  if (plan !== "") return { title: titleIn(inText(plan)), basis: "plan", ...because };
  const [first] = results;
  const worked = turn.files.some(({ changed }) => changed);
  if (first)
    return {
      title: titleIn(first.text, first.code),
      basis: worked ? "said" : "answer",
      ...because,
    };
  const repaired = turn.pieces.findLast(({ kind }) => kind === "repair");
  const failed = failureLine(repaired?.text.split("\n\n→ ")[0] ?? "");
  if (failed !== "")
    return { title: titleIn(`Fixed: ${inText(failed)}`), basis: "repair", said: "" };
  if (worked) return { title: titleIn(changedText(turn)), basis: "changed", said: "" };
  const asked = titleIn(inText(requestOf(prompt)));
  const isQuestion = asked === "" || /[?？؟…]$/.test(asked);
  return { title: isQuestion ? asked : `${asked}?`, basis: "asked", said: "" };
}

/** A commit's subject without its conventional prefix, its tag and the pull request's number; "" without a commit. */
export function subjectOf(message: string | undefined): string {
  const subject = message?.split("\n")[0] ?? "";
  return capitalize(
    plainLine(
      subject
        .replace(/^[a-z]+(?:\([^)]*\))?!?:\s+/, "")
        .replace(/^\[[^\]]+\]\s*/, "")
        .replace(/\s*\(?#\d+\)?$/, ""),
    ),
  );
}

const titled =
  /\bgh\s+pr\s+(?:create|edit)\b[^\n]*?(?:--title|-t)[ =](?:"((?:[^"\\]|\\.)+)"|'([^']+)')/;
const tagged = /\bgit\s+tag\s+(?:-[asm]+\s+)*["']?(v?\d[\w.-]*)/;

/** The commit that shares most with what was asked and said; else a pull request's title, or a tag. */
function commitOf(pieces: readonly Evidence[], said: string): string {
  const own = pieces.filter(({ agent }) => agent === undefined);
  const about = `${textOf(own, "prompt")} ${said}`;
  const [subject = ""] = own
    .filter(({ kind, text }) => kind === "commit" && !/^Merge\b/.test(text))
    .map(({ text }) => subjectOf(text))
    .filter((text) => text !== "")
    .sort((left, right) => overlap(right, about) - overlap(left, about));
  if (subject !== "") return subject;
  const lines = own.flatMap(({ kind, about: line = "" }) =>
    kind === "passed" || kind === "ran" ? [line] : [],
  );
  for (const line of lines.toReversed()) {
    const [, double, single] = titled.exec(line) ?? [];
    const title = double ?? single;
    if (title !== undefined) return subjectOf(title);
  }
  const tag = lines.map((line) => tagged.exec(line)?.[1]).findLast((name) => name !== undefined);
  return tag === undefined ? "" : `Tagged ${tag}`;
}

/** The title of the plan that the turn accepted or carried out. */
function planIn(pieces: readonly Evidence[], prompt: string): string {
  const plan = pieces.findLast(({ kind }) => kind === "plan")?.text ?? planOf(prompt);
  return plan === undefined ? "" : headingOf(plan);
}

/** A statement of the closing, or the line that introduces a list. */
interface Candidate {
  text: string;
  code: readonly string[];
  worth: number;
}

/** The closing's statements that may be the result, the most telling first. */
function resultsOf(turn: NewTurn, inText: (text: string) => string): Candidate[] {
  const closing = inText(textOf(turn.pieces, "closing"));
  const changed = turn.files.filter((file) => file.changed);
  const names = changed.flatMap(({ path, symbols = [] }) => [path, baseName(path), ...symbols]);
  const asked = meaningOf(askedOf(textOf(turn.pieces, "prompt")));
  const ran = turn.pieces.flatMap(({ about = "" }) => (about === "" ? [] : [about]));
  const weigh = (telling: Telling, at: number): Candidate => {
    const { text, worth, statement } = telling;
    const { kind, code, state } = statement;
    const isCheck = code.some((span) => ran.some((line) => line.includes(span)));
    const shared = [...meaningOf(text)].filter((word) => asked.has(word)).length;
    const sum =
      worth +
      (kind === "sentence" ? 1.5 : kind === "row" ? -2 : 0) +
      Math.min(shared, 3) * 0.5 -
      (isCheck ? 2 : 0) -
      at * 0.4;
    return { text, code, worth: worth === 0 || state !== undefined || isFiller(text) ? 0 : sum };
  };
  return withLeads(tellings(closing, { names, asked: "" }))
    .map(weigh)
    .filter(({ worth }) => worth >= least)
    .sort((left, right) => right.worth - left.worth);
}

/** A line that introduces a list stands before its first entry, as a sentence. */
function withLeads(all: readonly Telling[]): Telling[] {
  return all.flatMap((one, at) => {
    const { lead } = one.statement;
    const isNew = lead !== "" && lead !== all[at - 1]?.statement.lead;
    if (!isNew || isAnnouncement(lead) || meaningOf(lead).size < leastWords) return [one];
    const statement = { ...one.statement, kind: "sentence" as const, text: lead };
    return [{ text: lead, worth: at === 0 ? 4 : 2.5, statement }, one];
  });
}

/** `path: name, name` of the file that changed with the most names. */
function changedText({ files }: NewTurn): string {
  const [file] = files
    .filter(({ changed }) => changed)
    .sort((left, right) => (right.symbols?.length ?? 0) - (left.symbols?.length ?? 0));
  if (!file) return "";
  const names = file.symbols?.slice(0, 4).join(", ") ?? "";
  return names === "" ? file.path : `${file.path}: ${names}`;
}

/** The text in a title's length, shortened at a clause where one is near, never inside a span of code. */
function titleIn(text: string, code: readonly string[] = []): string {
  const line = plainLine(text).replace(/[\s:：,;。.…]+$/u, "");
  if (fits(line)) return line;
  const clauses = [...line.matchAll(/[,;:，；：]\s|\s[-–—]\s|\s\(|[，；。]/gu)]
    .map(({ index }) => line.slice(0, index))
    .filter((clause) => fits(clause) && clause.split(/\s+/).length >= leastWords);
  const clause = clauses.at(-1);
  if (clause !== undefined) return clause;
  const words = line.split(" ");
  let kept = "";
  for (const word of words) {
    const next = kept === "" ? word : `${kept} ${word}`;
    if (!fits(`${next}…`)) break;
    kept = next;
  }
  if (kept === "") kept = line.slice(0, most.denseCharacters - 1);
  for (const span of code) {
    const from = line.indexOf(span);
    if (from > 0 && from < kept.length && from + span.length > kept.length)
      kept = line.slice(0, from);
  }
  return `${kept.replace(/[\s,;:([{–—-]+$/u, "")}…`;
}

function fits(text: string): boolean {
  const words = text.split(/\s+/).length;
  const isDense = text.length > words * 20;
  return words <= most.words && text.length <= (isDense ? most.denseCharacters : most.characters);
}

function textOf(pieces: readonly Evidence[], kind: Evidence["kind"]): string {
  return pieces.find((piece) => piece.kind === kind)?.text ?? "";
}
