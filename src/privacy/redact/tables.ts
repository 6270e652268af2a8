// How the tables of rules read, which say what is looked for: rules/*.txt.
import { rowsOf } from "../../text/tables.ts";
import fragmentTable from "../rules/fragments.txt" with { type: "text" };
import serviceTable from "../rules/services.txt" with { type: "text" };

/** Asks `make` the first time, and answers the same ever after: a hook that spools needs few of the rules. */
export function once<Value extends object>(make: () => Value): () => Value {
  let made: Value | undefined;
  return () => {
    made ??= make();
    return made;
  };
}

const fragments = once(
  () => new Map(rowsOf(fragmentTable).map(([name = "", ...parts]) => [name, parts.join("")])),
);

/** An expression as a table has it, in which a word in braces is a fragment. */
export const withFragments = (source: string): string =>
  source.replace(/\{([a-z]{3,})\}/g, (_, name: string) => {
    const fragment = fragments().get(name);
    if (fragment === undefined) throw new Error(`no table has the fragment ${name}`);
    return withFragments(fragment);
  });

/** The expression that a fragment is alone. */
export const fragment = (name: string, flags = ""): RegExp =>
  new RegExp(withFragments(`{${name}}`), flags);

const flagged = /\/([giuy]+)$/;

/** An expression between strokes that begins with the first of the cells, and what stands behind it. */
export function readExpression(cells: readonly string[]): [pattern: RegExp, rest: string] {
  const last = cells.findIndex((cell) => flagged.test(cell));
  const source = cells.slice(0, last + 1).join("");
  const flags = flagged.exec(source)?.[1] ?? "";
  const body = source.slice(1, -flags.length - 1);
  return [new RegExp(withFragments(body), flags), cells.slice(last + 1).join(" ")];
}

/** The words with which a row begins, ␣ standing for a blank and ␉ for a tab, and the cells behind them: a comma goes on in the next. */
export function readWords(cells: readonly string[]): [words: string[], rest: string[]] {
  const end = cells.findIndex((cell) => !cell.endsWith(",")) + 1;
  const listed = cells.slice(0, end).join("").replaceAll("␣", " ").replaceAll("␉", "\t");
  const [, list = ""] = /^@(\w+)$/.exec(listed) ?? [];
  return [services[list] ?? listed.split(","), cells.slice(end)];
}

/** The lists of words of a table, by name. */
export function readLists(table: string): (name: string) => ReadonlySet<string> {
  const lists = new Map(
    rowsOf(table).map(([name, ...lines]) => [name, new Set(lines.join(" ").split(" "))]),
  );
  return (name) => {
    const list = lists.get(name);
    if (!list) throw new Error(`no table has the list ${name}`);
    return list;
  };
}

const list = readLists(serviceTable);
const keyed = [...list("keyed")];
const other = [...list("other")];

/** A name in every way in which its parts are joined: `customerio`, `customer_io`, `customer-io`, `customer.io`. */
const spellingsOf = (name: string): string[] =>
  name.includes("·") ? ["", "_", "-", "."].map((sign) => name.replaceAll("·", sign)) : [name];

/** The lists of services that a table of phrases names, by what it calls them. */
const services: Readonly<Partial<Record<string, string[]>>> = {
  keyed: keyed.flatMap(spellingsOf),
  other: other.flatMap(spellingsOf),
  plain: other.flatMap(spellingsOf).filter((name) => !list("wordlike").has(name)),
  wordlike: [...list("wordlike")],
};

/** The names of all services, each as one word. */
export const serviceNames: ReadonlySet<string> = new Set(
  [...keyed, ...other].map((name) => name.replaceAll("·", "")),
);
