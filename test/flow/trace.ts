// Preloaded into a server from source: notes which files' functions run. On SIGUSR2 it writes their names, one a line,
// to the file that MEMOIR_TRACE names, and begins anew.
import { renameSync, writeFileSync } from "node:fs";
import { relative, resolve } from "node:path";
import process from "node:process";
import { type Function as FunctionNode, type Node, parse } from "acorn";
import { full } from "acorn-walk";

const root = resolve(import.meta.dir, "../..");
const ran = new Set<string>();
Object.assign(globalThis, { memoirRan: (file: string) => ran.add(file) });

/** The same module with a note at the beginning of every function. */
function traced(source: string, file: string): string {
  const note = `memoirRan(${JSON.stringify(file)})`;
  const inserts: [number, string][] = [];
  full(parse(source, { ecmaVersion: "latest", sourceType: "module" }), (node: Node) => {
    if (!/^(?:Arrow)?Function(?:Declaration|Expression)?$/.test(node.type)) return;
    const { body } = node as FunctionNode;
    if (body.type === "BlockStatement") inserts.push([body.start + 1, `${note};`]);
    // A body of one expression may stand in brackets of its own, which are no part of it.
    else inserts.push([body.start, `(${note},`], [body.end, ")"]);
  });
  inserts.sort(([a], [b]) => b - a);
  let text = source;
  for (const [at, insert] of inserts) text = text.slice(0, at) + insert + text.slice(at);
  return text;
}

const typescript = new Bun.Transpiler({ loader: "ts", target: "bun" });

Bun.plugin({
  name: "trace",
  setup(build) {
    build.onLoad({ filter: /\/(?:src|plugins)\/.*\.ts$/ }, async ({ path }) => {
      const source = typescript.transformSync(await Bun.file(path).text());
      const file = relative(root, path);
      return { contents: file.startsWith("..") ? source : traced(source, file), loader: "js" };
    });
  },
});

process.on("SIGUSR2", () => {
  const out = process.env.MEMOIR_TRACE ?? "";
  writeFileSync(`${out}.part`, [...ran].sort().join("\n"));
  ran.clear();
  renameSync(`${out}.part`, out);
});
