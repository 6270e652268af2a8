// Runs a script that prints a number for each thing it finished, and kills it -9 after so many.
import process from "node:process";

/** Answers all numbers that were printed whole, in order. */
export async function appendAndKill(script: string[], after: number): Promise<number[]> {
  const child = Bun.spawn([process.execPath, ...script], { stdout: "pipe", stderr: "inherit" });
  let printed = "";
  const decoder = new TextDecoder();
  for await (const chunk of child.stdout) {
    printed += decoder.decode(chunk, { stream: true });
    if (printed.split("\n").length > after) child.kill("SIGKILL");
  }
  await child.exited;
  // A number that was cut in half was not read as finished.
  return printed.split("\n").slice(0, -1).map(Number);
}
