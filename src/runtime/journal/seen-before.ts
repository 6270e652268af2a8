// Was this event seen before? By its key, by what happened (a transcript repeats what a hook delivered, or another
// transcript's copy of the same history), or among what the user had forgotten.
import { createHash } from "node:crypto";
import type { Database } from "../../host/sqlite.ts";
import type { ClientEvent } from "../../sdk/events.ts";
import { hasForgotten, isBuried } from "./tombstones.ts";

/** What the journal has under an event's key. */
export interface KnownEvent {
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
  const known = db
    .prepare<{ seq: number; row: number; promptNumber: number; recovered: number; there: number }>(
      `SELECT seq, session AS row, prompt_number AS promptNumber, recovered,
         EXISTS (SELECT 1 FROM payloads p WHERE p.seq = e.seq) AS there FROM events e WHERE key = ?`,
    )
    .get([key]);
  if (!known) return undefined;
  const { there, recovered, ...event } = known;
  return { ...event, recovered: recovered === 1, isWhole: there === 1 };
}

/** `delivered` by a hook; `recovered` from a transcript, or `released`: its texts were dropped since, being worked off. */
export type KnownKey = "delivered" | "recovered" | "released" | undefined;

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
  if (isBuried(db, { kind: "session", client, session, until: time })) return "gone";
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
  db.prepare("INSERT OR IGNORE INTO happened (hash) VALUES (?)").run([hashOf(text)]);
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
