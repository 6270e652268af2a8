// Which of two versions is newer.

/** True when `left` is a later release than `right`, by major, minor and patch. What is no version is never newer. */
export function isNewer(left: string, right: string): boolean {
  const [a, b] = [numbers(left), numbers(right)];
  if (!a || !b) return false;
  for (let at = 0; at < 3; at += 1) {
    const difference = (a[at] ?? 0) - (b[at] ?? 0);
    if (difference !== 0) return difference > 0;
  }
  return false;
}

function numbers(version: string): number[] | undefined {
  const match = /^v?(\d+)\.(\d+)\.(\d+)/.exec(version);
  return match?.slice(1).map(Number);
}
