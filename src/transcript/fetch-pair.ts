// The pair of lines that fetches observations in a conversation's own form: the use of memoir's tool, and its result.
import { createHash } from "node:crypto";
import { fetchTool } from "./rewrite-index.ts";

/** What a pair tells. */
export interface FetchedRecords {
  /** Ids of the records, in the order of the text. */
  ids: readonly string[];
  /** The result that the model reads. */
  text: string;
}

/** Both lines as they are written, without line feeds. */
export interface FetchPair {
  lines: [string, string];
  /** Uuids of the two entries. */
  uuids: [string, string];
  toolUseId: string;
}

/** What both lines take over from the one that follows them. */
const envelope = [
  "isSidechain",
  "agentId",
  "timestamp",
  "userType",
  "entrypoint",
  "cwd",
  "sessionId",
  "version",
  "gitBranch",
] as const;

/**
 * Makes the pair that stands between an entry and the assistant's message after it. The same pair is made from the
 * same place and ids. `following` is that message's first entry; undefined when it is not formed like one.
 */
export function fetchPair(
  following: Readonly<Record<string, unknown>>,
  records: FetchedRecords,
): FetchPair | undefined {
  const { parentUuid, uuid, sessionId } = following;
  if (typeof parentUuid !== "string" || typeof uuid !== "string") return undefined;
  const message = (following.message ?? {}) as Record<string, unknown>;
  const seed = JSON.stringify([sessionId, uuid, records.ids]);
  const [use, result] = [uuidOf(`${seed} use`), uuidOf(`${seed} result`)];
  const blocks = fetchBlocks(`${seed} id`, fetchTool, records);
  const shared = Object.fromEntries(
    envelope.filter((key) => key in following).map((key) => [key, following[key]]),
  );
  const lines: FetchPair["lines"] = [
    JSON.stringify({
      parentUuid,
      ...shared,
      type: "assistant",
      message: {
        id: `msg_memoir_${blocks.word}`,
        type: "message",
        role: "assistant",
        model: message.model,
        content: [blocks.use],
        stop_reason: "tool_use",
        stop_sequence: null,
        usage: { input_tokens: 0, output_tokens: 0 },
      },
      uuid: use,
    }),
    JSON.stringify({
      parentUuid: use,
      ...shared,
      type: "user",
      message: {
        role: "user",
        content: [blocks.result],
      },
      uuid: result,
    }),
  ];
  return { lines, uuids: [use, result], toolUseId: blocks.use.id };
}

/**
 * The two content blocks of a fetch, by the tool of that name. The same seed gives the same id; `word` is what makes it
 * its own.
 */
export function fetchBlocks(seed: string, tool: string, { ids, text }: FetchedRecords) {
  const word = digest(seed).slice(0, 22);
  const id = `toolu_memoir_${word}`;
  return {
    word,
    use: { type: "tool_use", id, name: tool, input: { ids } },
    result: { tool_use_id: id, type: "tool_result", content: text },
  };
}

function digest(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}

/** A name-based uuid (version 8). */
function uuidOf(text: string): string {
  const hex = digest(text);
  const variant = ((Number.parseInt(hex.charAt(16), 16) & 3) | 8).toString(16);
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}
