// What tools printed, each with the lines that an engineer needs of it: a file of JSON lines for each kind of output.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import * as v from "valibot";

const Text = v.pipe(v.string(), v.nonEmpty());

const CaseSchema = v.strictObject({
  id: Text,
  aside: v.boolean(),
  /** Of its words, or of who asked. */
  language: v.picklist(["en", "de", "es", "fr", "ja", "ru", "zh"]),
  /** Printed by the tool that `by` names, or written after its format. */
  source: v.picklist(["generated", "modelled"]),
  /** The tool, and its version where it ran. */
  by: Text,
  /** The client's own tool, and what it was called with. */
  tool: Text,
  input: v.record(v.string(), v.unknown()),
  /** What the person had asked for. */
  prompt: v.optional(Text),
  /** What must be read: texts, or (behind `re:`) regular expressions. White space does not count in texts. */
  needles: v.pipe(v.array(Text), v.nonEmpty()),
  output: Text,
});

const AskedSchema = v.strictObject({ ...CaseSchema.entries, kind: Text });

/** A tool's result, and what is needed of it. */
export type EndlessCase = v.InferOutput<typeof CaseSchema> & { kind: string };

/** Every kind of output, in the order of the tables. */
export const endlessKinds = [
  "tests",
  "tests-wrapped",
  "builds",
  "logs",
  "tables",
  "search",
  "read",
  "pages",
  "long-lines",
] as const;

/** All cases. */
export function readEndlessCases(): EndlessCase[] {
  return endlessKinds.flatMap((kind) =>
    readFileSync(join(import.meta.dirname, `${kind}.jsonl`), "utf8")
      .trimEnd()
      .split("\n")
      .map((line) => ({ ...v.parse(CaseSchema, JSON.parse(line)), kind })),
  );
}

/** What a prompt can need of an output. */
export const askedKinds = ["failure", "row", "value", "entry", "chosen", "conclusion", "other"];

/** A blind corpus: printed by tools, each with a prompt as people write them; a kind is what the prompt needs. Quotes no text of unclear licence. */
export function readAskedCases(): EndlessCase[] {
  const packed = readFileSync(join(import.meta.dirname, "asked.jsonl.gz"));
  const lines = gunzipSync(packed).toString().trimEnd().split("\n");
  return lines.map((line) => v.parse(AskedSchema, JSON.parse(line)));
}

/** Whether a text says what is needed. */
export function says(text: string, needle: string): boolean {
  if (needle.startsWith("re:"))
    return new RegExp(needle.slice(3), "m").test(text.replaceAll(/^ *\d+→/gm, ""));
  return bare(text).includes(bare(needle));
}

/** Without the numbers that a read has before its lines. */
const bare = (text: string): string => text.replaceAll(/^ *\d+→/gm, "").replaceAll(/\s+/g, "");
