// Tells commands that print a file's own text, which an edit may need word for word, whatever runs them.

/** What another command is run by; the rest of the line is looked at again. */
const wrappers = [
  // sudo cat a.ts · time cat a.ts · LANG=C cat a.ts
  /^(?:sudo|time|command|nice|env)\s+(?=\S)/,
  /^\w+=\S*\s+/,
  // ssh live-01 'cat /etc/app.ini'
  /^ssh\s+(?:-[46AaCfGgKkMNnqsTtVvXxYy]+\s+|-\w\s+\S+\s+)*[^-\s]\S*\s+/,
  // docker exec app cat a.ts · docker compose exec -T app cat a.ts
  /^(?:docker|podman)(?:[\s-]compose)?\s+exec\s+(?:-\S+\s+)*\S+\s+/,
  // kubectl exec deploy/shop -- cat a.ts
  /^kubectl\s(?:.*\s)?exec\s.*?\s--\s+/,
  // bash -lc "cat a.ts"
  /^(?:ba|da|z)?sh\s+-\w*c\s+/,
];
const printers = [
  // cat a.ts · head -50 a.ts · sed -n 1,80p a.ts
  /^(?:cat|head|tail|sed|nl|bat|batcat|awk|less|more|type|tac|Get-Content)\s(?:.*\s)?[^-\s]/,
  // git show HEAD:src/a.ts · git cat-file -p HEAD:a.ts
  /^git\s+(?:-\S+\s+)*(?:show|cat-file)\s(?:\S+\s+)*['"]?[^\s:]+:[^\s:]/,
  // grep '' a.ts · grep -n "" a.ts
  /^grep\s+(?:-\w+\s+)*(?:''|""|\.|\^)\s+\S/,
  // python3 -c "print(open('a.py').read())" · node -p "fs.readFileSync('a.js')" · ruby -e "puts File.read('a.rb')"
  /^(?:python[\d.]*|node|bun|deno|ruby|perl|php)\s.*\b(?:open\(.*\.read|readFile|File\.read|Bun\.file|readTextFile|file_get_contents)/,
];
/** Behind a pipe: what only passes lines on. `xargs cat` prints what was found. */
const filters = /^(?:head|tail|sed|awk|grep|rg|cut|sort|uniq|tr|cat|nl|less|more|column|fold)\b/;
const printsArguments = /^xargs\s(?:.*\s)?(?:cat|head|tail|sed|nl)\b/;

/** More of a command is not looked at. */
const longest = 2_000;

/** True when a command's output is, at least in part, a stretch of a file: `cat a.ts`, `cd x && sed -n 1,80p a.ts`. */
export function printsFiles(command: string): boolean {
  return split(command.slice(0, longest), /&&|\|\||[;\n]/).some((part) => {
    const [first = "", ...rest] = split(part, /\|/).map((program) => program.trim());
    const last = rest.at(-1);
    if (last !== undefined && printsArguments.test(last)) return true;
    const inner = unwrapped(first);
    if (inner !== first && printsFiles(inner)) return true;
    // `cat <<EOF > file` shows nothing, and `cat x | jq .` shows what jq makes of it.
    return (
      printers.some((form) => form.test(first)) &&
      !/<<|(?<!2)>\s*[^\s&]/.test(first.replaceAll(quoted, "''")) &&
      rest.every((program) => filters.test(program))
    );
  });
}

const quoted = /"(?:[^"\\]|\\.)*"|'[^']*'/g;

/** Parts of a command; what is quoted is not parted. */
function split(command: string, at: RegExp): string[] {
  const kept: string[] = [];
  const bare = command.replaceAll(quoted, (text) => `\uE000${kept.push(text) - 1}\uE001`);
  return bare
    .split(at)
    .map((part) =>
      part.replaceAll(/\uE000(\d+)\uE001/g, (_, number) => kept[Number(number)] ?? "").trim(),
    );
}

/** The command that others run, without its quotes. */
function unwrapped(command: string): string {
  for (const wrapper of wrappers) {
    const rest = command.replace(wrapper, "");
    if (rest !== command) return rest.trim().replace(/^(["'])([\s\S]*)\1$/, "$2");
  }
  return command;
}
