// Formats a made page as `bun run check` wants every file.
import { join, resolve } from "node:path";

const root = resolve(import.meta.dir, "../..");

/** The page as the formatter would write it; `name` tells the formatter what it is. */
export async function formatted(page: string, name: string): Promise<string> {
  const formatter = join(root, "node_modules/.bin/biome");
  const child = Bun.spawn([formatter, "format", `--stdin-file-path=${name}`], {
    cwd: root,
    stdin: new Blob([page]),
    stdout: "pipe",
  });
  const [text, code] = await Promise.all([new Response(child.stdout).text(), child.exited]);
  if (code !== 0) throw new Error(`the formatter ended with ${code}`);
  return text;
}
