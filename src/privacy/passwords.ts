// Passwords of addresses, in what memoir says of itself: a status in a screenshot or a bug report tells them too.
import { mapLeaves } from "../text/deep.ts";

/** The text, JSON included, with a mark in place of each password of an address. */
export function withoutPasswords(text: string): string {
  return text.replace(
    /(:\/\/[^\s:@/"\\]{0,100}):(?:[^\s"\\/?#]{1,400}|[^\s@"\\]{1,400})@/g,
    (found, before: string) =>
      /^:\d{1,5}\//.test(found.slice(before.length)) ? found : `${before}:[redacted:password]@`,
  );
}

/** A JSON value whose texts are without passwords of addresses. */
export function withoutPasswordsDeep<Value>(value: Value): Value {
  return mapLeaves(value, { text: withoutPasswords }) as Value;
}
