// One line of plain text as sentences: dots inside names, numbers and abbreviations do not end one.

const abbreviations =
  /(?:\b(?:e\.g|i\.e|etc|vs|cf|approx|no|fig|resp|incl|z\.B|bzw|ca|p\.ej)|\b[A-Z])\.$/i;

/** In order, trimmed, none empty. */
export function sentencesOf(text: string): string[] {
  const found: string[] = [];
  let from = 0;
  let depth = 0;
  for (let i = 0; i < text.length; i++) {
    const char = text[i] ?? "";
    if (char === "(" || char === "[") depth++;
    else if ((char === ")" || char === "]") && depth > 0) depth--;
    else if ("。！？".includes(char)) {
      found.push(text.slice(from, i + 1));
      from = i + 1;
      depth = 0;
    } else if (
      ".!?؟".includes(char) &&
      depth === 0 &&
      /^["')\]*_]*\s/.test(text.slice(i + 1, i + 6))
    ) {
      const rest = text.slice(i + 1).trimStart();
      const piece = text.slice(from, i + 1);
      if (
        char === "." &&
        (abbreviations.test(piece) ||
          (/^[a-z]/.test(rest) && !/[a-z]{3}\.$/.test(piece)) ||
          // `"… done." - "…"` goes on.
          /^["')\]*_]+\s+[-–—,;]/.test(rest) ||
          /^\s*\d{1,2}\.$/.test(piece))
      )
        continue;
      found.push(piece);
      from = i + 1;
    }
  }
  found.push(text.slice(from));
  return found.map((piece) => piece.trim()).filter((piece) => piece !== "");
}
