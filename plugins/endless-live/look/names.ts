// The names in lines that are left out: told beside their mark they say what is to be had behind it.

/** `SaveChanges`, `manual_commit`: no word of prose. Shorter ones tell little, longer ones are data. */
const name =
  /(?<![\w$])(?=[A-Za-z_$][\w$]{7,60}(?![\w$]))[\w$]*?(?:[a-z\d][A-Z]|[A-Za-z\d]_[A-Za-z])[\w$]*/g;

const namesIn = (text: string): string[] => text.match(name) ?? [];

/** What the names of a gap may take: a part of what is left out, within bounds; and those of all gaps. */
const [share, leastRoom, mostRoom, mostInAll] = [0.1, 80, 500, 2_000];

/** Tells the names of lines that are left out which stand nowhere in `shown`, each once: as many as there is room for, those of the outermost lines first. */
export function createNames(shown: readonly string[]): (lines: readonly string[]) => string {
  const told = new Set(shown.flatMap(namesIn));
  let left = mostInAll;
  return (lines) => {
    const found = new Map<string, number>();
    for (const line of lines) {
      const depth = line.search(/[^-+\s]/);
      for (const name of namesIn(line))
        if (!told.has(name)) found.set(name, Math.min(depth, found.get(name) ?? depth));
    }
    const size = lines.reduce((sum, { length }) => sum + length + 1, 0);
    let room = Math.min(left, mostRoom, Math.max(leastRoom, size * share));
    const chosen = new Set<string>();
    for (const [name] of [...found].sort(([, one], [, other]) => one - other)) {
      room -= name.length + 1;
      if (room < 0) break;
      left -= name.length + 1;
      chosen.add(name);
      told.add(name);
    }
    return [...found.keys()].filter((name) => chosen.has(name)).join(" ");
  };
}
