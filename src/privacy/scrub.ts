// Everything that must never be kept, taken out of a JSON value in one call: our own context, private content, secrets.
import { stripContextDeep } from "./marker.ts";
import { stripPrivateDeep } from "./private.ts";
import { redactDeep } from "./redact.ts";

/** A JSON value without memoir's own context, private content and secrets; `count` is how many secrets it lost. */
export function scrubDeep(value: unknown): { value: unknown; count: number } {
  return redactDeep(stripPrivateDeep(stripContextDeep(value)));
}
