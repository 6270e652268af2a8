// What an agent does to have back what was taken out: it asks memoir for it, or looks at the same thing again. A person at a terminal counts for nothing.

import type { KeepRequest, ToolPart } from "../../sdk/endless.ts";
import type { PostToolUseEvent } from "../../sdk/events.ts";
import { isOwnTool } from "../../sdk/tool-names.ts";
import { dropOldest, isRecord } from "../../text/text.ts";

/** What was taken out, by whom, and of which kind. */
export interface TakenOut {
  strategy: string;
  kind: string;
  session: string;
  project?: string | undefined;
  tool: string;
  part: ToolPart;
}

/** An agent looked at it again. */
interface SecondLook {
  taken: TakenOut;
  /** Of what came back. */
  characters: number;
}

/** A request of memoir, whose ids are to be looked up. */
interface AskedBack {
  /** Whole, or their beginnings. */
  ids: string[];
  characters: number;
}

interface Known extends TakenOut {
  toolUseId: string;
  agent: string;
  subject: string;
  /** The call, whole: the very same call again is no second look but a new one. */
  call: string;
  /** Lines that were left out. */
  gone: ReadonlySet<string>;
  /** How many tool uses of the session came before. */
  at: number;
}

/** A look so many tool uses later has other reasons. */
const soon = 20;
const mostSessions = 200;
const mostDelivered = 1_000;
const mostLines = 4_000;
/** Shorter lines stand everywhere. */
const leastLine = 8;

/** Bounded; what a restart forgets costs only the count. */
export function createSecondLooks() {
  const sessions = new Map<string, { uses: number; known: Known[] }>();
  const delivered = new Set<string>();

  function of(session: string) {
    const found = sessions.get(session) ?? { uses: 0, known: [] };
    sessions.delete(session);
    sessions.set(session, found);
    dropOldest(sessions, mostSessions);
    return found;
  }

  return {
    /** Something was taken out. `input` is what the tool was called with. */
    took(taken: TakenOut, request: KeepRequest, input: unknown): void {
      const { toolUseId, agent = "", before, after, part, value } = request;
      const subject = subjectOf(taken.tool, input);
      if (subject === undefined) return;
      const own = of(taken.session);
      const kept = new Set(linesOf(after));
      const whole = part === "input" ? stringsIn(value).join("\n") : before;
      const gone = new Set(linesOf(whole).filter((line) => !kept.has(line)));
      const call = JSON.stringify(input);
      own.known.push({ ...taken, toolUseId, agent, subject, call, gone, at: own.uses });
    },
    /** A tool use ended; gives what it was a second look at. */
    heard(event: PostToolUseEvent): SecondLook[] {
      const own = of(event.session);
      own.uses++;
      own.known = own.known.filter(({ at }) => own.uses - at <= soon);
      const subject = subjectOf(event.toolName, event.toolInput);
      if (subject === undefined) return [];
      const call = JSON.stringify(event.toolInput);
      const alike = own.known.filter(
        (one) =>
          one.toolUseId !== event.toolUseId &&
          one.agent === (event.agent?.id ?? "") &&
          one.subject === subject &&
          // A file is read again by the same call; a command that is run again runs anew.
          (event.toolName === "Read" || one.call !== call),
      );
      if (alike.length === 0) return [];
      const text = stringsIn(event.toolResponse).join("\n");
      const lines = linesOf(text);
      const missed = alike.filter(({ gone }) => lines.some((line) => gone.has(line)));
      own.known = own.known.filter((one) => !missed.includes(one));
      return missed.map((taken) => ({ taken, characters: text.length }));
    },
    /** What the tool use asks memoir to give back; undefined where it asks nothing, or was delivered before. */
    asked(event: PostToolUseEvent): AskedBack | undefined {
      const back = askedBack(event);
      const place = `${event.session} ${event.toolUseId}`;
      if (!back || delivered.has(place)) return undefined;
      delivered.add(place);
      dropOldest(delivered, mostDelivered);
      return back;
    },
    /** A strategy says itself that this was looked at again; undefined where that is known, or nothing is known of it. */
    noted(session: string, toolUseId: string): TakenOut | undefined {
      const own = sessions.get(session);
      const found = own?.known.find((one) => one.toolUseId === toolUseId);
      if (own && found) own.known = own.known.filter((one) => one !== found);
      return found;
    },
  };
}

const asking = /(?:^|[\s;&|("'/\\])memoir(?:\.exe)?["']?\s+recall\s+["']?(\w[\w.:-]*)/g;

function askedBack({ toolName, toolInput, toolResponse }: PostToolUseEvent): AskedBack | undefined {
  if (!isRecord(toolInput)) return undefined;
  const ids = isOwnTool(toolName)
    ? [toolInput.id].filter((id) => typeof id === "string" && toolName.endsWith("recall"))
    : [...String(toolInput.command ?? "").matchAll(asking)].map(([, id]) => id);
  const named = [...new Set(ids.filter((id) => typeof id === "string"))];
  if (named.length === 0) return undefined;
  const characters = stringsIn(toolResponse).reduce((sum, { length }) => sum + length, 0);
  return { ids: named, characters: Math.round(characters / named.length) };
}

/** What a call is about: two calls about the same may show the same. */
function subjectOf(tool: string, input: unknown): string | undefined {
  if (!isRecord(input)) return undefined;
  const { file_path: file, command, pattern, url } = input;
  if (typeof file === "string") return `file ${file}`;
  if (tool === "Bash" && typeof command === "string") return `command ${unfiltered(command)}`;
  const named = pattern ?? url;
  return typeof named === "string" ? `${tool} ${named}` : undefined;
}

/** A command without the filters behind it: `make test 2>&1 | tail -50` is `make test`. */
export function unfiltered(command: string): string {
  let quote = "";
  let end = command.length;
  for (let at = 0; at < command.length; at++) {
    const sign = command[at] ?? "";
    if (quote !== "") {
      if (sign === quote) quote = "";
    } else if (sign === '"' || sign === "'") quote = sign;
    else if (sign === "|" && command[at + 1] !== "|" && command[at - 1] !== "|") {
      end = at;
      break;
    }
  }
  return command
    .slice(0, end)
    .replace(/\d?>&\d/g, " ")
    .replace(/\s+/g, " ")
    .trim();
}

/** Without the numbers that a reader puts before them. */
function linesOf(text: string): string[] {
  return text
    .split("\n", mostLines)
    .map((line) => line.replace(/^ *\d+(?:→|\t)/, "").trim())
    .filter(({ length }) => length >= leastLine);
}

function stringsIn(value: unknown): string[] {
  if (typeof value === "string") return [value];
  if (typeof value !== "object" || value === null) return [];
  return Object.values(value).flatMap(stringsIn);
}
