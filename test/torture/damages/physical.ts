// What is physically left of the things said in a home: counted from the bytes of its files, with an intact twin beside them.
import { Database } from "bun:sqlite";
import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";

const pageBytes = 4_096;
/** Their texts stand in these; what indexes hold are words, from which no record can be made. */
const tables: Record<string, readonly string[]> = {
  "memory.db": ["turns", "prompts", "memory", "session_summaries", "observations"],
  "journal.db": ["payloads"],
  "endless.db": ["blobs", "contents"],
};
const frameHeader = 24;
const interior: ReadonlySet<number> = new Set([2, 5]);

/** Where a text stands in the twin: a file, and the piece of it that has to be whole. */
export interface Place {
  file: string;
  from: number;
  to: number;
}

/** Every place of each text that a record could be read from. */
export type Places = Map<string, Place[]>;

/** Looks the texts up in an intact home's bytes. */
export async function placesOf(
  texts: readonly string[],
  twin: ReadonlyMap<string, Buffer>,
  scratch: string,
): Promise<Places> {
  const places: Places = new Map(texts.map((text) => [text, []]));
  for (const [file, bytes] of twin) {
    const names = tables[file.replace(/-wal$/, "")];
    // A title in the list of sessions that were looked at is no record, and none can be made of it.
    if (/^(logs|cache)\/|^memory\/history\.json$/.test(file)) continue;
    const pieces = !names
      ? [{ file, from: 0, to: bytes.length }]
      : file.endsWith("-wal")
        ? frames(file, bytes)
        : await pagesOf(file, bytes, names, scratch);
    for (const piece of pieces) {
      const part = bytes.subarray(piece.from, piece.to);
      for (const text of texts)
        if (part.includes(text))
          // A log counts up to its first damaged frame, other files as a whole.
          places.get(text)?.push(file.endsWith("-wal") ? { ...piece, from: 0 } : piece);
    }
  }
  return places;
}

/** Texts with a place that is unchanged in the damaged home. */
export function left(
  places: Places,
  twin: ReadonlyMap<string, Buffer>,
  found: ReadonlyMap<string, Buffer>,
): Set<string> {
  const whole = ({ file, from, to }: Place) => {
    const before = twin.get(file)?.subarray(from, to);
    const now = found.get(file)?.subarray(from, to);
    return before !== undefined && now !== undefined && before.equals(now);
  };
  return new Set([...places].filter(([, list]) => list.some(whole)).map(([text]) => text));
}

async function pagesOf(
  file: string,
  bytes: Buffer,
  names: readonly string[],
  scratch: string,
): Promise<Place[]> {
  const path = join(scratch, `pages-${file}`);
  await writeFile(path, bytes);
  const db = new Database(path);
  try {
    const rows = db
      .query<{ pageno: number }, string[]>(
        `SELECT pageno FROM dbstat WHERE name IN (${names.map(() => "?").join()}) AND pagetype <> 'internal'`,
      )
      .all(...names);
    return rows.map(({ pageno }) => ({
      ...{ file, from: (pageno - 1) * pageBytes, to: pageno * pageBytes },
    }));
  } finally {
    db.close();
    for (const ending of ["", "-wal", "-shm"]) await rm(path + ending, { force: true });
  }
}

/** Those that count: frames behind them are left from before the log was begun anew, and stand in the database by now. */
function frames(file: string, bytes: Buffer): Place[] {
  const size = frameHeader + pageBytes;
  const salts = bytes.subarray(16, 24);
  const found: Place[] = [];
  for (let from = 32; from + size <= bytes.length; from += size) {
    if (!bytes.subarray(from + 8, from + 16).equals(salts)) break;
    // A page that became a tree's inner one keeps the bytes of its rows, which stand elsewhere now.
    if (interior.has(bytes[from + frameHeader] ?? 0)) continue;
    found.push({ file, from, to: from + size });
  }
  return found;
}
