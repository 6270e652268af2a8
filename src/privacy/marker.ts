// The mark around everything memoir tells an agent, so that it is recognised wherever it comes back and never captured.
import { mapLeaves, someText } from "../text/deep.ts";
import { stripAnsi } from "../text/text.ts";
import { compileTag, hasTag, mayHoldTag, stripTagged } from "./tagged.ts";

const name = "memoir-context";
const tag = compileTag(name, { strict: false });

// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is taken out
const controls = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200b\u202a-\u202e\u2066-\u2069]/g;
/** Tags by which clients and models tell who speaks: a file's name must not close the client's own. */
const speakers =
  /<(?=\s{0,4}\/?\s{0,4}(?:system|human|assistant|tool_(?:use|result)|function_|invoke\b|antml:))/gi;

/** Nothing that was kept from files and tools may command a terminal, or pose as anything but a note. */
function defuse(body: string): string {
  return stripAnsi(body)
    .replace(controls, "")
    .replace(speakers, "‹")
    .replace(/memoir-context/gi, "memoir context");
}

/**
 * The text in its mark: `<memoir-context key="value">`, the text on lines of its own, `</memoir-context>`. A marker
 * inside the text is defused, so that the mark closes where it should; so are tags that tell who speaks
 * (`</system-reminder>`), and control characters are taken out. Never longer than the parts.
 */
export function wrapContext(body: string, attributes: Record<string, string> = {}): string {
  const written = Object.entries(attributes)
    .map(([key, value]) => ` ${key}="${value.replace(/["<>&\s]+/g, " ").trim()}"`)
    .join("");
  return `<${name}${written}>\n${defuse(body)}\n</${name}>`;
}

/** True when the text holds any part of a mark, plain or escaped. */
export function hasContext(text: string): boolean {
  return hasTag(text, tag);
}

/**
 * The text without memoir's own context, also where the mark is escaped (in JSON, HTML, URLs) or torn: an opening
 * mark without its end takes everything after it, a closing one without its beginning everything before it.
 */
export function stripContext(text: string): string {
  return stripTagged(text, tag);
}

/** `stripContext` for every text in a JSON value. A mark that opens in one string of a list closes in a later one. */
export function stripContextDeep(value: unknown): unknown {
  if (!someText(value, (text) => mayHoldTag(text, tag))) return value;
  return mapLeaves(value, { text: stripContext, spans: hasContext });
}
