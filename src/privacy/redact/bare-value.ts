// Where a value without quotes ends: at white space, or at a sign behind which something else clearly begins.
import { matchEnd } from "../../text/sticky.ts";
import { countRead } from "./effort.ts";

/** How far a value is looked at; the work stays linear however many names a text has. Of a longer one all goes up to a blank or quote. */
const longest = 500;
const rest = /[^\s"'`]*/y;
const white = /\s/;
/** What may follow a sign that ends a value. */
const ends: ReadonlyMap<string, RegExp> = new Map([
  // A further parameter of an address, `&&` of a shell, an entity of HTML.
  ["&", /^&(?:&|[\w.%[\]-]{1,64}=|(?:amp|quot|lt|gt|#\d+);|["'\s]|$)/],
  // A further setting of a connection, the end of a statement.
  [";", /^;(?:[ ]?[A-Za-z][\w ]{0,40}=|["'`\s)}]|\\+[nrt]|$)/],
  [",", /^,(?:[{["'\\]{0,3}[\w.-]{1,64}["'\\]{0,3}\s?[:=]|["'\s]|\\+[nrt]|$)/],
  ["|", /^\|(?:\||["'\s]|$)/],
  [
    "<",
    /^<\/|^<(?:b|br|p|i|em|code|td|tr|th|li|ul|ol|dd|dt|div|span|strong|pre|a|h\d)\b[^<>]{0,40}>/,
  ],
  [">", /^>(?:["'\s]|$)/],
  ...(['"', "'", "`"] as const).map(
    (quote) =>
      [
        quote,
        new RegExp(`^${quote}(?:[\\s,;:)\\]}>|&+.\\\\"'\`]|$)(?!(?<="")[A-Za-z0-9])`),
      ] as const,
  ),
]);
const closer =
  /^[)\]}]+(?:(?:return|continue|throw|catch|else|let|const|var|async|await|if|for|while|finally|function|case|break|export|import|class|try)\b|[\s"'`]|\\+[nrtux"'`]|[,;.:](?:[\s\w"'`)\]}]|$)|<\/?[A-Za-z]|&(?:&|[\w.-]{1,64}[=;]|\s|$)|\|(?:\||\s|$)|>(?:\s|["'`]|$)|$)/;
const escapeSign = /^\\+(?:[nrt"'`]|u00|x[0-9a-f]{2})/;

const quotes = "\"'`";

/** The end of a value that was judged by its beginning; to be asked of what goes only, for it may be far. */
export function wholeEnd(text: string, end: number): number {
  return matchEnd(rest, text, end) ?? end;
}

/** The end of the value that begins at `at`. */
export function bareEnd(text: string, at: number): number {
  const end = endOfBare(text, at);
  countRead(4 * (end - at));
  return end;
}

function endOfBare(text: string, at: number): number {
  const last = Math.min(text.length, at + longest);
  let open = 0;
  for (let i = at; i < last; i++) {
    const sign = text.charAt(i);
    if (white.test(sign)) return i;
    if (/\w/.test(sign)) continue;
    if ("([{".includes(sign)) open++;
    const after = (): string => text.slice(i, i + 72);
    if (sign === "\\" && escapeSign.test(after())) return i;
    if (")]}".includes(sign)) {
      if (open > 0) open--;
      else if (closer.test(after())) return i;
    }
    // What a bracket holds belongs together: `$(cat x; true)`.
    else if ((open === 0 || quotes.includes(sign)) && i > at && ends.get(sign)?.test(after()))
      return i;
  }
  return last;
}
