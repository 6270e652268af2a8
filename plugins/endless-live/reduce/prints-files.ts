// Tells commands that print a file's own text, which an edit may need word for word.

const printers = /^(?:sudo\s+)?(?:cat|head|tail|sed|nl|bat|awk|less|more|type|xxd|jq\s+-r)\b/;

/** True when a command's output is, at least in part, a stretch of a file: `cat a.ts`, `cd x && sed -n 1,80p a.ts`. */
export function printsFiles(command: string): boolean {
  const bare = command.replaceAll(/"(?:[^"\\]|\\.)*"|'[^']*'/g, "''");
  return bare.split(/&&|\|\||[;\n]/).some((part) => {
    const first = part.trim().split("|")[0] ?? "";
    // `tail -f log`, `cat <<EOF > file`: no file is shown.
    return printers.test(first) && !/<<|>\s*\S/.test(first) && /\s[^-\s|]/.test(first);
  });
}
