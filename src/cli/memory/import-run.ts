// Lines on their way into memory: in bounded batches, counted, with what supersedes what said at the end.
import { server } from "../server/client.ts";

/** A line and its number. */
export interface NumberedLine {
  line: number;
  text: string;
}

/** What an import came to. */
export interface ImportResult {
  stored: Record<string, number>;
  known: number;
  forgotten: number;
  /** Lines that were left out. */
  bad: number;
}

interface ImportRun {
  /** Takes a line; waits while a batch is sent. */
  add(line: NumberedLine): Promise<void>;
  /** A line that was left out before it was sent. */
  reject(line: number, message: string): void;
  /** Sends what is left, and says what supersedes what. */
  end(): Promise<ImportResult>;
  readonly result: ImportResult;
}

const linesAtOnce = 200;
const charactersAtOnce = 1_000_000;
const linksAtOnce = 500;

interface ImportRunOptions {
  dryRun: boolean;
  onError(line: number, message: string): void;
  /** After each batch. */
  onProgress(result: ImportResult): void;
}

/** Begins an import. Memory that it takes does not grow with the file, but for two ids of each observation. */
export function startImport({ dryRun, onError, onProgress }: ImportRunOptions): ImportRun {
  const result: ImportResult = { stored: {}, known: 0, forgotten: 0, bad: 0 };
  /** Ids that observations had, and have now. */
  const ids = new Map<string, string>();
  const fresh = new Map<string, string | undefined>();
  let batch: NumberedLine[] = [];
  let characters = 0;

  const reject = (line: number, message: string) => {
    result.bad++;
    onError(line, message);
  };
  async function send(): Promise<void> {
    if (batch.length === 0) return;
    const lines = batch;
    batch = [];
    characters = 0;
    const answer = await server.post("/api/import", { body: { lines, dryRun }, timeoutMs: 0 });
    for (const [kind, count] of Object.entries(answer.stored))
      result.stored[kind] = (result.stored[kind] ?? 0) + count;
    result.known += answer.known;
    result.forgotten += answer.forgotten;
    for (const { line, message } of answer.errors) reject(line, message);
    for (const { was, id, isNew, supersededBy } of answer.observations) {
      ids.set(was, id);
      if (isNew) fresh.set(id, supersededBy);
    }
    onProgress(result);
  }

  return {
    result,
    reject,
    async add(line) {
      if (batch.length >= linesAtOnce || characters + line.text.length > charactersAtOnce)
        await send();
      batch.push(line);
      characters += line.text.length;
    },
    async end() {
      await send();
      const links = [...fresh].map(([id, was]) => ({
        id,
        by: (was === undefined ? undefined : ids.get(was)) ?? null,
      }));
      await link(links, new Set(fresh.keys()));
      return result;
    },
  };
}

/** One that only storage calls superseded is so by what was here before, or by the order in which they came: that is taken back. */
async function link(
  links: ReadonlyArray<{ id: string; by: string | null }>,
  fresh: ReadonlySet<string>,
): Promise<void> {
  for (let at = 0; at < links.length; at += linksAtOnce) {
    const part = links.slice(at, at + linksAtOnce);
    const { doubtful } = await server.post("/api/import/links", {
      body: { links: part },
      timeoutMs: 0,
    });
    const wrong = doubtful.filter(({ by }) => fresh.has(by)).map(({ id }) => ({ id, by: null }));
    if (wrong.length > 0)
      await server.post("/api/import/links", {
        body: { links: wrong, isSure: true },
        timeoutMs: 0,
      });
  }
}
