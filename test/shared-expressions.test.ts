// No expression keeps a state from one call to the next: what an earlier text held would decide what is found in a later one.
import { expect, test } from "bun:test";
import { join } from "node:path";

const root = join(import.meta.dir, "..");
/** The one file that sets where an expression begins, and sets it back. */
const home = "src/text/text.ts";

/** A literal with its flags, behind the name of a constant, a variable, a property or a list of them. */
const literal =
  /\b(\w+)(?:: (?:readonly )?[\w<>[\], ]+)?\s*[=:]\s*(?:\[\s*)?(?:\/\/[^\n]*\n\s*)*\/(?![*/])(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\[\n])+\/([a-z]*)/g;
/** One that is put together. */
const made =
  /\b(\w+)(?:: RegExp)?\s*[=:]\s*new RegExp\((?:(?!new RegExp)[^;])*?,\s*["'`]([a-z]*)["'`],?\s*\)/g;
const called = /(?:\b(\w+)|\/([a-z]*))\??\.(?:exec|test)\(/g;

/** Places of a source where an expression with state may keep it; `imported` are the stateful names of other files. */
function stateful(source: string, imported: ReadonlySet<string> = new Set()): string[] {
  const names = namesIn(source);
  for (const [, list = ""] of source.matchAll(/\bimport \{([^}]*)\}/g))
    for (const [name] of list.matchAll(/\w+/g)) if (imported.has(name)) names.add(name);
  const calls = [...source.matchAll(called)]
    .filter(([, name, flags]) => (name === undefined ? /[gy]/.test(flags ?? "") : names.has(name)))
    .map(([call]) => call);
  return [...calls, ...(source.match(/\.lastIndex\b/g) ?? [])];
}

/** Names under which a source has expressions with state. */
function namesIn(source: string): Set<string> {
  const all = [...source.matchAll(literal), ...source.matchAll(made)];
  return new Set(all.flatMap(([, name = "", flags = ""]) => (/[gy]/.test(flags) ? [name] : [])));
}

test.each([
  ["const end = /a/g;\nend.exec(text);", ["end.exec("]],
  ["const end =\n  /[/]a\\//gi;\nif (end.test(text)) go();", ["end.test("]],
  ['const end = new RegExp(words, "gu");\nend.exec(text);', ["end.exec("]],
  ["const row = { shape: /a/y };\nrow.shape.test(text);", ["shape.test("]],
  ["const ends: readonly RegExp[] = [/a/g];\nends.test(text);", ["ends.test("]],
  ["/a/g.test(text);", ["/g.test("]],
  ["end.lastIndex = 0;", [".lastIndex"]],
  ["const end = /a/i;\nend.exec(text);\ntext.replace(/b/g, '');", []],
  ["const end = /a/g;\ntext.matchAll(end);", []],
])("the measure sees %j", (source, places) => {
  expect(stateful(source)).toEqual(places);
});

test("an expression with g or y is given to matchAll, replace and matchAt, never to exec or test", async () => {
  const sources = new Map<string, string>();
  for (const folder of ["src", "plugins"])
    for await (const file of new Bun.Glob(`${folder}/**/*.{ts,tsx}`).scan(root))
      if (file !== home) sources.set(file, await Bun.file(join(root, file)).text());
  const all = [...sources.values()].map((source) => ({ source, names: [...namesIn(source)] }));
  expect(all.flatMap(({ names }) => names).length).toBeGreaterThan(100);
  const exported = new Set(
    all.flatMap(({ source, names }) =>
      names.filter((name) => source.includes(`export const ${name}`)),
    ),
  );
  const found = [...sources].flatMap(([file, source]) =>
    stateful(source, exported).map((place) => `${file}: ${place}`),
  );
  expect(found).toEqual([]);
});
