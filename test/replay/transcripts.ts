// `bun run transcripts [folder]`: every transcript below a folder (default: the recorded ones), in a table a folder, counted twice.
import { existsSync } from "node:fs";
import { join, relative, sep } from "node:path";
import process from "node:process";
import { weighTokens } from "../../src/text/text.ts";
import { discoverTranscripts } from "../../src/transcript/discover.ts";
import {
  addCounts,
  agreedFigures,
  countWithJsonParse,
  countWithLibrary,
  noCounts,
  type TranscriptCounts,
} from "./count-transcripts.ts";

const root = process.argv[2] ?? join(import.meta.dirname, "../../../shared/data/transcripts");
if (!existsSync(root)) {
  console.error(`There are no transcripts at ${root}.`);
  process.exit(1);
}

const { sessions } = await discoverTranscripts(root);
const folders = new Map<string, TranscriptCounts & { sessions: number }>();
const different: string[] = [];
for (const { main, agents } of sessions)
  for (const { path } of [...(main ? [main] : []), ...agents]) {
    const name = relative(root, path).split(sep)[0] ?? "";
    const folder = folders.get(name) ?? { ...noCounts(), sessions: 0 };
    folders.set(name, folder);
    const counts = await countWithLibrary(path);
    addCounts(folder, counts);
    if (path === main?.path) folder.sessions++;
    const independent = agreedFigures(await countWithJsonParse(path));
    if (JSON.stringify(independent) !== JSON.stringify(agreedFigures(counts))) different.push(path);
  }

const total = { ...noCounts(), sessions: 0 };
for (const folder of folders.values()) {
  addCounts(total, folder);
  total.sessions += folder.sessions;
}
const heads = [
  "folder",
  "sessions",
  "files",
  "MB",
  "entries",
  "tools",
  "results",
  "matched",
  "broken",
  "messages",
  "tokens",
];
const row = (name: string, counts: TranscriptCounts & { sessions: number }): string[] => [
  name,
  String(counts.sessions),
  String(counts.files),
  (counts.bytes / 1e6).toFixed(1),
  String([...counts.types.values()].reduce((sum, count) => sum + count, 0)),
  String(counts.toolUses),
  String(counts.results),
  String(counts.matched),
  String(counts.broken),
  String(counts.messages),
  String(weighTokens(counts.tokens)),
];
const rows = [
  heads,
  ...[...folders].sort().map(([name, counts]) => row(name, counts)),
  row("all", total),
];
const widths = heads.map((_, at) => Math.max(...rows.map((cells) => cells[at]?.length ?? 0)));
for (const cells of rows)
  console.log(
    cells
      .map((cell, at) => (at === 0 ? cell.padEnd(widths[at] ?? 0) : cell.padStart(widths[at] ?? 0)))
      .join("  "),
  );
const types = [...total.types].sort((one, other) => other[1] - one[1]);
console.log(`\nTypes: ${types.map(([type, count]) => `${type || "(none)"} ${count}`).join(", ")}`);
console.log(
  different.length === 0
    ? `Counted again with JSON.parse on every line: the same in all ${total.files} files.`
    : `Counted again with JSON.parse on every line: DIFFERENT in ${different.join(", ")}`,
);
process.exitCode = different.length === 0 ? 0 : 1;
