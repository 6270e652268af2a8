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
  belowTitle,
  decides,
  openEnds,
  outcomeOf,
  outcomeOfSession,
  purposeOf,
  toldBelow,
} from "../../src/strategy/index.ts";
import {
  baseName,
  beginsPlainly,
  bestOf,
  codeNames,
  cut,
  headingOf,
  isAnnouncement,
  isFiller,
  isNextHeading,
  isNextLine,
  isRefused,
  isReversed,
  isSupposed,
  limitWords,
  meaningOf,
  overlap,
  type Paths,
  pathsFrom,
  plainLine,
  requestOf,
  saysDoing,
  sentencesOf,
  startsDangling,
  tellings,
  tellingWords,
  titleOf,
  turning,
  undoes,
  wholeRequestOf,
  withoutNextLabel,
} from "../../src/text/index.ts";

const mostFiles = 50;
const mostRequests = 3;
const mostLooks = 4;
const mostRead = 6;

/** Answers a summarization request. Pure: the same input always gives the same answer. */
export function summarize(input: SummaryInput): SummaryResult {
  const unpaid = { model: null, observerTokens: 0 };
  if (input.scope === "opening") return { ...titlesOf(input), ...unpaid };
  const paths = pathsFrom(input.session.project.root);
  const turns = input.turns ?? turnsOf(input);
  const stories = turns.map((turn) => readTurn(turn, paths));
  const summary =
    input.scope === "prompt"
      ? ofPrompt(input, turns, stories, paths)
      : ofSession(input, turns, stories, paths);
  return {
    ...(input.scope === "session" && titlesOf(input)),
    ...(summary && { summary }),
    ...unpaid,
  };
}

function ofPrompt(
  input: SummaryInput,
  turns: readonly NewTurn[],
  stories: readonly TurnStory[],
  paths: Paths,
): SummaryDraft | undefined {
  const story = stories.at(-1);
  const turn = turns.at(-1);
  if (!story || !turn) return undefined;
  const { request, completed, learned, notes, places } = story;
  const nextSteps = nextOf([turn], story.left, paths);
  const files = filesOf(input, turns);
  // Alone, what the agent is about to do says nothing.
  const says = nextSteps !== "" && !isAnnouncement(nextSteps);
  if (
    (!says && [completed, learned, notes].every((list) => list.length === 0)) ||
    (request === "" && input.observations.length === 0 && files.filesEdited.length === 0)
  )
    return undefined;
  const looked = files.filesEdited.length === 0 || files.filesRead.length > 1;
  return {
    request,
    investigated: investigatedOf([turn], looked ? files.filesRead : []),
    learned: prose(learned),
    completed: prose(completed),
    nextSteps,
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
  const requests = stories.flatMap(({ request }) => request || []);
  const files = filesOf(input, turns);
  const commits = distinct(
    turns.flatMap(({ pieces }) =>
      pieces.flatMap(({ kind, text }) =>
        kind === "commit" ? [paths.inText(text.split("\n")[0] ?? "")] : [],
      ),
    ),
  ).filter((subject) => /\p{L}/u.test(subject));
  const done = distinct(
    stories.flatMap((story, at) =>
      isRefuted(turns.slice(at)) ? [] : holding(story.completed, stories.slice(at + 1)),
    ),
  );
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
      .flatMap((story, at) =>
        at === stories.length - 1 || (!story.worked && !lapsed(at))
          ? holding(story.learned, stories.slice(at + 1))
          : [],
      )
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
  const nextSteps = nextOf(turns, last?.left ?? [], paths);
  if (nextSteps === "" && [completed, learned, notes].every((list) => list.length === 0))
    return undefined;
  return {
    request: prose(sample(requests)),
    investigated: investigatedOf(turns, files.filesRead.length > 1 ? files.filesRead : []),
    learned: prose(distinct(learned)),
    completed: prose(completed),
    nextSteps,
    ...files,
    notes: prose(notes.slice(0, 6)),
    evidence: stories.flatMap(({ places }) => places).slice(-40),
  };
}

/** What the first turn says to be done, and did not try: the check that came next failed. */
function isRefuted([turn, ...later]: readonly NewTurn[]): boolean {
  const ran = (one: NewTurn | undefined) =>
    one?.pieces.filter((piece) => isOwnCheck(piece) && purposeOf(piece.about ?? "")) ?? [];
  return ran(turn).length === 0 && later.flatMap(ran)[0]?.kind === "failure";
}

/** The first sentence, unless the next prompt says no to it, or a later prompt or work takes it back. */
function holding([said = ""]: readonly string[], later: readonly TurnStory[]): string[] {
  const subject = meaningOf(said);
  const isAbout = (text: string) => meaningOf(text).intersection(subject).size >= leastSaid.answer;
  const isTakenBack = later.some(
    ({ request, completed }, at) =>
      (at === 0 && isRefused(request, said)) ||
      sentencesOf(request).some((asked) => isAbout(asked) && isReversed(asked, said)) ||
      completed.some((done) => undoes(done, said)),
  );
  return said === "" || isTakenBack ? [] : [said];
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
    const said = (at === prompts.length - 1 && lastAssistantMessage) || "";
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

// A session's title and subtitle: what came of it, else its first real request, else the best words there are.

/** Each only where there is one. What came of it has a title's length; of words as they were typed what is longer ends with "…". */
function titlesOf(input: SummaryInput): Pick<SummaryResult, "title" | "subtitle"> {
  const paths = pathsFrom(input.session.project.root);
  const turns = input.scope === "opening" ? [] : (input.turns ?? turnsOf(input));
  const outcome = outcomeOfSession(turns, paths.inText);
  const asked = input.prompts.map(({ text }) => paths.inText(requestOf(text)));
  const came = outcome && outcome.basis !== "asked" ? outcome : undefined;
  const names = turns.flatMap(({ files }) =>
    files.flatMap(({ path, changed }) => (changed ? baseName(path) : [])),
  );
  const body = toldBelow(came?.message, { names, asked: "" }, paths.inText);
  // Beside a commit the closing tells what became of it: that it was pushed, what is next.
  const below = [...body.map(({ text }) => text), ...sentencesOf(came?.said ?? ""), ...asked];
  const words = [...asked, ...bestWords(input, turns).map(paths.inText)];
  const title =
    came?.title || words.map((text) => short(text, "title")).find((text) => text !== "");
  if (title === undefined) return {};
  const subtitle = belowTitle(title, below, 0.75);
  return { title, ...(subtitle && { subtitle: short(subtitle, "subtitle") }) };
}

/** Of a session that asked nothing in words and came to nothing: what was answered, else what was typed. */
function bestWords({ scope, prompts }: SummaryInput, turns: readonly NewTurn[]): string[] {
  if (scope !== "session") return [];
  const closing = turns.flatMap(({ pieces }) => pieces.filter(({ kind }) => kind === "closing"));
  const said = sentencesOf(plainLine(closing.at(-1)?.text ?? ""));
  const told = said.find((one) => meaningOf(one).size > 1 && !/[?!？！]$/.test(one));
  return [told ?? "", ...prompts.map(({ text }) => text)];
}

const longest = { title: 110, subtitle: 180 };
const mostWords = { title: 18, subtitle: 36 };

function short(text: string, what: keyof typeof longest): string {
  return titleOf(limitWords(text, mostWords[what], "…"), longest[what]);
}

export default definePlugin({
  name: "heuristic-summary",
  description: "Summarizes each prompt and session and titles the session, without a model.",
  sdk: 1,
  slot: "summarization",
  events: ["UserPromptSubmit", "Stop", "SessionEnd"],
  hooks: {
    summarize: (input) => summarize(input),
  },
});

// What one turn's evidence says for a summary: done, found out, left open, settled; each sentence as it was said.

/** A turn as a summary shows it; empty where it says nothing. */
interface TurnStory {
  request: string;
  /** Something was changed or committed. */
  worked: boolean;
  completed: string[];
  learned: string[];
  /** Listed as left to do. */
  left: string[];
  notes: string[];
  places: Place[];
}

const mostRequest = 600;
const mostNext = 6;
const talk: ReadonlySet<string> = new Set(["prompt", "typed", "said", "closing", "compaction"]);
const checks = ["failure", "passed", "repair"];
const isQuestion = (text: string) => /[?？؟]["')\]]*$/.test(text);
const isOwnCheck = ({ kind, agent }: Evidence) => agent === undefined && checks.includes(kind);
/** Fewer words that point back say nothing by themselves. */
const leastPointing = 6;
/** What says something has so many words, or names something. */
const leastSaid = { work: 3, answer: 2 };

/** Reads a turn. Done is the result, and else what names a change; where the user is asked, or asked, only that. */
function readTurn(turn: NewTurn, paths: Paths): TurnStory {
  const { pieces, promptNumber, files } = turn;
  const at = (kind: Evidence["kind"]) => pieces.findIndex((piece) => piece.kind === kind);
  const prompt = pieces[at("prompt")]?.text ?? "";
  const closing = paths.inText(pieces[at("closing")]?.text ?? "");
  const commits = indexes(pieces, ({ kind }) => kind === "commit");
  const worked = commits.length > 0 || files.some(({ changed }) => changed);
  const left = tellings(closing, { names: [], asked: "" })
    .map(({ statement }) => statement)
    .filter(
      ({ lead, section, text, state }) =>
        !isQuestion(text) &&
        (state === "open" ||
          (state === "failed" && worked) ||
          isNextHeading(lead) ||
          isNextHeading(section) ||
          isNextLine(text)),
    );
  const ends = openEnds([turn]);
  const lastCheck = pieces.findLast(isOwnCheck);
  const isOver =
    turn.end === "closed" &&
    worked &&
    lastCheck?.kind !== "failure" &&
    !left.some(({ state }) => state === "failed");
  const outcome = outcomeOf(turn, paths.inText);
  const said = saidOf(outcome, { closing, ends, worked });
  const subjects = commits
    .map((index) => paths.inText(pieces[index]?.text.split("\n")[0] ?? ""))
    .filter((subject) => /\p{L}/u.test(subject));
  const settled = indexes(pieces, (piece) => decides(piece, files));
  // Beside a commit of earlier work, the closing answers.
  const isCommitted = commits.length > 0 && !files.some(({ changed }) => changed);
  // A question's choices may follow it.
  const asks =
    commits.length === 0 &&
    ends.some(({ kind, text }) => kind === "question" && sentencesOf(text).some(isQuestion));
  const meant = isCommitted ? meaningOf([prompt, ...subjects].join(" ")) : undefined;
  const isAsked = sentencesOf(prompt).some(isQuestion);
  const isOther = asks || isAsked;
  const done = said.filter(
    (sentence, index) =>
      isOver &&
      !outcome.cause.includes(sentence) &&
      ((index === 0 && !isOther && !meant?.isDisjointFrom(meaningOf(sentence))) ||
        saysDoing(sentence) ||
        (!(asks && isChoice(closing, sentence)) && namesChange(files, sentence, asks))),
  );
  // Where the user asked nothing and is asked, and nothing was looked at, what names nothing is a proposal.
  const isTalk = files.length === 0 && pieces.every(({ kind }) => talk.has(kind));
  const proposes = isTalk && !isAsked && (asksPerson(ends) || isQuestion(closing.trimEnd()));
  const used = [
    at("prompt"),
    ...(said.length + left.length > 0 ? [at("closing")] : []),
    ...(isOver ? commits : []),
    ...settled,
    ...(ends.some(({ kind }) => kind === "todo") ? [at("todo")] : []),
  ];
  return {
    request: cut(plainLine(paths.inText(wholeRequestOf(prompt, mostRequest))), mostRequest),
    worked,
    completed:
      isOver && (isCommitted || done.length === 0) ? distinct([...done, ...subjects]) : done,
    learned: said.filter(
      (sentence) => !done.includes(sentence) && (!proposes || codeNames(sentence).length > 0),
    ),
    left: left.map(({ text }) => text),
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

type Ends = ReturnType<typeof openEnds>;

const asksPerson = (ends: Ends) =>
  ends.some(({ kind, text }) => kind === "question" && isQuestion(text));

/** The sentences that say what a turn came to, the result first and the others in their order; no proposals. */
function saidOf(
  outcome: ReturnType<typeof outcomeOf>,
  { closing, ends, worked }: { closing: string; ends: Ends; worked: boolean },
): string[] {
  const saying = leastSaid[worked ? "work" : "answer"];
  const begun = outcome.title.replace(/(?:…|; .*|: .*)$/, "");
  const asked = asksPerson(ends);
  // What a plan asks for is not so yet.
  const plans = !worked && ends.some(({ kind, about }) => kind === "plan" && about === "proposed");
  const isLoose = (one: string, all: readonly string[]) =>
    (plans && !beginsPlainly(one) && codeNames(one.split(" ", 1)[0] ?? "").length === 0) ||
    isSupposed({ text: one, lead: /[:：]\s.*;/u.test(one) ? one : "" }) ||
    (asked && isEntryOf(closing, one) && !all.every((other) => isEntryOf(closing, other)));
  return withReserves(sentencesOf(outcome.said))
    .filter((one) => meaningOf(one).size >= saying || codeNames(one).length > 0)
    .filter((one, at, all) => !isLoose(one, all) && (at > 0 || !isPointing(one)))
    .toSorted((left, right) => Number(right.startsWith(begun)) - Number(left.startsWith(begun)));
}

/** "It's right there in the list": few words that point back to what is not told. */
const isPointing = (text: string) => startsDangling(text) && meaningOf(text).size < leastPointing;

/** "However, it breaks the checkout" stays with what it takes back. */
function withReserves(sentences: readonly string[]): string[] {
  return sentences.flatMap((one, at) => {
    const next = sentences[at + 1] ?? "";
    if (at > 0 && turning.test(one)) return [];
    return turning.test(next) ? `${one} ${next}` : one;
  });
}

/** Before a question, what a list holds or leads to may be what there is to choose from. */
const isChoice = (closing: string, sentence: string) =>
  /[:：]\s/u.test(sentence) || isEntryOf(closing, sentence);

/** True where a sentence names a file or a symbol that a turn changed; before a question "the agent" may be no type `Agent`. */
function namesChange(files: NewTurn["files"], sentence: string, asks: boolean): boolean {
  const lower = sentence.toLowerCase();
  return files
    .filter(({ changed }) => changed)
    .flatMap(({ path, symbols = [] }) => [baseName(path), ...symbols])
    .filter((name) => name.length > 3 && (!asks || codeNames(name).length > 0))
    .some((name) => lower.includes(name.toLowerCase()));
}

const entry = /^\s*(?:[-*•]|\d{1,3}[.)]|[A-Z]\))\s/;
/** True for what stands in a list. */
function isEntryOf(closing: string, sentence: string): boolean {
  const begun = sentence.slice(0, 40).replace(/[.…]+$/, "");
  return closing.split("\n").some((line) => entry.test(line) && plainLine(line).includes(begun));
}

/** What the last turn leaves to do: what it lists, and what no turn took up. */
function nextOf(turns: readonly NewTurn[], left: readonly string[], paths: Paths): string {
  const runs = turns.flatMap(({ pieces }) => pieces.filter(isOwnCheck));
  const ends = openEnds(turns).flatMap(({ kind, text, about }) => {
    if (kind === "stopped" || isFiller(text)) return [];
    if (kind === "failure")
      return standsFailed(about, runs) ? [`\`${titleOf(about, 100)}\` failed: ${text}`] : [];
    // "This fixes …" says what was done, whatever step it names.
    if (kind === "next" && startsDangling(text.split(" ", 1)[0] ?? "")) return [];
    if (kind === "plan" && about === "proposed") return [`Plan proposed: ${text}`];
    return kind === "todo" ? text.split("; ") : [text];
  });
  // "The main changes would be:" only leads to a list.
  const withoutLead = (text: string) =>
    /[:：]$/.test(text) ? sentencesOf(text).slice(0, -1).join(" ") : text;
  const all = [...left, ...ends.map(paths.inText)]
    .map((text) => withoutNextLabel(withoutLead(text)))
    .filter((text) => text !== "" && (!/^\p{Ll}/u.test(text) || tellingWords(text).length > 1));
  return prose([...new Set(all)].slice(0, mostNext));
}

/** Failed again and again, or last of all: other checks that pass later leave a single slip behind. */
function standsFailed(line: string, runs: readonly Evidence[]): boolean {
  const failed = runs.filter(({ kind, about }) => kind === "failure" && about?.includes(line));
  const times = failed.reduce((sum, one) => sum + (one.times ?? 1), 0);
  return times > 1 || (times === 1 && runs.at(-1) === failed.at(-1));
}

/** What was looked into: what subagents were sent to find, commands in the agent's own words, and files read. */
function investigatedOf(turns: readonly NewTurn[], read: readonly string[]): string {
  const looks = turns.flatMap(({ pieces, files }) => {
    const changed = files.some((file) => file.changed);
    return pieces.flatMap(({ kind, about = "", described = "", agent }) => {
      if (agent !== undefined) return [];
      if (kind === "task") return [about];
      return !changed && (kind === "passed" || kind === "ran") ? [described] : [];
    });
  });
  const shown = prose(distinct(looks).slice(0, mostLooks));
  const more = read.length > mostRead ? ` and ${read.length - mostRead} more` : "";
  const names = read.slice(0, mostRead).map(baseName).join(", ");
  return `${shown} ${names === "" ? "" : `Read ${names}${more}.`}`.trim();
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
