// Tells commands that print a file's own text, which an edit may need word for word.

const printers = /^(?:sudo\s+)?(?:cat|head|tail|sed|nl|bat|awk|less|more|type)\b/;
const filters = /^(?:head|tail|sed|awk|grep|rg|cut|sort|uniq|tr|cat|nl|less|more|column|fold)\b/;

/** True when a command's output is, at least in part, a stretch of a file: `cat a.ts`, `cd x && sed -n 1,80p a.ts`. */
export function printsFiles(command: string): boolean {
  const bare = command.replaceAll(/"(?:[^"\\]|\\.)*"|'[^']*'/g, "''");
  return bare.split(/&&|\|\||[;\n]/).some((part) => {
    const [first = "", ...rest] = part.split("|").map((program) => program.trim());
    // `cat <<EOF > file` shows nothing, and `cat x | jq .` shows what jq makes of it.
    return (
      printers.test(first) &&
      !/<<|(?<!2)>\s*[^\s&]/.test(first) &&
      /\s[^-\s]/.test(first) &&
      rest.every((program) => filters.test(program))
    );
  });
}
