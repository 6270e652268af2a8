// Makes any number of plausible sessions with turns, prompts, observations and summaries from a seed. Lengths, numbers of pieces and how often words come again are those of recorded sessions.
import { ofSummaryTexts, type Project, type Records } from "../../src/sdk/model.ts";
import type { Evidence, EvidenceKind, NewTurn } from "../../src/sdk/turn.ts";

const common =
  "session token user order invoice payment queue worker cache router handler schema migration database index query report widget layout theme upload image email webhook socket stream parser lexer cursor buffer config secret policy account profile search filter sort page form field button table chart metric alert trace span plugin registry adapter client server gateway proxy snapshot backup manifest package module bundle asset locale discount coupon cart checkout ledger balance quota limit lock lease job timer event listener signal channel topic message thread comment review branch commit patch diff test build file error fail pass add fix remove rename move split retry parse validate render deploy encrypt refresh batch merge log guard escape mount resolve compile stale missing duplicate slow empty invalid nested shared remote partial pending expired default legacy broken flaky expire signature time".split(
    " ",
  );
const glue =
  "the a of to in and is for that with on by from it when was this are not be because each into than so no all at if".split(
    " ",
  );
const syllables =
  "ba co di fu ga he ki lo mu na pe ra so ti vu wa ze bro cla dre flo gri ple sta tru".split(" ");
const programs = ["bun test", "git status", "git diff", "cargo check", "npm run build", "rg"];

/** Different words, of which the first come most. */
const vocabulary = 200_000;
const identifiers = 60_000;
const projects = 20;
const turnsInSession = 4;
/** The higher, the fewer words come again in one text. */
const newness = 60;

/** Yields one `storage.put`-sized set of records a session of four turns, oldest first; the newest ends at `end` (epoch ms). */
export function* turnSessions(options: {
  turns: number;
  end: number;
  seed?: number;
}): Generator<Records> {
  const { turns, end, seed = 1 } = options;
  const random = numbers(seed);
  const sessions = Math.ceil(turns / turnsInSession);
  for (let number = 0; number < sessions; number++) {
    const project = madeProject(Math.floor(projects * random() ** 2));
    yield madeSession(
      `made-${seed}-${number}`,
      project,
      end - (sessions - number) * 3_600_000,
      random,
    );
  }
}

/** The project of a number; 0 has the most sessions. */
export function madeProject(number: number): Project {
  const name = `${common[number * 7]}-${number}`;
  return { id: `github.com/acme/${name}`, name, root: `/home/dev/${name}` };
}

/** A xorshift generator from 0 to 1: the same numbers on every machine. */
export function numbers(seed: number): () => number {
  let state = seed >>> 0 || 1;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) / 2 ** 32;
  };
}

function madeSession(
  id: string,
  project: Project,
  startedAt: number,
  random: () => number,
): Records {
  const place = { session: id, client: "claude-code", project: project.id };
  const minute = (at: number) => startedAt + at * 600_000;
  const provenance = { strategy: "made", model: null };
  const write = writer(random);
  const records = {
    turns: [] as NewTurn[],
    summaries: [] as NonNullable<Records["summaries"]>,
    observations: [] as NonNullable<Records["observations"]>,
  };
  for (let promptNumber = 1; promptNumber <= turnsInSession; promptNumber++) {
    const time = minute(promptNumber + 0.9);
    const of = { ...place, promptNumber, time };
    write.aboutSomethingElse();
    records.turns.push({
      ...{ ...of, startedAt: minute(promptNumber), end: "closed", pieces: madePieces(write) },
      files: [write.path(), write.path()].map((path) => ({ path, changed: random() < 0.6 })),
    });
    records.summaries.push({
      ...{ ...of, scope: "prompt", filesRead: [write.path()], filesEdited: [write.path()] },
      ...ofSummaryTexts(() => ""),
      ...{ request: write.text(12), investigated: write.text(20), learned: write.text(25) },
      ...{ completed: write.text(25), nextSteps: write.text(10) },
      ...{ observerTokens: 0, provenance },
    });
    if (promptNumber > 1)
      records.observations.push({
        ...{ ...of, type: random() < 0.5 ? "bugfix" : "feature", provenance },
        ...{ title: write.text(7), subtitle: write.text(15), narrative: write.text(90) },
        facts: Array.from({ length: 6 }, () => write.text(22)),
        concepts: ["how-it-works", "gotcha"],
        ...{ filesRead: [write.path()], filesModified: [write.path()], toolUseIds: [] },
        ...{ discoveryTokens: null, observerTokens: 0 },
      });
  }
  const session = {
    ...{ id, client: "claude-code", project, status: "ended" as const, prompts: turnsInSession },
    ...{ title: write.text(5), subtitle: write.text(12) },
    ...{ startedAt, lastActiveAt: minute(5), endedAt: minute(5) },
  };
  const prompts = records.turns.map(({ promptNumber, startedAt: time, pieces }) => ({
    ...{ ...place, promptNumber, time, text: pieces[0]?.text ?? "" },
  }));
  return { sessions: [session], prompts, ...records };
}

function madePieces(write: Writer): Evidence[] {
  const piece = (kind: EvidenceKind, text: string, about?: string): Evidence => ({
    ...{ kind, text },
    ...(about === undefined ? {} : { about, described: write.text(6) }),
  });
  const command = () => `${write.program()} ${write.path()} --${write.word()}`;
  return [
    piece("prompt", write.text(55)),
    ...[45, 30, 40].flatMap((length) => [
      piece("said", write.text(length)),
      piece("passed", write.text(12), command()),
      piece("ran", write.text(10), command()),
    ]),
    piece(
      "failure",
      `error: ${write.text(30)}\n  at ${write.path()}:12\n${write.text(30)}`,
      command(),
    ),
    piece("repair", `error: ${write.text(25)}\n\n→ ${write.path()}`, command()),
    piece("commit", `${write.text(7)}\n\n${write.text(40)}`, "abc1234"),
    piece("closing", Array.from({ length: 5 }, () => write.text(45)).join("\n\n")),
  ];
}

type Writer = ReturnType<typeof writer>;

/** New words become rarer the longer it writes about one thing. */
function writer(random: () => number) {
  let said: string[] = [];
  const below = (limit: number) => Math.floor(random() * limit);
  /** Low numbers come often: half as often for the one of twice the rank. */
  const zipf = (limit: number) => Math.floor(20 * ((limit + 20) / 20) ** random() - 20);
  const newToken = () => {
    if (random() > 0.1) return wordOf(zipf(vocabulary));
    const number = zipf(identifiers);
    return `${common[number % common.length]}${capital(wordOf(number * 3))}`;
  };
  const token = () => {
    if (random() < 0.25) return glue[below(glue.length)] ?? "";
    const next = said[below(said.length + newness)] ?? newToken();
    said.push(next);
    return next;
  };
  return {
    aboutSomethingElse: () => {
      said = [];
    },
    word: () => wordOf(zipf(vocabulary)),
    program: () => programs[below(programs.length)],
    path: () => {
      const number = zipf(5_000);
      return `src/${common[number % 40]}/${wordOf(number)}-${common[(number * 3) % common.length]}.ts`;
    },
    text: (length: number) => capital(Array.from({ length }, token).join(" ")),
  };
}

/** The word of a rank: a real one, then made ones of two to five syllables. */
function wordOf(rank: number): string {
  const real = common[rank];
  if (real !== undefined) return real;
  let text = "";
  for (let rest = rank + syllables.length; rest > 0; rest = Math.floor(rest / syllables.length))
    text += syllables[rest % syllables.length];
  return text;
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
