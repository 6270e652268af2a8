// What a command line says of itself without being run: whether its exit tells, what it commits.

/** What is looked at of a command line: somebody pasted the rest. */
const mostRead = 20_000;

/** The line without quoted texts and here-documents, so that their content is not taken for commands. */
function bare(line: string): string {
  return line
    .slice(0, mostRead)
    .replace(/<<-?\s*(['"]?)(\w+)\1[^\n]*\n[\s\S]*?\n\s*\2(?=\s|\)|$)/g, " ")
    .replace(/\\[\s\S]/g, "x")
    .replace(/'[^']*'|"[^"]*"/g, "''");
}

/** True when the exit code is that of the last part only: of a pipe, or of what was tried instead. */
export function hidesExit(line: string): boolean {
  return /\|(?!&?\s*$)/.test(bare(line)) && !/\bpipefail\b/.test(line);
}

const committing = /\bgit(?:\s+-\S+(?:\s+[^\s-]\S*)?){0,5}\s+commit\b/;
const heredoc = /<<-?\s*(['"]?)(\w+)\1[^\n]*\n([\s\S]*?)\n\s*\2(?=\s|\)|$)/;
const messageOption =
  /(?:^|\s)(?:-[a-zA-Z]*m|--message)(?:\s+|=)?(\$?'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\[\s\S])*"|[^\s"'$-]\S*)/g;

/** The messages that a command line gives to `git commit`, subject first; undefined when it commits nothing. */
export function commitMessage(line: string): string | undefined {
  const at = committing.exec(line.slice(0, mostRead));
  if (!at) return undefined;
  const rest = line.slice(at.index, at.index + mostRead);
  const document = heredoc.exec(rest);
  if (document && /-[a-zA-Z]*m\s*"?\$\(cat|-F\s*-|--file[= ]-/.test(rest.slice(0, document.index)))
    return (document[3] ?? "").trim();
  const end = rest.search(/\n(?!\s)|\s&&\s(?!.*-m)/);
  const parts = [
    ...(end < 0 || /["']/.test(rest) ? rest : rest.slice(0, end)).matchAll(messageOption),
  ];
  return parts
    .map(([, text = ""]) => unquoted(text))
    .join("\n\n")
    .trim();
}

function unquoted(text: string): string {
  if (text.startsWith("$'"))
    return text.slice(2, -1).replaceAll("\\n", "\n").replaceAll("\\'", "'");
  if (text.startsWith("'")) return text.slice(1, -1);
  if (text.startsWith('"')) return text.slice(1, -1).replace(/\\(["`$\\\n])/g, "$1");
  return text;
}

/** A commit as git reports it. */
interface MadeCommit {
  /** Short hash. */
  id: string;
  branch: string;
  subject: string;
}

const reported = /^\[([^\]\n]{1,200}?)\s+(?:\(root-commit\)\s+)?([0-9a-f]{7,40})\]\s(.+)$/gm;

/** The commits that git's output reports. */
export function commitsIn(output: string): MadeCommit[] {
  return [...output.matchAll(reported)].map(([, branch = "", id = "", subject = ""]) => ({
    id,
    branch,
    subject: subject.trim(),
  }));
}
