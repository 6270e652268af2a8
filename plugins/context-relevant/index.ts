// Adds to a prompt what earlier sessions said about it; most prompts get nothing.
import * as v from "valibot";
import { wrapContext } from "../../src/privacy/index.ts";
import type { Place, SearchResult } from "../../src/sdk/index.ts";
import {
  definePlugin,
  memoirCommand,
  type Reply,
  type StorageClient,
  type Turn,
} from "../../src/sdk/index.ts";
import { createSaid, type Said } from "../../src/strategy/index.ts";
import type { Language } from "../../src/text/index.ts";
import { asQuoted, languageOf, localClock, oneLine, shorten, toBmp } from "../../src/text/index.ts";
import type { Passage, Relevant, Speaker } from "./relevance.ts";
import {
  passageOf,
  promising,
  relevantOf,
  saidIn,
  type TellsOf,
  tellsOf,
  type Weighed,
  weigh,
  wordsOf,
  worthOf,
} from "./relevance.ts";

// What results are shown by: turns and standing items by themselves, what was derived by the turn that it quotes.

/** Something to tell, best first; without a turn it is shown by what the search shows. */
interface Source {
  result: SearchResult;
  /** Share of the prompt's weight that it has. */
  coverage: number;
  turn?: Turn;
}

/** What says less than this share of what the best says of a prompt is not shown beside it. */
const gap = 0.5;
/** Turns of one session that are looked through for what a summary of it quotes. */
const mostTurns = 30;
/** So much of a quotation finds its place. */
const quoted = 60;

/** The turns among these results, by id. */
export async function turnsOf(
  results: readonly SearchResult[],
  storage: StorageClient,
): Promise<Map<string, Turn>> {
  const ids = results.flatMap(({ kind, id }) => (kind === "turn" ? id : []));
  const records = ids.length === 0 ? [] : await storage.get({ ids });
  return new Map(
    records.flatMap(({ kind, record }) => (kind === "turn" ? [[record.id, record] as const] : [])),
  );
}

/**
 * The first `most` different sources that are new: turns and standing items in their order, then what only derived
 * records lead to. What says much less of the prompt than the best is left out; a session by itself is only a label.
 */
export async function sourcesOf(
  relevant: readonly Relevant[],
  turns: ReadonlyMap<string, Turn>,
  storage: StorageClient,
  { most, isNew, tells }: { most: number; isNew: (id: string) => boolean; tells: TellsOf },
): Promise<Source[]> {
  const sources = new Map<string, Source>();
  const best = Math.max(0, ...relevant.map(({ coverage }) => coverage));
  const near = relevant.filter(({ coverage }) => coverage >= best * gap);
  const isSource = ({ result }: Relevant) => result.kind === "turn" || result.kind === "memory";
  for (const { result, coverage } of [...near.filter(isSource), ...near]) {
    if (sources.size >= most) break;
    if (result.kind === "session" || sources.has(result.id)) continue;
    const turn = turns.get(result.id) ?? (await quotedTurn(result, storage, tells));
    const id = turn?.id ?? result.id;
    if (sources.has(id) || !isNew(id)) continue;
    const at = turn && result.kind !== "turn" ? placeIn(turn, result.excerpt ?? "") : result.piece;
    const { piece: _, ...rest } = result;
    sources.set(id, {
      result: { ...rest, id, ...(at === undefined ? {} : { piece: at }) },
      coverage,
      ...(turn && { turn }),
    });
  }
  return [...sources.values()];
}

/** Ids of those shown by themselves that are the user's own words: typed, said to be kept, or edited. */
export async function usersOwn(
  sources: readonly Source[],
  storage: StorageClient,
): Promise<Set<string>> {
  const ids = sources.flatMap(({ result, turn }) => (turn ? [] : result.id));
  const records = ids.length === 0 ? [] : await storage.get({ ids });
  return new Set(
    records.flatMap(({ kind, record }) => {
      const isSaid = kind === "prompt" || (kind === "memory" && record.state !== undefined);
      return isSaid || record.edited !== undefined ? record.id : [];
    }),
  );
}

/** The turn itself where it was not read yet, or the one that a derived record quotes. */
async function quotedTurn(
  { kind, id, session, excerpt = "" }: SearchResult,
  storage: StorageClient,
  tells: TellsOf,
): Promise<Turn | undefined> {
  const [stored] = kind === "memory" ? [] : await storage.get({ ids: [id] });
  if (stored?.kind === "turn") return stored.record;
  if (stored?.kind !== "observation" && stored?.kind !== "summary") return undefined;
  // The user's own words stand for themselves.
  if (stored.record.edited) return undefined;
  const numbers = new Set(turnsIn(stored.record.evidence ?? [], session));
  const [only] = numbers;
  if (only === undefined) return undefined;
  const turns = await storage.turns(
    numbers.size === 1 ? { session, promptNumber: only } : { session, limit: mostTurns },
  );
  const named = turns.filter(({ promptNumber }) => numbers.has(promptNumber));
  const source = named.find((turn) => placeIn(turn, excerpt) !== undefined);
  if (source) return source;
  const worths = named.map((turn) => worthOf(tells(saidIn(turn).join("\n"))));
  return named[worths.indexOf(Math.max(...worths))];
}

/** Numbers of the session's turns among places. */
function turnsIn(places: readonly Place[], session: string): number[] {
  return places.flatMap((place) => ((place.session ?? session) === session ? place.turn : []));
}

/** The piece that a quotation stands in; undefined where it stands in none. */
function placeIn({ pieces }: Turn, excerpt: string): number | undefined {
  const words = plain(excerpt).slice(0, quoted);
  const at = words === "" ? -1 : pieces.findIndex(({ text }) => plain(text).includes(words));
  return at < 0 ? undefined : at;
}

/** Only letters and digits: what was derived is written without marks. */
function plain(text: string): string {
  return text.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, "");
}

// Writes what belongs to a prompt in a few lines, and shares out their room. Pure.

/** A record to tell of. */
interface Shown extends Passage {
  id: string;
  /** Epoch ms. */
  time: number;
}

/** How the notes are written. */
interface NotesOptions {
  /** UTF-16 units, the mark included. */
  maxCharacters: number;
  /** How the agent calls memoir in a shell. */
  command: string;
  language: Language;
  /** Writes epoch ms as a day. */
  day(time: number): string;
}

/** Less than this of a record tells nothing. */
const least = 80;
/** Characters in which a source says something. */
const leastOfSource = 200;

/**
 * Writes each in its room, the best first: all but the least that those after it need. What one leaves goes to the next;
 * for the last ones there may be no room.
 */
export function shareOut<Source, Shown>(
  sources: readonly Source[],
  room: number,
  write: (source: Source, room: number) => { shown: Shown; length: number },
): Shown[] {
  const fitting = sources.slice(0, Math.max(1, Math.floor(room / leastOfSource)));
  let left = room;
  return fitting.map((source, at) => {
    const { shown, length } = write(source, left - leastOfSource * (fitting.length - at - 1));
    left -= length;
    return shown;
  });
}

/** The lines that fit, and the ids of what they show; undefined when nothing fits. */
export function renderRelevant(
  shown: readonly Shown[],
  { maxCharacters, command, language, day }: NotesOptions,
): { context: string; ids: string[] } | undefined {
  const intro = intros[language].replace("{command}", () => command);
  const wrap = (lines: readonly string[]) =>
    wrapContext([intro, ...lines].join("\n"), { source: "prompt" });
  const lines: string[] = [];
  const ids: string[] = [];
  for (const { id, time, text, closing, by } of shown) {
    const head = `- ${id} · ${day(time)} · ${speakers[language][by]}: `;
    // The agent closes a turn.
    const then = ` → ${speakers[language].agent}: “`;
    const room = maxCharacters - wrap(lines).length - head.length - then.length - 7;
    if (room < least) break;
    const end = closing === undefined ? "" : fit(closing, Math.floor(room / 2));
    const said = fit(text, room - end.length);
    lines.push(`${head}“${said}”${end === "" ? "" : `${then}${end}”`}`);
    ids.push(id);
  }
  return lines.length === 0 ? undefined : { context: wrap(lines), ids };
}

function fit(text: string, most: number): string {
  return oneLine(shorten(toBmp(asQuoted(text)), most).text);
}

// The first line of what a prompt gets, by language. The rest is quoted as it was said.

/** `{command}`: how memoir is called in a shell. */
export const intros: Readonly<Record<Language, string>> = {
  en: "From earlier sessions, as it was said then; check before use. `{command} show <id>` tells all of it.",
  de: "Aus früheren Sitzungen, wie es damals gesagt wurde; vor Gebrauch zu prüfen. `{command} show <id>` zeigt alles.",
  fr: "De sessions précédentes, comme c’était dit alors ; à vérifier avant usage. `{command} show <id>` montre tout.",
  es: "De sesiones anteriores, como se dijo entonces; compruébalo antes de usarlo. `{command} show <id>` lo muestra todo.",
  pt: "De sessões anteriores, como foi dito então; verifique antes de usar. `{command} show <id>` mostra tudo.",
  it: "Da sessioni precedenti, come fu detto allora; da verificare prima dell’uso. `{command} show <id>` mostra tutto.",
  nl: "Uit eerdere sessies, zoals het toen gezegd werd; ga het na voor gebruik. `{command} show <id>` toont alles.",
  ru: "Из прежних сессий, как было сказано тогда; проверьте перед использованием. `{command} show <id>` покажет всё.",
  ar: "من جلسات سابقة، كما قيل حينها؛ تحقق قبل الاستعمال. `{command} show <id>` يعرض كل شيء.",
  ja: "以前のセッションから、当時の言葉のまま。使う前に確認すること。`{command} show <id>` で全文。",
  zh: "来自以前的会话，为当时原话；使用前请核对。`{command} show <id>` 显示全文。",
  ko: "이전 세션에서 당시에 한 말 그대로. 쓰기 전에 확인할 것. `{command} show <id>`로 모두 봄.",
};

const words: Readonly<Record<Language, string>> = {
  en: "user | agent | output",
  de: "Nutzer | Agent | Ausgabe",
  fr: "utilisateur | agent | sortie",
  es: "usuario | agente | salida",
  pt: "usuário | agente | saída",
  it: "utente | agente | output",
  nl: "gebruiker | agent | uitvoer",
  ru: "пользователь | агент | вывод",
  ar: "المستخدم | الوكيل | مخرجات",
  ja: "ユーザー | エージェント | 出力",
  zh: "用户 | 代理 | 输出",
  ko: "사용자 | 에이전트 | 출력",
};

/** Who said a passage, by language. */
const speakers = Object.fromEntries(
  Object.entries(words).map(([language, row]) => {
    const [user = "", agent = "", tool = ""] = row.split(" | ");
    return [language, { user, agent, tool }];
  }),
) as Readonly<Record<Language, Readonly<Record<Speaker, string>>>>;

const ConfigSchema = v.strictObject({
  maxCharacters: v.optional(
    v.pipe(
      v.number(),
      v.integer(),
      v.minValue(400),
      v.maxValue(5_000),
      v.description("Longest text added to one prompt, in characters."),
    ),
    1_500,
  ),
});
type Config = v.InferOutput<typeof ConfigSchema>;

/** Most records added to one prompt. */
const mostRecords = 4;
/** How many results are looked at, and characters of a prompt that are searched for. */
const looked = 30;
const searched = 4_000;
/** Turns whose prompt and closing message are looked at as well. */
const readTurns = 8;
/** Characters that the mark and the first line take, and what each record begins with. */
const frame = 200;
const heading = 40;

interface State {
  /** How the agent calls memoir. */
  command: string;
  shown: Said;
}

export default definePlugin<Config, State>({
  name: "context-relevant",
  description: "Adds to a prompt what earlier sessions said about it, verbatim, with ids.",
  sdk: 1,
  slot: "context-injection",
  config: ConfigSchema,
  start: async (ctx) => ({
    command: await memoirCommand(ctx.home),
    shown: createSaid(),
  }),
  hooks: {
    SessionStart: (event, ctx) => {
      if (event.source === "compact" || event.source === "clear")
        ctx.state.shown.forget(event.session);
    },
    UserPromptSubmit: async (event, ctx): Promise<Reply | undefined> => {
      const { session, project, prompt } = event;
      const { shown, command } = ctx.state;
      if (!project || event.agent || event.withheld) return undefined;
      const words = wordsOf(prompt);
      if (!words) return undefined;
      const results = await ctx.storage.search({
        text: prompt.slice(0, searched),
        project: project.id,
        by: "record",
        explain: true,
        swift: true,
        limit: looked,
      });
      // What a newer observation superseded is history: found by search, not shown as current.
      const others = results.filter(
        (result) => result.session !== session && result.supersededBy === undefined,
      );
      const isNew = (id: string) => !shown.has(session, id);
      const { found, asked } = await read(weigh(words, others), isNew, ctx.storage, ctx.config);
      const { maxCharacters } = ctx.config;
      const language = languageOf([prompt.slice(0, searched), ...asked]);
      const rendered = renderRelevant(found, {
        maxCharacters,
        command,
        language,
        day: localClock.day,
      });
      if (!rendered || ctx.signal.aborted) return undefined;
      shown.add(session, rendered.ids);
      return { context: rendered.context, records: rendered.ids };
    },
  },
});

/** The best of what belongs to the prompt, each with as much room as it says of the prompt; and what was asked then. */
async function read(
  weighed: Weighed,
  isNew: (id: string) => boolean,
  storage: StorageClient,
  { maxCharacters }: Config,
): Promise<{ found: Shown[]; asked: string[] }> {
  const turns = await turnsOf(promising(weighed).slice(0, readTurns), storage);
  const relevant = relevantOf(weighed, turns);
  const tells = tellsOf(weighed.words);
  const options = { most: mostRecords, isNew, tells };
  const sources = await sourcesOf(relevant, turns, storage, options);
  const own = await usersOwn(sources, storage);
  const room = maxCharacters - frame - heading * sources.length;
  return {
    found: shareOut(sources, room, (source, most) => {
      const written = writeSource(source, most, tells);
      if (own.has(source.result.id)) written.shown.by = "user";
      return written;
    }),
    asked: sources.flatMap(({ turn }) => (turn ? askedIn(turn) : [])),
  };
}

function writeSource({ result, turn }: Source, room: number, tells: TellsOf) {
  const passage = passageOf(result, turn, room, tells);
  const shown: Shown = { id: result.id, time: result.createdAt, ...passage };
  return { shown, length: passage.text.length + (passage.closing?.length ?? 0) };
}

function askedIn({ pieces }: Turn): string[] {
  return pieces.flatMap(({ kind, text }) => (kind === "prompt" ? text.slice(0, searched) : []));
}
