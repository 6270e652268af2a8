// The idempotency key of a piece of work, made from its inputs so that a retry has the same one.
import { createHash } from "node:crypto";
import type { WorkKind } from "../ports.ts";

/** 32 hex digits of SHA-256 over the kind and the keys of its events, in order. */
export function workKey(kind: WorkKind, eventKeys: readonly string[]): string {
  const text = JSON.stringify([kind, ...eventKeys]);
  return createHash("sha256").update(text).digest("hex").slice(0, 32);
}
