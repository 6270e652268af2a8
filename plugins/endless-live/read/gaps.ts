// Leaves lines out of a read: each gap becomes a mark that tells the file's own line numbers, all other lines stay word for word.
import { type Arrived, type Reduced, recallLine } from "../reducer.ts";
import { type FileView, numbered, numberLength } from "./view.ts";

/** Lines to leave out, by their place in the view; both ends included. */
export interface Gap {
  from: number;
  to: number;
  /** What is said of them: `left out`, `unchanged, as read before`. */
  why: string;
}

/** Said at the first mark. */
const runOn =
  "from here on the numbers at the left are too low: count on from the mark above a line";

/** A mark must save this many characters, or its lines stay. */
const leastSaved = 40;

/**
 * The view with its gaps; undefined when nothing is left out. The client numbers what it is given from `startLine` on,
 * so behind a gap its numbers are too low: the marks tell the true ones, and the first such mark says so.
 */
export function leaveOut(
  arrived: Arrived,
  view: FileView,
  gaps: readonly Gap[],
  how: string,
): Reduced | undefined {
  const { lines, startLine, response } = view;
  const worthy = gaps.filter((gap) => {
    let hidden = 0;
    for (let at = gap.from; at <= gap.to; at++) hidden += (lines[at]?.length ?? 0) + numberLength;
    return hidden - markOf(gap, startLine).length > leastSaved;
  });
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
  // What is left out at the beginning moves the first number, so that the lines behind it have their own.
  const first = worthy[0]?.from === 0 ? startLine + worthy[0].to : startLine;
  const misnumbers = worthy.find(({ from, to }) => from > 0 && to > from && to < lines.length - 1);
  for (const gap of worthy) {
    keep(gap.from - 1);
    shown.push(markOf(gap, startLine, gap === misnumbers ? `; ${runOn}` : ""));
    hidden += gap.to - gap.from + 1;
    next = gap.to + 1;
  }
  keep(lines.length - 1);
  shown.push(
    recallLine(arrived, `${hidden} of ${lines.length} lines, which a second Read of them shows`),
  );
  const content = shown.join("\n");
  return {
    response: {
      ...response,
      file: { ...response.file, content, startLine: first, numLines: shown.length },
    },
    before: numbered(lines, startLine),
    after: numbered(shown, first),
    how,
    shownLines,
  };
}

function markOf({ from, to, why }: Gap, startLine: number, note = ""): string {
  const [first, last] = [startLine + from, startLine + to];
  return `[${first === last ? `line ${first}` : `lines ${first}-${last}`} ${why}${note}]`;
}
