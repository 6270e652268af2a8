// Reads recorded sessions as what each agent had in its context, step by step: the ground that Endless Mode is measured on.
import { readFile } from "node:fs/promises";
import { basename, join, relative, sep } from "node:path";
import { type Compaction, compactionIn } from "../../src/runtime/endless/gain.ts";
import { discoverTranscripts } from "../../src/transcript/discover.ts";
import type { ContentBlock, EntryUsage, TranscriptEntry } from "../../src/transcript/entry.ts";
import { textOfContent } from "../../src/transcript/parse-entry.ts";
import { readEntries } from "../../src/transcript/read.ts";
import { createChains } from "./chain.ts";

/** A tool use, as it entered the context. */
export interface UseStep {
  kind: "use";
  id: string;
  tool: string;
  input: Readonly<Record<string, unknown>>;
  /** The input as JSON: what it weighs. */
  text: string;
  /** The request that it answered: an index into `Thread.requests`. */
  request: number;
}

/** A tool's result, as the model saw it. */
export interface ResultStep {
  kind: "result";
  id: string;
  text: string;
  isError: boolean;
  /** The tool's own shape, as a hook would be given it; undefined where the transcript has only text. */
  structured: unknown;
}

/** What passes through a context, in order. */
export type Step =
  | UseStep
  | ResultStep
  | { kind: "user"; text: string }
  | { kind: "said"; text: string; request: number }
  | { kind: "compacted" };

/** A request to the model. */
export interface RequestTold {
  /** Epoch ms of the first line of its answer. */
  time: number;
  /** As the API reported it; undefined where nothing was written down. */
  usage: EntryUsage | undefined;
  model: string;
  /** The context was compacted before it. */
  compacted: Compaction | undefined;
}

/** One agent's conversation. */
export interface Thread {
  /** First-level folder, file and, in a file of several agents, the agent. */
  name: string;
  session: string;
  agent: string | undefined;
  /** Sessions are split in two by a hash of their file's name: policies are tuned on half 0. */
  half: 0 | 1;
  steps: Step[];
  requests: RequestTold[];
}

/** All threads below a folder, by name. */
export async function readThreads(root: string): Promise<Thread[]> {
  const { sessions } = await discoverTranscripts(root);
  const threads: Thread[] = [];
  for (const { main, agents, session } of sessions)
    for (const file of [...(main ? [{ ...main, agentId: undefined }] : []), ...agents]) {
      const entries: TranscriptEntry[] = [];
      for await (const entry of readEntries([await readFile(file.path)]))
        if (entry.kind !== "broken") entries.push(entry);
      const name = relative(root, file.path).split(sep).join("/");
      threads.push(...threadsIn(entries, name, session, file.agentId));
    }
  return threads.sort((one, other) => (one.name < other.name ? -1 : 1));
}

/** The threads of one file's entries. `agent`: whose file it is, none for the session's own. */
export function threadsIn(
  entries: readonly TranscriptEntry[],
  name: string,
  session: string,
  agent?: string,
): Thread[] {
  const half = hashOf(session) % 2 === 0 ? 0 : 1;
  const made: Thread[] = [];
  for (const [who, mine] of byAgent(entries, agent)) {
    const thread: Thread = {
      name: who === agent ? name : `${name}#${who}`,
      session,
      agent: who,
      half,
      steps: [],
      requests: [],
    };
    let compacted: Compaction | undefined;
    for (const stretch of stretches(mine)) compacted = addSteps(thread, stretch, compacted);
    if (thread.steps.some(({ kind }) => kind === "use")) made.push(thread);
  }
  return made;
}

/** Older clients write their subagents' lines into the session's own file. */
function byAgent(
  entries: readonly TranscriptEntry[],
  agent: string | undefined,
): Map<string | undefined, TranscriptEntry[]> {
  const groups = new Map<string | undefined, TranscriptEntry[]>();
  const roots = new Map<string, string>();
  for (const entry of entries) {
    const { uuid, parentUuid } = entry;
    const root = (parentUuid && roots.get(parentUuid)) || uuid || "";
    if (uuid !== undefined) roots.set(uuid, root);
    const who =
      agent ?? (entry.isSidechain ? (entry.agentId ?? `sidechain ${root.slice(0, 8)}`) : undefined);
    const group = groups.get(who) ?? [];
    group.push(entry);
    groups.set(who, group);
  }
  return groups;
}

/** Cut where the context was compacted; of each stretch only the chain that its last message ends, and the results of its tool uses. */
function* stretches(entries: readonly TranscriptEntry[]): Generator<TranscriptEntry[]> {
  let open: TranscriptEntry[] = [];
  for (const entry of entries) {
    if (isCompaction(entry) && open.length > 0) {
      yield chained(open);
      open = [];
    }
    open.push(entry);
  }
  if (open.length > 0) yield chained(open);
}

const isCompaction = (entry: TranscriptEntry): boolean =>
  (entry.kind === "system" && entry.subtype === "compact_boundary") ||
  (entry.kind === "user" && entry.isCompactSummary);

function chained(entries: readonly TranscriptEntry[]): TranscriptEntry[] {
  const chains = createChains();
  let last: string | undefined;
  for (const entry of entries) {
    chains.add(entry);
    if (entry.kind === "user" || entry.kind === "assistant") last = entry.uuid ?? last;
  }
  if (last === undefined) return [...entries];
  const chain = new Set(chains.back(last));
  // Of a message with several tool uses the client chains one result only; the others hang off beside.
  const messages = new Set<string>();
  for (const entry of entries)
    if (entry.kind === "assistant" && entry.messageId && entry.uuid && chain.has(entry.uuid))
      messages.add(entry.messageId);
  const uses = new Set<string>();
  return entries.filter((entry) => {
    if (entry.kind === "assistant") {
      if (!isIn(entry.uuid, chain) && !isIn(entry.messageId, messages)) return false;
      for (const block of entry.blocks) if (block.type === "tool_use") uses.add(block.id);
      return true;
    }
    if (entry.kind !== "user") return isCompaction(entry);
    return (
      isIn(entry.uuid, chain) ||
      entry.blocks.some((block) => block.type === "tool_result" && uses.has(block.toolUseId))
    );
  });
}

const isIn = (id: string | undefined, ids: ReadonlySet<string>): boolean =>
  id === undefined || ids.has(id);

/** Gives the compaction that no request follows yet, as it is given one. */
function addSteps(
  thread: Thread,
  entries: readonly TranscriptEntry[],
  before: Compaction | undefined,
): Compaction | undefined {
  let message: string | undefined;
  let compacted = before;
  for (const entry of entries) {
    if (isCompaction(entry)) thread.steps.push({ kind: "compacted" });
    compacted = compactionIn(entry) ?? compacted;
    if (entry.kind === "assistant") {
      if (thread.requests.length === 0 || entry.messageId !== message) {
        const { time = 0, model = "" } = entry;
        thread.requests.push({ time, usage: undefined, model, compacted });
        compacted = undefined;
      }
      message = entry.messageId;
      const request = thread.requests.length - 1;
      const told = thread.requests[request];
      if (told && entry.usage) told.usage = entry.usage;
      for (const block of entry.blocks) addAnswer(thread, block, request);
    } else if (entry.kind === "user") {
      const results = entry.blocks.filter(({ type }) => type === "tool_result");
      for (const block of entry.blocks)
        if (block.type === "text") thread.steps.push({ kind: "user", text: block.text });
        else if (block.type === "tool_result")
          thread.steps.push({
            kind: "result",
            id: block.toolUseId,
            text: textOfContent(block.content),
            isError: block.isError,
            structured: results.length === 1 ? (entry.raw.toolUseResult ?? undefined) : undefined,
          });
    }
  }
  return compacted;
}

function addAnswer({ steps }: Thread, block: ContentBlock, request: number): void {
  if (block.type === "text") steps.push({ kind: "said", text: block.text, request });
  if (block.type !== "tool_use") return;
  const input =
    typeof block.input === "object" && block.input !== null && !Array.isArray(block.input)
      ? (block.input as Record<string, unknown>)
      : {};
  if (steps.some((step) => step.kind === "use" && step.id === block.id)) return;
  steps.push({
    kind: "use",
    id: block.id,
    tool: block.name,
    input,
    text: JSON.stringify(input),
    request,
  });
}

function hashOf(text: string): number {
  let hash = 2166136261;
  for (const letter of basename(text)) hash = Math.imul(hash ^ letter.charCodeAt(0), 16777619);
  return (hash ^ (hash >>> 15)) >>> 0;
}

/** Where the recorded transcripts lie beside the checkout. */
export const recordedRoot = join(import.meta.dirname, "../../../shared/data/transcripts");
