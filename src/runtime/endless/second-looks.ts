// What an agent does to have back what was taken out: it asks memoir for it, or looks at the same thing again. A person at a terminal counts for nothing.

import type { KeepRequest, ToolPart } from "../../sdk/endless.ts";
import type { ClientEvent, PostToolUseEvent } from "../../sdk/events.ts";
import { isOwnTool } from "../../sdk/tool-names.ts";
import { dropOldest, isRecord } from "../../text/text.ts";

/** What was taken out, by whom, and of which kind. */
export interface TakenOut {
  strategy: string;
  kind: string;
  session: string;
  project?: string | undefined;
  /** The subagent that it was taken from; absent or "" for the session's own agent. */
  agent?: string | undefined;
  tool: string;
  part: ToolPart;
}

/** An agent looked at it again. */
interface SecondLook {
  taken: TakenOut;
  /** Of what came back. */
  characters: number;
}

/** After a second look, an agent used what it could not have had without it. */
export interface Miss extends SecondLook {
  toolUseId: string;
  /** The line or word. */
  used: string;
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
  /** What was left in its place. */
  after: string;
  /** Lines that were left out. */
  gone: ReadonlySet<string>;
  /** How many tool uses of the session came before it, and before the last look at it. */
  at: number;
  lastAt: number;
  /** What second looks showed of what is gone. */
  back?: { lines: Set<string>; characters: number };
}

/** Something that an agent had in its context. */
interface Shown {
  agent: string;
  text: string;
  at: number;
  toolUseId: string | undefined;
  subject: string | undefined;
}

interface SessionLooks {
  uses: number;
  known: Known[];
  /** The newest last, and how much it is together. */
  shown: Shown[];
  characters: number;
}

/** A look so many tool uses later has other reasons, and so has a use so many later than the look. */
const soon = 20;
const mostSessions = 64;
const mostDelivered = 1_000;
const mostLines = 4_000;
/** Shorter lines stand everywhere. */
const leastLine = 8;
/** Characters of what an agent was shown: of one text, and of a session. What is forgotten counts as not had. */
const mostOfText = 60_000;
const mostShown = 400_000;

/** Bounded; what a restart forgets costs only the count. */
export function createSecondLooks() {
  const sessions = new Map<string, SessionLooks>();
  const delivered = new Set<string>();

  function of(session: string): SessionLooks {
    const found = sessions.get(session) ?? { uses: 0, known: [], shown: [], characters: 0 };
    sessions.delete(session);
    sessions.set(session, found);
    dropOldest(sessions, mostSessions);
    return found;
  }

  return {
    /** Something was taken out. `input` is what the tool was called with. */
    took(taken: TakenOut, request: KeepRequest, input: unknown): void {
      const { toolUseId, agent = "", before, after, part, value } = request;
      const own = of(taken.session);
      for (const one of own.shown)
        if (one.toolUseId === toolUseId) {
          own.characters += after.length - one.text.length;
          one.text = after;
        }
      const subject = subjectOf(taken.tool, input);
      if (subject === undefined) return;
      const kept = new Set(linesOf(after));
      const whole = part === "input" ? stringsIn(value).join("\n") : before;
      const gone = new Set(linesOf(whole).filter((line) => !kept.has(line)));
      const call = JSON.stringify(input);
      const at = own.uses;
      const known = { toolUseId, agent, subject, call, after, gone, at, lastAt: at };
      own.known.push({ ...taken, ...known });
    },
    /** What an event shows to be a second look, and which earlier ones brought something that it uses. */
    heard(event: ClientEvent): { looks: SecondLook[]; misses: Miss[] } {
      const own = of(event.session);
      if (event.name === "PostCompact") forgetShown(own);
      if (event.name === "PostToolUse") {
        own.uses++;
        own.known = own.known.filter(({ lastAt }) => own.uses - lastAt <= soon);
      }
      const misses = missesIn(own, event);
      const looks = event.name === "PostToolUse" ? looksIn(own, event) : [];
      addShown(own, event);
      return { looks, misses };
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
    noted(session: string, toolUseId: string, characters: number): TakenOut | undefined {
      const own = sessions.get(session);
      const found = own?.known.find((one) => one.toolUseId === toolUseId && !one.back);
      if (own && found) addBack(found, found.gone, characters, own.uses);
      return found;
    },
    /** It was asked for: no use of it is waited for. */
    forget(session: string, toolUseId: string): void {
      const own = sessions.get(session);
      if (own) own.known = own.known.filter((one) => one.toolUseId !== toolUseId);
    },
  };
}

/** A compaction leaves only a summary in the context. */
function forgetShown(own: SessionLooks): void {
  own.shown = [];
  own.characters = 0;
}

function addBack(known: Known, lines: Iterable<string>, characters: number, at: number): void {
  known.back ??= { lines: new Set(), characters };
  for (const line of lines) known.back.lines.add(line);
  known.lastAt = at;
}

/** Gives what was not looked at again before. */
function looksIn(own: SessionLooks, event: PostToolUseEvent): SecondLook[] {
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
  const looks: SecondLook[] = [];
  for (const taken of alike) {
    const back = lines.filter((line) => taken.gone.has(line));
    if (back.length === 0) continue;
    if (!taken.back) looks.push({ taken, characters: text.length });
    addBack(taken, back, text.length, own.uses);
  }
  return looks;
}

/** Reading again before an edit is a habit: only a use of what nothing else showed is a miss. */
function missesIn(own: SessionLooks, event: ClientEvent): Miss[] {
  const agent = event.agent?.id ?? "";
  const waiting = own.known.filter((one) => one.back && one.agent === agent);
  const used = waiting.length === 0 ? undefined : usedIn(event);
  if (!used) return [];
  const misses: Miss[] = [];
  for (const taken of waiting) {
    const { lines, characters } = taken.back ?? { lines: [], characters: 0 };
    const text = [...lines].join("\n");
    const others = own.shown.filter(
      (one) => one.agent === agent && (one.subject !== taken.subject || one.at <= taken.at),
    );
    const isSole = (needle: string) =>
      !taken.after.includes(needle) && !others.some((one) => one.text.includes(needle));
    const isWord = createWordTest(text);
    const sole =
      used.lines.find((line) => text.includes(line) && isSole(line)) ??
      used.words.find((word) => isWord(word) && isSole(word));
    if (sole === undefined) continue;
    misses.push({ taken, characters, toolUseId: taken.toolUseId, used: sole });
  }
  own.known = own.known.filter((one) => !misses.some(({ taken }) => taken === one));
  return misses;
}

/** Whether a text has a word as such; it is taken apart only where that may be. */
function createWordTest(text: string): (word: string) => boolean {
  let words: Set<string> | undefined;
  return (word) => {
    if (!text.includes(word)) return false;
    words ??= new Set(wordsOf(text).map((one) => one.text));
    return words.has(word);
  };
}

/** The lines that an edit replaces; the paths and specific words of any input and answer. */
function usedIn(event: ClientEvent): { lines: string[]; words: string[] } | undefined {
  const { name } = event;
  if (name === "Stop" || name === "SubagentStop")
    return { lines: [], words: wordsOf(event.lastAssistantMessage ?? "").map(({ text }) => text) };
  if (name !== "PostToolUse") return undefined;
  const input = stringsIn(event.toolInput).join("\n");
  return {
    lines: replacedBy(event.toolName, event.toolInput).flatMap(linesOf),
    words: wordsOf(input).map(({ text }) => text),
  };
}

/** Of what was taken out, what stands in its place. */
function addShown(own: SessionLooks, event: ClientEvent): void {
  const text = shownBy(own, event);
  if (text === undefined) return;
  const agent = event.agent?.id ?? "";
  const { toolUseId, subject } =
    event.name === "PostToolUse"
      ? { toolUseId: event.toolUseId, subject: subjectOf(event.toolName, event.toolInput) }
      : {};
  own.shown.push({ agent, text, at: own.uses, toolUseId, subject });
  own.characters += text.length;
  while (own.characters > mostShown) own.characters -= own.shown.shift()?.text.length ?? 0;
}

function shownBy({ known }: SessionLooks, event: ClientEvent): string | undefined {
  if (event.name === "UserPromptSubmit") return event.prompt.slice(0, mostOfText);
  if (event.name !== "PostToolUse") return undefined;
  const taken = known.find(({ toolUseId }) => toolUseId === event.toolUseId);
  // What a client says of an edit holds the file, which the model does not see.
  const response = isEdit(event.toolName) ? "" : stringsIn(event.toolResponse).join("\n");
  const input = stringsIn(event.toolInput).join("\n");
  return [
    taken?.part === "input" ? taken.after : input.slice(0, mostOfText),
    taken?.part === "output" ? taken.after : response.slice(0, mostOfText),
  ].join("\n");
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

// What an agent takes from its context when it acts: the lines that an edit replaces, the paths and identifiers that it names.

// Only where a word begins: else a long run of letters is looked at once for each letter.
const pathForm = /(?<![\w.@~:+-])[\w.@~:+-]*(?:\/[\w.@~+-]+)+/g;
const identifierForm = /[A-Za-z0-9_$]{8,}/g;

/** Inner capital, underscore or digit, and a letter: specific enough to have been read somewhere. */
function isSpecific(word: string): boolean {
  return (
    /[A-Za-z]/.test(word) && /[a-z][A-Z]|[A-Za-z]\d|\d[A-Za-z]|[A-Za-z\d]_[A-Za-z\d]/.test(word)
  );
}

/** `and/or` is no path: a path is rooted, deep, or has a name with an ending or an underscore. */
function isPath(text: string): boolean {
  return (
    text.length >= 6 &&
    (text.startsWith("/") || text.split("/").length > 2 || /\/.*[._]\w/.test(text))
  );
}

/** Every path (with a slash) and specific identifier in a text. */
export function wordsOf(text: string): Array<{ kind: "path" | "identifier"; text: string }> {
  const words: ReturnType<typeof wordsOf> = [];
  for (const [word] of text.matchAll(identifierForm))
    if (isSpecific(word)) words.push({ kind: "identifier", text: word });
  for (const [found] of text.matchAll(pathForm)) {
    const path = found.replace(/[.:-]+$/, "");
    if (isPath(path)) words.push({ kind: "path", text: path });
  }
  return words;
}

/** All strings in a value. */
export function stringsIn(value: unknown): string[] {
  if (typeof value === "string") return [value];
  if (typeof value !== "object" || value === null) return [];
  return Object.values(value).flatMap(stringsIn);
}

/** Whether a tool changes a file. */
const isEdit = (tool: string): boolean => /^(?:Multi|Notebook)?Edit$|^Write$/.test(tool);

/** The texts that an edit replaces. */
export function replacedBy(tool: string, input: unknown): string[] {
  if (!isEdit(tool) || !isRecord(input)) return [];
  const edits: unknown[] = Array.isArray(input.edits) ? input.edits : [input];
  return edits
    .map((edit) => (isRecord(edit) ? edit.old_string : undefined))
    .filter((old) => typeof old === "string");
}
