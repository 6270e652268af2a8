// What a command needs of the terminal it runs in, passed in so that commands are functions that tests can call; and how
// errors look there.
import process from "node:process";
import { createInterface } from "node:readline/promises";
import pc from "picocolors";
import { errorMessage } from "../../home/describe-error.ts";
import { type Environment, memoirHome } from "../../home/paths.ts";
import { withoutPasswords } from "../../privacy/passwords.ts";
import { MemoirError } from "../../sdk/errors.ts";
import { cut, stripAnsi } from "../../text/text.ts";
import { width } from "./layout.ts";

export type Colors = ReturnType<typeof pc.createColors>;

export interface Terminal {
  /** One line (or several) to stdout. */
  print(text: string): void;
  /** To stderr. */
  warn(text: string): void;
  colors: Colors;
  /** Characters a line may have; undefined where nobody reads it as a screen. */
  width: number | undefined;
  /** A person is there to answer. */
  interactive: boolean;
  /** Asks a yes-or-no question; Enter means yes unless `onEnter` is false, Ctrl-C no. */
  confirm(question: string, onEnter?: boolean): Promise<boolean>;
  /** Asks for a line of text; empty for Enter and Ctrl-C. */
  ask(question: string): Promise<string>;
  /** Asks for something that must not be seen; where nobody is there to type, all of stdin. */
  secret(question: string): Promise<string>;
  /** Epoch ms. */
  now(): number;
  env: Environment;
  cwd: string;
  platform: string;
  /** What a person types before a command's name where that is not the program's path: `npx memoir`. */
  typed?: string;
}

/** The process's own terminal. Colours and a width only where stdout is one; `NO_COLOR` and `FORCE_COLOR` are honoured. */
export function processTerminal(): Terminal {
  const { env, stdout, stderr, stdin } = process;
  // What is started elsewhere, and the hook, must mean the same folder.
  if (env.MEMOIR_HOME) env.MEMOIR_HOME = memoirHome(env);
  const typed = takeTyped(env);
  const named = (text: string) => (typed ? text.replace(/`memoir(?=[ `])/g, `\`${typed}`) : text);
  const { colored, columns, interactive } = screenOf(env, stdout, stdin);
  const shown = (text: string) => (columns === undefined ? text : softWrap(text, columns));
  /** The line that was typed behind the question and the blanks; undefined for Ctrl-C and Ctrl-D, which are an answer too. */
  const ask = async (question: string, blanks: string) => {
    const lines = createInterface({ input: stdin, output: stdout });
    try {
      return (await lines.question(lastLine(shown(question)) + blanks)).trim();
    } catch {
      console.log();
      return undefined;
    } finally {
      lines.close();
    }
  };
  return {
    print: (text) => console.log(shown(text)),
    // console.error would paint the whole line red. What is printed may be the user's own words: it stays as it is.
    warn: (text) => void stderr.write(`${stderr.isTTY ? shown(named(text)) : named(text)}\n`),
    colors: pc.createColors(colored),
    width: columns,
    interactive,
    async confirm(question, onEnter = true) {
      const answer = await ask(`${question} ${onEnter ? "[Y/n]" : "[y/N]"}`, " ");
      if (answer === undefined) return false;
      return answer === "" ? onEnter : /^y(?:es)?$/i.test(answer);
    },
    async ask(question) {
      const blanks = /\s*$/.exec(question)?.[0] ?? "";
      return (await ask(question.trimEnd(), blanks)) ?? "";
    },
    secret: (question) => readSecret(question),
    now: Date.now,
    env,
    cwd: process.cwd(),
    platform: process.platform,
    ...(typed && { typed }),
  };
}

/** npm's launcher says it; what memoir starts has nothing to do with npm. */
function takeTyped(env: NodeJS.ProcessEnv): string | undefined {
  const typed = env.MEMOIR_COMMAND;
  delete env.MEMOIR_COMMAND;
  return typed;
}

/** What there is to be seen on, and whether somebody is there to answer. */
export function screenOf(
  env: Environment,
  stdout: { isTTY?: boolean; columns?: number },
  stdin: { isTTY?: boolean },
): { colored: boolean; columns: number | undefined; interactive: boolean } {
  const isScreen = stdout.isTTY === true;
  const wantsColor = env.FORCE_COLOR !== undefined && env.FORCE_COLOR !== "0";
  return {
    colored: (isScreen && !env.NO_COLOR && env.TERM !== "dumb") || wantsColor,
    // A terminal that does not know its width says 0.
    columns: isScreen ? Math.max(40, stdout.columns || 80) : undefined,
    interactive: isScreen && stdin.isTTY === true,
  };
}

/** Prints all lines but the last, which the answer is typed behind. */
function lastLine(question: string): string {
  const lines = question.split("\n");
  const last = lines.pop() ?? "";
  for (const line of lines) console.log(line);
  return last;
}

// Reads a secret: from the terminal without showing it, or all of stdin where nobody types.

const ctrlC = "\u0003";
const ctrlD = "\u0004";
const backspaces = ["\u007f", "\b"];

/** The text without its line end; empty after Ctrl-C. */
async function readSecret(question: string): Promise<string> {
  const { stdin, stderr } = process;
  if (!stdin.isTTY) {
    let text = "";
    stdin.setEncoding("utf8");
    for await (const chunk of stdin) text += chunk;
    return text.trim();
  }
  // First: what is typed before would be echoed.
  stdin.setRawMode(true);
  stderr.write(question);
  stdin.setEncoding("utf8");
  stdin.resume();
  try {
    return await new Promise((resolve) => {
      let typed = "";
      const onData = (chunk: string) => {
        for (const key of chunk) {
          if (key === "\r" || key === "\n" || key === ctrlC || key === ctrlD) {
            stdin.off("data", onData);
            resolve(key === ctrlC ? "" : typed);
            return;
          }
          typed = backspaces.includes(key) ? typed.slice(0, -1) : typed + key;
        }
      };
      stdin.on("data", onData);
    });
  } finally {
    stdin.setRawMode(false);
    stdin.pause();
    stderr.write("\n");
  }
}

// Breaks lines that are too long for a screen between words, and lines the rest up with where its column began.

/** A last column that begins further right than this share of the screen leaves no room to read in. */
const deepestIndent = 0.6;
/** What a line that is not a table's row is indented by, beyond its own indent. */
const hanging = 2;

/** Words; a command in backquotes is one of them, so that it can be copied whole. */
const words = /\s*(?:[^\s`]*`[^`\n]{1,60}`\S*|\S+)/g;

/** `text` with line ends between words where a line is wider than `columns`; JSON stays as it is. */
export function softWrap(text: string, columns: number): string {
  return text
    .split("\n")
    .flatMap((line) => (width(line) <= columns || isJson(line) ? [line] : broken(line, columns)))
    .join("\n");
}

function isJson(line: string): boolean {
  return /^[[{]["[{\]}\d]/.test(line);
}

function broken(line: string, columns: number): string[] {
  const indent = " ".repeat(indentOf(stripAnsi(line), columns));
  const lines: string[] = [];
  let current = "";
  // Words with the white space before them, so that columns stay where they are.
  for (const word of wordsOf(line, columns - indent.length)) {
    if (current !== "" && width(current) + width(word) > columns) {
      lines.push(current);
      const text = word.trimStart();
      // A word that has no room behind the indent begins further left: the terminal would break it.
      current = indent.slice(0, Math.max(0, columns - width(text))) + text;
    } else current += word;
  }
  return [...lines, current];
}

/** A command that has no room in a line is broken like the rest. */
function wordsOf(line: string, room: number): string[] {
  return (line.match(words) ?? []).flatMap((word) =>
    width(word.trimStart()) <= room ? [word] : (word.match(/\s*\S+/g) ?? []),
  );
}

/** Where the last column of a table's row begins, else a little more than the line's own indent. */
function indentOf(plain: string, columns: number): number {
  const gaps = [...plain.slice(0, columns).matchAll(/\S {2,}(?=\S)/g)];
  const starts = gaps.map((gap) => width(plain.slice(0, gap.index + gap[0].length)));
  const column = starts.findLast((start) => start <= columns * deepestIndent);
  if (column !== undefined) return column;
  const own = plain.length - plain.trimStart().length;
  return Math.min(own + hanging, Math.floor(columns * deepestIndent));
}

// Errors as people and agents read them: what is wrong, what to do; never a stack.

/** Prints an error (`{"error":{code,message,fix}}` on stdout with `json`, two lines on stderr else) and gives the exit code. */
export function reportError(error: unknown, terminal: Terminal, json: boolean): number {
  // Whoever read the lines wants no more of them: `| head`.
  if ((error as NodeJS.ErrnoException | undefined)?.code === "EPIPE") return 0;
  const known =
    error instanceof MemoirError
      ? error
      : (aboutFile(error) ?? new MemoirError("internal", errorMessage(error), { cause: error }));
  const { code } = known;
  const [message, fix] = [withoutPasswords(known.message), withoutPasswords(known.fix)];
  const exit = code === "usage" ? 2 : 1;
  if (json) {
    terminal.print(JSON.stringify({ error: { code, message, fix } }));
    return exit;
  }
  const { red, cyan } = terminal.colors;
  terminal.warn(`${red("error:")} ${message}`);
  terminal.warn(`${cyan("fix:")} ${fix}`);
  return exit;
}

/** What the system's codes mean for the file that they are about. */
const reasons: Readonly<Record<string, string>> = {
  EACCES: "permission is denied",
  EDQUOT: "the disk's quota is used up",
  EEXIST: "something else is there already",
  EISDIR: "it is a folder",
  ENAMETOOLONG: "the name is too long",
  ENOENT: "there is no such file or folder",
  ENOSPC: "the disk is full",
  ENOTDIR: "a part of the path is no folder",
  EPERM: "permission is denied",
  EROFS: "the disk is read-only",
  SQLITE_FULL: "the disk is full",
};

/** A file that the system refuses is no fault of memoir's. */
function aboutFile(error: unknown): MemoirError | undefined {
  if (!(error instanceof Error)) return undefined;
  const { code, path } = error as NodeJS.ErrnoException;
  const reason = code === undefined ? undefined : reasons[code];
  if (reason === undefined) return undefined;
  // SQLite names no file.
  const unnamed = code?.startsWith("SQLITE_") ? "A database of memoir's" : "A file";
  const file = path ? cut(path, 200) : unnamed;
  return new MemoirError("file_unusable", `${file} cannot be used: ${reason}.`, { cause: error });
}
