// How many of a user's things were saved from a damaged database, in words: tables are memoir's inside.

/** What a row of a table is to a user: one, and many. */
type Words = readonly [one: string, many: string];

const session: Words = ["session", "sessions"];

/**
 * By file and table, in the order in which they are told. What is in no list is for memoir's own use: links, marks, indexes,
 * second halves of what is counted already.
 */
export const savedThings: Readonly<Record<string, Readonly<Record<string, Words>>>> = {
  "memory.db": {
    sessions: session,
    prompts: ["prompt", "prompts"],
    turns: ["turn", "turns"],
    observations: ["observation", "observations"],
    session_summaries: ["summary", "summaries"],
    memory: ["memory item", "memory items"],
  },
  "journal.db": { sessions: session, events: ["event", "events"] },
  "endless.db": {
    sessions: session,
    refs: ["tool result kept", "tool results kept"],
  },
  "usage.db": { calls: ["model call", "model calls"] },
};

/** `3 sessions, 12 observations and 40 other rows`, or `57 rows` where nothing of them is a user's. `saved`: rows by table, at least one. */
export function savedText(file: string, saved: Readonly<Record<string, number>>): string {
  const things = Object.entries(savedThings[file] ?? {});
  const parts = things.flatMap(([table, words]) =>
    saved[table] ? [counted(saved[table], words)] : [],
  );
  const rest = Object.entries(saved)
    .filter(([table]) => !things.some(([known]) => known === table))
    .reduce((sum, [, n]) => sum + n, 0);
  if (parts.length === 0) return counted(rest, ["row", "rows"]);
  if (rest > 0) parts.push(counted(rest, ["other row", "other rows"]));
  const last = parts.pop() ?? "";
  return parts.length === 0 ? last : `${parts.join(", ")} and ${last}`;
}

function counted(n: number, [one, many]: Words): string {
  return `${n} ${n === 1 ? one : many}`;
}
