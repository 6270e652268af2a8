// The top-level declarations of a declaration file, each with the comment above it.

/** One of them; overloads are several. */
export interface Declaration {
  name: string;
  /** False for a type that only others' declarations name. */
  isExported: boolean;
  kind: "const" | "function" | "class" | "interface" | "type";
  /** As it is written, comment included. */
  text: string;
  /** Its comment as plain text; empty when it has none. */
  doc: string;
  /** The declaration alone, comments of its fields included. */
  code: string;
}

const head = /^(export )?(?:declare )?(?:abstract )?(const|function|class|interface|type) ([\w$]+)/;

/** Each ends where the next, or its comment, begins at the margin. */
export function declarationsIn(file: string): Declaration[] {
  const lines = file.replace(/^export \{\};$/gm, "").split("\n");
  const begins = lines.flatMap((line, at) => {
    if (!head.test(line)) return [];
    if (!lines[at - 1]?.trimEnd().endsWith("*/")) return at;
    return lines.findLastIndex((above, index) => index < at && above.startsWith("/**"));
  });
  return begins.map((begin, at) => {
    const text = lines
      .slice(begin, begins[at + 1])
      .join("\n")
      .trimEnd();
    const comment = /^\/\*\*(?:(?!\*\/)[\s\S])*\*\/\n/.exec(text)?.[0] ?? "";
    const declared = text.slice(comment.length);
    const [, exported, kind, name = ""] = head.exec(declared) ?? [];
    return {
      name,
      isExported: exported !== undefined,
      kind: kind as Declaration["kind"],
      text,
      doc: plainText(comment),
      code: declared.replace(/^(?:export )?(?:declare )?/, ""),
    };
  });
}

/** The text of a comment, without what marks it as one. */
export function plainText(comment: string): string {
  return comment
    .trim()
    .replace(/^\/\*\*\s?|\s*\*\/$/g, "")
    .replace(/^ *\* ?/gm, "")
    .trim();
}
