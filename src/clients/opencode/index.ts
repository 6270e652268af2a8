// The OpenCode adapter: what memoir's plugin there hands on, and its history, which is in a database.
import { existsSync } from "node:fs";
import { basename, dirname, isAbsolute, join } from "node:path";
import { type Environment, userHome } from "../../home/paths.ts";
import { type Database, openDatabase } from "../../host/sqlite.ts";
import { stripContext } from "../../privacy/marker.ts";
import type { ClientEvent, ClientEventName, Reply } from "../../sdk/events.ts";
import { isRecord, listField, recordOf, textField } from "../../text/text.ts";
import type { TranscriptStore } from "../../transcript/discover.ts";
import { type Discovery, isMissing, type SessionFiles } from "../../transcript/discover.ts";
import type { ByteRange } from "../../transcript/read.ts";
import type {
  ClientAdapter,
  ClientRegistration,
  ClientTranscripts,
  RegistrationPlace,
} from "../adapter.ts";
import { answerOf, byNormalForm, eventsBut, fitContext } from "../normal/payload.ts";
import { deafened, runInside, spawnImport } from "../normal/run-inside.ts";
import { shownText } from "../normal/tools.ts";
import { finishedUses, normalOpenCode, promptOf } from "./normal.ts";
import body from "./plugin.js.txt" with { type: "text" };

// OpenCode's database read as lines: what was asked, what the agent said and began, how tools ended, each once it is done.
//
// It is opened for reading only, beside an OpenCode that may be writing: what others commit meanwhile is seen whole or not
// at all. A line is made of one row; rows of a form that is not known make none.

const ending = ".jsonl";

/** One row's JSON, where it is some. */
const field = (row: string, path: string) =>
  `CASE WHEN json_valid(${row}.data) THEN json_extract(${row}.data, '${path}') END`;

/** The same as JSON, of whatever type it is. */
const json = (row: string, path: string) =>
  `json(CASE WHEN json_valid(${row}.data) THEN ${row}.data -> '${path}' END)`;

/** The tool of a part as it was asked for: its input, and of a patch the files. */
const asked = `json_object('type', 'tool', 'tool', ${field("p", "$.tool")}, 'callID', ${field("p", "$.callID")},
    'state', json_object('input', ${json("p", "$.state.input")},
      'metadata', json_object('files', ${json("p", "$.state.metadata.files")})))`;

const ofPart = (kind: string, data: string) => `json_object('kind', '${kind}', 'id', p.id,
    'message', m.id, 'time', p.time_created, 'cwd', ${field("m", "$.path.cwd")},
    'model', ${field("m", "$.modelID")}, 'data', json(${data}))`;

/** Parts of what an agent says itself, not of a summary of the conversation. */
const byAgent = `part p JOIN message m ON m.id = p.message_id
  WHERE ${field("m", "$.role")} = 'assistant' AND ${field("m", "$.summary")} IS NULL`;

/** Every line with its session and its place: a session's own first, then by message, part, and step. */
const lines = `
  SELECT s.id AS session, 0 AS at, '' AS message, '' AS part, 0 AS step, s.time_updated AS changed,
    json_object('kind', 'session', 'id', s.id, 'time', s.time_created, 'cwd', s.directory,
      'version', s.version) AS line
  FROM session s
  UNION ALL
  SELECT m.session_id, m.time_created, m.id, '', 0, m.time_updated,
    json_object('kind', 'asked', 'id', m.id, 'time', m.time_created, 'parts', json((
      SELECT '[' || group_concat(text.data) || ']' FROM (
        SELECT p.data FROM part p WHERE p.message_id = m.id AND ${field("p", "$.type")} = 'text'
          AND ${field("p", "$.synthetic")} IS NOT 1 ORDER BY p.id) text)))
  FROM message m WHERE ${field("m", "$.role")} = 'user'
  UNION ALL
  SELECT p.session_id, m.time_created, m.id, p.id, 0, p.time_updated, ${ofPart("said", "p.data")}
  FROM ${byAgent} AND ${field("p", "$.type")} = 'text'
    AND (${field("p", "$.time.start")} IS NULL OR ${field("p", "$.time.end")} IS NOT NULL)
  UNION ALL
  SELECT p.session_id, m.time_created, m.id, p.id, 0, p.time_updated, ${ofPart("began", asked)}
  FROM ${byAgent} AND ${field("p", "$.type")} = 'tool'
    AND ${field("p", "$.state.status")} IN ('running', 'completed', 'error')
  UNION ALL
  SELECT p.session_id, m.time_created, m.id, p.id, 1, p.time_updated, ${ofPart("ended", "p.data")}
  FROM ${byAgent} AND ${field("p", "$.type")} = 'tool'
    AND ${field("p", "$.state.status")} IN ('completed', 'error')`;

const linesOfSession = `SELECT line FROM (${lines}) WHERE session = ? ORDER BY at, message, part, step`;
const sizes = `SELECT l.session, s.parent_id AS parent, sum(length(CAST(l.line AS BLOB)) + 1) AS bytes,
    max(l.changed) AS changedAt
  FROM (${lines}) l JOIN session s ON s.id = l.session GROUP BY l.session`;

interface Size {
  session: string;
  parent: string | null;
  bytes: number;
  changedAt: number;
}

/** Every session of the database, subagents' below the one that a person spoke with. */
async function discover(path: string): Promise<Discovery> {
  const isOne = path.endsWith(ending);
  const database = isOne ? dirname(path) : path;
  try {
    const found = await reading(database, (db) => db.prepare<Size>(sizes).all());
    const sessions = gathered(database, found);
    const wanted = basename(path, ending);
    return {
      sessions: isOne ? sessions.filter(({ session }) => session === wanted) : sessions,
      unreadable: [],
    };
  } catch (error) {
    return { sessions: [], unreadable: isMissing(error) ? [] : [database] };
  }
}

function gathered(database: string, found: readonly Size[]): SessionFiles[] {
  const parents = new Map(found.map(({ session, parent }) => [session, parent]));
  const rootOf = (session: string) => {
    const seen = new Set<string>();
    let root = session;
    for (let next: string | null = root; next !== null && !seen.has(next); ) {
      seen.add(next);
      root = next;
      next = parents.get(root) ?? null;
    }
    return root;
  };
  const sessions = new Map<string, SessionFiles>();
  for (const { session, bytes, changedAt } of found) {
    const root = rootOf(session);
    // The path is made of them: what leads elsewhere is no id of OpenCode's.
    if ([session, root].some((id) => basename(id) !== id)) continue;
    const files: SessionFiles = sessions.get(root) ?? {
      ...{ session: root, client: "opencode", folder: basename(database) },
      ...{ agents: [], bytes: 0, changedAt: 0 },
    };
    sessions.set(root, files);
    const file = { path: `${database}/${session}${ending}`, bytes, changedAt };
    if (session === root) files.main = file;
    else files.agents.push({ ...file, agentId: session });
    files.bytes += bytes;
    files.changedAt = Math.max(files.changedAt, changedAt);
  }
  for (const { agents } of sessions.values())
    agents.sort((one, other) => (one.path < other.path ? -1 : 1));
  return [...sessions.values()].sort((one, other) => other.changedAt - one.changedAt);
}

async function* chunks(path: string, { from = 0, to }: ByteRange = {}): AsyncGenerator<Uint8Array> {
  const end = to ?? Number.POSITIVE_INFINITY;
  const encoder = new TextEncoder();
  let at = 0;
  const session = basename(path, ending);
  // Taken whole: who is reading must not hold OpenCode's log of changes open while memoir works.
  const found = await reading(dirname(path), (db) =>
    db.prepare<{ line: string }>(linesOfSession).all([session]),
  );
  for (const { line } of found) {
    const bytes = encoder.encode(`${line}\n`);
    const chunk = bytes.subarray(Math.max(0, from - at), Math.max(0, end - at));
    at += bytes.length;
    if (chunk.length > 0) yield chunk;
    if (at >= end) return;
  }
}

async function reading<Result>(path: string, read: (db: Database) => Result): Promise<Result> {
  const db = await openDatabase(path, { readonly: true });
  try {
    return read(db);
  } finally {
    db.close();
  }
}

export const openCodeHistory: TranscriptStore = { discover, chunks };

type Json = Record<string, unknown>;

/** As the plugin finds it. */
function database(env: Environment): string {
  const data = env.XDG_DATA_HOME || join(userHome(env), ".local/share");
  const named = env.OPENCODE_DB || "opencode.db";
  return isAbsolute(named) ? named : join(data, "opencode", named);
}

const openCodeTranscripts: ClientTranscripts = {
  folder: database,
  store: openCodeHistory,
  normalLine,
  outcome: ({ id, result }) => usesOf(result?.structured).find((use) => use.id === id)?.result,
};

function normalLine(value: Json): Json | undefined {
  const { kind, id, message, time, cwd, model, data } = value;
  const at = typeof time === "number" ? new Date(time).toISOString() : undefined;
  const shared = { uuid: id, timestamp: at, cwd };
  const assistant = (content: readonly Json[]) => ({
    ...{ ...shared, type: "assistant" },
    message: { role: "assistant", id: message, model, content },
  });
  switch (kind) {
    case "session":
      return { ...shared, type: "system", subtype: "start", version: value.version };
    case "asked": {
      const text = promptOf(listField(value, "parts"));
      if (text === "") return undefined;
      const content = [{ type: "text", text }];
      return { ...shared, type: "user", promptId: id, message: { role: "user", content } };
    }
    case "said": {
      const text = textField(data, "text");
      return text.trim() === "" ? undefined : assistant([{ type: "text", text }]);
    }
    case "began":
      return assistant(
        usesOf(data).map(({ id, name, input }) => ({ type: "tool_use", id, name, input })),
      );
    case "ended": {
      const { end } = recordOf(recordOf(recordOf(data).state).time);
      const content = usesOf(data).map(({ id, result }) => ({
        ...{ type: "tool_result", tool_use_id: id, is_error: "error" in result },
        content:
          "error" in result ? result.error : textField(recordOf(recordOf(data).state), "output"),
      }));
      const timestamp = typeof end === "number" ? new Date(end).toISOString() : at;
      const whole = { ...shared, uuid: `${id}-ended`, timestamp, toolUseResult: data };
      return { ...whole, type: "user", message: { role: "user", content } };
    }
    default:
      return undefined;
  }
}

/** The uses of a part, without what memoir added to its result. */
function usesOf(part: unknown): ReturnType<typeof finishedUses> | [] {
  if (!isRecord(part)) return [];
  const state = recordOf(part.state);
  const { output } = state;
  const own = typeof output === "string" ? { output: stripContext(output).trimEnd() } : {};
  return finishedUses({ ...part, state: { ...state, ...own } });
}

// The OpenCode adapter: what memoir's plugin there hands on.

// A reply as memoir's plugin in OpenCode reads it: text for the model, and a tool's result in the place of its own.

/** Events whose answer the plugin can put before the model. */
const contextEvents: ReadonlySet<ClientEventName> = new Set([
  "SessionStart",
  "UserPromptSubmit",
  "PostToolUse",
  "PostToolUseFailure",
]);

/** The object to print: `context` to add, `output` to replace; undefined when there is nothing to say. */
function render(
  { name }: ClientEvent,
  { context, updatedToolOutput }: Reply,
): Record<string, unknown> | undefined {
  return answerOf({
    context: contextEvents.has(name) ? fitContext(context) : undefined,
    output: name === "PostToolUse" ? shownText(updatedToolOutput) : undefined,
  });
}

// OpenCode's registration: one file of our own in its folder of plugins, which also names the MCP server.

const events = eventsBut("PostToolBatch");

/** Where OpenCode keeps its settings, unless the environment says otherwise. */
function openCodeFolder(env: Environment): string {
  return join(env.XDG_CONFIG_HOME || join(userHome(env), ".config"), "opencode");
}

export const openCodeRegistration: ClientRegistration = {
  program: "opencode",
  folder: openCodeFolder,
  events,
  files: (place) => [
    {
      path: join(openCodeFolder(place.env), "plugins", "memoir.js"),
      parts: [{ kind: "whole", text: pluginText(place) }],
    },
  ],
  async look({ env }) {
    const fetched = join(openCodeFolder(env), "node_modules", "@opencode-ai", "plugin");
    if (existsSync(fetched)) return [];
    return [
      {
        state: "warn",
        message:
          "OpenCode has not fetched its package for plugins yet. It does so when it starts; while it cannot reach the npm registry, each start waits for that, for a minute and more.",
        fix: "Start OpenCode once where the npm registry can be reached.",
      },
    ];
  },
};

export const adapter: ClientAdapter = {
  ...byNormalForm("opencode", normalOpenCode),
  render,
  registration: openCodeRegistration,
  transcripts: openCodeTranscripts,
};

// memoir's plugin for OpenCode, which runs inside it: a file that hands every event to `memoir hook opencode` and brings the answer back.
//
// It says little itself: each payload has OpenCode's own words below `opencode`, and the adapter makes sense of them, so
// that an upgrade of memoir is enough when something changes. It must never throw, never block for long, and export one
// function only, as OpenCode runs every one.

const head = `// memoir for OpenCode: hands what happens to memoir, and gives back what memoir knows. Written by \`memoir install\`.
${spawnImport}
import { homedir } from "node:os";
import { isAbsolute, join } from "node:path";
`;

/** What is put into OpenCode's folder of plugins. The first line is how memoir knows the file for its own. */
export function pluginText({
  binary,
  home,
  client = "opencode",
  history,
  events,
}: RegistrationPlace): string {
  const where = home === undefined ? [] : ["--home", home];
  const settings = {
    run: [binary, "hook", client, ...where],
    ...(history !== undefined && { database: history }),
    server: {
      ...{ type: "local", command: [binary, "mcp"], enabled: true },
      ...(home !== undefined && { environment: { MEMOIR_HOME: home } }),
    },
    seconds: Object.fromEntries(events),
    deafened: Object.fromEntries(deafened.map((name) => [name, ""])),
  };
  return `${head}\nconst settings = ${JSON.stringify(settings, undefined, 2)};\n${runInside}${body}`;
}
