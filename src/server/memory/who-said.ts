// Who a record is by, in a few words: the user, the agent, a tool, the client, or whoever concluded it; and whether it is as somebody read it. Pure.
import { createHash } from "node:crypto";
import { editable } from "../../sdk/editable.ts";
import type { StoredRecord } from "../../sdk/storage.ts";
import type { EvidenceKind, Marks } from "../../sdk/turn.ts";

/** Who is behind each kind of piece. */
export const speakers: Readonly<Record<EvidenceKind, string>> = {
  prompt: "user",
  typed: "user",
  refusal: "user",
  choice: "user",
  plan: "agent, accepted by user",
  interrupted: "user",
  closing: "agent",
  said: "agent",
  task: "agent",
  todo: "agent",
  report: "subagent",
  compaction: "client",
  commit: "agent",
  failure: "tool",
  repair: "tool",
  passed: "tool",
  ran: "tool",
};

/** Of a whole record, or of a piece of a turn; undefined for a whole turn, whose pieces are by many. */
export function whoSaid({ kind, record }: StoredRecord, piece?: number): string | undefined {
  if (record.edited)
    return isConfirmed(record) ? "confirmed by the user" : "in the user's own words";
  switch (kind) {
    case "prompt":
      return "typed by the user";
    case "memory":
      return ofItem(record);
    case "observation":
    case "summary": {
      // A storage of somebody else's may have kept none.
      const { strategy, model } = record.provenance ?? {};
      const by = [strategy, model].filter(Boolean).join(", ");
      return `concluded${by === "" ? "" : ` by ${by}`}`;
    }
    case "session":
      return undefined;
    case "turn": {
      const said = piece === undefined ? undefined : record.pieces[piece];
      return said && speakers[said.kind];
    }
  }
}

/** Its words are as they were: all that the user said of it is that it stands. */
function isConfirmed({ edited }: Marks): boolean {
  return Object.keys(edited?.was ?? {}).join() === "state";
}

/** With its version, and with `by` where one alone said it. */
export function attributed(stored: StoredRecord): StoredRecord & { by?: string; version: string } {
  const by = whoSaid(stored);
  return { ...stored, ...(by !== undefined && { by }), version: versionOf(stored) };
}

function ofItem({ state, quote, content }: Extract<StoredRecord, { kind: "memory" }>["record"]) {
  if (state === undefined) return "concluded; the user did not say it so";
  if (state === "candidate") return "said by the user once";
  return quote === undefined || quote === content ? "said by the user" : "chosen by the user";
}

/** Another one once it changes: of its texts, its state, and what the user made of it. */
export function versionOf({ kind, record }: StoredRecord): string {
  const { pinned, hidden, merged, edited } = record;
  const texts = [...editable[kind], "state"].map((name) => Reflect.get(record, name) ?? null);
  const said = JSON.stringify([texts, pinned, hidden, merged, edited?.time]);
  return createHash("sha256").update(said).digest("base64url").slice(0, 16);
}
