// Passwords of addresses, in what memoir says of itself: a status in a screenshot or a bug report tells them too.
import { mapLeaves } from "../text/text.ts";

/** `name:password@` behind the slashes; one slash is left where an address was taken for a path. */
const password =
  /((?::\/\/|\b(?:https?|wss?|ssh|git|s?ftp|redis|postgres(?:ql)?|mysql|mongodb(?:\+srv)?|amqps?):\/)(?!\[redacted:)[^\s:@/"\\]{0,100}):(?:[^\s"\\/?#]{1,400}|[^\s@"\\]{1,400})@/g;
/** A token in the place of a name, long and with a digit. */
const token = /(:\/\/)(?=[^\s:@/"\\?#]*\d)[^\s:@/"\\?#]{16,400}@/g;
/** An address with a query, and a value there that its name says is secret. */
const asked = /:\/\/[^\s"\\?]{1,400}\?[^\s"\\]{1,4000}/g;
const parameter =
  /([?&][\w.-]{0,40}?(?:password|passwd|pwd|secret|token|api[_-]?key|access[_-]?key|auth|sig(?:nature)?|\bkey)=)[^&#]+/gi;

/** The text, JSON included, with a mark in place of each password, token and key of an address. */
export function withoutPasswords(text: string): string {
  return text
    .replace(password, (found, before: string) =>
      /^:\d{1,5}\//.test(found.slice(before.length)) ? found : `${before}:[redacted:password]@`,
    )
    .replace(token, "$1[redacted:token]@")
    .replace(asked, (address) => address.replace(parameter, "$1[redacted:secret]"));
}

/** A JSON value whose texts are without passwords of addresses. */
export function withoutPasswordsDeep<Value>(value: Value): Value {
  return mapLeaves(value, { text: withoutPasswords }) as Value;
}
