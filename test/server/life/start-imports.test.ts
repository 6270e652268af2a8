// A server that a hook started answers hooks: what only other requests need is loaded with the first of them.
import { expect, test } from "bun:test";
import { join } from "node:path";
import { staticImports } from "../../support/static-imports.ts";

const root = join(import.meta.dir, "../../../");

test("a server's start loads no routes, and not the library under them", () => {
  const reached = [...staticImports(root, join(root, "src/cli/server/serve.ts"))];
  expect(reached).toContain("src/server/hook-route.ts");
  for (const later of ["elysia", "src/server/app.ts", "@modelcontextprotocol/server", "re2js"])
    expect(reached).not.toContain(later);
});
