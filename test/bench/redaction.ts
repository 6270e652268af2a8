// What redaction costs for each kilobyte of ordinary text, and of text in which much has to go.
import process from "node:process";
import { redactText } from "../../src/privacy/redact.ts";
import { secretCases } from "../privacy/corpus/cases.ts";
import { type Figure, median } from "./figures.ts";
import { readPayload } from "./payloads.ts";

const part = "redaction";

/** Microseconds of CPU for each kilobyte: the median of rounds. */
function costOf(texts: readonly string[]): number {
  const kilobytes = texts.reduce((sum, text) => sum + text.length, 0) / 1_024;
  const rounds: number[] = [];
  for (let round = 0; round < 9; round++) {
    const begun = process.cpuUsage();
    for (let again = 0; again < 20; again++) for (const text of texts) redactText(text);
    const { user, system } = process.cpuUsage(begun);
    rounds.push((user + system) / 20 / kilobytes);
  }
  return median(rounds.slice(2));
}

/** A tool use as it comes, and the corpus of secrets and look-alikes. */
export async function benchRedaction(): Promise<Figure[]> {
  const { tool_response } = JSON.parse(readPayload("s", 1)) as { tool_response: unknown };
  const secrets = secretCases().map(({ text }) => text);
  return [
    {
      part,
      name: "a file that was read, each KB",
      value: costOf([JSON.stringify(tool_response)]),
      unit: "µs",
    },
    { part, name: "secrets and look-alikes, each KB", value: costOf(secrets), unit: "µs" },
  ];
}
