// Names in prose that only code has.

const codeName =
  /\b(?:[\w-]{2,}\.[a-z]\w{0,4}|[\w-]\.[a-z]{2,4})\b|\b[a-z]+(?:[A-Z][a-z0-9]*)+\b|\b(?:[A-Z][a-z0-9]+){2,}\b|\b[A-Za-z]\w*_\w+\b|\b[A-Za-z_]\w{3,}(?=\(\))/g;

/** Names in a text that only code has: `readFile`, `max_tokens`, `auth.ts`, `run()`. */
export function codeNames(text: string): string[] {
  return text.slice(0, 2_000).match(codeName) ?? [];
}
