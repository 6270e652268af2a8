// `memoir session context`: the conversation around a tool use as an observation strategy gets it.
import { dirname } from "node:path";
import { transcriptForms } from "../../../clients/index.ts";
import { silentLog } from "../../../home/log.ts";
import type { Environment } from "../../../home/paths.ts";
import { scrubDeep } from "../../../privacy/redact.ts";
import { createContextReader } from "../../../runtime/context/read-contexts.ts";
import { MemoirError } from "../../../sdk/errors.ts";
import type { ObservationBatch, ToolUse, ToolUseContext } from "../../../sdk/work.ts";
import { weighTokens } from "../../../text/text.ts";
import { wholeBackwards } from "../../../transcript/discover.ts";
import type { AssistantEntry } from "../../../transcript/entry.ts";
import { fileChunks, fileChunksBackwards, readEntriesBackwards } from "../../../transcript/read.ts";
import { answer } from "../../terminal/output.ts";
import type { Terminal } from "../../terminal/terminal.ts";
import { type FoundTranscript, findTranscript, type TranscriptOptions } from "./find.ts";
import { fencedValue, quoted, stamp } from "./print.ts";

/** Gives exit code 0. Throws `record_not_found` when the tool use is not there. */
export async function transcriptContext(
  which: string | undefined,
  options: TranscriptOptions<"context">,
  terminal: Terminal,
): Promise<number> {
  const found = await findTranscript(which, options, terminal);
  const { session } = found;
  const { toolUse, uuid, requestId } = await findToolUse(found, options.tool);
  const contexts = await readContexts(found, toolUse, terminal.env);
  const context = contexts.get(toolUse.id);
  if (!context) throw new MemoirError("record_not_found", `Nothing is known around ${toolUse.id}.`);
  const { id, name } = toolUse;
  const input = scrubDeep(toolUse.input).value;
  const shown = { id, name, input, uuid, requestId };
  return answer(terminal, options, { session, toolUse: shown, context }, () =>
    contextLines(shown, context),
  );
}

/** What strategies get for the tool use, by its id: limits and cleaning as in the server. */
async function readContexts(
  { session, path, client = "claude-code" }: FoundTranscript,
  toolUse: ToolUse,
  env: Environment,
): Promise<ReadonlyMap<string, ToolUseContext>> {
  const read = createContextReader({
    // The path is the user's own word.
    folders: [dirname(path)],
    form: transcriptForms(env),
    scrub: async (texts) => texts.map((text) => String(scrubDeep(text).value)),
    log: silentLog,
  });
  const batch: ObservationBatch = {
    key: "transcript",
    session: {
      id: session,
      client,
      project: { id: "", name: "", root: "" },
      transcriptPath: path,
    },
    toolUses: [toolUse],
    waiting: false,
  };
  return (await read(batch)).contexts;
}

/** The tool use, and the entry that made it, by the client's and the provider's ids. */
interface FoundToolUse extends Pick<AssistantEntry, "uuid" | "requestId"> {
  toolUse: ToolUse;
}

async function findToolUse(
  { path, parse, chunks }: FoundTranscript,
  wanted: string | undefined,
): Promise<FoundToolUse> {
  const backwards =
    chunks === fileChunks ? fileChunksBackwards(path) : wholeBackwards(chunks, path);
  for await (const entry of readEntriesBackwards(backwards, { parse })) {
    if (entry.kind !== "assistant") continue;
    for (const block of entry.blocks.toReversed())
      if (block.type === "tool_use" && (wanted === undefined || block.id === wanted))
        return {
          toolUse: {
            id: block.id,
            name: block.name,
            input: block.input,
            time: entry.time ?? 0,
            cwd: entry.cwd ?? "",
            ...(entry.isSidechain && entry.agentId && { agent: { id: entry.agentId } }),
          },
          uuid: entry.uuid,
          requestId: entry.requestId,
        };
  }
  throw new MemoirError(
    "record_not_found",
    wanted === undefined ? "The transcript has no tool use." : `There is no tool use ${wanted}.`,
    { fix: "`memoir session markdown` shows every id." },
  );
}

/** What is shown of the tool use itself. */
interface Shown extends Pick<ToolUse, "id" | "name" | "input">, Omit<FoundToolUse, "toolUse"> {}

function contextLines(
  { id, name, input, uuid, requestId }: Shown,
  context: ToolUseContext,
): string[] {
  const { usage } = context;
  const part = (title: string, text: string | undefined) =>
    text === undefined ? [] : ["", `## ${title}`, "", quoted(text)];
  const facts = [
    ["time", context.time && stamp(context.time)],
    ["folder", context.cwd],
    ["branch", context.branch],
    ["uuid", uuid],
    ["request", requestId],
    ["client", context.version],
    ["model", context.model],
    [
      "tokens",
      usage &&
        `${weighTokens(usage)} (${usage.input} input, ${usage.output} output, ${usage.cacheRead} from cache, ${usage.cacheWrite} to cache)`,
    ],
    ["partial", context.partial ? "the transcript was cut or behind" : undefined],
  ].filter(([, value]) => value !== undefined);
  return [
    `# ${name} ${id}`,
    "",
    ...facts.map(([fact, value]) => `- ${fact}: ${value}`),
    ...["", "## Input", "", fencedValue(input)],
    ...part("Asked", context.userIntent),
    ...part("Reasoning", context.reasoning),
    ...part("Said just before", context.assistantText),
    ...part("Result", context.result),
    ...context.turns.flatMap(({ role, text }) => part(`Earlier, ${role}`, text)),
  ];
}
