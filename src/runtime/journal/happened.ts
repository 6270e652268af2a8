// What happened, as hashes that outlive their events: a transcript has things that a hook delivered, or that another transcript's copy had.
import { createHash } from "node:crypto";
import type { Database } from "../../host/sqlite.ts";
import type { ClientEvent } from "../../sdk/events.ts";

/** A prompt's line and its hook differ in time by less than this, whatever other hooks did in between. */
const promptWindowMs = 60_000;

/**
 * True when this event, read from a transcript, came before: from a hook, or from a transcript that shares its history.
 * A tool use is found by its event as long as that is there.
 */
export function hasHappened(db: Database, event: ClientEvent): boolean {
  if ("toolUseId" in event && hasToolUse(db, event.client, event.toolUseId)) return true;
  const find = db.prepare("SELECT 1 FROM happened WHERE hash = ?");
  return askedHashes(event).some((text) => find.get([hashOf(text)]) !== undefined);
}

/** Notes a prompt or a tool use; other events follow from those. */
export function remember(db: Database, event: ClientEvent): void {
  const text = ownHash(event);
  if (text !== undefined) note(db, text);
}

/** Notes a tool use whose event goes. */
export function rememberToolUse(db: Database, client: string, toolUseId: string): void {
  note(db, toolUse(client, toolUseId));
}

function hasToolUse(db: Database, client: string, toolUseId: string): boolean {
  const find = db.prepare(
    "SELECT 1 FROM events e JOIN sessions s ON s.id = e.session WHERE e.tool_use = ? AND s.client = ?",
  );
  return find.get([toolUseId, client]) !== undefined;
}

function note(db: Database, text: string): void {
  db.prepare("INSERT OR IGNORE INTO happened (hash) VALUES (?)").run([hashOf(text)]);
}

function ownHash(event: ClientEvent): string | undefined {
  switch (event.name) {
    case "PostToolUse":
    case "PostToolUseFailure":
      return toolUse(event.client, event.toolUseId);
    case "UserPromptSubmit":
      return event.recovered ? exactPrompt(event) : hookPrompt(event, window(event.time));
    default:
      return undefined;
  }
}

function toolUse(client: string, id: string): string {
  return `tool ${client} ${id}`;
}

function askedHashes(event: ClientEvent): string[] {
  if (event.name !== "UserPromptSubmit") {
    const own = ownHash(event);
    return own === undefined ? [] : [own];
  }
  const at = window(event.time);
  const near = [at - 1, at, at + 1].map((one) => hookPrompt(event, one));
  return [exactPrompt(event), ...near];
}

type PromptEvent = ClientEvent & { name: "UserPromptSubmit" };

/** Without the session: a resumed or forked session's file begins with a copy of the older one. */
function exactPrompt({ client, time, prompt }: PromptEvent): string {
  return `line ${client} ${time} ${prompt}`;
}

function hookPrompt({ client, session, prompt }: PromptEvent, at: number): string {
  return `hook ${client} ${session} ${at} ${prompt}`;
}

function window(time: number): number {
  return Math.floor(time / promptWindowMs);
}

/** 48 bits: a number that every driver stores exactly. */
function hashOf(text: string): number {
  return createHash("sha256").update(text).digest().readUIntBE(0, 6);
}
