// What holds for a project, as lines: what the user pinned or laid down, how it is worked with, notes without turns. Pure.
import type { MemoryItem, Turn } from "../../src/sdk/index.ts";
import {
  code,
  decides,
  filesOf,
  isTheirs,
  makerOf,
  projectCommands,
  purposeOf,
  refusedCommands,
  sessionsIn,
  testForms,
  workarounds,
} from "../../src/strategy/index.ts";
import {
  codeNames,
  cut,
  meaningOf,
  oneLine,
  overlap,
  saysOtherwise,
  stopWords,
} from "../../src/text/index.ts";
import {
  alike,
  hasCommit,
  type Labels,
  type Line,
  type Material,
  type PastSession,
  type Pinned,
  type Writing,
} from "./material.ts";

// What people laid down.

/**
 * What an item is worth. A rule that names nothing holds at every start; one that names something, while there is room, and
 * more where the work is about that; a decision while it is new, or where the work is about it.
 */
const itemWorth = {
  own: 0.96,
  typed: 0.7,
  rule: 0.6,
  named: 0.2,
  /** Just enough to be shown. */
  ruleLeast: 0.3,
  about: 0.4,
  /** A decision is over sooner than a rule that names a place. */
  recent: { decision: 0.14, rule: 0.36 },
  edited: 0.2,
};
/** So many words in common, and such a share of all, are about the same, where no name is. */
const wordsAbout = 3;
const shareAbout = 0.5;
/** Characters of an item: all that is derived are shorter. */
const itemWanted = 320;
/** Characters of the user's words beside what an agent kept of them. */
const quoteWanted = 80;
/** How much less the next item is worth. */
const inOrder = 0.02;

/** What a person laid down or wrote: what was only concluded or may be meant so waits until they confirm it. */
export function decided(
  items: readonly MemoryItem[],
  sessions: readonly PastSession[],
  { own, turns, work }: { own: readonly Turn[]; turns: readonly Turn[]; work: string },
  writing: Writing,
): Line[] {
  const words = meaningOf(work);
  const text = work.toLowerCase();
  const worthOf = ({ kind, content, session, edited, evidence, quote }: MemoryItem) => {
    // A compacted session lost what was laid down in it.
    if (own.some((turn) => turn.session === session)) return itemWorth.own;
    const names = namesIn(content);
    const about = [...meaningOf(content)].filter((word) => !stopWords.has(word));
    const shared = about.filter((word) => words.has(word)).length;
    const isAbout =
      names.some((name) => text.includes(name)) ||
      shared >= Math.max(wordsAbout, about.length * shareAbout);
    const fresh = sessions.find(({ turns }) => turns[0]?.session === session)?.fresh ?? 0;
    const isRule = kind !== "decisions" && names.length === 0;
    // What an agent keeps for the user is about one thing among many, as what is derived is.
    const isOwn = evidence === undefined && (quote === undefined || quote === content);
    const base = isOwn ? itemWorth.typed : isRule ? itemWorth.rule : itemWorth.named;
    const recent = kind === "decisions" ? itemWorth.recent.decision : itemWorth.recent.rule;
    const more = (isAbout ? itemWorth.about : recent * fresh) + (edited ? itemWorth.edited : 0);
    // A rule is shown anyway: what it is about only breaks ties.
    return base + (isRule ? more / 10 : more);
  };
  const standing = items.filter(stands);
  return standing
    .filter((item, at) => !standing.slice(0, at).some((newer) => overtakes(newer, item)))
    .map(
      (item, at): Line => ({
        section: "decided",
        worth: Math.max(
          worthOf(item) - at * inOrder,
          item.kind === "decisions" ? 0 : itemWorth.ruleLeast,
        ),
        ids: [item.id],
        head: `${item.id} · ${item.date} · ${occasionOf(item, turns, writing)}`,
        said: item.content,
        wanted: itemWanted,
        isWhole: true,
      }),
    );
}

/** True for what a person laid down, confirmed or wrote. */
export function stands({ state, edited }: MemoryItem): boolean {
  return state === "standing" || edited !== undefined;
}

/** Who said it; of a reason for which a tool was refused, what that tool was to do. */
function occasionOf(item: MemoryItem, turns: readonly Turn[], { labels }: Writing): string {
  const isVerbatim = item.edited === undefined && item.quote === item.content;
  const pieces = isVerbatim
    ? turns.flatMap((turn) => (turn.session === item.session ? turn.pieces : []))
    : [];
  const refusal = pieces.find(({ kind, text }) => kind === "refusal" && text === item.quote);
  if (refusal?.about) return `${labels.refused}: ${code(refusal.about)}`;
  const { quote = "", content, evidence } = item;
  const who = whoSaid(item, labels);
  // Kept by an agent in its own words: whoever reads it sees what the user said to that.
  const isSaid = content.includes(quote) || overlap(content, quote) > alike;
  const isKept = who === labels.chosen && evidence === undefined && !isSaid;
  return isKept ? `${who} (“${cut(oneLine(quote), quoteWanted)}”):` : `${sessionOf(item)}${who}:`;
}

/** Characters of a session's title in front of what was decided there. */
const sessionWanted = 90;

/** Of a decision its session's title: who decides leaves out what was spoken of all along. "" for what holds in general. */
function sessionOf({ kind, context, evidence, edited }: MemoryItem): string {
  const [, title = ""] = /^Session: (.+)/.exec(context) ?? [];
  const isDecided = kind === "decisions" && evidence !== undefined && edited === undefined;
  return isDecided && title !== "" ? `Session: ${cut(title, sessionWanted)} · ` : "";
}

/** What a turn's refusals and choices decided, but what one of the items says; a check that was refused has a line of its own. */
export function answersIn(
  { pieces, files }: Turn,
  items: readonly MemoryItem[],
  { labels }: Writing,
): Array<{ head: string; said: string }> {
  return pieces.flatMap((piece) => {
    const { kind, text, about = "" } = piece;
    const isShown =
      kind === "plan" ||
      purposeOf(about) !== undefined ||
      items.some(({ content }) => overlap(content, text) > alike);
    if (isShown || !decides(piece, files)) return [];
    const head = kind === "choice" ? `${labels.chosen}:` : `${labels.refused}: ${code(about)}`;
    return [{ head, said: text }];
  });
}

/** The user's are their edits. What nobody judged is what an agent or a model concluded; what stands without a quotation the user wrote into its file. */
export function whoSaid(item: MemoryItem, labels: Labels): string {
  const { kind, content, quote, state, edited } = item;
  const maker = edited ? { ...(edited.by && { from: edited.by }) } : item;
  const [name = ""] = isTheirs(maker) ? makerOf(maker) : [];
  if (name !== "") return state === undefined ? `${labels.concluded} (${name})` : name;
  // Who says only that it stands chose it; the words are not theirs.
  if (edited) return Object.keys(edited.was).join() === "state" ? labels.chosen : labels.typed;
  if (state === undefined || (kind === "workflows" && quote !== undefined)) return labels.concluded;
  return quote === undefined || quote === content ? labels.typed : labels.chosen;
}

/** Names that a statement is about, in lower case: of code, files, commands and their options. */
export function namesIn(text: string): string[] {
  const marked = [...text.matchAll(/`([^`]+)`|(?<!\S)(--?[a-z][\w-]+|\S*[\w.]\/\S*\w)/gi)];
  const names = [...codeNames(text), ...marked.map(([, code, other]) => code ?? other ?? "")];
  return [...new Set(names.map((name) => name.toLowerCase()))].filter((name) => name.length > 2);
}

/** "commit and push" is asked for everywhere: fewer words of meaning say nothing of this project. */
const leastHabit = 3;

/** What the user asks for again and again, with the sessions in which they did: observed, and nobody judged it. */
export function habits(items: readonly MemoryItem[]): Line[] {
  return items
    .filter(
      ({ state, evidence, content }) =>
        state === undefined && evidence !== undefined && meaningOf(content).size >= leastHabit,
    )
    .map(({ id, content, evidence = [] }, at) => ({
      section: "habits",
      worth: 0.5 - at * 0.05,
      ids: [id],
      head: `${id} · ×${evidence.length}`,
      said: content,
    }));
}

/** True for a newer word about the same: another answer to one question, another name or number in one statement. */
function overtakes(newer: MemoryItem, older: MemoryItem): boolean {
  if (saysOtherwise(newer.content, older.content)) return true;
  const question = questionOf(newer);
  return question !== "" && question === questionOf(older) && newer.content !== older.content;
}

function questionOf({ content, quote = "" }: MemoryItem): string {
  const [answer = ""] = quote.split("\n");
  return answer !== "" && content.endsWith(answer) ? content.slice(0, -answer.length).trim() : "";
}

// What the user pinned or wrote, and sessions of which only a summary is left.

export function pinned(all: readonly Pinned[], writing: Writing): Line[] {
  return all.map((one, at) => ({
    ...{ section: "pinned", worth: 2 - at * 0.01, ids: [one.record.id] },
    ...pinnedText(one, writing),
  }));
}

function pinnedText(one: Pinned, writing: Writing): Pick<Line, "head" | "said" | "plain"> {
  const { clock, labels } = writing;
  const day = (time: number) => `${one.record.id} · ${clock.day(time)} ·`;
  if (one.kind === "memory")
    return {
      head: `${one.record.id} · ${one.record.date} · ${whoSaid(one.record, labels)}:`,
      said: one.record.content,
    };
  if (one.kind === "turn") {
    const closing = one.record.pieces.findLast(({ kind }) => kind === "closing")?.text ?? "";
    const { title, said } = writing.outcomeOf(one.record);
    return { head: `${day(one.record.startedAt)} ${title}`, said: said || closing };
  }
  if (one.kind === "summary") {
    const { time, completed, learned, request, nextSteps } = one.record;
    const said = joined([completed, learned, request, nextSteps]);
    return { head: `${day(time)} ${labels.summary}:`, said, plain: true };
  }
  const { time, type, title, facts, narrative } = one.record;
  const said = joined([title, ...(facts.length > 0 ? facts : [narrative])]);
  return { head: `${day(time)} ${type}:`, said, plain: true };
}

function joined(texts: readonly string[]): string {
  return texts.filter((text) => text !== "").join(" — ");
}

/** A note's title and first fact; where a person worded only one of them anew, that one: the other is not theirs. */
function ownOf(title: string, facts: readonly string[], edited: MemoryItem["edited"]): string[] {
  const was = edited?.was ?? {};
  const [first = ""] = facts;
  if ("title" in was === "facts" in was) return [title, first];
  return ["title" in was ? title : first];
}

export function notes({ observations, summaries, turns }: Material, writing: Writing): Line[] {
  const { clock, labels } = writing;
  const noted = observations.map(
    ({ id, time, type, title, facts, edited }, at): Line => ({
      section: "notes",
      worth: 0.66 - at * 0.02,
      ids: [id],
      head: `${id} · ${clock.day(time)} · ${type}${edited ? ` · ${labels.typed}` : ""}:`,
      said: joined(ownOf(title, facts, edited)),
      plain: true,
    }),
  );
  if (turns.length > 0) return noted;
  const told = summaries.map(
    ({ id, time, request, completed, learned, nextSteps }, at): Line => ({
      section: "notes",
      worth: 0.9 * 0.8 ** at,
      ids: [id],
      head: `${id} · ${clock.day(time)} · ${labels.summary}:`,
      said: joined([completed, nextSteps, learned, request]),
      plain: true,
      wanted: 400,
    }),
  );
  return [...told, ...noted];
}

/** `t12 · 2026-11-20`, with the name of who did it elsewhere, and of another branch on which it was done. */
export function placeOf(turn: Turn, { clock, branch }: Writing): string {
  const isElsewhere = branch !== undefined && turn.branch !== branch;
  const where = isElsewhere && turn.branch !== undefined ? [turn.branch] : [];
  return [turn.id, clock.day(turn.startedAt), ...makerOf(turn), ...where].join(" · ");
}

// How the project is worked with.

const commandsShown = 6;
/** Forms of tests, behind what tests, lints and formats. */
const formsShown = 2;
const formsAt = 3;
/** A command that checks nothing is shown when so many sessions ran it. */
const sessionsLeast = 3;

/** `make e2e -v` and `make e2e` are one command: who refused either does not want the other. */
function withoutOptions(line: string): string {
  const words = line.split(" ");
  return words.filter((word) => !word.startsWith("-")).join(" ");
}

/** What tests, lints, formats and builds it, in one line, and what the user did not want to be run. */
export function commands(
  turns: readonly Turn[],
  { practice, laidDownItems, guide = "" }: Material,
  writing: Writing,
): Line[] {
  const stored = practice.filter(
    ({ kind, state }) => kind === "workflows" && state !== "candidate",
  );
  // What one person does not want is no rule for all who work here.
  const unwanted = refusedCommands(turns.filter((turn) => !isTheirs(turn)));
  const isRefused = (command: string) =>
    unwanted.some(({ line }) => withoutOptions(line) === withoutOptions(command));
  const isGuided = (command: string) => guide.includes(command);
  // Of a project with few sessions, one is enough.
  const isYoung = new Set(turns.map(({ session }) => session)).size <= sessionsLeast;
  const known = projectCommands(turns).filter(
    ({ purpose, sessions }, at, all) =>
      sessions >= sessionsLeast ||
      (purpose !== undefined &&
        (sessions > 1 || isYoung || purpose === "test") &&
        all.findIndex((one) => one.purpose === purpose) === at),
  );
  const added = stored.filter(
    ({ content, evidence, edited }) =>
      !known.some(({ line }) => line === content) &&
      (evidence === undefined || edited !== undefined || purposeOf(content) !== undefined),
  );
  const forms = testForms(turns).slice(0, formsShown);
  const shown = [
    ...[...known.slice(0, formsAt), ...forms, ...known.slice(formsAt)]
      .filter(({ line }) => !isRefused(line) && !isGuided(line))
      .map(({ line, sessions, last }) => {
        const kept = stored.find(({ content }) => content === line);
        // All of the project's sessions are counted there; here only the newest turns are read.
        const all = Math.max(sessions, sessionsIn(kept?.context));
        return { text: `${code(line)} ×${all}`, from: last.id, id: kept?.id };
      }),
    ...added
      .filter(({ content }) => !isGuided(content))
      .map(({ content, id }) => ({ text: code(content), from: id, id })),
  ].slice(0, commandsShown + forms.length);
  const refused = unwanted
    // What became a rule is shown as one.
    .filter(
      ({ reason }) =>
        reason === "" ||
        !laidDownItems.some((item) => stands(item) && overlap(item.content, reason) > alike),
    )
    .map(
      ({ line, reason, sessions, turn }): Line => ({
        section: "decided",
        worth: sessions > 1 ? 0.84 : 0.6,
        ids: [turn.id],
        head: `${placeOf(turn, writing)} · ${writing.labels.refused}: ${code(line)}${sessions > 1 ? ` ×${sessions}` : ""}`,
        said: reason,
      }),
    );
  if (shown.length === 0) return refused;
  const line: Line = {
    section: "build",
    worth: 0.85,
    ids: shown.flatMap(({ id }) => id ?? []),
    from: [...new Set(shown.map(({ id, from }) => id ?? from))],
    head: shown.map(({ text }) => text).join(" · "),
  };
  return [line, ...refused];
}

/** A command that never works here and the one that does; failures whose cause is stored. */
export function repairs(
  turns: readonly Turn[],
  practice: readonly MemoryItem[],
  writing: Writing,
): Line[] {
  const instead = workarounds(turns).map(
    ({ fails, works, sessions, last }): Line => ({
      section: "repairs",
      worth: 0.84,
      ids: [last.id],
      head: `${code(fails)} ${writing.labels.instead} ${code(works)} ×${sessions}`,
    }),
  );
  const stored = practice
    .filter(({ kind, state }) => kind === "gotchas" && state !== "candidate")
    .map(
      ({ id, date, content }, at): Line => ({
        section: "repairs",
        worth: 0.5 - at * 0.02,
        ids: [id],
        head: `${id} · ${date}`,
        said: content,
      }),
    );
  return [...instead.slice(0, 2), ...stored.slice(0, 2)];
}

// What the checkout says beside the turns.

/** Commits that no turn made, each as a turn of its own: they settle what was open before. */
export function byHand({ commits = [], turns, own, project }: Material): Turn[] {
  return commits
    .filter(
      ({ time }) => ![...own, ...turns].some((one) => one.startedAt <= time && time <= one.time),
    )
    .map(({ id, time, subject }) => ({
      ...{ id, session: id, client: "git", project: project.id, promptNumber: 0 },
      ...{ startedAt: time, time, end: "closed", files: [] },
      pieces: [{ kind: "commit", text: subject, about: id }],
    }));
}

const filesNamed = 4;

/** Files that the last session changed, and that git does not have as they are; where git says nothing of them, nothing is said. */
export function uncommitted(
  last: PastSession | undefined,
  seen: readonly Turn[],
  { dirty }: Pick<Material, "dirty">,
  { labels }: Writing,
): Line[] {
  // What was changed elsewhere is in another checkout.
  const changing = (last?.turns ?? []).filter(
    (turn) => !turn.from && !seen.some((one) => one.time >= turn.time && hasCommit(one)),
  );
  const files = [...filesOf(changing)].filter((path) => dirty?.has(path));
  if (files.length === 0) return [];
  const more = files.length > filesNamed ? ` +${files.length - filesNamed}` : "";
  return [
    {
      section: "now",
      worth: 0.55,
      ids: [],
      from: changing.map(({ id }) => id).toReversed(),
      head: `${labels.uncommitted}: ${files.slice(-filesNamed).join(", ")}${more}`,
    },
  ];
}

/** What was not to be done in a session, where the reason names what it was about: "Keep a.ts: b imports it". */
export function refusals(
  { turns, fresh }: PastSession,
  ruled: readonly Line[],
  writing: Writing,
): Line[] {
  return turns.flatMap((turn) => {
    const pieces = turn.pieces.filter(({ kind, text, about = "" }) => {
      // Few are: what is compared below is dear.
      if (kind !== "refusal") return false;
      const names = new Set(namesIn(about));
      if (!namesIn(text).some((name) => names.has(name))) return false;
      return !ruled.some(({ said = "" }) => overlap(said, text) > alike);
    });
    return answersIn({ ...turn, pieces }, [], writing).map(
      ({ head, said }): Line => ({
        ...{ section: "decided", worth: 0.4 * fresh, ids: [turn.id], said },
        head: `${placeOf(turn, writing)} · ${head}`,
      }),
    );
  });
}
