// The memory files: read, and replaced whole so that a crash leaves the old or the new one. A file that is no JSON is never written to.
import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";

/** A folder of JSON files that only their owner can read. */
export interface MemoryFolder {
  /** The file's value; `missing` when there is none, `empty` when it says nothing, `broken` when it is no JSON. */
  read(
    name: string,
  ): Promise<{ state: "read"; value: unknown } | { state: "missing" | "empty" | "broken" }>;
  /** What stands in it, whatever that is; empty where it cannot be read at all. */
  text(name: string): Promise<string>;
  /** Names of the JSON files. */
  names(): Promise<string[]>;
  /** Changes when one of these files does. */
  stamp(names: readonly string[]): Promise<string>;
  /** Rejects when the folder cannot be written. */
  write(name: string, value: unknown): Promise<void>;
}

/** Nothing is made before the first write. */
export function memoryFolder(path: string): MemoryFolder {
  return {
    async read(name) {
      let text: string;
      try {
        // Some editors begin a file with a mark of its encoding.
        text = (await textOf(join(path, name))).replace(/^\ufeff/, "");
      } catch (error) {
        // What is there and cannot be read was not taken out by anybody.
        const isMissing = error instanceof Error && "code" in error && error.code === "ENOENT";
        return { state: isMissing ? "missing" : "broken" };
      }
      if (text.trim() === "") return { state: "empty" };
      try {
        return { state: "read", value: JSON.parse(text) };
      } catch {
        return { state: "broken" };
      }
    },
    text: (name) => textOf(join(path, name)).catch(() => ""),
    async names() {
      const found = await readdir(path).catch(() => []);
      return found.filter((name) => name.endsWith(".json") && !name.startsWith("."));
    },
    async stamp(names) {
      const stats = await Promise.all(
        names.map((name) => stat(join(path, name)).catch(() => undefined)),
      );
      return stats.map((one) => `${one?.mtimeMs} ${one?.size} ${one?.ino}`).join();
    },
    async write(name, value) {
      await mkdir(path, { recursive: true, mode: 0o700 });
      const draft = join(path, `.${name}.${crypto.randomUUID()}`);
      try {
        await writeFile(draft, `${JSON.stringify(value, null, 2)}\n`, { mode: 0o600, flush: true });
        await rename(draft, join(path, name));
      } catch (error) {
        await rm(draft, { force: true });
        throw error;
      }
    },
  };
}

/** Whoever opens a pipe waits for somebody to write into it. */
async function textOf(path: string): Promise<string> {
  if (!(await stat(path)).isFile()) throw new Error(`${path} is no file`);
  return readFile(path, "utf8");
}
