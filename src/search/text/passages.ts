// Cuts a text into passages: what reads as one, of about fifty words.

/** A stretch of a text, in UTF-16 units. */
export interface Stretch {
  start: number;
  end: number;
}

const wanted = 50;
/** A blank line, or a line that begins a list item, a heading or a fence. */
const opens = /^[ \t]*(?:$|[-*+•][ \t]|\d{1,3}[.)][ \t]|#{1,6}[ \t]|```|~~~|>[ \t]|\|)/;
const words = /\S+/g;
/** Characters of an unspaced script that stand for a word each two of them. */
const unspaced =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/gu;

/** Blocks at blank lines, list items and headings, joined up to fifty words; longer ones are cut every fifty. */
export function passagesOf(text: string): Stretch[] {
  const found: Stretch[] = [];
  let open: (Stretch & { count: number }) | undefined;
  const close = () => {
    if (open) found.push({ start: open.start, end: open.end });
    open = undefined;
  };
  for (const block of blocks(text)) {
    const count = countWords(text.slice(block.start, block.end));
    if (count === 0) continue;
    if (open && open.count + count > wanted) close();
    if (count > wanted) {
      found.push(...cut(text, block));
      continue;
    }
    open = open
      ? { start: open.start, end: block.end, count: open.count + count }
      : { ...block, count };
  }
  close();
  return found;
}

/** Runs of lines that read as one. */
function blocks(text: string): Stretch[] {
  const found: Stretch[] = [];
  let start = 0;
  for (let at = 0; at < text.length; ) {
    const newline = text.indexOf("\n", at);
    const end = newline < 0 ? text.length : newline;
    if (at > start && opens.test(text.slice(at, Math.min(end, at + 80)))) {
      found.push({ start, end: at });
      start = at;
    }
    at = end + 1;
  }
  if (start < text.length) found.push({ start, end: text.length });
  return found;
}

function countWords(text: string): number {
  return (text.match(words)?.length ?? 0) + Math.floor((text.match(unspaced)?.length ?? 0) / 2);
}

/** Every fifty words; a run without spaces also every four hundred characters. */
function cut(text: string, block: Stretch): Stretch[] {
  const found: Stretch[] = [];
  let start = block.start;
  let count = 0;
  for (const word of text.slice(block.start, block.end).matchAll(words)) {
    const at = block.start + word.index;
    if (count >= wanted) {
      found.push({ start, end: at });
      start = at;
      count = 0;
    }
    count += countWords(word[0]);
    const end = at + word[0].length;
    while (end - start > longest) {
      const splits =
        text.charCodeAt(start + longest) >= 0xdc00 && text.charCodeAt(start + longest) <= 0xdfff;
      const stop = start + longest - (splits ? 1 : 0);
      found.push({ start, end: stop });
      start = stop;
      count = 0;
    }
  }
  if (start < block.end) found.push({ start, end: block.end });
  return found;
}

const longest = 1_000;
