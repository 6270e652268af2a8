// Reads a secret: from the terminal without showing it, or all of stdin where nobody types.
import process from "node:process";

const ctrlC = "\u0003";
const ctrlD = "\u0004";
const backspaces = ["\u007f", "\b"];

/** The text without its line end; empty after Ctrl-C. */
export async function readSecret(question: string): Promise<string> {
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
