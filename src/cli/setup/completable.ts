// What the shells complete beside the command line's own words: ids, sessions, projects, settings, plugins, providers and backups. Asks a server only where one runs.
import type { TimelineItem } from "../../server/memory/timeline.ts";
import { cut, oneLine } from "../../text/text.ts";
import { ifRunning, server } from "../server/client.ts";
import { size } from "../terminal/layout.ts";
import { printableMemory } from "../terminal/printable.ts";
import type { Terminal } from "../terminal/terminal.ts";
import { setupOf } from "./setup.ts";

/** A value, and what it is. */
type Row = readonly [value: string, says: string];

/** By the word that stands for it in a command's help: `<id>`, `--project <project>`. */
const listers = {
  id: async () => [...(await recordIds()), ...(await sessionIds())],
  session: sessionIds,
  async project() {
    const found = await ifRunning(server.get("/api/projects", asked));
    return (found?.projects ?? []).flatMap(({ id, name }): Row[] => [
      [name, id],
      [id, name],
    ]);
  },
  async key() {
    const { configKeys } = await import("../../runtime/config/json-schema.ts");
    return [...(await configKeys())].map(([key, says]): Row => [key, says]);
  },
  plugin: (terminal) => plugins(terminal, () => true),
  provider: (terminal) => plugins(terminal, ({ fills }) => fills.includes("provider")),
  async backup(terminal) {
    const { listBackups } = await import("../../home/backups/read-backups.ts");
    return (await listBackups(setupOf(terminal).paths)).map(
      ({ name, bytes }): Row => [name, size(bytes)],
    );
  },
} as const satisfies Record<string, (terminal: Terminal) => Promise<Row[]>>;

export type Completable = keyof typeof listers;
export const completable = Object.keys(listers) as Completable[];

/** Whoever presses Tab waits for it. */
const asked = { start: false, timeoutMs: 1_000 } as const;
const longest = 60;

/** One value a line, with what it is behind a tab; none where nothing can be known now. */
export async function completableLines(of: Completable, terminal: Terminal): Promise<string[]> {
  const rows: readonly Row[] = await listers[of](terminal).catch(() => []);
  const unique = new Map(rows.toReversed());
  return [...unique]
    .reverse()
    .map(([value, says]) => `${value}\t${cut(oneLine(printableMemory(says)), longest)}`);
}

async function recordIds(): Promise<Row[]> {
  const [timeline, memory] = await Promise.all([
    ifRunning(server.get("/api/timeline", { query: { limit: 100 }, ...asked })),
    ifRunning(server.get("/api/search", { query: { kinds: ["memory"], limit: 100 }, ...asked })),
  ]);
  const items = (timeline?.items ?? []) as readonly TimelineItem[];
  return [...items.toReversed().flatMap(({ parts }) => parts), ...(memory?.results ?? [])].map(
    ({ id, title }): Row => [id, title],
  );
}

async function sessionIds(): Promise<Row[]> {
  const found = await ifRunning(server.get("/api/sessions", { query: { limit: 100 }, ...asked }));
  return (found?.sessions ?? []).map(({ id, title }): Row => [id.slice(0, 8), title]);
}

async function plugins(
  terminal: Terminal,
  isOne: (plugin: { fills: readonly string[] }) => boolean,
): Promise<Row[]> {
  const { currentPlugins } = await import("../plugins/list.ts");
  const { plugins: all } = await currentPlugins(terminal);
  return all.filter(isOne).map(({ name, description }): Row => [name, description ?? ""]);
}
