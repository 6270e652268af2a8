// A real run's writes to its databases in the order in which the system was asked for them, and the disk as it may stand after
// a power failure at any of them: what was flushed is there, of the rest some writes, some not, some by halves.
import type { Draw } from "../seeds.ts";

/** One thing that was asked of the system. `file` is a name in the home. */
export type Op =
  | { kind: "write"; file: string; offset: number; data: Buffer }
  | { kind: "truncate"; file: string; size: number }
  /** Done: all that was asked for before `begun` is on the disk. */
  | { kind: "sync"; file: string; begun: number }
  | { kind: "remove"; file: string }
  /** So many lines were written to the list of what was answered. */
  | { kind: "answered"; lines: number };

/** What is recorded, for strace. */
export const traced =
  "trace=pwrite64,write,ftruncate,fsync,fdatasync,unlink,unlinkat,openat,rename,renameat,renameat2";

const sector = 512;
const databases = /\.db(?:-wal)?$/;

const decoded = (hex: string) => Buffer.from(hex.replaceAll("\\x", ""), "hex");

/** Reads what strace wrote with `-f -y -xx`: databases below `home`, and `answered`. */
export function readOps(trace: string, home: string, answered: string): Op[] {
  const ops: Op[] = [];
  /** By process: a call that has not come back, and where it began. */
  const open = new Map<string, { call: string; begun: number }>();
  for (const line of trace.split("\n")) {
    const [, pid = "", rest = ""] = /^(\d+) +(.*)$/.exec(line) ?? [];
    if (rest.endsWith("<unfinished ...>")) {
      const call = rest.slice(0, -"<unfinished ...>".length);
      open.set(pid, { call, begun: ops.length });
      // A write counts from when it was asked for.
      if (!/^f(?:data)?sync/.test(call)) add(ops, call, ops.length, home, answered);
      continue;
    }
    const resumed = /^<\.\.\. (\w+) resumed>/.exec(rest);
    const begun = open.get(pid);
    if (resumed && begun) open.delete(pid);
    if (!resumed) add(ops, rest, ops.length, home, answered);
    else if (begun && /sync$/.test(resumed[1] ?? ""))
      add(ops, begun.call, begun.begun, home, answered);
  }
  return ops;
}

function add(ops: Op[], call: string, begun: number, home: string, answered: string): void {
  const [, name = "", args = ""] = /^(\w+)\((.*)$/s.exec(call) ?? [];
  if (/^unlink/.test(name)) {
    const path = decoded(/"((?:\\x[0-9a-f]{2})*)"/.exec(args)?.[1] ?? "").toString();
    const file = inHome(path, home);
    if (file !== undefined) ops.push({ kind: "remove", file });
    return;
  }
  const [, hex = "", more = ""] = /^\d+<((?:\\x[0-9a-f]{2})*)>(.*)$/s.exec(args) ?? [];
  const path = decoded(hex).toString();
  const data = () => decoded(/"((?:\\x[0-9a-f]{2})*)"/.exec(more)?.[1] ?? "");
  if (path === answered && name === "write") {
    ops.push({ kind: "answered", lines: data().toString().split("\n").length - 1 });
    return;
  }
  const file = inHome(path, home);
  if (file === undefined) return;
  if (name === "pwrite64") {
    const offset = Number(/, \d+, (\d+)/.exec(more.slice(more.lastIndexOf('"') + 1))?.[1]);
    ops.push({ kind: "write", file, offset, data: data() });
  } else if (name === "ftruncate")
    ops.push({ kind: "truncate", file, size: Number(/^, (\d+)/.exec(more)?.[1]) });
  else if (/sync$/.test(name)) ops.push({ kind: "sync", file, begun });
}

function inHome(path: string, home: string): string | undefined {
  const file = path.startsWith(`${home}/`) ? path.slice(home.length + 1) : "";
  return databases.test(file) ? file : undefined;
}

/** The files as they may stand after a power failure before op `end`, and how many answers had gone out by then. */
export function diskAfter(
  ops: readonly Op[],
  end: number,
  draw: Draw,
): { files: Map<string, Buffer>; answered: number } {
  const files = new Map<string, Buffer>();
  const waiting = new Map<string, Array<{ at: number; op: Op }>>();
  let answered = 0;
  for (const [at, op] of ops.slice(0, end).entries()) {
    if (op.kind === "answered") answered += op.lines;
    else if (op.kind === "sync") {
      const all = waiting.get(op.file) ?? [];
      for (const { at: asked, op: one } of all) if (asked < op.begun) apply(files, one);
      const left = all.filter(({ at: asked }) => asked >= op.begun);
      waiting.set(op.file, left);
      // A file that was flushed is there, also an empty one.
      if (!files.has(op.file)) files.set(op.file, Buffer.alloc(0));
    } else if (op.kind === "remove") {
      waiting.delete(op.file);
      // The folder's entry may not be on the disk yet.
      if (draw.chance(0.8)) files.delete(op.file);
    } else {
      const all = waiting.get(op.file);
      if (all) all.push({ at, op });
      else waiting.set(op.file, [{ at, op }]);
    }
  }
  for (const all of waiting.values())
    for (const { op } of all) {
      const fate = draw.number();
      if (fate < 0.5) apply(files, op);
      else if (fate < 0.75) applyPart(files, op, draw);
    }
  return { files, answered };
}

function apply(files: Map<string, Buffer>, op: Op): void {
  if (op.kind === "truncate") files.set(op.file, grown(files.get(op.file), op.size, true));
  if (op.kind !== "write") return;
  const bytes = grown(files.get(op.file), op.offset + op.data.length);
  op.data.copy(bytes, op.offset);
  files.set(op.file, bytes);
}

/** Some sectors of a write. */
function applyPart(files: Map<string, Buffer>, op: Op, draw: Draw): void {
  if (op.kind !== "write") return;
  for (let from = 0; from < op.data.length; from += sector)
    if (draw.chance(0.5))
      apply(files, {
        ...op,
        offset: op.offset + from,
        data: op.data.subarray(from, from + sector),
      });
}

/** As many bytes; those that grow by each write have room for the next ones, for a copy each time would take most of the test. */
function grown(bytes: Buffer | undefined, size: number, cut = false): Buffer {
  const there = bytes ?? Buffer.alloc(0);
  if (cut && there.length > size)
    return Buffer.from(new Uint8Array(there.subarray(0, size)).buffer);
  if (there.length >= size) return there;
  // Each has a memory of its own, with zeros behind its end.
  if (size <= there.buffer.byteLength) return Buffer.from(there.buffer, 0, size);
  const roomy = Buffer.from(new ArrayBuffer(size * 2), 0, size);
  there.copy(roomy);
  return roomy;
}
