// What is put in about cleared inputs: a fetch by memoir's tool before the assistant's message, or a text in the user's. Pure.

import type { Observation } from "../../src/sdk/index.ts";
import { fetchBlocks } from "../../src/transcript/index.ts";
import type { Injection } from "./apply.ts";
import { blocksOf, isToolResult, lastAssistant, type Message } from "./messages.ts";

/** Where the next injection goes. */
interface Place {
  index: number;
  place: Injection["place"];
}

/**
 * A pair stands in front of the assistant's last message, where the request offers memoir's tool; else a text is added
 * to the message that the model is to answer. With thinking on, what the assistant says after a prompt has to begin with
 * thinking, so there a pair only follows tool results.
 */
export function placeFor(
  messages: readonly Message[],
  body: Readonly<Record<string, unknown>>,
  fetchTool: string | undefined,
  isNew: (index: number) => boolean,
): Place | undefined {
  const assistant = lastAssistant(messages);
  const thinks = ((body.thinking ?? {}) as { type?: unknown }).type;
  const mayThink = thinks !== undefined && thinks !== "disabled";
  const before = blocksOf(messages[assistant - 1]);
  const afterResults = before.length > 0 && before.every(isToolResult);
  if (fetchTool !== undefined && assistant > 0 && isNew(assistant) && (!mayThink || afterResults))
    return { index: assistant, place: "before" };
  // Behind the user's message there may be notes of the client's.
  const user = messages.findLastIndex(({ role }) => role === "user");
  return assistant >= 0 && user > assistant && isNew(user)
    ? { index: user, place: "inside" }
    : undefined;
}

/** What is put in, as JSON. The same from the same place and records. */
export function injectionFor(
  place: Place["place"],
  hash: string,
  observations: readonly Observation[],
  text: string,
  fetchTool: string | undefined,
): Injection {
  const ids = observations.map(({ id }) => id);
  if (place === "inside" || fetchTool === undefined)
    return {
      hash,
      place: "inside",
      json: JSON.stringify([{ type: "text", text }]),
      observations: ids,
    };
  const { use, result } = fetchBlocks(JSON.stringify([hash, ids]), fetchTool, { ids, text });
  const pair = [
    { role: "assistant", content: [use] },
    { role: "user", content: [result] },
  ];
  return { hash, place, json: JSON.stringify(pair), observations: ids };
}
