// What the disk alone takes: as much as the journal writes for one event, flushed. No server that commits before it answers is quicker.
import { fdatasyncSync, openSync, writeSync } from "node:fs";
import { join } from "node:path";

/** A commit of one event writes 16 pages of 4 KB. */
const bytes = Buffer.alloc(64 * 1024);
/** Written over and over, as a log is that was folded in. */
const places = 64;

/** Times one flush in `folder` at each call, in ms. */
export function flushTimer(folder: string): () => number {
  const file = openSync(join(folder, "flushed"), "w");
  let at = 0;
  const write = () => writeSync(file, bytes, 0, bytes.length, (at++ % places) * bytes.length);
  while (at < places) write();
  fdatasyncSync(file);
  return () => {
    write();
    const begin = performance.now();
    fdatasyncSync(file);
    return performance.now() - begin;
  };
}
