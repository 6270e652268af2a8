// `memoir plugin dev` for a client that a plugin describes: what its recorded payloads, or a transcript of it, become.
import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import { adapterNamed, bringClients, recordedForm } from "../../../clients/index.ts";
import { SessionEvents } from "../../../clients/normal/transcript-events.ts";
import { errorMessage } from "../../../home/describe-error.ts";
import { MemoirError } from "../../../sdk/errors.ts";
import type { ClientEvent } from "../../../sdk/events.ts";
import type { AnyPlugin } from "../../../sdk/plugin.ts";
import { parseJson } from "../../../transcript/parse-entry.ts";
import { readEntries } from "../../../transcript/read.ts";
import { fit, printable } from "../../terminal/layout.ts";
import { markOf } from "../../terminal/output.ts";
import type { Terminal } from "../../terminal/terminal.ts";

/** What one payload or one line became. */
interface Outcome {
  /** Its place in the file, from 1. */
  at: number;
  event?: ClientEvent;
  /** Why it was refused. */
  refused?: string;
}

interface Recording {
  payloads?: string;
  transcript?: string;
}

/** Prints what became of the recording, for each client that the plugin describes. Gives 1 where something was refused. */
export async function tryClients(
  plugin: AnyPlugin,
  { json, ...recording }: Recording & { json?: boolean },
  terminal: Terminal,
): Promise<number> {
  const { clients = {} } = plugin;
  bringClients(clients);
  const found: Record<string, Outcome[]> = {};
  for (const name of Object.keys(clients))
    found[name] = await outcomesOf(name, recording, terminal);
  const refused = Object.values(found)
    .flat()
    .some((one) => one.refused !== undefined);
  if (json) terminal.print(JSON.stringify({ plugin: plugin.name, clients: found }));
  else
    for (const [name, outcomes] of Object.entries(found)) {
      const events = outcomes.filter(({ event }) => event);
      terminal.print(
        terminal.colors.bold(`${name}: ${events.length} of ${outcomes.length} are events`),
      );
      for (const one of printable(outcomes)) terminal.print(lineOf(one, terminal));
    }
  return refused ? 1 : 0;
}

function outcomesOf(
  name: string,
  { payloads, transcript }: Recording,
  terminal: Terminal,
): Promise<Outcome[]> {
  if (payloads !== undefined && transcript !== undefined)
    throw new MemoirError("usage", "It is either `--payloads` or `--transcript`.");
  if (payloads !== undefined) return ofPayloads(name, resolve(terminal.cwd, payloads), terminal);
  if (transcript !== undefined) return ofTranscript(name, resolve(terminal.cwd, transcript));
  throw new MemoirError("usage", "A client is tried on what it recorded.", {
    fix: "Give `--payloads <file>` (what its hooks got, one JSON object a line), or `--transcript <file>`.",
  });
}

async function ofPayloads(name: string, path: string, terminal: Terminal): Promise<Outcome[]> {
  const text = await readFile(path, "utf8").catch(() => {
    throw new MemoirError("usage", `There is no file ${path}.`);
  });
  const adapter = await adapterNamed(name);
  return payloadsIn(text).map((payload, index) => {
    const at = index + 1;
    if (payload === undefined) return { at, refused: "it is not valid JSON" };
    try {
      const event = adapter.parse(payload, { id: `dev-${at}`, time: terminal.now() });
      return { at, ...(event && { event }) };
    } catch (error) {
      return { at, refused: errorMessage(error) };
    }
  });
}

/** One in each line, or one text that is a list or an object. */
function payloadsIn(text: string): unknown[] {
  const whole = parseJson(text);
  if (whole !== undefined) return [whole].flat();
  return text
    .split("\n")
    .filter((line) => line.trim() !== "")
    .map(parseJson);
}

async function ofTranscript(name: string, path: string): Promise<Outcome[]> {
  const { of, parse, chunks } = await recordedForm(name);
  const { transcripts } = await adapterNamed(name);
  const file = /[^/\\]+$/.exec(path)?.[0] ?? "";
  const session = transcripts?.sessionOf?.(file, path) ?? file.replace(/\.\w+$/, "");
  const reader = new SessionEvents({ session, transcriptPath: path, ...(of && { of }) });
  const outcomes: Outcome[] = [];
  try {
    for await (const entry of readEntries(chunks(path, {}), { parse }))
      for (const { event, line } of reader.add(entry)) outcomes.push({ at: line, event });
  } catch (cause) {
    throw new MemoirError("transcript_unreadable", `${path} cannot be read.`, { cause });
  }
  for (const { event, line } of reader.end(true)) outcomes.push({ at: line, event });
  if (outcomes.length === 0)
    throw new MemoirError("transcript_unreadable", `${path} holds no events of ${name}.`, {
      fix: "Its lines need a time, a working directory (`cwd`, or a `start` line), and a `prompt`: see `transcripts` of its description.",
    });
  return outcomes;
}

function lineOf({ at, event, refused }: Outcome, terminal: Terminal): string {
  const { width, colors } = terminal;
  const said = event ? wordsOf(event) : (refused ?? "no event");
  const mark =
    refused === undefined
      ? event
        ? markOf("ok", terminal)
        : colors.dim("–")
      : markOf("fail", terminal);
  return `${mark} ${String(at).padStart(4)}  ${fit(said, width && width - 8)}`;
}

function wordsOf(event: ClientEvent): string {
  const { name } = event;
  if (name === "UserPromptSubmit") return `${name} ${event.prompt}`;
  if (name === "Other")
    return `${event.clientEvent}: no event of memoir's; name it in \`payload.events\``;
  if (!("toolName" in event)) return name;
  const failed = name === "PostToolUseFailure" ? ` → ${event.error}` : "";
  return `${name} ${event.toolName} ${JSON.stringify(event.toolInput)}${failed}`;
}
