// What was forgotten, as salted hashes without a word of it: asked of everything that could bring it back. A copy lies beside the journal.
import { createHash, randomBytes } from "node:crypto";
import { atomicWrite, readFileTextSync } from "../../home/read-file.ts";
import type { Database } from "../../host/sqlite.ts";
import { parsedObject } from "../../host/unreadable-rows.ts";
import type { ClientEvent } from "../../sdk/events.ts";

/** Version 5 of the journal. */
export const tombstoneTables = `
-- Hashes of what the user had forgotten. "until" is set for a session: what it does after that is remembered again.
CREATE TABLE tombstones (hash TEXT PRIMARY KEY, until INTEGER) WITHOUT ROWID;
CREATE TABLE home_salt (salt TEXT PRIMARY KEY) WITHOUT ROWID;
`;

/** One thing that was forgotten, in words that only its hash is kept of. */
export type Forgotten =
  | { kind: "session"; client: string; session: string; until: number }
  | { kind: "prompt"; client: string; session: string; time: number; text: string }
  /** The same words in the same session up to `until`, whenever a transcript says they were typed: clocks differ. */
  | { kind: "said"; client: string; session: string; text: string; until: number }
  | { kind: "prompt-id"; client: string; session: string; promptId: string }
  | { kind: "tool-use"; client: string; toolUseId: string }
  /** `text` is what tells the record from others of its kind; what says the same of a time after `until` is another. */
  | { kind: "record"; of: string; project: string; text: string; until?: number };

/** A prompt's line in a transcript and its hook differ in time by less than this. */
const promptWindowMs = 60_000;

/** Shorter prompts are said often in a session (`go on`), and hold nothing by themselves. */
const leastSaid = 20;

/** Notes what was forgotten; call it inside a transaction. */
export function bury(db: Database, forgotten: readonly Forgotten[]): void {
  const salt = saltOf(db);
  const add = db.prepare(addition);
  for (const one of forgotten) {
    const until = ("until" in one ? one.until : undefined) ?? null;
    for (const text of textsOf(one)) add.run([hashOf(salt, text), until]);
  }
}

const addition = `INSERT INTO tombstones (hash, until) VALUES (?, ?)
  ON CONFLICT (hash) DO UPDATE SET until = max(until, excluded.until)`;

/** Whether the user had this forgotten. */
export function isBuried(db: Database, one: Forgotten): boolean {
  if (!hasForgotten(db)) return false;
  const salt = saltOf(db);
  const find = db.prepare<{ until: number | null }>("SELECT until FROM tombstones WHERE hash = ?");
  return askedTexts(one).some((text) => {
    const found = find.get([hashOf(salt, text)]);
    if (found === undefined) return false;
    const at = "until" in one ? one.until : undefined;
    return at === undefined || found.until === null || at <= found.until;
  });
}

/** The name of the copy, in the journal's folder. */
export const copyName = "forgotten";

/** One hash in it. */
const tombstone = /^([0-9a-f]{32})(?: (\d+))?$/;

/**
 * Takes over what the copy at `path` knows. `isBehind`: the journal did not; it was begun anew, or an earlier one was gone back
 * to. `unread`: lines that memoir did not write.
 */
export function readCopy(db: Database, path: string): { isBehind: boolean; unread: number } {
  let lines: string[];
  try {
    lines = readFileTextSync(path).split("\n");
  } catch {
    return { isBehind: false, unread: 0 };
  }
  const isRight = (line: string, at: number) =>
    line === "" || (at === 0 ? /^salt [0-9a-f]{32}$/ : tombstone).test(line);
  const unread = lines.filter((line, at) => !isRight(line, at)).length;
  const salt = /^salt ([0-9a-f]{32})$/.exec(lines[0] ?? "")?.[1];
  const ours = db.prepare<{ salt: string }>("SELECT salt FROM home_salt").get()?.salt;
  if (salt === undefined || (ours !== undefined && ours !== salt))
    return { isBehind: false, unread };
  const count = () =>
    db.prepare<{ n: number }>("SELECT count(*) AS n FROM tombstones").get()?.n ?? 0;
  const before = count();
  db.transaction(() => {
    db.prepare("INSERT OR IGNORE INTO home_salt VALUES (?)").run([salt]);
    const add = db.prepare(addition);
    for (const line of lines.slice(1)) {
      const [, hash, until] = tombstone.exec(line) ?? [];
      if (hash !== undefined) add.run([hash, until === undefined ? null : Number(until)]);
    }
  });
  return { isBehind: count() > before, unread };
}

/** Writes the copy, durably. */
export async function writeCopy(db: Database, path: string): Promise<void> {
  const rows = db
    .prepare<{ hash: string; until: number | null }>("SELECT hash, until FROM tombstones")
    .all();
  if (rows.length === 0) return;
  const lines = rows.map(({ hash, until }) => (until === null ? hash : `${hash} ${until}`));
  await atomicWrite(path, `${[`salt ${saltOf(db)}`, ...lines].join("\n")}\n`);
}

/** Whether the user ever had anything forgotten. */
export function hasForgotten(db: Database): boolean {
  return db.prepare("SELECT 1 FROM tombstones LIMIT 1").get() !== undefined;
}

/** The home's own: hashes of two homes say nothing of each other. */
function saltOf(db: Database): string {
  const known = db.prepare<{ salt: string }>("SELECT salt FROM home_salt").get();
  if (known) return known.salt;
  const salt = randomBytes(16).toString("hex");
  db.prepare("INSERT INTO home_salt VALUES (?)").run([salt]);
  return salt;
}

function textsOf(one: Forgotten): string[] {
  switch (one.kind) {
    case "session":
      return [`session ${one.client} ${one.session}`];
    case "prompt":
      return [promptText(one, windowOf(one.time))];
    case "said":
      if (one.text.length < leastSaid) return [];
      return [`said ${one.client} ${one.session} ${plain(one.text)}`];
    case "prompt-id":
      return [`prompt-id ${one.client} ${one.session} ${one.promptId}`];
    case "tool-use":
      return [`tool-use ${one.client} ${one.toolUseId}`];
    case "record":
      return [`record ${one.of} ${one.project} ${plain(one.text)}`];
  }
}

function askedTexts(one: Forgotten): string[] {
  if (one.kind !== "prompt") return textsOf(one);
  const at = windowOf(one.time);
  return [at - 1, at, at + 1].map((window) => promptText(one, window));
}

function promptText(one: Forgotten & { kind: "prompt" }, window: number): string {
  return `prompt ${one.client} ${one.session} ${window} ${plain(one.text)}`;
}

function windowOf(time: number): number {
  return Math.floor(time / promptWindowMs);
}

/** Case and spacing tell no two apart. */
function plain(text: string): string {
  return text.toLowerCase().replace(/\s+/g, " ").trim();
}

function hashOf(salt: string, text: string): string {
  return createHash("sha256").update(`${salt} ${text}`).digest("hex").slice(0, 32);
}

// What the user had forgotten: its events lose their texts, and nothing is made of them again.

/** Fields of an event that hold no text: who, when and where. */
const kept = [
  "id",
  "key",
  "client",
  "session",
  "time",
  "cwd",
  "name",
  "project",
  "agent",
  "transcriptPath",
  "transcriptBytes",
  "promptId",
  "toolUseId",
  "toolName",
  "isInterrupt",
  "recovered",
] as const;
/** Fields that an event of its kind has to have, emptied. */
const emptied: { readonly [Name in ClientEvent["name"]]?: Record<string, unknown> } = {
  UserPromptSubmit: { prompt: "" },
  PostToolUse: { toolInput: {}, toolResponse: null },
  PostToolUseFailure: { toolInput: {}, error: "" },
};

interface EventRow {
  seq: number;
  key: string;
  name: ClientEvent["name"];
  time: number;
  prompt_id: string | null;
  tool_use: string | null;
  client: string;
  session: string;
  json: string;
}

/** Marks prompts of a session, all up to now unless some are named, and empties their events; answers their tool uses. */
export function forgetPrompts(
  db: Database,
  session: number,
  numbers?: readonly number[],
): string[] {
  const prompts = numbers ?? numbersOf(db, session);
  // What was said of an event or a piece of work when it failed may quote it.
  const silence = [
    "UPDATE events SET reason = NULL, observations = NULL WHERE session = ? AND prompt_number = ?",
    "UPDATE work SET reason = NULL WHERE session = ? AND prompt_number = ?",
  ].map((sql) => db.prepare(sql));
  const events = db.prepare<EventRow>(
    `SELECT e.seq, e.key, e.name, e.time, e.prompt_id, e.tool_use, s.client, s.session, p.json
     FROM events e JOIN payloads p ON p.seq = e.seq JOIN sessions s ON s.id = e.session
     WHERE e.session = ? AND e.prompt_number = ?`,
  );
  const empty = db.prepare("UPDATE payloads SET json = ? WHERE seq = ?");
  const toolUses = db.prepare<{ tool_use: string }>(
    "SELECT tool_use FROM events WHERE session = ? AND prompt_number = ? AND tool_use IS NOT NULL",
  );
  for (const number of prompts) {
    markForgotten(db, session, number);
    for (const row of events.all([session, number])) {
      const event = parsedObject<ClientEvent>(row.json) ?? knownOf(row);
      bury(db, tombstonesOf(event));
      empty.run([JSON.stringify(emptiedEvent(event)), row.seq]);
    }
    for (const update of silence) update.run([session, number]);
  }
  return prompts.flatMap((number) =>
    toolUses.all([session, number]).map(({ tool_use }) => tool_use),
  );
}

/**
 * The same of a whole session, with what names it: its folder, its project, its transcript. What it does from now on is
 * remembered again.
 */
export function forgetSession(db: Database, session: number): string[] {
  const toolUses = forgetPrompts(db, session);
  const payloads = db.prepare<{ seq: number; json: string }>(
    "SELECT seq, json FROM events JOIN payloads USING (seq) WHERE session = ?",
  );
  const write = db.prepare("UPDATE payloads SET json = ? WHERE seq = ?");
  for (const { seq, json } of payloads.all([session])) {
    const { project: _, transcriptPath: __, ...event } = JSON.parse(json) as ClientEvent;
    write.run([JSON.stringify({ ...event, cwd: "" }), seq]);
  }
  db.prepare(
    `DELETE FROM transcripts WHERE path = (SELECT transcript_path FROM sessions WHERE id = ?)`,
  ).run([session]);
  db.prepare(
    `DELETE FROM injections WHERE session = (SELECT session FROM sessions WHERE id = ?)`,
  ).run([session]);
  const project = JSON.stringify({ id: "", name: "", root: "" });
  db.prepare(
    "UPDATE sessions SET project = ?, project_id = '', transcript_path = NULL WHERE id = ?",
  ).run([project, session]);
  return toolUses;
}

/** Marks a prompt: nothing is made of it. */
export function markForgotten(db: Database, session: number, promptNumber: number): void {
  db.prepare("INSERT OR IGNORE INTO forgotten VALUES (?, ?)").run([session, promptNumber]);
}

/** Whether this very prompt is marked. */
export function isMarked(db: Database, session: number, promptNumber: number): boolean {
  const find = db.prepare("SELECT 1 FROM forgotten WHERE session = ? AND prompt_number = ?");
  return find.get([session, promptNumber]) !== undefined;
}

/** Whether nothing may be made of a prompt; without a number, of none of the session's. */
export function isForgotten(db: Database, session: number, promptNumber?: number): boolean {
  const [before = 0, ...prompts] = numbersOf(db, session);
  const all = prompts.length > 0 ? prompts : [before];
  const numbers = promptNumber === undefined ? all : [promptNumber];
  return numbers.every((number) => isMarked(db, session, number));
}

/** 0 is what was before any prompt. */
function numbersOf(db: Database, session: number): number[] {
  const found = db
    .prepare<{ prompts: number }>("SELECT prompts FROM sessions WHERE id = ?")
    .get([session]);
  return Array.from({ length: (found?.prompts ?? 0) + 1 }, (_, number) => number);
}

/** What is known of an event whose text does not parse: the text goes like the others, and there is nothing in it to go by. */
function knownOf({ key, name, time, client, session, ...row }: EventRow): ClientEvent {
  return {
    ...{ id: key, key, name, time, client, session, cwd: "" },
    ...emptied[name],
    ...(row.prompt_id !== null && { promptId: row.prompt_id }),
    ...(row.tool_use !== null && { toolUseId: row.tool_use, toolName: "" }),
  } as ClientEvent;
}

/** Of what tells itself from others when a transcript brings it again; an emptied prompt said what it was when it was emptied. */
function tombstonesOf(event: ClientEvent): Forgotten[] {
  const { client, session, time } = event;
  if ("toolUseId" in event) return [{ kind: "tool-use", client, toolUseId: event.toolUseId }];
  if (event.name !== "UserPromptSubmit") return [];
  const { prompt: text, promptId } = event;
  return [
    ...(text === "" ? [] : [{ kind: "prompt" as const, client, session, time, text }]),
    ...(promptId === undefined ? [] : [{ kind: "prompt-id" as const, client, session, promptId }]),
  ];
}

/** The event without what it says. */
export function emptiedEvent(event: ClientEvent): Record<string, unknown> {
  const fields = Object.entries(event).filter(([name]) =>
    (kept as readonly string[]).includes(name),
  );
  return { ...Object.fromEntries(fields), ...emptied[event.name] };
}
