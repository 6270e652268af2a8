// What a user has to agree to: asked by the client itself where it can, else through the agent, which says `confirm`.
import {
  CLIENT_CAPABILITIES_META_KEY,
  type InputRequiredResult,
  inputRequired,
  inputResponse,
  type ServerContext,
} from "@modelcontextprotocol/server";
import type { Question } from "./tool.ts";

/** What the user said, or that nobody can ask but the agent. */
type Confirmation = "agreed" | "refused" | "unasked" | "agent";

/** What came of asking in this request. */
export function confirmationIn({ mcpReq }: ServerContext): Confirmation {
  // Only since each request says what its client can do is it known here: requests stand alone.
  const can: unknown = Reflect.get(mcpReq.envelope ?? {}, CLIENT_CAPABILITIES_META_KEY);
  if (typeof can !== "object" || can === null || !("elicitation" in can)) return "agent";
  const answer = inputResponse(mcpReq.inputResponses, "confirm");
  if (answer.kind !== "elicit") return "unasked";
  return answer.action === "accept" ? "agreed" : "refused";
}

/** Has the client ask its user. */
export function asking({ ask }: Question): InputRequiredResult {
  return inputRequired({
    inputRequests: {
      confirm: inputRequired.elicit({
        message: ask,
        // Nothing to fill in: the client's own way to accept is the answer.
        requestedSchema: { type: "object", properties: {} },
      }),
    },
  });
}

/** The same said to an agent, which asks. */
export function askedOfAgent({ ask }: Question): string {
  return `Nothing was changed. ${ask}\nAsk the user; if they agree, call again with confirm: true.`;
}
