// The memory files: read, and replaced whole so that a crash leaves the old or the new one. A file that is no JSON is never written to.
import { mkdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";

/** A folder of JSON files that only their owner can read. */
export interface MemoryFolder {
  /** The file's value; `missing` when there is none, `broken` when it is no JSON. */
  read(name: string): Promise<{ state: "read"; value: unknown } | { state: "missing" | "broken" }>;
  /** Rejects when the folder cannot be written. */
  write(name: string, value: unknown): Promise<void>;
}

/** Nothing is made before the first write. */
export function memoryFolder(path: string): MemoryFolder {
  return {
    async read(name) {
      let text: string;
      try {
        text = await readFile(join(path, name), "utf8");
      } catch {
        return { state: "missing" };
      }
      try {
        return { state: "read", value: JSON.parse(text) };
      } catch {
        return { state: "broken" };
      }
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
