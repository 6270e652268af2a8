// What several suites look at: texts of whole characters, values of one shape, drafts by the model's rules.
import assert from "node:assert/strict";
import * as v from "valibot";
import { type ObservationDraft, ObservationDraftSchema } from "../sdk/model.ts";

/** Where a warning goes: a case's room. */
interface Warned {
  warn(what: string): void;
}

/** Fails with `what` and the first place where `schema` does not hold. */
export function assertFits(schema: v.GenericSchema, value: unknown, what: string): void {
  const result = v.safeParse(schema, value);
  if (result.success) return;
  const [issue] = result.issues;
  const place = issue && v.getDotPath(issue);
  assert.fail(`${what}: ${place ? `${place}: ` : ""}${issue?.message}`);
}

/** Fails where any text in the value holds half a character or a NUL. */
export function assertWholeText(value: unknown, what: string): void {
  for (const text of textsOf(value)) {
    assert.ok(text.isWellFormed(), `${what} holds half a character: use toWellFormed()`);
    assert.ok(!text.includes("\0"), `${what} holds a NUL character: take it out`);
  }
}

/** Every string in a value, keys excepted. */
export function textsOf(value: unknown): string[] {
  if (typeof value === "string") return [value];
  if (typeof value !== "object" || value === null) return [];
  return Object.values(value).flatMap(textsOf);
}

/** Fails where `after` lacks a field of `before` or holds it with another type. Texts may differ; `mayLack` names fields that may go. */
export function assertSameShape(
  before: unknown,
  after: unknown,
  place: string,
  mayLack: readonly string[] = [],
): void {
  assert.equal(typeOf(after), typeOf(before), `${place} changed its type`);
  if (typeof before !== "object" || before === null || Array.isArray(before)) return;
  for (const [key, value] of Object.entries(before)) {
    if (mayLack.includes(key) && !Object.hasOwn(after as object, key)) continue;
    assert.ok(Object.hasOwn(after as object, key), `${place}.${key} is gone`);
    assertSameShape(value, (after as Record<string, unknown>)[key], `${place}.${key}`, mayLack);
  }
}

function typeOf(value: unknown): string {
  return value === null ? "null" : Array.isArray(value) ? "list" : typeof value;
}

const words = (text: string) => text.split(/\s+/).filter(Boolean).length;

/** A model is asked for 3 to 8 words, a quotation takes up to 24; only what is far longer is refused. */
export function assertTitle(title: string, what: string, room: Warned): void {
  assert.ok(words(title) <= 24 && !title.includes("\n"), `${what}: a title has 3 to 24 words`);
  if (words(title) < 3 || words(title) > 8) room.warn(`${what}: 3 to 8 words are best`);
}

/** Fails where a draft breaks a rule of the model that readers rely on; warns where it could be better. */
export function assertDraft(draft: ObservationDraft, room: Warned): void {
  const what = `the observation "${String(draft.title).slice(0, 60)}"`;
  assertFits(ObservationDraftSchema, draft, what);
  assertWholeText(draft, what);
  assert.ok(draft.title.trim() !== "", "an observation has an empty title");
  assertTitle(draft.title, what, room);
  assert.ok(words(draft.subtitle) <= 60, `${what}: a subtitle has at most 24 words`);
  assert.ok(draft.facts.length <= 7, `${what}: there are at most 7 facts`);
  for (const fact of draft.facts)
    assert.ok(fact.length <= 400, `${what}: a fact has at most 150 characters`);
  if (draft.facts.some((fact) => fact.length < 50 || fact.length > 150))
    room.warn(`${what}: facts of 50 to 150 characters that each stand alone are found best`);
  if (draft.facts.length === 0) room.warn(`${what} has no facts`);
  assert.ok(
    draft.concepts.every((concept) => concept === concept.toLowerCase()),
    `${what}: concepts are lower case`,
  );
}
