// Which pages hold nothing that counts: those that were given up, where the file still says so.
import { u32 } from "./bytes.ts";
import { hasHeader, type Pages } from "./pages.ts";

/** Told of each page that is free, or that only says what others are. */
export function markFree(pages: Pages, mark: (page: number) => void): void {
  const first = pages.page(1);
  if (!first) return;
  if (hasHeader(first) && u32(first, 52) > 0) markByMap(pages, mark);
  let trunk = u32(first, 32);
  for (let left = Math.min(u32(first, 36), pages.count); trunk > 0 && left > 0; ) {
    const page = pages.page(trunk);
    if (!page) return;
    const leaves = u32(page, 4);
    // A page of a tree, to which damage led, is no list: its first bytes would name pages far beyond the end.
    if (u32(page, 0) > pages.count || leaves > Math.floor(pages.usable / 4) - 2) return;
    mark(trunk);
    for (let i = 0; i < leaves; i++) mark(u32(page, 8 + 4 * i));
    left -= leaves + 1;
    trunk = u32(page, 0);
  }
}

const freePage = 2;
const entryBytes = 5;

/** A file that gives pages back keeps of each page what it is, in pages of their own. */
function markByMap({ page, usable, count }: Pages, mark: (page: number) => void): void {
  const entries = Math.floor(usable / entryBytes);
  for (let at = 2; at <= count; at += entries + 1) {
    mark(at);
    const map = page(at);
    if (!map) continue;
    for (let i = 0; i < entries && at + 1 + i <= count; i++)
      if (map[i * entryBytes] === freePage && u32(map, i * entryBytes + 1) === 0) mark(at + 1 + i);
  }
}
