// LoCoMo's questions asked of a storage, and of plain full text over the same utterances and turns, in one run.

import { createHash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import * as v from "valibot";
import { type Database, openDatabase } from "../../../src/host/sqlite.ts";
import type { RecordStore } from "../../../src/records/record-store.ts";
import { openRecords } from "../../../src/records/record-store.ts";
import type { NewTurn } from "../../../src/sdk/turn.ts";
import type { Figure } from "../figures.ts";

/** What one asker found for one question, best first. */
interface Answered {
  sessions: string[];
  /** Ids of utterances, of the first ten found. */
  utterances: string[];
  /** Ids of all utterances in the first ten turns. */
  turns: string[];
}

/** What is measured of an answer, from 0 to 1. */
export const measures = {
  "any@5": ({ sessions }: Answered, { sessions: right }: LocomoQuestion) =>
    Number(right.some((one) => sessions.slice(0, 5).includes(one))),
  "fractional@10": ({ sessions }: Answered, { sessions: right }: LocomoQuestion) =>
    right.filter((one) => sessions.slice(0, 10).includes(one)).length / right.length,
  "all@5": ({ sessions }: Answered, { sessions: right }: LocomoQuestion) =>
    Number(right.every((one) => sessions.slice(0, 5).includes(one))),
  "utterance any@10": ({ utterances }: Answered, { evidence }: LocomoQuestion) =>
    Number(evidence.some((one) => utterances.includes(one))),
  "turn any@10": ({ turns }: Answered, { evidence }: LocomoQuestion) =>
    Number(evidence.some((one) => turns.includes(one))),
} as const;
type Measure = keyof typeof measures;

const targets: Partial<Record<Measure, number>> = {
  "any@5": 93,
  "fractional@10": 95,
  "turn any@10": 80,
};
const categories = ["several facts", "time", "world knowledge", "one fact", "who did it"];

/** Sums by the name of a figure. */
type Sums = Map<string, { sum: number; count: number }>;

/** Nothing, with a note, where the data is missing. */
export async function locomoFigures(): Promise<Figure[]> {
  const conversations = readConversations();
  if (!conversations) {
    console.error("  LoCoMo is skipped: ../shared/data/locomo is missing");
    return [];
  }
  const sums: Sums = new Map();
  let now = 0;
  const store = await openRecords(":memory:", () => now);
  const plain = await openDatabase(":memory:");
  try {
    for (const { project, turns } of conversations)
      await store.put({ key: project, records: { turns } });
    fillPlain(plain, conversations);
    for (const conversation of conversations) {
      now = conversation.askedAt;
      for (const question of conversation.questions) {
        count(sums, "memoir", question, await ask(store, conversation, question.text));
        count(sums, "full text", question, askPlain(plain, conversation, question.text));
      }
    }
  } finally {
    store.close();
    plain.close();
  }
  return [...sums].map(([name, { sum, count: asked }]) => {
    const limit = name.startsWith("memoir, all") ? targetOf(name) : undefined;
    const value = (100 * sum) / asked;
    const figure: Figure = { part: "retrieval", name: `LoCoMo: ${name}`, value, unit: "%" };
    return limit === undefined ? figure : { ...figure, target: { limit, better: "higher" } };
  });
}

function targetOf(name: string): number | undefined {
  const measure = Object.keys(measures).find((one) => name.endsWith(`: ${one}`));
  return targets[measure as Measure];
}

function count(sums: Sums, who: string, question: LocomoQuestion, answered: Answered): void {
  const half = question.aside ? "set aside" : "tuned on";
  const parts = ["all", `all, ${half}`, `${categories[question.category - 1]}`];
  for (const part of parts)
    for (const [measure, of] of Object.entries(measures)) {
      const name = `${who}, ${part}: ${measure}`;
      const known = sums.get(name) ?? { sum: 0, count: 0 };
      known.sum += of(answered, question);
      known.count++;
      sums.set(name, known);
    }
}

/** Asks a storage one question of a conversation. */
export async function ask(
  store: Pick<RecordStore, "search">,
  { project, idAt, said }: Conversation,
  text: string,
): Promise<Answered> {
  const query = { text, project, kinds: ["turn" as const] };
  const bySession = await store.search(query);
  const records = await store.search({ ...query, by: "record", limit: 10 });
  const passages = await store.search({ ...query, by: "passage", limit: 10 });
  return {
    sessions: distinct(bySession.map(({ session }) => session)),
    utterances: passages.flatMap(
      ({ session, promptNumber, piece }) => idAt(session, promptNumber, piece ?? 0) ?? [],
    ),
    turns: records.flatMap(({ session, promptNumber }) =>
      said.map((_, piece) => idAt(session, promptNumber, piece)).filter((id) => id !== undefined),
    ),
  };
}

/** Two tables of FTS5 as it comes, with porter stems: a row an utterance, and a row a turn. */
function fillPlain(db: Database, conversations: readonly Conversation[]): void {
  for (const table of ["utterances", "turns"])
    db.exec(
      `CREATE VIRTUAL TABLE ${table} USING fts5 (project UNINDEXED, session UNINDEXED, ids UNINDEXED, text, tokenize = 'porter unicode61')`,
    );
  const utterance = db.prepare("INSERT INTO utterances VALUES (?, ?, ?, ?)");
  const row = db.prepare("INSERT INTO turns VALUES (?, ?, ?, ?)");
  for (const { project, said, turns, idAt } of conversations) {
    for (const { id, session, text } of said) utterance.run([project, session, id, text]);
    for (const { session, promptNumber, pieces } of turns) {
      const ids = pieces.map((_, piece) => idAt(session, promptNumber, piece));
      const text = pieces.map((piece) => piece.text).join("\n");
      row.run([project, session, ids.join(" "), text]);
    }
  }
}

function askPlain(db: Database, { project }: Conversation, text: string): Answered {
  const words = text.match(/[\p{L}\p{N}]+/gu) ?? [];
  const match = words.map((word) => `"${word}"`).join(" OR ");
  const rows = (table: string) =>
    db
      .prepare<{ session: string; ids: string }>(
        `SELECT session, ids FROM ${table} WHERE ${table} MATCH ? AND project = ? ORDER BY bm25(${table}) LIMIT 200`,
      )
      .all([match, project]);
  const turns = rows("turns");
  return {
    sessions: distinct(turns.map(({ session }) => session)),
    utterances: rows("utterances")
      .slice(0, 10)
      .map(({ ids }) => ids),
    turns: turns.slice(0, 10).flatMap(({ ids }) => ids.split(" ")),
  };
}

function distinct(list: readonly string[]): string[] {
  return [...new Set(list)];
}

// LoCoMo's conversations as sessions of a client: one speaker types, the other answers. Evaluation data, read where it lies.

const file = resolve(import.meta.dirname, "../../../../shared/data/locomo/locomo-dev5.json");

const Utterance = v.object({
  speaker: v.string(),
  dia_id: v.string(),
  text: v.string(),
  blip_caption: v.optional(v.string()),
});
const Conversations = v.array(
  v.object({
    qa: v.array(
      v.object({ question: v.string(), evidence: v.array(v.string()), category: v.number() }),
    ),
    conversation: v.objectWithRest({ speaker_a: v.string() }, v.unknown()),
  }),
);

/** One utterance, where it was said and where it went. */
export interface Said {
  /** `D3:7`: the seventh of the third session. */
  id: string;
  session: string;
  text: string;
}

/** A question with the utterances that answer it. */
export interface LocomoQuestion {
  text: string;
  category: number;
  /** Ids of utterances. */
  evidence: string[];
  sessions: string[];
  /** Half of them, by a hash of the question: nothing is tuned on these. */
  aside: boolean;
}

/** A conversation as a project. */
export interface Conversation {
  project: string;
  turns: NewTurn[];
  said: Said[];
  /** Ids of utterances by session, prompt number and piece. */
  idAt(session: string, promptNumber: number, piece: number): string | undefined;
  questions: LocomoQuestion[];
  /** Epoch ms, a day after the last session: when the questions are asked. */
  askedAt: number;
}

/** All conversations, or undefined where the data is missing. */
export function readConversations(): Conversation[] | undefined {
  if (!existsSync(file)) return undefined;
  return v
    .parse(Conversations, JSON.parse(readFileSync(file, "utf8")))
    .map(({ qa, conversation }, number) => {
      const project = `locomo-${number}`;
      const sessions = Object.entries(conversation).flatMap(([key, value]) => {
        const at = /^session_(\d+)$/.exec(key)?.[1];
        if (at === undefined || !Array.isArray(value)) return [];
        const time = timeOf(String(conversation[`${key}_date_time`]));
        return { name: sessionName(project, at), time, said: v.parse(v.array(Utterance), value) };
      });
      const turns: NewTurn[] = [];
      const said: Said[] = [];
      const ids = new Map<string, string>();
      for (const { name, time, said: utterances } of sessions) {
        let turn: NewTurn | undefined;
        for (const { speaker, dia_id: id, text, blip_caption: shown } of utterances) {
          const types = speaker === conversation.speaker_a;
          if (!turn || types) {
            turn = emptyTurn(project, name, (turn?.promptNumber ?? 0) + 1, time);
            turns.push(turn);
          }
          const whole = `${speaker}: ${text}${shown === undefined ? "" : ` [image: ${shown}]`}`;
          ids.set(`${name} ${turn.promptNumber} ${turn.pieces.length}`, id);
          turn.pieces.push({ kind: types ? "prompt" : "said", text: whole });
          said.push({ id, session: name, text: whole });
        }
      }
      return {
        project,
        turns,
        said,
        idAt: (session, promptNumber, piece) => ids.get(`${session} ${promptNumber} ${piece}`),
        questions: qa.flatMap((one) => questionOf(project, one)),
        askedAt: Math.max(...sessions.map(({ time }) => time)) + 86_400_000,
      };
    });
}

function sessionName(project: string, number: string): string {
  return `${project}-session-${number}.`;
}

function emptyTurn(project: string, session: string, promptNumber: number, time: number): NewTurn {
  return {
    ...{ session, project, promptNumber, client: "claude-code", end: "closed" },
    startedAt: time + promptNumber * 1_000,
    time: time + promptNumber * 1_000,
    pieces: [],
    files: [],
  };
}

/** A few evidence ids are malformed; a question without any other is left out. */
function questionOf(
  project: string,
  { question, evidence, category }: { question: string; evidence: string[]; category: number },
): LocomoQuestion | [] {
  const whole = evidence.filter((id) => /^D\d+:\d+$/.test(id));
  if (whole.length === 0) return [];
  const sessions = whole.map((id) => sessionName(project, id.slice(1).split(":")[0] ?? ""));
  return {
    text: question,
    category,
    evidence: whole,
    sessions: [...new Set(sessions)],
    aside: (createHash("sha256").update(question).digest()[0] ?? 0) % 2 === 0,
  };
}

/** `1:56 pm on 8 May, 2023`, to the day. */
function timeOf(text: string): number {
  const [, day, month, year] = /on (\d+) (\w+), (\d+)/.exec(text) ?? [];
  return new Date(`${day} ${month} ${year}`).getTime();
}
