// Finds tags in text that only resembles XML: one pass, linear, never throws.
import { nameWords } from "../../src/text/index.ts";

/** A tag at `start` (its `<`) up to `end` (after its `>`). */
export interface Tag {
  /** Lower case, `_` for dashes and camel case, without a namespace. */
  name: string;
  kind: "open" | "close" | "empty";
  attributes: string;
  start: number;
  end: number;
}

/** The tag of a summary's text. */
export function tagOf(name: string): string {
  return nameWords(name, "_");
}

const tag = /<(\/?)\s{0,4}([a-z][\w:.-]{0,40})((?:\s[^<>]{0,300})?)(\/?)>/gi;

/** Every tag whose name is one of `names`; all others are text. */
export function findTags(text: string, names: ReadonlySet<string>): Tag[] {
  const found: Tag[] = [];
  for (const match of text.matchAll(tag)) {
    const [whole, slash, written = "", attributes = "", empty] = match;
    const name = normalName(written);
    if (!names.has(name)) continue;
    const isEmpty = empty === "/" || attributes.trimEnd().endsWith("/");
    found.push({
      name,
      kind: slash === "/" ? "close" : isEmpty ? "empty" : "open",
      attributes,
      start: match.index,
      end: match.index + whole.length,
    });
  }
  return found;
}

function normalName(written: string): string {
  return written
    .slice(written.lastIndexOf(":") + 1)
    .replace(/([a-z])([A-Z])/g, "$1_$2")
    .replaceAll("-", "_")
    .toLowerCase();
}

/** The value of an attribute, quoted or not; empty when it is not there. */
export function attribute(attributes: string, name: string): string {
  const found = new RegExp(`\\b${name}\\s*=\\s*(?:"([^"]*)"|'([^']*)'|([^\\s"'/]+))`, "i").exec(
    attributes,
  );
  return found?.[1] ?? found?.[2] ?? found?.[3] ?? "";
}

/** CDATA sections as ordinary escaped text, comments and processing instructions gone. What is never closed only loses its beginning. */
export function plainMarkup(text: string): string {
  if (!text.includes("<!") && !text.includes("<?")) return text;
  const asText = (inner: string) => inner.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
  const sections = between(text, "<![CDATA[", "]]>", asText);
  return between(sections, "<!--", "-->", () => " ").replace(/<\?[^<>]{0,200}\?>/g, " ");
}

/** Each stretch between `open` and `close` replaced by what `put` makes of it. Linear. */
function between(
  text: string,
  open: string,
  close: string,
  put: (inner: string) => string,
): string {
  const parts: string[] = [];
  let from = 0;
  for (;;) {
    const start = text.indexOf(open, from);
    if (start === -1) break;
    const end = text.indexOf(close, start + open.length);
    if (end === -1) return parts.join("") + text.slice(from).replaceAll(open, " ");
    parts.push(text.slice(from, start), put(text.slice(start + open.length, end)));
    from = end + close.length;
  }
  return parts.join("") + text.slice(from);
}
