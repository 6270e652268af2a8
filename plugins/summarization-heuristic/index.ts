// Built-in plugin `heuristic-summary`: summaries and session titles without a model, from prompts, observations and closing words.
import {
  definePlugin,
  type Evidence,
  type NewTurn,
  type Place,
  type SummaryDraft,
  type SummaryInput,
  type SummaryResult,
} from "../../src/sdk/index.ts";
import {
  baseName,
  bestOf,
  cut,
  headingOf,
  isNextHeading,
  leadingOf,
  limitWords,
  overlap,
  type Paths,
  pathsFrom,
  plainLine,
  requestOf,
  type Telling,
  tellings,
  tellingWords,
  titleOf,
  wholeRequestOf,
} from "../../src/text/index.ts";

// The three scopes of a summary: a title from the first prompt, one prompt's summary, the session's summary.

const mostFiles = 50;
const mostRequests = 3;

/** Answers a summarization request. Pure: the same input always gives the same answer. */
export function summarize(input: SummaryInput): SummaryResult {
  const unpaid = { model: null, observerTokens: 0 };
  if (input.scope === "opening") return { ...titlesOf(input), ...unpaid };
  const paths = pathsFrom(input.session.project.root);
  const turns = input.turns ?? turnsOf(input);
  const stories = turns
    .map((turn) => readTurn(turn, paths))
    .map((story, at) => (story.asks && at === turns.length - 1 ? undecided(story) : story));
  const summary =
    input.scope === "prompt"
      ? ofPrompt(input, turns, stories)
      : ofSession(input, turns, stories, paths);
  return {
    ...(input.scope === "session" && titlesOf(input)),
    ...(summary && { summary }),
    ...unpaid,
  };
}

/** A question that nobody has answered yet leaves it open: what was done counts as what is known so far. */
function undecided(story: TurnStory): TurnStory {
  return { ...story, completed: [], learned: [...story.completed, ...story.learned] };
}

function ofPrompt(
  input: SummaryInput,
  turns: readonly NewTurn[],
  stories: readonly TurnStory[],
): SummaryDraft | undefined {
  const story = stories.at(-1);
  const turn = turns.at(-1);
  if (!story || !turn) return undefined;
  const { request, completed, learned, next, notes, places } = story;
  const files = filesOf(input, turns);
  const says = [completed, learned, next, notes].some((list) => list.length > 0);
  if (
    !says ||
    (request === "" && input.observations.length === 0 && files.filesEdited.length === 0)
  )
    return undefined;
  const looked = files.filesEdited.length === 0 || files.filesRead.length > 1;
  return {
    request,
    investigated: looked ? readText(files.filesRead) : "",
    learned: prose(learned),
    completed: prose(completed),
    nextSteps: prose(next),
    ...files,
    notes: prose(notes),
    evidence: places,
  };
}

function ofSession(
  input: SummaryInput,
  turns: readonly NewTurn[],
  stories: readonly TurnStory[],
  paths: Paths,
): SummaryDraft | undefined {
  const requests = stories.map(({ request }) => request).filter((text) => text !== "");
  const files = filesOf(input, turns);
  const commits = distinct(
    turns.flatMap(({ pieces }) =>
      pieces.flatMap(({ kind, text }) =>
        kind === "commit" ? [paths.inText(text.split("\n")[0] ?? "")] : [],
      ),
    ),
  );
  const done = distinct(stories.flatMap(({ completed }) => completed.slice(0, 1)));
  const completed = distinct(
    commits.length >= done.length
      ? [...commits.slice(-6), ...done.slice(-2)]
      : [...done.slice(-5), ...commits.slice(-3)],
  );
  // What was said in the middle of work, or of files that were changed later, is history; so is a compaction that work followed.
  const lapsed = (at: number) => {
    const own = new Set(turns[at]?.files.map(({ path }) => path));
    return turns
      .slice(at + 1)
      .some(({ files: later }) => later.some(({ path, changed }) => changed && own.has(path)));
  };
  const compacted = turns
    .filter((_, at) => !lapsed(at))
    .flatMap(({ pieces }) => pieces.slice(-1).filter(({ kind }) => kind === "compaction"))
    .at(-1);
  const ofCompaction = compacted
    ? bestOf(
        tellings(paths.inText(compacted.text), {
          names: files.filesEdited.map(baseName),
          asked: "",
        }).filter(({ statement }) => statement.kind === "sentence"),
        2,
        4.5,
      )
    : [];
  const learned = [
    ...stories
      .filter(({ worked }, at) => at === stories.length - 1 || (!worked && !lapsed(at)))
      .flatMap((story) => story.learned.slice(0, 1))
      .slice(-3),
    ...ofCompaction.map(({ text }) => text),
  ];
  const last = stories.at(-1);
  const notes = distinct([
    ...(last?.notes ?? []),
    ...stories
      .slice(0, -1)
      .flatMap((story) => story.notes.filter((note) => !note.startsWith("Stopped"))),
  ]);
  const nextSteps = last?.next ?? [];
  if ([completed, learned, notes, nextSteps].every((list) => list.length === 0)) return undefined;
  return {
    request: prose(sample(requests)),
    investigated: files.filesRead.length > 1 ? readText(files.filesRead) : "",
    learned: prose(distinct(learned)),
    completed: prose(completed),
    nextSteps: prose(nextSteps),
    ...files,
    notes: prose(notes.slice(0, 6)),
    evidence: stories.flatMap(({ places }) => places).slice(-40),
  };
}

/** The first, and the last ones. */
function sample(requests: readonly string[]): string[] {
  const all = distinct(requests);
  if (all.length <= mostRequests) return all;
  return [all[0] ?? "", "…", ...all.slice(1 - mostRequests)];
}

/** Sentences one after the other; what has no full stop is a line of its own. */
function prose(texts: readonly string[]): string {
  return texts
    .filter((text) => text !== "")
    .map((text) => (/[.!?…。！？؟:]["'”’)\]]*$/.test(text) ? text : `${text}.`))
    .join(" ");
}

function distinct(texts: readonly string[]): string[] {
  return texts.filter(
    (text, at) => text !== "" && !texts.slice(0, at).some((other) => overlap(other, text) > 0.8),
  );
}

function readText(read: readonly string[]): string {
  if (read.length === 0) return "";
  const shown = read.slice(0, 6).map(baseName).join(", ");
  return `Read ${shown}${read.length > 6 ? ` and ${read.length - 6} more` : ""}.`;
}

function filesOf(
  { observations, summaries }: SummaryInput,
  turns: readonly NewTurn[],
): Pick<SummaryDraft, "filesRead" | "filesEdited"> {
  const files = turns.flatMap((turn) => turn.files);
  const edited = new Set([
    ...files.filter(({ changed }) => changed).map(({ path }) => path),
    ...observations.flatMap(({ filesModified }) => filesModified),
    ...summaries.flatMap(({ filesEdited }) => filesEdited),
  ]);
  const read = new Set([
    ...files.map(({ path }) => path),
    ...observations.flatMap(({ filesRead }) => filesRead),
    ...summaries.flatMap(({ filesRead }) => filesRead),
  ]);
  return {
    filesRead: [...read].filter((path) => !edited.has(path)).slice(0, mostFiles),
    filesEdited: [...edited].slice(0, mostFiles),
  };
}

/** What prompts and the last message tell, for a storage that keeps no turns. */
function turnsOf({
  session,
  prompts,
  observations,
  lastAssistantMessage,
}: SummaryInput): NewTurn[] {
  return prompts.map(({ promptNumber, text, time }, at): NewTurn => {
    const isLast = at === prompts.length - 1;
    const said = isLast ? (lastAssistantMessage ?? "") : "";
    const changed = observations
      .filter((one) => one.promptNumber === promptNumber)
      .flatMap(({ filesModified }) => filesModified);
    return {
      session: session.id,
      client: session.client,
      project: session.project.id,
      promptNumber,
      startedAt: time,
      time,
      end: said === "" ? "open" : "closed",
      pieces: [
        { kind: "prompt", text },
        ...(said === "" ? [] : [{ kind: "closing" as const, text: said }]),
      ],
      files: [...new Set(changed)].map((path) => ({ path, changed: true })),
      gaps: true,
    };
  });
}

// A session's title and subtitle: its first real request, else what it committed, found or said.

const longest = { title: 72, subtitle: 180 };
const mostWords = { title: 12, subtitle: 36 };

/** Each only where there is one; what is longer ends with "…". */
function titlesOf(input: SummaryInput): Pick<SummaryResult, "title" | "subtitle"> {
  const { prompts, turns = [], observations, session, lastAssistantMessage = "" } = input;
  const paths = pathsFrom(session.project.root);
  const requests = prompts.map(({ text }) => requestOf(text)).filter((text) => text !== "");
  const commits = turns.flatMap(({ pieces }) =>
    pieces.flatMap(({ kind, text }) => (kind === "commit" ? [text.split("\n")[0] ?? ""] : [])),
  );
  const last = turns.findLast(({ end }) => end === "closed");
  const closing =
    input.scope === "opening"
      ? ""
      : (last?.pieces.findLast(({ kind }) => kind === "closing")?.text ?? lastAssistantMessage);
  const leading = leadingOf(tellings(closing, { names: [], asked: requests[0] ?? "" }));
  const said = leading ? [leading.text] : [];
  const found = [
    ...requests.slice(0, 1),
    ...commits,
    ...observations.map(({ title }) => title),
    ...said,
  ];
  const title = short(paths.inText(found.find((text) => text !== "") ?? ""), "title");
  const below = [...said, ...requests].find(
    (text) =>
      text !== "" && overlap(text, title) < 0.75 && !text.startsWith(title.replace(/…$/, "")),
  );
  const subtitle = short(paths.inText(below ?? ""), "subtitle");
  return { ...(title !== "" && { title }), ...(subtitle !== "" && { subtitle }) };
}

function short(text: string, what: keyof typeof longest): string {
  return titleOf(limitWords(text, mostWords[what], "…"), longest[what]);
}

export default definePlugin({
  name: "heuristic-summary",
  description: "Sums up each prompt and session and titles the session, without a model.",
  sdk: 1,
  slot: "summarization",
  events: ["UserPromptSubmit", "Stop", "SessionEnd"],
  hooks: {
    summarize: (input) => summarize(input),
  },
});

// What one turn's evidence says for a summary: done, found out, left open, settled; each sentence as it was said.

/** A turn as a summary tells it; empty where it says nothing. */
interface TurnStory {
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
function readTurn(turn: NewTurn, paths: Paths): TurnStory {
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
  const rest = all.filter((one) => !left.includes(one));
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
  const said = leading(rest);
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
function leading(statements: readonly Telling[]): string[] {
  const first = leadingOf(statements);
  const rest = bestOf(
    statements.filter((one) => one !== first),
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
