// Google's generateContent in the scripted model: what Gemini CLI asks and is answered, in the words of Chat Completions.
import type { ChatRequest, ChatTurn } from "./chat-api.ts";

interface Part {
  text?: string;
  functionResponse?: { response?: unknown };
}
export interface GeminiBody {
  contents?: Array<{ role?: string; parts?: Part[] }>;
  tools?: Array<{ functionDeclarations?: Array<{ name?: string }> }>;
}

/** The conversation as messages; the result of a tool is one of the role `tool`. */
export function contentsOf({ contents = [] }: GeminiBody): ChatRequest["messages"] {
  return contents.flatMap(({ role = "user", parts = [] }) =>
    parts.map(({ text, functionResponse }) =>
      functionResponse
        ? { role: "tool", content: functionResponse.response }
        : { role: role === "model" ? "assistant" : role, content: text },
    ),
  );
}

export function declaredIn({ tools = [] }: GeminiBody): string[] {
  return tools.flatMap(({ functionDeclarations = [] }) =>
    functionDeclarations.map(({ name }) => name ?? ""),
  );
}

/** What it asks beside the conversation wants JSON: which model is to answer, and who speaks next. */
const aside = JSON.stringify({
  ...{ reasoning: "scripted", model_choice: "flash", next_speaker: "user" },
  ...{ complexity_reasoning: "scripted", complexity_score: 10 },
});

/** One turn, whole or as a stream of one event. `id` makes a new number for each call. */
export function geminiAnswer(
  turn: ChatTurn | undefined,
  isStream: boolean,
  id: () => number,
): Response {
  const parts = (turn ?? [aside]).map((part) =>
    typeof part === "string"
      ? { text: part }
      : {
          functionCall: {
            id: `call_${String(id()).padStart(8, "0")}`,
            ...{ name: part.tool, args: part.input },
          },
        },
  );
  const answer = {
    candidates: [{ content: { role: "model", parts }, finishReason: "STOP", index: 0 }],
    usageMetadata: { promptTokenCount: 100, candidatesTokenCount: 10, totalTokenCount: 110 },
    responseId: `answer_${id()}`,
  };
  if (!isStream) return Response.json(answer);
  const headers = { "content-type": "text/event-stream" };
  return new Response(`data: ${JSON.stringify(answer)}\n\n`, { headers });
}
