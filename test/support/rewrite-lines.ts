// Rewrites a transcript in a folder of its own the way a strategy does: everything large is cleared, observations follow their turn.
import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { WantedFetch } from "../../src/transcript/plan-rewrite.ts";
import {
  openRewrite,
  type Restored,
  type RewriteOptions,
  type Rewritten,
  restoreFile,
} from "../../src/transcript/rewrite-file.ts";
import type { ClearPolicy } from "../../src/transcript/rewrite-index.ts";
import { undoPlaces } from "../../src/transcript/undo-log.ts";

/** What a case sets; anything else is as the strategy's defaults. */
export interface RewriteCase extends Partial<Omit<ClearPolicy, "wants">> {
  tools?: string[];
  fetches?: WantedFetch[];
  copies?: boolean;
}

/** A transcript on disk, with its undo log beside it. */
export interface RewriteRoom {
  path: string;
  folder: string;
  undo: string;
  rewrite(wanted?: RewriteCase, options?: Partial<RewriteOptions>): Promise<Rewritten>;
  /** Of this file. */
  restore(): Promise<Restored>;
  bytes(): Promise<Buffer>;
  /** Names of everything that lies beside the transcript. */
  names(): Promise<string[]>;
  close(): Promise<void>;
}

/** The placeholder of these tests. */
export function clearedInput(id: string, characters: number): Record<string, unknown> {
  const tokens = Math.round(characters / 4);
  return {
    _cleared: true,
    message: `[Input removed to save ~${tokens} tokens; memoir recall ${id}]`,
  };
}

/** Writes the bytes to `<new folder>/s1.jsonl`. */
export async function rewriteRoom(bytes: string | Uint8Array): Promise<RewriteRoom> {
  const folder = await mkdtemp(join(tmpdir(), "memoir-rewrite-"));
  const path = join(folder, "s1.jsonl");
  const undo = join(folder, "undo");
  await writeFile(path, bytes);
  return {
    path,
    folder,
    undo,
    rewrite: (wanted = {}, options = {}) => rewriteOnce(path, undo, wanted, options),
    async restore() {
      const [place = ""] = await undoPlaces(undo, "s1");
      return restoreFile(place, { mayReplace: async () => true, drainMs: 0 });
    },
    bytes: () => readFile(path),
    names: async () => (await readdir(folder)).filter((name) => name !== "undo").sort(),
    close: () => rm(folder, { recursive: true, force: true }),
  };
}

/** One rewrite of a file. */
export async function rewriteOnce(
  path: string,
  undo: string,
  wanted: RewriteCase = {},
  options: Partial<RewriteOptions> = {},
): Promise<Rewritten> {
  const { tools } = wanted;
  const opened = await openRewrite(path, {
    leastCharacters: wanted.leastCharacters ?? 1024,
    keepTurns: wanted.keepTurns ?? 1,
    wants: (tool) => tools === undefined || tools.includes(tool),
  });
  try {
    const inputs = new Map<string, Record<string, unknown>>();
    for (const use of opened.touchable.clear) {
      if (await opened.inputOf(use)) inputs.set(use.id, clearedInput(use.id, use.characters));
    }
    const fetches = (wanted.fetches ?? []).filter(({ ids }) =>
      ids.some((id) => !opened.fetched.has(id)),
    );
    return await opened.finish(
      { inputs, fetches, copies: wanted.copies ?? false },
      {
        undo,
        session: "s1",
        at: 1,
        mayReplace: async () => true,
        live: false,
        drainMs: 0,
        ...options,
      },
    );
  } finally {
    await opened.close();
  }
}
