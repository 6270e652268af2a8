// Semantic search over the shipped path, with vectors from an endpoint that somebody names: the same questions by words alone, then by words and meaning.
import { readConversations } from "../../bench/retrieval/locomo.ts";
import { askConversations } from "./conversations.ts";
import { type Memory, openMemory } from "./memory.ts";
import { askQuestions, questionFigures } from "./questions.ts";
import type { Figure } from "./report.ts";
import type { Turns } from "./turns.ts";

/** An endpoint that speaks OpenAI's `POST …/embeddings`. */
export interface Endpoint {
  /** Up to and with the version. */
  baseURL: string;
  model: string;
}

const name = "semantic-search";
const by = ", by words and meaning";

/** Tells why an endpoint cannot be used, or undefined where it answers. */
export async function refusalOf({ baseURL, model }: Endpoint): Promise<string | undefined> {
  try {
    const response = await fetch(`${baseURL.replace(/\/+$/, "")}/embeddings`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ model, input: ["text"] }),
    });
    return response.ok ? undefined : `it answers with status ${response.status}`;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

/** Questions over recorded sessions, of a memory that has been filled. */
export async function questionsByMeaning(
  memory: Memory,
  turns: Turns,
  endpoint: Endpoint,
): Promise<Figure[]> {
  await choose(memory, endpoint);
  return questionFigures(await askQuestions(memory.search, turns), by);
}

/** LoCoMo's questions before and after; nothing where its data is missing. */
export async function conversationsByMeaning(endpoint: Endpoint): Promise<Figure[]> {
  const conversations = readConversations();
  if (!conversations) return [];
  const memory = await openMemory();
  try {
    for (const { turns } of conversations) await memory.keep(turns);
    const words = await askConversations(memory, conversations, ", by words");
    await choose(memory, endpoint);
    return [...words, ...(await askConversations(memory, conversations, by))];
  } finally {
    await memory.close();
  }
}

/** Puts the plugin in force and waits for all vectors. A question is waited for as long as the plugin allows: its time is not what is measured. */
async function choose(memory: Memory, endpoint: Endpoint): Promise<void> {
  const options = { ...endpoint, queryMs: 2_000, tokensPerDay: 1_000_000_000 };
  memory.setClock(Date.now());
  await memory.configure(
    { listeners: [name], plugins: { [name]: options } },
    "All turns have vectors.",
  );
}
