// How a client runs memoir: the variables that it must not hand on, and text for a file of memoir's inside the client, which stands
// alone and must never harm it.

// What every program made with Bun obeys before its own first line.

/**
 * Variables set to nothing for what runs memoir inside a client. With a debugger's address or options of somebody's in the
 * environment it would wait for ever, run another's code or print its help. `BUN_JSC_*` has too many names, and is refused
 * by Bun itself where one is wrong.
 */
export const deafened: readonly string[] = [
  "BUN_BE_BUN",
  "BUN_OPTIONS",
  "BUN_INSPECT",
  "BUN_INSPECT_CONNECT_TO",
  "BUN_CONFIG_VERBOSE_FETCH",
];

/** Without `node:`, as the release build gives that name another meaning wherever it stands. */
export const spawnImport = 'import { spawn } from "child_process";';

/** A function of the file's own; it needs the import. */
export const runInside = String.raw`
/**
 * Runs memoir with a text as its input; its output, or undefined where it cannot run or takes too long. Never rejects,
 * and waits for no child of memoir's that holds the output open. An answer is whole with its line's end, or by isWhole.
 */
function runMemoir([program, ...args], input, { env, cwd, milliseconds, signal, isWhole = (text) => text.includes("\n") }) {
  return new Promise((resolve) => {
    let child;
    let output = "";
    let decided = false;
    // Whoever interrupts the agent waits for nothing; what is told arrives all the same.
    const leave = () => resolve(undefined);
    const decide = (text) => {
      if (decided) return;
      decided = true;
      clearTimeout(timer);
      signal?.removeEventListener("abort", leave);
      child?.stdout?.destroy();
      child?.unref();
      resolve(text);
    };
    const timer = setTimeout(() => {
      child?.kill("SIGKILL");
      decide(undefined);
    }, milliseconds);
    if (signal?.aborted) leave();
    else signal?.addEventListener("abort", leave, { once: true });
    try {
      const options = { cwd, env: { ...process.env, ...env } };
      child = spawn(program, args, { ...options, stdio: ["pipe", "pipe", "ignore"], windowsHide: true });
      child.on("error", () => decide(undefined));
      child.on("close", () => decide(output));
      child.on("exit", () => setTimeout(() => decide(output), 100));
      child.stdin.on("error", () => {});
      child.stdout.on("error", () => {});
      child.stdout.setEncoding("utf8");
      child.stdout.on("data", (text) => {
        output += text;
        if (isWhole(output)) decide(output);
      });
      child.stdin.end(input);
    } catch {
      decide(undefined);
    }
  });
}
`;
