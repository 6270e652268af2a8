// What stands about a file: refusals and decisions that name it, what was repaired by changing it, what was left open. Pure.
import type { MemoryItem, Observation, Turn } from "../../src/sdk/index.ts";
import { baseName, commandKey, oneLine } from "../../src/text/index.ts";
import { repairedFiles } from "./failures.ts";
import { tellingLines } from "./normal-line.ts";

/** One thing to know about a file. */
export interface FileNote {
  kind: "decision" | "gotcha" | "open";
  /** Of the record that says it. */
  id: string;
  session: string;
  /** Epoch ms. */
  time: number;
  text: string;
  /** Whose words it is in: the user's, the agent's, or what a tool ran and printed. */
  by: "user" | "agent" | "tool";
  /** The command whose passing settles it. */
  command?: string;
}

/** By path, relative to the project. */
export interface FileIndex {
  /** What other sessions left, most pressing first. */
  notesOn(path: string, session: string): FileNote[];
  size: number;
}

/** What the index is made from: all of one project, turns oldest first. */
interface FileSources {
  turns: readonly Turn[];
  /** Standing ones. */
  decisions: readonly MemoryItem[];
  /** Of type `decision`, those that hold. */
  observations: readonly Observation[];
  /** How many kinds of failures have a line. */
  usual(line: string): number;
}

/** A change of more files says little about each of them. */
const mostFiles = 6;
const notesKept = 4;
const rank = { open: 0, decision: 1, gotcha: 2 };

/** Of all turns at once. */
export function indexFiles({ turns, usual, ...others }: FileSources): FileIndex {
  const files = followFiles(usual);
  for (const turn of turns) files.add(turn);
  return files.index(others);
}

/** Takes turns one by one, oldest first, so that others can work in between. Later work on a file settles what was open about it. */
export function followFiles(usual: FileSources["usual"]): {
  add(turn: Turn): void;
  index(others: Pick<FileSources, "decisions" | "observations">): FileIndex;
} {
  const notes = new Map<string, FileNote[]>();
  const open = new Map<string, FileNote>();
  const known = new Set<string>();

  function note(path: string, one: FileNote): void {
    const list = notes.get(path) ?? [];
    // The same failure of the same command: its newest repair counts.
    const others = list.filter(({ kind, text }) => kind !== one.kind || text !== one.text);
    notes.set(path, [...others, one].slice(-notesKept));
  }

  function add(turn: Turn): void {
    const changed = turn.files.filter((file) => file.changed).map(({ path }) => path);
    for (const { path } of turn.files) known.add(path);
    for (const [path, left] of open)
      if (isSettled(left, turn) || (changed.includes(path) && turn.end === "closed"))
        open.delete(path);
    const place = { session: turn.session, id: turn.id };
    for (const { kind, text, about = "", time = turn.time } of turn.pieces) {
      const files = kind === "repair" ? repairedFiles(text) : [];
      if (files.length > 0 && files.length <= mostFiles)
        for (const path of files)
          note(path, {
            ...place,
            kind: "gotcha",
            time,
            text: repairNote(about, text, usual),
            by: "tool",
            command: commandKey(about),
          });
      if (kind === "refusal" && text.trim() !== "")
        for (const { path } of turn.files)
          if (about.includes(path))
            note(path, { ...place, kind: "decision", time, text: line(text, 160), by: "user" });
    }
    const left = leftOpen(turn);
    if (left && changed.length <= mostFiles)
      for (const path of changed)
        open.set(path, { ...place, kind: "open", time: turn.time, ...left });
  }

  return {
    add,
    index(others) {
      for (const [path, one] of decided(others, known)) note(path, one);
      for (const [path, left] of open) note(path, left);
      return {
        size: notes.size,
        notesOn: (path, session) =>
          (notes.get(path) ?? [])
            .filter((one) => one.session !== session)
            .sort((one, other) => rank[one.kind] - rank[other.kind] || other.time - one.time),
      };
    },
  };
}

/** What `followFiles` looks at in a turn: of most pieces not what was said or printed, which is most of it. */
export function partForFiles(turn: Turn): Turn {
  const isTold = turn.end === "interrupted" ? toldOfInterrupted : told;
  return {
    ...turn,
    pieces: turn.pieces.map((piece) => (isTold.has(piece.kind) ? piece : { ...piece, text: "" })),
  };
}

const told: ReadonlySet<string> = new Set(["repair", "refusal"]);
const toldOfInterrupted: ReadonlySet<string> = new Set([...told, "prompt"]);

/** Decisions by the files that they name or changed. */
function* decided(
  { decisions, observations }: Pick<FileSources, "decisions" | "observations">,
  known: ReadonlySet<string>,
): Generator<[path: string, note: FileNote]> {
  const kind = "decision";
  const byName = Map.groupBy(known, baseName);
  for (const { id, session, date, content, context, state } of decisions) {
    const by = state === undefined ? "agent" : "user";
    const time = Date.parse(date) || 0;
    for (const path of namedIn(`${content} ${context}`, byName))
      yield [path, { kind, id, session, time, text: line(content, 160), by }];
  }
  for (const { id, session, time, title, subtitle, filesModified, edited } of observations) {
    if (filesModified.length > mostFiles) continue;
    const by = edited === undefined ? "agent" : "user";
    for (const path of filesModified)
      yield [path, { kind, id, session, time, text: line(subtitle || title, 160), by }];
  }
}

/** The command that failed, and the line that fewest other failures have; of several the one that says most. */
function repairNote(about: string, text: string, usual: FileSources["usual"]): string {
  const lines = tellingLines(text.slice(0, text.lastIndexOf("\n\n→ ")));
  const [said] = lines.toSorted((a, b) => usual(a) - usual(b) || b.length - a.length);
  return `\`${line(about, 60)}\`${said === undefined ? "" : ` (“${line(said, 90)}”)`}`;
}

/** What the end of a turn leaves to do: it was stopped, or what ran last failed. */
function leftOpen({ end, pieces }: Turn): Pick<FileNote, "text" | "by" | "command"> | undefined {
  const ran = pieces.findLast(
    ({ kind }) => kind === "failure" || kind === "passed" || kind === "ran",
  );
  if (ran?.kind === "failure" && ran.described !== undefined && ran.about !== undefined)
    return { text: `\`${line(ran.about, 100)}\``, by: "tool", command: commandKey(ran.about) };
  if (end !== "interrupted") return undefined;
  const prompt = pieces.find(({ kind }) => kind === "prompt")?.text ?? "";
  return prompt.trim() === "" ? undefined : { text: `“${line(prompt, 120)}”`, by: "user" };
}

function isSettled({ command }: FileNote, { pieces }: Turn): boolean {
  return pieces.some(
    ({ kind, about }) =>
      kind === "commit" ||
      (command !== undefined &&
        (kind === "passed" || kind === "repair") &&
        about !== undefined &&
        commandKey(about) === command),
  );
}

/** Paths that a text names: whole, or by a name that only one file has. */
function namedIn(text: string, byName: ReadonlyMap<string, readonly string[]>): string[] {
  const words = new Set(text.split(/[\s"'`“”()[\]<>,;:]+/).map((word) => word.replace(/\.$/, "")));
  return [...words].flatMap((word) => {
    if (!word.includes(".")) return [];
    const paths = byName.get(baseName(word)) ?? [];
    if (!word.includes("/")) return paths.length === 1 ? paths : [];
    return paths.filter((path) => path === word || path.endsWith(`/${word}`));
  });
}

function line(text: string, most: number): string {
  const one = oneLine(text);
  return one.length <= most ? one : `${one.slice(0, most - 1).trimEnd()}…`;
}
