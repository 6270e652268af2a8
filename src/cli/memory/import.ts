// `memoir memory import`: takes an export, or another program's memory, in. What is there stays; the same again stores nothing.
import { createReadStream } from "node:fs";
import { stat } from "node:fs/promises";
import { resolve } from "node:path";
import process from "node:process";
import { errorMessage } from "../../home/describe-error.ts";
import { MemoirError } from "../../sdk/errors.ts";
import type { Terminal } from "../terminal/terminal.ts";
import { exportVersion } from "./export.ts";
import { type ImportLine, type ImportOptions, importLines } from "./import-run.ts";

/** A longer line is no record. */
const longestLine = 16 * 1024 * 1024;

/** Gives 1 when a line was left out, or the file ends early. Rejects with `import_unknown` or `import_newer` before anything is stored. */
export async function importMemory(
  file: string | undefined,
  options: ImportOptions,
  terminal: Terminal,
): Promise<number> {
  if (options.from === "claude-mem") {
    const { importClaudeMem } = await import("./claude-mem/import-claude-mem.ts");
    return await importClaudeMem(file, options, terminal);
  }
  if (file === undefined)
    throw new MemoirError("usage", "Which file is to be imported?", {
      fix: "Name one that `memoir memory export` wrote, or `-` for what comes on stdin.",
    });
  const lines =
    file === "-" ? textsOf(process.stdin) : await fileLines(resolve(terminal.cwd, file));
  const seen = { isWhole: false };
  return importLines(recordsOf(lines, file, seen), options, terminal, {
    nameOf: (line) => `line ${line}`,
    isWhole: () => seen.isWhole,
  });
}

/** The lines between the one that begins an export and the one that ends it. */
async function* recordsOf(
  lines: AsyncIterable<ImportLine>,
  file: string,
  seen: { isWhole: boolean },
): AsyncGenerator<ImportLine> {
  let isBegun = false;
  for await (const line of lines) {
    const text = "text" in line ? line.text : undefined;
    if (!isBegun) checkHeader(text ?? "", file);
    else if (text === undefined) yield line;
    else if (text.trim() !== "") {
      seen.isWhole = /^\s*\{\s*"memoir"\s*:\s*"end"/.test(text);
      if (!seen.isWhole) yield line;
    }
    isBegun = true;
  }
  if (!isBegun) checkHeader("", file);
}

/** Throws `import_unknown` for what is no export, `import_newer` for one of another form. */
function checkHeader(text: string, file: string): void {
  let header: { memoir?: unknown; version?: unknown } = {};
  try {
    const value: unknown = JSON.parse(text.replace(/^\ufeff/, ""));
    if (typeof value === "object" && value !== null) header = value;
  } catch {
    // No JSON, so no header.
  }
  const what = file === "-" ? "What came on stdin" : file;
  if (header.memoir !== "export" || typeof header.version !== "number")
    throw new MemoirError(
      "import_unknown",
      `${what} does not begin as an export of memoir does; nothing was imported.`,
    );
  if (header.version !== exportVersion)
    throw new MemoirError(
      "import_newer",
      `${what} is an export of version ${header.version}; this memoir reads version ${exportVersion}.`,
    );
}

async function fileLines(path: string) {
  try {
    if (!(await stat(path)).isFile()) throw new Error("it is no file");
  } catch (cause) {
    const message = `${path} cannot be read: ${errorMessage(cause)}`;
    throw new MemoirError("file_unusable", message, { cause });
  }
  return textsOf(createReadStream(path));
}

/** Lines of UTF-8, numbered from 1; what is longer than any record is passed over without being held. */
export async function* textsOf(
  chunks: AsyncIterable<Uint8Array | string>,
): AsyncGenerator<ImportLine> {
  let line = 1;
  let parts: Buffer[] = [];
  let length = 0;
  const taken = () => {
    const isTooLong = length > longestLine;
    const text = isTooLong ? "" : Buffer.concat(parts).toString("utf8").replace(/\r$/, "");
    parts = [];
    length = 0;
    if (isTooLong) return { line: line++, error: `it is longer than ${longestLine} bytes` };
    return { line: line++, text };
  };
  for await (const chunk of chunks) {
    let rest = Buffer.from(chunk as Uint8Array);
    for (let end = rest.indexOf(10); end >= 0; end = rest.indexOf(10)) {
      length += end;
      if (length <= longestLine) parts.push(rest.subarray(0, end));
      yield taken();
      rest = rest.subarray(end + 1);
    }
    length += rest.length;
    if (length <= longestLine) parts.push(rest);
    else parts = [];
  }
  if (length > 0) yield taken();
}
