// What a command line says of itself without being run: whether its exit tells, what it commits and publishes, and in which folder; and
// what its output says of how it went.
import { posix } from "node:path";
import type { Evidence } from "../sdk/turn.ts";
import { lookingPrograms, programWrapper } from "../text/programs.ts";

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

/** True when a part that does more than look may fail, and the exit code says nothing of it. */
export function hidesPart(line: string): boolean {
  const parts = bare(line)
    .trim()
    .split(/&&|[|;\n]+/);
  const isHidden = hidesExit(line) || /[;\n]/.test(bare(line).trim());
  return isHidden && parts.some((part) => !lookingPrograms.has(programOf(part)));
}

function programOf(part: string): string {
  const [program = ""] = part.trim().replace(programWrapper, "").split(/\s/, 1);
  return program === "" ? "true" : posix.basename(program);
}

const committing = /\bgit(?:\s+-\S+(?:\s+[^\s-]\S*)?){0,5}\s+commit\b/;
const heredoc = /<<-?\s*(['"]?)(\w+)\1[^\n]*\n([\s\S]*?)\n\s*\2(?=\s|\)|$)/;
const quotedOrWord = `(\\$?'(?:[^'\\\\]|\\\\.)*'|"(?:[^"\\\\]|\\\\[\\s\\S])*"|[^\\s"'$-]\\S*)`;
const messageOption = new RegExp(
  `(?:^|\\s)(?:-[a-zA-Z]*m|--message)(?:\\s+|=)?${quotedOrWord}`,
  "g",
);

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

/** The folder of each commit that a line makes, as `folderAt` names it. */
function commitFolders(line: string): string[] {
  const read = line.slice(0, mostRead);
  return [...read.matchAll(new RegExp(committing, "g"))].map((at) => folderAt(read, at));
}

const given = `("[^"]*"|'[^']*'|[^\\s;&|)]+)`;
const moving = new RegExp(`(?:^|[\\n;&|({])\\s*(?:cd|pushd)\\s+${given}`, "g");

/** The folder that the line has moved to where this command of it stands, with "/" at its end; "" where it names none. */
function folderAt(line: string, { index, 0: command }: RegExpExecArray): string {
  // What a subshell moved to ends with it.
  const before = line.slice(0, index).replace(/(?<!\$)\([^()]*\)/g, " ");
  const moves = [...before.matchAll(moving), ...command.matchAll(/\s-C\s+(\S+)/g)];
  return moves.reduce((folder, [, target = ""]) => {
    const path = unquoted(target).replace(/^\$\{?(\w+)\}?/, (all, name: string) =>
      unquoted(new RegExp(`(?:^|[\\s;&])${name}=${given}`).exec(before)?.[1] ?? all),
    );
    if (path === "-") return "";
    return /^(?:[/~$]|[a-zA-Z]:)/.test(path)
      ? posix.join(path, "/")
      : posix.join(folder, path, "/");
  }, "");
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

// What a command line makes public: a pull request with its title, a tag, a release.

/** A program's command that publishes, its options, and a line of it. */
interface Publishing {
  command: RegExp;
  what: "pull request" | "tag" | "release";
  title: string;
  body: string;
  example: string;
}

/** What each publishes is named by the option for its title, else by its first plain argument. */
export const publishing: readonly Publishing[] = [
  {
    command: /\bgh\s+pr\s+(?:create|edit)\b/,
    what: "pull request",
    title: "--title|-t",
    body: "--body|-b",
    example: 'gh pr create --draft --title "Count in cents" --body "No floats."',
  },
  {
    command: /\b(?:glab\s+mr|tea\s+pr|az\s+repos\s+pr)\s+create\b/,
    what: "pull request",
    title: "--title|-t",
    body: "--description|-d",
    example: 'glab mr create -t "Count in cents" -d "No floats." --yes',
  },
  {
    command: /\bhub\s+pull-request\b/,
    what: "pull request",
    title: "--message|-m",
    body: "--body",
    example: 'hub pull-request -m "Count in cents"',
  },
  {
    command: /\b(?:gh|glab)\s+release\s+create\b/,
    what: "release",
    title: "--title|--name|-t",
    body: "--notes|-n",
    example: 'gh release create v1.2.0 --title "Cents" --notes "No floats."',
  },
  {
    command: /\bgit(?:\s+-[cC]\s+\S+)*\s+tag\b(?!\s+-[a-zA-Z]*[ldvn])/,
    what: "tag",
    title: "--message|-[as]*m",
    body: "--notes",
    example: 'git tag -a v1.2.0 -m "Cents"',
  },
];

/** What a line published. */
interface Published {
  /** `pull request`, or `tag v1.2.0`. */
  what: string;
  /** The title, and below it the body. */
  text: string;
  /** As `folderAt` names it. */
  folder?: string;
}

/** With these nothing is made. */
const unmade = /\s--(?:dry-run|list|delete|sort|contains|points-at|merged)\b/;

/** What a command line publishes where it passes; undefined where it publishes nothing, or only would. */
export function publishedIn(line: string): Published | undefined {
  const read = line.slice(0, mostRead);
  for (const { command, what, title, body } of publishing) {
    const at = command.test(bare(read)) && command.exec(read);
    if (!at) continue;
    const rest = read.slice(at.index + at[0].length);
    if (unmade.test(bare(rest))) continue;
    const name = what === "pull request" ? "" : nameIn(rest);
    if (what !== "pull request" && name === "") continue;
    const titled = optionIn(rest, title);
    // What was opened before has its title from then.
    if (titled === "" && /\bedit$/.test(at[0])) continue;
    const text = [titled || name, optionIn(rest, body)].filter(Boolean).join("\n\n");
    const folder = folderAt(read, at);
    if (text !== "")
      return { what: name === "" ? what : `${what} ${name}`, text, ...(folder && { folder }) };
  }
  return undefined;
}

/** The line with its quoted texts and here-documents blanked, at the same length: places in it are places in the line. */
function bareKeeping(line: string): string {
  return line
    .replace(new RegExp(heredoc, "g"), (all, _quote, _mark, text: string) =>
      all.replace(text, () => " ".repeat(text.length)),
    )
    .replace(/'[^']*'|"(?:[^"\\]|\\[\s\S])*"/g, (quoted) => `"${" ".repeat(quoted.length - 2)}"`);
}

/** An option's value; a here-document's content where it is given as one. */
function optionIn(rest: string, names: string): string {
  const name = new RegExp(`(?:^|\\s)(?:${names})(?:\\s+|=)(?=\\S)`).exec(bareKeeping(rest));
  if (!name) return "";
  const from = rest.slice(name.index + name[0].length);
  const value = new RegExp(`^${quotedOrWord}`).exec(from)?.[1] ?? "";
  const document = /^"?\$\(cat\b/.test(value) ? heredoc.exec(from) : undefined;
  return (document?.[3] ?? unquoted(value)).trim();
}

/** The first argument that is no option and no option's value. */
function nameIn(rest: string): string {
  const [own = ""] = bareKeeping(rest).split(/\s(?:&&|\|\||;|\|)\s|\n|;/, 1);
  const words = own.trim().split(/\s+/);
  const at = words.findIndex(
    (word, place) =>
      /^["']?v?[\w.][\w./-]*$/.test(word) &&
      !/^-\w*[mnut]$|^--(?:message|title|notes|target)$/.test(words[place - 1] ?? ""),
  );
  return (words[at] ?? "").replace(/^["']|["']$/g, "");
}

// What was committed and published, as evidence.

type Piece = Pick<Evidence, "kind" | "text" | "about">;

/** Commits that git reports, with the whole message where the command has it; unreported ones when the command passed. */
export function commits(
  line: string,
  output: string,
  passed: boolean,
  isElsewhere: (folder: string) => boolean,
): Piece[] {
  const message = commitMessage(line);
  if (message === undefined || commitFolders(line).every(isElsewhere)) return [];
  const made = commitsIn(output);
  const [subject = ""] = message.split("\n", 1);
  if (made.length === 0) return passed && message !== "" ? [{ kind: "commit", text: message }] : [];
  return made.map(({ id, branch, subject: reported }) => ({
    kind: "commit",
    about: `${id} (${branch})`,
    text: reported === subject.trim() || made.length === 1 ? message || reported : reported,
  }));
}

const address = /https?:\/\/\S+?\/(?:pulls?|merge_requests|pullrequests?|releases)\/\S*\w/;

/** With the address that the output names. */
export function published({ what, text }: Published, output: string): Piece {
  return { kind: "published", text, about: [what, ...(address.exec(output) ?? [])].join(" ") };
}

/** What a command published; where its exit tells nothing, its output has to say where. */
export function publications(
  line: string,
  output: string,
  isElsewhere: (folder: string) => boolean,
): Piece[] {
  const made = publishedIn(line);
  if (isElsewhere(made?.folder ?? "")) return [];
  return made && (!hidesExit(line) || address.test(output)) ? [published(made, output)] : [];
}

// What a run says of itself where its exit is hidden, behind a pipe or by a later command: its tools' own last words.

/** Marks and labels that runners put before their words: `[test] `, `--- `, ` ✖ `. */
const label = String.raw`^[ \t]*(?:\[[\w:.-]+\] +)?[^\p{L}\p{N}\s[\]]* *(?:Tests?:? +|Found )?`;
const some = String.raw`[1-9]\d*(?: \p{L}+)?`;
const troubles = "(?:failed|failures?|fail|failing|errors?|issues?|problems?)";

/** By a first word in capitals, by a count, or as compilers write. Each has an example in the tests. */
const failed = new RegExp(
  [
    String.raw`${label}(?:FAIL|FAILED|ERROR)(?=[:\s]|$)`,
    String.raw`${label}${some} ${troubles}\b`,
    String.raw`\b${some} failed\b|\bFAILED\. `,
    String.raw`^(?:error(?:\[\w+\])?:|make(?:\[\d+\])?: \*\*\*|npm (?:ERR!|error) |exit status [1-9])`,
    String.raw`^[^\s:(]+\.\w+[:(]\d+[:,]\d+\)?:? error(?::| [A-Z]+\d+:)`,
  ].join("|"),
  "u",
);

const passed = new RegExp(
  [
    String.raw`^[ \t]*(?:\[[\w:.-]+\] +)?(?:ok|PASS|PASSED)(?=[:\s]|$)`,
    String.raw`${label}0 ${troubles}\b`,
    String.raw`\b${some} pass(?:ed|ing)?\b|\bresult: ok\b`,
  ].join("|"),
  "u",
);

/** Of a longer line the beginning is read. */
const longestLine = 400;

/** What an output says of its run, in the words of a runner, linter or compiler; undefined where it says nothing. Each line is read by itself, whatever an output is made of. */
export function runVerdict(output: string): "failed" | "passed" | undefined {
  const lines = output.split("\n").map((line) => line.slice(0, longestLine).trimEnd());
  if (lines.some((line) => failed.test(line))) return "failed";
  return lines.some((line) => passed.test(line)) ? "passed" : undefined;
}
