// What a user has to agree to: asked by the client itself where it can, else through the agent, which says `confirm`.
import {
  acceptedContent,
  CLIENT_CAPABILITIES_META_KEY,
  type InputRequiredResult,
  inputRequired,
  type ServerContext,
} from "@modelcontextprotocol/server";
import type { Question } from "./tool.ts";

/** What the user said, or that nobody can ask but the agent. */
export type Confirmation = "agreed" | "refused" | "unasked" | "agent";

/** What came of asking in this request. */
export function confirmationIn({ mcpReq }: ServerContext): Confirmation {
  // Only since each request says what its client can do is it known here: requests stand alone.
  const can: unknown = Reflect.get(mcpReq.envelope ?? {}, CLIENT_CAPABILITIES_META_KEY);
  if (typeof can !== "object" || can === null || !("elicitation" in can)) return "agent";
  const { inputResponses } = mcpReq;
  if (inputResponses?.confirm === undefined) return "unasked";
  return acceptedContent(inputResponses, "confirm")?.agree === true ? "agreed" : "refused";
}

/** Has the client ask its user. */
export function asking({ ask }: Question): InputRequiredResult {
  return inputRequired({
    inputRequests: {
      confirm: inputRequired.elicit({
        message: ask,
        requestedSchema: {
          type: "object",
          properties: { agree: { type: "boolean", title: "Do it" } },
          required: ["agree"],
        },
      }),
    },
  });
}

/** The same said to an agent, which asks. */
export function askedOfAgent({ ask }: Question): string {
  return `Nothing was changed. ${ask}\nAsk the user; if they agree, call again with confirm: true.`;
}
