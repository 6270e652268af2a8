// What is kept of real sessions: every closing message, refusal and compaction summary, word for word.
import { describe, expect, test } from "bun:test";
import { createHash } from "node:crypto";
import { basename, join } from "node:path";
import type { NewTurn } from "../../src/sdk/turn.ts";
import { sentencesOf } from "../../src/text/prose/plain.ts";
import { textOfContent } from "../../src/transcript/parse-entry.ts";
import { fileChunks, readEntries } from "../../src/transcript/read.ts";
import { turnsOfFile } from "./turns-of-file.ts";

const recordings = join(import.meta.dir, "../../../shared/data/transcripts");
const files = (await Array.fromAsync(new Bun.Glob("*/*.jsonl").scan(recordings)).catch(() => []))
  .filter((file) => !basename(file).startsWith("agent-"))
  .sort();
if (files.length === 0) console.log(`no recordings at ${recordings}: skipped`);

/** A third was put aside before the extraction was written. */
const isSetAside = (file: string) =>
  (createHash("sha256").update(basename(file, ".jsonl")).digest()[0] ?? 0) % 3 === 0;

const plain = (text: string) => text.replace(/[\s…]+/g, " ").trim();

/** What the file itself says, read without the extraction. */
async function wordsOf(path: string) {
  const closings: string[] = [];
  const refusals: string[] = [];
  const compactions: string[] = [];
  let said = "";
  for await (const entry of readEntries(fileChunks(path))) {
    if (entry.kind === "broken" || entry.isSidechain) continue;
    if (entry.kind === "assistant" && !entry.isApiError && entry.model !== "<synthetic>")
      for (const block of entry.blocks) if (block.type === "text") said = block.text;
    if (entry.kind !== "user" || entry.isMeta) continue;
    const texts = entry.blocks.flatMap((block) => (block.type === "text" ? [block.text] : []));
    if (entry.isCompactSummary) compactions.push(texts.join("\n"));
    for (const block of entry.blocks) {
      if (block.type !== "tool_result" || !block.isError) continue;
      const [, reason] = textOfContent(block.content).split("the user said:\n");
      if (reason) refusals.push(reason);
    }
    if (entry.blocks.some(({ type }) => type === "tool_result") || said === "") continue;
    closings.push(said);
    said = "";
  }
  if (said !== "") closings.push(said);
  return { closings, refusals, compactions };
}

async function keptOf(chosen: readonly string[]) {
  const sum = {
    closing: [0, 0],
    refusal: [0, 0],
    compaction: [0, 0],
    bytes: 0,
    turns: 0,
    largest: 0,
  };
  for (const file of chosen) {
    const path = join(recordings, file);
    const turns: NewTurn[] = await turnsOfFile(path);
    const kept = plain(turns.flatMap(({ pieces }) => pieces.map(({ text }) => text)).join("\n"));
    const words = await wordsOf(path);
    const count = (pair: number[], texts: readonly string[]) => {
      for (const text of texts) {
        pair[1] = (pair[1] ?? 0) + 1;
        if (kept.includes(plain(text))) pair[0] = (pair[0] ?? 0) + 1;
      }
    };
    count(sum.closing, words.closings.flatMap(piecesOf));
    count(sum.refusal, words.refusals);
    count(sum.compaction, words.compactions.flatMap(summaryOf).flatMap(piecesOf));
    sum.turns += turns.length;
    for (const turn of turns) {
      const bytes = JSON.stringify(turn).length;
      sum.bytes += bytes;
      sum.largest = Math.max(sum.largest, bytes);
    }
  }
  return sum;
}

/** A summary's own lines: the client's frame around it is not the summary. */
function summaryOf(text: string): string[] {
  return text
    .split("\n")
    .slice(1)
    .filter((line) => !/^(?:Please continue the conversation|If you need specific)/.test(line));
}

/** Line by line where it is no prose, so that code and tables count too. */
function piecesOf(text: string): string[] {
  return text.split("\n").flatMap((line) => (line.includes("`") ? [line] : sentencesOf(line)));
}

describe.skipIf(files.length === 0)("of real sessions", () => {
  test.each([
    ["those it was made with", files.filter((file) => !isSetAside(file))],
    ["those put aside", files.filter(isSetAside)],
  ])("%s keep every closing message, refusal and compaction", async (name, chosen) => {
    const sum = await keptOf(chosen);
    console.log(name, chosen.length, JSON.stringify(sum));
    for (const [kept, all] of [sum.closing, sum.refusal, sum.compaction]) expect(kept).toBe(all);
    expect(sum.closing[1]).toBeGreaterThan(100);
  });
});
