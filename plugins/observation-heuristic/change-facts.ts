// What became of each changed file, as facts: what was added, removed, renamed, or changed inside.
import { plural, shortPath } from "../../src/text/index.ts";
import { type Candidate, factLength } from "./fact.ts";
import { isDocument, isGenerated, isTest } from "./file-kind.ts";
import type { ChangeStep } from "./step.ts";
import type { Definition } from "./symbols.ts";

/** All changes to one file in an episode, as one. */
export interface FileChange {
  path: string;
  action: ChangeStep["action"];
  from?: string;
  added: number;
  removed: number;
  addedLines: string[];
  defined: Definition[];
  dropped: Definition[];
  touched: Definition[];
}

/** Merges the changes of an episode file by file, in the order files were first touched. */
export function fileChanges(changes: readonly ChangeStep[]): FileChange[] {
  const files = new Map<string, FileChange>();
  for (const change of changes) {
    const file = files.get(change.path);
    if (file === undefined) {
      files.set(change.path, {
        path: change.path,
        action: change.action,
        ...(change.from === undefined ? {} : { from: change.from }),
        added: change.added.length,
        removed: change.removed.length,
        addedLines: [...change.added],
        defined: change.defined,
        dropped: change.dropped,
        touched: change.touched,
      });
      continue;
    }
    if (change.action === "deleted") file.action = "deleted";
    file.added += change.added.length;
    file.removed += change.removed.length;
    const gone = new Set(change.removed);
    file.addedLines = [...file.addedLines.filter((line) => !gone.has(line)), ...change.added];
    const dropped = names(change.dropped);
    const fresh = names(change.defined);
    const before = names(file.dropped);
    const mine = names(file.defined);
    file.defined = unique([
      ...file.defined.filter((one) => !dropped.has(one.name)),
      ...change.defined.filter((one) => !before.has(one.name)),
    ]);
    file.dropped = unique([
      ...file.dropped.filter((one) => !fresh.has(one.name)),
      ...change.dropped.filter((one) => !mine.has(one.name)),
    ]);
    file.touched = unique([
      ...file.touched,
      ...change.touched,
      ...change.defined.filter((one) => before.has(one.name)),
    ]);
  }
  for (const file of files.values()) {
    const fresh = names([...file.defined, ...file.dropped]);
    file.touched = file.touched.filter((one) => !fresh.has(one.name));
  }
  return [...files.values()].filter(
    (file) => !(file.action === "created" && file.added === 0 && file.defined.length === 0),
  );
}

/** One sentence on what happened in a file; "" when there is nothing to tell. */
export function changeSentence(file: FileChange, most = 4): string {
  const path = shortPath(file.path);
  if (file.action === "deleted") return `${path} was deleted`;
  if (file.action === "moved") return `${shortPath(file.from ?? "")} was moved to ${path}`;
  const renamed = renameOf(file);
  const parts: string[] = [];
  const plus = label(
    file.defined.filter((one) => one.name !== renamed?.to),
    file,
    most,
  );
  const minus = label(
    file.dropped.filter((one) => one.name !== renamed?.from),
    file,
    most,
  );
  if (renamed) parts.push(`renamed ${renamed.from} to ${renamed.to}`);
  if (file.action === "created") {
    const lines = file.added > 0 ? ` (${file.added} lines)` : "";
    return plus === "" ? `${path}: new file${lines}` : `${path}: new file${lines} with ${plus}`;
  }
  if (plus !== "") parts.push(`added ${plus}`);
  if (minus !== "") parts.push(`removed ${minus}`);
  const inside = label(file.touched, file, most);
  if (inside !== "" && parts.length < 2) parts.push(`changed ${inside}`);
  if (parts.length === 0) {
    const line = tellingLine(file);
    if (line !== undefined) return `${path}: added the line "${line}"`;
  }
  const counts = `${plural(file.added, "line")} added, ${file.removed} removed`;
  return parts.length === 0
    ? `${path}: ${counts}`
    : `${path}: ${parts.join("; ")} (+${file.added} -${file.removed} lines)`;
}

/** The sentence with as many names as fit into a fact. */
function sentenceOfLength(file: FileChange): string {
  const sentences = [4, 3, 2, 1].map((most) => changeSentence(file, most));
  return sentences.find((sentence) => sentence.length <= factLength.max) ?? sentences[0] ?? "";
}

/** The same in more words, for small changes to files with short names. */
function fullerSentences(file: FileChange): string[] {
  const path = shortPath(file.path);
  const named = (definitions: readonly Definition[]) =>
    joined(definitions.slice(0, 4).map((one) => `the ${one.what} ${clean(one.name)}`));
  const lines = `${plural(file.added, "line")} added and ${file.removed} removed`;
  const line = tellingLine(file);
  const shown = line === undefined ? "" : `, with the line "${line}"`;
  if (file.action === "deleted") return [`The file ${path} was deleted from the project`];
  if (file.action === "created") {
    const what = named(file.defined);
    const size = plural(file.added, "line");
    const defines = what === "" ? "" : ` that defines ${what}`;
    return [
      `${path}: new file (${size})${defines}`,
      `${path}: new file of ${size}${defines}${shown}`,
    ];
  }
  const parts = [
    file.defined.length > 0 ? `added ${named(file.defined)}` : "",
    file.dropped.length > 0 ? `removed ${named(file.dropped)}` : "",
    file.defined.length + file.dropped.length === 0 && file.touched.length > 0
      ? `changed ${named(file.touched)}`
      : "",
  ].filter((part) => part !== "");
  return [
    `${path}: ${[...parts, lines].join("; ")}`,
    `${path}: ${[...parts, lines].join("; ")}${shown}`,
  ];
}

/** Facts on the files of an episode, the telling ones scored higher. */
export function changeFacts(files: readonly FileChange[]): Candidate[] {
  return files
    .filter((file) => !isGenerated(file.path))
    .map((file) => {
      const names = file.defined.length + file.dropped.length;
      const named = names > 0 ? 3 : file.touched.length > 0 ? 1.5 : 0;
      const size = Math.min(2, Math.log10(1 + file.added + file.removed));
      const kind = file.action === "edited" ? 0 : 1;
      return {
        text: sentenceOfLength(file),
        fuller: fullerSentences(file),
        score:
          1 + named + size + kind - (isTest(file.path) ? 1.5 : 0) - (isDocument(file.path) ? 1 : 0),
      };
    })
    .filter((candidate) => !/: \d+ lines? added, \d+ removed$/.test(candidate.text));
}

/** A rename: exactly one definition went and one of the same kind came, with a shared word in the name or body kept. */
function renameOf(file: FileChange): { from: string; to: string } | undefined {
  const [gone, ...moreGone] = file.dropped;
  const [fresh, ...moreFresh] = file.defined;
  if (gone === undefined || fresh === undefined || moreGone.length > 0 || moreFresh.length > 0)
    return undefined;
  if (gone.what !== fresh.what || gone.what === "section") return undefined;
  const parts = (name: string) =>
    name
      .split(/(?=[A-Z])|[_\W]+/)
      .map((part) => part.toLowerCase())
      .filter((part) => part.length > 2);
  const old = new Set(parts(gone.name));
  return parts(fresh.name).some((part) => old.has(part))
    ? { from: gone.name, to: fresh.name }
    : undefined;
}

/** `a, b and c` of the most telling definitions, with what they are where that is not clear from the name. */
function label(definitions: readonly Definition[], file: FileChange, most: number): string {
  const tests = definitions.filter((one) => one.what === "test");
  const rest = definitions.filter((one) => one.what !== "test");
  const shown = (
    rest.length > 0 && !isTest(file.path) ? rest : tests.length > 0 ? tests : rest
  ).slice();
  const isTests = shown === tests || shown[0]?.what === "test";
  const limit = isTests ? Math.min(2, most) : most;
  const some = shown
    .slice(0, limit)
    .map((one) =>
      one.what === "test" || one.what === "section" ? `"${clean(one.name)}"` : one.name,
    );
  if (some.length === 0) return "";
  const more = definitions.length - some.length;
  const all = definitions.length === some.length;
  const several = all ? "tests " : `${definitions.length} tests, among them `;
  const testsKind = definitions.length === 1 ? "test " : several;
  const sections = some.length === 1 ? "section " : "sections ";
  const kind = isTests ? testsKind : shown[0]?.what === "section" ? sections : "";
  const noun = !isTests && more > 0 ? ` and ${more} more` : "";
  return kind + (noun === "" ? joined(some) : `${some.join(", ")}${noun}`);
}

function clean(name: string): string {
  return name.replace(/["`]/g, "'").slice(0, 70);
}

/** The one line that tells a small change: short, with words in it, not a bracket or an import of many. */
function tellingLine(file: FileChange): string | undefined {
  if (file.added > 12) return undefined;
  const line = file.addedLines
    .map((text) => text.trim().replace(/,$/, ""))
    .filter(
      (text) =>
        text.length >= 8 &&
        text.length <= 90 &&
        /\w{3}/.test(text) &&
        !/^(?:\/\/|#|\*|--|import\b|<!--|return;?$|\}|\))/.test(text),
    )
    .sort((left, right) => right.length - left.length)[0];
  return line?.replaceAll('"', "'");
}

function names(definitions: readonly Definition[]): Set<string> {
  return new Set(definitions.map((one) => one.name));
}

function unique(definitions: readonly Definition[]): Definition[] {
  const seen = new Set<string>();
  return definitions.filter((one) => (seen.has(one.name) ? false : seen.add(one.name)));
}

/** `a`, `a and b`, `a, b and c`. */
export function joined(list: readonly string[]): string {
  if (list.length < 2) return list[0] ?? "";
  return `${list.slice(0, -1).join(", ")} and ${list[list.length - 1]}`;
}
