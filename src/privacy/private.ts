// `<private>…</private>`: what a person does not want remembered. Nothing between the tags is kept.
import { mapLeaves } from "../text/deep.ts";
import { compileTag, hasTag, stripTagged } from "./tagged.ts";

const tag = compileTag("private", { strict: true });

/** Stands for a text that was private as a whole. */
export const privateText = "[private]";

/** True when the text holds an opening or closing `private` tag, plain or escaped. */
export function hasPrivate(text: string): boolean {
  return hasTag(text, tag);
}

/**
 * The text without private content: any case, with attributes, nested, escaped (`&lt;`, `\u003c`). It fails closed:
 * an opening tag without its end takes everything after it, a closing tag without its beginning everything before it.
 */
export function stripPrivate(text: string): string {
  return stripTagged(text, tag);
}

/** `stripPrivate` for every text in a JSON value. A tag that opens in one string of a list closes in a later one. */
export function stripPrivateDeep(value: unknown): unknown {
  return mapLeaves(value, { text: stripPrivate, spans: hasPrivate });
}
