// What others wrote, as it is told to an agent: nothing in it can be taken for the client's words, a mark of memoir's, or the quotation's end. Pure.
import { mapLeaves } from "./deep.ts";
import { stripAnsi } from "./text.ts";

/** Characters that are not seen, or turn the order of what is; what scripts need to join letters stays. */
const unseen = /(?![\n\t\u200c\u200d])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Co}]/gu;
/** The beginning of a tag, or its end. Behind a word only one with a name of who speaks, or with a hyphen: `Map<string>` is none. */
const tag =
  /[<＜](?=[/!?|]|(?:system|human|assistant|tool_(?:use|result)|function_|antml:|memoir-context)|\p{L}+(?:-\p{L}+)+\s*>)|(?<![\p{L}\p{N}_])[<＜](?=\p{L})/giu;

/** The text without characters that are not seen, and with tags that are none any more. */
export function asData(text: string): string {
  return asSeen(text).replace(tag, "‹");
}

/** Without what is not seen, or turns the order of what is; tags stay. */
export function asSeen(text: string): string {
  return stripAnsi(text).replace(unseen, "");
}

/** The same for every text in a JSON value. */
export function asDataDeep<Value>(value: Value): Value {
  return mapLeaves(value, { text: asData }) as Value;
}

/** The same for what stands between “ and ”: it cannot end them. */
export function asQuoted(text: string): string {
  return asData(text).replace(/[“”„]/g, '"');
}
