// `memoir memory import --from claude-mem`: its sessions, prompts, observations, summaries and manual memories, as if memoir had made them.
import { isAbsolute, join, resolve } from "node:path";
import { userHome } from "../../../home/paths.ts";
import { MemoirError } from "../../../sdk/errors.ts";
import {
  type NewMemoryItem,
  type NewObservation,
  type NewPrompt,
  type NewSummary,
  ofSummaryTexts,
  type Project,
  type SessionUpdate,
} from "../../../sdk/model.ts";
import { pathBelow } from "../../../text/paths.ts";
import { baseName, isAbsolutePath, nameWords } from "../../../text/text.ts";
import { projectOfFolder } from "../../endless/scope.ts";
import { printable } from "../../terminal/layout.ts";
import type { Terminal } from "../../terminal/terminal.ts";
import { type ImportLine, type ImportOptions, importLines } from "../transfer.ts";
import {
  openSource,
  type SourceDatabase,
  type SourceRow,
  type SourceTable,
} from "./read-database.ts";

/** Row numbers of a table as the lines of an import: this many apart. */
const apart = 1_000_000_000_000;
const numbered: readonly SourceTable[] = [
  "sdk_sessions",
  "user_prompts",
  "observations",
  "session_summaries",
];

/** Gives 1 when a row was left out because something is wrong with it. */
export async function importClaudeMem(
  file: string | undefined,
  options: ImportOptions,
  terminal: Terminal,
): Promise<number> {
  const folders = foldersOf(options.map ?? [], terminal);
  const path = file === undefined ? defaultPath(terminal) : resolve(terminal.cwd, file);
  const source = await openSource(path);
  try {
    if (source.withoutLog && !options.json)
      terminal.warn(`${printable(path)}-wal is damaged and left out; the rest can be read.`);
    const sessions = await readSessions(source, folders, projectOfFolder);
    return await importLines(linesOf(source, sessions), options, terminal, {
      nameOf: (line) => `${numbered[Math.floor(line / apart)]} ${line % apart}`,
      isWhole: () => true,
    });
  } finally {
    await source.close();
  }
}

async function* linesOf(
  source: SourceDatabase,
  sessions: SourceSessions,
): AsyncGenerator<ImportLine> {
  const one = (table: SourceTable, row: SourceRow, kind: string, record: object | undefined) =>
    record ? [{ line: lineOf(table, row), text: JSON.stringify({ kind, record }) }] : [];
  /** A row that names a session of which there is none. */
  const orphan = (table: SourceTable, row: SourceRow) => ({
    ...{ line: lineOf(table, row), error: "its session is not in the database" },
  });
  for (const { row, at, title, lastActiveAt, prompts } of sessions.all()) {
    const session = sessionOf(row, at, title);
    if (!session) continue;
    const seen = Math.max(session.lastActiveAt, lastActiveAt);
    yield* one("sdk_sessions", row, "session", {
      ...{ ...session, lastActiveAt: seen, endedAt: Math.max(session.endedAt ?? 0, seen) },
      ...(prompts === 0 ? {} : { prompts }),
    });
  }
  for (const row of source.rows("user_prompts")) {
    const at = sessions.ofPrompt(row);
    yield* one("user_prompts", row, "prompt", at && promptOf(row, at));
  }
  // Before there was a table of prompts the session knew its first.
  for (const { row, at, prompts } of sessions.all()) {
    const text = String(row.user_prompt ?? "");
    const time = timeOf(row, "started_at");
    if (prompts > 0 || time === undefined || !isTyped(text)) continue;
    const { id: session, client, project } = at;
    const prompt = { session, client, project, promptNumber: 1, text, time };
    yield* one("sdk_sessions", row, "prompt", prompt);
  }
  for (const row of source.rows("observations")) {
    if (isObserver(row.project)) continue;
    const item = manualItemOf(row, sessions.projectNamed(String(row.project ?? "")));
    const at = sessions.ofMemory(row);
    if (item) yield* one("observations", row, "memory", item);
    else if (at) yield* one("observations", row, "observation", observationOf(row, at));
    else yield orphan("observations", row);
  }
  for (const row of source.rows("session_summaries")) {
    if (isObserver(row.project)) continue;
    const at = sessions.ofMemory(row);
    if (at) yield* one("session_summaries", row, "summary", summaryOf(row, at));
    else yield orphan("session_summaries", row);
  }
}

function lineOf(table: SourceTable, { id }: SourceRow): number {
  return numbered.indexOf(table) * apart + Number(id ?? 0);
}

function defaultPath({ env }: Terminal): string {
  return join(env.CLAUDE_MEM_DATA_DIR ?? join(userHome(env), ".claude-mem"), "claude-mem.db");
}

/** `shop=/home/me/shop` by name. Throws `usage`. */
function foldersOf(pairs: readonly string[], { cwd }: Terminal): Map<string, string> {
  return new Map(
    pairs.map((pair) => {
      const at = pair.indexOf("=");
      const folder = pair.slice(at + 1);
      if (at < 1 || folder === "")
        throw new MemoirError("usage", `--map ${pair} is not written as name=folder.`, {
          fix: "Say `--map shop=/home/me/shop`.",
        });
      return [pair.slice(0, at), isAbsolute(folder) ? resolve(folder) : resolve(cwd, folder)];
    }),
  );
}

// claude-mem's sessions: which is the client's own, in which folder it was, and how long it was at work.

/** A session and what its rows say of it. */
interface Known {
  row: SourceRow;
  at: SourceSession;
  /** What came of it, by its last summary, else its last observation; empty for neither. */
  title: string;
  /** Epoch ms of its newest record; 0 for none. */
  lastActiveAt: number;
  /** The number of its last prompt. */
  prompts: number;
}

interface SourceSessions {
  all(): Iterable<Known>;
  /** By the observer's own id, which observations and summaries carry. */
  ofMemory(row: SourceRow): SourceSession | undefined;
  /** By the session's row, else by the client's id. */
  ofPrompt(row: SourceRow): SourceSession | undefined;
  /** The project's id, of a name. */
  projectNamed(name: string): string;
}

/** Reads all of them. `folders` says where projects are that are known by name only; `projectAt` what project a folder is. */
export async function readSessions(
  source: SourceDatabase,
  folders: ReadonlyMap<string, string>,
  projectAt: (folder: string) => Promise<Project>,
): Promise<SourceSessions> {
  const byRow = new Map<string, Known>();
  const byMemory = new Map<string, Known>();
  const byClient = new Map<string, Known>();
  for (const row of source.rows("sdk_sessions")) {
    const id = String(row.content_session_id ?? "");
    if (id === "" || isObserver(row.project)) continue;
    const project = String(row.project ?? "unknown") || "unknown";
    const platform = String(row.platform_source ?? "claude");
    const client = platform === "claude" ? "claude-code" : platform;
    const known: Known = {
      ...{ row, at: { id, client, project, root: "" }, title: "", lastActiveAt: 0, prompts: 0 },
    };
    byRow.set(String(row.id), known);
    if (row.memory_session_id !== undefined) byMemory.set(String(row.memory_session_id), known);
    if (!byClient.has(id) || client === "claude-code") byClient.set(id, known);
  }
  const ofPrompt = (row: SourceRow) =>
    byRow.get(String(row.session_db_id ?? "")) ??
    byClient.get(String(row.content_session_id ?? ""));
  const ofMemory = (row: SourceRow) => byMemory.get(String(row.memory_session_id ?? ""));
  const roots = new Map<Known, string>();
  for (const row of source.rows("tool_uses")) {
    const known = byClient.get(String(row.content_session_id ?? ""));
    const root = known && rootIn(String(row.cwd ?? ""), known.at.project);
    if (known && root !== undefined && !roots.has(known)) roots.set(known, root);
  }
  for (const row of source.rows("user_prompts")) note(ofPrompt(row), row, true);
  for (const row of source.rows("observations")) {
    const known = ofMemory(row);
    note(known, row, false);
    if (known) known.title = saidBy(row).title || known.title;
    if (!known || roots.has(known)) continue;
    const paths = [...listOf(row.files_modified), ...listOf(row.files_read)];
    const root = paths
      .map((path) => rootIn(path, known.at.project))
      .find((one) => one !== undefined);
    if (root !== undefined) roots.set(known, root);
  }
  for (const row of source.rows("session_summaries")) {
    const known = ofMemory(row);
    note(known, row, false);
    if (known) known.title = firstWords(String(row.completed ?? "")) || known.title;
  }
  const projects = new Map<string, Project>();
  for (const known of byRow.values()) {
    const folder = folders.get(known.at.project) ?? roots.get(known);
    if (folder === undefined) continue;
    const project = projects.get(folder) ?? (await projectAt(folder));
    projects.set(folder, project);
    known.at = { ...known.at, project: project.id, root: project.root };
  }
  const named = new Map<string, string>();
  for (const { row, at } of byRow.values()) named.set(String(row.project ?? ""), at.project);
  return {
    all: () => byRow.values(),
    ofMemory: (row) => ofMemory(row)?.at,
    ofPrompt: (row) => ofPrompt(row)?.at,
    projectNamed: (name) => named.get(name) ?? name,
  };
}

function note(known: Known | undefined, row: SourceRow, isPrompt: boolean): void {
  if (!known) return;
  known.lastActiveAt = Math.max(known.lastActiveAt, timeOf(row) ?? 0);
  if (isPrompt && typeof row.prompt_number === "number")
    known.prompts = Math.max(known.prompts, Math.trunc(row.prompt_number));
}

/** The folder called `project` that an absolute path leads through: it keeps two of one name apart. */
function rootIn(path: string, project: string): string | undefined {
  if (!isAbsolutePath(path)) return undefined;
  const parts = path.split(/(?=[\\/])/);
  const at = parts.findIndex((part) => part.slice(1) === project);
  return at < 0 ? undefined : parts.slice(0, at + 1).join("");
}

// claude-mem's rows as memoir's records: pure functions of rows.

/** A session as its records need it. */
interface SourceSession {
  /** The client's own id: the transcript's. */
  id: string;
  client: string;
  project: string;
  root: string;
}

/** What claude-mem's own observer made of itself. */
const observerProject = "observer-sessions";
const observedMark = "<observed_from_primary_session>";
const observerBeginnings = ["You are a Claude-Mem, a specialized observer", "Hello memory agent"];

/** Whether a project's rows are what the observer left of itself. */
export function isObserver(project: unknown): boolean {
  return project === observerProject;
}

/** Whether a prompt was typed by a person. */
export function isTyped(text: string): boolean {
  const begin = text.trimStart();
  return (
    begin !== "" &&
    begin.trim() !== "[media prompt]" &&
    !text.includes(observedMark) &&
    !observerBeginnings.some((mark) => begin.startsWith(mark))
  );
}

/** Epoch ms of a row: its number, in seconds where it is too small for milliseconds, else its text; undefined for neither. */
export function timeOf(row: SourceRow, column = "created_at"): number | undefined {
  const epoch = Number(row[`${column}_epoch`]);
  if (epoch > 0) return Math.round(epoch < 1e12 ? epoch * 1000 : epoch);
  const time = Date.parse(String(row[column] ?? ""));
  return Number.isNaN(time) ? undefined : time;
}

/** A list column: JSON, or, where somebody wrote something else, its lines or the parts between commas. */
export function listOf(value: string | number | undefined): string[] {
  const text = String(value ?? "").trim();
  try {
    const parsed: unknown = JSON.parse(text);
    const items = Array.isArray(parsed) ? parsed : [parsed];
    return unique(items.flatMap((item) => (typeof item === "string" ? [item.trim()] : [])));
  } catch {
    return unique(text.split(/\n|,(?=\s)/).map((part) => part.replace(/^[-*•]\s+/, "").trim()));
  }
}

function unique(items: readonly string[]): string[] {
  return [...new Set(items.filter((item) => item !== ""))];
}

/** `keyword: prose` of old rows is its keyword. */
function conceptsOf(value: string | number | undefined): string[] {
  return unique(listOf(value).map((concept) => (concept.split(":")[0] ?? "").trim().toLowerCase()));
}

/** memoir's words for a type; a mode of somebody's own may have any. */
function typeOf(value: string): string {
  const word = value
    .toLowerCase()
    .replace(/[^a-z]+/g, "-")
    .replace(/^-+|-+$/g, "");
  return word === "" ? "discovery" : word;
}

/** Where claude-mem keeps its sessions' own ids of memories that were stored by hand. */
const manualMark = "manual-";

/** A session, called `title` unless somebody named it; undefined for one of the observer's, or without a time. */
export function sessionOf(
  row: SourceRow,
  at: SourceSession,
  title = "",
): SessionUpdate | undefined {
  const startedAt = timeOf(row, "started_at");
  if (startedAt === undefined) return undefined;
  const endedAt = timeOf(row, "completed_at");
  return {
    ...{ id: at.id, client: at.client },
    project: { id: at.project, name: baseName(at.project), root: at.root },
    ...((row.custom_title ?? title) !== "" && { title: String(row.custom_title ?? title) }),
    // Nobody works on it any more, whatever its status says.
    status: "ended",
    ...{
      startedAt,
      lastActiveAt: Math.max(startedAt, endedAt ?? 0),
      endedAt: endedAt ?? startedAt,
    },
  };
}

/** A prompt; undefined where nobody typed it. */
export function promptOf(row: SourceRow, at: SourceSession): NewPrompt | undefined {
  const text = String(row.prompt_text ?? "");
  const time = timeOf(row);
  if (!isTyped(text) || time === undefined) return undefined;
  return { ...placeOf(at), promptNumber: numberOf(row), text, time };
}

/** An observation of any of its forms; undefined where it says nothing. */
export function observationOf(row: SourceRow, at: SourceSession): NewObservation | undefined {
  const time = timeOf(row);
  const said = saidBy(row);
  if (time === undefined || said.title === "") return undefined;
  const { agent_id: id, agent_type: type, discovery_tokens } = row;
  const agent = id !== undefined && {
    id: String(id),
    ...(type !== undefined && { type: String(type) }),
  };
  const tokens = typeof discovery_tokens === "number" ? discovery_tokens : 0;
  return {
    ...placeOf(at),
    promptNumber: numberOf(row),
    type: typeOf(String(row.type ?? "")),
    ...said,
    concepts: conceptsOf(row.concepts),
    filesRead: listOf(row.files_read).map((path) => below(path, at.root)),
    filesModified: listOf(row.files_modified).map((path) => below(path, at.root)),
    toolUseIds: [],
    ...(agent && { agent }),
    time,
    discoveryTokens: tokens > 0 ? tokens : null,
    observerTokens: null,
    provenance: provenanceOf(row),
  };
}

/** The old form was one sentence in `text`; its first words become the title. */
function saidBy(
  row: SourceRow,
): Pick<NewObservation, "title" | "subtitle" | "facts" | "narrative"> {
  const word = (column: string) => String(row[column] ?? "").trim();
  const facts = listOf(row.facts);
  const narrative = word("narrative") || word("text");
  const title = word("title") || firstWords(word("subtitle") || facts[0] || narrative);
  return { title, subtitle: word("subtitle"), facts, narrative };
}

function firstWords(text: string): string {
  const words = text.replace(/\s+/g, " ").trim().split(" ");
  return words.length <= 10 ? words.join(" ") : `${words.slice(0, 10).join(" ")} …`;
}

/** A summary; undefined where it says nothing. */
export function summaryOf(row: SourceRow, at: SourceSession): NewSummary | undefined {
  const time = timeOf(row);
  const word = (column: string) => String(row[column] ?? "").trim();
  const texts = ofSummaryTexts((name) => word(nameWords(name, "_")));
  if (time === undefined || Object.values(texts).every((text) => text === "")) return undefined;
  return {
    ...placeOf(at),
    scope: "prompt",
    promptNumber: numberOf(row),
    ...texts,
    filesRead: listOf(row.files_read).map((path) => below(path, at.root)),
    filesEdited: listOf(row.files_edited).map((path) => below(path, at.root)),
    time,
    observerTokens: null,
    provenance: provenanceOf(row),
  };
}

/** What was stored by hand is a memory item; undefined for any other observation. */
export function manualItemOf(row: SourceRow, project: string): NewMemoryItem | undefined {
  const session = String(row.memory_session_id ?? "");
  if (!session.startsWith(manualMark)) return undefined;
  const time = timeOf(row);
  const { title, facts, narrative } = saidBy(row);
  const content = narrative || facts.join(" ") || title;
  if (time === undefined || content === "") return undefined;
  return {
    kind: "facts",
    date: new Date(time).toISOString().slice(0, 10),
    content,
    context: title === content ? "" : title,
    session,
    project,
  };
}

function placeOf({ id, client, project }: SourceSession) {
  return { session: id, client, project };
}

function numberOf({ prompt_number: number }: SourceRow): number {
  return typeof number === "number" && Number.isSafeInteger(number) && number > 0 ? number : 0;
}

function provenanceOf({ generated_by_model: model }: SourceRow) {
  return { strategy: "claude-mem", model: model === undefined ? null : String(model) };
}

/** Relative to the project's folder where it lies inside. */
function below(path: string, root: string): string {
  return pathBelow(root, path) || path;
}
