// The one way to storage's search for whoever asks over a wire: names for times are looked up before.
import { askStorage } from "../../runtime/hooks/ask-storage.ts";
import type { SearchQuery, SearchResult } from "../../sdk/storage.ts";
import type { Asked } from "./ask-timeline.ts";
import type { gitMarks } from "./git-marks.ts";
import { gitRenames } from "./git-renames.ts";

/** What is asked, and from where. */
export interface WireSearch extends SearchQuery {
  /** The asker's folder: its repository names the times where no project is named. */
  cwd?: string;
}

/** Searches. A question in which no name for a time can stand asks no repository. */
export type AskSearch = (query: WireSearch) => Promise<SearchResult[]>;

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
    return askStorage(runtime.hooks, "storage.search", {
      ...query,
      ...(marks.length > 0 ? { marks } : {}),
      ...(formerly.length > 0 ? { formerly } : {}),
    });
  };
}
