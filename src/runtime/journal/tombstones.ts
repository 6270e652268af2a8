// What was forgotten, as salted hashes without a word of it: asked of everything that could bring it back. A copy lies beside the journal.
import { createHash, randomBytes } from "node:crypto";
import { atomicWrite } from "../../home/atomic-write.ts";
import { readFileTextSync } from "../../home/read-file.ts";
import type { Database } from "../../host/sqlite.ts";

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
