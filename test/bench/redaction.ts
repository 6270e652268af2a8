// What redaction costs for each kilobyte, by kind of text; its ratio to a bare look at each character is the machine's own.
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import process from "node:process";
import { redactText } from "../../src/privacy/redact.ts";
import { secretCases } from "../privacy/corpus/cases.ts";
import { type Figure, median } from "./figures.ts";
import { readPayload } from "./payloads.ts";

const part = "redaction";

/** Microseconds of CPU for each kilobyte: the median of rounds. */
function costOf(texts: readonly string[], act: (text: string) => unknown): number {
  const kilobytes = texts.reduce((sum, text) => sum + text.length, 0) / 1_024;
  const again = Math.ceil(400 / kilobytes);
  const rounds: number[] = [];
  for (let round = 0; round < 15; round++) {
    const begun = process.cpuUsage();
    for (let time = 0; time < again; time++) for (const text of texts) act(text);
    const { user, system } = process.cpuUsage(begun);
    rounds.push((user + system) / again / kilobytes);
  }
  return median(rounds.slice(5));
}

let sum = 0;
function look(text: string): void {
  for (let at = 0; at < text.length; at++) sum = (sum + text.charCodeAt(at)) | 0;
}

const ofProject = (file: string): string =>
  readFileSync(resolve(import.meta.dirname, "../..", file), "utf8");

/** Texts by kind, each as a client hands it over: a text for a field. */
function kinds(): Record<string, string[]> {
  const { tool_response } = JSON.parse(readPayload("s", 1));
  return {
    "a file that was read": [tool_response.file.content],
    code: ["src/server/server.ts", "src/records/put.ts", "plugins/endless-live/index.ts"].map(
      ofProject,
    ),
    prose: ["README.md", "docs/developers/how-it-works.md"].map(ofProject),
    "a table of packages": [ofProject("bun.lock")],
    "names and paths": ofProject("docs/developers/how-it-works.md").split(/[\s`|]+/),
    "secrets and look-alikes": secretCases().map(({ text }) => text),
  };
}

/** What each kind of text costs. */
export async function benchRedaction(): Promise<Figure[]> {
  return Object.entries(kinds()).flatMap(([kind, texts]): Figure[] => {
    const cost = costOf(texts, redactText);
    return [
      { part, name: `${kind}, each KB`, value: cost, unit: "µs" },
      { part, name: `${kind}, to a bare look`, value: cost / costOf(texts, look), unit: "×" },
    ];
  });
}
