// Turns anything thrown into plain data for the log, the cause chain included; a stack says where it stands in the source.
import process from "node:process";
import { MemoirError } from "../sdk/errors.ts";

/** What `src/release/build.ts` writes: the name of a file in the binary → its map, without the sources' text. */
export type SourceMaps = Readonly<Record<string, SourceMapPayload>>;

interface SourceMapPayload {
  version: 3;
  sources: string[];
  names: string[];
  mappings: string;
}

/** The name under which the binary holds the maps, beside the program's own files. */
export const mapsFile = "source-maps.br";

/** `/$bunfs/root/chunk-1.js:2:3`, and as Windows writes it. */
const inBinary = /[^\s(]*(?:\$bunfs|~BUN)[\\/](?:[^\s():]*[\\/])?([^\s():\\/]+):(\d+):(\d+)/g;

/** The stack with `src/file.ts:line:column` for each place in the binary; as it is where no map knows better. */
export function withSourcePlaces(stack: string, maps: () => SourceMaps = ownMaps): string {
  return stack.replace(inBinary, (place, file: string, line: string, column: string) => {
    const map = maps()[file];
    if (!map) return place;
    const { SourceMap } = process.getBuiltinModule("node:module");
    const entry = new SourceMap({ file, sourcesContent: [], sourceRoot: "", ...map }).findEntry(
      Number(line) - 1,
      Number(column) - 1,
    );
    return "originalSource" in entry
      ? `${entry.originalSource}:${entry.originalLine + 1}:${entry.originalColumn + 1}`
      : place;
  });
}

let known: SourceMaps | undefined;

/** Read at the first error that asks, and by no import: few starts ever need them. */
function ownMaps(): SourceMaps {
  known ??= readMaps();
  return known;
}

function readMaps(): SourceMaps {
  const { readFileSync } = process.getBuiltinModule("node:fs");
  const { brotliDecompressSync } = process.getBuiltinModule("node:zlib");
  try {
    const packed = readFileSync(`${import.meta.dirname}/${mapsFile}`);
    return JSON.parse(brotliDecompressSync(packed).toString("utf8"));
  } catch {
    return {};
  }
}

// Turns anything thrown into plain data for the log, the cause chain included.

/** An error as data; `stack` only when asked for. */
interface ErrorDescription {
  code?: string;
  plugin?: string;
  hook?: string;
  message: string;
  causes?: string[];
  stack?: string;
}

const maxMessage = 2_000;

/** The message of anything thrown, in one bounded piece. */
export function errorMessage(error: unknown): string {
  const text = error instanceof Error ? error.message || error.name : String(error);
  return text.length > maxMessage ? `${text.slice(0, maxMessage)}…` : text;
}

/** What went wrong and what to do, as sentences in one piece. */
export function errorWithFix(error: unknown): string {
  const message = errorMessage(error);
  const said = /[.?!…]$/.test(message) ? message : `${message}.`;
  return error instanceof MemoirError ? `${said} ${error.fix}` : said;
}

/** Code, blame, message and the messages of its causes. */
export function describeError(error: unknown, withStack = false): ErrorDescription {
  const description: ErrorDescription = { message: errorMessage(error) };
  if (error instanceof MemoirError) {
    description.code = error.code;
    if (error.plugin) description.plugin = error.plugin;
    if (error.hook) description.hook = error.hook;
  }
  const causes: string[] = [];
  let cause = error instanceof Error ? error.cause : undefined;
  while (cause !== undefined && causes.length < 5) {
    causes.push(errorMessage(cause));
    cause = cause instanceof Error ? cause.cause : undefined;
  }
  if (causes.length > 0) description.causes = causes;
  if (withStack && error instanceof Error && error.stack)
    description.stack = withSourcePlaces(error.stack);
  return description;
}
