// A file's own list of its tables and indexes, as far as its pages can be read.
import { childrenOf, kinds, rowsOf, treePage } from "./cells.ts";
import type { PageSource } from "./page-source.ts";

/** A table or an index. */
interface Listed {
  name: string;
  root: number;
}

/** `pass` is told of each page that the list stands in. */
export function listedIn(
  pages: PageSource,
  pass: (page: number) => void = () => undefined,
): Listed[] {
  const found: Listed[] = [];
  const seen = new Set<number>();
  const waiting = [1];
  for (let number = waiting.pop(); number !== undefined; number = waiting.pop()) {
    const page = treePage(pages, number);
    const isOfTable = page?.kind === kinds.tableLeaf || page?.kind === kinds.tableInterior;
    if (!isOfTable || seen.has(number)) continue;
    seen.add(number);
    pass(number);
    waiting.push(...childrenOf(page));
    for (const { values } of rowsOf(pages, page, () => undefined)) {
      const [, name, , root] = values;
      if (typeof name === "string" && typeof root === "number" && root > 1)
        found.push({ name, root });
    }
  }
  return found;
}
