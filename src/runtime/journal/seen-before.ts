// Was this event seen before? A moment ago, by another delivery; by its key; by what happened, of which hashes outlive the events (a
// transcript repeats what a hook delivered, or another transcript's copy of the same history); or among what the user had forgotten, which
// is known by salted hashes without a word of it.
import { createHash, randomBytes } from "node:crypto";
import type { Database } from "../../host/sqlite.ts";
import type { ClientEvent } from "../../sdk/events.ts";
import { identityOfParts } from "../../sdk/identity.ts";
import { dropOldest } from "../../text/text.ts";

// Delivered twice within moments: by a client that runs memoir's hooks from its settings and from a plugin; and, of dropped events, which the
// journal does not know, by a post and the spool.

/** The second copy comes while the first is under way. */
const togetherMs = 2_000;
const mostKept = 500;
const mostDropped = 2_000;
const longestPrint = 2_000;

const notice =
  "memoir: its hooks run twice in this session, from the settings and from the client's plugin. `memoir install` removes the duplicates.";

/** Nothing came yet; `now` gives epoch ms. */
export function createDuplicates(now: () => number) {
  const recent = new Map<string, { delivery: string; time: number; step: number }>();
  /** How often a session's prompts and answers took turns: the same words after that are said anew. */
  const steps = new Map<string, number>();
  const noticed = new Map<string, true>();
  const dropped = new Map<string, true>();

  /** True the first time, of the last so many. */
  function isFirst(known: Map<string, true>, key: string, most: number): boolean {
    if (known.has(key)) return false;
    known.set(key, true);
    dropOldest(known, most);
    return true;
  }

  return {
    /** True when the same event came a moment ago by another delivery. */
    isSecond(event: ClientEvent): boolean {
      const print = fingerprint(event);
      const before = recent.get(print);
      const step = steps.get(event.session) ?? 0;
      const isSame =
        before !== undefined && before.delivery !== event.id && now() - before.time <= togetherMs;
      // Two roads of one start may have the first prompt between them.
      const isAnew = event.name !== "SessionStart" && before?.step !== step;
      if (isSame && (isNamed(event) || !isAnew)) return true;
      const next = takesTurns.has(event.name) ? step + 1 : step;
      steps.delete(event.session);
      steps.set(event.session, next);
      dropOldest(steps, mostKept);
      recent.delete(print);
      recent.set(print, { delivery: event.id, time: now(), step: next });
      dropOldest(recent, mostKept);
      return false;
    },
    /** What a second copy's answer says, once in a session. */
    notice: (event: ClientEvent): string | undefined =>
      isFirst(noticed, event.session, mostKept) ? notice : undefined,
    /** True the first time that an event is dropped. */
    isNewDrop: (event: ClientEvent): boolean => isFirst(dropped, event.key, mostDropped),
  };
}

const takesTurns: ReadonlySet<string> = new Set(["UserPromptSubmit", "Stop"]);

/** Whether its key tells it from every other event: then it is no delivery's own. */
function isNamed({ id, key }: ClientEvent): boolean {
  return !key.endsWith(id);
}

/** A key that is not the delivery's own says it all; else everything that the client said. */
function fingerprint(event: ClientEvent): string {
  const { id, key, time: _time, transcriptBytes: _bytes, ...said } = event;
  if (isNamed(event)) return key;
  // A client that has no ids for its tool uses gets the delivery's for them.
  const text = JSON.stringify(said).replaceAll(id, "");
  return `${text.length} ${text.slice(0, longestPrint)}`;
}

// By its key, and by what became of what it belongs to.

/** What the journal has under an event's key. */
interface KnownEvent {
  seq: number;
  promptNumber: number;
  /** The journal's own number for its session. */
  row: number;
  /** It was read from a transcript. */
  recovered: boolean;
  /** Its texts are there. */
  isWhole: boolean;
}

/** What the journal has under this key. */
export function knownEvent(db: Database, key: string): KnownEvent | undefined {
  const known = db.get<{
    seq: number;
    row: number;
    promptNumber: number;
    recovered: number;
    there: number;
  }>(
    `SELECT seq, session AS row, prompt_number AS promptNumber, recovered,
         EXISTS (SELECT 1 FROM payloads p WHERE p.seq = e.seq) AS there FROM events e WHERE key = ?`,
    [key],
  );
  if (!known) return undefined;
  const { there, recovered, ...event } = known;
  return { ...event, recovered: recovered === 1, isWhole: there === 1 };
}

/** `delivered` by a hook; `recovered` from a transcript, or `released`: its texts were dropped since, being worked off. */
type KnownKey = "delivered" | "recovered" | "released" | undefined;

/** How the event under this key came. */
export function knownKey(db: Database, key: string): KnownKey {
  const known = knownEvent(db, key);
  if (!known?.recovered) return known && "delivered";
  return known.isWhole ? "recovered" : "released";
}

/** Whether an event that was read from a transcript would bring nothing: it came before, or was forgotten. */
export function hasKnown(db: Database, event: ClientEvent): boolean {
  return (
    knownEvent(db, event.key) !== undefined ||
    hasHappened(db, event) ||
    fateOf(db, event) !== undefined
  );
}

/**
 * What becomes of an event by what was forgotten: `gone`, it was part of that; `prompt`, it begins a prompt that was. The texts
 * of what belongs to such a prompt are not kept; see `forgetPrompts`.
 */
export function fateOf(db: Database, event: ClientEvent): "gone" | "prompt" | undefined {
  if (!hasForgotten(db)) return undefined;
  const { client, session, time } = event;
  const ofSession = identityOfParts("session", [client, session]);
  if (
    isBuried(db, { kind: "session", client, session, until: time }) ||
    isBuried(db, { kind: "identity", record: ofSession, until: time })
  )
    return "gone";
  if (
    "toolUseId" in event &&
    isBuried(db, { kind: "tool-use", client, toolUseId: event.toolUseId })
  )
    return "gone";
  if (event.name !== "UserPromptSubmit") return undefined;
  const { prompt: text, promptId } = event;
  const isKnown =
    isBuried(db, { kind: "prompt", client, session, time, text }) ||
    (promptId !== undefined && isBuried(db, { kind: "prompt-id", client, session, promptId })) ||
    (event.recovered !== undefined &&
      isBuried(db, { kind: "said", client, session, text, until: time }));
  return isKnown ? "prompt" : undefined;
}

/** Whether an event begins a prompt whose turn another memory forgot, by the number that it has here. */
export function beginsForgotten(db: Database, event: ClientEvent, promptNumber: number): boolean {
  if (event.name !== "UserPromptSubmit" || !hasForgotten(db)) return false;
  const record = identityOfParts("turn", [event.client, event.session, promptNumber]);
  return isBuried(db, { kind: "identity", record, until: event.time });
}

// What happened is kept as hashes that outlive their events.

/** A prompt's line and its hook differ in time by less than this, whatever other hooks did in between. */
const promptWindowMs = 60_000;

/** A tool use is found by its event as long as that is there. */
export function hasHappened(db: Database, event: ClientEvent): boolean {
  if ("toolUseId" in event && hasToolUse(db, event.client, event.toolUseId)) return true;
  const find = db.prepare("SELECT 1 FROM happened WHERE hash = ?");
  return askedTexts(event).some((text) => find.get([hashOf(text)]) !== undefined);
}

function hasToolUse(db: Database, client: string, toolUseId: string): boolean {
  const find = db.prepare(
    "SELECT 1 FROM events e JOIN sessions s ON s.id = e.session WHERE e.tool_use = ? AND s.client = ?",
  );
  return find.get([toolUseId, client]) !== undefined;
}

/** Notes a prompt or a tool use; other events follow from those. */
export function remember(db: Database, event: ClientEvent): void {
  if (event.name === "PostToolUse" || event.name === "PostToolUseFailure")
    rememberToolUse(db, event.client, event.toolUseId);
  else if (event.name === "UserPromptSubmit")
    note(db, event.recovered ? promptLine(event) : promptHook(event, windowOf(event.time)));
}

/** Notes a tool use whose event goes. */
export function rememberToolUse(db: Database, client: string, toolUseId: string): void {
  note(db, toolUse(client, toolUseId));
}

/** Notes what memory has already, so that no transcript tells it a second time. */
export function rememberPast(
  db: Database,
  client: string,
  { prompts, toolUses }: { prompts: readonly ClientEvent[]; toolUses: readonly string[] },
): void {
  for (const prompt of prompts) remember(db, prompt);
  for (const id of toolUses) rememberToolUse(db, client, id);
}

function note(db: Database, text: string): void {
  db.run("INSERT OR IGNORE INTO happened (hash) VALUES (?)", [hashOf(text)]);
}

function askedTexts(event: ClientEvent): string[] {
  if (event.name === "PostToolUse" || event.name === "PostToolUseFailure")
    return [toolUse(event.client, event.toolUseId)];
  if (event.name !== "UserPromptSubmit") return [];
  const at = windowOf(event.time);
  const near = [at - 1, at, at + 1].map((window) => promptHook(event, window));
  return [promptLine(event), ...near];
}

function toolUse(client: string, id: string): string {
  return `tool ${client} ${id}`;
}

type PromptEvent = ClientEvent & { name: "UserPromptSubmit" };

/** Without the session: a resumed or forked session's file begins with a copy of the older one. */
function promptLine({ client, time, prompt }: PromptEvent): string {
  return `line ${client} ${time} ${prompt}`;
}

function promptHook({ client, session, prompt }: PromptEvent, window: number): string {
  return `hook ${client} ${session} ${window} ${prompt}`;
}

function windowOf(time: number): number {
  return Math.floor(time / promptWindowMs);
}

/** 48 bits: a number that every driver stores exactly. */
function hashOf(text: string): number {
  return createHash("sha256").update(text).digest().readUIntBE(0, 6);
}

// What the user had forgotten.

/** One thing that was forgotten, in words that only its hash is kept of. */
export type Forgotten =
  | { kind: "session"; client: string; session: string; until: number }
  | { kind: "prompt"; client: string; session: string; time: number; text: string }
  /** The same words in the same session up to `until`, whenever a transcript says they were typed: clocks differ. */
  | { kind: "said"; client: string; session: string; text: string; until: number }
  | { kind: "prompt-id"; client: string; session: string; promptId: string }
  | { kind: "tool-use"; client: string; toolUseId: string }
  /** What another memory forgot, a record or a session, by its identity there and here. */
  | { kind: "identity"; record: string; until: number }
  /** `text` is what tells the record from others of its kind; what says the same of a time after `until` is another. */
  | { kind: "record"; of: string; project: string; text: string; until?: number };

/** Shorter prompts are said often in a session (`go on`), and hold nothing by themselves. */
const leastSaid = 20;

/** Notes what was forgotten; call it inside a transaction. */
export function bury(db: Database, forgotten: readonly Forgotten[]): void {
  const salt = saltOf(db);
  const add = db.prepare(addition);
  for (const one of forgotten) {
    const until = ("until" in one ? one.until : undefined) ?? null;
    for (const text of wordsOf(one)) add.run([saltedHash(salt, text), until]);
  }
}

/** Adds a hash; of two times the later counts. */
export const addition = `INSERT INTO tombstones (hash, until) VALUES (?, ?)
  ON CONFLICT (hash) DO UPDATE SET until = max(until, excluded.until)`;

/** Whether the user had this forgotten. */
export function isBuried(db: Database, one: Forgotten): boolean {
  if (!hasForgotten(db)) return false;
  const salt = saltOf(db);
  const find = db.prepare<{ until: number | null }>("SELECT until FROM tombstones WHERE hash = ?");
  return buriedTexts(one).some((text) => {
    const found = find.get([saltedHash(salt, text)]);
    if (found === undefined) return false;
    const at = "until" in one ? one.until : undefined;
    return at === undefined || found.until === null || at <= found.until;
  });
}

/** Whether the user ever had anything forgotten. */
export function hasForgotten(db: Database): boolean {
  return db.get("SELECT 1 FROM tombstones LIMIT 1") !== undefined;
}

/** The home's own: hashes of two homes say nothing of each other. */
export function saltOf(db: Database): string {
  const known = db.get<{ salt: string }>("SELECT salt FROM home_salt");
  if (known) return known.salt;
  const salt = randomBytes(16).toString("hex");
  db.run("INSERT INTO home_salt VALUES (?)", [salt]);
  return salt;
}

function wordsOf(one: Forgotten): string[] {
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
    case "identity":
      return [`identity ${one.record}`];
    case "record":
      return [`record ${one.of} ${one.project} ${plain(one.text)}`];
  }
}

function buriedTexts(one: Forgotten): string[] {
  if (one.kind !== "prompt") return wordsOf(one);
  const at = windowOf(one.time);
  return [at - 1, at, at + 1].map((window) => promptText(one, window));
}

function promptText(one: Forgotten & { kind: "prompt" }, window: number): string {
  return `prompt ${one.client} ${one.session} ${window} ${plain(one.text)}`;
}

/** Case and spacing tell no two apart. */
function plain(text: string): string {
  return text.toLowerCase().replace(/\s+/g, " ").trim();
}

function saltedHash(salt: string, text: string): string {
  return createHash("sha256").update(`${salt} ${text}`).digest("hex").slice(0, 32);
}

/** Marks a prompt: nothing is made of it. */
export function markForgotten(db: Database, session: number, promptNumber: number): void {
  db.run("INSERT OR IGNORE INTO forgotten VALUES (?, ?)", [session, promptNumber]);
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
export function numbersOf(db: Database, session: number): number[] {
  const found = db.get<{ prompts: number }>("SELECT prompts FROM sessions WHERE id = ?", [session]);
  return Array.from({ length: (found?.prompts ?? 0) + 1 }, (_, number) => number);
}
