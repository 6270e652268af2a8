// `memoir session examples`: what was asked and what was thought about it, side by side.
import { stripContext } from "../../../privacy/marker.ts";
import { scrubDeep } from "../../../privacy/redact.ts";
import { cut } from "../../../text/text.ts";
import type { SessionFiles } from "../../../transcript/discover.ts";
import { personText } from "../../../transcript/parse-entry.ts";
import { readEntries } from "../../../transcript/read.ts";
import { answer } from "../../terminal/agree.ts";
import type { Terminal } from "../../terminal/terminal.ts";
import { findTranscripts, type Lines, linesOf, type TranscriptOptions } from "./find.ts";
import { quoted, stamp } from "./markdown-text.ts";

/** One request with the reasoning that followed and the first tool it led to. */
export interface Example {
  session: string;
  /** Epoch ms. */
  time?: number;
  request: string;
  reasoning: string;
  tool: string;
}

const leastRequest = 20;
const leastReasoning = 80;
const longest = 1_500;

/** Prints the first ones that are rich enough. Gives exit code 0, 1 when there are none. */
export async function transcriptExamples(
  which: string | undefined,
  options: TranscriptOptions<"examples">,
  terminal: Terminal,
): Promise<number> {
  const found: Example[] = [];
  for await (const example of examplesOf(await findTranscripts(which, options, terminal))) {
    found.push(example);
    if (found.length === options.limit) break;
  }
  const lines = () =>
    found.map(
      ({ session, time, request, reasoning, tool }) =>
        `## ${stamp(time)} · ${session}\n\n${quoted(request)}\n\n${reasoning}\n\n→ ${tool}\n`,
    );
  const none = () => ["No request with reasoning after it."];
  const isFound = found.length > 0;
  return answer(terminal, options, { examples: found }, isFound ? lines : none, isFound ? 0 : 1);
}

async function* examplesOf(sessions: readonly SessionFiles[]): AsyncGenerator<Example> {
  for (const files of sessions)
    if (files.main) yield* examplesIn(files.session, files.main.path, await linesOf(files));
}

async function* examplesIn(
  session: string,
  path: string,
  { parse, chunks }: Lines,
): AsyncGenerator<Example> {
  let asked: { text: string; time: number | undefined } | undefined;
  let thought = "";
  for await (const entry of readEntries(chunks(path), { parse })) {
    if (entry.kind === "broken" || entry.isSidechain) continue;
    const person = personText(entry, stripContext);
    if (person?.kind === "said") {
      asked = { text: person.text, time: entry.time };
      thought = "";
    }
    if (entry.kind !== "assistant" || !asked) continue;
    for (const block of entry.blocks) {
      if (block.type === "thinking") thought += `${block.thinking}\n`;
      if (block.type === "text" && thought.length < leastReasoning) thought += `${block.text}\n`;
      if (block.type !== "tool_use") continue;
      const { text, time } = asked;
      asked = undefined;
      if (text.length >= leastRequest && thought.trim().length >= leastReasoning)
        yield {
          session,
          ...(time !== undefined && { time }),
          request: clean(text),
          reasoning: clean(thought),
          tool: block.name,
        };
      break;
    }
  }
}

function clean(text: string): string {
  return cut(String(scrubDeep(text).value).trim(), longest);
}
