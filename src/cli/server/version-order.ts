// Which of two versions a start leaves running.

/**
 * True where a start with `left` is to end a server of `right`: `left` is a later release by major, minor and patch, or another build
 * of the same. What is no version takes nothing over.
 */
export function takesOver(left: string, right: string): boolean {
  const [a, b] = [numbers(left), numbers(right)];
  if (!a || !b) return false;
  for (let at = 0; at < 3; at += 1) {
    const difference = (a[at] ?? 0) - (b[at] ?? 0);
    if (difference !== 0) return difference > 0;
  }
  return left !== right;
}

function numbers(version: string): number[] | undefined {
  const match = /^v?(\d+)\.(\d+)\.(\d+)/.exec(version);
  return match?.slice(1).map(Number);
}
