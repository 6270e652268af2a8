// A subagent's transcript file: what is said of it beside it, whose it is, and where it lies for an agent's id.
import { readdir, readFile, stat } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { fileChunks } from "./file.ts";
import { parseObject } from "./json.ts";

/** What the client notes of a subagent in `.meta.json`. */
export interface AgentMeta {
  /** `Explore`, `general-purpose`, … */
  agentType?: string;
  description?: string;
  /** Of the tool use that began it. */
  toolUseId?: string;
}

const metaBytes = 64 * 1024;
const firstLineBytes = 256 * 1024;

/** Reads the `.meta.json` beside an agent's file; undefined where there is none that can be read. */
export async function readAgentMeta(path: string): Promise<AgentMeta | undefined> {
  const metaPath = path.replace(/\.jsonl$/, ".meta.json");
  try {
    if ((await stat(metaPath)).size > metaBytes) return undefined;
    const read = parseObject(await readFile(metaPath, "utf8"));
    if (!read) return undefined;
    const meta: AgentMeta = {};
    for (const key of ["agentType", "description", "toolUseId"] as const) {
      const value = read[key];
      if (typeof value === "string") meta[key] = value;
    }
    return meta;
  } catch {
    return undefined;
  }
}

/** The session id that a file's first line names; undefined when it names none or cannot be read. */
export async function sessionIdIn(path: string): Promise<string | undefined> {
  try {
    let head = "";
    const decoder = new TextDecoder();
    for await (const chunk of fileChunks(path, { to: firstLineBytes })) {
      head += decoder.decode(chunk, { stream: true });
      if (head.includes("\n")) break;
    }
    const session = parseObject(head.split("\n", 1)[0] ?? "")?.sessionId;
    return typeof session === "string" && isFileName(session) ? session : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Where a session's subagent keeps its transcript: `<session>/subagents/agent-<id>.jsonl`, or folders deeper.
 * Undefined where it has no file: then its lines stand in the session's own.
 */
export async function findAgentFile(
  sessionPath: string,
  agentId: string,
): Promise<string | undefined> {
  if (!isFileName(agentId)) return undefined;
  const folder = join(dirname(sessionPath), basename(sessionPath, ".jsonl"), "subagents");
  const name = `agent-${agentId}.jsonl`;
  try {
    const usual = join(folder, name);
    if ((await stat(usual).catch(() => undefined))?.isFile()) return usual;
    const names = await readdir(folder, { recursive: true });
    const found = names.find((path) => basename(path) === name);
    return found === undefined ? undefined : join(folder, found);
  } catch {
    return undefined;
  }
}

/** Nothing that could lead to another folder. */
function isFileName(text: string): boolean {
  return /^[\w-][\w.-]{0,200}$/.test(text);
}
