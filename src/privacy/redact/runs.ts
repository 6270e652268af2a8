// Finds long runs of characters of one class with a look at few characters of a text.

/** A class of characters: those below 128 for whose code `member` says so. */
export function classOf(member: RegExp): Uint8Array {
  return Uint8Array.from({ length: 128 }, (_, code) =>
    Number(member.test(String.fromCharCode(code))),
  );
}

function isIn(members: Uint8Array, text: string, at: number): boolean {
  return at >= 0 && at < text.length && members[text.charCodeAt(at)] === 1;
}

/** Calls `visit` for every run that is at least so long and that no character of the class stands before or behind. */
export function visitRuns(
  text: string,
  members: Uint8Array,
  shortest: number,
  visit: (start: number, end: number) => void,
): void {
  // Such a run covers one of these places, wherever it begins.
  for (let at = shortest - 1; at < text.length; at += shortest) {
    if (!isIn(members, text, at)) continue;
    let start = at;
    while (isIn(members, text, start - 1)) start--;
    while (isIn(members, text, at)) at++;
    if (at - start >= shortest) visit(start, at);
  }
}
