// claude-mem's sessions: which is the client's own, in which folder it was, and how long it was at work.
import type { Project } from "../../../sdk/model.ts";
import { isObserver, listOf, type SourceSession, timeOf } from "./convert.ts";
import type { SourceDatabase, SourceRow } from "./read-database.ts";

/** A session and what its rows say of it. */
interface Known {
  row: SourceRow;
  at: SourceSession;
  /** Epoch ms of its newest record; 0 for none. */
  lastActiveAt: number;
  /** The number of its last prompt. */
  prompts: number;
}

export interface SourceSessions {
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
    const known = { row, at: { id, client, project, root: "" }, lastActiveAt: 0, prompts: 0 };
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
  for (const row of source.rows("session_summaries")) note(ofMemory(row), row, false);
  for (const row of source.rows("observations")) {
    const known = ofMemory(row);
    note(known, row, false);
    if (!known || roots.has(known)) continue;
    const paths = [...listOf(row.files_modified), ...listOf(row.files_read)];
    const root = paths
      .map((path) => rootIn(path, known.at.project))
      .find((one) => one !== undefined);
    if (root !== undefined) roots.set(known, root);
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

/** The folder called `project` that an absolute path leads through: two of one name are told apart by it. */
function rootIn(path: string, project: string): string | undefined {
  if (!path.startsWith("/")) return undefined;
  const parts = path.split("/");
  const at = parts.indexOf(project);
  return at > 0 ? parts.slice(0, at + 1).join("/") : undefined;
}
