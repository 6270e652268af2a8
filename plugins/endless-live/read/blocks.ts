// Cuts source text into functions, classes, tests and the like, by the words they begin with and by indentation; language by language is not needed.

/** Lines by their place; both ends included. */
interface Block {
  /** The first line of its signature. */
  from: number;
  /** The first line of its body; more than `to` for a block on one line. */
  body: number;
  to: number;
}

const starts = [
  // Go, Rust, Python, JavaScript, PHP, Kotlin, Swift, Ruby, Elixir …
  /^\s*(?:(?:export|default|pub(?:\([^)]*\))?|public|private|protected|internal|static|async|abstract|final|override|open|sealed|unsafe|inline|declare|suspend|data)\s+)*(?:func|function\*?|fn|fun|def|defp|defmacrop?|defimpl|class|interface|struct|enum|trait|impl|module|mod|namespace|type|record)\b/,
  // const handler = async (…) => {, exports.x = function
  /^\s*(?:export\s+)?(?:const|let|var)\s+\w+[^=]*=\s*(?:async\s*)?(?:function\b|\([^)]*$|[^=]*=>\s*[{(]?\s*$)/,
  // Tests
  /^\s*(?:describe|it|test|context|setup|setup_all|beforeEach|afterEach|beforeAll|afterAll)\b(?!\s*[=:]).*(?:\{|\bdo)\s*$/,
  // t.Run("…", func…
  /^\s*\w+\.Run\(.*func\(/,
  // Methods: public int total(Cart cart) {
  /^\s+(?:(?:public|private|protected|static|async|get|set|final|override|virtual|readonly)\s+)*[\w<>[\],.?*&:]+(?:\s+[\w*&]+)?\s*\([^;]*\)\s*(?::\s*[^;{]+|throws\s[^{]+|const\s*)?\{\s*$/,
  // Shell
  /^\s*[\w-]+\s*\(\)\s*\{/,
];
const notStarts = /^\s*(?:if|for|while|switch|catch|return|else|do|try|with|case|when|elif)\b/;
const closers = /^\s*(?:[)}\]]|end\b|else\b|rescue\b|after\b|catch\b|elif\b|except\b|finally\b)/;

/** The innermost blocks, in order, not overlapping: a class with methods gives its methods. */
export function blocksOf(lines: readonly string[]): Block[] {
  const blocks: Block[] = [];
  for (const [from, line] of lines.entries()) {
    if (notStarts.test(line) || !starts.some((start) => start.test(line))) continue;
    const block = extent(lines, from);
    if (!block) continue;
    // Outer ones come first: what holds an inner block is no block itself.
    while (blocks.length > 0 && (blocks.at(-1)?.to ?? -1) >= block.to) blocks.pop();
    blocks.push(block);
  }
  return blocks;
}

/** From its signature to the line before the next one that is not deeper, closing words and brackets included. */
function extent(lines: readonly string[], from: number): Block | undefined {
  const depth = indentation(lines[from] ?? "");
  let to = from;
  let body = from + 1;
  let open = brackets(lines[from] ?? "");
  let opened = open <= 0 || opens.test(lines[from] ?? "");
  for (let at = from + 1; at < lines.length; at++) {
    const line = lines[at] ?? "";
    if (line.trim() === "") continue;
    const own = indentation(line);
    if (own < depth || (own === depth && !closers.test(line))) break;
    to = at;
    if (!opened) {
      body = at + 1;
      open += brackets(line);
      opened = open <= 0 || opens.test(line);
    }
    if (own === depth && /^\s*(?:\}|end\b)/.test(line) && !/[{(]\s*$/.test(line)) break;
  }
  return opened && to > from ? { from, body, to } : undefined;
}

/** A signature ends where its brackets are closed, or at a word that opens a body. */
const opens = /(?:[{:]|\bdo|=>)\s*$/;

function brackets(line: string): number {
  let open = 0;
  for (const letter of line) open += letter === "(" ? 1 : letter === ")" ? -1 : 0;
  return open;
}

function indentation(line: string): number {
  let width = 0;
  for (const letter of line) {
    if (letter === "\t") width += 4;
    else if (letter === " ") width++;
    else break;
  }
  return width;
}
