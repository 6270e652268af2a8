// What one turn's evidence says for a summary: done, found out, left open, settled; each sentence as it was said.
import type { Evidence, NewTurn, Place } from "../../src/sdk/index.ts";
import {
  baseName,
  bestOf,
  cut,
  headingOf,
  leadingOf,
  overlap,
  type Paths,
  phrases,
  plainLine,
  requestOf,
  type Telling,
  tellings,
  tellingWords,
  titleOf,
  wholeRequestOf,
} from "../../src/text/index.ts";

/** A turn as a summary tells it; empty where it says nothing. */
export interface TurnStory {
  request: string;
  /** Something was changed or committed. */
  worked: boolean;
  completed: string[];
  /** It ends with a question to the user, and nothing was committed: they decide how it goes on. */
  asks: boolean;
  learned: string[];
  next: string[];
  notes: string[];
  places: Place[];
}

const mostRequest = 600;
const mostSaid = 3;
const checks = ["failure", "passed", "repair"];
/** How far from the end a closing's last question may stand. */
const lastStatements = 4;

/** Reads a turn. `prompt` is what its evidence lacks where it was not stored. */
export function readTurn(turn: NewTurn, paths: Paths): TurnStory {
  const { pieces, promptNumber, files } = turn;
  const at = (kind: Evidence["kind"]) => pieces.findIndex((piece) => piece.kind === kind);
  const prompt = pieces[at("prompt")]?.text ?? "";
  const closing = paths.inText(pieces[at("closing")]?.text ?? "");
  const commits = indexes(pieces, ({ kind }) => kind === "commit");
  const changed = files.filter((file) => file.changed);
  const names = changed.flatMap(({ path, symbols = [] }) => [path, baseName(path), ...symbols]);
  const all = tellings(closing, { names, asked: requestOf(prompt) });
  const left = all.filter(
    ({ statement: { lead, section, text, state } }) =>
      !isQuestion(text) &&
      (state === "open" ||
        (state === "failed" && changed.length > 0) ||
        isNextHeading(lead) ||
        isNextHeading(section) ||
        isNextHeading(labelOf(text))),
  );
  const told = all.filter((one) => !left.includes(one));
  const question = questionAtEnd(all);
  const last = all.at(-1)?.statement;
  const lastCheck = pieces.findLast(
    ({ kind, agent }) => agent === undefined && checks.includes(kind),
  );
  const isDone =
    turn.end === "closed" &&
    changed.length + commits.length > 0 &&
    lastCheck?.kind !== "failure" &&
    !left.some(({ statement }) => statement.state === "failed");
  const said = leading(told);
  const subjects = commits.map((index) => paths.inText(pieces[index]?.text.split("\n")[0] ?? ""));
  const settled = indexes(
    pieces,
    ({ kind, text }) => kind === "choice" || kind === "plan" || (kind === "refusal" && text !== ""),
  );
  const todo = pieces[at("todo")];
  const open =
    todo?.text.split("\n").flatMap((line) => /^- \[ \] (.+)/.exec(line)?.[1] ?? []) ?? [];
  const used = [
    at("prompt"),
    ...(said.length + left.length > 0 ? [at("closing")] : []),
    ...(isDone ? commits : []),
    ...settled,
    ...(open.length > 0 ? [at("todo")] : []),
  ];
  return {
    request: cut(plainLine(paths.inText(wholeRequestOf(prompt, mostRequest))), mostRequest),
    worked: changed.length + commits.length > 0,
    completed: isDone ? (said.length > 0 ? said : subjects) : [],
    asks: commits.length === 0 && question[0] !== undefined && question[0] === last?.text,
    learned: isDone ? [] : said,
    next: [...left.map(({ statement }) => statement.text), ...open.slice(0, 6), ...question].slice(
      0,
      6,
    ),
    notes: [...stopped(turn), ...settled.map((index) => settledText(pieces[index], paths))].slice(
      0,
      6,
    ),
    places: [...new Set(used)]
      .filter((piece) => piece >= 0)
      .sort((a, b) => a - b)
      .map((piece) => ({ turn: promptNumber, piece })),
  };
}

/** The first sentence, which says what it comes to, and the best of the others. */
function leading(told: readonly Telling[]): string[] {
  const first = leadingOf(told);
  const rest = bestOf(
    told.filter((one) => one !== first),
    mostSaid,
    2.5,
  );
  const texts = [...(first ? [first] : []), ...rest].map(({ text }) => text);
  return texts
    .filter((text, at) => !texts.slice(0, at).some((other) => overlap(other, text) > 0.8))
    .slice(0, mostSaid);
}

/** What the agent asked last: the user has yet to answer. */
function questionAtEnd(all: readonly Telling[]): string[] {
  const question = all
    .slice(-lastStatements)
    .findLast(({ statement }) => isQuestion(statement.text));
  return question && tellingWords(question.statement.text).join("").length >= 15
    ? [question.statement.text]
    : [];
}

/** `Next` of `Next: cover the rest`: a label inside a paragraph. */
function labelOf(text: string): string {
  return /^([^:：\n]{1,40})[:：]\s*\S/u.exec(text)?.[1] ?? "";
}

function isQuestion(text: string): boolean {
  return /[?？؟]["')\]]*$/.test(text);
}

function stopped({ end, pieces }: NewTurn): string[] {
  if (end !== "interrupted") return [];
  const about = pieces.findLast(({ kind }) => kind === "interrupted" || kind === "refusal")?.about;
  return [`Stopped by the user${about ? ` at \`${titleOf(about, 120)}\`` : ""}`];
}

function settledText(piece: Evidence | undefined, paths: Paths): string {
  if (!piece) return "";
  const text = paths.inText(piece.text);
  if (piece.kind === "plan") return `Plan accepted: ${headingOf(text)}`;
  const about = piece.about ? ` (${titleOf(paths.inText(piece.about), 120)})` : "";
  return `${piece.kind === "choice" ? "Chosen" : "Refused"}: ${cut(plainLine(text), 240)}${about}`;
}

function indexes(pieces: readonly Evidence[], matches: (piece: Evidence) => boolean): number[] {
  return pieces.flatMap((piece, at) => (matches(piece) ? [at] : []));
}

// Headings under which a closing message says what is left to do, by language: each phrase is its own example.

/** A heading begins with one of these; nothing else of a text is judged by them. */
export const nextWords: Readonly<Record<string, string>> = {
  en: "what's next|what is next|what's left|what is left|what remains|next$|next step|next steps|next up|remaining|still open|still to do|still missing|open$|open question|open questions|open points|open items|todo$|todos$|to-do$|to-dos$|todo list|follow-up|follow-ups|followups|not done|not yet done|pending",
  de: "nächster schritt|nächste schritte|offen$|offene punkte|offene fragen|noch offen|noch zu tun|was fehlt|was bleibt",
  fr: "prochaine étape|prochaines étapes|reste à faire|à faire|points ouverts|en suspens",
  es: "próximo paso|próximos pasos|siguiente paso|siguientes pasos|pendiente|pendientes|falta|por hacer",
  pt: "próximo passo|próximos passos|pendência|pendências|pendentes",
  it: "prossimi passi|da fare|in sospeso",
  ru: "следующие шаги|осталось|дальше",
  ar: "الخطوات التالية|المتبقي",
  zh: "下一步|后续|待办|未完成|剩余",
  ja: "次のステップ|残り|残作業|今後|未対応|次に",
  ko: "다음 단계|남은 일|남은 작업",
};
const pattern = phrases(Object.values(nextWords).join("|"), "start");

/** True for a heading, or a line that introduces a list, of what is left to do. */
export function isNextHeading(heading: string): boolean {
  return pattern.test(heading.replace(/^[^\p{L}]+/u, ""));
}
