// What makes two records the same one, wherever they are kept. Apart from the contract: only memoir itself asks for it.
import { createHash } from "node:crypto";
import type {
  NewMemoryItem,
  NewObservation,
  NewPrompt,
  NewSummary,
  SessionUpdate,
} from "./model.ts";
import type { PutRequest } from "./storage.ts";
import type { Marks, NewTurn } from "./turn.ts";

/** A record of any kind, with or without storage's own. */
export type AnyRecord =
  | { kind: "session"; record: SessionUpdate }
  | { kind: "prompt"; record: NewPrompt }
  | { kind: "turn"; record: NewTurn }
  | { kind: "observation"; record: NewObservation }
  | { kind: "summary"; record: NewSummary }
  | { kind: "memory"; record: NewMemoryItem };

/** Of a record, the identities of those that its `supersededBy` and `merged` name. */
export type RecordLinks = NonNullable<PutRequest["links"]>[string];

/** A record as it was before the user edited it. */
export function originalOf<Value extends Marks>(record: Value): Value {
  return { ...record, ...record.edited?.was };
}

/** A hash, the same in every memory; nothing of what the record says can be read from it. */
export function identityOf(one: AnyRecord): string {
  return identityOfParts(one.kind, partsOf(one));
}

/** The same by what `identityOf` is made from: of an observation client, session and content hash, of an item project, kind and content. */
export function identityOfParts(kind: AnyRecord["kind"], parts: readonly unknown[]): string {
  return hash(JSON.stringify([kind, ...parts]));
}

/** What a record is the only one of, before any edit. */
function partsOf(one: AnyRecord): unknown[] {
  switch (one.kind) {
    case "session":
      return [one.record.client, one.record.id];
    case "prompt":
    case "turn":
      return [one.record.client, one.record.session, one.record.promptNumber];
    case "summary": {
      const { client, session, scope, promptNumber } = one.record;
      return [client, session, scope, promptNumber];
    }
    case "observation":
      return [one.record.client, one.record.session, contentHash(originalOf(one.record))];
    case "memory": {
      const { project, kind, content } = originalOf(one.record);
      return [project, kind, content];
    }
  }
}

/** Same title and facts, whatever their case and spacing; without facts the story tells two observations apart. */
export function contentHash({
  title,
  facts,
  subtitle,
  narrative,
}: Pick<NewObservation, "title" | "facts" | "subtitle" | "narrative">): string {
  const text = [title, ...(facts.length > 0 ? facts : [subtitle, narrative])]
    .map((part) => part.toLowerCase().replace(/\s+/g, " ").trim())
    .join("\n");
  return hash(text);
}

/** True for a session of which only its other records tell: no line or update of its own was there yet. */
export function isBareSession({
  title = "",
  prompts = 0,
  project,
  status,
  transcriptPath,
}: SessionUpdate): boolean {
  const { root, branch } = project;
  const isNamed =
    title !== "" || root !== "" || branch !== undefined || transcriptPath !== undefined;
  return !isNamed && prompts === 0 && status === "active";
}

function hash(text: string): string {
  return createHash("sha256").update(text).digest("hex").slice(0, 32);
}
