// The command line as typed, in the test's own process: its words, a server of prepared answers, and what is printed.
import { main } from "../../src/cli/program.ts";
import type { Terminal } from "../../src/cli/terminal/terminal.ts";
import { type AskedRoute, type CannedAnswers, cannedServer } from "./canned-server.ts";
import { plainTerminal } from "./plain-terminal.ts";

/** What came of it: the exit code, the lines of each stream, and what the server was asked. */
export interface Typed {
  code: number;
  out: string[];
  err: string[];
  asked: AskedRoute[];
}

/** Runs `memoir <words>` against these answers; without any no server listens. Environment variables name the home. */
export async function typed(
  words: readonly string[],
  answers?: CannedAnswers,
  more: Partial<Terminal> = {},
): Promise<Typed> {
  const { HOME, MEMOIR_HOME = "" } = process.env;
  const server = answers && (await cannedServer(MEMOIR_HOME, answers));
  const terminal = plainTerminal({
    env: { ...(HOME !== undefined && { HOME }), MEMOIR_HOME },
    cwd: HOME ?? "/",
    ...more,
  });
  try {
    const code = await main(["memoir", "memoir", ...words], terminal);
    const lines = (texts: readonly string[]) => texts.flatMap((text) => text.split("\n"));
    return {
      ...{ code, out: lines(terminal.out), err: lines(terminal.err) },
      asked: server?.asked ?? [],
    };
  } finally {
    await server?.stop();
  }
}

/** What a work draws on the process's own stdout, as a progress line is. */
export async function drawn(work: () => Promise<unknown>): Promise<string> {
  const { write } = process.stdout;
  let text = "";
  process.stdout.write = ((part: string | Uint8Array) => {
    text += typeof part === "string" ? part : Buffer.from(part).toString();
    return true;
  }) as typeof write;
  try {
    await work();
  } finally {
    process.stdout.write = write;
  }
  return text;
}
