// Where a database's file belongs, or one of its own beside it, stands a folder, a pipe or a link to nothing: it gets another name.
import type { Stats } from "node:fs";
import { lstat, rename, stat } from "node:fs/promises";
import { basename } from "node:path";
import { addFinding } from "./findings.ts";

/** The database, its log, and the index of that. */
const endings = ["", "-wal", "-shm"];

/** Each is noted as a finding in `home`. What is a file is left alone, readable or not. */
export async function setAsideNoFiles(path: string, home: string, now: () => number) {
  if (path === ":memory:") return;
  for (const ending of endings) {
    const place = path + ending;
    const there = await lstat(place).catch(() => undefined);
    if (!there) continue;
    const target = there.isSymbolicLink() ? await stat(place).catch(() => undefined) : there;
    if (target?.isFile()) continue;
    const time = now();
    const aside = `${place}.damaged-${time}`;
    await rename(place, aside);
    const what = target ? standsFor(target) : "was a link to nothing";
    addFinding(home, { time, file: basename(place), what, aside });
  }
}

/** What stands where something else belongs, as a sentence's middle. Whoever opens a pipe waits for its other end. */
export function standsFor(there: Stats): string {
  if (there.isDirectory()) return "was a folder, where a file belongs";
  if (there.isFile()) return "was a file, where a folder belongs";
  return "was a pipe, a socket or a device, where memoir's own belongs";
}
