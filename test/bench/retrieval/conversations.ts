// LoCoMo's conversations as sessions of a client: one speaker types, the other answers. Evaluation data, read where it lies.
import { createHash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import * as v from "valibot";
import type { NewTurn } from "../../../src/sdk/turn.ts";

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
