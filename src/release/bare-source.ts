// What of a source an error's trace needs: maps hold the sources, and without comments and types those are a quarter smaller.
const transpilers = {
  ts: new Bun.Transpiler({ loader: "ts" }),
  js: new Bun.Transpiler({ loader: "js" }),
};

/** What begins a line and says nothing at run time; a template's text may look like it, hence the comparison below. */
const silent = [
  /^[ \t]*\/\*[\s\S]*?\*\//gm,
  /^[ \t]*\/\/.*$/gm,
  /^import type [^;]*;$/gm,
  /^(?:export )?interface [^\n]*\{\n(?:[ \t][^\n]*\n|\n)*\}$/gm,
];

/** The same program, every token in its line and column, with empty lines for comments and types; as it is when in doubt. */
export function bareSource(text: string, loader: keyof typeof transpilers): string {
  let bare = text;
  // `@__PURE__` and its like tell the bundler what it may leave out.
  for (const pattern of silent)
    bare = bare.replace(pattern, (part) =>
      part.includes("__") ? part : part.replace(/[^\n]/g, ""),
    );
  const transpiler = transpilers[loader];
  try {
    return transpiler.transformSync(bare) === transpiler.transformSync(text) ? bare : text;
  } catch {
    return text;
  }
}
