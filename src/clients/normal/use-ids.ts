// Ids for the tool uses of a client whose hooks have none and whose transcript has them too late: both sides count to the same.
import { createHash } from "node:crypto";

/** A tool use in normal form. */
interface Use {
  name: string;
  input: unknown;
}

/** Names the n-th use of a tool with the same input since a prompt. */
interface UseIds {
  /** What follows belongs to this prompt, named by its line. */
  begin(prompt: string): void;
  /** The id of a use that is told now. */
  next(use: Use): string;
  /** The id of one that will be told, past those that are known to `isTaken`. */
  ahead(use: Use, isTaken: (id: string) => boolean): string;
}

/** Nothing was told yet of this session. */
export function createUseIds(session: string): UseIds {
  let prompt = "";
  const counts = new Map<string, number>();

  function printOf({ name, input }: Use): string {
    const text = JSON.stringify([session, prompt, name, inOrder(input, 0)]);
    return `use_${createHash("sha256").update(text).digest("hex").slice(0, 24)}`;
  }

  return {
    begin(line) {
      prompt = line;
      counts.clear();
    },
    next(use) {
      const print = printOf(use);
      const count = (counts.get(print) ?? 0) + 1;
      counts.set(print, count);
      return `${print}_${count}`;
    },
    ahead(use, isTaken) {
      const print = printOf(use);
      let count = (counts.get(print) ?? 0) + 1;
      while (isTaken(`${print}_${count}`)) count++;
      return `${print}_${count}`;
    },
  };
}

/** Deeper input is nothing that a model writes. */
const maxDepth = 50;

/** Members by their names: two writers need not have them in one order. */
function inOrder(value: unknown, depth: number): unknown {
  if (typeof value !== "object" || value === null || depth > maxDepth) return value;
  if (Array.isArray(value)) return value.map((one) => inOrder(one, depth + 1));
  const members = Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1));
  return members.map(([name, one]) => [name, inOrder(one, depth + 1)]);
}
