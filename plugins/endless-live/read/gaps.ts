// Leaves lines out of a read: each gap becomes a mark that tells the file's own line numbers, all other lines stay word for word.
import { type Arrived, type Reduced, recallLine } from "../reducer.ts";
import { type FileView, numbered } from "./view.ts";

/** Lines to leave out, by their place in the view; both ends included. */
export interface Gap {
  from: number;
  to: number;
  /** What is said of them: `left out`, `unchanged, as read before`. */
  why: string;
}

/** Said at the first mark. */
const runOn = "from here on the numbers at the left run on, the marks tell the file's own";

/** What a mark costs at least: a gap that hides less is not made. */
const leastHidden = 80;

/**
 * The view with its gaps; undefined when nothing is left out. The client numbers what it is given from `startLine` on,
 * so behind a gap its numbers are too low: the marks, and the note in front, tell the true ones.
 */
export function leaveOut(
  arrived: Arrived,
  view: FileView,
  gaps: readonly Gap[],
  how: string,
): Reduced | undefined {
  const { lines, startLine, response } = view;
  const worthy = gaps.filter(
    ({ from, to }) =>
      lines.slice(from, to + 1).reduce((sum, line) => sum + line.length + 8, 0) > leastHidden,
  );
  if (worthy.length === 0) return undefined;
  const shown: string[] = [];
  const shownLines: Array<readonly [number, number]> = [];
  let next = 0;
  let hidden = 0;
  const keep = (to: number) => {
    if (to < next) return;
    shown.push(...lines.slice(next, to + 1));
    shownLines.push([startLine + next, startLine + to]);
  };
  for (const [at, { from, to, why }] of worthy.entries()) {
    keep(from - 1);
    const place =
      from === to ? `line ${startLine + from}` : `lines ${startLine + from}-${startLine + to}`;
    const note = at === 0 && to < lines.length - 1 ? `; ${runOn}` : "";
    shown.push(`[${place} ${why}${note}]`);
    hidden += to - from + 1;
    next = to + 1;
  }
  keep(lines.length - 1);
  shown.push(
    recallLine(
      arrived,
      `${hidden} of ${lines.length} lines, a Read with offset and limit shows them`,
    ),
  );
  const content = shown.join("\n");
  return {
    response: {
      ...response,
      file: { ...response.file, content, numLines: shown.length },
    },
    before: numbered(lines, startLine),
    after: numbered(shown, startLine),
    how,
    shownLines,
  };
}
