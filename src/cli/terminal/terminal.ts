// What a command needs of the terminal it runs in, passed in so that commands are functions that tests can call.
import process from "node:process";
import { createInterface } from "node:readline/promises";
import pc from "picocolors";
import { type Environment, memoirHome } from "../../home/paths.ts";
import { readSecret } from "./read-secret.ts";
import { softWrap } from "./soft-wrap.ts";

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
}

/** The process's own terminal. Colours and a width only where stdout is one; `NO_COLOR` and `FORCE_COLOR` are honoured. */
export function processTerminal(): Terminal {
  const { env, stdout, stderr, stdin } = process;
  // What is started elsewhere, and the hook, must mean the same folder.
  if (env.MEMOIR_HOME) env.MEMOIR_HOME = memoirHome(env);
  const { colored, columns, interactive } = screenOf(env, stdout, stdin);
  const shown = (text: string) => (columns === undefined ? text : softWrap(text, columns));
  return {
    print: (text) => console.log(shown(text)),
    // console.error would paint the whole line red.
    warn: (text) => void stderr.write(`${stderr.isTTY ? shown(text) : text}\n`),
    colors: pc.createColors(colored),
    width: columns,
    interactive,
    async confirm(question, onEnter = true) {
      const lines = createInterface({ input: stdin, output: stdout });
      try {
        const asked = lastLine(shown(`${question} ${onEnter ? "[Y/n]" : "[y/N]"}`));
        const answer = (await lines.question(`${asked} `)).trim().toLowerCase();
        return answer === "" ? onEnter : answer === "y" || answer === "yes";
      } catch {
        // Ctrl-C and Ctrl-D are an answer too.
        console.log();
        return false;
      } finally {
        lines.close();
      }
    },
    async ask(question) {
      const lines = createInterface({ input: stdin, output: stdout });
      try {
        const blanks = /\s*$/.exec(question)?.[0] ?? "";
        return (await lines.question(lastLine(shown(question.trimEnd())) + blanks)).trim();
      } catch {
        console.log();
        return "";
      } finally {
        lines.close();
      }
    },
    secret: (question) => readSecret(question),
    now: Date.now,
    env,
    cwd: process.cwd(),
    platform: process.platform,
  };
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
