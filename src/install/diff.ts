// A unified diff of two short texts, for `--dry-run`.

const context = 3;

interface Line {
  mark: " " | "-" | "+";
  text: string;
}

/** The lines that differ, each with up to three unchanged lines around it; empty when nothing differs. */
export function diffLines(before: string, after: string): string[] {
  if (before === after) return [];
  const lines = align(split(before), split(after));
  const near = (index: number) =>
    lines.slice(Math.max(0, index - context), index + context + 1).some(({ mark }) => mark !== " ");
  const shown: string[] = [];
  let skipped = false;
  for (const [index, { mark, text }] of lines.entries()) {
    if (!near(index)) {
      skipped = true;
      continue;
    }
    if (skipped && shown.length > 0) shown.push("  …");
    skipped = false;
    shown.push(`${mark} ${text}`);
  }
  return shown;
}

function split(text: string): string[] {
  const lines = text.split(/\r?\n/);
  if (lines.at(-1) === "") lines.pop();
  return lines;
}

/** The longest common subsequence decides what stays; equal ends are taken off first. */
function align(before: readonly string[], after: readonly string[]): Line[] {
  let start = 0;
  while (start < before.length && start < after.length && before[start] === after[start]) start++;
  let end = 0;
  const most = Math.min(before.length, after.length) - start;
  while (end < most && before[before.length - 1 - end] === after[after.length - 1 - end]) end++;
  const keep = (text: string): Line => ({ mark: " ", text });
  return [
    ...before.slice(0, start).map(keep),
    ...compare(before.slice(start, before.length - end), after.slice(start, after.length - end)),
    ...before.slice(before.length - end).map(keep),
  ];
}

function compare(before: readonly string[], after: readonly string[]): Line[] {
  const width = after.length + 1;
  const common = new Uint32Array((before.length + 1) * width);
  const at = (i: number, j: number) => common[i * width + j] ?? 0;
  for (let i = before.length - 1; i >= 0; i--)
    for (let j = after.length - 1; j >= 0; j--)
      common[i * width + j] =
        before[i] === after[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1));
  const lines: Line[] = [];
  let [i, j] = [0, 0];
  while (i < before.length || j < after.length) {
    const [old, fresh] = [before[i], after[j]];
    if (old !== undefined && old === fresh) {
      lines.push({ mark: " ", text: old });
      i++;
      j++;
    } else if (old !== undefined && (fresh === undefined || at(i + 1, j) >= at(i, j + 1))) {
      lines.push({ mark: "-", text: old });
      i++;
    } else {
      lines.push({ mark: "+", text: fresh ?? "" });
      j++;
    }
  }
  return lines;
}
