// Lines on their way into memory: in bounded batches, counted.
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
  /** Sends what is left. */
  end(): Promise<ImportResult>;
  readonly result: ImportResult;
}

const linesAtOnce = 200;
const charactersAtOnce = 1_000_000;

interface ImportRunOptions {
  dryRun: boolean;
  onError(line: number, message: string): void;
  /** After each batch. */
  onProgress(result: ImportResult): void;
}

/** Begins an import. Memory that it takes does not grow with the file. */
export function startImport({ dryRun, onError, onProgress }: ImportRunOptions): ImportRun {
  const result: ImportResult = { stored: {}, known: 0, forgotten: 0, bad: 0 };
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
      return result;
    },
  };
}
