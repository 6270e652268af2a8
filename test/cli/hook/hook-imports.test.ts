// The hook command's cost is its imports: this is the whole list of what it may load before it has an answer.
import { expect, test } from "bun:test";
import { join } from "node:path";
import { staticImports } from "../../support/static-imports.ts";

const root = join(import.meta.dir, "../../..");
test("the entry loads nothing before it branches", () => {
  expect([...staticImports(root, join(root, "src/cli/main.ts"))]).toEqual(["src/cli/main.ts"]);
});

test("the hook command loads two files of names, its runtime's calls, and nothing else", () => {
  expect([...staticImports(root, join(root, "src/cli/hook/hook.ts"))].sort()).toEqual([
    "src/cli/hook/hook.ts",
    "src/home/paths.ts",
    "src/host/index.ts",
    "src/server/endpoint.ts",
  ]);
});

test("the way to the spool loads no server, no command line and no model library", () => {
  const reached = [...staticImports(root, join(root, "src/cli/hook/recover.ts"))];
  expect(reached).toContain("valibot");
  for (const heavy of ["elysia", "commander", "@anthropic-ai/sdk", "bun:sqlite", "node:http"]) {
    expect(reached).not.toContain(heavy);
  }
  // Of what plugins bring it needs their rules of redaction, and only where there are some.
  const ofPlugins = /re2js|own-rules\.ts|schedules|plugin-data|declared-data|plugin-rules/;
  expect(reached.filter((file) => ofPlugins.test(file))).toEqual([]);
});
