// LoCoMo's questions asked of a memory as it is configured; half of them are set aside. Beside plain full text stands `bun run bench retrieval`.
import {
  ask,
  type Conversation,
  type LocomoQuestion,
  measures,
} from "../../bench/retrieval/locomo.ts";
import type { Memory } from "./memory.ts";
import { type Figure, figure } from "./report.ts";

/** A question and its measures. */
interface Asked {
  question: LocomoQuestion;
  got: Readonly<Record<string, number>>;
}

/** Asks all questions of conversations whose turns the memory keeps. */
export async function askConversations(
  memory: Memory,
  conversations: readonly Conversation[],
  by: string,
): Promise<Figure[]> {
  const asked: Asked[] = [];
  const store = { search: memory.find };
  for (const conversation of conversations) {
    memory.setClock(conversation.askedAt);
    for (const question of conversation.questions) {
      const answered = await ask(store, conversation, question.text);
      const got = Object.entries(measures).map(([name, of]) => [name, of(answered, question)]);
      asked.push({ question, got: Object.fromEntries(got) });
    }
  }
  return Object.keys(measures).map((name) =>
    figure(
      `conversations${by}`,
      name,
      asked,
      ({ question }) => question.aside,
      (of) => of.reduce((sum, { got }) => sum + (got[name] ?? 0), 0) / Math.max(1, of.length),
    ),
  );
}
