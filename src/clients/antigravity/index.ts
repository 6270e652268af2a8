// The Antigravity CLI adapter: two events without names, and everything else in its transcript.
import { isRecord } from "../../text/values.ts";
import type { ClientAdapter } from "../adapter.ts";
import { fitContext } from "../normal/answer.ts";
import { parsePayload } from "../normal/parse.ts";
import { antigravityRegistration } from "./registration.ts";
import { antigravityTranscripts } from "./transcripts.ts";

export const antigravityAdapter: ClientAdapter = {
  name: "antigravity",
  parse(payload, delivery) {
    const normal = normalPayload(payload);
    return normal === undefined ? undefined : parsePayload("antigravity", normal, delivery);
  },
  // Its hooks tell of no result.
  original: () => undefined,
  // It wants an object always, and drops one with a field that it does not know.
  render(event, { context = "" }) {
    const given = event.name === "SessionStart" ? fitContext(context) : "";
    return given === "" ? {} : { injectSteps: [{ ephemeralMessage: given }] };
  },
  registration: antigravityRegistration,
  transcripts: antigravityTranscripts,
};

/** As Claude Code would have written it; undefined for calls of the model within a turn, and where work goes on behind. */
function normalPayload(payload: unknown): unknown {
  if (!isRecord(payload)) return payload;
  const { conversationId, transcriptPath, workspacePaths, invocationNum, ...rest } = payload;
  const [cwd] = Array.isArray(workspacePaths) ? (workspacePaths as unknown[]) : [];
  const shared = { session_id: conversationId, transcript_path: transcriptPath, cwd };
  if (invocationNum !== undefined) {
    if (invocationNum !== 0) return undefined;
    return { ...shared, hook_event_name: "SessionStart", source: "startup", model: rest.modelName };
  }
  // What is told of a tool says neither what came of it nor, at times, which it was.
  if ("stepIdx" in rest || rest.fullyIdle === false) return undefined;
  return { ...shared, hook_event_name: "Stop" };
}
