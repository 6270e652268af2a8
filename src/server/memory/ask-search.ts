// The one way to storage's search for whoever asks over a wire: names for times are looked up before.
import { askStorage } from "../../runtime/hooks/ask-storage.ts";
import type { SearchQuery, SearchResult } from "../../sdk/storage.ts";
import type { gitMarks } from "./git-marks.ts";
import { gitRenames } from "./git-marks.ts";
import type { Asked } from "./records.ts";
import { whoSaid } from "./who-said.ts";

/** What is asked, and from where. */
interface WireSearch extends SearchQuery {
  /** The asker's folder: its repository names the times where no project is named. */
  cwd?: string;
}

/** A result, and who is behind what it shows; a session's title is nobody's. */
export type Hit = SearchResult & { by?: string };

/** Searches. A question in which no name for a time can stand asks no repository. */
export type AskSearch = (query: WireSearch) => Promise<Hit[]>;

/** For one runtime. A file that is asked for is looked for by its former names too. */
export function searcher(
  runtime: Asked,
  marksOf: ReturnType<typeof gitMarks>,
  renamesOf = gitRenames(),
): AskSearch {
  async function rootOf({ project, cwd }: WireSearch): Promise<string | undefined> {
    if (project === undefined) return cwd;
    const [last] = await askStorage(runtime.hooks, "storage.sessions", { project, limit: 1 });
    return last?.project.root;
  }

  return async (asked) => {
    const { cwd: _, ...query } = asked;
    const folder = await rootOf(asked);
    const { file } = query;
    const [marks, formerly] = await Promise.all([
      folder === undefined ? [] : marksOf(folder, [query.text, ...(query.also ?? [])]),
      folder === undefined || file === undefined ? [] : renamesOf(folder, file),
    ]);
    const found = await askStorage(runtime.hooks, "storage.search", {
      ...query,
      ...(marks.length > 0 ? { marks } : {}),
      ...(formerly.length > 0 ? { formerly } : {}),
    });
    return await withSpeakers(runtime, found);
  };
}

async function withSpeakers(runtime: Asked, found: SearchResult[]): Promise<Hit[]> {
  // What a storage of somebody else's answers is checked on its way out.
  const known = found.filter(({ kind, id }) => kind !== "session" && typeof id === "string");
  const ids = [...new Set(known.map(({ id }) => id))];
  if (ids.length === 0) return found;
  const stored = await askStorage(runtime.hooks, "storage.get", { ids });
  const records = new Map(stored.map((one) => [one.record.id, one]));
  return found.map((hit) => {
    const record = records.get(hit.id);
    const by = record && whoSaid(record, hit.piece ?? 0);
    return { ...hit, ...(by !== undefined && { by }) };
  });
}
